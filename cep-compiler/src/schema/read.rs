//! The schema as tokens: how the derive writes it into a schema macro and how `cep!` reads it back. Both ends in one file, because the
//! derive and the `cep!` may be compiled from two versions of this crate: [`FORMAT`] stands in front and must change with the format.
//!
//! ```text
//! 1 (pub) Reading { T { id = id [u32; kept key] at = ts [u64; kept time 1000000] note = note [option str; kept] } Idle { } }
//! 1 (pub) Last5 { Last5 { values = values [array f64; kept length 5] } } [4 0 1 10]
//! 1 (pub) Trend { } ("why its results are no events" "what to write instead")
//! 1 (pub) Trip { … } { Ping 64 boxed }
//! ```
//!
//! What stands in the second braces is of a window that patterns can run inside of ([`Held`]). The numbers behind a window's are its [`Timing`]: origin, tail, and the interval above and below the line.
use super::{Attribute, EventType, Held, Int, Kind, Refused, Schema, Timing};
use crate::code::{Piece, Scope, code};
use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree, token_stream};
use quote::format_ident;

/// The version of the format.
pub const FORMAT: u32 = 1;

/// Why a schema could not be read.
#[derive(PartialEq, Eq, Debug)]
pub enum Unreadable {
    /// Written by another version of the crate, in this format.
    Version(String),
    /// No schema at all: something else than `cep!` or the derive called, or the macro that answered is none of ours.
    Malformed,
}

impl Unreadable {
    /// What is wrong, and what to do.
    #[must_use]
    pub fn explain(&self, of: &str) -> (String, String) {
        match self {
            Unreadable::Version(found) => (
                format!(
                    "`#[derive(Event)]` on `{of}` comes from another version of `cep-rs` (schema format {found}, expected {FORMAT})"
                ),
                String::from(
                    "use one version of `cep-rs` for both crates (`cargo tree -i cep-rs` shows where they come from)",
                ),
            ),
            Unreadable::Malformed => (
                format!("the macro `{of}!` is not the schema of an event type"),
                String::from(
                    "`#[derive(Event)]` on the type defines it; some other macro of that name may be in scope",
                ),
            ),
        }
    }
}

/// Writes a schema.
#[must_use]
pub fn write(schema: &Schema) -> TokenStream {
    let _scope = Scope::open();
    let mut types = Piece::EMPTY;
    for t in &schema.types {
        let name = &t.name;
        let attributes = write_attributes(&t.attributes, t.own_record);
        types.extend(code!([attributes | name] #name #attributes));
    }
    let mut written = write_types(&schema.visibility, &schema.name, types);
    if let Some(Held { of, keys, boxed }) = &schema.held {
        let (keys, boxed) = (proc_macro2::Literal::u64_unsuffixed(*keys), boxed.then(|| code!([] boxed)));
        written.extend(code!([| boxed, keys, of] { #of #keys #boxed }));
    }
    if let Some(Refused { why, help }) = &schema.refused {
        return code!([written | help, why] #written (#why #help)).tokens();
    }
    let Some(t) = schema.timing else { return written.tokens() };
    let mut numbers = Piece::EMPTY;
    for n in [t.origin, t.tail, t.numerator, t.denominator] {
        numbers.extend(Piece::of(&proc_macro2::Literal::u64_unsuffixed(n)));
    }
    code!([written, numbers] #written [#numbers]).tokens()
}

/// `1 (visibility) Name { types }`
pub(super) fn write_types(visibility: &TokenStream, name: &Ident, types: Piece) -> Piece {
    let version = proc_macro2::Literal::u32_unsuffixed(FORMAT);
    code!([types | name, visibility, version] #version (#visibility) #name { #types })
}

/// `{ id = id [u32; kept] … }`; with `!` in front where the struct is its own record.
pub(super) fn write_attributes(attributes: &[Attribute], own_record: bool) -> Piece {
    let own = own_record.then(|| code!([] !));
    let mut each = Piece::EMPTY;
    for a in attributes {
        let Attribute { name, field, kind, nullable, length, null_elements, kept, time, key, ord } = a;
        let kind = write_kind(kind);
        let option = nullable.then(|| code!([] option));
        let mut flags = Piece::EMPTY;
        for (flag, word) in &[(*kept, "kept"), (*key, "key"), (*ord, "ord"), (*null_elements, "nulls")] {
            if *flag {
                flags.extend(Piece::of(&format_ident!("{word}")));
            }
        }
        let time = time.map(|ns| {
            let ns = proc_macro2::Literal::u64_unsuffixed(ns);
            code!([| ns] time #ns)
        });
        let length = length.map(|n| {
            let n = proc_macro2::Literal::u64_unsuffixed(n);
            code!([| n] length #n)
        });
        each.extend(code!([kind, flags | length, time, option, field, name] #name = #field [#option #kind; #flags #time #length]));
    }
    code!([each | own] { #own #each })
}

fn write_kind(kind: &Kind) -> Piece {
    let word = match kind {
        Kind::Int(Int { signed, size: true, .. }) => if *signed { "isize" } else { "usize" }.to_owned(),
        Kind::Int(Int { signed, bits, .. }) => format!("{}{bits}", if *signed { "i" } else { "u" }),
        Kind::Float(bits) => format!("f{bits}"),
        Kind::Bool => "bool".to_owned(),
        Kind::Char => "char".to_owned(),
        Kind::Str => "str".to_owned(),
        Kind::String => "string".to_owned(),
        Kind::Text => "text".to_owned(),
        Kind::Opaque => "opaque".to_owned(),
        Kind::Array(element) => {
            let element = write_kind(element);
            return code!([element] array #element);
        }
    };
    let word = format_ident!("{word}");
    Piece::of(&word)
}

/// The kind of a primitive number, `bool` or `char`.
pub(super) fn primitive(word: &str) -> Option<Kind> {
    let int = |signed, bits, size| Some(Kind::Int(Int { signed, bits, size }));
    match word {
        "bool" => return Some(Kind::Bool),
        "char" => return Some(Kind::Char),
        "f32" => return Some(Kind::Float(32)),
        "f64" => return Some(Kind::Float(64)),
        "usize" => return int(false, 64, true),
        "isize" => return int(true, 64, true),
        _ => {}
    }
    let bits = match word.get(1..)? {
        "8" => 8,
        "16" => 16,
        "32" => 32,
        "64" => 64,
        "128" => 128,
        _ => return None,
    };
    match word.get(..1)? {
        "i" => int(true, bits, false),
        "u" => int(false, bits, false),
        _ => None,
    }
}

/// Reads a schema.
///
/// # Errors
///
/// If another version wrote it, or if it is none.
pub fn read(tokens: TokenStream) -> Result<Schema, Unreadable> {
    let (timing, refused, held) = (timing(tokens.clone()), refused(tokens.clone()), held(tokens.clone()));
    let (visibility, name, types) = open(tokens)?;
    let mut from = types.into_iter();
    let mut types = Vec::new();
    while let Some(next) = from.next() {
        let TokenTree::Ident(name) = next else { return Err(Unreadable::Malformed) };
        let attributes =
            group(&mut from, Delimiter::Brace).and_then(attributes).ok_or(Unreadable::Malformed)?;
        let (attributes, own_record) = attributes;
        types.push(EventType { name, attributes, own_record });
    }
    Ok(Schema { visibility, name, types, timing, refused, held })
}

/// The numbers at the end, if there are any.
fn timing(tokens: TokenStream) -> Option<Timing> {
    let Some(TokenTree::Group(g)) = tokens.into_iter().last() else { return None };
    if g.delimiter() != Delimiter::Bracket {
        return None;
    }
    let mut each = g.stream().into_iter();
    let mut number = || each.next()?.to_string().parse().ok();
    Some(Timing { origin: number()?, tail: number()?, numerator: number()?, denominator: number()? })
}

/// What stands in the braces behind the event types.
fn held(tokens: TokenStream) -> Option<Held> {
    let Some(TokenTree::Group(g)) = tokens.into_iter().nth(4) else { return None };
    let mut each = g.stream().into_iter();
    if g.delimiter() != Delimiter::Brace {
        return None;
    }
    let of = ident(&mut each)?;
    let keys = each.next()?.to_string().parse().ok()?;
    Some(Held { of, keys, boxed: each.next().is_some() })
}

/// The two texts at the end, if there are any.
pub(super) fn refused(tokens: TokenStream) -> Option<Refused> {
    let Some(TokenTree::Group(g)) = tokens.into_iter().skip(2).last() else { return None };
    if g.delimiter() != Delimiter::Parenthesis {
        return None;
    }
    let mut each = g.stream().into_iter();
    let mut text = || syn::parse2::<syn::LitStr>(each.next()?.into()).ok().map(|t| t.value());
    Some(Refused { why: text()?, help: text()? })
}

/// The visibility, the name and the tokens of the event types, once the version is known to be ours.
pub(super) fn open(tokens: TokenStream) -> Result<(TokenStream, Ident, TokenStream), Unreadable> {
    let mut from = tokens.into_iter();
    match from.next() {
        Some(TokenTree::Literal(l)) if l.to_string() == FORMAT.to_string() => {}
        Some(TokenTree::Literal(l)) => return Err(Unreadable::Version(l.to_string())),
        _ => return Err(Unreadable::Malformed),
    }
    let visibility = group(&mut from, Delimiter::Parenthesis).ok_or(Unreadable::Malformed)?;
    let name = ident(&mut from).ok_or(Unreadable::Malformed)?;
    let types = group(&mut from, Delimiter::Brace).ok_or(Unreadable::Malformed)?;
    Ok((visibility, name, types))
}

fn attributes(tokens: TokenStream) -> Option<(Vec<Attribute>, bool)> {
    let mut from = tokens.into_iter();
    let mut attributes = Vec::new();
    let mut own_record = false;
    while let Some(next) = from.next() {
        if matches!(&next, TokenTree::Punct(p) if p.as_char() == '!') {
            own_record = true;
            continue;
        }
        let TokenTree::Ident(name) = next else { return None };
        from.next()?; // `=`
        let field = ident(&mut from)?;
        let mut parts = group(&mut from, Delimiter::Bracket)?.into_iter();
        let mut word = ident(&mut parts)?.to_string();
        let nullable = word == "option";
        if nullable {
            word = ident(&mut parts)?.to_string();
        }
        let kind = kind(&word, &mut parts)?;
        parts.next()?; // `;`
        let (mut kept, mut key, mut ord, mut time) = (false, false, false, None);
        let (mut length, mut null_elements) = (None, false);
        while let Some(flag) = ident(&mut parts) {
            match flag.to_string().as_str() {
                "kept" => kept = true,
                "key" => key = true,
                "ord" => ord = true,
                "nulls" => null_elements = true,
                "time" => time = Some(parts.next()?.to_string().parse().ok()?),
                "length" => length = Some(parts.next()?.to_string().parse().ok()?),
                _ => return None,
            }
        }
        attributes.push(Attribute {
            name,
            field,
            kind,
            nullable,
            length,
            null_elements,
            kept,
            time,
            key,
            ord,
        });
    }
    Some((attributes, own_record))
}

fn kind(word: &str, parts: &mut token_stream::IntoIter) -> Option<Kind> {
    Some(match word {
        "str" => Kind::Str,
        "string" => Kind::String,
        "text" => Kind::Text,
        "opaque" => Kind::Opaque,
        "array" => Kind::Array(Box::new(primitive(&ident(parts)?.to_string())?)),
        word => primitive(word)?,
    })
}

fn ident(from: &mut token_stream::IntoIter) -> Option<Ident> {
    match from.next()? {
        TokenTree::Ident(i) => Some(i),
        _ => None,
    }
}

/// What stands inside the next token, if it is a group of this delimiter.
pub(super) fn group(from: &mut token_stream::IntoIter, delimiter: Delimiter) -> Option<TokenStream> {
    match from.next()? {
        TokenTree::Group(g) if g.delimiter() == delimiter => Some(g.stream()),
        _ => None,
    }
}

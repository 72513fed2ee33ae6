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
use super::kinds::written;
use super::{Attribute, EventType, Held, Kind, Refused, Schema, Timing};
use crate::code::{Hole, Piece, Scope, code};
use crate::slices::each;
use crate::syntax::trees;
use proc_macro2::{Delimiter, Ident, Literal, TokenStream, TokenTree};

/// The version of the format.
pub const FORMAT: u32 = 1;

/// Why a schema could not be read.
#[derive(Debug)]
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
        let (name, attributes) = (&t.name, write_attributes(&each(&t.attributes, |a| a), t.own_record));
        types.extend(code!([attributes | name] #name #attributes));
    }
    let mut written = write_types(&schema.visibility, &schema.name, types);
    if let Some(Held { of, keys, boxed }) = &schema.held {
        let rest = Piece::words(&format!("{keys}{}", if *boxed { " boxed" } else { "" }));
        written.extend(code!([rest | of] { #of #rest }));
    }
    if let Some(Refused { why, help }) = &schema.refused {
        written.extend(code!([| why, help] (#why #help)));
    } else if let Some(t) = &schema.timing {
        let Timing { origin, tail, numerator, denominator } = t;
        let numbers = Piece::words(&format!("{origin} {tail} {numerator} {denominator}"));
        written.extend(code!([numbers] [#numbers]));
    }
    written.tokens()
}

/// `1 (visibility) Name { types }`
pub(super) fn write_types(visibility: &dyn Hole, name: &dyn Hole, types: Piece) -> Piece {
    let version = Literal::u32_unsuffixed(FORMAT);
    code!([types | version, visibility, name] #version (#visibility) #name { #types })
}

/// `{ id = id [u32; kept] … }`; with `!` in front where the struct is its own record.
pub(super) fn write_attributes(attributes: &[&Attribute], own_record: bool) -> Piece {
    let mut each = if own_record { code!([] !) } else { Piece::EMPTY };
    for &a in attributes {
        let (name, field, words) = (&a.name, &a.field, Piece::words(&words(a)));
        each.extend(code!([words | name, field] #name = #field [#words]));
    }
    code!([each] { #each })
}

/// What stands in the brackets.
fn words(a: &Attribute) -> String {
    let mut words = String::new();
    if a.nullable {
        words.push_str("option ");
    }
    let element = match &a.kind {
        Kind::Array(element) => {
            words.push_str("array ");
            element
        }
        kind => kind,
    };
    words.push_str(element.written());
    words.push(';');
    for &(flag, word) in &[(a.kept, " kept"), (a.key, " key"), (a.ord, " ord"), (a.null_elements, " nulls")] {
        if flag {
            words.push_str(word);
        }
    }
    for &(number, word) in &[(a.time, " time "), (a.length, " length ")] {
        if let Some(number) = number {
            words.push_str(word);
            words.push_str(&number.to_string());
        }
    }
    words
}

/// Reads a schema.
///
/// # Errors
///
/// If another version wrote it, or if it is none.
pub fn read(tokens: TokenStream) -> Result<Schema, Unreadable> {
    let tokens = trees(tokens);
    let head = open(&tokens)?;
    let types = event_types(&trees(head.types)).ok_or(Unreadable::Malformed)?;
    let mut schema = Schema {
        visibility: head.visibility,
        name: head.name,
        types,
        timing: None,
        refused: refused(&tokens),
        held: None,
    };
    for token in &tokens[4..] {
        if let TokenTree::Group(g) = token {
            match g.delimiter() {
                Delimiter::Brace => schema.held = held(&trees(g.stream())),
                Delimiter::Bracket => schema.timing = timing(&g.stream().to_string()),
                _ => {}
            }
        }
    }
    Ok(schema)
}

/// The numbers at the end.
fn timing(text: &str) -> Option<Timing> {
    let mut numbers = text.split_whitespace();
    let mut number = || numbers.next()?.parse().ok();
    Some(Timing { origin: number()?, tail: number()?, numerator: number()?, denominator: number()? })
}

/// What stands in the braces behind the event types.
fn held(tokens: &[TokenTree]) -> Option<Held> {
    let [TokenTree::Ident(of), TokenTree::Literal(keys), boxed @ ..] = tokens else { return None };
    Some(Held { of: of.clone(), keys: keys.to_string().parse().ok()?, boxed: !boxed.is_empty() })
}

/// The two texts at the end of a schema, if there are any.
pub(super) fn refused(tokens: &[TokenTree]) -> Option<Refused> {
    let [_, _, .., TokenTree::Group(g)] = tokens else { return None };
    match trees(g.stream()).as_slice() {
        [TokenTree::Literal(why), TokenTree::Literal(help)] if g.delimiter() == Delimiter::Parenthesis => {
            Some(Refused { why: text(why)?, help: text(help)? })
        }
        _ => None,
    }
}

/// What a literal text says.
fn text(literal: &Literal) -> Option<String> {
    match syn::Lit::new(literal.clone()) {
        syn::Lit::Str(text) => Some(text.value()),
        _ => None,
    }
}

/// What every schema begins with.
pub(super) struct Head {
    pub(super) visibility: TokenStream,
    pub(super) name: Ident,
    /// The event types.
    pub(super) types: TokenStream,
}

/// Reads the beginning of a schema, the first four tokens, once the version is known to be ours.
pub(super) fn open(tokens: &[TokenTree]) -> Result<Head, Unreadable> {
    let [TokenTree::Literal(version), rest @ ..] = tokens else { return Err(Unreadable::Malformed) };
    let version = version.to_string();
    if version != FORMAT.to_string() {
        return Err(Unreadable::Version(version));
    }
    match rest {
        [TokenTree::Group(visibility), TokenTree::Ident(name), TokenTree::Group(types), ..]
            if visibility.delimiter() == Delimiter::Parenthesis && types.delimiter() == Delimiter::Brace =>
        {
            Ok(Head { visibility: visibility.stream(), name: name.clone(), types: types.stream() })
        }
        _ => Err(Unreadable::Malformed),
    }
}

fn event_types(mut tokens: &[TokenTree]) -> Option<Vec<EventType>> {
    let mut types = Vec::new();
    while let [TokenTree::Ident(name), TokenTree::Group(attributes), rest @ ..] = tokens {
        types.push(event_type(name, &trees(attributes.stream()))?);
        tokens = rest;
    }
    tokens.is_empty().then_some(types)
}

fn event_type(name: &Ident, mut tokens: &[TokenTree]) -> Option<EventType> {
    let mut own_record = false;
    if let [TokenTree::Punct(_), rest @ ..] = tokens {
        own_record = true;
        tokens = rest;
    }
    let mut attributes = Vec::new();
    while let [TokenTree::Ident(name), _, TokenTree::Ident(field), TokenTree::Group(parts), rest @ ..] =
        tokens
    {
        attributes.push(attribute(name, field, &parts.stream().to_string())?);
        tokens = rest;
    }
    tokens.is_empty().then(|| EventType { name: name.clone(), attributes, own_record })
}

/// From the words in the brackets.
fn attribute(name: &Ident, field: &Ident, words: &str) -> Option<Attribute> {
    let mut attribute = Attribute {
        name: name.clone(),
        field: field.clone(),
        kind: Kind::Opaque,
        nullable: false,
        length: None,
        null_elements: false,
        kept: false,
        time: None,
        key: false,
        ord: false,
    };
    let mut array = false;
    let mut words = words.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            "kept" => attribute.kept = true,
            "key" => attribute.key = true,
            "ord" => attribute.ord = true,
            "nulls" => attribute.null_elements = true,
            "time" => attribute.time = Some(words.next()?.parse().ok()?),
            "length" => attribute.length = Some(words.next()?.parse().ok()?),
            "option" => attribute.nullable = true,
            "array" => array = true,
            ";" => {}
            // the blank in front of the `;` is the printer's business
            word => {
                let kind = written(word.strip_suffix(';').unwrap_or(word))?;
                attribute.kind = if array { Kind::Array(Box::new(kind)) } else { kind };
            }
        }
    }
    Some(attribute)
}

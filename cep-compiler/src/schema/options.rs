//! `#[event(…)]`: what can stand in it, and where.
use crate::code::Piece;
use crate::diagnostic::{Code, Diagnostics, Loc};
use crate::slices::each;
use crate::syntax::{self, is_path};
use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::meta::ParseNestedMeta;
use syn::{Attribute, LitStr, Path, Token};

/// What carries the attribute.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Enum,
    Struct,
    /// A variant with named fields or without fields.
    Variant,
    /// A variant that holds a struct.
    Holder,
    Field,
}

impl Place {
    /// The options that mean something here, and the place in words.
    fn allows(self) -> (&'static [&'static str], &'static str) {
        match self {
            Place::Enum => (&["crate"], "an enum"),
            Place::Struct => (&["crate", "name", "record", "copy"], "a struct"),
            Place::Variant => (&["name", "record"], "a variant"),
            Place::Holder => (&["name"], "a variant that holds a struct"),
            Place::Field => (&["time", "key", "ord", "copy", "no_copy", "skip", "name"], "a field"),
        }
    }
}

/// The options given, each with where it stands.
#[derive(Default)]
pub(super) struct Options {
    pub(super) root: Option<TokenStream>,
    pub(super) name: Option<Ident>,
    pub(super) record: Option<Ident>,
    pub(super) skip: Option<Span>,
    pub(super) copy: Option<Span>,
    pub(super) no_copy: Option<Span>,
    pub(super) key: Option<Span>,
    pub(super) ord: Option<Span>,
    /// Nanoseconds per unit.
    pub(super) time: Option<(Span, u64)>,
}

impl Options {
    /// Something besides `skip`.
    pub(super) fn says_more(&self) -> bool {
        let words = self.copy.or(self.no_copy).or(self.key).or(self.ord);
        words.is_some() || self.time.is_some() || self.name.is_some()
    }
}

/// Nanoseconds of a unit of time.
pub(crate) fn nanoseconds(unit: &str) -> Option<u64> {
    Some(match unit {
        "d" => 86_400_000_000_000,
        "h" => 3_600_000_000_000,
        "min" => 60_000_000_000,
        "s" => 1_000_000_000,
        "ms" => 1_000_000,
        "us" => 1_000,
        "ns" => 1,
        _ => return None,
    })
}

/// Reads every `#[event(…)]` among `attributes`.
pub(super) fn options(attributes: &[Attribute], place: Place, report: &mut Diagnostics) -> Options {
    let mut options = Options::default();
    let mut seen: Vec<String> = Vec::new();
    for attribute in attributes {
        if !attribute.path().is_ident("event") {
            continue;
        }
        let result =
            syntax::options(attribute, &mut |meta| option(meta, place, &mut seen, &mut options, report));
        if let Err(e) = result {
            report.error(Code::Derive, e.span(), format!("bad `#[event(…)]`: {e}")).help(format!(
                "on {} write `#[event({})]`",
                place.allows().1,
                place.allows().0.join(", ")
            ));
        }
    }
    options
}

fn option(
    meta: &ParseNestedMeta<'_>,
    place: Place,
    seen: &mut Vec<String>,
    options: &mut Options,
    report: &mut Diagnostics,
) -> syn::Result<()> {
    let word = meta.path.get_ident().map(Ident::to_string).unwrap_or_default();
    let at = Loc::of(&meta.path);
    let (allowed, where_) = place.allows();
    if !allowed.contains(&word.as_str()) {
        let path = syntax::tight(&meta.path);
        report
            .error(Code::Derive, at, format!("`{path}` means nothing on {where_}"))
            .help(format!("expected {}", each(allowed, |o| format!("`{o}`")).join(", ")));
        return skip_value(meta);
    }
    if seen.contains(&word) {
        report.error(Code::Derive, at, format!("`{word}` is given twice")).help("leave one of them out");
        return skip_value(meta);
    }
    let span = at.first;
    match word.as_str() {
        "crate" => options.root = Some(root(meta)?),
        "name" => options.name = name(meta, report)?,
        "record" => options.record = name(meta, report)?,
        "time" => options.time = Some((span, unit(meta, report)?)),
        "skip" => options.skip = Some(span),
        "copy" => options.copy = Some(span),
        "no_copy" => options.no_copy = Some(span),
        "key" => options.key = Some(span),
        "ord" => options.ord = Some(span),
        word => unreachable!("`{word}` is in a list of `Place::allows`"),
    }
    seen.push(word);
    Ok(())
}

/// The text behind `=`.
fn text(meta: &ParseNestedMeta<'_>) -> syn::Result<LitStr> {
    meta.value()?.parse()
}

/// Past the value of an option that cannot be used, so that the options behind it are still read.
fn skip_value(meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
    if meta.input.peek(Token![=]) {
        meta.value()?.parse::<syn::Expr>()?;
    } else if meta.input.peek(syn::token::Paren) {
        meta.input.parse::<proc_macro2::Group>()?;
    }
    Ok(())
}

/// `crate = path` or `crate = "path"`
fn root(meta: &ParseNestedMeta<'_>) -> syn::Result<TokenStream> {
    let value = meta.value()?;
    if !value.peek(LitStr) {
        return Ok(Path::parse_mod_style(value)?.into_token_stream());
    }
    let text: LitStr = value.parse()?;
    let path: TokenStream = text.value().parse().unwrap_or_default();
    if !is_path(path.clone()) {
        return Err(syn::Error::new(text.span(), format!("`{}` is no path", text.value())));
    }
    let mut at = Piece::EMPTY;
    for mut token in path {
        token.set_span(text.span());
        at.extend(Piece::of(&token));
    }
    Ok(at.tokens())
}

/// `name = "…"`: an identifier, at the string's place.
fn name(meta: &ParseNestedMeta<'_>, report: &mut Diagnostics) -> syn::Result<Option<Ident>> {
    let text = text(meta)?;
    let mut name = syntax::name(&text.value()).filter(|_| text.suffix().is_empty());
    match &mut name {
        Some(name) => name.set_span(text.span()),
        None => {
            report
                .error(Code::Derive, text.span(), format!("`{}` is not a name", text.value()))
                .help("expected an identifier, and no word of the Rust language");
        }
    }
    Ok(name)
}

/// `time` or `time = "ms"`
fn unit(meta: &ParseNestedMeta<'_>, report: &mut Diagnostics) -> syn::Result<u64> {
    let millisecond = 1_000_000;
    if !meta.input.peek(Token![=]) {
        return Ok(millisecond);
    }
    let text = text(meta)?;
    if let Some(ns) = nanoseconds(&text.value()) {
        return Ok(ns);
    }
    report
        .error(Code::Derive, text.span(), format!("`{}` is not a unit of time", text.value()))
        .help("expected `d`, `h`, `min`, `s`, `ms`, `us` or `ns`");
    Ok(millisecond)
}

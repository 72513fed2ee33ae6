//! What the compiler says of a vector, without rustc.
use crate::events::Events;
use crate::format::{Error, Expected, Vector, wrong};
use cep_compiler::ast::{File, Item, Pattern};
use cep_compiler::diagnostic::{Code, Diagnostics};
use proc_macro2::TokenStream;

/// What becomes of a vector.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It compiles, or is refused as expected.
    Accepted,
    /// It needs what this version does not compile yet: these constructs.
    NotSupported(Vec<String>),
    /// The compiler refuses it, or takes what it should refuse: these diagnostics.
    Refused(Vec<String>),
}

/// Compiles a vector's items in process.
///
/// # Errors
/// A vector that is not as the format says.
pub fn compile(vector: &Vector, events: &Events) -> Result<Verdict, Error> {
    let tokens = tokens(vector)?;
    let root: TokenStream = "::cep".parse().map_err(|e| Error(format!("{e:?}")))?;
    let schemas = [("E".to_owned(), events.schema.clone())];
    let output = cep_compiler::compile(&root, &schemas, tokens);
    let list = output.diagnostics.list();
    let missing: Vec<String> =
        list.iter().filter(|d| d.code == Code::NotSupported).map(|d| construct(&d.message)).collect();
    let all: Vec<String> = list.iter().map(|d| format!("{} [{}]", d.message, d.code.name())).collect();
    if let Expected::Error(part) = &vector.expected {
        if list.iter().any(|d| d.message.contains(part) || d.notes.iter().any(|n| n.contains(part))) {
            return Ok(Verdict::Accepted);
        }
        if missing.is_empty() {
            let found = if all.is_empty() { vec!["it compiles".to_owned()] } else { all };
            return Ok(Verdict::Refused([vec![format!("expected an error with `{part}`")], found].concat()));
        }
        return Ok(Verdict::NotSupported(missing));
    }
    Ok(if list.is_empty() {
        Verdict::Accepted
    } else if missing.is_empty() {
        Verdict::Refused(all)
    } else {
        Verdict::NotSupported(missing)
    })
}

/// The construct that a message says is not supported yet.
fn construct(message: &str) -> String {
    let cut = |end: &str| message.split_once(end).map(|(what, _)| what.to_owned());
    if message.contains("events of a match") || message.contains("events here") {
        return "a type name that stands for several events".to_owned();
    }
    cut(" is not supported yet").or_else(|| cut(" not supported yet")).unwrap_or_else(|| message.to_owned())
}

/// The tokens of a vector's items.
///
/// # Errors
/// Text that has no tokens.
pub fn tokens(vector: &Vector) -> Result<TokenStream, Error> {
    vector.items.parse().map_err(|e| Error(format!("{}: {e}", vector.name)))
}

/// The items of a vector; what is wrong with them is in the diagnostics.
///
/// # Errors
/// Text that has no tokens.
pub fn parse(vector: &Vector) -> Result<(File, Diagnostics), Error> {
    let mut diagnostics = Diagnostics::default();
    let file = cep_compiler::parse::parse(tokens(vector)?, &mut diagnostics);
    Ok((file, diagnostics))
}

/// The pattern whose output a vector means: the one that `observe` names, else the last.
///
/// # Errors
/// There is none.
pub fn observed<'f>(vector: &Vector, file: &'f File) -> Result<&'f Pattern, Error> {
    let pattern = |i: &'f Item| match i {
        Item::Pattern(p) => Some(&**p),
        Item::Window(_) => None,
    };
    let named = |p: &&Pattern| vector.observe.as_ref().is_none_or(|n| p.name == n);
    match file.items.iter().filter_map(pattern).rfind(named) {
        Some(p) => Ok(p),
        None => wrong(format!("{}: no pattern to observe", vector.name)),
    }
}

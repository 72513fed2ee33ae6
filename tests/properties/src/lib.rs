//! From generated text to a compiled pattern, in process: what the property tests and the build script of `tests/compiled` share.
use cep_compiler::ast::{File, Item, Pattern};
use cep_compiler::automaton::{self, Fault};
use cep_compiler::diagnostic::Diagnostics;
use cep_compiler::schema::{Attribute, EventType, Int, Kind, Schema, bounce};
use cep_compiler::{Compiled, hir};
use cep_oracle::generate::{Case, Random};
use cep_oracle::{AttrDecl, Complex, Declaration, Error, Event, Oracle, Ty, Value};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use std::collections::{BTreeMap, BTreeSet};

/// The seed of `CEP_SEED`, or one nobody has seen.
#[must_use]
pub fn seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    Random::seed_or(now.map_or(1, |d| u64::from(d.subsec_nanos()) ^ d.as_secs()))
}

/// How much more to do than usual: `CEP_SCALE`.
#[must_use]
pub fn scale() -> usize {
    std::env::var("CEP_SCALE").ok().and_then(|s| s.parse().ok()).unwrap_or(1)
}

/// What the derive would say of the declared types; the stream is called `S`.
#[must_use]
pub fn schema(declaration: &Declaration) -> Schema {
    let types = declaration.types.iter().map(|t| EventType {
        name: ident(&t.name),
        attributes: t.attributes.iter().map(attribute).collect(),
        own_record: false,
    });
    Schema {
        visibility: TokenStream::new(),
        name: ident("S"),
        types: types.collect(),
        timing: None,
        refused: None,
        held: None,
    }
}

fn ident(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}

fn attribute(a: &AttrDecl) -> Attribute {
    let int = |signed, bits| Kind::Int(Int { signed, bits, size: false });
    let kind = match a.ty {
        Ty::U8 => int(false, 8),
        Ty::U16 => int(false, 16),
        Ty::U32 => int(false, 32),
        Ty::U64 => int(false, 64),
        Ty::U128 => int(false, 128),
        Ty::I128 => int(true, 128),
        Ty::I8 => int(true, 8),
        Ty::I16 => int(true, 16),
        Ty::I32 => int(true, 32),
        Ty::I64 => int(true, 64),
        Ty::F32 => Kind::Float(32),
        Ty::F64 => Kind::Float(64),
        Ty::Bool => Kind::Bool,
        Ty::Char => Kind::Char,
        Ty::Str => Kind::Str,
        Ty::String => Kind::String,
    };
    Attribute {
        name: ident(&a.name),
        field: ident(&a.name),
        kind,
        nullable: a.nullable,
        length: None,
        null_elements: false,
        kept: a.ty != Ty::String,
        time: a.time.then_some(1_000_000),
        key: false,
        ord: false,
    }
}

/// The schemas as the compiler takes them.
#[must_use]
pub fn schemas(declaration: &Declaration) -> Vec<(String, Schema)> {
    bounce::key(&quote!(S)).map(|key| (key, schema(declaration))).into_iter().collect()
}

/// Parses one item.
///
/// # Errors
/// What the compiler says.
pub fn parse(item: &str) -> Result<Pattern, String> {
    let mut diagnostics = Diagnostics::default();
    let tokens = item.parse().map_err(|e| format!("no tokens: {e}"))?;
    let mut file = cep_compiler::parse::parse(tokens, &mut diagnostics);
    refusal(diagnostics)?;
    match file.items.pop() {
        Some(Item::Pattern(p)) if file.items.is_empty() => Ok(*p),
        _ => Err("not one pattern".into()),
    }
}

/// Takes a parsed pattern through the stages behind the parser and validates its automaton.
///
/// # Errors
/// What the compiler says.
pub fn compile(pattern: &Pattern, declaration: &Declaration) -> Result<Compiled, String> {
    let mut diagnostics = Diagnostics::default();
    let file = File { items: Vec::new(), heads: Vec::new(), broken: Vec::new(), windows: Vec::new() };
    let compiled = cep_compiler::pattern(pattern, &schemas(declaration), &file, &mut diagnostics);
    refusal(diagnostics)?;
    let compiled = compiled.ok_or("refused without a word")?;
    compiled.rma.validate(&compiled.pattern).map_err(|e| format!("invalid automaton: {e:?}"))?;
    Ok(compiled)
}

/// Everything reported, as one text.
fn refusal(diagnostics: Diagnostics) -> Result<(), String> {
    let said: Vec<String> =
        diagnostics.list().iter().map(|d| format!("{:?}: {}", d.code, d.message)).collect();
    // looked at, so it may go
    drop(diagnostics.into_tokens());
    if said.is_empty() { Ok(()) } else { Err(said.join("; ")) }
}

/// The value of the interpreter.
#[must_use]
pub fn value(v: &Value) -> automaton::Value {
    match v {
        Value::Null => automaton::Value::Null,
        Value::Int(i) => automaton::Value::Int(*i),
        Value::Float(f) => automaton::Value::Float(*f),
        Value::Bool(b) => automaton::Value::Bool(*b),
        Value::Char(c) => automaton::Value::Char(*c),
        Value::Str(s) => automaton::Value::Str(s.clone()),
    }
}

/// What each event of a stream delivers, by the definitions or by the automaton.
pub type Results = Vec<BTreeSet<Complex>>;

/// Runs the simulated automaton.
///
/// # Errors
/// A filter that panics.
pub fn simulate(
    compiled: &Compiled,
    parameters: &BTreeMap<String, Value>,
    stream: &[Event],
) -> Result<Results, Fault> {
    let pattern: &hir::Pattern = &compiled.pattern;
    let given: Vec<automaton::Value> = pattern
        .parameters
        .iter()
        .map(|p| parameters.get(&p.name.to_string()).map_or(automaton::Value::Null, value))
        .collect();
    let events: Vec<automaton::Event> = stream
        .iter()
        .map(|e| automaton::Event { ty: e.ty, values: e.values.iter().map(value).collect() })
        .collect();
    let found = automaton::simulate(&compiled.rma, pattern, &given, &events)?;
    let complex = |m: automaton::Match| {
        let vars = m.variables.into_iter().filter(|(_, p)| !p.is_empty()).collect();
        Complex::new(m.start, m.end, vars)
    };
    Ok(found.into_iter().map(|set| set.into_iter().map(complex).collect()).collect())
}

/// Runs the oracle.
///
/// # Errors
/// A filter that panics, or what the oracle does not know.
pub fn define(oracle: &Oracle, stream: &[Event]) -> Result<Results, Error> {
    Ok(oracle.matches(stream)?.into_iter().map(|d| d.results).collect())
}

/// Drops events as long as the stream stays wrong.
#[must_use]
pub fn shrink(stream: &[Event], wrong: &dyn Fn(&[Event]) -> bool) -> Vec<Event> {
    let mut stream = stream.to_vec();
    let mut i = 0;
    while i < stream.len() {
        let mut less = stream.clone();
        less.remove(i);
        if wrong(&less) {
            stream = less;
            i = 0;
        } else {
            i += 1;
        }
    }
    stream
}

/// The types as Rust, for a failure's report and for generated source.
#[must_use]
pub fn definition(declaration: &Declaration) -> String {
    let field = |a: &AttrDecl| {
        let ty = a.ty.name();
        let ty = if a.nullable { format!("Option<{ty}>") } else { ty.to_owned() };
        format!("{}{}: {ty}", if a.time { "#[event(time)] " } else { "" }, a.name)
    };
    let variant = |t: &cep_oracle::TypeDecl| {
        let fields: Vec<String> = t.attributes.iter().map(field).collect();
        if fields.is_empty() { t.name.clone() } else { format!("{} {{ {} }}", t.name, fields.join(", ")) }
    };
    let variants: Vec<String> = declaration.types.iter().map(variant).collect();
    format!("enum S {{\n    {},\n}}", variants.join(",\n    "))
}

/// An event as Rust.
#[must_use]
pub fn literal(declaration: &Declaration, e: &Event) -> String {
    let ty = &declaration.types[e.ty];
    let of = |(a, v): (&AttrDecl, &Value)| {
        let text = match v {
            Value::Null => "None".to_owned(),
            Value::Int(i) => i.to_string(),
            Value::Float(f) => format!("{f:?}"),
            Value::Bool(b) => b.to_string(),
            Value::Char(c) => format!("{c:?}"),
            Value::Str(s) if a.ty == Ty::String => format!("{s:?}.into()"),
            Value::Str(s) => format!("{s:?}"),
        };
        let some = a.nullable && *v != Value::Null;
        format!("{}: {}", a.name, if some { format!("Some({text})") } else { text })
    };
    let values: Vec<String> = ty.attributes.iter().zip(&e.values).map(of).collect();
    if values.is_empty() {
        format!("S::{}", ty.name)
    } else {
        format!("S::{} {{ {} }}", ty.name, values.join(", "))
    }
}

/// A case on a stream, so that it can be typed into a test.
#[must_use]
pub fn report(case: &Case, stream: &[Event]) -> String {
    let parameters: Vec<String> = case.parameters.iter().map(|(n, (_, v))| format!("{n} = {v:?}")).collect();
    let events: Vec<String> =
        stream.iter().map(|e| format!("    {},", literal(&case.declaration, e))).collect();
    format!(
        "{}\n{}\nparameters: {}\n[\n{}\n]",
        definition(&case.declaration),
        case.item,
        parameters.join(", "),
        events.join("\n")
    )
}

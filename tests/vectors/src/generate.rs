//! Tests that run vectors through compiled machines, as the text of one Rust module.
//!
//! Each vector is compiled in process first, so that one which is refused is a failing test and no build error that takes the
//! others with it. What is not supported yet is left out and counted.
use crate::compile::{Verdict, compile, observed, parse};
use crate::drive::{self, Kind};
use crate::events::{Events, Spelled};
use crate::fields::{Field, Outputs, outputs, trailing_not};
use crate::format::{Entry, Error, Expected, Vector, read, wrong};
use cep_compiler::ast::{Item, Pattern};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The directories given, and the one that `CEP_VECTORS` names; tells cargo to look at all of them. For build scripts.
#[must_use]
pub fn directories(own: &[&str]) -> Vec<PathBuf> {
    println!("cargo::rerun-if-env-changed=CEP_VECTORS");
    let users = std::env::var_os("CEP_VECTORS").filter(|d| !d.is_empty()).map(PathBuf::from);
    let all: Vec<PathBuf> = own.iter().map(PathBuf::from).chain(users).collect();
    for d in &all {
        println!("cargo::rerun-if-changed={}", d.display());
    }
    all
}

/// What became of the vectors.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Run through a machine.
    pub run: usize,
    /// Refused by the compiler, as expected.
    pub errors: usize,
    /// Refused by the compiler, or not refused, against the expectation: failing tests.
    pub failing: Vec<String>,
    /// Left out.
    pub skipped: usize,
    /// Why, with the number of vectors that each construct keeps out; a vector may count under several.
    pub constructs: BTreeMap<String, usize>,
}

impl std::fmt::Display for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Report { run, errors, failing, skipped, constructs } = self;
        write!(
            f,
            "{run} vectors run, {errors} refused as expected, {} failing, {skipped} skipped",
            failing.len()
        )?;
        for (what, n) in constructs {
            write!(f, "\n{n:5} need {what}")?;
        }
        Ok(())
    }
}

/// Reads the vectors of some directories and writes the module. It is to be `include!`d where the crates `cep` and
/// `cep_vectors` are in scope.
///
/// # Errors
/// A vector that is not as the format says; a file that cannot be read or written.
pub fn generate(directories: &[PathBuf], out: &Path) -> Result<Report, Error> {
    let (text, report) = module(&read(directories)?)?;
    std::fs::write(out, text).map_err(|e| Error(format!("{}: {e}", out.display())))?;
    Ok(report)
}

/// The module's text.
///
/// # Errors
/// A vector that is not as the format says.
pub fn module(vectors: &[Vector]) -> Result<(String, Report), Error> {
    let mut report = Report::default();
    let mut text = String::new();
    let mut taken = BTreeSet::new();
    for v in vectors {
        let name = identifier(&v.name, &mut taken);
        match test(v, &name).map_err(|e| Error(format!("{}: {}", v.name, e.0)))? {
            Test::Run(source) => {
                report.run += 1;
                text += &source;
            }
            Test::AsExpected => {
                report.errors += 1;
                line(
                    &mut text,
                    &format!(
                        "#[test]\nfn {name}() {{\n    // refused as expected, when this was generated\n}}\n"
                    ),
                );
            }
            Test::Fails(why) => {
                report.failing.push(v.name.clone());
                let why = format!("{}\n{}\n{}", v.name, v.items, why.join("\n"));
                line(&mut text, &format!("#[test]\nfn {name}() {{\n    panic!(\"{{}}\", {why:?});\n}}\n"));
            }
            Test::Skipped(constructs) => {
                report.skipped += 1;
                for c in constructs.into_iter().collect::<BTreeSet<_>>() {
                    *report.constructs.entry(c).or_default() += 1;
                }
            }
        }
    }
    let said = report.to_string();
    line(&mut text, &format!("/// What became of the vectors.\npub const REPORT: &str = {said:?};"));
    Ok((text, report))
}

/// What becomes of one vector.
enum Test {
    Run(String),
    AsExpected,
    Fails(Vec<String>),
    Skipped(Vec<String>),
}

fn test(v: &Vector, name: &str) -> Result<Test, Error> {
    if v.dataset.is_some() {
        return Ok(Test::Skipped(vec!["a data set".to_owned()]));
    }
    let events = Events::parse(&v.events_decl)?;
    match compile(v, &events)? {
        Verdict::NotSupported(constructs) => return Ok(Test::Skipped(constructs)),
        Verdict::Refused(all) => return Ok(Test::Fails(all)),
        Verdict::Accepted if matches!(v.expected, Expected::Error(_)) => return Ok(Test::AsExpected),
        Verdict::Accepted => {}
    }
    let (file, _) = parse(v)?;
    if file.items.iter().all(|i| matches!(i, Item::Window(_))) && !file.items.is_empty() {
        return window(v, &events, name);
    }
    if file.items.len() != 1 {
        return Ok(Test::Skipped(vec!["items that run on one another".to_owned()]));
    }
    let pattern = observed(v, &file)?;
    Ok(Test::Run(source(v, &events, pattern, name, &outputs(pattern))?))
}

fn window(v: &Vector, events: &Events, name: &str) -> Result<Test, Error> {
    let all = drive::items(&v.items)?;
    let chain = drive::chain(&all, v.observe.as_deref())?;
    let body = match &chain[chain.len() - 1].kind {
        Kind::Predicate { .. } => drive::predicate(&chain[chain.len() - 1]),
        _ => drive::agse(&chain),
    };
    let mut told = String::new();
    for (i, e) in v.entries.iter().enumerate() {
        let one = match e {
            Entry::Event { ty, attributes } => format!("Push({})", events.expression(ty, attributes)?),
            Entry::Advance(t) => format!("Advance({t})"),
            Entry::Heartbeat(t) => format!("Heartbeat({t})"),
            Entry::Finish => "Finish".to_owned(),
        };
        line(&mut told, &format!("            ({i}usize, Told::{one}),"));
    }
    let (decl, items, json) = (&v.events_decl, &v.items, format!("{:?}", v.json));
    Ok(Test::Run(format!(
        r#"#[allow(warnings, clippy::all, clippy::pedantic, reason = "generated")]
mod in_{name} {{
    use ::cep_vectors::drive::Told;

    #[derive(::cep::Event, Clone, Copy, Debug)]
    pub enum E {{ {decl} }}
    ::cep::cep! {{ {items} }}

    pub fn run() -> ::std::result::Result<(), ::std::string::String> {{
        let vector = ::cep_vectors::Vector::parse({json}).map_err(|e| e.to_string())?;
        let told: ::std::vec::Vec<(usize, Told<E>)> = ::std::vec![
{told}        ];
        let answer = {body};
        ::cep_vectors::window::compare(&vector, &answer)
    }}
}}
#[test]
fn {name}() {{
    if let Err(how) = in_{name}::run() {{
        panic!("{{}}
{{}}
{{how}}", {title:?}, {items:?});
    }}
}}

"#,
        title = v.name
    )))
}

/// What is done with the `output` of the push of an `entry`, for an `answer`: Rust text.
#[must_use]
pub fn taken(outputs: &Outputs) -> String {
    let fields = match outputs {
        Outputs::Detect => {
            return "if output {\n                    answer.detected.push(entry);\n                }"
                .to_owned();
        }
        Outputs::Summarize(names) => {
            let list: Vec<String> =
                names.iter().map(|n| format!("({n:?}, ::cep_vectors::Held::value(&output.{n}))")).collect();
            return format!("answer.record(entry, ::std::vec![{}]);", list.join(", "));
        }
        Outputs::Matches(fields) => fields,
    };
    let (mut list, mut with) = (Vec::new(), String::new());
    for Field { variable, name, one, computed } in fields {
        if let Some(attributes) = computed {
            let read = |e: &str| {
                let list: Vec<String> = attributes
                    .iter()
                    .map(|a| format!("({a:?}, ::cep_vectors::Held::value(&{e}.{a}))"))
                    .collect();
                format!("::std::vec![{}]", list.join(", "))
            };
            let events = if *one {
                format!("::std::vec![{}]", read(&format!("m.{name}")))
            } else {
                format!("m.{name}.iter().map(|e| {}).collect()", read("e"))
            };
            with += &format!(".with({variable:?}, {events})");
            continue;
        }
        let positions = if *one {
            format!("::std::vec![m.{name}.position()]")
        } else {
            format!("m.{name}.iter().map(|e| e.position()).collect()")
        };
        list.push(format!("({variable:?}, {positions})"));
    }
    format!(
        "let mut output = output;\n                while let Some(m) = output.next() {{\n                    \
         answer.matches.push(::cep_vectors::Delivered::new(entry, m.start(), m.end(), &[{}]){with});\n                }}",
        list.join(", ")
    )
}

/// The test and its module.
fn source(
    v: &Vector,
    events: &Events,
    pattern: &Pattern,
    name: &str,
    outputs: &Outputs,
) -> Result<String, Error> {
    let mut arguments = Vec::new();
    for p in &pattern.parameters {
        let Some(value) = v.params.get(&p.name.to_string()) else {
            return wrong(format!("no value for the parameter `{}`", p.name));
        };
        arguments.push(Spelled::of(&p.ty)?.expression(value)?);
    }
    let clock = match crate::fields::clock(&pattern.clauses) {
        None => events.clock(),
        Some(attribute) => {
            let all = events.declaration.types.iter().flat_map(|t| &t.attributes);
            all.into_iter().find(|a| a.name == attribute).map(|a| Spelled::of_declared(a.ty))
        }
    };
    let take = taken(outputs);
    let mut calls = String::new();
    for (i, e) in v.entries.iter().enumerate() {
        let call = match e {
            Entry::Event { ty, attributes } => {
                format!("::cep::Machine::push(&mut machine, &{})", events.expression(ty, attributes)?)
            }
            Entry::Advance(t) | Entry::Heartbeat(t) => {
                let Some(clock) = &clock else { return wrong("a time, and no clock") };
                format!("machine.advance_to({})", clock.expression(t)?)
            }
            Entry::Finish => "machine.finish()".to_owned(),
        };
        line(&mut calls, &format!("        take!({i}, {call});"));
    }
    let (decl, items, arguments) = (&v.events_decl, &v.items, arguments.join(", "));
    let (machine, trailing, json) = (&pattern.name, trailing_not(pattern), format!("{:?}", v.json));
    Ok(format!(
        r#"#[allow(warnings, clippy::all, clippy::pedantic, reason = "generated")]
mod in_{name} {{
    #[derive(::cep::Event, Debug)]
    pub enum E {{ {decl} }}
    ::cep::cep! {{ {items} }}

    pub fn run() -> ::std::result::Result<(), ::std::string::String> {{
        let vector = ::cep_vectors::Vector::parse({json}).map_err(|e| e.to_string())?;
        let mut machine = {machine}::new({arguments});
        let mut answer = ::cep_vectors::Answer::default();
        macro_rules! take {{
            ($entry:expr, $call:expr) => {{{{
                let entry: usize = $entry;
                let refused = match $call {{
                    Ok(output) => {{
                        {take}
                        None
                    }}
                    Err(e) => Some(::std::format!("{{e:?}}")),
                }};
                answer.refused.extend(refused.map(|e| (entry, e)));
            }}}};
        }}
{calls}        ::cep_vectors::compare(&vector, {trailing}, &answer)
    }}
}}
#[test]
fn {name}() {{
    if let Err(how) = in_{name}::run() {{
        panic!("{{}}\n{{}}\n{{how}}", {title:?}, {items:?});
    }}
}}

"#,
        title = v.name
    ))
}

fn line(text: &mut String, more: &str) {
    // writing to a `String` cannot fail
    let _ = writeln!(text, "{more}");
}

/// A name as a Rust function's, unlike those before.
fn identifier(name: &str, taken: &mut BTreeSet<String>) -> String {
    let mut plain = String::new();
    for c in name.chars() {
        let c = if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
        if c != '_' || !plain.ends_with('_') {
            plain.push(c);
        }
    }
    if !plain.starts_with(|c: char| c.is_ascii_alphabetic()) {
        plain.insert_str(0, "v_");
    }
    let mut found = plain.clone();
    let mut n = 2;
    while !taken.insert(found.clone()) {
        found = format!("{plain}_{n}");
        n += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vector(name: &str, pattern: &str, rest: &str) -> Vector {
        let decl = "A { v: i64 }, B { #[event(time)] t: i64 }";
        Vector::parse(&format!(
            r#"{{"name": {name:?}, "events_decl": {decl:?}, "pattern": {pattern:?}, {rest}}}"#
        ))
        .expect("a vector")
    }

    #[test]
    fn each_vector_becomes_what_the_compiler_makes_of_it() {
        let events = r#""events": [{"type": "A", "v": 1}], "expected": []"#;
        let vectors = [
            vector(
                "x/ok",
                "pattern P(n: i64) on E = A filter A.v > n;",
                &format!(r#""params": {{"n": 3}}, {events}"#),
            ),
            vector("x/ok.", "pattern P on E = A as a ; B as b within 3 events detect;", events),
            vector("refused", "pattern P on E = A filter A.w > 1;", events),
            vector("expected", "pattern P on E = A filter A.w > 1;", r#""expected": {"error": "`w`"}"#),
            vector("taken", "pattern P on E = A;", r#""expected": {"error": "`w`"}"#),
            vector("later", "pattern P on E = A ; B within 3 events timeouts;", events),
        ];
        let (text, report) = module(&vectors).expect("a module");
        let found: Vec<String> = syn::parse_file(&text)
            .expect("Rust")
            .items
            .iter()
            .filter_map(|i| if let syn::Item::Fn(f) = i { Some(f.sig.ident.to_string()) } else { None })
            .collect();
        assert_eq!(found, ["x_ok", "x_ok_", "refused", "expected", "taken"]);
        assert_eq!((report.run, report.errors, report.skipped), (2, 1, 1));
        assert_eq!(report.failing, ["refused", "taken"]);
        assert_eq!(report.constructs.into_iter().collect::<Vec<_>>(), [("`timeouts`".to_owned(), 1)]);
        assert!(text.contains("P::new(3i64)") && text.contains("m.a.position()"));
    }

    #[test]
    fn machines_that_do_not_exist_yet() {
        let v = vector(
            "n",
            "pattern P on E = A+ as a ; B ; not A within 5 ms capacity 9 events;",
            r#""events": [{"type": "A", "v": 1}, {"advance": 7}, {"finish": true}], "expected": []"#,
        );
        let events = Events::parse(&v.events_decl).expect("a declaration");
        let (file, _) = parse(&v).expect("tokens");
        let pattern = observed(&v, &file).expect("a pattern");
        let text = source(&v, &events, pattern, "n", &outputs(pattern)).expect("a test");
        syn::parse_file(&text).expect("Rust");
        for part in [
            "m.a.iter().map(|e| e.position()).collect()",
            "(\"B\", ::std::vec![m.b.position()])",
            "take!(1, machine.advance_to(7i64));",
            "take!(2, machine.finish());",
            "compare(&vector, true, &answer)",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
    }

    #[test]
    fn names_are_identifiers_and_differ() {
        let mut taken = BTreeSet::new();
        let names = ["a/b-c", "a b c", "1", "É"].map(|n| identifier(n, &mut taken));
        assert_eq!(names, ["a_b_c", "a_b_c_2", "v_1", "v__"]);
    }
}

//! Random windows as Rust: for each a function that tells it what a stream holds.
use cep_oracle::generate::Random;
use cep_vectors::drive::{agse, chain, items, predicate};
use cep_vectors::{Events, Vector, Verdict, compile};
use cep_windows::classic::kinds;
use cep_windows::generate::predicate::DECLARATION;
use cep_windows::generate::{AgseCase, PredicateCase};

/// What became of a window's text.
enum Fate {
    Accepted,
    Unsupported,
    Refused(String),
}

fn fate(declaration: &str, items: &str) -> Result<Fate, String> {
    let json = format!(
        "{{\"name\": \"generated\", \"events_decl\": {declaration:?}, \"window\": {items:?}, \"expected\": {{\"outputs\": []}}}}"
    );
    let vector = Vector::parse(&json).map_err(|e| e.to_string())?;
    let events = Events::parse(declaration).map_err(|e| e.to_string())?;
    Ok(match compile(&vector, &events).map_err(|e| e.to_string())? {
        Verdict::Accepted => Fate::Accepted,
        Verdict::NotSupported(_) => Fate::Unsupported,
        Verdict::Refused(why) => Fate::Refused(why.join("; ")),
    })
}

/// So many windows of each kind.
pub(crate) fn module(seed: u64, windows: usize) -> Result<String, String> {
    Ok(agse_windows(seed, windows)? + &predicate_windows(seed, windows)?)
}

/// Random predicate windows, and those of other kinds written as such; all on one event type.
fn predicate_windows(seed: u64, windows: usize) -> Result<String, String> {
    let mut r = Random::new(seed ^ 0x9ED1);
    let (mut calls, mut runs) = (String::new(), String::new());
    let (mut subjects, mut classic, mut refused) = (String::new(), String::new(), String::new());
    let (mut n, mut unsupported) = (0, 0);
    let mut add = |name: &str, item: &str| -> Result<(), String> {
        calls += &format!("    cep::cep! {{ {item} }}\n");
        let all = items(item).map_err(|e| e.to_string())?;
        runs += &format!(
            "    pub(crate) fn {}(steps: &[Step]) -> WindowAnswer {{\n        let told = told(steps);\n        {}\n    }}\n",
            name.to_lowercase(),
            predicate(&all[0])
        );
        Ok(())
    };
    for i in 0..2 * windows {
        if n == windows {
            break;
        }
        let own = r.bits();
        let name = format!("R{i}");
        let case = PredicateCase::new(&mut Random::new(own));
        let case = PredicateCase::of(&name, case.parameters);
        match fate(DECLARATION, &case.item)? {
            Fate::Accepted => {
                add(&name, &case.item)?;
                subjects += &format!("({own}, predicates::r{i}), ");
                n += 1;
            }
            Fate::Unsupported => unsupported += 1,
            Fate::Refused(why) => refused += &format!("r##\"{why}\n{}\"##, ", case.item),
        }
    }
    for kind in kinds() {
        let case = PredicateCase::of(kind.name, kind.parameters);
        match fate(DECLARATION, &case.item)? {
            Fate::Accepted => {
                add(kind.name, &case.item)?;
                classic += &format!("({:?}, predicates::{}), ", kind.name, kind.name.to_lowercase());
            }
            Fate::Unsupported => unsupported += 1,
            Fate::Refused(why) => refused += &format!("r##\"{why}\n{}\"##, ", case.item),
        }
    }
    Ok(format!(
        "#[allow(warnings, clippy::all, clippy::pedantic, reason = \"generated\")]\nmod predicates {{\n    use super::*;\n    \
         #[derive(cep::Event, Clone, Copy, Debug)]\n    pub(crate) enum E {{ {DECLARATION} }}\n{calls}{TOLD}{runs}}}\n\
         pub(crate) const PREDICATE_UNSUPPORTED: usize = {unsupported};\n\
         pub(crate) const PREDICATE_REFUSED: &[&str] = &[{refused}];\n\
         type OnSteps = fn(&[Step]) -> WindowAnswer;\npub(crate) const PREDICATE: &[(u64, OnSteps)] = &[{subjects}];\n\
         pub(crate) const CLASSIC: &[(&str, OnSteps)] = &[{classic}];\n"
    ))
}

/// From the models' steps.
const TOLD: &str = "    fn told(steps: &[Step]) -> Vec<(usize, Told<E>)> {
        let one = |s: &Step| match s {
            Step::Push { attributes: a, .. } => Told::Push(E::X {
                t: Held::of(&a[\"t\"]), key: Held::of(&a[\"key\"]), zone: Held::of(&a[\"zone\"]), v: Held::of(&a[\"v\"]), n: Held::of(&a[\"n\"]),
                s: Held::of(&a[\"s\"]), e: Held::of(&a[\"e\"]), c: Held::of(&a[\"c\"]), a: Held::of(&a[\"a\"]),
            }),
            Step::Beside(None) => Told::Push(E::Z),
            Step::Beside(Some(t)) => Told::Push(E::Y { v: 3, u: *t as i64 }),
            Step::Advance(t) => Told::Advance(*t as i64),
            Step::Heartbeat(t) => Told::Heartbeat(*t as i64),
            Step::Finish => Told::Finish,
        };
        steps.iter().map(one).enumerate().collect()
    }
";

/// So many AGSE windows.
fn agse_windows(seed: u64, windows: usize) -> Result<String, String> {
    let mut r = Random::new(seed ^ 0xA65E);
    let (mut out, mut subjects, mut refused) = (String::new(), String::new(), String::new());
    let (mut n, mut unsupported) = (0, 0);
    for i in 0..2 * windows {
        if n == windows {
            break;
        }
        // each from a seed of its own, so that the test can make it again
        let own = r.bits();
        let case = AgseCase::new(&mut Random::new(own));
        match fate(&case.declaration(), &case.items)? {
            Fate::Accepted => {
                out += &one(i, &case)?;
                subjects += &format!("({own}, g{i}::run), ");
                n += 1;
            }
            Fate::Unsupported => unsupported += 1,
            Fate::Refused(why) => {
                refused += &format!("r##\"{why}\n{}\n{}\"##, ", case.declaration(), case.items);
            }
        }
    }
    out += &format!(
        "pub(crate) const SEED: u64 = {seed};\npub(crate) const AGSE_UNSUPPORTED: usize = {unsupported};\n\
         pub(crate) const AGSE_REFUSED: &[&str] = &[{refused}];\n\
         type OnRows = fn(&[Vec<Value>]) -> WindowAnswer;\npub(crate) const AGSE: &[(u64, OnRows)] = &[{subjects}];\n"
    );
    Ok(out)
}

fn one(i: usize, case: &AgseCase) -> Result<String, String> {
    let all = items(&case.items).map_err(|e| e.to_string())?;
    let chain = chain(&all, None).map_err(|e| e.to_string())?;
    let (mut fields, mut at) = (String::new(), 0);
    for (name, f) in &case.fields {
        let one = |at: usize| format!("Held::of(&row[{at}])");
        let value = if f.elements == 1 {
            one(at)
        } else {
            format!("[{}]", (at..at + f.elements).map(one).collect::<Vec<_>>().join(", "))
        };
        at += f.elements;
        fields += &format!("{name}: {value}, ");
    }
    Ok(format!(
        "#[allow(warnings, clippy::all, clippy::pedantic, reason = \"generated\")]\nmod g{i} {{\n    use super::*;\n    \
         #[derive(cep::Event, Clone, Copy, Debug)]\n    pub(crate) enum E {{ {} }}\n    cep::cep! {{ {} }}\n    \
         pub(crate) fn run(rows: &[Vec<Value>]) -> WindowAnswer {{\n        \
         let told = rows.iter().enumerate().map(|(i, row)| (i, Told::Push(E::R {{ {fields} }})));\n        {}\n    }}\n}}\n",
        case.declaration(),
        case.items,
        agse(&chain),
    ))
}

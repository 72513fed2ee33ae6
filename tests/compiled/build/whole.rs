//! Patterns of the whole language as Rust: for each machine its driver, as text, because matches with bags borrow it.
use crate::source::{argument, arms};
use cep_compiler::Compiled;
use cep_compiler::hir::{Field, Output, Shape};
use cep_compiler::plan::{Kernel, Structure};
use cep_oracle::Oracle;
use cep_oracle::generate::{Case, Config, Generator};
use cep_properties::{compile, definition, parse};
use std::collections::BTreeSet;

/// Refusals that the language has; the second is of what an inner `select` drops.
const DOCUMENTED: [&str; 2] = ["a condition on a part that may be absent", "needs an iteration that binds"];

/// What the generator makes for machines.
fn config() -> Config {
    Config { full: true, ..Config::whole() }
}

/// So many patterns, each in one or two machines; a refused one is left out, and its number said.
pub(crate) fn module(seed: u64, patterns: usize) -> Result<String, String> {
    let mut generator = Generator::new(seed, config());
    let (mut out, mut subjects, mut refused) = (String::new(), String::new(), 0);
    let mut n = 0;
    for i in 0.. {
        if n == patterns {
            break;
        }
        let case = generator.case();
        let pattern = parse(&case.item)?;
        let compiled = match compile(&pattern, &case.declaration) {
            Ok(c) => c,
            Err(e) if DOCUMENTED.iter().any(|d| e.contains(d)) => {
                refused += 1;
                continue;
            }
            Err(e) => return Err(format!("refused: {e}\n{}\n{}", definition(&case.declaration), case.item)),
        };
        if Oracle::new(&case.declaration, &pattern, &case.values()).is_err() {
            refused += 1;
            continue;
        }
        out += &one(i, &case, &compiled)?;
        subjects += &format!("({i}, w{i}::subjects), ");
        n += 1;
    }
    out += &format!(
        "pub(crate) const REFUSED: usize = {refused};\npub(crate) const SUBJECTS: [(usize, fn() -> Vec<Subject>); {patterns}] = [{subjects}];\npub(crate) const SEED: u64 = {seed};\n"
    );
    Ok(out)
}

/// The kernel, and what the positions hold.
fn kernel(compiled: &Compiled) -> String {
    let mut out = format!("{:?}", compiled.plan.kernel);
    for name in structures(compiled) {
        out += &format!(" {name}");
    }
    if compiled.plan.kernel != Kernel::Latest {
        out += &format!(" {:?}", compiled.plan.storage);
    }
    out
}

/// The structures of runs, each once.
fn structures(compiled: &Compiled) -> BTreeSet<&'static str> {
    let holds = compiled.plan.runs.holds.iter();
    holds
        .filter_map(|h| match h.structure {
            Structure::Nothing | Structure::Latest { .. } => None,
            Structure::Single => Some("Single"),
            Structure::Direct(_) => Some("Direct"),
            Structure::Keyed => Some("Keyed"),
            Structure::Pareto { .. } => Some("Pareto"),
        })
        .collect()
}

/// Patterns of `detect` whose machines need no search, so many of each kind; of all runs move together in some.
pub(crate) fn determinised(seed: u64) -> Result<String, String> {
    let config = Config { compare: true, ..config() };
    let mut generator = Generator::new(seed, config);
    let mut wanted: Vec<(&str, usize)> =
        vec![("Single", 6), ("Direct", 8), ("Keyed", 14), ("Pareto", 12), ("Partitioned", 10), ("moves", 5)];
    let (mut out, mut subjects, mut n) = (String::new(), String::new(), 0);
    for i in 0..200_000 {
        if wanted.iter().all(|w| w.1 == 0) {
            break;
        }
        let case = generator.case();
        let pattern = parse(&case.item)?;
        let Ok(compiled) = compile(&pattern, &case.declaration) else { continue };
        let plan = &compiled.plan;
        let mut has = structures(&compiled);
        if plan.kernel == Kernel::Partitioned {
            has.insert("Partitioned");
        }
        if !plan.runs.moves(&plan.positions).is_empty() {
            has.insert("moves");
        }
        if !wanted.iter().any(|w| w.1 > 0 && has.contains(w.0))
            || Oracle::new(&case.declaration, &pattern, &case.values()).is_err()
        {
            continue;
        }
        for w in &mut wanted {
            w.1 = w.1.saturating_sub(usize::from(has.contains(w.0)));
        }
        out += &one(i, &case, &compiled)?;
        subjects += &format!("({i}, w{i}::subjects), ");
        n += 1;
    }
    out += &format!(
        "pub(crate) const WANTED: &[(&str, usize)] = &{wanted:?};\npub(crate) const SUBJECTS: [(usize, fn() -> Vec<Subject>); {n}] = [{subjects}];\n"
    );
    Ok(out)
}

fn one(i: usize, case: &Case, compiled: &Compiled) -> Result<String, String> {
    let mut variants = vec![("P", case.item.clone())];
    if case.shape.output == "detect" && compiled.plan.kernel != Kernel::Ring && compiled.plan.keyed.is_none()
    {
        let item = case.item.replacen("pattern P", "pattern PRing", 1);
        let bounded = format!("#[cep(kernel = ring)] {item}");
        variants.push(("PRing", bounded));
        if i.is_multiple_of(3) && compiled.plan.kernel != Kernel::Latest {
            let item = case.item.replacen("pattern P", "pattern PBoxed", 1);
            variants.push(("PBoxed", item.replacen(" detect;", " storage boxed detect;", 1)));
        }
    }
    let (mut items, mut drivers, mut subjects) = (String::new(), String::new(), String::new());
    for (name, item) in variants {
        let compiled = parse(&item).and_then(|p| compile(&p, &case.declaration))?;
        items += &format!("    {item}\n");
        drivers += &driver(name, case, &compiled);
        let list: Vec<String> =
            compiled.pattern.parameters.iter().map(|p| argument(case, &p.name.to_string())).collect();
        let clock = compiled.pattern.clock.as_ref().map(|c| {
            let a = &compiled.pattern.schema.types[0].attributes[c.attributes[0].0];
            a.name.to_string()
        });
        let kernel = format!(
            "{}{}{}",
            kernel(&compiled),
            if compiled.plan.lanes.is_some() || compiled.plan.keyed.is_some() { " per key" } else { "" },
            if compiled.plan.ambiguous { ", canonical runs" } else { "" }
        );
        subjects += &format!(
            "            Subject {{ item: r##\"{item}\"##, kernel: {kernel:?}, clock: {clock:?}, make: || Box::new(D{name}({name}::new({}))) }},\n",
            list.join(", ")
        );
    }
    Ok(format!(
        "#[allow(dead_code, unused_mut, unused_variables, clippy::all, clippy::pedantic, reason = \"generated\")]\nmod w{i} {{\n    use super::*;\n    \
         #[derive(cep::Event, Clone, Debug)]\n    pub(crate) {}\n    cep::cep! {{\n{items}    }}\n{drivers}    \
         fn event(e: &Event) -> S {{\n        match e.ty {{\n{}            _ => unreachable!(\"a declared type\"),\n        }}\n    }}\n    \
         pub(crate) fn subjects() -> Vec<Subject> {{\n        vec![\n{subjects}        ]\n    }}\n}}\n",
        definition(&case.declaration),
        arms(case),
    ))
}

/// The expression that reads a field of match `m`: its events.
fn read(f: &Field, compiled: &Compiled) -> String {
    let pattern = &compiled.pattern;
    let types: BTreeSet<usize> = f.atoms.iter().map(|a| pattern.atoms[a.0].ty.0).collect();
    let mut values = String::new();
    if let Some(t) = types.first()
        && (types.len() == 1 || f.attributes.is_some())
    {
        for a in &pattern.schema.types[*t].attributes {
            let shown = f.attributes.as_ref().map_or(a.kept, |list| list.contains(&a.name));
            if shown {
                values += &format!("({:?}, e.{}.value()), ", a.name.to_string(), a.name);
            }
        }
    }
    let name = &f.name;
    match f.shape {
        Shape::One => format!("{{ let e = &m.{name}; vec![(e.position(), vec![{values}])] }}"),
        Shape::Optional => format!("m.{name}.iter().map(|e| (e.position(), vec![{values}])).collect()"),
        Shape::Bag => format!(
            "bag(m.{name}.len(), m.{name}.is_empty(), m.{name}.first().map(|e| e.position()), m.{name}.last().map(|e| e.position()), m.{name}.iter().map(|e| (e.position(), vec![{values}])).collect())"
        ),
    }
}

fn driver(name: &str, case: &Case, compiled: &Compiled) -> String {
    let pattern = &compiled.pattern;
    let detect = matches!(pattern.output, Output::Detect);
    let fields = match &pattern.output {
        Output::Select(fields) => &fields[..],
        _ => &[],
    };
    let vars: Vec<String> = fields
        .iter()
        .map(|f| format!("({:?}, {})", pattern.variables[f.variable.0].name.to_string(), read(f, compiled)))
        .collect();
    let shown = format!("Match {{ start: m.start(), end: m.end(), vars: vec![{}] }}", vars.join(", "));
    let push = if detect {
        "Ok(any) => Ok(Gave::Any(any)),".to_owned()
    } else {
        format!(
            "Ok(mut out) => {{
                    if ask == Ask::Count {{ return Ok(Gave::Count(out.count())); }}
                    let mut found: Vec<Match> = Vec::new();
                    let most = match ask {{ Ask::Machine => 0, Ask::Both(n) => n, _ => usize::MAX }};
                    while found.len() < most {{ let Some(m) = out.next() else {{ break }}; found.push({shown}); }}
                    drop(out);
                    while let Some(m) = self.0.next_match() {{ found.push({shown}); }}
                    Ok(Gave::Matches(found))
                }}"
        )
    };
    let nothing = if detect { "out" } else { "out.next().is_some()" };
    let (advance, exact) = match &pattern.clock {
        None => ("let _ = time; false".to_owned(), "None".to_owned()),
        Some(_) => (
            format!("let mut out = self.0.advance_to(Held::of(time)); {nothing}"),
            if compiled.plan.exact_from {
                "self.0.exact_from().map(|t| t.value())".to_owned()
            } else {
                "None".to_owned()
            },
        ),
    };
    let latest = if detect { "self.0.latest_start()" } else { "None" };
    let _ = case;
    format!(
        "    struct D{name}({name});
    impl Whole for D{name} {{
        fn push(&mut self, event: &Event, ask: Ask) -> Result<Gave, &'static str> {{
            let event = self::event(event);
            if ask == Ask::Detect {{ return cep::Machine::detect(&mut self.0, &event).map(Gave::Any).map_err(|e| e.text()); }}
            match cep::Machine::push(&mut self.0, &event) {{
                {push}
                Err(e) => Err(e.text()),
            }}
        }}
        fn advance_to(&mut self, time: &Value) -> bool {{ {advance} }}
        fn finish(&mut self) -> bool {{ let mut out = self.0.finish(); {nothing} }}
        fn exact_from(&self) -> Option<Value> {{ {exact} }}
        fn latest_start(&self) -> Option<u64> {{ {latest} }}
        fn position(&self) -> u64 {{ self.0.position() }}
        fn stats(&self) -> cep::Stats {{ self.0.stats() }}
        fn reset(&mut self) {{ self.0.reset(); }}
        fn duplicate(&self) -> Box<dyn Whole> {{ Box::new(D{name}(self.0.clone())) }}
    }}
"
    )
}

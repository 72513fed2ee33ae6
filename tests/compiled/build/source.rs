//! One generated case as Rust: a module with the event type, the `cep!` call and a function that gives its drivers.
use cep_compiler::ast::Storage;
use cep_compiler::hir::Output;
use cep_oracle::generate::Case;
use cep_oracle::{Ty, Value};
use cep_properties::{compile, definition, parse};

/// The module `p<i>`.
pub(crate) fn module(i: usize, case: &Case) -> Result<String, String> {
    let mut items = String::new();
    let mut variants = String::new();
    for (name, item) in variants_of(i, case) {
        let refused = |e: String| format!("refused: {e}\n{}\n{item}", definition(&case.declaration));
        let compiled = parse(&item).and_then(|p| compile(&p, &case.declaration)).map_err(refused)?;
        items += &format!("    {item}\n");
        let plan = &compiled.plan;
        let arguments: Vec<String> =
            compiled.pattern.parameters.iter().map(|p| argument(case, &p.name.to_string())).collect();
        let arguments = arguments.join(", ");
        let borrowed = plan.storage == Storage::Borrowed;
        let make = if borrowed {
            let rest = if arguments.is_empty() { String::new() } else { format!(", {arguments}") };
            format!("{name}::over(Box::leak(Box::new({name}Rings::new())){rest})")
        } else {
            format!("{name}::new({arguments})")
        };
        let clone = if borrowed { "None" } else { "Some(Clone::clone)" };
        let kernel = format!(
            "{:?} {:?}{}",
            plan.kernel,
            plan.storage,
            if plan.ambiguous { ", canonical runs" } else { "" }
        );
        let driver = match &compiled.pattern.output {
            Output::Detect => format!("Detecting::driver({make}, event, {clone}, {name}::latest_start)"),
            Output::Summarize(_) => return Err("no driver for `summarize`".into()),
            Output::SelectNone => format!(
                "Selecting::driver({make}, event, {clone}, |m: &{name}Match| Found::new(m.start(), m.end(), vec![]))"
            ),
            Output::Select(fields) => {
                let all = fields.iter().map(|f| {
                    let event = compiled.pattern.event_type(f.atoms[0]);
                    let shown = event.attributes.iter().enumerate().filter(|(_, a)| match &f.attributes {
                        Some(list) => list.contains(&a.name),
                        None => a.kept,
                    });
                    let values: String = shown
                        .map(|(_, a)| {
                            format!("({:?}, m.{}.{}.value()), ", a.name.to_string(), f.name, a.name)
                        })
                        .collect();
                    let variable = compiled.pattern.variables[f.variable.0].name.to_string();
                    format!("({variable:?}, m.{}.position(), vec![{values}]), ", f.name)
                });
                let all: String = all.collect();
                format!(
                    "Selecting::driver({make}, event, {clone}, |m: &{name}Match| Found::new(m.start(), m.end(), vec![{all}]))"
                )
            }
        };
        variants += &format!(
            "            Variant {{ name: {name:?}, item: r##\"{item}\"##, kernel: {kernel:?}, make: || {driver} }},\n"
        );
    }
    Ok(format!(
        "#[allow(dead_code, reason = \"what a pattern does not read\")]\nmod p{i} {{\n    use super::*;\n    \
         #[derive(cep::Event, Clone, Debug)]\n    pub(crate) {}\n    cep::cep! {{\n{items}    }}\n    \
         fn event(e: &Event) -> S {{\n        match e.ty {{\n{}            _ => unreachable!(\"a declared type\"),\n        }}\n    }}\n    \
         pub(crate) fn subject() -> Subject {{\n        Subject {{ variants: vec![\n{variants}        ] }}\n    }}\n}}\n",
        definition(&case.declaration),
        arms(case),
    ))
}

/// The item as generated, with the universal kernel where that makes a difference, and now and then with another storage.
fn variants_of(i: usize, case: &Case) -> Vec<(&'static str, String)> {
    let mut out = vec![("P", case.item.clone())];
    if case.shape.output == "detect" {
        out.push((
            "PRing",
            format!("#[cep(kernel = ring)] {}", case.item.replacen("pattern P", "pattern PRing", 1)),
        ));
    }
    if i.is_multiple_of(5) {
        let (name, storage) =
            if i.is_multiple_of(2) { ("PBoxed", "boxed") } else { ("PBorrowed", "borrowed") };
        let item = case.item.replacen("pattern P", &format!("pattern {name}"), 1);
        let item = item.replacen(" events", &format!(" events storage {storage}"), 1);
        let ring = if case.shape.output == "detect" { "#[cep(kernel = ring)] " } else { "" };
        out.push((name, format!("{ring}{item}")));
    }
    out
}

pub(crate) fn argument(case: &Case, name: &str) -> String {
    match &case.parameters[name] {
        (ty, Value::Int(i)) => format!("{i}{}", ty.name()),
        (_, Value::Float(f)) => format!("{f:?}"),
        (_, Value::Bool(b)) => b.to_string(),
        (_, Value::Char(c)) => format!("{c:?}"),
        (Ty::Str, Value::Str(s)) => format!("{s:?}"),
        (_, v) => unreachable!("no parameter is {v:?}"),
    }
}

/// From the oracle's events to the enum.
pub(crate) fn arms(case: &Case) -> String {
    let arm = |(i, t): (usize, &cep_oracle::TypeDecl)| {
        let fields =
            t.attributes.iter().enumerate().map(|(n, a)| format!("{}: Held::of(&e.values[{n}]), ", a.name));
        let fields: String = fields.collect();
        let body = if fields.is_empty() { String::new() } else { format!(" {{ {fields}}}") };
        format!("            {i} => S::{}{body},\n", t.name)
    };
    case.declaration.types.iter().enumerate().map(arm).collect()
}

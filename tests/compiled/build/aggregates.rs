//! Patterns with aggregates as Rust: for each a function that runs its machine over a stream.
use crate::source::arms;
use cep_oracle::Oracle;
use cep_oracle::generate::{Case, Config, Generator};
use cep_properties::{compile, definition, parse};
use cep_vectors::fields::outputs;
use cep_vectors::generate::taken;

/// What stands for the choice about overflow in generated items.
const MARK: &str = "/*o*/";

/// So many patterns that compile, out of at most four times as many. The others are told with what the compiler says.
pub(crate) fn module(seed: u64, patterns: usize) -> Result<String, String> {
    let mut generator = Generator::new(seed, Config::aggregates());
    let (mut out, mut subjects, mut refused) = (String::new(), String::new(), String::new());
    let (mut n, mut unsupported) = (0, 0);
    for i in 0..4 * patterns {
        if n == patterns {
            break;
        }
        let case = generator.case();
        // only a sum that may overflow takes a choice
        let plain = case.item.replace(MARK, "");
        let (item, verdict) = match accepted(&plain, &case) {
            Err(e) if case.item.contains(MARK) && e.contains("verflow") => {
                let chosen = case.item.replace(MARK, "saturating");
                let verdict = accepted(&chosen, &case);
                (chosen, verdict)
            }
            verdict => (plain, verdict),
        };
        match verdict {
            Ok(()) => {
                out += &one(i, &item, &case)?;
                subjects += &format!("({i}, r##\"{item}\"##, a{i}::run), ");
                n += 1;
            }
            Err(e) if e.contains("NotSupported") => unsupported += 1,
            Err(e) => refused += &format!("({i}, r##\"{e}\"##), "),
        }
    }
    out += &format!(
        "pub(crate) const SEED: u64 = {seed};\npub(crate) const UNSUPPORTED: usize = {unsupported};\n\
         pub(crate) const REFUSED: &[(usize, &str)] = &[{refused}];\n\
         type OnEvents = fn(&[Event]) -> Answer;\npub(crate) const SUBJECTS: &[(usize, &str, OnEvents)] = &[{subjects}];\n"
    );
    Ok(out)
}

fn accepted(item: &str, case: &Case) -> Result<(), String> {
    let pattern = parse(item)?;
    compile(&pattern, &case.declaration)?;
    Oracle::new(&case.declaration, &pattern, &case.values()).map(drop).map_err(|e| format!("the oracle: {e}"))
}

fn one(i: usize, item: &str, case: &Case) -> Result<String, String> {
    let pattern = parse(item)?;
    Ok(format!(
        "#[allow(warnings, clippy::all, clippy::pedantic, reason = \"generated\")]\nmod a{i} {{\n    use super::*;\n    \
         #[derive(cep::Event, Clone, Debug)]\n    pub(crate) {}\n    cep::cep! {{ {item} }}\n    \
         fn event(e: &Event) -> S {{\n        match e.ty {{\n{}            _ => unreachable!(\"a declared type\"),\n        }}\n    }}\n    \
         pub(crate) fn run(stream: &[Event]) -> Answer {{\n        let mut machine = P::new();\n        \
         let mut answer = Answer::default();\n        for (entry, e) in stream.iter().enumerate() {{\n            \
         match ::cep::Machine::push(&mut machine, &event(e)) {{\n                Ok(output) => {{ {} }}\n                \
         Err(e) => answer.refused.push((entry, format!(\"{{e:?}}\"))),\n            }}\n        }}\n        answer\n    }}\n}}\n",
        definition(&case.declaration),
        arms(case),
        taken(&outputs(&pattern)),
    ))
}

//! The simulated automaton gives what the definitions say, on random patterns and streams.
use cep_compiler::automaton::Fault;
use cep_compiler::plan::Kernel;
use cep_oracle::generate::{Case, Config, Generator, Histogram};
use cep_oracle::{Error, Event, Oracle};
use cep_properties::{Results, compile, define, parse, report, scale, schemas, seed, shrink, simulate};
use quote::quote;
use std::collections::BTreeMap;

/// Refusals that the generator provokes on purpose. So far it has none.
const EXPECTED: [&str; 0] = [];

/// Pairs of a run at scale 1.
const PAIRS: usize = 20_000;

#[derive(Debug, PartialEq)]
enum Outcome {
    Results(Results),
    Panic,
}

fn defined(oracle: &Oracle, stream: &[Event]) -> Outcome {
    match define(oracle, stream) {
        Ok(r) => Outcome::Results(r),
        Err(Error::Panic(_)) => Outcome::Panic,
        Err(e) => panic!("the oracle: {e}"),
    }
}

fn simulated(compiled: &cep_compiler::Compiled, case: &Case, stream: &[Event]) -> Outcome {
    match simulate(compiled, &case.values(), stream) {
        Ok(r) => Outcome::Results(r),
        Err(Fault::Panic(_)) => Outcome::Panic,
        Err(Fault::Unknown(what)) => panic!("the interpreter does not know {what}\n{}", case.item),
    }
}

#[test]
fn the_automaton_gives_what_the_definitions_say() {
    let seed = seed();
    println!("CEP_SEED={seed}");
    let config = Config::core();
    let streams = config.streams;
    let mut generator = Generator::new(seed, config);
    let mut histogram = Histogram::default();
    let mut kernels: BTreeMap<String, usize> = BTreeMap::new();
    let mut refused: BTreeMap<String, usize> = BTreeMap::new();
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for n in 0..(PAIRS * scale()).div_ceil(streams) {
        let case = generator.case();
        let compiled = parse(&case.item).and_then(|p| Ok((compile(&p, &case.declaration)?, p)));
        let (compiled, pattern) = match compiled {
            Ok(both) => both,
            Err(e) if EXPECTED.iter().any(|x| e.contains(x)) => {
                *refused.entry(e).or_default() += 1;
                continue;
            }
            Err(e) => panic!("CEP_SEED={seed}: refused: {e}\n{}", report(&case, &[])),
        };
        let oracle = Oracle::new(&case.declaration, &pattern, &case.values());
        let oracle = oracle.unwrap_or_else(|e| panic!("CEP_SEED={seed}: {e}\n{}", report(&case, &[])));
        histogram.pattern(&case.shape);
        *kernels.entry(format!("{:?}", compiled.plan.kernel)).or_default() += 1;
        if compiled.plan.ambiguous {
            *kernels.entry("Ring, canonical runs".into()).or_default() +=
                usize::from(compiled.plan.kernel == Kernel::Ring);
        }
        for a in case.declaration.types.iter().flat_map(|t| &t.attributes) {
            *kinds.entry(if a.nullable { "Option" } else { a.ty.name() }).or_default() += 1;
        }
        if n % 20 == 0 {
            emitted_alike(&case);
        }
        for stream in &case.streams {
            let (want, got) = (defined(&oracle, stream), simulated(&compiled, &case, stream));
            if want != got {
                let small = shrink(stream, &|s| defined(&oracle, s) != simulated(&compiled, &case, s));
                let (want, got) = (defined(&oracle, &small), simulated(&compiled, &case, &small));
                panic!(
                    "CEP_SEED={seed}: pattern {n}\n{}\ndefinition: {want:#?}\nautomaton: {got:#?}",
                    report(&case, &small)
                );
            }
            if let Outcome::Results(r) = want {
                histogram.pair(r.iter().map(std::collections::BTreeSet::len).sum());
            }
        }
    }
    println!("{histogram}kernels {kernels:?}\nattributes {kinds:?}\nrefused {refused:?}");
    let (one, five) = histogram.shares();
    assert!(one >= 60, "only {one}% of the pairs match");
    assert!(five >= 20, "only {five}% of the pairs have five matches");
    let text = histogram.to_string();
    for (heading, values) in [
        ("atoms", &["1", "2", "3", "4", "5"][..]),
        ("constructs", &[";", "as", "filter", "||", "NULL", "parameter", "costly"]),
        ("nesting", &["0", "1", "2", "3"]),
        ("output", &["default", "select", "none", "detect"]),
        ("variables dropped by select", &["none", "some"]),
        ("variables of a conjunct", &["1", "2", "3"]),
    ] {
        let group: Vec<&str> =
            text.lines().skip_while(|l| *l != heading).skip(1).take_while(|l| l.starts_with("  ")).collect();
        for v in values {
            assert!(
                group.iter().any(|l| l.split_whitespace().next() == Some(*v)),
                "no `{v}` under `{heading}`"
            );
        }
    }
    for k in ["Latest", "Ring", "Ring, canonical runs"] {
        assert!(kernels.get(k).is_some_and(|n| *n > 0), "no kernel {k}");
    }
    for k in ["i32", "i64", "u8", "f64", "bool", "char", "&'static str", "String", "Option"] {
        assert!(kinds.contains_key(k), "no attribute {k}");
    }
    for e in EXPECTED {
        assert!(refused.keys().any(|r| r.contains(e)), "never refused: {e}");
    }
}

/// Emission accepts the pattern too, and says the same twice.
fn emitted_alike(case: &Case) {
    let emit = || {
        let tokens = case.item.parse().unwrap_or_else(|e| panic!("{e}\n{}", case.item));
        let out = cep_compiler::compile(&quote!(::cep), &schemas(&case.declaration), tokens);
        assert!(out.diagnostics.is_empty(), "{}\n{:?}", case.item, out.diagnostics.list());
        drop(out.diagnostics.into_tokens());
        out.tokens.to_string()
    };
    let first = emit();
    assert!(syn::parse_str::<syn::File>(&first).is_ok(), "no Rust: {}\n{first}", case.item);
    assert_eq!(first, emit(), "{}", case.item);
}

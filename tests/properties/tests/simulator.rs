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

/// Refusals that are part of the language: what the machine would have to keep without a bound, and what is told apart by no event.
const DOCUMENTED: [&str; 3] = [
    "a condition on a part that may be absent",
    // `prev` of what an inner `select` drops: the iteration does not bind it
    "needs an iteration that binds",
    // engine.md 4.3
    "candidates, and 1048576 are the most",
];

/// So many failures are collected; the shortest comes first.
const MOST: usize = 12;

/// Pairs of a run at scale 1.
const PAIRS: usize = 20_000;

#[derive(Debug, PartialEq)]
enum Outcome {
    Results(Results),
    Panic,
    /// The oracle does not say.
    Unknown(String),
}

fn defined(oracle: &Oracle, stream: &[Event]) -> Outcome {
    match define(oracle, stream) {
        Ok(r) => Outcome::Results(r),
        Err(Error::Panic(_)) => Outcome::Panic,
        Err(e) => Outcome::Unknown(e.to_string()),
    }
}

fn simulated(compiled: &cep_compiler::Compiled, case: &Case, stream: &[Event]) -> Outcome {
    match simulate(compiled, &case.values(), stream) {
        Ok(r) => Outcome::Results(r),
        Err(Fault::Panic(_)) => Outcome::Panic,
        Err(Fault::Unknown(what)) => panic!("the interpreter does not know {what}\n{}", case.item),
    }
}

/// The patterns that were compared, and what there was among them.
#[derive(Default)]
struct Run {
    histogram: Histogram,
    kernels: BTreeMap<String, usize>,
    refused: BTreeMap<String, usize>,
    kinds: BTreeMap<&'static str, usize>,
}

/// The simulator keeps every run: where many ways lead from one event to the next, streams are shorter.
fn longest(compiled: &cep_compiler::Compiled) -> usize {
    let positions = &compiled.plan.positions;
    let alike =
        |p: &cep_compiler::plan::Position, ty| p.edges.iter().filter(|e| positions[e.to].ty == ty).count();
    let ways =
        positions.iter().flat_map(|p| positions.iter().map(move |q| alike(p, q.ty))).max().unwrap_or(0);
    (1..64).take_while(|n| ways.saturating_add(1).saturating_pow(*n) <= 300_000).count()
}

/// Compares on so many pairs. `expected`: parts of the refusals that may occur.
fn compare(config: Config, pairs: usize, expected: &[&str]) -> Run {
    let seed = seed();
    println!("CEP_SEED={seed}");
    let streams = config.streams;
    let mut generator = Generator::new(seed, config);
    let Run { mut histogram, mut kernels, mut refused, mut kinds } = Run::default();
    let mut failures: Vec<String> = Vec::new();
    for n in 0..pairs.div_ceil(streams) {
        if failures.len() >= MOST {
            break;
        }
        let case = generator.case();
        let compiled = parse(&case.item).and_then(|p| Ok((compile(&p, &case.declaration)?, p)));
        let (compiled, pattern) = match compiled {
            Ok(both) => both,
            Err(e) if expected.iter().any(|x| e.contains(x)) => {
                let part = expected.iter().find(|x| e.contains(**x));
                *refused.entry(part.map_or_else(String::new, ToString::to_string)).or_default() += 1;
                continue;
            }
            Err(e) => {
                failures.push(format!("pattern {n} refused: {e}\n{}", report(&case, &[])));
                continue;
            }
        };
        let oracle = Oracle::new(&case.declaration, &pattern, &case.values());
        let oracle = match oracle {
            Ok(o) => o,
            Err(Error::Unsupported(what)) if !expected.is_empty() => {
                *refused.entry(format!("the oracle: {what}")).or_default() += 1;
                continue;
            }
            Err(e) => panic!("CEP_SEED={seed}: {e}\n{}", report(&case, &[])),
        };
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
        let longest = longest(&compiled);
        for stream in &case.streams {
            let stream = &stream[..stream.len().min(longest)];
            let (want, got) = (defined(&oracle, stream), simulated(&compiled, &case, stream));
            if let Outcome::Unknown(what) = &want {
                failures.push(format!("pattern {n}: {what}\n{}", report(&case, &[])));
                break;
            }
            if want != got {
                let small = shrink(stream, &|s| defined(&oracle, s) != simulated(&compiled, &case, s));
                let (want, got) = (defined(&oracle, &small), simulated(&compiled, &case, &small));
                failures.push(format!(
                    "pattern {n}\n{}\ndefinition: {want:?}\nautomaton: {got:?}",
                    report(&case, &small)
                ));
                break;
            }
            if let Outcome::Results(r) = want {
                histogram.pair(r.iter().map(std::collections::BTreeSet::len).sum());
            }
        }
    }
    println!("{histogram}kernels {kernels:?}\nattributes {kinds:?}\nrefused {refused:?}");
    failures.sort_by_key(String::len);
    assert!(failures.is_empty(), "CEP_SEED={seed}: {} failures\n{}", failures.len(), failures.join("\n\n"));
    Run { histogram, kernels, refused, kinds }
}

/// What the simulator knows of the whole language: it ignores partitions, consumption and limits.
#[test]
fn the_automaton_of_the_whole_language_gives_what_the_definitions_say() {
    let config = Config { clauses: false, ..Config::whole() };
    let run = compare(config, PAIRS / 5 * scale(), &DOCUMENTED);
    let (one, five) = run.histogram.shares();
    assert!(one >= 40 && five >= 10, "{one}% of the pairs match, {five}% have five matches");
    assert!(run.histogram.combining() >= 30, "{}% combine three constructs", run.histogram.combining());
    let refused: usize = run.refused.values().sum();
    assert!(refused * 10 <= PAIRS / 10 * scale(), "{refused} were refused");
}

#[test]
fn the_automaton_gives_what_the_definitions_say() {
    let Run { histogram, kernels, refused, kinds } = compare(Config::core(), PAIRS * scale(), &EXPECTED);
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

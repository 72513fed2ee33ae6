//! Machines with aggregates give what the definitions say: values, identity, NULL, summaries.
use cep_compiled::Held;
use cep_oracle::generate::{Case, Config, Generator, Histogram, Random};
use cep_oracle::{Event, Oracle};
use cep_properties::{parse, report, scale, shrink};
use cep_vectors::fields::{Outputs, outputs};
use cep_vectors::{Answer, agree, same};
use std::collections::BTreeMap;

include!(concat!(env!("OUT_DIR"), "/aggregates.rs"));

/// Streams per pattern.
const STREAMS: usize = 100;

/// Refusals that the language has.
const DOCUMENTED: [&str; 1] = ["the oracle: the oracle does not support"];

/// The cases of the build script, by their number.
fn cases() -> BTreeMap<usize, Case> {
    let mut generator = Generator::new(SEED, Config::aggregates());
    let last = SUBJECTS.iter().map(|s| s.0 + 1).max().unwrap_or(0);
    (0..last).map(|i| (i, generator.case())).collect()
}

struct Check<'a> {
    case: &'a Case,
    oracle: Oracle,
    outputs: Outputs,
    spans: bool,
    run: fn(&[Event]) -> Answer,
}

impl Check<'_> {
    fn on(&self, stream: &[Event]) -> Result<usize, String> {
        let deliveries = self.oracle.matches(stream).map_err(|e| e.to_string())?;
        let mut want = agree::answer(&self.outputs, &deliveries);
        if self.spans {
            want.matches.dedup_by_key(|d| (d.entry, d.start, d.end));
        }
        same(&want, &(self.run)(stream))?;
        Ok(deliveries.iter().map(|d| d.results.len()).sum())
    }
}

#[test]
fn aggregates_are_what_the_definitions_say() {
    println!(
        "CEP_SEED={SEED}: {} patterns, {UNSUPPORTED} not supported yet, {} refused",
        SUBJECTS.len(),
        REFUSED.len()
    );
    let mut r = Random::new(SEED);
    let mut histogram = Histogram::default();
    let mut failures = Vec::new();
    let (mut nested, mut filtered, mut null, mut pairs) = (0, 0, 0, 0);
    let cases = cases();
    for (i, item, run) in SUBJECTS {
        let case = &cases[i];
        let pattern = parse(item).unwrap_or_else(|e| panic!("{e}"));
        let oracle =
            Oracle::new(&case.declaration, &pattern, &case.values()).unwrap_or_else(|e| panic!("{e}"));
        let check =
            Check { case, oracle, outputs: outputs(&pattern), spans: case.shape.output == "none", run: *run };
        histogram.pattern(&case.shape);
        let has = |c: &str| usize::from(case.shape.constructs.contains(&c));
        nested += has("nested agg");
        filtered += has("aggregate filter");
        null += has("null aggregate");
        for _ in 0..STREAMS * scale() {
            let stream = check.case.stream(&mut r, 8);
            pairs += 1;
            match check.on(&stream) {
                Ok(n) => histogram.pair(n),
                Err(_) => {
                    let small = shrink(&stream, &|s| check.on(s).is_err());
                    let why = check.on(&small).err().unwrap_or_default();
                    failures.push(format!("pattern {i} as {item}: {why}\n{}", report(case, &small)));
                    break;
                }
            }
        }
    }
    println!(
        "{histogram}nested {nested}, filtered {filtered}, null {null}, of {} patterns; {pairs} pairs",
        SUBJECTS.len()
    );
    let unknown: Vec<&str> =
        REFUSED.iter().map(|r| r.1).filter(|r| !DOCUMENTED.iter().any(|d| r.contains(d))).collect();
    assert!(unknown.is_empty(), "refused: {}", unknown.join("\n"));
    assert!(failures.is_empty(), "CEP_SEED={SEED}: {} fail\n{}", failures.len(), failures.join("\n\n"));
    assert_eq!(UNSUPPORTED, 0, "patterns that are not supported");
    let n = SUBJECTS.len();
    assert!(n >= 100 && pairs >= 10_000, "{n} patterns, {pairs} pairs");
    assert!(nested * 4 >= n && filtered * 4 >= n && null * 5 >= n, "{nested} {filtered} {null} of {n}");
    let (one, five) = histogram.shares();
    assert!(one >= 55 && five >= 15, "{one}% of the pairs have a match, {five}% five");
}

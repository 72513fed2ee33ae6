//! The generator's cases are read by the parser and answered by the oracle, in good time and mostly with matches.
use cep_compiler::ast::{Item, Pattern};
use cep_compiler::diagnostic::Diagnostics;
use cep_oracle::generate::{Case, Config, Generator, Histogram, Random};
use cep_oracle::{Complex, Delivery, Made, Oracle};

fn parsed(case: &Case) -> Pattern {
    let mut diagnostics = Diagnostics::default();
    let tokens = case.item.parse().expect("tokens");
    let mut file = cep_compiler::parse::parse(tokens, &mut diagnostics);
    assert!(diagnostics.is_empty(), "{}\n{:?}", case.item, diagnostics.list());
    let Some(Item::Pattern(p)) = file.items.pop() else { panic!("no pattern: {}", case.item) };
    *p
}

fn run(seed: u64, config: Config, cases: usize) -> Histogram {
    let mut histogram = Histogram::default();
    let mut generator = Generator::new(seed, config);
    for _ in 0..cases {
        let case = generator.case();
        let oracle = Oracle::new(&case.declaration, &parsed(&case), &case.values());
        let oracle = oracle.unwrap_or_else(|e| panic!("seed {seed}: {e}\n{}", case.item));
        histogram.pattern(&case.shape);
        for s in &case.streams {
            match oracle.matches(s) {
                Ok(found) => histogram.pair(found.iter().map(|d| d.results.len()).sum()),
                // The generator guards its divisions.
                Err(e) => panic!("seed {seed}: {e}\n{}", case.item),
            }
        }
    }
    histogram
}

#[test]
fn most_pairs_of_the_core_match() {
    let histogram = run(Random::seed_or(1), Config::core(), 3000);
    println!("{histogram}");
    let (one, five) = histogram.shares();
    assert!(one >= 60 && five >= 20, "{histogram}");
}

#[test]
fn everything_is_answered() {
    println!("{}", run(Random::seed_or(2), Config::all(), 1000));
}

#[test]
fn a_seed_says_everything() {
    let items = |seed| {
        let mut g = Generator::new(seed, Config::all());
        (0..20).map(|_| g.case().item).collect::<Vec<_>>()
    };
    assert_eq!(items(7), items(7));
    assert_ne!(items(7), items(8));
}

#[test]
fn early_checks_change_no_answer() {
    let mut generator = Generator::new(Random::seed_or(3), Config::all());
    for _ in 0..500 {
        let case = generator.case();
        let oracle = || Oracle::new(&case.declaration, &parsed(&case), &case.values()).expect("a pattern");
        for s in &case.streams {
            if let (Ok(early), Ok(late)) = (oracle().matches(s), oracle().late().matches(s)) {
                assert_eq!(early, late, "{}", case.item);
            }
        }
    }
}

/// Computed events have numbers of their own in each answer.
fn shown(deliveries: &[Delivery]) -> Vec<Vec<String>> {
    let one = |c: &Complex| {
        let values = |l: &Vec<Made>| l.iter().map(|m| format!("{:?}", m.values)).collect::<Vec<_>>();
        let made: Vec<_> = c.made.iter().map(|(x, l)| (x, values(l))).collect();
        format!("{} {} {:?} {made:?}", c.start, c.end, c.vars)
    };
    let all = |d: &Delivery| {
        let mut list: Vec<String> = d.results.iter().map(one).collect();
        list.extend(d.summary.iter().map(|s| format!("{s:?}")));
        list.sort();
        list
    };
    deliveries.iter().map(all).collect()
}

#[test]
fn aggregates_are_nested_filtered_and_null() {
    let mut generator = Generator::new(Random::seed_or(4), Config::aggregates());
    let (mut nested, mut filtered, mut null, mut histogram) = (0, 0, 0, Histogram::default());
    const CASES: usize = 600;
    for _ in 0..CASES {
        let case = generator.case();
        let oracle = Oracle::new(&case.declaration, &parsed(&case), &case.values());
        let oracle = oracle.unwrap_or_else(|e| panic!("{e}\n{}", case.item));
        histogram.pattern(&case.shape);
        let has = |c: &str| usize::from(case.shape.constructs.contains(&c));
        nested += has("nested agg");
        filtered += has("aggregate filter");
        null += has("null aggregate");
        for s in &case.streams {
            let found = oracle.matches(s).unwrap_or_else(|e| panic!("{e}\n{}", case.item));
            histogram.pair(found.iter().map(|d| d.results.len()).sum());
            let late = Oracle::new(&case.declaration, &parsed(&case), &case.values());
            let late = late.expect("a pattern").late().matches(s).expect("an answer");
            assert_eq!(shown(&found), shown(&late), "{}", case.item);
        }
    }
    println!("{histogram}");
    let share = |n: usize| n * 100 / CASES;
    assert!(share(nested) >= 30 && share(filtered) >= 30 && share(null) >= 25, "{nested} {filtered} {null}");
    let (one, five) = histogram.shares();
    assert!(one >= 60 && five >= 20, "{histogram}");
}

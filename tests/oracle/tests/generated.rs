//! The generator's cases are read by the parser and answered by the oracle, in good time and mostly with matches.
use cep_compiler::ast::{Item, Pattern};
use cep_compiler::diagnostic::Diagnostics;
use cep_oracle::Oracle;
use cep_oracle::generate::{Case, Config, Generator, Histogram, Random};

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

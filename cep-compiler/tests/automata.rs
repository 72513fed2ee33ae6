//! The literal automata: the paper's figures, its sizes, and that every form finds what the pattern finds.
mod common;

use cep_compiler::ast::Item;
use cep_compiler::automaton::literal::{Automaton, Error, Marks, conditions, from_rma};
use cep_compiler::automaton::{Event, Rma, Value, build, simulate};
use cep_compiler::check::check;
use cep_compiler::diagnostic::Diagnostics;
use cep_compiler::hir::{Pattern, VariableId};
use cep_compiler::parse::parse;
use common::schema;
use std::collections::{BTreeMap, BTreeSet};

/// The types of `Reading`.
const T: usize = 0;
const H: usize = 1;
const IDLE: usize = 2;
const FIGURE: &str = "T as x ; H as y filter x.id == y.id";
const BUDGET: usize = 100_000;

/// A pattern, its automaton and the literal one.
fn literal(formula: &str, window: usize) -> (Pattern, Rma, Automaton) {
    let (pattern, rma) = position(formula, window);
    let a = from_rma(&rma, &pattern).unwrap_or_else(|e| panic!("{formula}: {e}"));
    (pattern, rma, a)
}

fn position(formula: &str, window: usize) -> (Pattern, Rma) {
    let mut diagnostics = Diagnostics::default();
    let source = format!("pattern P on Reading = {formula} within {window} events;");
    let file = parse(source.parse().expect("tokens"), &mut diagnostics);
    let Some(Item::Pattern(p)) = file.items.first() else { panic!("{source}: {:?}", diagnostics.list()) };
    let pattern = check(p, &schema(), &mut diagnostics);
    let pattern = pattern.unwrap_or_else(|| panic!("{source}: {:?}", diagnostics.list()));
    let rma = build(&pattern);
    (pattern, rma)
}

fn event(ty: usize, id: i128) -> Event {
    let id_and = |rest: &[Value]| [&[Value::Int(id)], rest].concat();
    #[expect(clippy::cast_precision_loss, reason = "small")]
    let value = Value::Float(id as f64);
    let values = match ty {
        T => id_and(&[Value::Int(0), value, Value::Str(String::new())]),
        H => id_and(&[Value::Int(0), value, Value::Float(0.0), Value::Bool(false), Value::Null]),
        _ => Vec::new(),
    };
    Event { ty, values }
}

/// `T`s and `H`s with so many ids, and an event of another type.
fn alphabet(ids: i128) -> Vec<Event> {
    let mut all: Vec<Event> = (0..ids).flat_map(|id| [event(T, id), event(H, id)]).collect();
    all.push(event(IDLE, 0));
    all
}

/// All streams of this length.
fn streams(alphabet: &[Event], length: usize) -> Vec<Vec<Event>> {
    let mut all = vec![Vec::new()];
    for _ in 0..length {
        all = all
            .into_iter()
            .flat_map(|s: Vec<Event>| {
                alphabet.iter().map(move |e| [&s[..], std::slice::from_ref(e)].concat())
            })
            .collect();
    }
    all
}

/// A small generator: the same streams in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % n
    }
    fn stream(&mut self, alphabet: &[Event], length: usize) -> Vec<Event> {
        (0..length).map(|_| alphabet[self.below(alphabet.len())].clone()).collect()
    }
}

/// What the pattern's own automaton gives: by event the selected variables' events.
fn expected(
    pattern: &Pattern,
    rma: &Rma,
    stream: &[Event],
) -> Vec<BTreeSet<BTreeMap<String, BTreeSet<u64>>>> {
    let all = simulate(rma, pattern, &[], stream).expect("conditions the interpreter knows");
    all.into_iter().map(|at| at.into_iter().map(|m| m.variables).collect()).collect()
}

fn named(pattern: &Pattern, matches: Vec<BTreeSet<Marks>>) -> Vec<BTreeSet<BTreeMap<String, BTreeSet<u64>>>> {
    let name = |v: VariableId| pattern.variables[v.0].name.to_string();
    matches
        .into_iter()
        .map(|at| {
            at.into_iter()
                .map(|m| m.variables.into_iter().map(|(v, places)| (name(v), places)).collect())
                .collect()
        })
        .collect()
}

#[test]
fn figure_1_is_deterministic_per_output_only() {
    let (_, _, a) = literal(FIGURE, 3);
    assert_eq!((a.states.len(), a.transitions.len(), a.registers.len()), (3, 4, 1));
    assert!(a.is_deterministic());
    assert!(!a.is_output_agnostic_deterministic());
    assert_eq!(a.ambiguity(), None);
    assert_eq!(a.trim(), a);
    insta::assert_snapshot!("figure_1", format!("{}\n{}", a.to_dot("figure 1"), a.to_mermaid()));
}

#[test]
fn figure_3_unrolled_and_determinised() {
    let (_, _, a) = literal(FIGURE, 2);
    let unrolled = a.unroll(2, BUDGET).expect("small");
    assert_eq!(unrolled.states.len(), 7);
    assert!(!unrolled.is_output_agnostic_deterministic());
    let one = unrolled.determinize(BUDGET).expect("small");
    assert_eq!(one.states.len(), 8);
    assert!(one.is_output_agnostic_deterministic());
    let text = |a: &Automaton, name: &str| format!("{}\n{}", a.to_dot(name), a.to_mermaid());
    insta::assert_snapshot!("figure_3_unrolled", text(&unrolled, "figure 3 (a)"));
    insta::assert_snapshot!("figure_3_determinised", text(&one, "figure 3 (b)"));
    let complement = a.unroll(2, BUDGET).and_then(|u| u.complement(BUDGET)).expect("small");
    insta::assert_snapshot!("figure_3_complement", text(&complement, "complement"));
}

/// The sizes that docs/automata.md quotes.
#[test]
fn figures() {
    let (_, _, a) = literal(FIGURE, 10);
    println!("`{FIGURE}`: {} states", a.states.len());
    println!("{:>3} {:>10} {:>10} {:>13} {:>13}", "w", "unrolled", "trimmed", "determinised", "transitions");
    let mut found = Vec::new();
    for w in [1, 2, 3, 4, 5, 6, 7] {
        let unrolled = a.unroll(w, BUDGET).expect("small");
        let one = unrolled.determinize(BUDGET).expect("small");
        let trimmed = unrolled.trim().states.len();
        let sizes = (w, unrolled.states.len(), one.states.len());
        println!("{w:>3} {:>10} {trimmed:>10} {:>13} {:>13}", sizes.1, sizes.2, one.transitions.len());
        assert_eq!(sizes.1, w * w + w + 1);
        let depth = |d: usize| {
            2_usize.pow(u32::try_from(d).unwrap_or(0)) + 3_usize.pow(u32::try_from(d).unwrap_or(0))
        };
        assert_eq!(sizes.2, 1 + (0..w).map(depth).sum::<usize>());
        assert!(one.is_output_agnostic_deterministic());
        found.push(sizes);
    }
    assert_eq!(found[2], (3, 13, 21));
    assert_eq!(found[4], (5, 31, 153));
}

#[test]
fn the_determinised_form_marks_more() {
    let (pattern, _, a) = literal(FIGURE, 3);
    let holds = conditions(&pattern, &[]);
    let unrolled = a.unroll(3, BUDGET).expect("small");
    let one = unrolled.determinize(BUDGET).expect("small");
    let stream = [event(T, 1), event(T, 2), event(H, 2)];
    let taken = |a: &Automaton| {
        let all = a.matches(&stream, &holds).expect("known");
        all[2].iter().map(|m| m.taken.iter().copied().collect::<Vec<u64>>()).collect::<Vec<_>>()
    };
    assert_eq!(taken(&unrolled), [[1, 2]]);
    assert_eq!(taken(&one), [[0, 1, 2]]);
    assert_eq!(unrolled.accepts(&stream, &holds), one.accepts(&stream, &holds));
    // both match: two runs of the original, one of the determinised form
    let both = [event(T, 2), event(T, 2), event(H, 2)];
    assert_eq!(unrolled.matches(&both, &holds).expect("known")[2].len(), 2);
    assert_eq!(one.matches(&both, &holds).expect("known")[2].len(), 1);
}

#[test]
fn complement_needs_a_window() {
    let (_, _, a) = literal(FIGURE, 3);
    let refused = a.complement(BUDGET).expect_err("no window");
    assert_eq!(refused, Error::NoWindow { what: "complement" });
    assert!(refused.to_string().starts_with("complement needs a window"), "{refused}");
    assert!(matches!(a.determinize(BUDGET), Err(Error::NoWindow { .. })));
}

#[test]
fn the_complement_accepts_the_other_streams() {
    let (pattern, _, a) = literal(FIGURE, 4);
    let holds = conditions(&pattern, &[]);
    let unrolled = a.unroll(4, BUDGET).expect("small");
    // trimmed, no run is left of some streams: the determinised form has empty sets for them
    for form in [unrolled.clone(), unrolled.trim()] {
        let other = form.complement(BUDGET).expect("small");
        for stream in streams(&alphabet(2), 5) {
            let (yes, no) = (unrolled.accepts(&stream, &holds), other.accepts(&stream, &holds));
            let (yes, no) = (yes.expect("known"), no.expect("known"));
            for length in 0..=5 {
                assert_eq!(no[length], length <= 4 && !yes[length], "{stream:?} to {length}");
            }
        }
    }
}

#[test]
fn budgets_name_the_sizes() {
    let (_, _, a) = literal(FIGURE, 9);
    let e = a.unroll(9, 50).expect_err("91 states");
    assert!(e.to_string().contains("the unrolled form of 3 states with a window of 9"), "{e}");
    let e = a.unroll(9, BUDGET).and_then(|u| u.determinize(1000)).expect_err("10,345 states");
    assert!(e.to_string().contains("determinised form of 91 states with a window of 9"), "{e}");
    assert!(matches!(e, Error::TooLarge { budget: 1000, window: Some(9), .. }));
}

/// Patterns with a literal form, their shortest window, and the longest for which they are determinised here.
const PATTERNS: &[(&str, usize, usize)] = &[
    ("T as x", 1, 4),
    (FIGURE, 2, 4),
    ("T as x filter x.id > 0 ; H as y", 2, 4),
    ("T as x : H as y filter x.id == y.id", 2, 4),
    ("T as x ; H as y ; T as z filter x.id == z.id filter y.id < z.id", 3, 4),
    ("T as x ; (H as y or Idle as y) ; H as z filter x.id != z.id", 3, 4),
    ("(T as x or H as x) ; H as y filter x.id == y.id", 2, 3),
    ("T as x ; (H as y filter x.id == y.id)+", 2, 4),
    ("T as x :+", 1, 4),
    ("(T as x ; H as y filter x.id == y.id)+", 2, 4),
    ("(T as x : H as y)+ ; Idle as z", 3, 4),
    ("T as x ; (H as y)? ; Idle as z", 2, 4),
];

/// Recognition of original = unrolled = determinised; matches of original = unrolled.
#[test]
fn every_form_recognises_the_same() {
    let mut random = Random(7);
    let mut matched = 0;
    for (formula, least, most) in PATTERNS {
        for w in *least..=*most {
            let (pattern, rma, a) = literal(formula, w);
            let holds = conditions(&pattern, &[]);
            let unrolled = a.unroll(w, BUDGET).unwrap_or_else(|e| panic!("{formula}: {e}"));
            let one = unrolled.determinize(BUDGET).unwrap_or_else(|e| panic!("{formula}: {e}"));
            assert!(one.is_output_agnostic_deterministic(), "{formula}");
            let mut all = streams(&alphabet(2), w.min(3));
            all.extend((0..100).map(|_| random.stream(&alphabet(3), w)));
            for stream in all {
                let want = expected(&pattern, &rma, &stream);
                let matches = named(&pattern, unrolled.matches(&stream, &holds).expect("known"));
                // an optional variable that holds nothing is no mark
                let want: Vec<BTreeSet<_>> = want
                    .into_iter()
                    .map(|at| {
                        at.into_iter()
                            .map(|mut m| {
                                m.retain(|_, p| !p.is_empty());
                                m
                            })
                            .collect()
                    })
                    .collect();
                assert_eq!(matches, want, "{formula}, w = {w}: {stream:?}");
                matched += want.iter().filter(|at| !at.is_empty()).count();
                let accepts = one.accepts(&stream, &holds).expect("known");
                let recognised: Vec<bool> = want.iter().map(|at| !at.is_empty()).collect();
                assert_eq!(accepts[1..], recognised, "{formula}, w = {w}: {stream:?}");
                assert!(one.count_runs(&stream, &holds).expect("known").iter().all(|n| *n == 1));
            }
        }
    }
    assert!(matched > 1000, "{matched}");
}

/// The literal form has no window: a pattern whose window holds the whole stream gives the same matches.
#[test]
fn the_literal_form_has_the_pattern_s_matches() {
    let mut random = Random(11);
    for (formula, ..) in PATTERNS {
        let (pattern, rma, a) = literal(formula, 100);
        let holds = conditions(&pattern, &[]);
        for _ in 0..100 {
            let stream = random.stream(&alphabet(3), 7);
            let want = expected(&pattern, &rma, &stream);
            let matches = named(&pattern, a.matches(&stream, &holds).expect("known"));
            let want: Vec<BTreeSet<_>> = want
                .into_iter()
                .map(|at| {
                    at.into_iter()
                        .map(|mut m| {
                            m.retain(|_, p| !p.is_empty());
                            m
                        })
                        .collect()
                })
                .collect();
            assert_eq!(matches, want, "{formula}: {stream:?}");
        }
    }
}

#[test]
fn unbounded_conditions_have_no_literal_form() {
    for formula in [
        "(T as x)+ ; H as y filter x.id == y.id",
        "(T as x filter x.id > prev(x).id)+",
        "(T as x)+ filter count(x) > 2",
        "(T as x ; H as y within 3 events) ; Idle as z",
    ] {
        let (pattern, rma) = position(formula, 9);
        assert!(matches!(from_rma(&rma, &pattern), Err(Error::NotBounded { .. })), "{formula}");
    }
}

//! The examples of the language reference and of the papers, typed in by hand.
mod common;
use cep_compiler::ast::{Clause, FormulaKind, Operator, Output, SelectItem, Skip, Within};
use cep_oracle::{Error, Oracle};
use common::*;
use std::collections::BTreeMap;

fn a_then(op: Operator, c: &str) -> cep_compiler::ast::Formula {
    filter(seq(named(t("A"), "a"), op, named(t("B"), "b")), c)
}

/// Table 1 of the register match automata paper: T T T H H T.
fn sensors() -> Vec<cep_oracle::Event> {
    let d = declaration();
    let rows = [("T", 1, 22), ("T", 1, 24), ("T", 2, 32), ("H", 1, 70), ("H", 1, 68), ("T", 2, 33)];
    rows.iter()
        .map(|(ty, id, value)| cep_oracle::Event {
            ty: d.type_index(ty).expect("a type"),
            values: vec![cep_oracle::Value::Int(*id), cep_oracle::Value::Int(*value)],
        })
        .collect()
}

#[test]
fn every_temperature_before_every_humidity() {
    let f = seq(named(t("T"), "x"), Any, named(t("H"), "y"));
    let all = expect([&[0, 3], &[1, 3], &[2, 3], &[0, 4], &[1, 4], &[2, 4]]);
    assert_eq!(sets(f.clone(), &sensors()), all);
    assert_eq!(sets(filter(f, "x.id == y.id"), &sensors()), expect([&[0, 3], &[1, 3], &[0, 4], &[1, 4]]));
}

#[test]
fn a_window_counts_every_event() {
    let f = filter(seq(named(t("T"), "x"), Any, named(t("H"), "y")), "x.id == y.id");
    let mut p = pattern(f);
    let within = |count| Some(Clause { value: Within::Events { count, of_partition: false }, loc: p.loc });
    p.clauses.within = within(3);
    assert_eq!(positions(&p, &sensors()), expect([&[1, 3]]));
    p.clauses.within = within(4);
    assert_eq!(positions(&p, &sensors()), expect([&[0, 3], &[1, 3], &[1, 4]]));
}

#[test]
fn a_strict_iteration_has_no_gap_inside() {
    let f = seq(t("A"), Any, iterate(t("B"), Strict, 1, None));
    assert_eq!(sets(f, &stream("A B D B")), expect([&[0, 1], &[0, 3]]));
}

#[test]
fn a_group_behind_an_arrow_begins_with_its_optional_part() {
    let f = seq(t("A"), Next, seq(iterate(t("B"), Any, 0, Some(1)), Any, t("C")));
    assert_eq!(sets(f, &stream("A B C")), expect([&[0, 1, 2]]));
    // Without the group the absent part leaves the chain, and `;` governs the gap.
    let flat = seq(seq(t("A"), Next, iterate(t("B"), Any, 0, Some(1))), Any, t("C"));
    assert_eq!(sets(flat, &stream("A B C")), expect([&[0, 1, 2], &[0, 2]]));
}

#[test]
fn a_filter_decides_what_an_arrow_may_skip() {
    let events = stream("A5 B3 B7");
    assert_eq!(sets(a_then(Next, "b.v > a.v"), &events), expect([&[0, 2]]));
    assert_eq!(sets(a_then(Next, "b.v > 0 && a.v > 0"), &events), expect([&[0, 1]]));
    assert_eq!(sets(a_then(Any, "b.v > 0"), &events), expect([&[0, 1], &[0, 2]]));
}

#[test]
fn skip_past_last() {
    let mut p = pattern(seq(t("A"), Any, t("B")));
    p.clauses.skip = Some(Clause { value: Skip::PastLast, loc: p.loc });
    assert_eq!(positions(&p, &stream("A A B B A B")), expect([&[0, 2], &[4, 5]]));
}

#[test]
fn a_disjunct_that_mentions_null_is_false() {
    let events = [event("A", 1, None), event("A", 2, Some(5)), event("A", 3, Some(9))];
    let a = |c: &str| sets(filter(named(t("A"), "a"), c), &events);
    assert_eq!(a("a.o > 6"), expect([&[2]]));
    assert_eq!(a("!(a.o > 6)"), expect([&[1]]));
    assert_eq!(a("!(a.o > 6) || a.v == 1"), expect([&[0], &[1]]));
    // Inside one disjunct NULL makes all of it false, negated or not.
    assert_eq!(a("!(a.o > 6 && a.v == 1)"), expect([&[1], &[2]]));
    assert_eq!(a("((a.o > 6) || (a.v == 1))"), expect([&[0], &[2]]));
    assert_eq!(a("a.o.is_none()"), expect([&[0]]));
    assert_eq!(a("a.o.map_or(7, |v| v) > 6"), expect([&[0], &[2]]));
    assert_eq!(a("a.o.is_some_and(|v| v < 6)"), expect([&[1]]));
    assert_eq!(a("a.o.unwrap_or(5) == 5 && matches!(a.v, 1 | 3..=4)"), expect([&[0]]));
}

#[test]
fn a_guarded_division_never_panics_and_an_unguarded_one_does() {
    let events = stream("A0 B8 A2 B8");
    assert_eq!(sets(a_then(Any, "a.v != 0 && b.v / a.v > 3"), &events), expect([&[2, 3]]));
    // The guard belongs to an earlier step, so it comes first wherever it is written.
    assert_eq!(sets(a_then(Any, "b.v / a.v > 3 && a.v != 0"), &events), expect([&[2, 3]]));
    let inner = filter(named(t("B"), "b"), "b.v / a.v > 3 && a.v != 0");
    assert_eq!(sets(seq(named(t("A"), "a"), Any, inner), &events), expect([&[2, 3]]));
    let p = pattern(a_then(Any, "b.v / a.v > 3"));
    let oracle = Oracle::new(&declaration(), &p, &BTreeMap::new()).expect("a pattern");
    assert!(matches!(oracle.matches(&events), Err(Error::Panic(_))));
}

#[test]
fn results_equal_after_select_are_one() {
    let mut p = pattern(seq(seq(named(t("A"), "a"), Any, t("B")), Any, named(t("C"), "c")));
    let item = |x: &str| SelectItem { variable: id(x), attribute: None };
    let of = |p: &cep_compiler::ast::Pattern| run(p, &stream("A B B A B C"))[5].clone();
    assert_eq!(of(&p).results.len(), 4);
    p.clauses.output = Some(Clause { value: Output::Select(vec![item("a"), item("c")]), loc: p.loc });
    assert_eq!(of(&p).results.len(), 2);
    p.clauses.output = Some(Clause { value: Output::Select(vec![item("c")]), loc: p.loc });
    // They differ in where they began.
    assert_eq!(of(&p).results.len(), 2);
    p.clauses.output = Some(Clause { value: Output::SelectNone, loc: p.loc });
    assert_eq!(of(&p).spans(), [(0, 5), (3, 5)].into());
    p.clauses.output = Some(Clause { value: Output::Detect, loc: p.loc });
    assert!(of(&p).detect());
    assert_eq!(of(&p).latest_start(), Some(3));
}

#[test]
fn a_type_name_holds_all_events_of_its_type() {
    let f = seq(named(t("A"), "a"), Any, t("A"));
    let found = run(&pattern(f), &stream("A A"));
    let only = found[1].results.first().expect("a match");
    assert_eq!(only.vars["A"], [0, 1].into());
    assert_eq!(only.vars["a"], [0].into());
}

#[test]
fn humidities_of_one_sensor_after_a_temperature() {
    // Beyond the paper's bounded expressions: a variable from outside read in an iteration.
    let h = filter(named(t("H"), "y"), "y.id == x.id");
    let f = seq(named(t("T"), "x"), Any, iterate(h, Any, 1, None));
    let all = expect([&[0, 3], &[0, 4], &[0, 3, 4], &[1, 3], &[1, 4], &[1, 3, 4]]);
    assert_eq!(sets(f, &sensors()), all);
}

#[test]
fn without_is_unless() {
    let inner = Box::new(seq(t("A"), Any, t("C")));
    let f = formula(FormulaKind::Without { inner, excluded: Box::new(t("B")), word: pattern(t("A")).loc });
    assert_eq!(sets(f, &stream("A B A C")), expect([&[2, 3]]));
}

#[test]
fn a_not_looks_between_or_at_the_next_event() {
    let gap = |op| absent(t("A"), Any, vec![(op, t("B"))], t("C"));
    assert_eq!(sets(gap(Any), &stream("A D B C A C")), expect([&[4, 5]]));
    assert_eq!(sets(gap(Strict), &stream("A D B C A B C")), expect([&[0, 3], &[0, 6]]));
}

#[test]
fn prev_and_aggregates_see_the_repetitions_before() {
    let rising = filter(named(t("B"), "b"), "b.v > prev(b).v");
    let rising = iterate(rising, Any, 1, None);
    assert_eq!(sets(rising, &stream("B1 B3 B2")), expect([&[0], &[1], &[2], &[0, 1], &[0, 2]]),);
    let few = filter(iterate(named(t("B"), "b"), Any, 1, None), "count(b) == 2 && sum(b.v) >= 5");
    assert_eq!(sets(few, &stream("B1 B3 B2")), expect([&[1, 2]]));
    let limited = iterate(filter(named(t("B"), "b"), "count(b) <= 2"), Any, 1, None);
    assert_eq!(sets(limited, &stream("B B B")).len(), 6);
}

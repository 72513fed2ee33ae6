//! What random patterns once broke.
#![deny(warnings)]
use cep::{Event, cep};

#[derive(Event, Clone, Debug)]
enum S {
    A { v: i32, n: Option<i32>, t: String },
    B { v: i32 },
}

fn a(v: i32, t: &str) -> S {
    S::A { v, n: None, t: t.into() }
}

cep! {
    pattern Earlier on S = A as x ; (B filter x.t == "up" && x.v > 0) within 5 events detect;
    pattern TwoNames on S = A as x ; B as y filter (A.v < y.v || x.n > y.v) within 5 events;
    pattern Twice on S = A as x ; B as y within 5 events select x.v, A, y.v, B.v;
}

cep! {
    pattern Either on S = A as x filter x.v > 5 || x.v < 2 || x.n == 3 within 1 events detect;
    pattern Underscores on S = A as x_1 ; B as x1 within 5 events select x_1.v, x1.v;
    pattern Words on S = A as matches ; B as kept within 5 events select matches.v, kept.v;
}

/// A condition on an earlier step, written in later parentheses, reads one event: nothing is kept for it.
#[test]
fn a_condition_on_an_earlier_step_in_later_parentheses() {
    assert!(Earlier::EXPLAIN.contains("latest start"), "{}", Earlier::EXPLAIN);
    let mut m = Earlier::new();
    let all = [a(1, "down"), S::B { v: 0 }, a(1, "up"), S::B { v: 0 }];
    assert_eq!(all.map(|e| m.push(&e)), [false, false, false, true]);
}

#[test]
fn a_condition_reads_one_event_under_two_names() {
    let mut m = TwoNames::new();
    let ends = [S::A { v: 3, n: Some(9), t: String::new() }, S::B { v: 4 }, S::B { v: 3 }, S::B { v: 9 }]
        .map(|e| m.push(&e).map(|m| (m.x.position(), m.y.position())).collect::<Vec<_>>());
    assert_eq!(ends, [vec![], vec![(0, 1)], vec![(0, 2)], vec![(0, 3)]]);
    let mut m = TwoNames::new();
    assert_eq!([a(3, ""), S::B { v: 3 }, S::B { v: 4 }].map(|e| m.push(&e).count()), [0, 0, 1]);
}

#[test]
fn one_event_is_selected_under_two_names() {
    let mut m = Twice::new();
    assert_eq!(m.push(&a(3, "")).count(), 0);
    let found = m.push(&S::B { v: 4 }).next().expect("a match");
    assert_eq!((found.x.v, found.a.v, found.a.n, found.y.v, found.b.v), (3, 3, None, 4, 4));
    assert_eq!((found.x.position(), found.a.position()), (0, 0));
}

#[test]
fn disjuncts() {
    let mut m = Either::new();
    let three = S::A { v: 4, n: Some(3), t: String::new() };
    assert_eq!([a(6, ""), a(1, ""), a(4, ""), three].map(|e| m.push(&e)), [true, true, false, true]);
}

#[test]
fn names_that_are_close() {
    let mut m = Underscores::new();
    m.push(&a(1, "")).for_each(drop);
    let found = m.push(&S::B { v: 2 }).next().expect("a match");
    assert_eq!((found.x_1.v, found.x1.v), (1, 2));
    let mut m = Words::new();
    m.push(&a(1, "")).for_each(drop);
    let found = m.push(&S::B { v: 2 }).next().expect("a match");
    assert_eq!((found.matches.v, found.kept.v), (1, 2));
}

//! Aggregates inside a match: values, types, identity.
#![allow(missing_docs, clippy::float_cmp, reason = "test events; the sums are exact")]
use cep::{Event, Monoid, cep};

/// What the patterns look at.
#[derive(Event, Clone, Copy, Debug, PartialEq)]
pub enum Item {
    /// Begins.
    A { id: u32, x: i32, f: f64 },
    /// The middle.
    B { id: u32, x: i32, f: f64, o: Option<i16>, ok: bool },
    /// Ends.
    C { id: u32, x: i32 },
    /// Nothing.
    D,
}

const fn a(id: u32, x: i32) -> Item {
    Item::A { id, x, f: 0.5 }
}
const fn b(id: u32, x: i32) -> Item {
    Item::B { id, x, f: 1.5, o: Some(2), ok: true }
}
const fn none(id: u32, x: i32) -> Item {
    Item::B { id, x, f: 2.5, o: None, ok: false }
}
const fn c(id: u32, x: i32) -> Item {
    Item::C { id, x }
}

/// How many values in a row were the same, at the end.
#[derive(Clone, Copy)]
pub struct Streak {
    last: Option<i32>,
    length: u64,
    all: bool,
}
impl Monoid for Streak {
    type Input = i32;
    type Output = u64;
    const IDENTITY: Self = Streak { last: None, length: 0, all: true };
    fn lift(value: i32) -> Self {
        Streak { last: Some(value), length: 1, all: true }
    }
    fn combine(&self, newer: &Self) -> Self {
        if newer.last.is_none() {
            return *self;
        }
        let joins = newer.all && (self.last.is_none() || self.last == newer.last);
        Streak {
            last: newer.last,
            length: newer.length + if joins { self.length } else { 0 },
            all: joins && self.all,
        }
    }
    fn lower(&self) -> u64 {
        self.length
    }
}

cep! {
    /// Every function once.
    pattern All on Item =
        A as a : B:+ as b : C as c
        agg m {
            n: count(b), nulls: count(b.o), some: count_some(b.o), total: sum(b.x), mean: avg(b.x), product: product(b.x),
            low: min(b.f), high: max(b.x), spread: range(b.x), first: first(b.x), last: last(b.id), var: var(b.x),
            deviation: stddev(b.x), any: any(b.ok), every: every(b.ok), streak: fold Streak(b.x),
            null_sum: sum(b.o), some_sum: sum_some(b.o), floats: sum(b.f), some_low: min_some(b.o),
        }
        within 20 events
        select m;

    /// Sums of sums.
    pattern Nested on Item =
        (A ; B:+ as b agg s { q: sum(b.x) })+ agg t { total: sum(s.q), parts: count(s), widest: max(s.q) }
        within 20 events
        select s, t;

    /// A sum decides.
    pattern Above(least: i64) on Item =
        A as a ; B+ as b agg m { total: sum(b.x) } filter m.total > least ; C as c
        within 20 events
        select a, c, m;

    /// The same without naming it.
    pattern Short on Item =
        A as a ; B+ as b ; C as c filter sum(b.x) > c.x
        within 20 events
        select b;
}

cep! {
    /// While it goes on.
    pattern Running on Item =
        A ; (B as b filter sum(b.x) <= 5)+ agg m { n: count(b) }
        within 20 events
        select m;

    /// A join by sums, as the paper has it.
    pattern Join on Item =
        A as a ; B as b agg z { one: sum(a.x), two: sum(b.x) } filter z.one == z.two
        within 20 events
        select a, b;

    /// Only names it.
    pattern Renamed on Item =
        A as a project a(x) agg m { id: first(a.x) }
        within 2 events
        select a, m;
}

cep! {
    /// Of an absent part.
    pattern Absent on Item =
        A as a ; (B as b agg m { n: count(b), x: last(b.x) })? ; C as c
        within 20 events
        select m;

    /// Of one branch or the other.
    pattern Either on Item =
        (A as a agg m { x: sum(a.x), n: count(a) }) or (B as b agg m { x: sum(b.x) })
        within 2 events
        select m;

    /// Just the number of the middle ones.
    pattern Folded on Item =
        (A ; B+ as b ; C agg m { n: count(b) } select m)
        within 20 events;

}

#[test]
fn every_function() {
    let mut machine = All::new();
    let mut found = Vec::new();
    for e in [a(1, 0), b(1, 3), none(2, 3), b(3, -2), c(1, 1)] {
        machine.push(&e).for_each(|m| found.push((m.start(), m.end(), *m.m)));
    }
    let [(0, 4, m)] = found[..] else { panic!("{found:?}") };
    assert_eq!((m.n, m.nulls, m.some, m.total, m.mean), (3, None, 2, 4, 4.0 / 3.0));
    assert_eq!((m.product, m.low, m.high, m.spread), (Some(-18), 1.5, 3, Some(5)));
    assert_eq!((m.first, m.last, m.any, m.every, m.streak), (3, 3, true, false, 1));
    assert_eq!((m.null_sum, m.some_sum, m.floats, m.some_low), (None, 4, 5.5, Some(2)));
    let mean = 4.0 / 3.0;
    let var: f64 = [3.0f64, 3.0, -2.0].iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / 3.0;
    assert!((m.var - var).abs() < 1e-12 && (m.deviation - var.sqrt()).abs() < 1e-12);
}

#[test]
fn sums_of_sums() {
    let mut machine = Nested::new();
    let mut found = Vec::new();
    // 3 + 5 and 2 + 4 + 2: 8 and 8 give 16
    for e in [a(0, 0), b(0, 3), b(0, 5), a(0, 0), b(0, 2), b(0, 4), b(0, 2)] {
        found.clear();
        machine.push(&e).for_each(|m| {
            let inner: Vec<(u64, i64)> = m.s.iter().map(|s| (s.position(), s.q)).collect();
            found.push((m.start(), m.t.total, m.t.parts, m.t.widest, inner));
        });
    }
    assert!(found.contains(&(0, 16, 2, 8, vec![(2, 8), (6, 8)])), "{found:?}");
    assert!(found.contains(&(3, 8, 1, 8, vec![(6, 8)])), "{found:?}");
    let distinct = found.len();
    found.sort();
    found.dedup();
    assert_eq!(found.len(), distinct);
}

#[test]
fn a_sum_decides() {
    let stream = [a(0, 0), b(0, 3), b(0, 5), c(0, 6)];
    let mut machine = Above::new(5);
    let mut sums = Vec::new();
    for e in &stream {
        for m in machine.push(e) {
            sums.push(m.m.total);
        }
    }
    assert_eq!(sums, [8]);
    let mut short = Short::new();
    let mut bags = Vec::new();
    for e in &stream {
        short.push(e).for_each(|m| bags.push(m.b.iter().map(|e| e.x).collect::<Vec<_>>()));
    }
    assert_eq!(bags, [vec![3, 5]]);
    let mut equal = Above::new(3);
    let mut sums = Vec::new();
    for e in &stream {
        sums.extend(equal.push(e).map(|m| m.m.total));
    }
    sums.sort_unstable();
    assert_eq!(sums, [5, 8]);
}

#[test]
fn equal_values_of_different_events() {
    // 4 by one event, and 4 by another: two results
    let mut machine = Folded::new();
    let mut n = Vec::new();
    for e in [a(0, 0), b(0, 4), b(0, 4), c(0, 0)] {
        n.extend(machine.push(&e).map(|m| m.m.n));
    }
    n.sort_unstable();
    assert_eq!(n, [1, 1, 2]);
}

#[test]
fn while_it_goes_on() {
    let mut machine = Running::new();
    let mut n = Vec::new();
    for e in [a(0, 0), b(0, 3), b(0, 2), b(0, 1)] {
        n.extend(machine.push(&e).map(|m| m.m.n));
    }
    n.sort_unstable();
    // {3}, {2}, {1}, {3, 2}, {3, 1}, {2, 1}; not {3, 2, 1}
    assert_eq!(n, [1, 1, 1, 2, 2, 2]);
}

#[test]
fn joins_names_and_absent_parts() {
    let mut join = Join::new();
    let mut found = Vec::new();
    for e in [a(1, 4), a(2, 7), b(3, 7), b(4, 4)] {
        found.extend(join.push(&e).map(|m| (m.a.id, m.b.id)));
    }
    assert_eq!(found, [(2, 3), (1, 4)]);

    let mut renamed = Renamed::new();
    let m = renamed.push(&a(1, 9)).next().expect("one");
    assert_eq!((m.a.x, m.m.id, m.m.position()), (9, 9, 0));

    let mut absent = Absent::new();
    let mut found = Vec::new();
    for e in [a(1, 4), b(3, 7), c(3, 7)] {
        found.extend(absent.push(&e).map(|m| m.m.map(|m| (m.n, m.x, m.position()))));
    }
    assert_eq!(found.len(), 2);
    assert!(found.contains(&None) && found.contains(&Some((1, 7, 1))));

    let mut either = Either::new();
    let m = either.push(&a(1, 4)).next().expect("one").m;
    assert_eq!((m.x, m.n), (4, Some(1)));
    let m = either.push(&b(1, 5)).next().expect("one").m;
    assert_eq!((m.x, m.n), (5, None));
}

cep! {
    /// NULL as such, and numbers that no `i16` and no `u64` is.
    pattern Asked(least: i16) on Item =
        A as a ; (B as b)+ ; C as c
        filter max(b.o).is_none() || max(b.o).unwrap_or(0) > least && max(b.o) < 40_000 && count(b) > -1
        within 20 events
        select a, b, c;
}

#[test]
fn an_aggregate_may_be_asked_for_null_and_compares_with_any_integer() {
    let matches = |least: i16, events: &[Item]| {
        let (mut machine, mut n) = (Asked::new(least), 0);
        for e in events {
            let mut all = machine.push(e);
            while all.next().is_some() {
                n += 1;
            }
        }
        n
    };
    // b+ over NULL and 2: {NULL}, {2}, {NULL, 2}; the fold of the last is NULL, too
    let mixed = [a(1, 1), none(1, 1), b(1, 1), c(1, 1)];
    assert_eq!((matches(1, &mixed), matches(2, &mixed)), (3, 2));
    assert_eq!(matches(5, &[a(1, 1), b(1, 1), b(1, 2), c(1, 1)]), 0);
}

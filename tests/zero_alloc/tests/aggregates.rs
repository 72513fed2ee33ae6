//! Machines with aggregates and summaries allocate nothing either, and say how large they are.

use cep::{Event, cep};
use zero_alloc::allocations;

#[derive(Event, Clone, Copy)]
enum Reading {
    T { id: u32, value: i32, note: Option<i32> },
    H { id: u32, value: i32 },
}

cep! {
    pattern Spell on Reading =
        T as first ; (T as hot filter hot.value > 900)+ agg m {
            n: count(hot), total: sum(hot.value), mean: avg(hot.value), notes: sum_some(hot.note), low: min(hot.note)
        } filter m.total > 1900 ; H as dry filter dry.value < 20
        within 12 events
        select first, m;

    pattern Nested on Reading =
        ((T as hot filter hot.value > 600) ; (H as dry filter dry.value < 300) agg s { d: sum(hot.value) })+ agg t { sum: sum(s.d), n: count(s) }
        within 9 events
        select s, t;
}

cep! {
    pattern Counted on Reading =
        T as a ; H as b ; T as c
        within 1000 events
        summarize { n: count(*), total: sum(b.value), mean: avg(c.value), notes: sum(a.note) };

    pattern Looked on Reading =
        (T as a filter a.value > 800)+ ; H as b filter b.value < 200
        within 12 events
        summarize { n: count(*) saturating, top: max(a.value), mean: avg(a.value) };
}

const EVENTS: u64 = 1_000_000;

/// Reproducible readings, made one at a time so that no memory is needed.
struct Source(u64);

impl Source {
    fn next(&mut self) -> Reading {
        let s = zero_alloc::next(&mut self.0);
        let id = u32::try_from(s >> 8 & 7).unwrap_or(0);
        let value = i32::try_from(s >> 16 & 1023).unwrap_or(0);
        let note = (s >> 50 & 3 != 0).then_some(value);
        if s >> 40 & 1 == 0 { Reading::T { id, value, note } } else { Reading::H { id, value } }
    }
}

#[test]
fn no_allocation() {
    let (found, n) = allocations(|| {
        let (mut spell, mut nested, mut counted, mut looked) =
            (Spell::new(), Nested::new(), Counted::new(), Looked::new());
        let (mut source, mut found) = (Source(7), [0u64; 4]);
        for _ in 0..EVENTS {
            let e = source.next();
            for m in spell.push(&e) {
                found[0] += m.m.n;
            }
            nested.push(&e).for_each(|m| found[1] += m.t.n + m.s.len() as u64);
            found[2] = found[2].wrapping_add(counted.push(&e).n);
            found[3] += looked.push(&e).n;
        }
        found
    });
    assert_eq!(n, 0);
    assert!(found.iter().all(|n| *n > 1000), "{found:?}");
}

#[test]
fn sizes_are_stated() {
    let sizes = [
        (Spell::EXPLAIN, size_of::<Spell>()),
        (Nested::EXPLAIN, size_of::<Nested>()),
        (Counted::EXPLAIN, size_of::<Counted>()),
        (Looked::EXPLAIN, size_of::<Looked>()),
    ];
    for (text, size) in sizes {
        assert!(text.ends_with(&format!("machine: {size} bytes")), "{text}");
    }
    println!("{}", Counted::EXPLAIN);
}

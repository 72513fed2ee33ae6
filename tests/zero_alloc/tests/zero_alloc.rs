//! No machine allocates: at least a million events and a hundred thousand matches, found and read, cost no allocation at all, `new` and
//! `reset` included. `storage boxed` allocates each ring once, in `new`.

use cep::{Event, cep};
use zero_alloc::allocations;

#[derive(Event, Clone, Copy)]
enum Reading {
    T { id: u32, value: f64 },
    H { id: u32, value: f64 },
}

cep! {
    pattern Two(hottest: f64) on Reading =
        T as hot filter hot.value > hottest ; H as dry filter dry.value < 25.0 filter hot.id == dry.id
        within 100 events select hot, dry;

    /// The middle is not selected: each run shows that it is the first of its match.
    pattern Three on Reading =
        T as hot filter hot.value > 50.0 ; T as hotter filter hotter.value > hot.value ; H as dry
        filter hot.id == dry.id && hotter.id == dry.id
        within 48 events select hot, dry;
}

cep! {
    pattern Whole on Reading =
        T as hot ; T as hotter filter hotter.value > hot.value + 30.0 ; H as dry filter dry.value < hot.value
        within 24 events;

    pattern Intervals on Reading =
        T as hot filter hot.value > 50.0 ; T as hotter filter hotter.value > hot.value ; H as dry
        within 32 events select none;
}

cep! {
    pattern Latest on Reading =
        T as hot filter hot.value > 50.0 ; T as hotter filter hotter.value > 90.0 ; H as dry filter dry.value < 25.0
        within 100 events detect;

    pattern Joined on Reading =
        T as hot filter hot.value > 50.0 ; H as dry filter dry.id == hot.id && dry.value < hot.value
        within 100 events detect;
}

cep! {
    pattern Heap on Reading =
        T as hot filter hot.value > 90.0 ; H as dry filter dry.value < 25.0 filter hot.id == dry.id
        within 5000 events storage boxed select hot, dry;

    pattern HeapDetect on Reading =
        T as hot filter hot.value > 50.0 ; H as dry filter dry.id == hot.id && dry.value < hot.value
        within 5000 events storage boxed detect;

    pattern Lent on Reading =
        T as hot filter hot.value > 90.0 ; H as dry filter dry.value < 25.0 filter hot.id == dry.id
        within 5000 events storage borrowed select hot, dry;
}

const EVENTS: u64 = 1_000_000;
const MATCHES: u64 = 100_000;

/// Reproducible readings, made one at a time so that no memory is needed.
struct Source(u64);

impl Source {
    fn next(&mut self) -> Reading {
        let s = zero_alloc::next(&mut self.0);
        let id = u32::try_from(s >> 8 & 7).unwrap_or(0);
        let value = f64::from(u16::try_from(s >> 16 & 1023).unwrap_or(0)) / 10.24;
        if s >> 40 & 1 == 0 { Reading::T { id, value } } else { Reading::H { id, value } }
    }
}

/// Half the events, `reset`, the other half. Gives the number of results and a sum of what they hold.
macro_rules! select {
    ($new:expr, |$m:ident| $read:expr) => {{
        let mut machine = $new;
        let (mut results, mut sum) = (0u64, 0.0);
        let mut source = Source(7);
        for round in 0..2 {
            if round == 1 {
                machine.reset();
            }
            for _ in 0..EVENTS / 2 {
                for $m in machine.push(&source.next()) {
                    results += 1;
                    sum += $read;
                }
            }
        }
        assert_eq!(machine.position(), EVENTS / 2);
        (results, sum)
    }};
}

macro_rules! detect {
    ($new:expr) => {{
        let mut machine = $new;
        let mut results = 0u64;
        let mut source = Source(7);
        for round in 0..2 {
            if round == 1 {
                machine.reset();
            }
            for _ in 0..EVENTS / 2 {
                if machine.push(&source.next()) {
                    results += u64::from(machine.latest_start().is_some());
                }
            }
        }
        results
    }};
}

#[test]
fn the_counter_sees_allocations() {
    let (v, n) = allocations(|| std::hint::black_box(vec![1u8; 100]));
    assert_eq!((v.len(), n), (100, 1));
    let (b, n) = allocations(|| (0..3).map(Box::new).map(std::hint::black_box).map(|b| *b).sum::<i32>());
    assert_eq!((b, n), (3, 3));
    let (v, n) = allocations(|| {
        let mut v = std::hint::black_box(Vec::with_capacity(1));
        v.extend([1, 2, 3]);
        v
    });
    assert_eq!((v.len(), n), (3, 2), "a reallocation counts");
}

#[test]
fn select_of_two_steps() {
    let ((results, sum), n) =
        allocations(|| select!(Two::new(80.0), |m| m.hot.value - m.dry.value + f64::from(m.dry.id)));
    assert!(results >= MATCHES && sum > 0.0, "{results}");
    assert_eq!(n, 0);
}

#[test]
fn select_with_a_variable_left_out() {
    let ((results, sum), n) = allocations(|| select!(Three::new(), |m| m.hot.value + f64::from(m.dry.id)));
    assert!(results >= MATCHES && sum > 0.0, "{results}");
    assert_eq!(n, 0);
}

#[test]
fn select_of_three_steps() {
    let ((results, sum), n) =
        allocations(|| select!(Whole::new(), |m| m.hotter.value - m.hot.value + m.dry.value));
    assert!(results >= MATCHES && sum > 0.0, "{results}");
    assert_eq!(n, 0);
}

#[test]
fn select_none() {
    let ((results, _), n) =
        allocations(|| select!(Intervals::new(), |m| f64::from(u32::from(m.start() < m.end()))));
    assert!(results >= MATCHES, "{results}");
    assert_eq!(n, 0);
}

#[test]
fn detect() {
    let (results, n) = allocations(|| detect!(Latest::new()));
    assert!(results >= MATCHES, "{results}");
    assert_eq!(n, 0, "by the latest start per position");
    let (results, n) = allocations(|| detect!(Joined::new()));
    assert!(results >= MATCHES, "{results}");
    assert_eq!(n, 0, "by the ring");
}

#[test]
fn boxed_allocates_its_ring_once() {
    let (machine, n) = allocations(Heap::new);
    assert_eq!(n, 1);
    // a copy that nobody looks at would be left out in release builds
    let (copy, n) = allocations(|| std::hint::black_box(machine.clone()));
    assert_eq!(n, 1, "a clone has a ring of its own");
    drop(copy);
    let ((results, sum), n) = allocations(|| select!(machine, |m| m.hot.value - m.dry.value));
    assert!(results >= MATCHES && sum > 0.0, "{results}");
    assert_eq!(n, 0, "none after `new`, none in `reset`");
    let (results, n) = allocations(|| detect!(HeapDetect::new()));
    assert!(results >= MATCHES, "{results}");
    assert_eq!(n, 1);
}

#[test]
fn borrowed_allocates_nothing() {
    let ((results, sum), n) = allocations(|| {
        let mut rings = LentRings::new();
        select!(Lent::over(&mut rings), |m| m.hot.value - m.dry.value)
    });
    assert!(results >= MATCHES && sum > 0.0, "{results}");
    assert_eq!(n, 0);
}

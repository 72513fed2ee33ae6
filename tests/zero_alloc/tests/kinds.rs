//! One machine of each kind runs without an allocation: clocks, keys, bags, consumption, branches, and events put in order.
#![allow(clippy::while_let_on_iterator, reason = "matches with bags are no iterator")]

use cep::{Event, PushError, Reorder, cep};
use zero_alloc::allocations;

#[derive(Event, Clone, Copy, Debug)]
enum Reading {
    T {
        #[event(time)]
        at: u64,
        height: f64,
        id: u32,
        value: f64,
    },
    H {
        #[event(time)]
        at: u64,
        height: f64,
        id: u32,
        value: f64,
    },
}

cep! {
    pattern Timed on Reading = T as a filter a.value > 60.0 ; H as b filter a.id == b.id && b.value < a.value
        within 40 ms capacity 64 events select a, b;
    pattern Climbing on Reading = T as a ; H as b filter a.id == b.id
        within 6.5 of height capacity 9 events or evict select a, b.value;
}

cep! {
    pattern Keyed on Reading = T as a : H as b ; T as c filter c.value > a.value within 40 events partition by id;
    pattern OwnWindow on Reading = T as a : H as b ; T as c filter c.value > a.value
        within 6 events of its partition partition by id capacity 8 keys;
    pattern OwnStarts on Reading = T as a ; H as b filter b.value > 50.0 : T as c
        within 20 ms partition by id capacity 8 keys detect;
}

cep! {
    pattern Run on Reading = (T as up filter up.value > 75.0 && up.value >= prev(up).value)+ : H as top
        filter count(up) >= 2 within 12 events select up, top;
}

cep! {
    pattern Eager on Reading = T as a filter a.value > 70.0 ; H as b within 20 events consume any select a, b;
    pattern EagerKey on Reading = T as a ; H as b filter b.value > a.value within 20 events partition by id
        consume partition limit 1 select b;
}

cep! {
    pattern Either on Reading = ((T as a filter a.value > 80.0) or (H as b filter b.value < 20.0)) ; T? as c ; H as d
        within 5 events;
    pattern Inside on Reading = (T as a ; H as b within 3 events) ; (H as c filter c.value > b.value select c)
        within 9 events select none;
}

const EVENTS: u64 = 200_000;

/// Reproducible readings in order of time, made one at a time so that no memory is needed.
struct Source {
    state: u64,
    at: u64,
}

impl Source {
    fn new() -> Self {
        Source { state: 7, at: 0 }
    }
    fn next(&mut self) -> Reading {
        let s = zero_alloc::next(&mut self.state);
        self.at += s >> 50 & 3;
        let id = u32::try_from(s >> 8 & 7).unwrap_or(0);
        let value = f64::from(u16::try_from(s >> 16 & 1023).unwrap_or(0)) / 10.24;
        let (at, height) = (self.at, f64::from(u32::try_from(self.at).unwrap_or(0)) / 2.0);
        if s >> 40 & 1 == 0 {
            Reading::T { at, height, id, value }
        } else {
            Reading::H { at, height, id, value }
        }
    }
}

/// What a push gives, whether or not it can be refused.
trait Taken {
    type Output;
    fn taken(self) -> Option<Self::Output>;
}
impl<T> Taken for Result<T, PushError> {
    type Output = T;
    fn taken(self) -> Option<T> {
        self.ok()
    }
}

/// Runs a machine, counts what comes out, and requires that nothing was allocated; `$read` looks at a match.
macro_rules! runs {
    ($name:ident, $machine:ident, $least:expr, |$m:ident| $read:expr) => {
        runs!($name, $machine, $least, |pushed| Some(pushed), |$m| $read);
    };
    ($name:ident, $machine:ident, $least:expr, |$pushed:ident| $taken:expr, |$m:ident| $read:expr) => {
        #[test]
        fn $name() {
            let ((results, sum), n) = allocations(|| {
                let mut machine = $machine::new();
                let (mut source, mut results, mut sum) = (Source::new(), 0u64, 0.0);
                for round in 0..2 {
                    for _ in 0..EVENTS / 2 {
                        let event = source.next();
                        let $pushed = machine.push(&event);
                        if let Some(mut matches) = $taken {
                            while let Some($m) = matches.next() {
                                results += 1;
                                sum += $read;
                            }
                        }
                    }
                    if round == 0 {
                        machine.reset();
                    }
                }
                (results, sum)
            });
            assert!(results >= $least && sum != 0.0, "{results} results, {sum}");
            assert_eq!(n, 0, "allocations");
        }
    };
}

runs!(a_window_in_time, Timed, 10_000, |pushed| pushed.taken(), |m| m.b.value);
runs!(a_clock_of_its_own_that_evicts, Climbing, 10_000, |pushed| pushed.taken(), |m| m.b.value);
runs!(keys, Keyed, 1000, |m| m.c.value);
runs!(a_window_of_each_key, OwnWindow, 1000, |pushed| pushed.taken(), |m| m.c.value);
runs!(a_bag, Run, 1000, |m| m.up.iter().map(|t| t.value).sum::<f64>() + m.top.value);
runs!(consumption, Eager, 10_000, |m| m.b.value);
runs!(consumption_of_a_key, EagerKey, 10_000, |m| m.b.value);
runs!(branches_and_what_may_be_absent, Either, 10_000, |m| {
    m.a.map_or(1.0, |a| a.value) + m.b.map_or(1.0, |b| b.value) + m.c.map_or(1.0, |c| c.value)
});
runs!(a_part_with_a_window, Inside, 10_000, |m| f64::from(u32::try_from(m.end() - m.start()).unwrap_or(0)));

#[test]
fn the_latest_starts_of_each_key() {
    let (results, n) = allocations(|| {
        let (mut machine, mut source) = (OwnStarts::new(), Source::new());
        (0..EVENTS).filter(|_| machine.push(&source.next()) == Ok(true)).count()
    });
    assert!(results >= 1000, "{results}");
    assert_eq!(n, 0);
}

/// Events that come late by a little, put in order in front of a machine.
#[test]
fn events_put_in_order() {
    let (results, n) = allocations(|| {
        let (mut source, mut machine) = (Source::new(), Timed::new());
        let mut reorder: Reorder<Reading, u64, 64> = Reorder::new(8);
        let mut results = 0;
        for _ in 0..EVENTS / 2 {
            let (first, second) = (source.next(), source.next());
            // every other event comes before the one in front of it
            for event in [second, first] {
                let (Reading::T { at, .. } | Reading::H { at, .. }) = event;
                reorder.push(at, event).expect("3 ms late at most, and few at a time");
                while let Some(event) = reorder.pop() {
                    results += machine.push(&event).expect("in order").count();
                }
            }
        }
        results
    });
    assert!(results >= 1000, "{results}");
    assert_eq!(n, 0);
}

//! An element that a predicate window refuses as `Full` leaves it as it was: a machine that never saw it goes on alike.
use cep::{Event, PushError, cep};
use std::cell::RefCell;

#[derive(Event, Clone, Copy, Debug)]
struct Ping {
    #[event(time = "s")]
    at: u64,
    #[event(key)]
    cab: u32,
    fare: i64,
}

cep! {
    window Idle on Ping = predicate {
        start: fare > 2, end: fare == 0, partition: cab, close_window_after_no_updates_for: 4 s, capacity: 6 elements, 3 keys,
    };
    window Long on Ping = predicate {
        start: true, end: fare == 0, max_window_time: 6 s, partition: cab, nesting: true, capacity: 6 elements, 3 keys,
    };
}

cep! {
    window Dropped on Ping = predicate {
        start: fare != 3, end: fare == 1, size: 5 s, output_if_max_window_time: false, partition: cab, keep_time_order: false,
        same_start_time: true, keep_ending_element: true, capacity: 5 elements, 2 keys,
    };
    window Both on Ping = predicate {
        start: fare > 1, end: fare == 9, size: 9 s, close_window_after_no_updates_for: 3 s, partition: cab,
        capacity: 4 elements, 3 keys,
    } agg { n: count(*), paid: sum(fare) };
}

cep! {
    window Moves on Ping = predicate {
        start: true, end: len >= 2, keep_ending_element: true, advance_when: fare > 1, advance_size: 1, size: 7 s, partition: cab,
        capacity: 7 elements, 3 keys,
    };
    window Stays on Ping = predicate {
        start: fare > 0, end: fare == 2, clear: fare == 9, partition: cab,
        close_window_after_no_updates_for: 5 s, capacity: 9 elements, 3 keys,
    };
    window Before on Ping = predicate {
        start: prev.fare.is_none() || prev.fare < fare, end: first.fare > fare, max_window_time: 5 s, partition: cab, keep_ending_element: true,
        capacity: 5 elements, 2 keys,
    } agg { n: count(*), top: max(fare), first: first(at) };
}

/// Runs a window beside one that sees only what the first one took; counts what came out and what was refused.
macro_rules! runs {
    ($name:ident, |$out:ident| $shown:expr) => {{
        let (mut results, mut refused) = (0, 0);
        for seed in 1..200u64 {
            let mut state = seed;
            let mut next = move |n: u64| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) % n
            };
            let (mut all, mut taken) = ($name::new(), $name::new());
            let mut at = 0;
            for step in 0..120 {
                // a refused element's time may be taken back
                let late = at + next(4);
                let e = Ping {
                    at: late,
                    cab: u32::try_from(next(4)).unwrap_or(0),
                    fare: i64::try_from(next(11)).unwrap_or(0),
                };
                let (a, b) = (RefCell::new(Vec::new()), RefCell::new(Vec::new()));
                match all.push_split(
                    &e,
                    |$out| a.borrow_mut().push($shown),
                    |p| a.borrow_mut().push(format!("{p:?}")),
                ) {
                    Ok(()) => {
                        at = late;
                        taken
                            .push_split(
                                &e,
                                |$out| b.borrow_mut().push($shown),
                                |p| b.borrow_mut().push(format!("{p:?}")),
                            )
                            .expect("taken by the other");
                    }
                    Err(PushError::Full) => {
                        refused += 1;
                        continue;
                    }
                    Err(e) => panic!("{e:?}"),
                }
                if step % 17 == 0 {
                    at += next(6);
                    all.advance_to_split(
                        at,
                        |$out| a.borrow_mut().push($shown),
                        |p| a.borrow_mut().push(format!("{p:?}")),
                    );
                    taken.advance_to_split(
                        at,
                        |$out| b.borrow_mut().push($shown),
                        |p| b.borrow_mut().push(format!("{p:?}")),
                    );
                }
                results += a.borrow().len();
                assert_eq!(a, b, "{} at {step} of {seed}", stringify!($name));
                assert_eq!(all.stats(), taken.stats());
            }
            let (a, b) = (RefCell::new(Vec::new()), RefCell::new(Vec::new()));
            all.finish_split(|$out| a.borrow_mut().push($shown), |p| a.borrow_mut().push(format!("{p:?}")));
            taken.finish_split(|$out| b.borrow_mut().push($shown), |p| b.borrow_mut().push(format!("{p:?}")));
            assert_eq!(a, b);
        }
        assert!(
            results > 1000 && refused > 100,
            "{}: {results} results, {refused} refused",
            stringify!($name)
        );
    }};
}

#[test]
fn a_refused_element_leaves_no_trace() {
    runs!(Idle, |w| format!("{w:?} {:?}", w.reason()));
    runs!(Long, |w| format!(
        "{:?} {} {:?}",
        w.members().map(|m| m.position()).collect::<Vec<_>>(),
        w.end(),
        w.reason()
    ));
    runs!(Dropped, |w| format!("{w:?} {:?}", w.reason()));
    runs!(Both, |w| format!("{w:?} {} {} {:?}", w.start(), w.end(), w.reason()));
    runs!(Moves, |w| format!("{w:?} {:?}", w.reason()));
    runs!(Stays, |w| format!("{w:?} {:?}", w.reason()));
    runs!(Before, |w| format!("{w:?} {} {} {:?}", w.start(), w.end(), w.reason()));
}

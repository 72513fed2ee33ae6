//! Predicate windows: what the vectors do not say. Folds, keys, capacities, `prev`, event types, patterns over windows.
use cep::{Event, PushError, Reason, cep};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Pickup,
    Drive,
    Dropoff,
}

#[derive(Event, Clone, Copy, Debug)]
struct Ping {
    #[event(time = "s")]
    at: u64,
    #[event(key)]
    cab: u32,
    kind: Kind,
    fare: Option<i64>,
}

/// The source's own example runs from raw input.
#[derive(Event, Clone, Copy, Debug)]
struct Raw {
    #[event(time)]
    time: i64,
    id: u8,
    is_last: bool,
}

#[derive(Event, Clone, Copy, Debug)]
enum Reading {
    T {
        #[event(time)]
        at: i64,
        value: f64,
    },
    H {
        #[event(time)]
        at: i64,
        value: f64,
        dry: bool,
    },
}

cep! {
    /// A trip: opened by a meter start, closed by a drop-off, one per cab.
    window Trip on Ping = predicate {
        start: kind == Kind::Pickup,
        end: kind == Kind::Dropoff,
        keep_ending_element: true,
        same_start_time: true,
        partition: cab,
        max_window_time: 2 h,
        output_if_max_window_time: false,
        close_window_after_no_updates_for: 10 min,
        capacity: 8 elements, 4 keys or error,
    } agg { pings: count(*), paid: sum_some(fare), top: max(fare) };

    /// Patterns run on windows.
    pattern Rise on Trip = Trip as a ; Trip as b filter b.paid > a.paid && a.cab == b.cab within 10 events;
}

cep! {
    window Runs on Raw = predicate {
        start: prev.id.is_none() || prev.id != id,
        end: prev.id != id || is_last,
        keep_ending_element: true,
        same_start_time: true,
        capacity: 8 elements,
    };

    window Three on Raw = predicate { start: true, end: len >= 3, capacity: 3 elements };
}

cep! {
    window Sliding on Raw = predicate {
        start: true, end: len >= 3, keep_ending_element: true, same_start_time: true, advance_when: true, advance_size: 1, capacity: 8 elements,
    } agg { n: count(*), first: first(time), last: last(time) };
    window Small on Raw = predicate { start: true, end: is_last, capacity: 2 elements };
}

cep! {
    window Evicting on Raw = predicate { start: true, end: is_last, nesting: true, capacity: 2 elements or evict };
    window Both on Reading = predicate { start: value > 30.0, end: value < 10.0, nesting: true, capacity: 8 elements };
    window Dry on Reading::H = predicate { start: dry && first.value.is_none() || value > first.value, capacity: 8 elements };
}

fn ping(at: u64, cab: u32, kind: Kind, fare: Option<i64>) -> Ping {
    Ping { at, cab, kind, fare }
}

fn raw(time: i64, id: u8, is_last: bool) -> Raw {
    Raw { time, id, is_last }
}

#[test]
fn folds_of_each_key() {
    let mut trip = Trip::new();
    let mut rise = Rise::new();
    let mut out = Vec::new();
    let mut rises = 0;
    for p in [
        ping(0, 1, Kind::Pickup, None),
        ping(10, 2, Kind::Pickup, None),
        ping(20, 1, Kind::Drive, Some(3)),
        ping(30, 1, Kind::Dropoff, Some(4)),
        ping(40, 2, Kind::Dropoff, Some(9)),
        ping(50, 1, Kind::Pickup, Some(1)),
        ping(60, 1, Kind::Dropoff, Some(8)),
        ping(70, 3, Kind::Pickup, Some(2)),
        // cab 3 was quiet for ten minutes
        ping(670, 4, Kind::Drive, None),
    ] {
        for r in trip.push(&p).expect("room") {
            out.push((r.cab, r.pings, r.paid, r.top, r.start(), r.end(), r.reason()));
            rises += rise.push(&r).count();
        }
    }
    assert_eq!(
        out,
        [
            (1, 3, 7, None, 0, 30, Reason::End),
            (2, 2, 9, None, 10, 40, Reason::End),
            (1, 2, 9, Some(8), 50, 60, Reason::End),
            (3, 1, 2, Some(2), 70, 670, Reason::Idle),
        ]
    );
    assert_eq!((rises, trip.passed(), trip.stats().keys), (1, 1, 0));
    assert!(Trip::EXPLAIN.contains(&format!("state: {} bytes", size_of::<Trip>())), "{}", Trip::EXPLAIN);
}

#[test]
fn timeouts_have_two_sides() {
    let mut trip = Trip::new();
    assert_eq!(trip.push(&ping(0, 1, Kind::Pickup, None)).expect("room").count(), 0);
    assert_eq!(trip.advance_to(599).count(), 0);
    let out: Vec<_> = trip.advance_to(600).map(|r| (r.cab, r.end(), r.reason())).collect();
    assert_eq!(out, [(1, 600, Reason::Idle)]);
    assert_eq!(trip.advance_to(599).count(), 0);
    assert_eq!(trip.push(&ping(599, 1, Kind::Pickup, None)).err(), Some(PushError::OutOfOrder));
    for i in 0..=24 {
        let at = 600 + i * 300;
        // two hours after the first ping the window is gone, without output
        assert_eq!(
            trip.push(&ping(at, 1, if i == 0 { Kind::Pickup } else { Kind::Drive }, None))
                .expect("room")
                .count(),
            0
        );
        assert_eq!(trip.stats().keys, u64::from(i < 24));
    }
    assert_eq!(trip.finish().count(), 0);
    assert_eq!(trip.push(&ping(9999, 1, Kind::Pickup, None)).err(), Some(PushError::OutOfOrder));
}

#[test]
fn keys_are_bounded() {
    let mut trip = Trip::new();
    for cab in 0..4 {
        assert!(trip.push(&ping(1, cab, Kind::Pickup, None)).is_ok());
    }
    assert_eq!(trip.push(&ping(1, 9, Kind::Pickup, None)).err(), Some(PushError::Full));
    // what opens no window needs no place
    assert!(trip.push(&ping(1, 9, Kind::Drive, None)).is_ok());
    assert!(trip.push(&ping(2, 0, Kind::Dropoff, None)).is_ok());
    assert!(trip.push(&ping(2, 9, Kind::Pickup, None)).is_ok());
    assert_eq!(trip.finish().map(|r| r.cab).collect::<Vec<_>>(), [1, 2, 3, 9]);
}

#[test]
fn the_element_before_is_read() {
    let mut runs = Runs::new();
    let mut out = Vec::new();
    for (t, id, is_last) in [(1, 1, false), (2, 1, false), (3, 1, true), (4, 2, false), (5, 2, true)] {
        out.extend(runs.push(&raw(t, id, is_last)).expect("room").map(|e| (e.time, e.start(), e.end())));
    }
    assert_eq!(out, [(1, 1, Some(3)), (2, 1, Some(3)), (3, 1, Some(3)), (4, 4, Some(5)), (5, 4, Some(5))]);
}

#[test]
fn a_capacity_holds_a_whole_window() {
    let mut three = Three::new();
    let mut sizes = Vec::new();
    for t in 0..7 {
        sizes.push(three.push(&raw(t, 0, false)).expect("three are enough").count());
    }
    assert_eq!(sizes, [0, 0, 0, 3, 0, 0, 3]);
    let mut small = Small::new();
    assert!(small.push(&raw(0, 0, false)).is_ok() && small.push(&raw(1, 0, false)).is_ok());
    assert_eq!(small.push(&raw(2, 0, false)).err(), Some(PushError::Full));
    assert_eq!(small.position(), 2);
    // it closes the window, and opens the next one
    assert_eq!(small.push(&raw(2, 0, true)).expect("room").map(|e| e.position()).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(
        small.finish().map(|e| (e.position(), e.end(), e.reason())).collect::<Vec<_>>(),
        [(2, Some(3), Some(Reason::EndOfStream))]
    );
}

#[test]
fn the_oldest_goes() {
    let mut evicting = Evicting::new();
    for t in 0..4 {
        assert!(evicting.push(&raw(t, 0, false)).is_ok());
    }
    let mut windows = evicting.push(&raw(9, 0, true)).expect("room");
    let window = windows.next().expect("it closes");
    assert_eq!(window.members().map(|m| m.time).collect::<Vec<_>>(), [2, 3]);
    assert_eq!((window.start(), window.end(), window.reason()), (2, 9, Reason::End));
    assert!(windows.next().is_none());
    assert_eq!(evicting.stats().evicted, 2);
}

#[test]
fn a_window_that_moves_on() {
    let mut sliding = Sliding::new();
    let mut out = Vec::new();
    for t in 0..6 {
        out.extend(sliding.push(&raw(t, 0, false)).expect("room").map(|r| (r.n, r.first, r.last)));
    }
    // the condition is asked before the element is in
    assert_eq!(out, [(4, 0, 3), (4, 1, 4), (4, 2, 5)]);
}

#[test]
fn several_event_types_and_one_of_them() {
    let mut both = Both::new();
    let mut dry = Dry::new();
    let stream = [
        Reading::T { at: 1, value: 40.0 },
        Reading::H { at: 2, value: 20.0, dry: true },
        Reading::H { at: 3, value: 25.0, dry: false },
        Reading::T { at: 4, value: 5.0 },
        Reading::H { at: 5, value: 19.0, dry: false },
    ];
    let (mut members, mut runs) = (Vec::new(), Vec::new());
    for r in &stream {
        let mut windows = both.push(r).expect("room");
        while let Some(w) = windows.next() {
            members.extend(w.members().map(|m| match *m {
                BothEvent::T(t) => (0, t.value),
                BothEvent::H(h) => (1, h.value),
            }));
        }
        runs.extend(dry.push(r).expect("room").map(|e| (e.value, e.position())));
    }
    assert_eq!(members, [(0, 40.0), (1, 20.0), (1, 25.0)]);
    assert_eq!(runs, [(20.0, 1), (25.0, 2)]);
}

#[derive(Event, Clone, Copy, Debug)]
enum Mixed {
    A {
        #[event(time)]
        t: u64,
        open: bool,
    },
    B {
        note: u8,
        #[event(time)]
        at: u64,
    },
    C,
}

cep! {
    window Ages on Mixed::A = predicate {
        start: open,
        max_window_time: 4 ms,
        max_window_time_output_port: 2,
        capacity: 8 elements,
    } agg { n: count(*) };
}

/// Time is that of every event, also of those that the window does not look at.
#[test]
fn other_event_types_have_a_time_as_well() {
    let mut ages = Ages::new();
    let outputs = |w: AgesWindows<'_>| w.map(|o| (o.start(), o.end(), o.port())).collect::<Vec<_>>();
    assert_eq!(ages.push(&Mixed::A { t: 3, open: true }).map(outputs), Ok(vec![]));
    assert_eq!(ages.push(&Mixed::B { note: 0, at: 6 }).map(outputs), Ok(vec![]));
    assert_eq!(ages.push(&Mixed::C).map(outputs), Ok(vec![]));
    assert_eq!(ages.push(&Mixed::B { note: 0, at: 7 }).map(outputs), Ok(vec![(3, 7, 2)]));
    // what was not asked for is not kept for the next event
    assert_eq!(ages.push(&Mixed::C).map(outputs), Ok(vec![]));
    assert_eq!(ages.push(&Mixed::A { t: 5, open: true }).err(), Some(PushError::OutOfOrder));
    assert_eq!(ages.push(&Mixed::A { t: 8, open: true }).map(outputs), Ok(vec![]));
    assert_eq!(ages.push(&Mixed::B { note: 0, at: 9 }).map(outputs), Ok(vec![]));
    assert_eq!(outputs(ages.finish()), [(8, 10, 0)]);
    assert_eq!(ages.push(&Mixed::C).err(), Some(PushError::OutOfOrder));
}

//! `within window`: a pattern inside each window of another item, against a search by the definition.
use cep::{PushError, cep};

mod rides {
    use cep::{Event, cep};

    #[derive(Event, Clone, Copy, Debug)]
    pub(crate) enum Ping {
        A {
            #[event(time = "s")]
            at: u64,
            cab: u32,
            v: i64,
        },
        B {
            #[event(time = "s")]
            at: u64,
            cab: u32,
            v: i64,
        },
    }

    cep! {
        /// Windows of another module.
        pub(crate) window Trip on Ping = predicate {
            start: v > 6, end: v < 2, partition: cab, keep_ending_element: true, close_window_after_no_updates_for: 9 s,
            keep_time_order: false, capacity: 4 keys,
        } agg { n: count(*) };
    }
}
use rides::{Ping, Trip};

cep! {
    /// An element may end one window and open the next one.
    window Runs on Ping = predicate {
        start: v > 4, end: v == 9 || v == 1, partition: cab, keep_ending_element: true, nesting: true, size: 30 s,
        capacity: 64 elements, 4 keys,
    };
    /// What ends a window is not in it.
    window Open on Ping = predicate {
        start: v != 3, end: v == 0, clear: v == 5, partition: cab, use_element_only_for_start_or_end: true, keep_time_order: false,
        capacity: 150 elements, 4 keys,
    };
    /// It moves on with each output.
    window Moves on Ping = predicate {
        start: true, end: len >= 3 && v > 2, advance_when: v > 4, advance_size: 2, partition: cab, keep_time_order: false,
        capacity: 150 elements, 4 keys,
    };
    /// Only one type of event is in it.
    window Only on Ping::A = predicate { start: v > 3, end: v < 3, capacity: 64 elements };
}

cep! {
    pattern Pairs on Ping = A as a ; B as b filter b.v >= a.v within window Trip capacity 64 events;
    pattern Next on Ping = A as a : B as b within window Trip capacity 64 events;
    pattern Last on Ping = A as a ; A as c : B as b filter b.v != a.v within window Runs capacity 64 events;
    pattern Plus on Ping = A as a ; (B as b filter b.v > a.v)+ ; A as c filter c.v < a.v within window Runs capacity 64 events select a, c;
}

cep! {
    pattern Ask on Ping = A as a ; B as b filter b.v == a.v within window Open capacity 64 events detect;
    pattern Count on Ping = A as a ; B as b within window Open capacity 64 events summarize { n: count(*) };
    pattern Moved on Ping = A as a ; B as b within window Moves capacity 64 events;
    pattern One on Ping = A as a filter a.v > 2 within window Moves;
}

cep! {
    pattern Typed on Ping = A as a ; A as b within window Only capacity 64 events;
    pattern Few on Ping = A as a ; B as b within window Trip capacity 2 events or evict;
    pattern Full on Ping = A as a ; B as b within window Trip capacity 3 events;
    pattern Once on Ping = A as a ; B as b within window Trip consume any capacity 64 events;
}

fn v(p: &Ping) -> i64 {
    match *p {
        Ping::A { v, .. } | Ping::B { v, .. } => v,
    }
}
fn at(p: &Ping) -> u64 {
    match *p {
        Ping::A { at, .. } | Ping::B { at, .. } => at,
    }
}
fn cab(p: &Ping) -> u32 {
    match *p {
        Ping::A { cab, .. } | Ping::B { cab, .. } => cab,
    }
}
fn is_a(p: &Ping) -> bool {
    matches!(p, Ping::A { .. })
}

fn stream(seed: u64, n: usize) -> Vec<Ping> {
    let mut state = seed;
    let mut next = move |n: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    let mut at = 0;
    (0..n)
        .map(|_| {
            at += if next(20) == 0 { 12 } else { next(3) };
            let (cab, v) = (u32::try_from(next(3)).unwrap_or(0), i64::try_from(next(10)).unwrap_or(0));
            if next(2) == 0 { Ping::A { at, cab, v } } else { Ping::B { at, cab, v } }
        })
        .collect()
}

/// When it moves on, and by how many elements.
type Advance = (fn(i64) -> bool, usize);

/// The rules of a window, as its page gives them.
struct Rules {
    start: fn(i64) -> bool,
    end: fn(i64, usize) -> bool,
    clear: fn(i64) -> bool,
    advance: Option<Advance>,
    keep_end: bool,
    one_role: bool,
    /// It stays open after an output (`clear`, `advance_when`).
    stays: bool,
    max: u64,
    idle: u64,
    /// Only `A`, and no keys.
    only: bool,
}

const TRIP: Rules = Rules {
    start: |v| v > 6,
    end: |v, _| v < 2,
    clear: |_| false,
    advance: None,
    keep_end: true,
    one_role: false,
    stays: false,
    max: u64::MAX,
    idle: 9,
    only: false,
};
const RUNS: Rules = Rules { start: |v| v > 4, end: |v, _| v == 9 || v == 1, max: 30, idle: u64::MAX, ..TRIP };
const OPEN: Rules = Rules {
    start: |v| v != 3,
    end: |v, _| v == 0,
    clear: |v| v == 5,
    keep_end: false,
    one_role: true,
    stays: true,
    idle: u64::MAX,
    ..TRIP
};
const MOVES: Rules = Rules {
    start: |_| true,
    end: |v, len| len >= 3 && v > 2,
    advance: Some((|v| v > 4, 2)),
    keep_end: false,
    stays: true,
    idle: u64::MAX,
    ..TRIP
};
const ONLY: Rules =
    Rules { start: |v| v > 3, end: |v, _| v < 3, keep_end: false, idle: u64::MAX, only: true, ..TRIP };

/// For each event the positions in its window's list when it came, itself the last; nothing for one in no window.
fn lists(stream: &[Ping], r: &Rules) -> Vec<Vec<usize>> {
    let mut open: Vec<(u32, Vec<usize>)> = Vec::new();
    let mut out = Vec::new();
    for (i, e) in stream.iter().enumerate() {
        if r.only && !is_a(e) {
            out.push(Vec::new());
            continue;
        }
        let (t, v) = (at(e), v(e));
        open.retain(|(_, l)| {
            !l.is_empty() && t - at(&stream[l[0]]) < r.max && t - at(&stream[l[l.len() - 1]]) < r.idle
        });
        let key = if r.only { 0 } else { cab(e) };
        let place = open.iter().position(|o| o.0 == key).unwrap_or_else(|| {
            open.push((key, Vec::new()));
            open.len() - 1
        });
        let list = &mut open[place].1;
        if !list.is_empty() && (r.clear)(v) {
            list.clear();
        }
        let starts = (r.start)(v);
        let ends = !list.is_empty() && (r.end)(v, list.len());
        let mut seen = Vec::new();
        let mut taken = false;
        if !list.is_empty() {
            if !ends || r.keep_end {
                list.push(i);
                seen.clone_from(list);
                taken = true;
            }
            if ends {
                match r.advance {
                    Some((when, n)) if when(v) => _ = list.drain(..n.min(list.len())),
                    _ if !r.stays => list.clear(),
                    _ => {}
                }
            }
        }
        if !taken && starts && (!ends || !r.one_role) {
            list.push(i);
            seen.clone_from(list);
        } else if taken && ends && starts && !r.one_role && list.is_empty() {
            list.push(i);
        }
        out.push(seen);
    }
    out
}

/// Every choice of one event for each step of a list that ends with its last event.
fn choices(list: &[usize], steps: usize) -> Vec<Vec<usize>> {
    let Some((last, before)) = list.split_last() else { return Vec::new() };
    let mut out = vec![vec![*last]];
    for _ in 1..steps {
        let mut longer = Vec::new();
        for c in &out {
            for p in before.iter().filter(|p| **p < c[0]) {
                longer.push([&[*p], &c[..]].concat());
            }
        }
        out = longer;
    }
    out
}

const SEEDS: u64 = 60;
const EVENTS: usize = 150;

/// Runs a machine over many streams; gives the number of results.
fn compare<R: Ord + std::fmt::Debug>(
    rules: &Rules,
    mut run: impl FnMut(&[Ping]) -> Vec<Vec<R>>,
    mut by_definition: impl FnMut(&[Ping], &[usize]) -> Vec<R>,
) {
    let mut results = 0;
    for seed in 1..=SEEDS {
        let stream = stream(seed, EVENTS);
        let lists = lists(&stream, rules);
        for (i, mut found) in run(&stream).into_iter().enumerate() {
            let mut expected = by_definition(&stream, &lists[i]);
            found.sort();
            expected.sort();
            expected.dedup();
            assert_eq!(found, expected, "event {i} of stream {seed}: {:?}", lists[i]);
            results += found.len();
        }
    }
    assert!(results > 300, "{results}");
}

macro_rules! found {
    ($machine:ident, |$m:ident| $shown:expr) => {
        |stream: &[Ping]| {
            let mut machine = $machine::new();
            stream.iter().map(|e| machine.push(e).expect("room").map(|$m| $shown).collect()).collect()
        }
    };
}

#[test]
fn pairs_in_one_window() {
    compare(&TRIP, found!(Pairs, |m| (m.a.position(), m.b.position())), |s, list| {
        let all = choices(list, 2).into_iter();
        all.filter(|c| is_a(&s[c[0]]) && !is_a(&s[c[1]]) && v(&s[c[1]]) >= v(&s[c[0]]))
            .map(|c| (c[0] as u64, c[1] as u64))
            .collect()
    });
}

#[test]
fn neighbours_are_those_of_the_window() {
    compare(&TRIP, found!(Next, |m| (m.a.position(), m.b.position())), |s, list| match list {
        [.., a, b] if is_a(&s[*a]) && !is_a(&s[*b]) => vec![(*a as u64, *b as u64)],
        _ => Vec::new(),
    });
    compare(&RUNS, found!(Last, |m| (m.a.position(), m.c.position(), m.b.position())), |s, list| {
        let all = choices(list, 3).into_iter();
        all.filter(|c| is_a(&s[c[0]]) && is_a(&s[c[1]]) && !is_a(&s[c[2]]) && v(&s[c[2]]) != v(&s[c[0]]))
            .filter(|c| list[list.len() - 2] == c[1])
            .map(|c| (c[0] as u64, c[1] as u64, c[2] as u64))
            .collect()
    });
}

#[test]
fn iterations_in_one_window() {
    compare(&RUNS, found!(Plus, |m| (m.a.position(), m.c.position())), |s, list| {
        let all = choices(list, 2).into_iter();
        all.filter(|c| {
            let (a, z) = (&s[c[0]], &s[c[1]]);
            let between = list.iter().filter(|p| **p > c[0] && **p < c[1]);
            let some = between.clone().any(|p| !is_a(&s[*p]) && v(&s[*p]) > v(a));
            is_a(a) && is_a(z) && v(z) < v(a) && some
        })
        .map(|c| (c[0] as u64, c[1] as u64))
        .collect()
    });
}

#[test]
fn windows_that_stay_open_or_move_on() {
    compare(&MOVES, found!(Moved, |m| (m.a.position(), m.b.position())), |s, list| {
        let all = choices(list, 2).into_iter();
        all.filter(|c| is_a(&s[c[0]]) && !is_a(&s[c[1]])).map(|c| (c[0] as u64, c[1] as u64)).collect()
    });
    compare(&MOVES, found!(One, |m| m.a.position()), |s, list| {
        let all = choices(list, 1).into_iter();
        all.filter(|c| is_a(&s[c[0]]) && v(&s[c[0]]) > 2).map(|c| c[0] as u64).collect()
    });
    compare(&ONLY, found!(Typed, |m| (m.a.position(), m.b.position())), |_, list| {
        choices(list, 2).into_iter().map(|c| (c[0] as u64, c[1] as u64)).collect()
    });
    // `detect` and `summarize`
    let ask = |s: &[Ping]| {
        let mut m = Ask::new();
        s.iter().map(|e| if m.push(e).expect("room") { vec![m.latest_start()] } else { Vec::new() }).collect()
    };
    compare(&OPEN, ask, |s, list| {
        let all = choices(list, 2).into_iter();
        let starts = all.filter(|c| is_a(&s[c[0]]) && !is_a(&s[c[1]]) && v(&s[c[0]]) == v(&s[c[1]]));
        starts.map(|c| c[0] as u64).max().map(Some).into_iter().collect()
    });
    let count = |s: &[Ping]| {
        let mut m = Count::new();
        s.iter().map(|e| vec![u128::from(m.push(e).expect("room").n)]).collect()
    };
    compare(&OPEN, count, |s, list| {
        let all = choices(list, 2).into_iter();
        vec![all.filter(|c| is_a(&s[c[0]]) && !is_a(&s[c[1]])).count() as u128]
    });
}

#[test]
fn what_a_window_has_no_room_for() {
    // the two newest accepted events of a window, the newest included
    compare(&TRIP, found!(Few, |m| (m.a.position(), m.b.position())), |s, list| match list {
        [.., a, b] if is_a(&s[*a]) && !is_a(&s[*b]) => vec![(*a as u64, *b as u64)],
        _ => Vec::new(),
    });
    // a refused event leaves no trace
    let mut refused = 0;
    for seed in 1..=SEEDS {
        let (mut all, mut taken) = (Full::new(), Full::new());
        for e in &stream(seed, EVENTS) {
            match all.push(e).map(|m| m.map(|m| (m.a.at, m.b.at)).collect::<Vec<_>>()) {
                Ok(found) => {
                    let other: Vec<_> = taken.push(e).expect("taken").map(|m| (m.a.at, m.b.at)).collect();
                    assert_eq!(found, other);
                }
                Err(e) => {
                    assert_eq!(e, PushError::Full);
                    refused += 1;
                }
            }
        }
        assert_eq!(all.stats(), taken.stats());
    }
    assert!(refused > 100, "{refused}");
}

#[test]
fn consumption_and_time() {
    let mut once = Once::new();
    let trip = |t: u64, v: i64| Ping::A { at: t, cab: 1, v };
    let stop = |t: u64, v: i64| Ping::B { at: t, cab: 1, v };
    assert_eq!(once.push(&trip(0, 7)).expect("room").count(), 0);
    assert_eq!(once.push(&stop(1, 5)).expect("room").count(), 1);
    // the first one is used up, the window goes on
    assert_eq!(once.push(&stop(2, 5)).expect("room").count(), 0);
    assert_eq!((once.stats().keys, once.push(&trip(2, 5)).expect("room").count()), (1, 0));
    assert_eq!(once.push(&stop(3, 5)).expect("room").count(), 1);
    // nine seconds without an element close it
    let _ = once.advance_to(12);
    assert_eq!(once.stats().keys, 0);
    assert_eq!(once.push(&stop(12, 8)).expect("room").count(), 0);
    assert_eq!(once.push(&trip(11, 5)).map(|m| m.count()), Err(PushError::OutOfOrder));
    once.reset();
    assert_eq!(once.push(&trip(0, 7)).expect("room").count(), 0);
    assert!(Once::EXPLAIN.contains("inside each window of Trip"), "{}", Once::EXPLAIN);
    let mut trips = Trip::new();
    assert_eq!(trips.push(&trip(0, 7)).expect("room").count(), 0);
}

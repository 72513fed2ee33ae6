//! Searches whose runs are exponentially many and whose matches are not. Each of these would not end within a lifetime if every run were
//! walked; the figures are counted by hand.
use cep::{Event, cep};

#[derive(Event, Clone, Copy, Debug)]
enum E {
    A { v: i64, id: u32 },
    B { v: i64, id: u32 },
    C { v: i64, id: u32 },
}

cep! {
    pattern Spans on E = A+ within 64 events select none;
    pattern Around on E = A as a ; B+ ; C as c within 64 events select a, c;
    pattern Before on E = (A as a)+ ; C as c within 64 events select c;
    pattern Consumed on E = (A as a)+ ; C as c within 64 events consume any select c;
}

cep! {
    pattern Nested on E = ((A as a)+)+ ; C as c within 64 events select c;
    pattern Optional on E = C as c ; ((A as a)? ; (B as b)?)* ; C as d within 64 events select c, d;
}

cep! {
    pattern Three on E = A+ ; A+ ; A+ within 64 events select none;
    pattern Rising on E = (A as a filter a.v > prev(a).v)+ ; C as c within 64 events select c;
    pattern First on E = (A as a)+ ; C as c filter first(a).id == c.id within 64 events select c;
}

cep! {
    pattern Ends on E = (A as a)+ ; C as c filter first(a).id == c.id && last(a).v == c.v within 64 events select c;
    pattern Below on E = (A as a)+ ; C as c filter a.v > c.v within 64 events select c;
}

cep! {
    pattern Joined on E = A as a ; (B as b)+ ; C as c filter b.v >= c.v && b.v >= a.v within 64 events select a, c;
    pattern Starred on E = (A as a)* ; (B as b)* ; C as c filter b.id == c.id within 64 events select c;
    pattern Never on E = (A as a)+ ; C as c filter a.v > c.v && first(a).id == 1 && last(a).v < 0 within 64 events detect;
}

fn a(i: usize) -> E {
    E::A { v: i64::try_from(i).unwrap_or(0), id: 0 }
}
fn b(i: usize) -> E {
    E::B { v: i64::try_from(i).unwrap_or(0), id: 0 }
}
fn c(v: i64) -> E {
    E::C { v, id: 0 }
}

#[test]
fn intervals_of_a_dropped_iteration() {
    let mut m = Spans::new();
    for i in 0..100 {
        let starts: Vec<u64> = m.push(&a(i)).map(|x| x.start()).collect();
        assert_eq!(starts.len(), (i + 1).min(64));
    }
}

#[test]
fn an_iteration_between_selected_events() {
    let (mut around, mut joined) = (Around::new(), Joined::new());
    for i in 0..10 {
        around.push(&a(i)).count();
        joined.push(&a(i)).count();
    }
    for i in 0..50 {
        around.push(&b(i)).count();
        joined.push(&b(i)).count();
    }
    assert_eq!(around.push(&c(0)).count(), 10);
    assert_eq!(joined.push(&c(0)).count(), 10);
}

#[test]
fn an_iteration_in_front() {
    let (mut before, mut consumed, mut nested, mut rising, mut below) =
        (Before::new(), Consumed::new(), Nested::new(), Rising::new(), Below::new());
    for i in 0..60 {
        for n in [
            before.push(&a(i)).count(),
            consumed.push(&a(i)).count(),
            nested.push(&a(i)).count(),
            rising.push(&a(i)).count(),
            below.push(&a(i)).count(),
        ] {
            assert_eq!(n, 0);
        }
    }
    // one match for each start
    assert_eq!(before.push(&c(0)).count(), 60);
    assert_eq!(consumed.push(&c(0)).count(), 60);
    assert_eq!(nested.push(&c(0)).count(), 60);
    assert_eq!(rising.push(&c(0)).count(), 60);
    assert_eq!(below.push(&c(49)).count(), 10);
    assert_eq!(consumed.push(&c(0)).count(), 0);
}

#[test]
fn iterations_in_a_row_and_inside_one_another() {
    let (mut optional, mut three, mut starred) = (Optional::new(), Three::new(), Starred::new());
    assert_eq!(optional.push(&c(0)).count(), 0);
    for i in 0..30 {
        for event in [a(i), b(i)] {
            optional.push(&event).count();
            starred.push(&event).count();
        }
    }
    assert_eq!(optional.push(&c(0)).count(), 1);
    // every event and the completing one can be the first
    assert_eq!(starred.push(&c(0)).count(), 61);
    for i in 0..60 {
        assert_eq!(three.push(&a(i)).count(), (i + 1).saturating_sub(2));
    }
}

#[test]
fn conditions_on_the_ends_of_an_iteration() {
    let (mut first, mut ends, mut never) = (First::new(), Ends::new(), Never::new());
    for i in 0..60 {
        first.push(&a(i)).count();
        ends.push(&a(i)).count();
        assert!(!never.push(&a(i)));
    }
    assert_eq!(first.push(&c(0)).count(), 60);
    assert_eq!(ends.push(&c(20)).count(), 21);
    assert_eq!(ends.push(&c(-1)).count(), 0);
    assert!(!never.push(&c(-1)));
}

cep! {
    pattern AllOfThem on E = (A as a)+ filter count(a) >= 60 within 60 events select a;
    pattern TooMany on E = (A as a)+ ; C as c filter count(a) > 100 within 64 events select c;
    pattern ThreeOf on E = (A as a)+ ; C as c filter 3 == count(a) within 64 events select c;
}

cep! {
    pattern AtMost(most: i64) on E = A as x ; (A as a)* ; C as c filter count(a) <= most within 64 events select x, a, c;
    pattern Lowest on E = (A as a)+ ; C as c filter min(a.v) > c.v within 64 events select a, c;
    pattern Highest on E = (A as a)+ ; C as c filter 58 > max(a.v) && min(a.v) > c.v within 64 events select a, c;
}

#[test]
fn counts_that_can_be_seen_to_fail() {
    let (mut all, mut many, mut three, mut most) =
        (AllOfThem::new(), TooMany::new(), ThreeOf::new(), AtMost::new(1));
    for i in 0..60 {
        assert_eq!(all.push(&a(i)).count(), usize::from(i == 59));
        assert_eq!(many.push(&a(i)).count(), 0);
        assert_eq!(three.push(&a(i)).count(), 0);
        assert_eq!(most.push(&a(i)).count(), 0);
    }
    assert_eq!(many.push(&c(0)).count(), 0);
    // the last of three `A`s is any, and the first bounds the match: with `a` not selected, a match is its first event and `c`
    assert_eq!(three.push(&c(0)).count(), 58);
    // one `x` and at most one `a` behind it
    assert_eq!(most.push(&c(0)).count(), 60 + 60 * 59 / 2);
}

#[test]
fn extremes_that_fail_with_an_event() {
    let (mut lowest, mut highest) = (Lowest::new(), Highest::new());
    for i in 0..60 {
        assert_eq!(lowest.push(&a(i)).count(), 0);
        assert_eq!(highest.push(&a(i)).count(), 0);
    }
    // 55 to 59; those below 58 of them
    assert_eq!(lowest.push(&c(54)).count(), 31);
    assert_eq!(highest.push(&c(54)).count(), 7);
}

cep! {
    pattern Pair on E = A as a : B as b within 1_000_000 events;
    pattern Keyed on E = A as a : B as b within 1_000 events of its partition partition by id capacity 8 keys select a, b;
    pattern Part on E = (A as a ; B as b within 3 events) : (C as c)? filter a.id == b.id within 1_000_000 events select a, b, c;
}

/// A window is no longer than a match can be, so these look back a few events and fit into the machine.
#[test]
fn neighbours_need_no_window() {
    assert!(size_of::<Pair>() < 512 && size_of::<Part>() < 2_048 && size_of::<Keyed>() < 4_096);
    let (mut pair, mut part, mut keyed) = (Pair::new(), Part::new(), Keyed::new());
    let (mut found, mut near, mut with_c, mut of_key) = (0, 0, 0, 0);
    for i in 0..10_000 {
        let e = match i % 4 {
            0 | 1 => a(i),
            2 => b(i),
            _ => c(0),
        };
        found += pair.push(&e).filter(|m| m.a.v + 1 == m.b.v).count();
        for m in part.push(&e) {
            near += usize::from(m.b.v - m.a.v <= 2);
            with_c += usize::from(m.c.is_some());
        }
        if let Ok(matches) = keyed.push(&e) {
            of_key += matches.count();
        }
    }
    assert_eq!((found, near, with_c, of_key), (2_500, 10_000, 5_000, 2_500));
}

#[derive(Event, Clone, Copy, Debug)]
struct Tick {
    #[event(time)]
    at: u64,
    up: bool,
}

cep! {
    pattern Turn on Tick = Tick as a filter a.up : Tick as b filter !b.up within 7 min capacity 1024 events select a.at, b;
    pattern Turned on Tick = Tick as a : (Tick as b ; Tick as c within 3 events) filter a.up && !b.up && c.up within 7 min capacity 1024 events detect;
}

/// In time as well: a thousand ticks in the window, and each looks at three.
#[test]
fn neighbours_in_time_look_at_few() {
    let (mut turn, mut turned) = (Turn::new(), Turned::new());
    let (mut turns, mut found) = (0, 0);
    let begun = std::time::Instant::now();
    for at in 0..1_000_000 {
        let tick = Tick { at: at * 450, up: at % 4 < 2 };
        turns += turn.push(&tick).map(|m| m.filter(|m| m.a.at + 450 == m.b.at).count()).unwrap_or_default();
        found += usize::from(turned.push(&tick).unwrap_or_default());
    }
    assert_eq!((turns, found), (250_000, 249_999));
    // one look through the window for each turn would be 10^9 events
    assert!(begun.elapsed().as_secs() < 30);
}

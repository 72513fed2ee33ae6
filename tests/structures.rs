//! `detect` without a search: which structure a position gets, and that it is exact where keys are floats, NULL or opaque.
#![cfg(feature = "alloc")]
use cep::{Event, PushError, cep};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Sensor(u32);

#[derive(Event, Clone, Copy, Debug)]
enum R {
    T {
        #[event(time)]
        ts: i64,
        id: u32,
        value: f64,
        hot: bool,
        zone: Option<u16>,
        #[event(key, ord)]
        sensor: Sensor,
    },
    H {
        #[event(time)]
        ts: i64,
        id: u32,
        value: f64,
        hot: bool,
        zone: Option<u16>,
        #[event(key, ord)]
        sensor: Sensor,
    },
    Tick {
        #[event(time)]
        ts: i64,
    },
}

fn t(ts: i64, id: u32, value: f64) -> R {
    R::T { ts, id, value, hot: value > 20.0, zone: u16::try_from(id).ok(), sensor: Sensor(id) }
}
fn h(ts: i64, id: u32, value: f64) -> R {
    R::H { ts, id, value, hot: value > 20.0, zone: u16::try_from(id).ok(), sensor: Sensor(id) }
}
const fn tick(ts: i64) -> R {
    R::Tick { ts }
}

cep! {
    pattern Equal on R = T as a ; H as b filter a.id == b.id within 100 events detect;
    pattern Both on R = T as a ; H as b filter a.id == b.id && b.zone == a.zone within 100 events detect;
    pattern Floats on R = T as a ; H as b filter a.value == b.value within 100 events detect;
    pattern Opaque on R = T as a ; H as b filter a.sensor == b.sensor within 8 events detect;
    pattern OpaqueOrder on R = T as a ; H as b filter a.sensor < b.sensor within 8 events detect;
    pattern Less on R = T as a ; H as b filter a.value < b.value within 100 events detect;
    pattern Flag on R = T as a ; H as b filter a.hot == b.hot within 100 events detect;
}

cep! {
    pattern Next on R = T as a : H as b filter a.id == b.id && a.value < b.value within 100 events detect;
    pattern Chain on R = T as a ; Tick ; H as b filter a.id == b.id within 100 events detect;
    pattern Timed on R = T as a ; H as b filter a.id == b.id within 10 ms capacity 3 events detect;
    pattern TimedEvict on R = T as a ; H as b filter a.id == b.id within 10 ms capacity 3 events or evict detect;
}

cep! {
    pattern PerKey on R = T ; H within 1000 events partition by id detect;
    pattern PerKeyTimed on R = T : H within 10 ms partition by id capacity 8 events detect;
}

cep! {
    pattern Lent on R = T as a ; H as b filter a.id == b.id within 5000 events storage borrowed detect;
    pattern LentFront on R = T as a ; H as b filter a.value > b.value within 5000 events storage borrowed detect;
}

cep! {
    pattern LentKeys on R = T ; H within 50 events partition by id storage borrowed detect;
    pattern Large on R = T as a ; H as b filter a.id == b.id within 5000 events storage boxed detect;
}

cep! {
    pattern Both2 on R = T as a ; T as b filter b.value > a.value ; H as c filter c.id == b.id within 20 events detect;
    pattern TooLarge on R = T as a ; H as b filter a.zone == b.zone within 2000 events detect;
    #[cep(kernel = ring)] pattern Asked on R = T as a ; H as b filter a.id == b.id within 10 events detect;
}

/// The bytes that `EXPLAIN` says, and whether it says exactly these.
fn bytes(explain: &str) -> (usize, bool) {
    let line = explain.lines().find_map(|l| l.strip_prefix("machine: ")).expect("it says how large it is");
    let (exact, rest) = match line.strip_prefix("at least ").or(line.strip_prefix("about ")) {
        Some(rest) => (false, rest),
        None => (true, line),
    };
    (rest.trim_end_matches(" bytes").parse().expect("a number"), exact)
}

#[test]
fn the_report_says_which_structure_and_how_large() {
    for (explain, size, exact, text) in [
        (Equal::EXPLAIN, size_of::<Equal>(), true, "the latest start per `a.id` by hash"),
        (Both::EXPLAIN, size_of::<Both>(), true, "the latest start per `a.id`, `a.zone` by hash"),
        (Floats::EXPLAIN, size_of::<Floats>(), true, "the latest start per `a.value` by hash"),
        (Opaque::EXPLAIN, size_of::<Opaque>(), false, "the latest start per `a.sensor` by hash"),
        (OpaqueOrder::EXPLAIN, size_of::<OpaqueOrder>(), false, "with as small a `a.sensor` beats"),
        (Less::EXPLAIN, size_of::<Less>(), true, "with as small a `a.value` beats"),
        (Flag::EXPLAIN, size_of::<Flag>(), true, "for each of 2 values of `a.hot`"),
        (Next::EXPLAIN, size_of::<Next>(), true, "the newest run with `a.id`, `a.value`"),
        (Chain::EXPLAIN, size_of::<Chain>(), true, "the latest start per `a.id` by hash"),
        (Timed::EXPLAIN, size_of::<Timed>(), true, "the latest start per `a.id` by hash"),
        (TimedEvict::EXPLAIN, size_of::<TimedEvict>(), true, "the latest start per `a.id` by hash"),
        (Large::EXPLAIN, size_of::<Large>(), true, "the latest start per `a.id` by hash"),
        (Both2::EXPLAIN, size_of::<Both2>(), true, "with as small a `a.value` beats"),
        (PerKey::EXPLAIN, size_of::<PerKey>(), false, "latest start per position and key"),
    ] {
        assert!(explain.contains(text), "{explain}");
        let (said, is_exact) = bytes(explain);
        assert_eq!(is_exact, exact, "{explain}");
        assert!(if exact { said == size } else { said <= size + size / 20 }, "{size} bytes, but\n{explain}");
    }
    assert!(Asked::EXPLAIN.contains("universal ring: asked for"));
    assert!(
        TooLarge::EXPLAIN.contains("universal ring: structures of runs would take"),
        "{}",
        TooLarge::EXPLAIN
    );
}

#[test]
fn floats_are_equal_as_numbers_are() {
    let mut m = Floats::new();
    assert!(!m.push(&t(0, 1, -0.0)) && m.push(&h(0, 1, 0.0)) && m.push(&h(0, 1, -0.0)));
    assert!(!m.push(&t(0, 1, f64::NAN)) && !m.push(&h(0, 1, f64::NAN)));
    assert!(!m.push(&h(0, 1, 0.5)));
    let mut m = Less::new();
    assert!(!m.push(&t(0, 1, f64::NAN)) && !m.push(&h(0, 1, f64::INFINITY)));
    assert!(!m.push(&t(0, 1, 1.0)) && !m.push(&h(0, 1, f64::NAN)) && m.push(&h(0, 1, 1.5)));
}

#[test]
fn null_compares_with_nothing() {
    let mut m = Both::new();
    let null = |e: R| match e {
        R::T { ts, id, value, hot, sensor, .. } => R::T { ts, id, value, hot, zone: None, sensor },
        R::H { ts, id, value, hot, sensor, .. } => R::H { ts, id, value, hot, zone: None, sensor },
        R::Tick { .. } => e,
    };
    assert!(!m.push(&null(t(0, 1, 1.0))) && !m.push(&null(h(0, 1, 1.0))) && !m.push(&h(0, 1, 1.0)));
    assert!(!m.push(&t(0, 1, 1.0)) && !m.push(&null(h(0, 1, 1.0))) && m.push(&h(0, 1, 1.0)));
}

#[test]
fn opaque_keys_and_orders() {
    let (mut equal, mut order) = (Opaque::new(), OpaqueOrder::new());
    for e in [t(0, 5, 0.0), t(0, 3, 0.0)] {
        assert!(!equal.push(&e) && !order.push(&e));
    }
    assert!(equal.push(&h(0, 5, 0.0)) && equal.latest_start() == Some(0));
    assert!(!order.push(&h(0, 3, 0.0)) && order.push(&h(0, 4, 0.0)) && order.latest_start() == Some(1));
}

#[test]
fn the_window_takes_out_what_is_old_and_the_latest_start_stays() {
    let (mut m, mut ring) = (Equal::new(), Asked::new());
    assert!(!m.push(&t(0, 7, 0.0)) && !ring.push(&t(0, 7, 0.0)));
    for _ in 0..98 {
        assert!(!m.push(&tick(0)));
    }
    assert!(m.push(&h(0, 7, 0.0)) && m.latest_start() == Some(0));
    assert!(!m.push(&h(0, 7, 0.0)));
    assert_eq!((m.stats().kept, m.stats().results), (1, 1));
    assert!(format!("{m:?}").contains("1 keys"), "{m:?}");
    m.reset();
    assert!(!m.push(&h(0, 7, 0.0)));
}

#[test]
fn all_runs_move_at_once() {
    let mut m = Chain::new();
    for e in [t(0, 1, 0.0), t(0, 2, 0.0), h(0, 1, 0.0), tick(0), t(0, 3, 0.0)] {
        assert!(!m.push(&e));
    }
    assert!(m.push(&h(0, 2, 0.0)) && m.latest_start() == Some(1));
    assert!(!m.push(&h(0, 3, 0.0)), "no tick since");
    assert!(!m.push(&tick(0)) && m.push(&h(0, 3, 0.0)) && m.latest_start() == Some(4));
}

#[test]
fn a_capacity_counts_what_the_pattern_accepts() {
    let (mut m, mut evict) = (Timed::new(), TimedEvict::new());
    for e in [t(0, 1, 0.0), tick(1), t(2, 2, 0.0), h(3, 9, 0.0)] {
        assert_eq!((m.push(&e), evict.push(&e)), (Ok(false), Ok(false)));
    }
    assert_eq!(m.push(&h(4, 1, 0.0)), Err(PushError::Full));
    assert_eq!((m.position(), m.push(&tick(4))), (4, Ok(false)), "a tick is no event of the pattern");
    // the first T went, so its match is not found, and the machine says since when that cannot be again
    assert_eq!(evict.push(&h(4, 1, 0.0)), Ok(false));
    assert_eq!((evict.stats().evicted, evict.exact_from()), (1, Some(15)));
    assert_eq!(evict.push(&h(4, 2, 0.0)), Ok(false), "and the second");
    assert_eq!(m.push(&h(11, 2, 0.0)), Ok(true), "the first one is out of the window");
    assert_eq!(m.push(&h(10, 2, 0.0)), Err(PushError::OutOfOrder));
}

#[test]
fn keys_are_forgotten_after_the_window() {
    let mut m = PerKey::new();
    for id in 0..100_000 {
        assert!(!m.push(&t(0, id, 0.0)));
    }
    assert!(m.stats().keys <= 1000 && m.push(&h(0, 99_999, 0.0)) && !m.push(&h(0, 1, 0.0)));
    for _ in 0..1000 {
        assert!(!m.push(&tick(0)));
    }
    assert_eq!(m.stats().keys, 0);
    let mut m = PerKeyTimed::new();
    // neighbours are those of the key
    assert_eq!((m.push(&t(0, 1, 0.0)), m.push(&t(0, 2, 0.0))), (Ok(false), Ok(false)));
    assert_eq!((m.push(&h(1, 1, 0.0)), m.push(&h(1, 1, 0.0))), (Ok(true), Ok(false)));
    assert!(!m.advance_to(12));
    assert_eq!(m.stats().keys, 0);
}

#[test]
fn memory_can_be_lent() {
    let mut rings = LentRings::new();
    for _ in 0..2 {
        let mut m = Lent::over(&mut rings);
        assert!(!m.push(&h(0, 1, 0.0)), "what another machine left is gone");
        assert!(!m.push(&t(0, 1, 0.0)) && m.push(&h(0, 1, 0.0)));
    }
    let mut rings = LentFrontRings::new();
    let mut m = LentFront::over(&mut rings);
    assert!(!m.push(&t(0, 1, 2.0)) && !m.push(&t(0, 1, 1.0)));
    assert!(m.push(&h(0, 1, 1.5)) && m.latest_start() == Some(0));
    let mut rings = LentKeysRings::new();
    let mut m = LentKeys::over(&mut rings);
    assert!(!m.push(&t(0, 1, 2.0)) && !m.push(&h(0, 2, 1.5)) && m.push(&h(0, 1, 1.5)));
    let mut large = Large::new();
    assert!(!large.push(&t(0, 1, 0.0)) && large.clone().push(&h(0, 1, 0.0)));
}

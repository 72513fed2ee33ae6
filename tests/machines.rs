//! What a user does with a machine, as the documentation says it, and the names that could meet those of the machine's own code.
#![expect(missing_docs, reason = "the event type of the example is `pub`, as a library has it")]

use cep::{Event, Gives, Lends, Machine, Matching, Never, cep};

#[derive(Event, Clone, Copy, Debug)]
pub enum Reading {
    T { id: u32, value: f64 }, // temperature
    H { id: u32, value: f64 }, // humidity
}

cep! {
    /// A hot reading followed, at the same sensor, by a dry one.
    pub pattern FireRisk(hottest: f64) on Reading =
        T as hot filter hot.value > hottest ; H as dry filter dry.value < 25.0
        filter hot.id == dry.id
        within 100 events
        select hot, dry;

    pattern Close on Reading = T as hot ; H as dry filter hot.id == dry.id within 3 events;

    pattern Alarm on Reading = T as hot filter hot.value > 40.0 ; H as dry filter dry.value < 25.0 within 3 events detect;

    pattern Alone on Reading = T as hot filter hot.value > 40.0 select hot;

    pattern Now on Reading = T as hot within 1 events;

    pattern Never1 on Reading = T ; H within 2 events detect;
}

fn t(id: u32, value: f64) -> Reading {
    Reading::T { id, value }
}

fn h(id: u32, value: f64) -> Reading {
    Reading::H { id, value }
}

#[test]
fn the_first_example_of_the_documentation() {
    let readings = [t(1, 39.0), t(1, 41.0), h(2, 10.0), t(2, 50.0), h(1, 20.0), h(2, 24.5), h(2, 25.0)];
    let mut lines = Vec::new();
    let mut risk = FireRisk::new(40.0);
    for reading in &readings {
        for m in risk.push(reading) {
            lines.push(format!(
                "{} at {}, then {} at {}",
                m.hot.value,
                m.hot.position(),
                m.dry.value,
                m.dry.position()
            ));
            assert_eq!((m.start(), m.end()), (m.hot.position(), m.dry.position()));
        }
    }
    assert_eq!(lines, ["41 at 1, then 20 at 4", "50 at 3, then 24.5 at 5"]);
}

#[test]
fn matches_are_values() {
    let mut risk = FireRisk::new(0.0);
    assert_eq!(risk.push(&t(1, 1.0)).count(), 0);
    let first = risk.push(&h(1, 1.0)).next().expect("a match");
    let copy = first;
    assert_eq!(first, copy);
    assert_eq!(copy.hot.id, 1);
    assert!(format!("{first:?}").contains("hot"), "{first:?}");
}

#[test]
fn the_cursor_is_in_the_machine() {
    let mut risk = FireRisk::new(0.0);
    for id in [1, 1, 1] {
        assert!(risk.push(&t(id, 1.0)).next().is_none());
    }
    assert!(risk.push(&h(1, 1.0)).next().is_some());
    assert!(risk.next_match().is_some());
    let mut copy = risk.clone();
    assert!(risk.next_match().is_some());
    assert!(risk.next_match().is_none());
    assert!(risk.next_match().is_none(), "and none after the last");
    assert!(copy.next_match().is_some(), "a clone goes on where the original was");
    assert!(copy.next_match().is_none());
    assert_eq!(risk.push(&t(9, 1.0)).count(), 0);
    assert!(risk.next_match().is_none());
    let _ = risk.push(&h(1, 1.0));
    let _ = risk.push(&h(7, 1.0));
    assert!(risk.next_match().is_none(), "matches that were not asked for are gone with the next push");
    assert_eq!(risk.stats().results, 3);
}

#[test]
fn cloned_in_mid_stream() {
    let stream: Vec<Reading> =
        (0..40u32).map(|i| if i % 3 == 0 { h(i % 2, 1.0) } else { t(i % 2, f64::from(i)) }).collect();
    let mut one = FireRisk::new(3.0);
    for e in &stream[..20] {
        let _ = one.push(e);
    }
    let mut two = one.clone();
    for e in &stream[20..] {
        let a: Vec<_> = one.push(e).collect();
        let b: Vec<_> = two.push(e).collect();
        assert_eq!(a, b);
    }
    assert_eq!(one.position(), 40);
    assert_eq!(format!("{one:?}"), format!("{two:?}"));
}

#[test]
fn debug_shows_what_is_live() {
    let mut close = Close::new();
    assert_eq!(format!("{close:?}"), "Close { position: 0, kept: {}, .. }");
    for e in [t(1, 1.0), t(2, 1.0), h(3, 1.0), t(3, 1.0)] {
        let _ = close.push(&e);
    }
    assert_eq!(format!("{close:?}"), "Close { position: 4, kept: {3: T as hot, 1: T as hot}, .. }");
    let pretty = "Close {\n    position: 4,\n    kept: {\n        3: T as hot,\n        1: T as hot,\n    },\n    ..\n}";
    assert_eq!(format!("{close:#?}"), pretty);
    let mut alarm = Alarm::new();
    assert!(!alarm.push(&t(1, 41.0)));
    assert_eq!(format!("{alarm:?}"), "Alarm { position: 1, latest_starts: {T as hot: 0}, .. }");
    for _ in 0..3 {
        assert!(!alarm.push(&h(1, 90.0)));
    }
    assert_eq!(format!("{alarm:?}"), "Alarm { position: 4, latest_starts: {}, .. }");
    let mut large = FireRisk::new(0.0);
    for i in 0..1000 {
        let _ = large.push(&if i % 50 == 0 { t(1, 1.0) } else { h(1, 90.0) });
    }
    assert_eq!(format!("{large:?}"), "FireRisk { position: 1000, kept: {950: T as hot, 900: T as hot}, .. }");
    let matches = large.push(&t(1, 1.0));
    assert!(format!("{matches:?}").starts_with("FireRiskMatches"), "{matches:?}");
}

#[test]
fn reset_is_as_new() {
    let mut risk = FireRisk::new(2.0);
    for e in [t(1, 3.0), h(1, 1.0), t(2, 9.0)] {
        let _ = risk.push(&e).count();
    }
    assert_eq!((risk.position(), risk.stats().events, risk.stats().results, risk.stats().kept), (3, 3, 1, 2));
    risk.reset();
    assert_eq!((risk.position(), risk.stats()), (0, cep::Stats::default()));
    assert_eq!(format!("{risk:?}"), format!("{:?}", FireRisk::new(2.0)));
    assert_eq!(risk.push(&h(2, 1.0)).count(), 0, "what came before is gone");
    assert_eq!(risk.push(&t(2, 2.0)).count() + risk.push(&h(2, 1.0)).count(), 0, "the parameter stays");
    let mut alarm = Alarm::default();
    assert!(!alarm.push(&t(1, 50.0)) && alarm.push(&h(1, 1.0)));
    assert_eq!(alarm.latest_start(), Some(0));
    alarm.reset();
    assert_eq!((alarm.latest_start(), alarm.position()), (None, 0));
    assert!(!alarm.push(&h(1, 1.0)));
}

#[test]
fn windows_of_one_event() {
    let mut now = Now::new();
    assert_eq!(now.push(&t(1, 1.0)).map(|m| (m.start(), m.end())).collect::<Vec<_>>(), [(0, 0)]);
    assert_eq!(now.push(&h(1, 1.0)).count(), 0);
    assert_eq!(now.push(&t(1, 1.0)).map(|m| (m.start(), m.end())).collect::<Vec<_>>(), [(2, 2)]);
    let mut alone = Alone::new();
    assert_eq!(alone.push(&t(1, 1.0)).count(), 0);
    assert_eq!(alone.push(&t(5, 41.0)).map(|m| m.hot.id).collect::<Vec<_>>(), [5]);
}

#[test]
fn the_window_counts_both_ends() {
    let mut alarm = Alarm::new();
    assert!(!alarm.push(&t(1, 41.0)) && !alarm.push(&t(1, 1.0)) && alarm.push(&h(1, 1.0)));
    assert!(!alarm.push(&h(1, 1.0)));
    assert_eq!(alarm.latest_start(), Some(0));
    let mut close = Close::new();
    let counts: Vec<usize> = [t(1, 1.0), t(1, 1.0), h(1, 1.0), h(1, 1.0), h(1, 1.0)]
        .iter()
        .map(|e| close.push(e).count())
        .collect();
    assert_eq!(counts, [0, 0, 2, 1, 0]);
}

/// The matches of a whole stream: an adaptor that owns the machine.
struct MatchesOf<I, M, F> {
    events: I,
    machine: M,
    f: F,
}

impl<I, M, F, T> Iterator for MatchesOf<I, M, F>
where
    I: Iterator<Item = M::Event>,
    M: Matching<Error = Never>,
    F: for<'m> FnMut(<M as Lends<'m>>::Match) -> T,
{
    type Item = T;
    fn next(&mut self) -> Option<T> {
        loop {
            if let Some(m) = self.machine.next_match() {
                return Some((self.f)(m));
            }
            let event = self.events.next()?;
            let Ok(_) = self.machine.push(&event);
        }
    }
}

fn completed<M: Machine>(machine: &mut M, events: &[M::Event]) -> Result<usize, M::Error> {
    let mut n = 0;
    for e in events {
        n += usize::from(machine.detect(e)?);
    }
    Ok(n)
}

/// Exactly the machines that answer with a `bool`.
fn only_detect<M: Machine + for<'m> Gives<'m, Output = bool>>(
    machine: &mut M,
    event: &M::Event,
) -> Result<bool, M::Error> {
    machine.push(event)
}

#[test]
fn generic_over_machines() {
    let stream = [t(1, 50.0), t(2, 50.0), h(1, 1.0), h(2, 1.0)];
    let adaptor = MatchesOf {
        events: stream.into_iter(),
        machine: Close::new(),
        f: |m: CloseMatch| (m.hot.id, m.start(), m.end()),
    };
    assert_eq!(adaptor.collect::<Vec<_>>(), [(1, 0, 2), (2, 1, 3)]);
    let Ok(n) = completed(&mut Close::new(), &stream);
    assert_eq!(n, 2);
    let Ok(n) = completed(&mut Alarm::new(), &stream);
    assert_eq!(n, 2);
    let mut alarm = Alarm::new();
    let Ok(false) = only_detect(&mut alarm, &t(1, 50.0)) else { panic!("nothing ends here") };
    assert_eq!((Machine::position(&alarm), Machine::stats(&alarm).events), (1, 1));
    Machine::reset(&mut alarm);
    assert_eq!(alarm.position(), 0);
}

#[test]
fn machines_go_to_other_threads() {
    fn check<T: Send + Sync + 'static>() {}
    check::<FireRisk>();
    check::<FireRiskMatch>();
    check::<Alarm>();
    fn check_lent<T: Send + Sync>(_: T) {}
    check_lent(FireRisk::new(1.0).push(&t(1, 1.0)));
}

#[test]
fn machines_are_constants() {
    const NEW: FireRisk = FireRisk::new(1.0);
    static SHARED: std::sync::Mutex<FireRisk> = std::sync::Mutex::new(NEW);
    let mut shared = SHARED.lock().expect("not poisoned");
    assert_eq!(shared.push(&t(1, 2.0)).count() + shared.push(&h(1, 2.0)).count(), 1);
    const { assert!(size_of::<FireRisk>() <= 64 * 1024) };
}

#[test]
fn the_plan_is_there_to_read() {
    let text = FireRisk::EXPLAIN;
    for part in
        ["universal ring", "window 100 events", "position 0: T as hot", "hot.id == dry.id", "128 slots"]
    {
        assert!(text.contains(part), "{part}:\n{text}");
    }
    println!("{text}\n\n{}", Alarm::EXPLAIN);
    assert!(Alarm::EXPLAIN.contains("latest start per position"));
}

#[test]
fn a_panic_in_a_condition_changes_nothing() {
    cep! {
        pattern Fragile on Reading = T as a ; H as b filter 10 / (b.id - a.id) > 1 within 5 events select a, b;
    }
    let mut fragile = Fragile::new();
    let _ = fragile.push(&t(3, 1.0));
    let before = format!("{fragile:?}");
    let pushed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| fragile.push(&h(3, 1.0)).count()));
    assert!(pushed.is_err());
    assert_eq!((format!("{fragile:?}"), fragile.position()), (before, 1));
    assert_eq!(fragile.push(&h(4, 1.0)).count(), 1);
}

mod names {
    //! Users' names that are ours somewhere.
    use cep::{Event, cep};

    fn guard_0(x: u8) -> bool {
        x == 1
    }
    const TABLE: [u8; 2] = [1, 2];
    struct View0;
    impl View0 {
        const SEVEN: u8 = 7;
    }
    fn hit(taken: u8) -> u8 {
        taken
    }

    #[derive(Event, Clone, Copy, Debug, PartialEq)]
    struct Odd {
        position: u8,
        view: u8,
        kind: u8,
        record: u8,
        clone: u8,
        r#type: u8,
        of: u8,
        at: u8,
        plus_one: u8,
        time: u8,
        start: u8,
        value: Option<u8>,
    }

    impl Odd {
        const ONE: Odd = Odd {
            position: 1,
            view: 1,
            kind: 1,
            record: 1,
            clone: 1,
            r#type: 1,
            of: 1,
            at: 1,
            plus_one: 1,
            time: 1,
            start: 1,
            value: Some(1),
        };
    }

    cep! {
        pattern Attributes on Odd =
            Odd as a ; Odd as b
            filter a.position + a.view + a.kind + a.record + a.clone + a.r#type + a.of + a.at + a.plus_one + a.time + a.start
                == b.position + b.view + b.kind + b.record + b.clone + b.r#type + b.of + b.at + b.plus_one + b.time + b.start
            filter a.value == b.value
            within 9 events;
    }
    cep! {
        pattern Parameters(
            position: u8, event: u8, ring: u8, since: u8, self_: u8, taken: u8, kept: u8, at: u8, path: u8, view: u8, search: u8,
            stats: u8, last: u8, found: u8, entries: u8, hit: u8, record: u8, holds: u8, parameter_0: u8, read_0: u8
        ) on Odd =
            Odd as a filter a.of == position + event + ring + since + self_ + taken + kept + at + path + view
            ; Odd as b filter b.of == a.of + search + stats + last + found + entries + hit + record + holds + parameter_0 + read_0
            within 9 events;
    }
    cep! {
        pattern Detected(position: u8, event: u8, since: u8, from: u8, hit: u8, latest: u8, view: u8) on Odd =
            Odd as a filter a.of == position + event + since + from ; Odd as b filter b.of == hit + latest + view
            within 9 events detect;
    }
    cep! {
        pattern Variables on Odd =
            Odd as event filter event.of == 1 ; Odd as at filter at.of == event.of ; Odd as start ; Odd as end ; Odd as position
            ; Odd as record filter record.of == position.of ; Odd as machine ; Odd as path ; Odd as view ; Odd as __start
            ; Odd as r#type filter r#type.r#type == start.r#type
            within 11 events;
    }

    cep! {
        pattern Parts on Odd =
            Odd as r#match ; Odd as matches ; Odd as rings ; Odd as a_1 ; Odd as a1 ; Odd as ab1
            within 6 events
            select r#match.of, matches.position, matches.of, rings.r#type, a_1.of, a1.of, ab1.of;
    }
    cep! {
        pattern Scope on Odd =
            Odd as a filter guard_0(a.of) && a.of == TABLE[0] ; Odd as b filter View0::SEVEN + hit(b.of) == a.of + 7
            within 2 events;
    }

    #[test]
    fn attributes() {
        let mut machine = Attributes::new();
        assert_eq!(machine.push(&Odd::ONE).count(), 0);
        let m = machine.push(&Odd { position: 0, view: 2, ..Odd::ONE }).next().expect("a match");
        assert_eq!(
            (m.b.position, m.b.position(), m.b.view, m.b.record, m.b.clone, m.b.r#type),
            (0, 1, 2, 1, 1, 1)
        );
        assert_eq!((m.a.at, m.a.plus_one, m.a.kind, m.a.of, m.a.start, m.start()), (1, 1, 1, 1, 1, 0));
    }

    #[test]
    fn parameters() {
        let mut machine = Parameters::new(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1);
        assert_eq!(machine.push(&Odd::ONE).count(), 0);
        assert_eq!(machine.push(&Odd { of: 2, ..Odd::ONE }).count(), 1);
        let mut detected = Detected::new(0, 0, 0, 1, 0, 2, 0);
        assert!(!detected.push(&Odd::ONE) && detected.push(&Odd { of: 2, ..Odd::ONE }));
    }

    #[test]
    fn variables() {
        let mut machine = Variables::new();
        for _ in 0..10 {
            assert_eq!(machine.push(&Odd::ONE).count(), 0);
        }
        let m = machine.push(&Odd::ONE).next().expect("a match");
        assert_eq!(
            (m.event.position(), m.start.position(), m.end.position(), m.r#type.position()),
            (0, 2, 3, 10)
        );
        assert_eq!((m.start(), m.end(), m.__start.of), (0, 10, 1));
        let mut parts = Parts::new();
        for _ in 0..5 {
            assert_eq!(parts.push(&Odd::ONE).count(), 0);
        }
        let m = parts.push(&Odd::ONE).next().expect("a match");
        assert_eq!((m.r#match.of, m.matches.of, m.rings.r#type, m.a_1.of, m.a1.position()), (1, 1, 1, 1, 4));
    }

    #[test]
    fn scope() {
        let mut machine = Scope::new();
        assert_eq!(machine.push(&Odd::ONE).count() + machine.push(&Odd::ONE).count(), 1);
    }

    mod items {
        //! Items called as the standard library's.
        use super::Odd;
        cep::cep! {
            pattern Option on Odd = Odd as a ; Odd as b filter a.value == b.value within 2 events;
            pattern Some on Odd = Odd as a filter a.value.is_some() within 1 events detect;
            pattern Vec(u64: u8) on Odd = Odd as a filter a.of == u64 within 1 events;
            pattern Copy on Odd = Odd as a ; Odd as b filter a.of == b.of within 3 events detect;
            pattern r#Box on Odd = Odd as a within 1 events select a.of;
        }
        #[test]
        fn they_work() {
            let mut option = Option::new();
            assert_eq!(option.push(&Odd::ONE).count() + option.push(&Odd::ONE).count(), 1);
            assert!(Some::new().push(&Odd::ONE));
            assert_eq!(Vec::new(1).push(&Odd::ONE).count(), 1);
            assert!(!Copy::new().push(&Odd::ONE));
            assert_eq!(r#Box::new().push(&Odd::ONE).count(), 1);
        }
    }

    #[expect(non_camel_case_types, reason = "raw names are lower case")]
    mod raw {
        use super::Odd;
        cep::cep! {
            pub(super) pattern r#fn on Odd = Odd as r#loop ; Odd as r#in filter r#in.of == r#loop.of within 2 events;
            pub(super) pattern r#type on Odd = Odd within 1 events detect;
        }
    }

    #[test]
    fn raw_items() {
        let mut machine = raw::r#fn::new();
        assert_eq!(machine.push(&Odd::ONE).count(), 0);
        let m: raw::fnMatch = machine.push(&Odd::ONE).next().expect("a match");
        assert_eq!((m.r#loop.of, m.r#in.of), (1, 1));
        assert!(raw::r#type::new().push(&Odd::ONE));
        assert!(format!("{machine:?}").starts_with("fn {"), "{machine:?}");
    }

    #[test]
    fn two_in_two_functions() {
        fn one() -> usize {
            cep! { pattern Local on Odd = Odd as a within 1 events; }
            Local::new().push(&Odd::ONE).count()
        }
        fn two() -> bool {
            cep! { pattern Local on Odd = Odd as a within 1 events detect; }
            Local::new().push(&Odd::ONE)
        }
        assert!(one() == 1 && two());
    }
}

mod sizes {
    use cep::{Event, cep};

    #[derive(Event, Clone, Copy, Debug, PartialEq)]
    struct Wide {
        array: [f64; 3],
        bytes: [u8; 5],
        small: f32,
        huge: i128,
        letter: char,
        flag: bool,
        tiny: i8,
    }

    cep! {
        pattern Types(huge: i128, letter: char, array: [f64; 3]) on Wide =
            Wide as a filter a.huge > huge && a.letter == letter && !a.flag && a.array == array
            ; Wide as b filter b.array[1] > a.array[1] && b.small > a.small && b.huge == a.huge && b.bytes == a.bytes
                && b.letter != a.letter && b.flag && b.tiny < a.tiny
            within 4 events;
    }

    #[test]
    fn attributes_of_every_kind() {
        let a = Wide {
            array: [1.0, 2.0, 3.0],
            bytes: [1; 5],
            small: 1.5,
            huge: 1 << 100,
            letter: 'ß',
            flag: false,
            tiny: -3,
        };
        let b = Wide { array: [0.0, 9.0, 0.0], small: 2.5, letter: 'x', flag: true, tiny: -4, ..a };
        let mut machine = Types::new(1 << 99, 'ß', [1.0, 2.0, 3.0]);
        assert_eq!(machine.push(&a).count() + machine.push(&Wide { tiny: 0, ..b }).count(), 0);
        let m = machine.push(&b).next().expect("a match");
        assert_eq!((m.a.huge, m.b.array, m.a.letter, m.b.flag), (1 << 100, [0.0, 9.0, 0.0], 'ß', true));
    }

    #[derive(Event, Clone, Copy, Debug)]
    enum Step {
        A { n: u32 },
    }

    cep! {
        pattern Ten on Step =
            A as a ; A as b ; A as c ; A as d ; A as e ; A as f ; A as g ; A as h ; A as i ; A as j
            filter a.n < b.n && b.n < c.n && c.n < d.n && d.n < e.n && e.n < f.n && f.n < g.n && g.n < h.n && h.n < i.n && i.n < j.n
            within 12 events;

        /// The most there can be.
        pattern Most on Step =
            A as a ; A as a1 ; A as a2 ; A as a3 ; A as a4 ; A as a5 ; A as a6 ; A as a7 ; A as a8 ; A as a9 ; A as b0 ; A as b1 ; A as b2
            ; A as b3 ; A as b4 ; A as b5 ; A as b6 ; A as b7 ; A as b8 ; A as b9 ; A as c0 ; A as c1 ; A as c2 ; A as c3 ; A as c4 ; A as c5
            ; A as c6 ; A as c7 ; A as c8 ; A as c9 ; A as d0 ; A as d1 ; A as d2 ; A as d3 ; A as d4 ; A as d5 ; A as d6 ; A as d7 ; A as d8
            ; A as d9 ; A as e0 ; A as e1 ; A as e2 ; A as e3 ; A as e4 ; A as e5 ; A as e6 ; A as e7 ; A as e8 ; A as e9 ; A as f0 ; A as f1
            ; A as f2 ; A as f3 ; A as f4 ; A as f5 ; A as f6 ; A as f7 ; A as f8 ; A as f9 ; A as g0 ; A as g1 ; A as g2
            ; A as z filter z.n > a.n
            within 64 events select a, z;
    }

    cep! {
        pattern MostDetected on Step =
            A as a filter a.n > 1 ; A as a1 ; A as a2 ; A as a3 ; A as a4 ; A as a5 ; A as a6 ; A as a7 ; A as a8 ; A as a9 ; A as b0 ; A as b1
            ; A as b2 ; A as b3 ; A as b4 ; A as b5 ; A as b6 ; A as b7 ; A as b8 ; A as b9 ; A as c0 ; A as c1 ; A as c2 ; A as c3 ; A as c4
            ; A as c5 ; A as c6 ; A as c7 ; A as c8 ; A as c9 ; A as d0 ; A as d1 ; A as d2 ; A as d3 ; A as d4 ; A as d5 ; A as d6 ; A as d7
            ; A as d8 ; A as d9 ; A as e0 ; A as e1 ; A as e2 ; A as e3 ; A as e4 ; A as e5 ; A as e6 ; A as e7 ; A as e8 ; A as e9 ; A as f0
            ; A as f1 ; A as f2 ; A as f3 ; A as f4 ; A as f5 ; A as f6 ; A as f7 ; A as f8 ; A as f9 ; A as g0 ; A as g1 ; A as g2 ; A as z
            detect;

        pattern Widest on Step = A as a filter a.n == 1 ; A as b filter b.n == 2 within 1_099_511_627_776 events detect;
    }

    #[test]
    fn many_steps() {
        let mut ten = Ten::new();
        let counts: Vec<usize> = (0..12).map(|n| ten.push(&Step::A { n }).count()).collect();
        assert_eq!(counts, [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 10, 55]);
        let mut most = Most::new();
        let counts: usize = (0..63).map(|n| most.push(&Step::A { n }).count()).sum();
        assert_eq!(counts, 0);
        assert_eq!(most.push(&Step::A { n: 63 }).map(|m| (m.a.n, m.z.n)).collect::<Vec<_>>(), [(0, 63)]);
        let mut detected = MostDetected::new();
        let heard: Vec<u32> = (0..68).filter(|n| detected.push(&Step::A { n: *n })).collect();
        assert_eq!((heard, detected.latest_start()), (vec![65, 66, 67], Some(4)));
    }

    #[test]
    fn the_widest_window() {
        let mut widest = Widest::new();
        assert!(
            !widest.push(&Step::A { n: 1 })
                && !widest.push(&Step::A { n: 3 })
                && widest.push(&Step::A { n: 2 })
        );
    }

    #[derive(Event, Clone, Copy, Debug)]
    struct Tick {
        n: u32,
    }
    cep! {
        pattern Pair on Tick = Tick as a ; Tick as b filter b.n == a.n + 1 within 4 events detect;
        pattern Latest on Tick = Tick as a filter a.n == 1 ; Tick as b filter b.n == 2 within 4 events detect;
    }
    const _: () = {
        // four slots (the position, the attribute in a word, the positions' bits), the ring's length and oldest entry, the search with two
        // frames and one in front of them; position, five counts and an option
        assert!(size_of::<Pair>() == 4 * 24 + 8 + 8 + (3 * 56 + 7 * 8 + 8) + 8 + 40 + 16);
        // one start
        assert!(size_of::<Latest>() == 16 + 8 + 40 + 16);
    };

    #[test]
    fn sizes() {
        assert!(!Pair::new().push(&Tick { n: 1 }));
        assert!(!Latest::new().push(&Tick { n: 1 }));
    }
}

/// Searches that would never end if what failed once were tried again for every choice of an iteration.
mod dead_ends {
    use cep::{Event, cep};

    #[derive(Event, Clone, Copy, Debug)]
    enum Step {
        A { v: i64 },
        B { v: i64 },
        C { v: i64 },
    }
    cep! {
        pattern Above on Step = A as a ; (B as b filter b.v > a.v)+ ; C as c filter c.v > last(b).v within 200 events;
        pattern AboveDetected on Step = A as a ; (B as b filter b.v > a.v)+ ; C as c filter c.v > last(b).v within 200 events detect;
        pattern Rising on Step = A as a ; (B as b filter b.v > prev(b).v)+ ; C as c filter c.v == a.v within 200 events detect;
        pattern Missing on Step = A ; A ; A ; A ; A ; A ; B ; C within 200 events select none;
    }

    #[test]
    fn what_failed_is_not_tried_again() {
        let (mut above, mut detected, mut rising, mut missing) =
            (Above::new(), AboveDetected::new(), Rising::new(), Missing::new());
        let events = (0..60).map(|v| Step::A { v: -v }).chain((0..60).map(|v| Step::B { v }));
        for e in events {
            assert_eq!(above.push(&e).count(), 0);
            assert!(!detected.push(&e) && !rising.push(&e));
            if matches!(e, Step::A { .. }) {
                assert_eq!(missing.push(&e).count(), 0);
            }
        }
        for e in [Step::C { v: -1000 }, Step::C { v: 0 }] {
            assert_eq!(above.push(&e).count(), 0);
            assert!(!detected.push(&e));
            assert_eq!(missing.push(&e).count(), 0);
        }
        assert!(!rising.push(&Step::C { v: 1 }));
        // one B alone is below the 1
        let mut spans: Vec<(u64, u64)> = Vec::new();
        above.push(&Step::C { v: 1 }).for_each(|m| spans.push((m.start(), m.b.len() as u64)));
        assert_eq!(
            spans,
            (0..60).map(|start| (start, 1)).filter(|(start, _)| *start > 0).collect::<Vec<_>>()
        );
        assert!(detected.push(&Step::C { v: 1 }) && detected.latest_start() == Some(59));
    }
}

//! What a machine does not take: the documented error, and a machine that is as it was. Each is compared with one that never saw the
//! refused event, by going on with the stream.

use cep::{Event, PushError, cep};

#[derive(Event, Clone, Copy, Debug)]
enum Move {
    Go {
        #[event(time)]
        at: i64,
        height: f64,
        who: u8,
    },
    Stop {
        #[event(time)]
        at: i64,
        height: f64,
        who: u8,
    },
}

cep! {
    pattern Timed on Move = Go as a ; Stop as b filter a.who == b.who within 20 ms capacity 4 events select a, b;
    pattern TimedKey on Move = Go as a ; Go as c : Stop as b within 20 ms partition by who consume partition
        capacity 4 events select a, b;
    pattern Bags on Move = Go+ as a ; Stop as b within 20 ms capacity 4 events select none;
}

cep! {
    pattern Simple on Move = Go ; Stop within 20 ms detect;
    pattern High on Move = Go as a ; Stop as b within 2.5 of height capacity 4 events select a, b;
    pattern HighDetect on Move = Go ; Stop within 2.5 of height detect;
}

cep! {
    pattern Own on Move = Go as a ; Stop as b within 4 events of its partition partition by who capacity 3 keys
        select a, b;
    pattern OwnDetect on Move = Go : Stop partition by who capacity 3 keys detect;
    pattern OwnTimed on Move = Go ; Stop within 20 ms partition by who capacity 3 keys detect;
}

/// Whether three numbers are odd together: no structure decides that.
fn odd(a: u8, b: u8, c: u8) -> bool {
    (a ^ b ^ c) & 1 == 1
}

cep! {
    pattern Odd on Move = Go as a ; Go as b ; Stop as c filter odd(a.who, b.who, c.who)
        within 2000 events capacity 1000 runs storage borrowed detect;
}

#[test]
fn more_candidates_than_declared() {
    let mut rings = Box::new(OddRings::new());
    let mut machine = Odd::over(&mut rings);
    let go = |at| Move::Go { at, height: 0.0, who: 2 };
    let stop = |who| Move::Stop { at: 100, height: 0.0, who };
    for at in 0..20 {
        assert_eq!(machine.push(&go(at)), Ok(false));
    }
    // 20 first events, 190 pairs, and as many triples
    assert_eq!(machine.push(&stop(2)), Ok(false));
    assert_eq!(machine.push(&stop(1)), Ok(true));
    for at in 20..60 {
        assert_eq!(machine.push(&go(at)), Ok(false));
    }
    let before = (machine.position(), machine.stats());
    assert_eq!(machine.push(&stop(2)), Err(PushError::Full));
    assert_eq!((machine.position(), machine.stats()), before);
    assert_eq!(machine.push(&go(60)), Ok(false));
    assert_eq!(machine.position(), before.0 + 1);
}

/// What a push gives as numbers: the matches' intervals, or whether there is one.
trait Shown {
    fn shown(self) -> Vec<(u64, u64)>;
}
impl Shown for bool {
    fn shown(self) -> Vec<(u64, u64)> {
        if self { vec![(0, 0)] } else { Vec::new() }
    }
}

/// A reproducible number below `n`.
fn below(state: &mut u64, n: u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state >> 20) % n
}

/// Drives a machine over a stream in which some events cannot be taken. Gives how often which error came.
macro_rules! drives {
    ($machine:ident) => {
        drives!($machine, |machine| format!("{machine:?}"))
    };
    ($machine:ident, |$shown:ident| $show:expr) => {{
        let (mut full, mut late) = (0, 0);
        for seed in 1..200u64 {
            let mut state = seed;
            let mut machine = $machine::new();
            let mut other = $machine::new();
            let mut at = 0i64;
            for _ in 0..60 {
                at += i64::try_from(below(&mut state, 6)).unwrap_or(0);
                let back = if below(&mut state, 8) == 0 { 9 } else { 0 };
                let mut height = f64::from(i32::try_from(at - back).unwrap_or(0)) / 4.0;
                if below(&mut state, 12) == 0 {
                    height = f64::NAN;
                }
                let who = u8::try_from(below(&mut state, 6)).unwrap_or(0);
                let event = if below(&mut state, 2) == 0 {
                    Move::Go { at: at - back, height, who }
                } else {
                    Move::Stop { at: at - back, height, who }
                };
                let before = (machine.position(), machine.stats(), {
                    let $shown = &machine;
                    $show
                });
                match machine.push(&event).map(Shown::shown) {
                    Ok(found) => {
                        let expected = other.push(&event).map(Shown::shown);
                        assert_eq!(Ok(found), expected, "seed {seed}, {event:?}");
                    }
                    Err(why) => {
                        assert_eq!(
                            (machine.position(), machine.stats(), {
                                let $shown = &machine;
                                $show
                            }),
                            before
                        );
                        match why {
                            PushError::Full => full += 1,
                            PushError::OutOfOrder => late += 1,
                            _ => unreachable!("there are two errors"),
                        }
                        // the other one would have refused it too, when it comes to it
                        assert_eq!(other.clone().push(&event).map(Shown::shown), Err(why));
                    }
                }
            }
            let _ = machine.finish();
            if at > 0 && late > 0 {
                assert!(machine.push(&Move::Go { at: at + 1000, height: 1e9, who: 0 }).is_err());
            }
        }
        (full, late)
    }};
}

macro_rules! shows {
    ($($matches:ident),*) => { $(
        impl Shown for $matches<'_> {
            fn shown(self) -> Vec<(u64, u64)> {
                self.map(|m| (m.start(), m.end())).collect()
            }
        }
    )* };
}
shows!(TimedMatches, TimedKeyMatches, BagsMatches, HighMatches, OwnMatches);

#[test]
fn a_full_ring_and_time_that_runs_back() {
    for (full, late) in
        [drives!(Timed), drives!(TimedKey, |_machine| "what was consumed is swept out later"), drives!(Bags)]
    {
        assert!(full > 100 && late > 100, "full {full}, out of order {late}");
    }
    let (full, late) = drives!(Simple);
    assert!(full == 0 && late > 100, "full {full}, out of order {late}");
}

#[test]
fn a_clock_that_is_not_a_number() {
    let (full, late) = drives!(High);
    assert!(full > 100 && late > 100, "full {full}, out of order {late}");
    let (full, late) = drives!(HighDetect);
    assert!(full == 0 && late > 100, "full {full}, out of order {late}");
    let nan = Move::Go { at: 0, height: f64::NAN, who: 0 };
    assert_eq!(HighDetect::new().push(&nan), Err(PushError::OutOfOrder));
}

#[test]
fn keys_beyond_the_bound() {
    let (full, late) = drives!(Own);
    assert!(full > 100 && late == 0, "full {full}, out of order {late}");
    let (full, late) = drives!(OwnDetect);
    assert!(full > 100 && late == 0, "full {full}, out of order {late}");
    let (full, late) = drives!(OwnTimed);
    assert!(full > 100 && late > 100, "full {full}, out of order {late}");
}

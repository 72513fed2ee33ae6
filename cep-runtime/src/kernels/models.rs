//! The structures of runs against lists that forget nothing.
extern crate std;

use crate::kernels::{Direct, Keyed, Pareto, Recent};
use crate::{At, Inline, Storage};
use std::vec::Vec;

/// Marsaglia's xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }
}

/// A run: key, start.
type Run = (u32, u64);

fn latest(runs: &[Run], passes: impl Fn(u32) -> bool, floor: u64) -> Option<u64> {
    runs.iter().filter(|r| passes(r.0) && r.1 >= floor).map(|r| r.1).max()
}

/// Every run is under its key while it is in the window, moved on or not, and no others; whatever the keys, and however often they come.
fn keyed<const N: usize, const M: usize>(seed: u64, keys: u64) {
    let r = &mut Random(seed);
    let (mut a, mut b) = (Keyed::<u32, u64, N, M>::new(), Keyed::<u32, u64, N, M>::new());
    let (mut in_a, mut in_b): (Vec<Run>, Vec<Run>) = (Vec::new(), Vec::new());
    let window = N as u64;
    for now in 0..1200 {
        let floor = (now + 1_u64).saturating_sub(window);
        let key = u32::try_from(r.below(keys)).unwrap_or(0);
        match r.below(8) {
            0..=4 => {
                // not later than now, and not in order
                let start = now - r.below(window.min(now + 1));
                a.enter(key, start, now, floor);
                in_a.push((key, start));
            }
            5 => {
                b.take_from(&mut a, floor);
                in_b.extend(&in_a);
            }
            6 if r.below(10) == 0 => {
                a.remove(key);
                in_a.retain(|run| run.0 != key);
            }
            7 if r.below(60) == 0 => {
                a.clear();
                b.clear();
                in_a.clear();
                in_b.clear();
            }
            _ => a.expire(floor),
        }
        for probe in [key, u32::try_from(r.below(keys)).unwrap_or(0), u32::MAX] {
            assert_eq!(a.latest(probe, floor), latest(&in_a, |k| k == probe, floor), "{now}: {a:?}");
            assert_eq!(b.latest(probe, floor), latest(&in_b, |k| k == probe, floor), "{now}, moved: {b:?}");
        }
        assert!(a.live(floor) <= window);
        if now % 100 == 0 {
            let copy = a.clone();
            assert_eq!(copy.latest(key, floor), a.latest(key, floor));
        }
    }
}

#[test]
fn keyed_tables_forget_nothing_in_the_window() {
    for seed in 1..4 {
        keyed::<1, 2>(seed, 3);
        keyed::<4, 8>(seed, 3);
        keyed::<16, 32>(seed, 5);
        keyed::<16, 32>(seed, 1000);
        keyed::<64, 128>(seed, 40);
    }
}

#[test]
fn a_million_keys_pass_through_a_small_table() {
    let mut table = Keyed::<u64, u64, 1024, 2048>::new();
    for now in 0..1_000_000_u64 {
        table.enter(now, now, now, (now + 1).saturating_sub(1000));
    }
    assert_eq!(table.live(999_000), 1000);
    assert_eq!((table.latest(999_500, 0), table.latest(998_000, 0)), (Some(999_500), None));
    table.expire(1_000_000);
    assert_eq!(table.live(0), 0);
}

fn pareto<const N: usize, const UP: bool>(seed: u64, monotone: bool) {
    let r = &mut Random(seed);
    let (mut a, mut b) = (Pareto::<u32, N, UP>::new(), Pareto::<u32, N, UP>::new());
    let (mut in_a, mut in_b): (Vec<Run>, Vec<Run>) = (Vec::new(), Vec::new());
    let window = N as u64;
    for now in 0..700 {
        let floor = (now + 1_u64).saturating_sub(window);
        let key = u32::try_from(r.below(20)).unwrap_or(0);
        match r.below(6) {
            0..=3 => {
                let start = if monotone { now } else { now - r.below(window.min(now + 1)) };
                a.enter(key, start, floor);
                in_a.push((key, start));
            }
            4 => {
                b.take_from(&mut a, floor);
                in_b.extend(&in_a);
            }
            _ => {}
        }
        assert!(a.len() <= window && b.len() <= window);
        let bound = u32::try_from(r.below(22)).unwrap_or(0);
        for inclusive in [false, true] {
            let passes = |k: u32| match (UP, inclusive) {
                (false, false) => k < bound,
                (false, true) => k <= bound,
                (true, false) => k > bound,
                (true, true) => k >= bound,
            };
            assert_eq!(a.latest(bound, inclusive, floor), latest(&in_a, passes, floor), "{now}: {a:?}");
            assert_eq!(
                b.latest(bound, inclusive, floor),
                latest(&in_b, passes, floor),
                "{now}, moved: {b:?}"
            );
        }
    }
}

#[test]
fn fronts_forget_no_run_that_decides() {
    for seed in 1..4 {
        for monotone in [false, true] {
            pareto::<1, false>(seed, monotone);
            pareto::<8, true>(seed, monotone);
            pareto::<8, false>(seed, monotone);
            pareto::<64, true>(seed, monotone);
        }
    }
}

#[test]
fn nan_enters_no_front_and_passes_no_bound() {
    let mut front = Pareto::<f64, 4, false>::new();
    front.enter(f64::NAN, 0, 0);
    assert!(front.is_empty());
    front.enter(1.0, 1, 0);
    assert_eq!(front.latest(f64::NAN, true, 0), None);
    assert_eq!(front.latest(2.0, false, 0), Some(1));
}

#[test]
fn arrays_hold_the_latest_start_per_value() {
    let r = &mut Random(7);
    let (mut a, mut b) = (Direct::<8>::new(), Direct::<8>::new());
    let (mut in_a, mut in_b): (Vec<Run>, Vec<Run>) = (Vec::new(), Vec::new());
    for now in 0..2000_u64 {
        let key = u32::try_from(r.below(8)).unwrap_or(0);
        if r.below(5) == 0 {
            b.take_from(&a);
            in_b.extend(&in_a);
        } else {
            let start = now - r.below(now.min(9) + 1);
            a.enter(key as usize, start);
            in_a.push((key, start));
        }
        let floor = now.saturating_sub(6);
        for probe in 0..8 {
            assert_eq!(a.latest(probe as usize, floor), latest(&in_a, |k| k == probe, floor));
            assert_eq!(b.latest(probe as usize, floor), latest(&in_b, |k| k == probe, floor));
        }
    }
}

fn recent<S: Storage>(mut all: Recent<u64, 8, S>) {
    let r = &mut Random(3);
    let mut list: Vec<(u64, u64)> = Vec::new();
    let mut time = 0;
    for position in 0..2000_u64 {
        time += r.below(4);
        let inside = |start: u64| time - start <= 9;
        let gone = all.outside(inside);
        assert_eq!(gone, list.iter().take_while(|x| !inside(x.1)).count() as u64);
        assert_eq!(all.oldest(gone), list.iter().find(|x| inside(x.1)).map(|x| x.0));
        all.skip(gone);
        list.retain(|x| inside(x.1));
        assert_eq!(all.len(), list.len() as u64);
        if all.len() < 8 {
            all.push(At::new(position, time));
            list.push((position, time));
        }
    }
}

#[test]
fn recent_events_are_those_in_the_window() {
    recent::<Inline>(Recent::new());
    let mut slots = [None; 8];
    recent(Recent::over(&mut slots));
    #[cfg(feature = "alloc")]
    recent(Recent::<u64, 8, crate::Boxed>::boxed());
}

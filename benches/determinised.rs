//! `detect` of patterns with registers against machines written by hand, and against itself with other windows and other numbers of keys.
//!
//! Ratios, not times: every figure is the fastest of several passes over the same events in the same run.
//!
//! ```sh
//! cargo bench --bench determinised
//! ```

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

use cep::{Event, cep};

#[derive(Event, Clone, Copy, Debug)]
enum Reading {
    T { id: u32, value: f64 },
    H { id: u32, value: f64 },
    Other { id: u32 },
}

cep! {
    pattern EqualShort on Reading = T as t ; H as h filter t.id == h.id within 100 events detect;
    pattern EqualLong on Reading =
        T as t ; H as h filter t.id == h.id within 10000 events storage boxed detect;
    #[cep(kernel = ring)]
    pattern EqualRing on Reading = T as t ; H as h filter t.id == h.id within 100 events detect;
    pattern LessShort on Reading = T as t ; H as h filter t.value < h.value within 100 events detect;
    pattern LessLong on Reading =
        T as t ; H as h filter t.value < h.value within 10000 events storage boxed detect;
    pattern Partition on Reading =
        T as t filter t.value > 0.5 ; H as h filter h.value > 0.5 within 4000 events
        partition by id storage boxed detect;
}

const EVENTS: usize = 400_000;
const PASSES: usize = 7;

/// Events that do not repeat: one in `sparse` is a T or an H.
fn readings(keys: u64, sparse: u64) -> Vec<Reading> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let reading = |_| {
        let kind = random() % (2 * sparse);
        let id = u32::try_from((random() >> 20) % keys).unwrap_or(0);
        let value = (random() >> 11) as f64 / (1_u64 << 53) as f64;
        match kind {
            0 => Reading::T { id, value },
            1 => Reading::H { id, value },
            _ => Reading::Other { id },
        }
    };
    (0..EVENTS).map(reading).collect()
}

/// Nanoseconds per event, and how many completed a match.
fn time<M>(
    new: impl Fn() -> M,
    mut push: impl FnMut(&mut M, &Reading) -> bool,
    events: &[Reading],
) -> (f64, u64) {
    let mut best = f64::MAX;
    let mut found = 0;
    for _ in 0..PASSES {
        let mut machine = new();
        found = 0;
        let begun = Instant::now();
        for event in events {
            found += u64::from(push(&mut machine, black_box(event)));
        }
        best = best.min(begun.elapsed().as_secs_f64() * 1e9 / events.len() as f64);
    }
    (best, found)
}

/// T ; H with equal ids by hand: ids are below 1000, and the last T of each is all there is to know.
struct Hand {
    last: Vec<u64>,
    position: u64,
    window: u64,
}

impl Hand {
    fn new(window: u64) -> Self {
        Hand { last: vec![0; 1000], position: 0, window }
    }
    fn push(&mut self, event: &Reading) -> bool {
        self.position += 1;
        match event {
            Reading::T { id, .. } => {
                self.last[*id as usize] = self.position;
                false
            }
            Reading::H { id, .. } => {
                let last = self.last[*id as usize];
                last > 0 && self.position - last < self.window
            }
            Reading::Other { .. } => false,
        }
    }
}

fn main() -> ExitCode {
    let mut met = true;
    let mut bar = |name: &str, value: f64, most: f64| {
        let verdict = if value <= most { "met" } else { "NOT MET" };
        met &= value <= most;
        println!("{name}: {value:.2} (at most {most}): {verdict}");
    };
    for (kind, sparse) in [("sparse", 8), ("dense", 1)] {
        let events = readings(1000, sparse);
        let (hand, a) = time(|| Hand::new(10_000), Hand::push, &events);
        let (long, b) = time(EqualLong::new, EqualLong::push, &events);
        let (short, c) = time(EqualShort::new, EqualShort::push, &events);
        let (ring, d) = time(EqualRing::new, EqualRing::push, &events);
        assert_eq!((a, c), (b, d), "all count the same events");
        println!(
            "{kind}: equal ids, by hand {hand:.2} ns, window 10000 {long:.2} ns, window 100 {short:.2} ns, searched {ring:.2} ns"
        );
        bar(&format!("{kind}: T ; H with equal ids, window 10000 : window 100"), long / short, 3.0);
        let (long, _) = time(LessLong::new, LessLong::push, &events);
        let (short, _) = time(LessShort::new, LessShort::push, &events);
        println!("{kind}: t.value < h.value, window 10000 {long:.2} ns, window 100 {short:.2} ns");
        bar(&format!("{kind}: T ; H with t.value < h.value, window 10000 : window 100"), long / short, 3.0);
        let (many, _) = time(Partition::new, Partition::push, &events);
        let one = readings(1, sparse);
        let (one, _) = time(Partition::new, Partition::push, &one);
        println!("{kind}: partition by id, 1000 keys {many:.2} ns, one key {one:.2} ns");
        bar(&format!("{kind}: partition by id, 1000 keys : one key"), many / one, 3.0);
    }
    if met { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

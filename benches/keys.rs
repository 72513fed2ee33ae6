//! What the keys of `partition by` cost: the same machines over a thousand keys and over one, in one run.
//!
//! ```sh
//! cargo bench --bench keys
//! ```
//!
//! Events of sixteen types, of which the pattern knows three ("sparse"); each line is a machine: nanoseconds an event with a thousand keys,
//! with one, and the ratio.
use cep::{Event, cep};
use std::hint::black_box;
use std::time::Instant;

#[derive(Event, Clone, Copy)]
enum Move {
    A { id: u32, value: f64 },
    B { id: u32, value: f64 },
    C { id: u32, value: f64 },
    Other { id: u32 },
}

cep! {
    pattern Starts on Move = A as a filter a.value > 0.5 ; B as b ; C as c within 10000 events partition by id
        storage borrowed detect;
    pattern Kept on Move = A as a ; B as b ; C as c filter c.value > a.value within 1000 events partition by id
        storage borrowed detect;
    pattern Own on Move = A as a ; B as b ; C as c filter c.value > a.value within 20 events of its partition
        partition by id capacity 1000 keys storage borrowed detect;
}

const EVENTS: usize = 1_000_000;

fn events(keys: u32) -> Vec<Move> {
    let mut s = 7u64;
    let mut next = || {
        s ^= s << 13;
        s ^= s >> 7;
        s ^= s << 17;
        s
    };
    (0..EVENTS)
        .map(|_| {
            let s = next();
            let id = u32::try_from(s >> 16 & 0xffff).unwrap_or(0) % keys;
            let value = f64::from(u16::try_from(s >> 40 & 1023).unwrap_or(0)) / 1024.0;
            match s & 15 {
                0 => Move::A { id, value },
                1 => Move::B { id, value },
                2 => Move::C { id, value },
                _ => Move::Other { id },
            }
        })
        .collect()
}

/// The fastest of five runs, in nanoseconds an event.
fn fastest(mut run: impl FnMut() -> usize) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let begin = Instant::now();
        black_box(run());
        best = best.min(begin.elapsed().as_secs_f64() * 1e9 / EVENTS as f64);
    }
    best
}

macro_rules! line {
    ($machine:ident, $rings:ident, $hit:expr) => {{
        let (many, one) = (events(1000), events(1));
        let mut rings = Box::new($rings::new());
        let mut run = |stream: &[Move]| {
            let mut machine = $machine::over(&mut rings);
            stream.iter().filter(|e| $hit(machine.push(e))).count()
        };
        let (a, b) = (fastest(|| run(&many)), fastest(|| run(&one)));
        println!("{}: 1000 keys {a:.1} ns, one key {b:.1} ns, ratio {:.2}", stringify!($machine), a / b);
    }};
}

fn main() {
    // `cargo test` runs it too, where the times mean nothing
    line!(Starts, StartsRings, |hit: bool| hit);
    line!(Kept, KeptRings, |hit: bool| hit);
    line!(Own, OwnRings, |hit: Result<bool, cep::PushError>| hit == Ok(true));
}

//! What `summarize` of a unary three-step pattern costs, with two windows, and what looking at every match costs on a dense stream:
//!
//! ```sh
//! cargo bench --bench summarize
//! ```
//!
//! Prints nanoseconds per event, and as the last line `RATIO TIMES`: how much dearer the window of 10 000 is than that of 100, and how
//! many times faster `summarize` is than `for_each` over the same pattern's matches at 10 000.
use std::hint::black_box;
use std::time::Instant;

use cep::{Event, cep};

#[derive(Event, Clone, Copy, Debug)]
enum Step {
    A { value: i32 },
    B { value: i32 },
    C { value: i32 },
}

cep! {
    pattern Short on Step = A as a ; B as b ; C as c within 100 events summarize { n: count(*) };

    pattern Long on Step = A as a ; B as b ; C as c within 10000 events storage borrowed summarize { n: count(*) };

    pattern Each on Step = A as a ; B as b ; C as c within 10000 events storage borrowed select a.value, b.value, c.value;
}

fn steps(n: usize) -> Vec<Step> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    (0..n)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let value = (state >> 40) as i32;
            match state % 3 {
                0 => Step::A { value },
                1 => Step::B { value },
                _ => Step::C { value },
            }
        })
        .collect()
}

fn main() {
    let steps = steps(200_000);
    let best = |run: &mut dyn FnMut() -> u64| {
        let mut best = f64::MAX;
        for _ in 0..7 {
            let begin = Instant::now();
            black_box(run());
            best = best.min(begin.elapsed().as_secs_f64());
        }
        best * 1e9 / steps.len() as f64
    };
    let short = best(&mut || {
        let mut machine = Short::new();
        steps.iter().map(|s| machine.push(s).n).fold(0, u64::wrapping_add)
    });
    let mut rings = Box::new(LongRings::new());
    let long = best(&mut || {
        let mut machine = Long::over(&mut rings);
        steps.iter().map(|s| machine.push(s).n).fold(0, u64::wrapping_add)
    });
    // a full window, and then some dozens of closing events looked at one by one
    let mut rings = Box::new(EachRings::new());
    let mut machine = Each::over(&mut rings);
    let mut counting = Box::new(LongRings::new());
    let mut counted = Long::over(&mut counting);
    for s in &steps[..10_000] {
        let _ = machine.push(s);
        counted.push(s);
    }
    let (mut closing, mut seconds) = (0, 0.0);
    let mut at = 10_000;
    while closing < 4 {
        let begin = Instant::now();
        let mut n = 0u64;
        machine.push(&steps[at]).for_each(|m| {
            black_box(m);
            n += 1;
        });
        seconds += begin.elapsed().as_secs_f64();
        assert_eq!(counted.push(&steps[at]).n, n);
        closing += u64::from(n > 0);
        at += 1;
    }
    let each = seconds * 1e9 / (at - 10_000) as f64;
    println!(
        "summarize within 100: {short:.1} ns per event; within 10 000: {long:.1}; every match looked at: {each:.0}"
    );
    println!("{:.3} {:.0}", long / short, each / long);
}

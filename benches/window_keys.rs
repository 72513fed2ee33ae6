//! Windows of many keys: what an event costs with 100 and with 100 000 keys that time out, in one run.
//!
//! `cargo bench --features alloc --bench window_keys` prints both and their ratio, and exits with 1 if it is above 3.
use cep::{Event, cep};
use std::hint::black_box;
use std::time::Instant;

#[derive(Event, Clone, Copy, Debug)]
struct Ping {
    #[event(time)]
    at: u64,
    id: u32,
    value: i64,
}

cep! {
    window Few on Ping = predicate {
        start: true, end: false, partition: id, close_window_after_no_updates_for: 50, keep_time_order: false, capacity: 100 keys,
    } agg { n: count(*), total: sum(value) } storage boxed;

    window Many on Ping = predicate {
        start: true, end: false, partition: id, close_window_after_no_updates_for: 50000, keep_time_order: false, capacity: 100000 keys,
    } agg { n: count(*), total: sum(value) } storage boxed;
}

/// A key that no processor foresees, below `keys`.
fn key(i: u64, keys: u64) -> u32 {
    ((i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20) % keys) as u32
}

macro_rules! measure {
    ($window:ident, $keys:expr) => {{
        let mut window = $window::new();
        let (mut best, mut out, mut at) = (f64::INFINITY, 0u64, 0u64);
        for _ in 0..7 {
            let begun = Instant::now();
            for _ in 0..1_000_000 {
                at += 1;
                let windows =
                    window.push(&Ping { at, id: key(at, $keys), value: 1 }).expect("room for every key");
                out += windows.map(|w| black_box(w.n)).sum::<u64>();
            }
            best = best.min(begun.elapsed().as_secs_f64() * 1000.0);
        }
        println!(
            "{} keys: {best:.1} ns for an event, {out} elements in windows that timed out, {} keys now",
            $keys,
            window.stats().keys
        );
        best
    }};
}

fn main() {
    let few = measure!(Few, 100u64);
    let many = measure!(Many, 100_000u64);
    println!("100 000 keys / 100 keys: {:.2} (bar 3)", many / few);
    std::process::exit(i32::from(many / few > 3.0));
}

//! Windows of many keys: what an event costs with 100 and with 100 000 keys that time out, in one run.
//!
//! `cargo bench --features alloc --bench window_keys` prints both in nanoseconds and their ratio, and exits with 1 if it is above 3.
//! With two numbers, `KEYS EVENTS`, it only pushes so many events through the window of so many keys, for who counts instructions.
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

/// Pushes events, and gives the time of the last one and how many elements there were in windows that timed out.
macro_rules! push {
    ($window:expr, $keys:expr, $at:expr, $events:expr) => {{
        let (mut at, mut out) = ($at, 0u64);
        for _ in 0..$events {
            at += 1;
            let windows =
                $window.push(&Ping { at, id: key(at, $keys), value: 1 }).expect("room for every key");
            out += windows.map(|w| black_box(w.n)).sum::<u64>();
        }
        (at, out)
    }};
}

/// Some samples, after as many events as there are keys: what is known of them comes back into the cache first.
macro_rules! measure {
    ($window:expr, $keys:expr, $at:expr, $out:expr, $least:expr) => {{
        ($at, _) = push!($window, $keys, $at, $keys);
        for _ in 0..SAMPLES {
            let begun = Instant::now();
            let (to, n) = push!($window, $keys, $at, SAMPLE);
            $least = $least.min(begun.elapsed().as_secs_f64());
            ($at, $out) = (to, $out + n);
        }
    }};
}

const FEW: u64 = 100;
const MANY: u64 = 100_000;
/// Events of a sample, short enough that many are not interrupted; of one visit to a window, and how many visits there are.
const SAMPLE: u64 = 10_000;
const SAMPLES: usize = 20;
const VISITS: usize = 60;

fn compare() -> bool {
    let (mut few, mut many) = (Few::new(), Many::new());
    let (mut at, mut out, mut least) = ([0; 2], [0; 2], [f64::INFINITY; 2]);
    // Both in turn, the least sample of each counts: a machine that is slower for a while is so for both.
    for _ in 0..VISITS {
        measure!(few, FEW, at[0], out[0], least[0]);
        measure!(many, MANY, at[1], out[1], least[1]);
    }
    let keys = [few.stats().keys, many.stats().keys];
    for (i, all) in [FEW, MANY].into_iter().enumerate() {
        println!(
            "{all} keys: {:.1} ns for an event, {} elements in windows that timed out, {} keys now",
            least[i] * 1e9 / SAMPLE as f64,
            out[i],
            keys[i]
        );
    }
    println!("100 000 keys / 100 keys: {:.2} (bar 3)", least[1] / least[0]);
    least[1] <= 3.0 * least[0]
}

fn main() {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|a| a.parse().ok()).collect();
    let (_, out) = match numbers[..] {
        [FEW, events] => {
            let mut window = Few::new();
            push!(window, FEW, 0, events)
        }
        [MANY, events] => {
            let mut window = Many::new();
            push!(window, MANY, 0, events)
        }
        [] => std::process::exit(i32::from(!compare())),
        _ => panic!("no arguments, or KEYS (100 or 100000) and EVENTS"),
    };
    println!("{out} elements in windows that timed out");
}

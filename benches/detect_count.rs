//! What `detect` of a unary three-step pattern executes per event, to be counted rather than timed:
//!
//! ```sh
//! valgrind --tool=callgrind target/release/deps/detect_count-… WINDOW EVENTS
//! ```
//!
//! WINDOW is 100 or 100000. `.ci/accept 1` takes the difference of two lengths, which leaves the start of the program
//! out, and compares the two windows: a machine that did work per event of its window would show it.

use std::hint::black_box;
use std::process::ExitCode;

use cep::{Event, cep};

#[derive(Event, Clone, Copy, Debug)]
enum Step {
    A { value: f64 },
    B { value: f64 },
    C { value: f64 },
    Other,
}

cep! {
    pattern Short on Step =
        A as a filter a.value > 0.5 ; B as b filter b.value > 0.5 ; C as c filter c.value > 0.5
        within 100 events
        detect;

    pattern Long on Step =
        A as a filter a.value > 0.5 ; B as b filter b.value > 0.5 ; C as c filter c.value > 0.5
        within 100000 events
        detect;
}

/// A stretch of events that is repeated, so that making them costs next to nothing per event.
fn steps() -> Vec<Step> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let step = |_| {
        let kind = random() % 4;
        let value = (random() >> 11) as f64 / (1_u64 << 53) as f64;
        match kind {
            0 => Step::A { value },
            1 => Step::B { value },
            2 => Step::C { value },
            _ => Step::Other,
        }
    };
    (0..4096).map(step).collect()
}

fn main() -> ExitCode {
    // `cargo bench` adds arguments of its own: without numbers it is a short run of both.
    let numbers: Vec<usize> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    let (windows, events) = match numbers[..] {
        [window @ (100 | 100_000), events] => (vec![window], events),
        [] => (vec![100, 100_000], 300_000),
        _ => {
            eprintln!("usage: detect_count 100|100000 EVENTS");
            return ExitCode::FAILURE;
        }
    };
    let steps = steps();
    let stream = || steps.iter().cycle().take(events);
    for window in windows {
        let mut detected = 0_u64;
        if window == 100 {
            let mut machine = Short::new();
            stream().for_each(|step| detected += u64::from(machine.push(black_box(step))));
        } else {
            let mut machine = Long::new();
            stream().for_each(|step| detected += u64::from(machine.push(black_box(step))));
        }
        println!("window {window}: {detected} of {events} events complete a match");
    }
    ExitCode::SUCCESS
}

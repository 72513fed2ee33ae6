//! Two machines in a program without `std` and without an allocator.
//!
//! `tests/no_std_builds.rs` builds it, runs it and looks into its symbols. It ends with 0 when the machines found what
//! they should, and otherwise with ten times the number of matches plus the number of events at which one was detected.
#![no_std]
#![no_main]
#![deny(warnings)]

use cep::{Event, cep};

#[derive(Event, Clone, Copy, Debug)]
enum Reading {
    /// Temperature.
    T { id: u32, value: f64 },
    /// Humidity.
    H { id: u32, value: f64 },
}

cep! {
    pattern FireRisk(hottest: f64) on Reading =
        T as hot filter hot.value > hottest ; H as dry filter dry.value < 25.0
        filter hot.id == dry.id
        within 4 events
        select hot, dry;

    pattern AnyRisk on Reading =
        T as hot filter hot.value > 40.0 ; H as dry filter dry.value < 25.0
        within 4 events
        detect;
}

const READINGS: [Reading; 7] = [
    Reading::T { id: 1, value: 45.0 },
    Reading::T { id: 2, value: 41.0 },
    Reading::H { id: 1, value: 20.0 }, // with 0
    Reading::H { id: 3, value: 20.0 }, // with none, but it is detected
    Reading::H { id: 1, value: 21.0 }, // 0 is out of the window; detected
    Reading::H { id: 2, value: 30.0 }, // too humid
    Reading::H { id: 2, value: 24.0 }, // 1 is out of the window
];

/// What the C library's start code calls. The arguments are not read.
#[unsafe(no_mangle)]
pub extern "C" fn main(_count: i32, _arguments: *const *const u8) -> i32 {
    let mut risk = FireRisk::new(40.0);
    let mut any = AnyRisk::new();
    let mut matches = 0;
    let mut detected = 0;
    // The compiler must not know the readings, or it works the answer out by itself.
    for reading in core::hint::black_box(&READINGS) {
        for m in risk.push(reading) {
            // `black_box` as well: the fields must be read.
            matches += i32::from(core::hint::black_box(m.hot.value) > core::hint::black_box(m.dry.value));
        }
        detected += i32::from(any.push(reading));
    }
    if (matches, detected) == (1, 3) { 0 } else { (10 * matches + detected).max(1) }
}

/// No machine panics; this is here since the language asks for it.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

// The start code and what it needs; nothing of it allocates for us.
#[link(name = "c")]
unsafe extern "C" {}

//! Inside functions.
use crate::events::Reading;

/// Finds what only this function names.
#[must_use]
pub fn pairs(readings: &[Reading], least: f64) -> usize {
    const ID: u32 = 1;
    fn same(a: u32, b: u32) -> bool {
        a == b
    }
    crate::facade::cep! {
        pattern Local(least: f64) on Reading =
            T as a filter a.value > least && a.id == ID ; H as b filter same(a.id, b.id) within 4 events select a, b;
    }
    let mut machine = Local::new(least);
    let mut found = 0;
    for reading in readings {
        for m in machine.push(reading) {
            if m.a.id == m.b.id && m.start() < m.end() {
                found += 1;
            }
        }
    }
    found
}

/// An event type of the function's own.
#[must_use]
pub fn own() -> bool {
    use ::core::marker::Copy;
    #[derive(crate::facade::Event, ::core::clone::Clone, Copy)]
    #[event(crate = crate::facade)]
    struct Tick {
        at: u64,
    }
    crate::facade::cep! {
        pattern Twice on Tick = Tick as a ; Tick as b filter b.at == a.at + 1 within 2 events select b;
    }
    let mut machine = Twice::new();
    let none = machine.push(&Tick { at: 1 }).count();
    let one = machine.push(&Tick { at: 2 }).count();
    none == 0 && one == 1
}

use ::core::iter::Iterator as _;

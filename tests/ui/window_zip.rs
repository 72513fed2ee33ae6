//! What a join of windows cannot be.
use cep::{Event, cep};

#[derive(Event, Clone, Copy)]
struct Sample {
    value: f64,
    id: u32,
    taps: [f64; 3],
}

cep! {
    // two million elements of `values` would wait
    window Late on Sample = zip(agse(value) @ (1, 2) delay 2000000, value);
    // its first record has no number
    window Far on Sample = zip(agse(value) @ (1, 2), agse(id) @ (18446744073709551615, 1) as far, agse(taps) @ (1, 1) as taps);
    window Mean on Sample = zip(agse(value) @ (1, 2) as pair, taps) agg { mean: avg };
    window Alone on Sample = zip(value, id);
    window Twice on Sample = zip(agse(value) @ (1, 2) as value, value);
}

fn main() {}

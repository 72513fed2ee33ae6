//! What an AGSE window cannot be.
use cep::{Event, Text, cep};

#[derive(Event, Clone, Copy)]
enum Reading {
    T { id: u32, value: f64, big: i64, name: Text<8>, taps: [f32; 3], ok: bool },
    H { value: f64 },
}

cep! {
    window W1 on Reading::T = agse(value) @ (0, 2);
    window W2 on Reading::T = agse(value) @ (1, 0);
    window W3 on Reading::T = agse(valeu) @ (1, 2);
    window W4 on Reading = agse(value) @ (1, 2);
    window W5 on Reading::Tee = agse(value) @ (1, 2);
    window W6 on Reading::T = agse(name, id) @ (1, 2);
    window W7 on Reading::T = agse(big, value) @ (1, 2);
    window W8 on Reading::T = agse(ok) @ (1, 2);
    window W9 on Reading::T = agse(taps[3]) @ (1, 2);
    window W10 on Reading::T = agse(value) @ (1, 2) agg { mean: average };
    window W11 on Reading::T = agse(name) @ (1, 2) agg { total: sum };
    window W12 on Reading::T = agse(value) @ (1, 2) agg { mean: avg, mean: max };
    window W13 on Reading::T = agse(value) @ (1, 2) agg { mean: avg(value) };
    window W14 on Reading::T interval 0 s = agse(value) @ (1, 2);
    window W15 on Reading::T = zip(agse(value) @ (1, 2), agse(id) @ (1, 3));
    window W17 on Reading::T = agse(value) (1, 2);
    window W18 on Reading::T = agse(value) @ (1, 2) capacity 3;
    window W19 on Reading::T = agse(value) @ (-1, 2);
}

fn main() {}

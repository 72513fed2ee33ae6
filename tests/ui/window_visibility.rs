//! A window whose elements would show a private type.
#[derive(cep::Event, Clone, Copy)]
enum Reading {
    Level {
        #[event(time)]
        at: u64,
        value: f64,
    },
}

cep::cep! {
    pub window High on Reading::Level = predicate {
        start: value > 1.0,
        end: value < 0.0,
        capacity: 64 elements,
    };
}

// another one of the same stream is fine
cep::cep! {
    pub window Sums on Reading::Level = predicate {
        start: value > 1.0,
        end: value < 0.0,
        capacity: 64 elements,
    } agg { total: sum(value) };
}

fn main() {
    let _ = (High::new(), Sums::new());
}

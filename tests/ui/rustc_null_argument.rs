//! What rustc says of an `Option` attribute's value stands at that value.
mod events;
use cep::cep;
use events::Reading;

fn hot(value: f64) -> bool {
    value > 30.0
}

cep! {
    pattern P on Reading = H as a filter hot(a.note);
}

fn main() {}

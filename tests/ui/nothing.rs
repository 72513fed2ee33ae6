//! A call without an item, and one with something else.
mod events;
use cep::cep;
use events::Reading;

cep! {
    }

    cep! {
        nonsense;
    }

    cep! {
        pattern;
}

fn main() {
    let _ = Reading::Idle;
}

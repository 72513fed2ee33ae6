//! An inner window shorter than what stands in it.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading = (T as a ; H as b within 1 events) ; Idle within 10 events;
}

fn main() {}

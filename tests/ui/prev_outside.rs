//! `prev` outside of the iteration.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading = T+ as b ; H filter prev(b).value > 1.0 within 10 events;
}

fn main() {}

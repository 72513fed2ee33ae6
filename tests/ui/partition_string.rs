//! A `String` as a key.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading = T as a ; T as b within 10 events partition by name;
}

fn main() {}

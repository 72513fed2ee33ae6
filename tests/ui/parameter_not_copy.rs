//! A parameter that is not `Copy`.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P(name: String) on Reading = T as a filter a.name == name within 10 events;
}

fn main() {}

//! State of a pattern that iterates: the search has a frame per event.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading = T+ as a ; H as b within 10000 events;
}

fn main() {}

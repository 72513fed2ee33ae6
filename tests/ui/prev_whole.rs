//! `prev(b)` is an event: its attributes are read.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading = (T as b filter f(prev(b)))+ within 10 events;
}

fn main() {}

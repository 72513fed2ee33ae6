//! `last` inside the iteration, where it would be the current one.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading = (T as b filter b.value > last(b).value)+ within 10 events;
}

fn main() {}

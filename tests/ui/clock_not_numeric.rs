//! A clock that is no number.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading = T as a ; T as b within 5 of name capacity 10 events;
}

fn main() {}

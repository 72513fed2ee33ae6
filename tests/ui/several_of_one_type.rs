//! A type name that stands for several events of a match.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading = T ; T within 10 events;
    pattern Q on Reading = T as a ; T within 10 events;
    pattern R on Reading = T ; T within 10 events select none;
    pattern S on Reading = T ; T filter T.value > 3.0 within 10 events select none;
}

fn main() {}

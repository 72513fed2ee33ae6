//! An inner `select` of what its parentheses do not bind.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading = (T as a ; H as b select c) within 10 events;
    pattern Q on Reading = T as a ; (H as b select a) within 10 events;
}

fn main() {}

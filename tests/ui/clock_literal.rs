//! An amount of another kind than the clock.
mod trades;
use cep::cep;
use trades::Trade;

cep! {
    pattern P on Trade = Buy as a ; Sell as b within 2.5 of at capacity 10 events;
}

fn main() {}

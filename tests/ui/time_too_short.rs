//! A window shorter than one tick of the clock.
mod trades;
use cep::cep;
use trades::Trade;

cep! {
    pattern P on Trade = Buy as a ; Sell as b within 10 us capacity 10 events;
}

fn main() {}

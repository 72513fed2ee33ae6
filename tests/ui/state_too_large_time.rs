//! State of a capacity.
mod trades;
use cep::cep;
use trades::Trade;

cep! {
    pattern P on Trade = Buy as a ; Sell as b within 10 s capacity 100000 events;
}

fn main() {}

//! Two clocks in one pattern.
mod trades;
use cep::cep;
use trades::Trade;

cep! {
    pattern P on Trade = (Buy as a ; Sell as b within 5 of tick) ; Halt within 10 s capacity 10 events;
}

fn main() {}

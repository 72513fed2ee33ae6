//! Keys of several types.
mod trades;
use cep::cep;
use trades::Trade;

cep! {
    pattern P on Trade = Buy as a ; Sell as b within 10 events partition by tag;
    pattern Q on Trade = Buy as a ; Sell as b within 10 events partition by Buy.id = Sell.tag;
}

fn main() {}

//! A float as a key.
mod trades;
use cep::cep;
use trades::Trade;

cep! {
    pattern P on Trade = Buy as a ; Sell as b within 10 events partition by price;
}

fn main() {}

//! A partition attribute that a used event type does not have.
mod trades;
use cep::cep;
use trades::Trade;

cep! {
    pattern P on Trade = Buy as a ; Halt as b within 10 events partition by seq;
    pattern Q on Trade = Buy as a ; Sell as b within 10 events partition by Buy.id;
}

fn main() {}

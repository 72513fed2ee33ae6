//! Attributes that cannot be the clock of a window.
mod trades;
use cep::cep;
use trades::Trade;

cep! {
    pattern P on Trade = Buy as a ; Sell as b within 5 of seq capacity 10 events;
    pattern Q on Trade = Buy as a ; Sell as b within 5 of id capacity 10 events;
    pattern R on Trade = Buy as a ; Sell as b within 5 of att capacity 10 events;
}

fn main() {}

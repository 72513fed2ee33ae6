//! Keys that no event type has.
mod trades;
use cep::cep;
use trades::Trade;

cep! {
    pattern P on Trade = Buy as a ; Sell as b within 10 events partition by sek;
    pattern Q on Trade = Buy as a ; Sell as b within 10 events partition by Bui.id = Sell.id;
    pattern R on Trade = Buy as a ; Sell as b within 10 events partition by Buy.id = Sell.idd;
    pattern S on Trade = Buy as a ; Sell as b within 10 events partition by Buy.id = Buy.seq;
}

fn main() {}

//! Windows, capacities and limits of zero.
mod trades;
use cep::cep;
use trades::Trade;

cep! {
    pattern P on Trade = Buy as a ; Sell as b within 0 s capacity 10 events;
    pattern Q on Trade = Buy as a ; Sell as b within 0 of at capacity 10 events;
    pattern R on Trade = Buy as a ; Sell as b within 10 s capacity 0 events;
    pattern S on Trade = Buy as a ; Sell as b within 10 events limit 0;
    pattern U on Trade = Buy as a ; Sell as b within 10 events partition by id capacity 0 keys;
}

fn main() {}

//! A window that counts the events of a key needs keys, and their number.
mod trades;
use cep::cep;
use trades::Trade;

cep! {
    pattern P1 on Trade = Buy as a ; Sell as b within 10 events of its partition;
    pattern P2 on Trade = Buy as a ; Sell as b within 10 events of its partition partition by id;
    pattern P3 on Trade = Buy as a ; Sell as b within 1 events of its partition partition by id capacity 9 keys;
    pattern P4 on Trade = Buy as a ; Sell as b within 100 events of its partition partition by id capacity 5000 keys;
}

fn main() {}

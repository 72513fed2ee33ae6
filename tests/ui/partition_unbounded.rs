//! `partition by` without a window.
mod trades;
use cep::cep;
use trades::Trade;

cep! {
    pattern P on Trade = Buy as a ; Sell as b partition by id detect;
}

fn main() {}

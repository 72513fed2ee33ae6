//! A window in time needs a capacity, except where nothing is kept.
mod trades;
use cep::cep;
use trades::Trade;

cep! {
    pattern P on Trade = Buy as a ; Sell as b within 10 s;
    pattern Q on Trade = Buy as a ; Sell as b filter a.id == b.id within 10 s detect;
    pattern R on Trade = Buy+ within 10 s select none;
}

fn main() {}

//! An attribute that has another type on each event type of a variable.
mod trades;
use cep::cep;
use trades::Trade;

cep! {
    pattern P on Trade = (Buy as a or Sell as a) filter a.tag == 3;
}

fn main() {}

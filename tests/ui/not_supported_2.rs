//! Each construct of the language that is not compiled yet: items.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P4 on P3 = P3 within 10 events;
    window W on Reading = T to H;
    pattern P5 on W = T within 10 events;
}

fn main() {}

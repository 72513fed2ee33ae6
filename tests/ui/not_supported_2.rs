//! Each construct of the language that is not compiled yet: items.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P3 on Reading = T as a ; H as b within 10 events;
    pattern P4 on P3 = P3 within 10 events;
}

fn main() {}

//! `limit` beside `detect`.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading = T as a ; H as b within 10 events limit 3 detect;
}

fn main() {}

//! A type name and a variable with one field name, chosen.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading = T+ as t ; H within 10 events select T, t;
}

fn main() {}

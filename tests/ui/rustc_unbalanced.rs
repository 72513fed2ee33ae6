//! A parenthesis that is not closed: Rust itself reads no further.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading = (T as a ; H as b within 10 events;
}

fn main() {}

//! `prev` of a variable that one repetition binds more than once.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading = ((T as b)+ ; H filter H.value > prev(b).value)+ within 10 events;
}

fn main() {}

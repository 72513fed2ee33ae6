//! A variable that is bound behind an iteration, read inside it.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading = (T as a filter a.id > b.id)+ ; H as b within 10 events;
}

fn main() {}

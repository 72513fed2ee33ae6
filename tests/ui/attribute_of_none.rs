//! An attribute that no event type of a variable has.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading = (T as a or H as a) filter a.valeu > 1.0;
    pattern Q on Reading = (T as a or H as a)+ as g within 10 events select g.nope;
}

fn main() {}

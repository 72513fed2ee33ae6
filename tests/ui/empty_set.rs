//! A pattern that may match the empty set of events.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading = T?;
    pattern Q on Reading = T* ; H? within 10 events;
    pattern R on Reading = (T? or H) within 10 events;
}

fn main() {}

//! Aggregates of what is no number.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading = T+ as a ; H as b filter min(a.name) == b.id within 10 events;
    pattern Q on Reading = H+ as a ; T filter max(a.dry) within 10 events;
}

fn main() {}

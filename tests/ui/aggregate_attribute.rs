//! `count` counts events.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading = T+ as a ; H as b filter count(a.id) > 3 within 10 events;
    pattern Q on Reading = T+ as a ; H as b filter min(a) > 3 within 10 events;
}

fn main() {}

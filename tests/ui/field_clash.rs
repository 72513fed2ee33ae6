//! Two selected variables with one field.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading = T as h ; H within 10 events;
    pattern Q on Reading = T as a ; H within 10 events select a, a.value;
    pattern R on Reading = T as idle ; Idle within 10 events;
}

fn main() {}

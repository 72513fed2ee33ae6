//! A variable that an inner `select` has dropped.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading = (T as a ; H as b select a) ; Idle filter b.id > 3 within 10 events;
    pattern Q on Reading = (T as a ; H as b select a) ; Idle filter H.id > 3 within 10 events;
    pattern R on Reading = (T as a ; H as b select a) ; Idle within 10 events select b;
}

fn main() {}

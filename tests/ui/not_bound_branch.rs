//! A variable that one branch of an `or` does not bind.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading = (T as a or H as b) ; (Idle as i filter a.value > 1.0) within 10 events;
    pattern Q on Reading = (T as a filter a.id > 1) or (H as b filter a.id > 1) within 10 events;
}

fn main() {}

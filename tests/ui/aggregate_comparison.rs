//! An aggregate compared with a number of the other kind.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading = T+ as a ; H as b filter max(a.value) > 3 within 10 events;
    pattern Q on Reading = T+ as a ; H as b filter count(a) > b.value within 10 events;
}

fn main() {}

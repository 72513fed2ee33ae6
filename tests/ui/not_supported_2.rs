//! Each construct of the language that is not compiled yet: suffixes, aggregates, items.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P1 on Reading = T as a ; H as b project b(id) within 10 events;
    pattern P2 on Reading = T as a ; H as b filter sum(b.value) > 3.0 within 10 events;
    pattern P3 on Reading = T as a ; H+ as b filter avg(b.value) > 3.0 && every(b.dry) within 10 events;
    pattern P4 on P3 = P3 within 10 events;
    window W on Reading = T to H;
    pattern P5 on W = T within 10 events;
}

fn main() {}

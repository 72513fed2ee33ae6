//! Each construct of the language that is not compiled yet: suffixes and aggregates.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P1 on Reading = T as a ; H as b project b(id) within 10 events;
    pattern P2 on Reading = (T as a ; H as b select a) within 10 events;
    pattern P3 on Reading = (T as a ; H as b within 3 events) within 10 events;
    pattern P4 on Reading = (T as a ; H as b) as g within 10 events;
    pattern P5 on Reading = T as a ; H as b filter sum(b.value) > 3.0 within 10 events;
    pattern P6 on Reading = T as a ; H as b filter count(a) > 3 within 10 events;
    pattern P7 on P6 = P6 within 10 events;
    window W on Reading = T to H;
    pattern P8 on W = T within 10 events;
}

fn main() {}

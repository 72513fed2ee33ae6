//! Formulas that can be read in two ways: both are shown.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading = T as a ; H as b or Idle within 10 events;
    pattern Q on Reading = T as a or H as b ; Idle within 10 events;
    pattern R on Reading = T as a filter a.id > 1 or H as b within 10 events;
    pattern S on Reading = T as a or H as b filter b.id > 1 within 10 events;
    pattern U on Reading = T as a ; not H filter a.id > 1 ; Idle within 10 events;
    pattern V on Reading = T as a agg m { n: count(a) } or H as b within 10 events;
    pattern W on Reading = T as a ; not H : Idle within 10 events;
    pattern X on Reading = T as a : not H within 10 events;
    pattern Y on Reading = not T ; H as b within 10 events;
}

fn main() {}

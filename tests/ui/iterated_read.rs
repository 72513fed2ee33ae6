//! An iterated variable read after its iteration in a window too long to keep its events.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading = T+ as a ; H as b filter a.value + b.value > 1.0 within 5000 events storage boxed;
    pattern Q on Reading = T+ as a ; H+ as b filter a.value > b.value within 5000 events storage boxed;
}

fn main() {}

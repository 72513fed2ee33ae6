//! Clauses out of order, twice, or one against another.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading = T as a ; H as b select a, b within 10 events;
    pattern Q on Reading = T as a ; H as b within 10 events within 20 events;
    pattern R on Reading = T as a ; H as b within 10 events select a detect;
}

fn main() {
    let mut p = P::new();
    for m in p.push(&Reading::Idle) {
        println!("{} {}", m.a.value, m.b.value);
    }
}

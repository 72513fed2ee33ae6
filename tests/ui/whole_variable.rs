//! A variable in a filter without an attribute.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading =
        T as a filter check(a) ; H as b filter a == b filter b.rise() > 3
        within 10 events;
}

fn main() {
    let mut p = P::new();
    for m in p.push(&Reading::Idle) {
        println!("{} {}", m.a.value, m.b.value);
    }
}

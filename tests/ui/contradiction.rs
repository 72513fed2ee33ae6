//! Bounds on one attribute that no value meets.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading =
        T as a filter a.value > 30.0 && a.value < 20.0 filter a.zone > 300 ; H as b filter b.id == 3 filter b.id == 4
        within 10 events;
}

fn main() {
    let mut p = P::new();
    for m in p.push(&Reading::Idle) {
        println!("{} {}", m.a.value, m.b.value);
    }
}

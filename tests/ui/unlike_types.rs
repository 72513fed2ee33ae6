//! Comparisons of values of two types.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading =
        T as a filter a.value > 30 ; H as b
        filter b.sensor == a.id && b.low < a.value && b.dry == 1 && a.id > 2.5
        filter b.low + a.value > 1.0 && b.dry == a.zone && a.name == b.id && b.note == 1.5
        within 10 events;
}

fn main() {
    let mut p = P::new();
    for m in p.push(&Reading::Idle) {
        println!("{} {}", m.a.value, m.b.value);
    }
}

//! An attribute that only another event type of the stream has.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading =
        T as a filter a.sensor > 1 ; H as b filter b.zone == a.zone
        within 10 events;
}

fn main() {
    let mut p = P::new();
    for m in p.push(&Reading::Idle) {
        println!("{} {}", m.a.value, m.b.value);
    }
}

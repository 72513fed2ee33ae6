//! An attribute that cannot outlive its event: in `select`, and in a filter over two events.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading = T as a ; H as b within 10 events select a.name, b;
    pattern Q on Reading = T as a ; T as b filter a.name == b.name within 10 events;
}

fn main() {
    let mut p = P::new();
    for m in p.push(&Reading::Idle) {
        println!("{}", m.b.value);
    }
}

//! An event type that the stream does not have: the nearest name, or all of them.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading = T as a ; HH as b within 10 events;
    pattern Q on Reading = Frost as a within 10 events;
}

fn main() {
    let mut p = P::new();
    for m in p.push(&Reading::Idle) {
        println!("{} {}", m.a.value, m.b.value);
    }
}

//! A window of no length, or of a negative one.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading = T as a ; H as b within 0 events;
    pattern Q on Reading = T as a ; H as b within -3 events;
    pattern R on Reading = T as a ; H as b within 0 s;
}

fn main() {
    let mut p = P::new();
    for m in p.push(&Reading::Idle) {
        println!("{} {}", m.a.value, m.b.value);
    }
}

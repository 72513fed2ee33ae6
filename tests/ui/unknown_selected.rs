//! `select` of what is no variable, no attribute, or both twice.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading = T as a ; H as b within 10 events select a, bb;
    pattern Q on Reading = T as a ; H as b within 10 events select a.valu, b;
    pattern R on Reading = T as a ; H as b within 10 events select a, b, a;
    pattern S on Reading = T as a ; H as b within 10 events select storm;
}

fn main() {
    let mut p = P::new();
    for m in p.push(&Reading::Idle) {
        println!("{} {}", m.a.value, m.bb.value);
    }
}

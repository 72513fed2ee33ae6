//! A word that begins no clause.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading = T as a ; H as b wihtin 10 events;
    pattern Q on Reading = T as a ; H as b within 10 events keep 3;
    pattern R on Reading = T as a ; H as b within 10 events storage heap;
    pattern S on Reading = T as a ; H as b within 10 minutes;
    pattern U on Reading = T as a ; H as b within 10;
    pattern V on Reading = T as a ; H as b within 10s;
    pattern W on Reading = T as a ; H as b within ten events;
}

fn main() {
    let mut p = P::new();
    for m in p.push(&Reading::Idle) {
        println!("{} {}", m.a.value, m.b.value);
    }
}

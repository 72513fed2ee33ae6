//! Tokens that continue nothing.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading = T as a ; H as b within 10 events => x;
    pattern Q on Reading = T as a H as b within 10 events;
    pattern R on Reading = T as a ; within 10 events;
    pattern S on Reading = (T as a ; ) within 10 events;
    pattern U on Reading = T as a, H as b within 10 events;
    pattern V on Reading T as a within 10 events;
    pattern W on Reading = T as a | H as b within 10 events;
    pattern X on Reading = () within 10 events;
    pattern Y on Reading = T as a ; H as b within 10 events ; Idle;
}

fn main() {
    let mut p = P::new();
    for m in p.push(&Reading::Idle) {
        println!("{} {}", m.a.value, m.b.value);
    }
}

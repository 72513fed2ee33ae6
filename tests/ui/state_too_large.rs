//! State of more than 64 KiB inside the machine, its size known.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading = T as a ; H as b within 10000 events;
    pattern Q on Reading = T as a ; H as b within 2000000000000 events;
    pattern R on Reading = T as a ; H as b within 1000000000000 events storage boxed;
}

fn main() {
    let mut p = P::new();
    for m in p.push(&Reading::Idle) {
        println!("{} {}", m.a.value, m.b.value);
    }
}

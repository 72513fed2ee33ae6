//! Attributes that cannot stand on an item.
mod events;
use cep::cep;
use events::Reading;

cep! {
    #[cfg(test)]
    pattern P on Reading = T as a ; H as b within 10 events;
    #[derive(Clone, Copy, PartialEq)]
    pattern Q on Reading = T as a within 10 events;
    #[repr(C)]
    pattern R on Reading = T as a within 10 events;
    #[cep(kernel = rong)]
    pattern S on Reading = T as a within 10 events;
    #[cep(speed = 3)]
    pattern U on Reading = T as a within 10 events;
}

fn main() {
    let mut p = P::new();
    for m in p.push(&Reading::Idle) {
        println!("{} {}", m.a.value, m.b.value);
    }
}

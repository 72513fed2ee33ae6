//! A pattern over several events needs a window.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading = T as a ; H as b;
    pattern Q on Reading = T as a ; H as b select a;
    pattern R on Reading = T as a ; H as b filter a.id == b.id detect;
    pattern S on Reading = T as a ; H as b select none;
}

fn main() {
    let mut p = P::new();
    for m in p.push(&Reading::Idle) {
        println!("{} {}", m.a.value, m.b.value);
    }
}

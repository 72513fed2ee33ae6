//! What a filter may not do.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading =
        T as a filter { let mut n = 0; n += 1; n == 1 } && a.value > 1.0
        filter a.id = 3
        filter { return true }
        filter vec![1].len() == a.name.len()
        filter { while a.id > 3 {} true }
        filter (&mut a.id) == 3
        filter unsafe { a.id == 3 }
        filter [1, 2].iter().any(|n| *n == a.id)
        ; H as b
        within 10 events;
}

fn main() {
    let mut p = P::new();
    for m in p.push(&Reading::Idle) {
        println!("{} {}", m.a.value, m.b.value);
    }
}

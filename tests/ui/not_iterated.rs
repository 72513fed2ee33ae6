//! `prev`, `first` and `last` of a variable that is bound once.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading =
        T as a ; H as b filter prev(b).value < 1.0 && first(a).id == 1 filter b.value > last(b).value
        within 10 events;
}

fn main() {
    let mut p = P::new();
    for m in p.push(&Reading::Idle) {
        println!("{} {}", m.a.value, m.b.value);
    }
}

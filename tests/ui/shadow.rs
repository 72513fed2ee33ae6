//! A local name in a filter that hides a variable or a parameter.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P(floor: u32) on Reading =
        T as a filter Some(a.id).is_some_and(|a| a == 1) filter matches!(a.id, floor if floor > 3) ; H as b filter { let b = 3; b == a.id }
        within 10 events;
}

fn main() {
    let mut p = P::new(1);
    for m in p.push(&Reading::Idle) {
        println!("{} {}", m.a.value, m.b.value);
    }
}

//! A name in a filter that is no variable and no parameter.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P(lowest: f64) on Reading =
        T as hot filter hto.value > 1.0 ; H as b filter b.value < limit && b.value < lowet
        within 10 events;
}

fn main() {
    let mut p = P::new(1.0);
    for m in p.push(&Reading::Idle) {
        println!("{} {}", m.hot.value, m.b.value);
    }
}

//! Where the words of the language are Rust's in a filter.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading = T filter T.value > 1.0 as a ; H as b within 10 events;
    pattern Q on Reading = T as a filter a.id > 3 ? ; H as b within 10 events;
    pattern R on Reading = T as a filter a.id > LIMIT {2} ; H as b within 10 events;
    pattern S on Reading = T as a ; H+? ; Idle within 10 events;
    pattern U on Reading = T as a filter a.id > ; H as b within 10 events;
    pattern V on Reading = T as a filter ; H as b within 10 events;
    pattern W on Reading = T as a ; H{0} ; H{3,2} within 10 events;
}

fn main() {
    let mut p = P::new();
    for m in p.push(&Reading::Idle) {
        println!("{} {}", m.a.value, m.b.value);
    }
}

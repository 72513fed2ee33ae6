//! Each clause of the language that is not compiled yet.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P1 on Reading = T as a ; H as b within 1 min 30 s;
    pattern P2 on Reading = T as a ; H as b within 5 of value;
    pattern P3 on Reading = T as a ; H as b within window Trip;
    pattern P4 on Reading = T as a ; H as b within 10 events of its partition;
    pattern P5 on Reading = T as a ; H as b within 10 events partition by id strategy last skip past last consume any;
    pattern P6 on Reading = T as a ; H as b within 10 events limit 3 timeouts capacity 10 events or evict;
    pattern P7 on Reading = T as a ; H as b within 10 events summarize { n: count(*) };
}

fn main() {
    let mut p = P1::new();
    for m in p.push(&Reading::Idle) {
        println!("{} {}", m.a.value, m.b.value);
    }
}

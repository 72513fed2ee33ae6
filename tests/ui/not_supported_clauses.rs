//! Each clause of the language that is not compiled yet.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P1 on Reading = T as a ; H as b within 10 events skip past last;
    pattern P2 on Reading = (T as a ; H as b within 3 events of its partition) ; T as c within 9 events partition by id;
    pattern P3 on Reading = T as a ; H as b within 10 events partition by id strategy last skip past last;
    pattern P4 on Reading = T as a ; H as b within 10 events limit 3 timeouts;
    pattern P6 on Reading = (T as a ; H as b within window Trip) within 10 events;
}

fn main() {
    let mut p = P1::new();
    for m in p.push(&Reading::Idle) {
        println!("{} {}", m.a.value, m.b.value);
    }
}

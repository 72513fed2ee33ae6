//! A window in time over a stream of which some event types have no time.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading = T as a ; H as b within 10 s capacity 10 events;
    pattern Q on Reading = (T as a within 3 s);
}

fn main() {
    let mut p = P::new();
    for m in p.push(&Reading::Idle).expect("time goes forward") {
        println!("{}", m.a.value);
    }
}

//! Four independent mistakes in one build: all are reported, and no other.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pub pattern P(floor: f64) on Reading = T as a filter a.valeu > floor ; H as b filter b.value > 3 within 10 events;
    pub pattern Q on Reading = T as a ; HH as b within 10 events;
    pub pattern R on Reading = T as a ; ; H as b within 10 events select a;
    pub pattern S on Reading = T as a filter a.value > a.id within 10 events limit 3;
}

fn main() {
    let mut p = P::new(40.0);
    for m in p.push(&Reading::Idle) {
        println!("{} {} {}", m.start(), m.a.value, m.b.value);
    }
    let mut q = Q::new();
    assert_eq!(q.push(&Reading::Idle).count(), 0);
    println!("{}", q.position());
    let mut r = R::new();
    let first: Option<RMatch> = r.push(&Reading::Idle).next();
    assert!(first.is_none_or(|m| m.a.value > 1.0));
}

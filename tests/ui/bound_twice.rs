//! A variable bound twice in a sequence; parameters and types are names too.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading = T as a ; H as a within 10 events;
    pattern Q(a: f64) on Reading = T as a within 10 events;
    pattern R on Reading = T as H ; H as b within 10 events;
    pattern S(x: f64, x: f64) on Reading = T as a within 10 events;
}

fn main() {}

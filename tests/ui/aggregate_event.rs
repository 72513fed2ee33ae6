//! The rules of `agg` and of the computed events that it makes.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P1 on Reading = T as a agg m { n: count(b), s: sum(a.valeu) } within 10 events;
    pattern P2 on Reading = T as a ; (H as b agg m { n: count(a) }) within 10 events;
    pattern P3 on Reading = T as a agg m { n: count(a), n: sum(a.value) } within 10 events;
    pattern P4 on Reading = T as a agg m { n: cuont(a), s: sum(a), r: count(*) } within 10 events;
    pattern P5 on Reading = T as a agg m { s: sum(a.value) as f64, e: every(a.value) } within 10 events;
    pattern P6 on Reading = T as a agg m { mean: avg(a.value) } filter m.mean > 3 && m.maen > 3.0 within 10 events;
    pattern P7 on Reading = T as a agg m { n: fold(a.value), k: fold 3(a.value), l: min a(a.value), q: 3 } within 10 events;
}

fn main() {}

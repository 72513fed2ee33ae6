//! The rules of `summarize`.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P1 on Reading = T as a ; H as b summarize { n: count(*) };
    pattern P2 on Reading = T as a within 9 events summarize { n: count(*), n: sum(a.value), k: sum(*), l: first(a.id) };
    pattern P3 on Reading = T as a ; H as b ; H as c ; H as d ; H as e ; H as f ; H as g ; H as h ; H as i within 100000 events storage boxed summarize { n: count(*), total: sum(a.id) };
    pattern P4 on Reading = T as a within 9 events summarize { top: max(a.id) wrapping, dry: any(a.value) };
    pattern P5 on Reading = T+ as a ; H as b within 30 events summarize { n: count(*) saturating };
    pattern P6 on Reading = T as a ; H as b within 9 events limit 3 summarize { n: count(*), m: max(c.value) };
}

fn main() {}

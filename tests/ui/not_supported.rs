//! Each construct of the language that is not compiled yet.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P1 on Reading = T as a : H as b within 10 events;
    pattern P2 on Reading = T as a -> H as b within 10 events;
    pattern P3 on Reading = (T as a or H as a) within 10 events;
    pattern P4 on Reading = T+ as a ; H* ; Idle? ; T{2} ; T:+ ; T->{1,3} within 10 events;
    pattern P5 on Reading = T as a ; not H ; Idle within 10 events;
    pattern P6 on Reading = T as a ; not H within 10 events;
    pattern P7 on Reading = (T as a ; H as b without Idle) within 10 events;
    pattern P8 on Reading = all(T as a, H as b) within 10 events;
    pattern P9 on Reading = T as a agg m { n: count(a) } within 10 events;
}

fn main() {}

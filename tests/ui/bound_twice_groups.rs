//! A variable over a group that holds itself, or that another group has.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading = ((T as g ; H) as g) within 10 events;
    pattern Q on Reading = (T ; H) as g ; Idle as g within 10 events;
    pattern R on Reading = (T as a)+ as a within 10 events;
    pattern S on Reading = (T as a or H) as a within 10 events;
}

fn main() {}

//! Each construct of the language that is not compiled yet.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading = T as a -> H as b within 10 events;
    pattern Q on Reading = T{2} ; H{1,3} ; T->+ ; T->{1,3} ; H:{2,} within 10 events;
    pattern R on Reading = T as a ; not H ; Idle within 10 events;
    pattern S on Reading = T as a ; not H within 10 events;
    pattern U on Reading = (T as a ; H as b without Idle) within 10 events;
    pattern V on Reading = all(T as a, H as b) within 10 events;
}

fn main() {}

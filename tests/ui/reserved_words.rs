//! More words of the language where a name belongs.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading = (T ; H) as window within 10 events;
    pattern Q on Reading = (T ; H) as or within 10 events;
    pattern R on Reading = T as capacity;
}

fn main() {}

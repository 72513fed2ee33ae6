//! `on` something that is no path.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on &Reading = T as a within 10 events;
    pattern Q on (Reading) = T as a within 10 events;
    pattern R = T as a within 10 events;
    pattern S on = T as a within 10 events;
    pattern U Reading = T as a within 10 events;
}

fn main() {
    let _ = Reading::Idle;
}

//! Words of the language, and of Rust, as names.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading = T as within ; H as b within 10 events;
    pattern Q(select: f64) on Reading = T as a within 10 events;
    pattern R on Reading = T as type within 10 events;
    pattern filter on Reading = T as a within 10 events;
    pattern S on Reading = T as _ within 10 events;
    pattern U on Reading = T as self within 10 events;
}

fn main() {
    let _ = Q::new(1.0);
}

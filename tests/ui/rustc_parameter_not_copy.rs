//! A parameter of a type that rustc alone knows not to be `Copy`.
mod events;
use cep::cep;
use events::Reading;

pub struct Floor(f64);

impl Floor {
    fn admits(&self, value: f64) -> bool {
        value > self.0
    }
}

cep! {
    pattern P(floor: Floor) on Reading = T as a filter floor.admits(a.value) within 10 events;
}

fn main() {}

//! `#[event(…)]` that says what cannot be.
use cep::Event;

#[derive(Event)]
pub struct Trade {
    #[event(time = "fortnight")]
    pub at: u64,
    #[event(tiem)]
    pub other: u64,
    #[event(key)]
    pub price: f64,
    #[event(key)]
    pub name: String,
    #[event(copy, no_copy)]
    pub both: u8,
    #[event(name = "two words")]
    pub words: u8,
}

#[derive(Event)]
pub struct Clock {
    #[event(time)]
    pub at: f64,
    #[event(name = "at")]
    pub again: u8,
}

fn main() {}

//! What cannot be an event.
use cep::Event;

#[derive(Event)]
pub struct Tuple(u32, f64);

#[derive(Event)]
pub union Either {
    pub a: u32,
    pub b: f32,
}

#[derive(Event)]
pub enum Nothing {}

#[derive(Event)]
pub enum Holds {
    A(u32),
    B(u8, u8),
}

fn main() {}

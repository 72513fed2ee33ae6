//! State of more than 64 KiB inside the machine, its size known to rustc only.
use cep::{Event, cep};

#[derive(Clone, Copy)]
pub struct Payload([u64; 32]);

#[derive(Event)]
pub struct Big {
    #[event(copy)]
    pub payload: Payload,
}

cep! {
    pattern P on Big = Big as a ; Big as b within 1000 events;
}

fn main() {}

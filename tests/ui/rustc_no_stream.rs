//! `on` something that derives nothing, and on an alias: rustc speaks beside us.
mod events;
use cep::cep;

pub struct Plain;
pub type Alias = events::Reading;

cep! {
    pattern P on Plain = T as a within 10 events;
    }

    cep! {
        pattern Q on Alias = T as a within 10 events;
}

fn main() {}

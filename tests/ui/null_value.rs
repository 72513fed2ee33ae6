//! An `Option` attribute stands for its value.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading = H as a filter a.note == None;
    pattern Q on Reading = H as a filter a.note == Some(3);
    pattern R on Reading = H as a filter a.note.unwrap() > 3;
    pattern S on Reading = T as a filter a.id.is_none();
}

fn main() {}

//! A selected attribute that the event types of a Bag do not share.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading = (T as a or H as b)+ as y within 10 events select y.zone;
}

fn main() {}

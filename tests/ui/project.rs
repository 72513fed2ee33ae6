//! What `project` takes away cannot be read any more.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P1 on Reading = T as a project a(id) ; H as b filter a.value > b.value within 10 events;
    pattern P2 on Reading = T as a project a(id, id, vlaue) within 10 events;
    pattern P3 on Reading = T as a ; (H as b project a(id)) within 10 events;
    pattern P4 on Reading = T as a project a(id) within 10 events select a.value;
}

fn main() {}

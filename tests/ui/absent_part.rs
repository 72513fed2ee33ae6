//! A condition on a part that may be absent, on something else than its variables, inside another such part.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading = T as a ; (H as b ? filter count(b) == 0)+ within 10 events;
    pattern Q on Reading = T as a ; ((H as b ? filter a.id > 3) ; Idle?)? within 10 events;
}

fn main() {}

//! An aggregate needs a variable, and what is never NULL is not asked whether it is.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern P on Reading = (H as a)+ ; T as t filter count() > 3 within 5 events select t;
    pattern Q on Reading = (H as a)+ ; T as t filter count(*) > 3 within 5 events select t;
    pattern R on Reading = (H as a)+ ; T as t filter max(a.value).is_none() || sum(a.id).is_none() within 5 events select t;
}

fn main() {}

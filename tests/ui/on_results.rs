//! Items whose results are no events, after `on`: in the same call and from another module.
mod events;
use cep::cep;
use events::Reading;

mod other {
    use super::Reading;
    use cep::{Event, cep};

    #[derive(Event, Clone, Copy)]
    pub(crate) struct Ping {
        #[event(time)]
        at: u64,
    }

    cep! {
        pub(crate) pattern Bags on Reading = T+ as ts ; H as dry within 9 events;
        pub(crate) window Members on Ping = predicate { start: true, nesting: true, capacity: 4 elements };
    }
}

cep! {
    pattern Bag on Reading = (T as a)+ ; H as b within 10 events;
    pattern Yes on Reading = T ; H detect;
    pattern P1 on Bag = Bag within 10 events;
    window W1 on Yes = agse @ (1, 2);
    pattern P2 on P2 = P2 within 10 events;
}

use other::{Bags, Members};

cep! {
    pattern P3 on Bags = Bags as a ; Bags as b within 10 events;
    pattern P4 on Members = Members as a ; Members as b within 10 events;
}

/// Uses beside a mistake are no mistakes.
fn uses() {
    let (mut p, mut w) = (Bag::new(), W1::new());
    let mut on = P1::new();
    let mut matches = p.push(&Reading::Idle);
    while let Some(m) = matches.next() {
        on.push(&m);
    }
    let _ = w.push(&true);
}

fn main() {
    uses();
}

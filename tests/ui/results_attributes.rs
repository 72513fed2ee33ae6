//! Attributes of matches: of what they hold, one level down.
mod events;
use cep::cep;
use events::Reading;

cep! {
    pattern Risk on Reading = T as hot ; (H as wet)? ; (T or H) as any within 10 events;
    pattern P1 on Risk = Risk as a filter a.hot.valeu > 3.0 within 1 events;
    pattern P2 on Risk = Risk as a filter a.cold.value > 3.0 within 1 events;
    pattern P3 on Risk = Risk as a ; Risk as b within 9 events partition by hot.idd;
    pattern P4 on Risk = Risk as a ; Risk as b within 9 events partition by hot.value;
    window W1 on Risk = agse(hot.valeu) @ (1, 2);
    window W2 on Risk = agse(wet.value) @ (1, 2);
    window W3 on Risk = agse(hot) @ (1, 2);
    window W4 on Risk = predicate { start: hot.value > 3.0, capacity: 4 elements };
    pattern P5 on Risk = Risk as a ; Risk as b within 5 s capacity 9 events;
}

fn main() {}

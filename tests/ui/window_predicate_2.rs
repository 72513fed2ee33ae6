//! What a predicate window cannot be, its conditions and folds.
use cep::{Event, cep};

#[derive(Event, Clone, Copy)]
struct Ping {
    #[event(time)]
    at: u64,
    cab: u32,
    fare: f64,
    zone: Option<u8>,
}

#[derive(Event, Clone, Copy)]
struct Timeless {
    value: f64,
}

cep! {
    window P19 on Ping = predicate { start: true, nesting: true, capacity: 4 elements } agg { n: count(*) };
    window P20 on Ping = predicate { start: { at = 3; true }, capacity: 4 elements };
    window P21 on Ping = predicate { start: first.frae > 1.0, capacity: 4 elements };
    window P22 on Ping = predicate { start: true, capacity: 4 elements } agg { n: sum(*) };
    window P23 on Timeless = predicate { start: true, capacity: 4 elements };
    window P24 on Ping = predicate { start: true } agg { n: count(*) } latency worst_case;
    window P26 on Ping = predicate { start: true, partition: cab, capacity: 4 elements, 4 keys } agg { cab: count(*), __end: count(*) };
    window P27 on Ping = predicate { start: true, partition: (cab, cab), capacity: 4 elements, 4 keys } agg { n: count(*) };
}

fn main() {}

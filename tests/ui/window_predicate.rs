//! What a predicate window cannot be.
use cep::{Event, cep};

#[derive(Event, Clone, Copy)]
struct Ping {
    #[event(time)]
    at: u64,
    cab: u32,
    fare: f64,
    zone: Option<u8>,
}

cep! {
    window P1 on Ping = predicate { end: fare > 3.0, capacity: 4 elements };
    window P2 on Ping = predicate { start: true };
    window P3 on Ping = predicate { start: true, partition: cab, capacity: 4 elements };
    window P4 on Ping = predicate { start: true, partition: cab, capacity: 4 keys } agg { n: count(*) };
    window P5 on Ping = predicate { start: true, size: 5 s, max_window_time: 5 s, capacity: 4 elements };
    window P6 on Ping = predicate { start: true, advance_size: 1, capacity: 4 elements };
    window P7 on Ping = predicate { start: true, advance_when: true, capacity: 4 elements };
    window P8 on Ping = predicate { start: far > 3.0, capacity: 4 elements };
    window P9 on Ping = predicate { start: true, partition: fare, capacity: 4 elements, 4 keys };
    window P10 on Ping = predicate { start: true, partition: zone, capacity: 4 elements, 4 keys };
    window P11 on Ping = predicate { start: true, starts: true, capacity: 4 elements };
    window P12 on Ping = predicate { start: true, start: false, capacity: 4 elements };
    window P13 on Ping = predicate { start: true, nesting: 3, capacity: 4 elements };
    window P14 on Ping = predicate { start: true, size: 5 us, capacity: 4 elements };
    window P15 on Ping = predicate { start: true, size: 0, capacity: 4 elements };
    window P16 on Ping = predicate { start: true, capacity: 0 elements };
    window P17 on Ping = predicate { start: true, capacity: 4 };
    window P18 on Ping = predicate { start: true, max_window_time_output_port: 2, capacity: 4 elements };
    window P25 on Ping = predicate { start: true, max_window_time_output_port: 300, max_window_time: 5 s, capacity: 4 elements };
}

fn main() {}

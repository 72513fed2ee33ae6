//! What `within window` cannot be.
mod events;
use cep::{Event, cep};
use events::Reading;

#[derive(Event, Clone, Copy)]
struct Ping {
    #[event(time)]
    at: u64,
    cab: u32,
    v: i64,
}

#[derive(Event, Clone, Copy)]
struct Pong {
    #[event(time)]
    at: u64,
    v: i64,
}

cep! {
    window Trip on Ping = predicate { start: v > 3, partition: cab, capacity: 8 elements, 4 keys };
    window Evicts on Ping = predicate { start: v > 3, capacity: 8 elements or evict };
    window Records on Ping = agse(v) @ (1, 5);
    pattern P1 on Ping = Ping as a ; Ping as b within window Trip;
    pattern P2 on Pong = Pong as a ; Pong as b within window Trip capacity 4 events;
    pattern P3 on Ping = Ping as a ; Ping as b within window Evicts capacity 4 events;
    pattern P4 on Ping = Ping as a ; Ping as b within window Records capacity 4 events;
    pattern P5 on Ping = Ping as a ; Ping as b within window P1 capacity 4 events;
    pattern P6 on Ping = Ping as a ; Ping as b within window Trip partition by cab capacity 4 events;
    pattern P7 on Ping = (Ping as a ; Ping as b within window Trip) within 9 events;
    window Wrong on Ping = predicate { start: u > 3, capacity: 4 elements };
    pattern P8 on Ping = Ping as a ; Ping as b within window Wrong capacity 4 events;
    pattern P9 on Reading = T as a ; T as b within window Trip capacity 4 events;
}

fn main() {}

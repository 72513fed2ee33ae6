//! Structs that event enums of another crate hold.
#![deny(
    warnings,
    missing_docs,
    clippy::pedantic,
    unreachable_pub,
    unused_qualifications,
    single_use_lifetimes,
    elided_lifetimes_in_paths,
    missing_debug_implementations,
    missing_copy_implementations
)]
use cep::Event;

/// An opaque attribute.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Venue {
    /// Open book.
    Lit,
    /// None.
    Dark,
}

/// A private alias of a private field in a public type.
type Price = f64;

/// A private field, an alias, an `Option`, an opaque type, a `String`.
#[derive(Event, Clone, Debug)]
pub struct Trade {
    /// Seconds.
    #[event(time = "s")]
    pub ts: u64,
    price: Price,
    /// Unknown for some.
    pub qty: Option<u32>,
    /// Where.
    #[event(key)]
    pub venue: Venue,
    /// Who.
    pub name: String,
}

impl Trade {
    /// At a price.
    #[must_use]
    pub fn new(ts: u64, price: f64) -> Self {
        Trade { ts, price, qty: None, venue: Venue::Lit, name: "x".into() }
    }
}

/// Held in a box.
#[derive(Event, Clone, Copy, Debug)]
pub struct Quote {
    /// Buy.
    pub bid: f64,
    /// Sell.
    pub ask: f64,
}

/// A type parameter.
#[derive(Event, Clone, Copy, Debug)]
pub struct Gauge<T> {
    /// Which.
    pub n: u32,
    /// What.
    #[event(copy)]
    pub v: T,
}

cep::cep! {
    /// Trades that rise, as events for other crates.
    pub pattern Rise on Trade = Trade as low ; Trade as high filter high.price > low.price && high.venue == low.venue within 10 events;
    /// Their times.
    pub window Sizes on Rise = agse(low.ts) @ (1, 2) agg { least: min };
}

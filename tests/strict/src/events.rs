//! Event types of every kind.
use ::core::clone::Clone;
use ::core::cmp::{Eq, PartialEq};
use ::core::fmt::Debug;
use ::core::hash::Hash;
use ::core::marker::Copy;
use ::core::option::Option;

use crate::facade::{Event, Text};

/// What a sensor says.
#[derive(Event, Clone, Copy, Debug)]
#[event(crate = crate::facade)]
pub enum Reading {
    /// A temperature.
    T {
        /// The sensor.
        id: u32,
        /// In degrees Celsius.
        value: f64,
        /// How sure the sensor is, if it says so.
        trust: Option<f64>,
    },
    /// A humidity.
    H {
        /// The sensor.
        id: u32,
        /// In percent.
        value: f64,
    },
    /// Nothing to say.
    Idle,
}

/// A traded thing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Symbol(pub u16);

/// Of an order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// Bids.
    Buy,
    /// Asks.
    Sell,
}

/// A trade.
#[derive(Event, Clone, Copy, Debug)]
#[event(crate = crate::facade)]
pub struct Trade {
    /// Of what.
    #[event(key)]
    pub symbol: Symbol,
    /// For how much.
    pub price: f64,
    /// How many.
    pub quantity: u32,
    /// Where.
    pub venue: &'static str,
    /// A note.
    pub note: Text<8>,
}

/// An order.
#[derive(Event, Clone, Debug)]
#[event(crate = crate::facade)]
pub struct Order {
    /// Of what.
    #[event(key)]
    pub symbol: Symbol,
    /// Which way.
    pub side: Side,
    /// The limits, worst first.
    pub limits: [f64; 2],
    /// Who; can be read and not kept.
    pub by: ::std::string::String,
}

/// What a market says.
#[derive(Event, Clone, Debug)]
#[event(crate = crate::facade)]
pub enum Market {
    /// Something was sold.
    Trade(Trade),
    /// Somebody wants to.
    Order(Order),
    /// Nobody may.
    Halt,
}

/// What a wire says: it borrows.
#[derive(Event, Clone, Copy, Debug)]
#[event(crate = crate::facade)]
pub struct Packet<'a> {
    /// When.
    #[event(time = "us")]
    pub at: u64,
    /// To where.
    pub port: u16,
    /// What.
    pub body: &'a [u8],
}

/// A number of some type.
#[derive(Event, Clone, Copy, Debug)]
#[event(crate = crate::facade)]
pub struct Gauge<V: Copy> {
    /// The number.
    #[event(copy)]
    pub value: V,
    /// Names that only raw identifiers can be, and names of ours.
    pub r#type: u8,
    /// Not the stream's.
    pub position: u32,
}

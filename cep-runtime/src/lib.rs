//! What emitted machines run on: how events are looked at and what is kept of them.
#![no_std]
#![forbid(unsafe_code)]
#[cfg(feature = "alloc")]
extern crate alloc;

mod event;
mod text;

pub use event::{At, Attr, Event, EventType, Fixed, FixedKey, FixedOrd, Seen, Stream, keep};
pub use text::{Text, TooLong};

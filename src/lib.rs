//! Complex event patterns, compiled at build time to plain Rust machines: no allocation, `no_std`, no interpreter.
//!
//! `#[derive(Event)]` makes a type a stream's event type, [`cep!`] compiles patterns over it.
#![no_std]

pub use cep_macros::Event;
pub use cep_runtime::{
    Answer, At, Bag, BagIter, Clock, Event, Gives, Lends, Machine, Matching, Monoid, Never, PushError,
    Reason, Refused, Reorder, Stats, Stream, Text, TooLong,
};

/// What expanded code names. Not for users: it changes without notice.
#[doc(hidden)]
pub mod __private {
    pub use cep_macros::{cep_entry, cep_step, derive_step};
    pub use cep_runtime::*;
}

/// Compiles the items given: patterns over event types.
///
/// Hands `$crate` to the compiler, so that the crate may be renamed or re-exported.
#[macro_export]
macro_rules! cep {
    ($($items:tt)*) => { $crate::__private::cep_entry! { ($crate) $($items)* } };
}

/// The programs of the README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

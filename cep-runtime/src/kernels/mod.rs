//! The data structures behind a machine's positions.
//!
//! Which one a pattern gets is the compiler's choice (its plan states why); all are exact, allocate nothing and know their
//! capacity at build time. [`Ring`] is always right, the others need side conditions that the compiler proves.
mod latest;
mod ring;
mod search;
pub use latest::{Latest, LiveStarts};
pub use ring::{Live, Ring, Slot};
pub use search::{Path, Search, Table};

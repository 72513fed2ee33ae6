//! The data structures behind a machine's positions.
//!
//! Which one a pattern gets is the compiler's choice (its plan states why); all are exact, allocate nothing and know their
//! capacity at build time. [`Ring`] is always right, the others need side conditions that the compiler proves.
mod bag;
mod computed;
mod direct;
mod key;
mod keyed;
mod keys;
mod lane;
mod latest;
#[cfg(test)]
mod models;
mod pareto;
mod path;
mod product;
mod recent;
mod registers;
mod ring;
mod walk;
pub use bag::{Bag, BagIter, Places};
pub use computed::ComputedBag;
pub use direct::Direct;
pub use key::{Filled, Finite, FloatKey, Key, OpaqueKey, OpaqueRank, Optional, Rank};
pub use keyed::{Keyed, KeyedSlot, KeyedUpdate};
pub use keys::{Keys, NO_PLACE, Place};
pub use lane::{Lane, Starts};
pub use latest::{Latest, LiveStarts, Start};
pub use pareto::{Pareto, Ranked};
pub use path::Path;
pub use product::{Modular, RunProduct, Tally};
pub use recent::Recent;
pub use registers::{Computed, Joins, Registers};
pub use ring::{Live, Ring, Slot};
pub use walk::{Edge, Frame, Table, Walk};

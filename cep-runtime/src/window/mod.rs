//! Windows: their sliding folds, their records, and what the machines of the `window` item keep.
//!
//! The folds ([`Sliding`]) are the published algorithms for in-order windows over an arbitrary monoid, each in a ring of fixed capacity:
//!
//! | kernel | combines for one step (evict, insert, query) | slots |
//! | --- | --- | --- |
//! | [`Recompute`] | L | L |
//! | [`Inverse`] | 1 and one inverse | L |
//! | [`TwoStacks`] | 3 on average, L in the worst step | L |
//! | [`Daba`] | at most 6 in any step | L, rounded up to a power of two |
//!
//! Rejected: trees (FlatFAT, O(log L) a step) and finger trees, which buy out-of-order insertion that the machines do not need.
mod agse;
mod daba;
mod heap;
mod inverse;
mod join;
mod keep;
mod predicate;
mod recompute;
#[cfg(test)]
mod tests;
mod two_stacks;

pub use agse::{Hop, Newest, Panes, emit_at};
pub use daba::Daba;
pub use inverse::Inverse;
pub use join::Part;
pub use keep::{Folds, Keep, States, Values};
pub use predicate::{
    Condition, Given, InlineSpans, Open, OpenWindow, Piece, Reason, Settings, Span, Spans, What, Windows,
};
pub use recompute::Recompute;
pub use two_stacks::TwoStacks;

use crate::Monoid;

/// The fold over the newest values of a stream, as many as the kernel was made for (fewer at the start of the stream).
pub trait Sliding<M: Monoid> {
    /// Takes the newest value's state; the oldest one's goes when the window is full.
    fn slide(&mut self, newest: M);
    /// The fold of what is in the window, oldest first; the identity if nothing is.
    fn query(&self) -> M;
    /// Forgets everything.
    fn clear(&mut self);
}

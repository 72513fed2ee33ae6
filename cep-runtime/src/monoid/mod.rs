//! Monoids: what `agg` and `summarize` fold with, and what the sliding kernels combine.
//!
//! A fold is described by four things (Tangwongsan, Hirzel, Schneider, Wu: *General incremental sliding-window aggregation*, 2015): an
//! identity, `lift` from a value to a state, an associative `combine`, and `lower` from a state to the result. Nothing is assumed beyond
//! associativity: states are always combined in stream order, older first. Two markers tell more where there is more: [`Group`] (the
//! oldest value can be taken back) and [`Selective`] (combining gives one of its arguments).
//!
//! | function | monoid over `T` | result | `Group` | `Selective` |
//! | --- | --- | --- | --- | --- |
//! | `count` | [`Count<T>`] | `u64` | yes | |
//! | `sum` | [`Sum<T>`] | [`Sums::Total`]: `i64`, `u64`, `i128`, `u128`, `f64` | integers | |
//! | `avg` | [`Avg<T>`] | `Option<f64>` | integers | |
//! | `product` | [`Product<T>`] | [`Factor::Total`]: `Option<T>` for integers, `T` for floats | | |
//! | `min`, `max` | [`Min<T>`], [`Max<T>`] | `Option<T>` | | yes |
//! | `range` | [`Range<T>`] | `Option<T>` | | |
//! | `first`, `last` | [`First<T>`], [`Last<T>`] | `Option<T>` | | yes |
//! | `var`, `stddev` | [`Var<T>`], [`Stddev<T>`] | `Option<f64>` | | |
//! | `any`, `every` | [`Any`], [`Every`] | `bool` | yes | |
//!
//! Attributes that may be NULL (`Option<T>`): the plain names absorb, [`Absorb<M>`] (result `Option<R>`) or, where the result of `M` is an
//! `Option` already, [`AbsorbFlat<M>`] (the same `Option`); the `…_some` names skip, [`Skip<M>`] (the result of `M`). All three work over a
//! user's monoid too. [`Pair<A, B>`] folds two at once, and nests.
//!
//! Of an empty bag: the identity's result. `sum` 0, `count` 0, `product` 1, `any` false, `every` true, the others NULL (`None`).
//! NaN: `sum`, `avg`, `min`, `max`, `range`, `var` and `stddev` over it are NaN.
//!
//! Emitted code names no type by its tokens: `Sum<<Record as Attr<1>>::Type>`, `<… as Monoid>::Output`.
mod null;
mod number;
mod order;
mod pair;
mod spread;
mod sums;
#[cfg(test)]
mod tests;

pub use null::{Absorb, AbsorbFlat, Nullable, Skip};
pub use number::{ExactSummand, Factor, Number, Ordered, Ranged, Summand, Sums, Wide};
pub use order::{Any, Every, First, Last, Max, Min, Range};
pub use pair::Pair;
pub use spread::{Stddev, Var};
pub use sums::{Avg, Count, Product, Sum};

/// A fold: values in, one result out.
///
/// Laws: `combine` is associative and [`IDENTITY`](Self::IDENTITY) is neutral on both sides, as far as the result of
/// [`lower`](Self::lower) can tell. Floats are associative up to rounding, which is why every fold runs in stream order.
///
/// Implement it for a type of your own to use it as `fold Mine(x.attr)`:
///
/// ```
/// use cep_runtime::Monoid;
/// /// How many values in a row were the same, at the end of the stream.
/// #[derive(Clone, Copy)]
/// struct Streak { last: Option<i32>, length: u64, all: bool }
/// impl Monoid for Streak {
///     type Input = i32;
///     type Output = u64;
///     const IDENTITY: Self = Streak { last: None, length: 0, all: true };
///     fn lift(value: i32) -> Self {
///         Streak { last: Some(value), length: 1, all: true }
///     }
///     fn combine(&self, newer: &Self) -> Self {
///         if newer.last.is_none() {
///             return *self;
///         }
///         let joins = newer.all && (self.last.is_none() || self.last == newer.last);
///         Streak {
///             last: newer.last,
///             length: newer.length + if joins { self.length } else { 0 },
///             all: joins && self.all,
///         }
///     }
///     fn lower(&self) -> u64 {
///         self.length
///     }
/// }
/// let fold = |values: &[i32]| values.iter().fold(Streak::IDENTITY, |s, v| s.combine(&Streak::lift(*v))).lower();
/// assert_eq!((fold(&[]), fold(&[1, 2, 2, 2]), fold(&[2, 2, 1])), (0, 3, 1));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a monoid",
    label = "cannot be folded with",
    note = "`fold` takes a type that implements `cep::Monoid`"
)]
pub trait Monoid: Copy {
    /// What is folded.
    type Input;
    /// What comes out.
    type Output;
    /// The state of nothing.
    const IDENTITY: Self;
    /// The state of one value.
    #[must_use]
    fn lift(value: Self::Input) -> Self;
    /// The state of what `self` stands for followed by what `newer` stands for.
    #[must_use]
    fn combine(&self, newer: &Self) -> Self;
    /// The result of what `self` stands for.
    #[must_use]
    fn lower(&self) -> Self::Output;

    /// The state with one newer value.
    #[inline(always)]
    #[must_use]
    fn with(&self, value: Self::Input) -> Self {
        self.combine(&Self::lift(value))
    }
}

/// A monoid from which the oldest values can be taken back exactly: `a.combine(&b).without(&a)` is `b`. Never of floats, where the rounding
/// errors of what has left would stay.
pub trait Group: Monoid {
    /// What is enough to take one value back later: as small as the value, where the state of many is wider.
    type Kept: Copy + 'static;
    /// Of no value: [`kept`](Self::kept) of the identity.
    const NOTHING: Self::Kept;
    /// Of the state of one value, as [`lift`](Monoid::lift) makes it, or of none.
    #[must_use]
    fn kept(&self) -> Self::Kept;
    /// The state it was of.
    #[must_use]
    fn back(kept: Self::Kept) -> Self;
    /// The state without the oldest part of it.
    #[must_use]
    fn without(&self, oldest: &Self) -> Self;
}

/// A monoid whose state of at least one value says less than that of none might: `Max` of something is a value, and not an `Option` of one.
pub trait Held: Monoid {
    /// The state of at least one value, as small as it can be.
    type Slot: Copy + 'static;
    /// Any one, for memory that nobody has used.
    const FILL: Self::Slot;
    /// Of a state of at least one value; of the identity, any.
    #[must_use]
    fn slot(&self) -> Self::Slot;
    /// The state it was of.
    #[must_use]
    fn of_slot(slot: Self::Slot) -> Self;
}

/// A monoid whose `combine` gives one of its two arguments.
pub trait Selective: Monoid {}

//! What emitted machines run on: how events are looked at, what is kept of them, and the kernels that hold it.
#![no_std]
#![forbid(unsafe_code)]
#[cfg(feature = "alloc")]
extern crate alloc;

/// `Copy` and `Clone` of a generic type, by its bits: a derived `Clone` clones each field, which has to be compiled.
macro_rules! copies {
    ([$($generics:tt)*] $type:ty) => {
        impl<$($generics)*> Clone for $type {
            #[inline(always)]
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<$($generics)*> Copy for $type {}
    };
}

mod clock;
mod error;
mod event;
mod explain;
mod kernels;
mod machine;
mod monoid;
mod reorder;
mod storage;
mod text;
mod window;

pub use clock::Clock;
pub use error::PushError;
pub use event::{
    At, Attr, Event, EventType, Fixed, FixedKey, FixedOrd, NoEvent, Parameter, Seen, Stream, keep,
};
#[doc(hidden)]
pub use explain::{digits, explained, text};
pub use kernels::{
    Bag, BagIter, Computed, ComputedBag, Direct, Edge, Filled, Finite, FloatKey, Frame, Joins, Key, Keyed,
    KeyedSlot, KeyedUpdate, Keys, Lane, Latest, Live, LiveStarts, Modular, NO_PLACE, OpaqueKey, OpaqueRank,
    Optional, Pareto, Path, Place, Places, Rank, Ranked, Recent, Registers, Ring, RunProduct, Slot, Start,
    Starts, Table, Tally, Walk,
};
pub use machine::{Answer, Gives, Lends, Machine, Matching, Never, Stats};
pub use monoid::{
    Absorb, AbsorbFlat, Any, Avg, Count, Every, ExactSummand, Factor, First, Group, Held, Last, Max, Min,
    Monoid, Nullable, Number, Ordered, Pair, Product, Range, Ranged, Selective, Skip, Stddev, Sum, Summand,
    Sums, Var, Wide,
};
pub use reorder::{Refused, Reorder};
#[cfg(feature = "alloc")]
pub use storage::Boxed;
pub use storage::{Borrowed, Inline, Slots, Storage};
pub use text::{Text, TooLong};
pub use window::{
    Condition, Daba, Folds, Given, Hop, InlineSpans, Inverse, Keep, Newest, Open, OpenWindow, Panes, Part,
    Piece, Reason, Recompute, Settings, Sliding, Span, Spans, States, TwoStacks, Values, What, Windows,
    emit_at,
};

/// The first braces where there is a heap, the second where there is none.
#[cfg(feature = "alloc")]
#[doc(hidden)]
#[macro_export]
macro_rules! if_alloc {
    ({ $($with:tt)* } { $($without:tt)* }) => { $($with)* };
}

/// The first braces where there is a heap, the second where there is none.
#[cfg(not(feature = "alloc"))]
#[doc(hidden)]
#[macro_export]
macro_rules! if_alloc {
    ({ $($with:tt)* } { $($without:tt)* }) => { $($without)* };
}

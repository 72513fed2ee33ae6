//! What emitted machines run on: how events are looked at, what is kept of them, and the kernels that hold it.
#![no_std]
#![forbid(unsafe_code)]
#[cfg(feature = "alloc")]
extern crate alloc;

mod event;
mod kernels;
mod machine;
mod storage;
mod text;

pub use event::{At, Attr, Event, EventType, Fixed, FixedKey, FixedOrd, Parameter, Seen, Stream, keep};
pub use kernels::{Latest, Live, LiveStarts, Path, Ring, Search, Slot, Table};
pub use machine::{Answer, Gives, Lends, Machine, Matching, Never, Stats};
#[cfg(feature = "alloc")]
pub use storage::Boxed;
pub use storage::{Borrowed, Inline, Slots, Storage};
pub use text::{Text, TooLong};

/// Checks that `storage boxed` can be had.
#[cfg(feature = "alloc")]
#[doc(hidden)]
#[macro_export]
macro_rules! needs_alloc {
    () => {};
}

/// Checks that `storage boxed` can be had.
#[cfg(not(feature = "alloc"))]
#[doc(hidden)]
#[macro_export]
macro_rules! needs_alloc {
    () => {
        ::core::compile_error! {
            "`storage boxed` needs the feature `alloc` of `cep-rs`\n\nhelp: `cep-rs = { features = [\"alloc\"] }`, or `storage borrowed`"
        }
    };
}

/// Stands for the heap where there is none, so that only [`needs_alloc`] is heard.
#[cfg(not(feature = "alloc"))]
#[doc(hidden)]
pub type Boxed = Inline;

//! Where an event type and a `cep!` call can stand. One module a claim.
//!
//! What does *not* work, and why the enum's derive collects the schemas of the structs it holds instead of re-exporting their macros beside
//! the enum: a macro's body is resolved where it is used, so after `use events::Reading` the neighbour's mangled name is not in scope.
//!
//! ```compile_fail
//! mod events {
//!     macro_rules! trade { ($($t:tt)*) => {} }
//!     pub(crate) use trade as __cep_held_by_reading;
//!     macro_rules! reading { () => { __cep_held_by_reading! {} } }
//!     pub(crate) use reading as Reading;
//! }
//! use events::Reading;
//! Reading! {}
//! ```
#![deny(warnings)]
#![allow(
    dead_code,
    unreachable_pub,
    reason = "types and visibilities are there to be expanded, not to be used"
)]

mod attributes;
mod held;
mod local;
mod macros;
pub mod paths;
mod places;

/// The facade, for the macros that this crate exports.
#[doc(hidden)]
pub use cep as __cep;

/// An exported macro that names the facade and the stream through `$crate`.
#[macro_export]
macro_rules! ready_made {
    ($name:ident) => {
        $crate::__cep::cep! {
            pattern $name on $crate::paths::Open = Open as o filter o.a == 1 within 1 events detect;
        }
    };
}

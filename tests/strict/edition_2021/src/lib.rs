//! The fixtures in edition 2021, the facade under another name.
#![no_implicit_prelude]
#![deny(
    warnings,
    missing_docs,
    unreachable_pub,
    unused_qualifications,
    unused_results,
    missing_debug_implementations,
    missing_copy_implementations,
    elided_lifetimes_in_paths,
    single_use_lifetimes,
    unused_lifetimes,
    unsafe_code,
    clippy::pedantic
)]

/// The facade, re-exported: all fixtures name it by this path.
pub use ::renamed as facade;

#[path = "../../src/events.rs"]
pub mod events;
#[path = "../../src/local.rs"]
pub mod local;
#[path = "../../src/macros.rs"]
pub mod macros;
#[path = "../../src/more.rs"]
pub mod more;
#[path = "../../src/patterns.rs"]
pub mod patterns;
#[path = "../../src/rings.rs"]
pub mod rings;
#[cfg(test)]
#[path = "../../src/tests.rs"]
mod tests;
#[path = "../../src/windows.rs"]
pub mod windows;

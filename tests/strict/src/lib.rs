//! The fixtures in edition 2024, the facade under its own name.
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
pub use ::cep as facade;

pub mod events;
pub mod local;
pub mod macros;
pub mod more;
pub mod patterns;
pub mod rings;
#[cfg(test)]
mod tests;
pub mod windows;

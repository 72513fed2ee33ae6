//! The procedural macros of `cep-rs`. They only forward to `cep-compiler`; use the crate `cep-rs`, which re-exports them.
use cep_compiler::schema::{bounce, derive};
use proc_macro::TokenStream;

/// Makes an enum or a struct an event: its variants are the event types, its fields the attributes.
///
/// `#[event(…)]` on a field: `time` or `time = "ms"` (the timestamp and its unit: `d`, `h`, `min`, `s`, `ms`, `us`, `ns`), `key`
/// (`Copy + Eq + Hash`), `ord` (`Copy + Ord`), `copy` (keep it although its type mentions a type parameter), `no_copy` (filters only),
/// `skip` (no attribute), `name = "…"` (another name in patterns). On a variant or a struct: `name = "…"`, `record = "…"` (another name
/// for the struct of kept attributes). On a struct: `copy` (it is its own record). On the type: `crate = path`, where this crate has
/// another name than `cep`.
#[proc_macro_derive(Event, attributes(event))]
pub fn derive_event(input: TokenStream) -> TokenStream {
    derive::derive(input.into()).into()
}

/// Called back by the schema macro of a struct that an event enum holds.
#[doc(hidden)]
#[proc_macro]
pub fn derive_step(input: TokenStream) -> TokenStream {
    derive::step(input.into()).into()
}

/// `($crate) items…`
#[doc(hidden)]
#[proc_macro]
pub fn cep_entry(input: TokenStream) -> TokenStream {
    bounce::entry(input.into()).into()
}

/// Called back by the schema macro of a stream.
#[doc(hidden)]
#[proc_macro]
pub fn cep_step(input: TokenStream) -> TokenStream {
    bounce::step(input.into()).into()
}

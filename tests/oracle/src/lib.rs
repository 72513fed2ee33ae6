//! The meaning of a pattern, computed from the definitions of the language reference and in no clever way.
//!
//! In: a [`Declaration`] of event types, a pattern as the compiler's parser gives it, parameters, a stream.
//! Out: for each step of the stream the *set* of its complex events ([`Delivery`]).
//! What it does not know is an [`Error::Unsupported`], never a wrong answer. Time is exponential: streams are short.
//!
//! `capacity` and `storage` are ignored: a declared capacity is taken to suffice.
pub mod aggregate;
mod check;
mod effects;
mod expr;
mod first;
mod formula;
pub mod generate;
mod made;
mod matcher;
mod model;
mod names;
mod number;
mod oracle;
mod resolve;
mod shape;
mod state;
mod stream;
mod summary;

pub use model::{AttrDecl, Complex, Declaration, Error, Event, Made, Result, Step, Ty, TypeDecl, Value};
pub use oracle::{Delivery, Oracle, Rule};

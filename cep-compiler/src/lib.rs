//! The compiler behind `cep!`.
pub mod ast;
pub mod diagnostic;
pub mod schema;
mod toy;

pub use toy::finish;

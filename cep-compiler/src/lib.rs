//! The compiler behind `cep!`.
pub mod ast;
pub mod diagnostic;
pub mod lex;
pub mod nearest;
pub mod parse;
pub mod schema;

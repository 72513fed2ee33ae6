//! Random windows of both kinds, as text of our syntax with the model's input, and streams for them.
pub mod agse;
pub mod predicate;

pub use agse::AgseCase;
pub use predicate::PredicateCase;

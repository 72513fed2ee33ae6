//! The meaning of the two window operators, computed from their definitions and in no clever way.
//!
//! | module | takes | gives |
//! | --- | --- | --- |
//! | [`rational`] | | exact fractions |
//! | [`agse`] | a source's records, `@ (k, w)`, `delay`, `zip`, folds | records with index, values, emission instant, and the constants |
//! | [`predicate`] | parameters and what the window is told | the outputs, in order of delivery |
//! | [`condition`] | an expression over the element and its window | whether it holds; its text in our syntax |
//! | [`read`] | JSON of a test vector | the models' input and output |
//! | [`generate`] | a seed | random windows and streams |
//! | [`classic`] | | windows of other kinds written as predicate windows, each with a direct model
//! | [`order`] | what came out and what should | whether the promised order and content agree |
//!
//! Values and aggregates are those of the oracle.
pub mod agse;
pub mod classic;
pub mod condition;
pub mod generate;
pub mod order;
pub mod predicate;
pub mod rational;
pub mod read;

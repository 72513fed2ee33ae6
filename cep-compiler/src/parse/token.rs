//! The words of the grammar, and its groups.
use crate::{
    lex::{Lexeme, Range},
    slices::any,
};
use proc_macro2::Ident;

/// Words that cannot name a variable or parameter.
pub(super) const RESERVED: &[&str] = &[
    "as",
    "or",
    "not",
    "all",
    "filter",
    "agg",
    "project",
    "select",
    "within",
    "partition",
    "strategy",
    "consume",
    "skip",
    "limit",
    "timeouts",
    "capacity",
    "storage",
    "detect",
    "summarize",
    "without",
    "none",
    "pattern",
    "window",
    "on",
];

/// The words that begin a clause, in the order of the clauses.
pub(super) const CLAUSES: &[&str] = &[
    "within",
    "partition",
    "strategy",
    "skip",
    "consume",
    "limit",
    "timeouts",
    "capacity",
    "storage",
    "select",
    "detect",
    "summarize",
];

/// The words that begin a suffix inside parentheses.
pub(super) const SUFFIXES: &[&str] = &["filter", "agg", "project", "without", "select", "within"];

pub(super) fn among(ident: &Ident, words: &[&str]) -> bool {
    any(words, |w| ident == w)
}

/// What stands between two delimiters, to be read in a parse of its own: the depth of nesting then costs no stack of chumsky's, and an
/// error inside hides none outside.
#[derive(Clone, Copy)]
pub(super) struct Group<'s> {
    pub(super) inside: &'s [Lexeme],
    pub(super) range: Range,
}

impl Group<'_> {
    /// The closing delimiter, where the input ends.
    pub(super) fn end(self) -> Range {
        (self.range.end.saturating_sub(1)..self.range.end).into()
    }
}

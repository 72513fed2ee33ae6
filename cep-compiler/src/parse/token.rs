//! The primitives of the grammar, and its words.
pub(super) use super::rule::Rule;
use super::rule::{Wanted, token};
use crate::{
    lex::{Lexeme, Range, Token},
    slices::any,
};
use proc_macro2::{Delimiter, Ident, Literal};

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

/// A given word; `label` is the word in backticks.
pub(super) fn word<'s>(word: &'static str, label: &'static str) -> Rule<'s, Range> {
    token(label, Wanted::Word(word))
}

/// A given character.
pub(super) fn punct<'s>(character: char, label: &'static str) -> Rule<'s, Range> {
    token(label, Wanted::Punct(character))
}

/// Any identifier: where a name must stand, a reserved word gets an error of its own later.
pub(super) fn name<'s>(label: &'static str) -> Rule<'s, Ident> {
    token(label, Wanted::Name)
}

/// An identifier that is no word of the language, where one of those would go on differently.
pub(super) fn free_name<'s>(label: &'static str) -> Rule<'s, Ident> {
    token(label, Wanted::FreeName)
}

/// A free name that begins with a small letter, as no type does.
pub(super) fn small_name<'s>(label: &'static str) -> Rule<'s, Ident> {
    token(label, Wanted::SmallName)
}

/// A literal.
pub(super) fn literal<'s>(label: &'static str) -> Rule<'s, Literal> {
    token(label, Wanted::Literal)
}

/// A token that `is` accepts.
pub(super) fn such<'s>(label: &'static str, is: fn(&Token) -> bool) -> Rule<'s, ()> {
    token(label, Wanted::Such(is))
}

/// A group, by its lexemes.
pub(super) fn group<'s>(delimiter: Delimiter, label: &'static str) -> Rule<'s, Group<'s>> {
    token(label, Wanted::Group(delimiter))
}

/// Skips any one token.
pub(super) fn anything<'s>() -> Rule<'s, ()> {
    such("a token", |_| true)
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

//! The primitives of the grammar, and its words.
use crate::lex::{Kind, Lexeme, Range, Token};
use chumsky::{input::MappedInput, prelude::*};
use proc_macro2::{Delimiter, Ident};

pub(super) type In<'s> = MappedInput<'s, Token, Range, &'s [Lexeme]>;
pub(super) type Extra<'s> = extra::Err<Rich<'s, Token, Range>>;
pub(super) type Rule<'s, T> = Boxed<'s, 's, In<'s>, T, Extra<'s>>;

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
    words.iter().any(|w| ident == w)
}

/// A given word; `label` is the word in backticks.
pub(super) fn word<'s>(word: &'static str, label: &'static str) -> Rule<'s, Range> {
    select_ref! { Token { kind: Kind::Ident(i), .. } = e if i == word => e.span() }.labelled(label).boxed()
}

/// A given character.
pub(super) fn punct<'s>(character: char, label: &'static str) -> Rule<'s, Range> {
    select_ref! { t @ Token { kind: Kind::Punct(_), .. } = e if t.is(character) => e.span() }
        .labelled(label)
        .boxed()
}

/// Any identifier: where a name must stand, a reserved word gets an error of its own later.
pub(super) fn name<'s>(label: &'static str) -> Rule<'s, Ident> {
    select_ref! { Token { kind: Kind::Ident(i), .. } => i.clone() }.labelled(label).boxed()
}

/// An identifier that is no word of the language, where one of those would go on differently.
pub(super) fn free_name<'s>(label: &'static str) -> Rule<'s, Ident> {
    select_ref! { Token { kind: Kind::Ident(i), .. } if !among(i, RESERVED) => i.clone() }
        .labelled(label)
        .boxed()
}

/// A group, by its lexemes.
pub(super) fn group<'s>(delimiter: Delimiter, label: &'static str) -> Rule<'s, Group<'s>> {
    select_ref! { Token { kind: Kind::Group(d, inside, _), .. } = e if *d == delimiter => Group { inside, range: e.span() } }
        .labelled(label)
        .boxed()
}

/// Skips any one token.
pub(super) fn anything<'s>() -> Rule<'s, ()> {
    any_ref().labelled("a token").to(()).boxed()
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

//! Rust inside a pattern: syn reads as far as it can, and the grammar goes on behind that.
use super::token::{CLAUSES, Rule, SUFFIXES, among};
use crate::lex::{Kind, Range, Token};
use chumsky::prelude::*;
use proc_macro2::{Spacing, TokenStream, TokenTree};
use syn::parse::{Parse, ParseStream, Parser as _};

/// syn recurses over its input (and so does the drop of what it makes), so what it is given has an end.
const MOST_TOKENS: usize = 512;
/// Prefix operators in a row: syn recurses over each.
const MOST_PREFIXES: usize = 24;

/// A piece of Rust.
pub(super) struct Embedded<T> {
    pub(super) outcome: Outcome<T>,
    /// What it took; of an error, up to where the grammar can go on.
    pub(super) range: Range,
}

pub(super) enum Outcome<T> {
    Read(Box<T>),
    /// There are no tokens for it.
    Missing,
    TooLong,
    Failed {
        error: syn::Error,
        /// `Name { 2 }` among the tokens: an iteration that was read as a struct literal.
        struct_literal: bool,
    },
}

/// The condition of a filter: the longest Rust expression from here.
pub(super) fn condition<'s>() -> Rule<'s, Embedded<syn::Expr>> {
    embedded(false).labelled("a condition").boxed()
}

/// The type behind `on`.
pub(super) fn stream_type<'s>() -> Rule<'s, Embedded<syn::Type>> {
    embedded(true).labelled("a type").boxed()
}

fn embedded<'s, T: Parse + 's>(is_type: bool) -> Rule<'s, Embedded<T>> {
    custom(move |input| {
        let start = input.save();
        let cursor = input.cursor();
        let mut given = Given { is_type, ..Given::default() };
        while let Some(token) = input.peek_ref() {
            if given.ends_at(token) {
                break;
            }
            input.skip();
            let length = given.push(token);
            for _ in 1..length {
                input.skip();
            }
        }
        let (outcome, taken) = given.read::<T>();
        input.rewind(start);
        for _ in 0..taken {
            input.skip();
        }
        let range = input.span_since(&cursor);
        Ok(Embedded { outcome, range })
    })
    .labelled("Rust")
    .boxed()
}

/// Tokens for syn, each with the number of lexemes it stands for.
#[derive(Default)]
struct Given {
    trees: Vec<TokenTree>,
    lengths: Vec<usize>,
    weight: usize,
    prefixes: usize,
    too_long: bool,
    /// Between the bars of a closure, as far as counting them tells.
    in_bars: bool,
    struct_literal: bool,
    /// A type ends at `=`, unless that is between `<` and `>`.
    is_type: bool,
    angles: bool,
    before: Before,
}

/// What the token in front was, as far as the end of an expression depends on it.
#[derive(Default, PartialEq, Eq, Clone, Copy)]
enum Before {
    #[default]
    Operator,
    Bar,
    /// Behind an operand: with a `>` it is the language's arrow, not a closure's.
    Minus,
    Tick,
    Name,
    Operand,
}

impl Given {
    /// No Rust expression goes beyond this token. (syn would find most of these ends itself; but what it is handed is copied, and it
    /// should not be handed the whole rest for every filter of a long chain.)
    fn ends_at(&mut self, token: &Token) -> bool {
        let operand = matches!(self.before, Before::Operand | Before::Name);
        match &token.kind {
            Kind::Punct(p) if p.as_char() == ';' => true,
            Kind::Punct(p) if p.as_char() == '=' && self.is_type => !self.angles,
            Kind::Punct(p) if p.as_char() == '>' && self.before == Before::Minus => {
                self.trees.pop();
                self.lengths.pop();
                true
            }
            Kind::Punct(p) if p.as_char() == ':' && p.spacing() == Spacing::Alone => operand && !self.in_bars,
            Kind::Ident(i) if operand => among(i, CLAUSES) || among(i, SUFFIXES) || i == "or" || i == "not",
            _ => {
                self.too_long |= self.weight >= MOST_TOKENS || self.prefixes > MOST_PREFIXES;
                self.too_long
            }
        }
    }

    /// How many lexemes the token stands for.
    fn push(&mut self, token: &Token) -> usize {
        let (tree, length) = match &token.fragment {
            Some(f) => (f.tree.clone(), f.length.max(1)),
            None => (token.tree(), 1),
        };
        self.weight += 1;
        let (mut prefixes, mut before) = (0, Before::Operand);
        match &token.kind {
            Kind::Punct(p) => {
                prefixes = self.prefixes + 1;
                self.angles |= p.as_char() == '<';
                before = match p.as_char() {
                    '|' => {
                        self.in_bars = !self.in_bars;
                        Before::Bar
                    }
                    '-' if matches!(self.before, Before::Operand | Before::Name) => Before::Minus,
                    '\'' => Before::Tick,
                    '?' => Before::Operand,
                    _ => Before::Operator,
                };
            }
            // Words with an expression behind them are prefixes too.
            Kind::Ident(i) if RUST_WORDS.iter().any(|w| i == w) => {
                prefixes = self.prefixes + 1;
                before = Before::Operator;
            }
            Kind::Ident(_) => {
                // A closure's parameter does not end its run of prefixes.
                prefixes = if self.before == Before::Bar { self.prefixes } else { 0 };
                before = if self.before == Before::Tick { Before::Operator } else { Before::Name };
            }
            Kind::Group(_, inside, _) => {
                self.weigh(inside, 0);
                self.struct_literal |= self.before == Before::Name
                    && matches!(inside.first(), Some((Token { kind: Kind::Literal(_), .. }, _)))
                    && inside.len() <= 3;
            }
            Kind::Literal(_) => {}
        }
        self.prefixes = prefixes;
        self.before = before;
        self.trees.push(tree);
        self.lengths.push(length);
        length
    }

    /// Counts what stands in a group, and its runs of prefixes.
    fn weigh(&mut self, inside: &[crate::lex::Lexeme], mut run: usize) {
        for (t, _) in inside {
            self.weight += 1;
            run = match &t.kind {
                Kind::Punct(_) => run + 1,
                Kind::Ident(i) if RUST_WORDS.iter().any(|w| i == w) => run + 1,
                Kind::Group(_, inner, _) => {
                    self.weigh(inner, 0);
                    0
                }
                _ => 0,
            };
            self.too_long |= run > MOST_PREFIXES;
        }
    }

    /// Reads with syn: the outcome, and how many lexemes to step over.
    fn read<T: Parse>(self) -> (Outcome<T>, usize) {
        let all: usize = self.lengths.iter().sum();
        if self.trees.is_empty() {
            return (Outcome::Missing, 0);
        }
        if self.too_long || self.weight > MOST_TOKENS {
            return (Outcome::TooLong, all);
        }
        let stream: TokenStream = self.trees.into_iter().collect();
        let prefix = |input: ParseStream<'_>| {
            let read: T = input.parse()?;
            let rest: TokenStream = input.parse()?;
            Ok((read, rest.into_iter().count()))
        };
        match prefix.parse2(stream) {
            Ok((read, rest)) => {
                let trees = self.lengths.len().saturating_sub(rest);
                (Outcome::Read(Box::new(read)), self.lengths.iter().take(trees).sum())
            }
            Err(error) => (Outcome::Failed { error, struct_literal: self.struct_literal }, all),
        }
    }
}

const RUST_WORDS: &[&str] = &[
    "return", "break", "if", "else", "match", "move", "unsafe", "let", "in", "while", "for", "loop", "async",
    "static", "const", "yield", "become", "box", "dyn", "impl", "mut", "ref", "as",
];

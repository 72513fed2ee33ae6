//! The combinators of the grammar: chumsky's, each with its type erased on the spot.
//!
//! In chumsky a rule of ten combinators has a type of ten levels, and rustc proves each bound anew on every level, for every rule; that
//! was about half of what rustc did for this crate before code generation. A [`Rule`] has the type of its output and nothing else. What
//! it costs is a pointer per combinator when a `cep!` call is read.
//!
//! Each erased type brings dozens of functions with it, so functions are taken as `fn` and not as closures: one type for all of a
//! signature.
use crate::lex::{Lexeme, Range, Token};
use chumsky::{
    Boxed, IterParser as _, Parser,
    input::{Input as _, InputRef, MappedInput},
    prelude::{Rich, SimpleSpan, any_ref, choice, custom, empty, extra, via_parser},
    primitive::select_ref,
};

type In<'s> = MappedInput<'s, Token, Range, &'s [Lexeme]>;
type Extra<'s> = extra::Err<Rich<'s, Token, Range>>;

/// A parser of a `T`.
pub(super) struct Rule<'s, T>(Boxed<'s, 's, In<'s>, T, Extra<'s>>);

impl<T> Clone for Rule<'_, T> {
    fn clone(&self) -> Self {
        Rule(self.0.clone())
    }
}

impl<'s, T: 's> Rule<'s, T> {
    fn new(parser: impl Parser<'s, In<'s>, T, Extra<'s>> + 's) -> Self {
        Rule(parser.boxed())
    }

    /// Reads lexemes whose input ends at `end`.
    pub(super) fn parse(
        &self,
        lexemes: &'s [Lexeme],
        end: Range,
    ) -> (Option<T>, Vec<Rich<'s, Token, Range>>) {
        self.0.parse(lexemes.split_token_span(SimpleSpan::from(end.into_range()))).into_output_errors()
    }

    pub(super) fn map<U: 's>(self, f: fn(T) -> U) -> Rule<'s, U> {
        Rule::new(self.0.map(f))
    }

    /// Maps the output together with the range that was read.
    pub(super) fn map_range<U: 's>(self, f: fn(T, Range) -> U) -> Rule<'s, U> {
        Rule::new(self.0.map_with(move |t, e| f(t, e.span())))
    }

    /// The output, and the range that was read.
    pub(super) fn ranged(self) -> Rule<'s, (T, Range)> {
        self.map_range(|t, range| (t, range))
    }

    /// The range that was read.
    pub(super) fn range(self) -> Rule<'s, Range> {
        self.map_range(|_, range| range)
    }

    pub(super) fn filter(self, f: fn(&T) -> bool) -> Self {
        Rule::new(self.0.filter(f))
    }

    pub(super) fn ignored(self) -> Rule<'s, ()> {
        Rule::new(self.0.ignored())
    }

    /// Succeeds where this rule fails; reads nothing.
    pub(super) fn not(self) -> Rule<'s, ()> {
        Rule::new(self.0.not())
    }

    /// Reads nothing.
    pub(super) fn rewind(self) -> Self {
        Rule::new(self.0.rewind())
    }

    pub(super) fn then<U: 's>(self, next: Rule<'s, U>) -> Rule<'s, (T, U)> {
        Rule::new(self.0.then(next.0))
    }

    pub(super) fn then_ignore<U: 's>(self, next: Rule<'s, U>) -> Self {
        Rule::new(self.0.then_ignore(next.0))
    }

    pub(super) fn ignore_then<U: 's>(self, next: Rule<'s, U>) -> Rule<'s, U> {
        Rule::new(self.0.ignore_then(next.0))
    }

    pub(super) fn or_not(self) -> Rule<'s, Option<T>> {
        Rule::new(self.0.or_not())
    }

    /// As often as there is one, also never.
    pub(super) fn many(self) -> Rule<'s, Vec<T>> {
        Rule::new(self.0.repeated().collect())
    }

    /// At least once.
    pub(super) fn some(self) -> Rule<'s, Vec<T>> {
        Rule::new(self.0.repeated().at_least(1).collect())
    }

    /// At least one, with separators between.
    pub(super) fn separated_by<U: 's>(self, separator: Rule<'s, U>) -> Rule<'s, Vec<T>> {
        Rule::new(self.0.separated_by(separator.0).at_least(1).collect())
    }

    /// Where this rule fails, its error is reported and `instead` goes on.
    pub(super) fn recover_with(self, instead: Self) -> Self {
        Rule::new(self.0.recover_with(via_parser(instead.0)))
    }
}

/// The first of these that succeeds.
pub(super) fn first_of<'s, T: 's>(rules: Vec<Rule<'s, T>>) -> Rule<'s, T> {
    Rule::new(choice(rules.into_iter().map(|r| r.0).collect::<Vec<_>>()))
}

/// One token.
pub(super) fn any<'s>() -> Rule<'s, ()> {
    Rule::new(any_ref().ignored())
}

/// The first token, if it is one that `pick` takes; an error calls it `label`.
pub(super) fn token<'s, T: 's>(
    label: &'static str,
    pick: impl Fn(&'s Token, Range) -> Option<T> + 's,
) -> Rule<'s, T> {
    Rule::new(select_ref(move |token, e| pick(token, e.span())).labelled(label))
}

/// Nothing.
pub(super) fn nothing<'s>() -> Rule<'s, ()> {
    Rule::new(empty())
}

/// Reads as `read` does, which cannot fail.
pub(super) fn read<'s, T: 's>(
    read: impl Fn(&mut InputRef<'s, '_, In<'s>, Extra<'s>>) -> T + 's,
) -> Rule<'s, T> {
    Rule::new(custom(move |input| Ok(read(input))))
}

//! The combinators of the grammar: chumsky's, each with its type erased on the spot.
//!
//! In chumsky a rule of ten combinators has a type of ten levels, and rustc proves each bound anew on every level, for every rule; that
//! was about half of what rustc did for this crate before code generation. Boxed parsers that differed in their outputs alone still were
//! a fifth of the code it generated. So chumsky sees boxed parsers of a [`Value`] and each combinator once; a [`Rule`] adds the type of
//! its output. What it costs is a pointer per combinator when a `cep!` call is read.
use super::{
    token::{Group, RESERVED, among},
    value::{Content, Value},
};
use crate::lex::{Kind, Lexeme, Range, Token};
use chumsky::{
    Boxed,
    input::{InputRef, MappedInput},
    prelude::{Rich, extra},
};
use proc_macro2::{Delimiter, Ident};
use std::marker::PhantomData;

type In<'s> = MappedInput<'s, Token, Range, &'s [Lexeme]>;
type Extra<'s> = extra::Err<Rich<'s, Token, Range>>;
type Erased<'s> = Boxed<'s, 's, In<'s>, Value<'s>, Extra<'s>>;

/// A parser of a `T`.
pub(super) struct Rule<'s, T> {
    erased: Erased<'s>,
    output: PhantomData<fn() -> T>,
}

impl<T> Clone for Rule<'_, T> {
    fn clone(&self) -> Self {
        Rule::of(self.erased.clone())
    }
}

/// A function of a value and of the range that was read for it. (`dyn Fn` would bring three functions for each.)
trait Step<'s> {
    fn run(&self, value: Value<'s>, range: Range) -> Value<'s>;
}

impl<'s, T: Content<'s>, U: Content<'s>> Step<'s> for fn(T) -> U {
    fn run(&self, value: Value<'s>, _: Range) -> Value<'s> {
        self(T::restore(value)).erase()
    }
}

impl<'s, T: Content<'s>, U: Content<'s>> Step<'s> for fn(T, Range) -> U {
    fn run(&self, value: Value<'s>, range: Range) -> Value<'s> {
        self(T::restore(value), range).erase()
    }
}

/// What stands for a value.
enum Look {
    /// The value, and its range.
    Ranged,
    /// Its range.
    Range,
    Nothing,
}

impl<'s> Step<'s> for Look {
    fn run(&self, value: Value<'s>, range: Range) -> Value<'s> {
        match self {
            Look::Ranged => Value::Pair(Box::new((value, Value::Range(range)))),
            Look::Range => Value::Range(range),
            Look::Nothing => Value::Nothing(()),
        }
    }
}

/// The combinators, told of no type but one: a closure in a function of a `Rule<'s, T>` would be one for each `T`.
mod erased {
    use super::{Erased, Extra, In, Lexeme, Range, Reader, Rich, Step, Token, Value, Wanted};
    use chumsky::{
        IterParser as _, Parser as _,
        input::Input as _,
        prelude::{SimpleSpan, any_ref, choice, custom, via_parser},
        primitive::select_ref,
    };
    use proc_macro2::Ident;

    pub(super) fn parse<'s>(
        parser: &Erased<'s>,
        lexemes: &'s [Lexeme],
        end: Range,
    ) -> (Option<Value<'s>>, Vec<Rich<'s, Token, Range>>) {
        parser.parse(lexemes.split_token_span(SimpleSpan::from(end.into_range()))).into_output_errors()
    }

    pub(super) fn step<'s>(parser: Erased<'s>, step: Box<dyn Step<'s> + 's>) -> Erased<'s> {
        parser.map_with(move |value, e| step.run(value, e.span())).boxed()
    }

    pub(super) fn filter<'s>(parser: Erased<'s>, f: fn(&Ident) -> bool) -> Erased<'s> {
        parser.filter(move |value| matches!(value, Value::Ident(i) if f(i))).boxed()
    }

    pub(super) fn not(parser: Erased<'_>) -> Erased<'_> {
        parser.not().map(Value::Nothing).boxed()
    }

    pub(super) fn rewind(parser: Erased<'_>) -> Erased<'_> {
        parser.rewind().boxed()
    }

    pub(super) fn then<'s>(first: Erased<'s>, next: Erased<'s>) -> Erased<'s> {
        first.then(next).map(|pair| Value::Pair(Box::new(pair))).boxed()
    }

    pub(super) fn then_ignore<'s>(first: Erased<'s>, next: Erased<'s>) -> Erased<'s> {
        first.then_ignore(next).boxed()
    }

    pub(super) fn ignore_then<'s>(first: Erased<'s>, next: Erased<'s>) -> Erased<'s> {
        first.ignore_then(next).boxed()
    }

    pub(super) fn or_not(parser: Erased<'_>) -> Erased<'_> {
        let some = |value| match value {
            Some(value) => Value::Maybe(Some(Box::new(value))),
            None => Value::Maybe(None),
        };
        parser.or_not().map(some).boxed()
    }

    pub(super) fn at_least(parser: Erased<'_>, minimum: usize) -> Erased<'_> {
        parser.repeated().at_least(minimum).collect().map(Value::Many).boxed()
    }

    pub(super) fn separated_by<'s>(parser: Erased<'s>, separator: Erased<'s>) -> Erased<'s> {
        parser.separated_by(separator).at_least(1).collect().map(Value::Many).boxed()
    }

    pub(super) fn recover_with<'s>(parser: Erased<'s>, instead: Erased<'s>) -> Erased<'s> {
        parser.recover_with(via_parser(instead)).boxed()
    }

    pub(super) fn first_of(parsers: Vec<Erased<'_>>) -> Erased<'_> {
        choice(parsers).boxed()
    }

    pub(super) fn any<'s>() -> Erased<'s> {
        any_ref().map(|_| Value::Nothing(())).boxed()
    }

    pub(super) fn token<'s>(label: &'static str, wanted: Wanted) -> Erased<'s> {
        select_ref::<_, In<'s>, _, Extra<'s>>(move |token, e| wanted.pick(token, e.span()))
            .labelled(label)
            .boxed()
    }

    pub(super) fn read(read: Reader<'_>) -> Erased<'_> {
        custom(move |input| Ok(read(input))).boxed()
    }
}

impl<'s, T> Rule<'s, T> {
    fn of(erased: Erased<'s>) -> Self {
        Rule { erased, output: PhantomData }
    }

    /// The output, and the range that was read.
    pub(super) fn ranged(self) -> Rule<'s, (T, Range)> {
        Rule::of(erased::step(self.erased, Box::new(Look::Ranged)))
    }

    /// The range that was read.
    pub(super) fn range(self) -> Rule<'s, Range> {
        Rule::of(erased::step(self.erased, Box::new(Look::Range)))
    }

    pub(super) fn ignored(self) -> Rule<'s, ()> {
        Rule::of(erased::step(self.erased, Box::new(Look::Nothing)))
    }

    /// Succeeds where this rule fails; reads nothing.
    pub(super) fn not(self) -> Rule<'s, ()> {
        Rule::of(erased::not(self.erased))
    }

    /// Reads nothing.
    pub(super) fn rewind(self) -> Self {
        Rule::of(erased::rewind(self.erased))
    }

    pub(super) fn then<U>(self, next: Rule<'s, U>) -> Rule<'s, (T, U)> {
        Rule::of(erased::then(self.erased, next.erased))
    }

    pub(super) fn then_ignore<U>(self, next: Rule<'s, U>) -> Self {
        Rule::of(erased::then_ignore(self.erased, next.erased))
    }

    pub(super) fn ignore_then<U>(self, next: Rule<'s, U>) -> Rule<'s, U> {
        Rule::of(erased::ignore_then(self.erased, next.erased))
    }

    pub(super) fn or_not(self) -> Rule<'s, Option<T>> {
        Rule::of(erased::or_not(self.erased))
    }

    /// As often as there is one, also never.
    pub(super) fn many(self) -> Rule<'s, Vec<T>> {
        Rule::of(erased::at_least(self.erased, 0))
    }

    /// At least once.
    pub(super) fn some(self) -> Rule<'s, Vec<T>> {
        Rule::of(erased::at_least(self.erased, 1))
    }

    /// At least one, with separators between.
    pub(super) fn separated_by<U>(self, separator: Rule<'s, U>) -> Rule<'s, Vec<T>> {
        Rule::of(erased::separated_by(self.erased, separator.erased))
    }

    /// Where this rule fails, its error is reported and `instead` goes on.
    pub(super) fn recover_with(self, instead: Self) -> Self {
        Rule::of(erased::recover_with(self.erased, instead.erased))
    }
}

impl<'s, T: Content<'s> + 's> Rule<'s, T> {
    /// Reads lexemes whose input ends at `end`.
    pub(super) fn parse(
        &self,
        lexemes: &'s [Lexeme],
        end: Range,
    ) -> (Option<T>, Vec<Rich<'s, Token, Range>>) {
        let (value, errors) = erased::parse(&self.erased, lexemes, end);
        (value.map(T::restore), errors)
    }

    pub(super) fn map<U: Content<'s> + 's>(self, f: fn(T) -> U) -> Rule<'s, U> {
        Rule::of(erased::step(self.erased, Box::new(f)))
    }

    /// Maps the output together with the range that was read.
    pub(super) fn map_range<U: Content<'s> + 's>(self, f: fn(T, Range) -> U) -> Rule<'s, U> {
        Rule::of(erased::step(self.erased, Box::new(f)))
    }
}

impl Rule<'_, Ident> {
    pub(super) fn filter(self, f: fn(&Ident) -> bool) -> Self {
        Rule::of(erased::filter(self.erased, f))
    }
}

/// The first of these that succeeds.
pub(super) fn first_of<'s, T>(rules: Vec<Rule<'s, T>>) -> Rule<'s, T> {
    let mut all = Vec::new();
    for rule in rules {
        all.push(rule.erased);
    }
    Rule::of(erased::first_of(all))
}

/// One token.
pub(super) fn any<'s>() -> Rule<'s, ()> {
    Rule::of(erased::any())
}

/// What a token has to be.
pub(super) enum Wanted {
    Word(&'static str),
    Punct(char),
    Name,
    /// An identifier that is no word of the language.
    FreeName,
    Literal,
    Group(Delimiter),
    Such(fn(&Token) -> bool),
}

impl Wanted {
    /// What the grammar gets of the token, if it is one of these.
    fn pick<'s>(&self, token: &'s Token, range: Range) -> Option<Value<'s>> {
        match (self, &token.kind) {
            (Wanted::Word(word), Kind::Ident(i)) if i == word => Some(Value::Range(range)),
            (Wanted::Punct(character), Kind::Punct(p)) if p.as_char() == *character => {
                Some(Value::Range(range))
            }
            (Wanted::Name, Kind::Ident(i)) => Some(Value::Ident(i.clone())),
            (Wanted::FreeName, Kind::Ident(i)) if !among(i, RESERVED) => Some(Value::Ident(i.clone())),
            (Wanted::Literal, Kind::Literal(l)) => Some(Value::Literal(l.clone())),
            (Wanted::Group(delimiter), Kind::Group(d, inside, _)) if d == delimiter => {
                Some(Value::Group(Group { inside, range }))
            }
            (Wanted::Such(is), _) if is(token) => Some(Value::Nothing(())),
            _ => None,
        }
    }
}

/// One token, of which `T` is picked; an error calls it `label`.
pub(super) fn token<'s, T>(label: &'static str, wanted: Wanted) -> Rule<'s, T> {
    Rule::of(erased::token(label, wanted))
}

/// Nothing.
pub(super) fn nothing<'s>() -> Rule<'s, ()> {
    read(Box::new(|_| Value::Nothing(())))
}

/// What reads tokens as it likes, and cannot fail.
pub(super) type Reader<'s> = Box<dyn Fn(&mut InputRef<'s, '_, In<'s>, Extra<'s>>) -> Value<'s> + 's>;

/// Reads as `read` does.
pub(super) fn read<'s, T>(read: Reader<'s>) -> Rule<'s, T> {
    Rule::of(erased::read(read))
}

//! The combinators of the grammar: chumsky's, each with its type erased on the spot.
//!
//! In chumsky a rule of ten combinators has a type of ten levels, and rustc proves each bound anew on every level, for every rule; that
//! was about half of what rustc did for this crate before code generation. Boxed parsers that differed in their outputs alone still were
//! a fifth of the code it generated. So chumsky sees boxed parsers of a [`Value`] and each combinator once; a [`Rule`] adds the type of
//! its output. What can be said by two others is no combinator of chumsky's either: each brings some forty functions with it.
//! What it costs is a pointer per combinator when a `cep!` call is read.
use super::{
    token::{Group, RESERVED, among},
    value::{Content, Value},
};
use crate::lex::{Kind, Lexeme, Range, Token};
use chumsky::{
    Boxed,
    input::MappedInput,
    prelude::{Rich, extra},
};
use proc_macro2::Delimiter;
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
    /// Of a pair, the first.
    First,
    /// Of a pair, the second.
    Second,
    Some,
    None,
    /// Of one and those behind it, all.
    All,
    Nothing,
}

impl<'s> Step<'s> for Look {
    fn run(&self, value: Value<'s>, range: Range) -> Value<'s> {
        match self {
            Look::Ranged => Value::Pair(Box::new((value, Value::Range(range)))),
            Look::Range => Value::Range(range),
            Look::First => value.pair().0,
            Look::Second => value.pair().1,
            Look::Some => Value::Maybe(Some(Box::new(value))),
            Look::None => Value::Maybe(None),
            Look::All => match value.pair() {
                (first, Value::Many(mut all)) => {
                    all.insert(0, first);
                    Value::Many(all)
                }
                (only, _) => only,
            },
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
        prelude::{SimpleSpan, choice, custom, via_parser},
        primitive::select_ref,
    };

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

    pub(super) fn not(parser: Erased<'_>) -> Erased<'_> {
        parser.not().map(Value::Nothing).boxed()
    }

    pub(super) fn then<'s>(first: Erased<'s>, next: Erased<'s>) -> Erased<'s> {
        first.then(next).map(|pair| Value::Pair(Box::new(pair))).boxed()
    }

    pub(super) fn at_least(parser: Erased<'_>, minimum: usize) -> Erased<'_> {
        parser.repeated().at_least(minimum).collect().map(Value::Many).boxed()
    }

    pub(super) fn recover_with<'s>(parser: Erased<'s>, instead: Erased<'s>) -> Erased<'s> {
        parser.recover_with(via_parser(instead)).boxed()
    }

    pub(super) fn first_of(parsers: Vec<Erased<'_>>) -> Erased<'_> {
        choice(parsers).boxed()
    }

    pub(super) fn token<'s>(label: &'static str, wanted: Wanted) -> Erased<'s> {
        select_ref::<_, In<'s>, _, Extra<'s>>(move |token, e| wanted.pick(token, e.span()))
            .labelled(label)
            .boxed()
    }

    pub(super) fn read(read: Reader<'_>) -> Erased<'_> {
        custom(move |input| {
            let (start, cursor) = (input.save(), input.cursor());
            let reading = read(&mut || {
                let token = input.peek_ref();
                input.skip();
                token
            });
            input.rewind(start.clone());
            for _ in 0..reading.length {
                input.skip();
            }
            let range = input.span_since(&cursor);
            if reading.ahead {
                input.rewind(start);
            }
            Ok(Value::Pair(Box::new((reading.value, Value::Range(range)))))
        })
        .boxed()
    }
}

impl<'s, T> Rule<'s, T> {
    fn of(erased: Erased<'s>) -> Self {
        Rule { erased, output: PhantomData }
    }

    fn look<U>(self, look: Look) -> Rule<'s, U> {
        Rule::of(erased::step(self.erased, Box::new(look)))
    }

    /// The output, and the range that was read.
    pub(super) fn ranged(self) -> Rule<'s, (T, Range)> {
        self.look(Look::Ranged)
    }

    /// The range that was read.
    pub(super) fn range(self) -> Rule<'s, Range> {
        self.look(Look::Range)
    }

    pub(super) fn ignored(self) -> Rule<'s, ()> {
        self.look(Look::Nothing)
    }

    /// Succeeds where this rule fails; reads nothing.
    pub(super) fn not(self) -> Rule<'s, ()> {
        Rule::of(erased::not(self.erased))
    }

    pub(super) fn then<U>(self, next: Rule<'s, U>) -> Rule<'s, (T, U)> {
        Rule::of(erased::then(self.erased, next.erased))
    }

    pub(super) fn then_ignore<U>(self, next: Rule<'s, U>) -> Self {
        self.then(next).look(Look::First)
    }

    pub(super) fn ignore_then<U>(self, next: Rule<'s, U>) -> Rule<'s, U> {
        self.then(next).look(Look::Second)
    }

    pub(super) fn or_not(self) -> Rule<'s, Option<T>> {
        first_of(&[self.look(Look::Some), nothing().look(Look::None)])
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
        let more = separator.ignore_then(self.clone()).many();
        self.then(more).look(Look::All)
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

/// The first of these that succeeds.
pub(super) fn first_of<'s, T>(mut rules: &[Rule<'s, T>]) -> Rule<'s, T> {
    let mut all = Vec::new();
    while let [first, rest @ ..] = rules {
        all.push(first.erased.clone());
        rules = rest;
    }
    Rule::of(erased::first_of(all))
}

/// One token.
pub(super) fn any<'s>() -> Rule<'s, ()> {
    token("any", Wanted::Such(|_| true))
}

/// What a token has to be.
pub(super) enum Wanted {
    Word(&'static str),
    Punct(char),
    Name,
    /// An identifier that is no word of the language.
    FreeName,
    /// A free name that begins with a small letter.
    SmallName,
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
            (Wanted::SmallName, Kind::Ident(i))
                if !among(i, RESERVED) && i.to_string().starts_with(char::is_lowercase) =>
            {
                Some(Value::Ident(i.clone()))
            }
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
    let nothing: Rule<'s, ((), Range)> =
        read(Box::new(|_| Reading { value: Value::Nothing(()), length: 0, ahead: false }));
    nothing.ignored()
}

/// The range of the next token, or of the end, without stepping over it.
pub(super) fn next_token<'s>() -> Rule<'s, Range> {
    let next: Rule<'s, ((), Range)> =
        read(Box::new(|_| Reading { value: Value::Nothing(()), length: 1, ahead: true }));
    next.look(Look::Second)
}

/// What a reader has found.
pub(super) struct Reading<'s> {
    pub(super) value: Value<'s>,
    /// How many tokens it stands for, from where the reader began.
    pub(super) length: usize,
    /// The grammar goes on where the reader began, and not behind these.
    pub(super) ahead: bool,
}

/// What reads tokens as it likes, one for each call of what it is given, and cannot fail.
pub(super) type Reader<'s> = Box<dyn Fn(&mut dyn FnMut() -> Option<&'s Token>) -> Reading<'s> + 's>;

/// Reads as `read` does: its value and the range that this stands for.
pub(super) fn read<'s, T>(read: Reader<'s>) -> Rule<'s, (T, Range)> {
    Rule::of(erased::read(read))
}

//! The grammar is data: constants of type [`Rule`], of which chumsky's parsers are made when a `cep!` call is read.
//!
//! Why not chumsky's combinators at every rule: such a rule has a type of as many levels as it has combinators, and rustc proves each
//! bound anew on every level and writes out each parser for each type of its output, here half of its work for this crate. As data a
//! rule costs nothing to compile, and chumsky sees five types of parser, each once, none of which has an output: what a rule captures
//! lies in the [`Parts`], which are chumsky's state, so that its backtracking forgets it again.
use super::{
    token::{Group, RESERVED, among},
    value::{Parts, Value},
};
use crate::{
    lex::{Kind, Lexeme, Range, Token},
    slices::position,
};
use chumsky::{
    Boxed, IterParser as _, Parser,
    error::{Error, LabelError},
    extra::Full,
    input::{Checkpoint, Cursor, InputRef},
    inspector::Inspector,
    prelude::{choice, custom, via_parser},
    util::{Maybe, MaybeRef},
};
use proc_macro2::Delimiter;

/// What can stand somewhere, and what of it is captured. Labels are what an error calls it.
pub(super) enum Rule {
    /// A given word; captures nothing.
    Word(&'static str, &'static str),
    /// A given character; captures nothing.
    Punct(char, &'static str),
    /// Any identifier: where a name must stand, a reserved word gets an error of its own later.
    Name(&'static str),
    /// An identifier that is no word of the language, where one of those would go on differently.
    FreeName(&'static str),
    /// A free name that begins with a small letter, as no type does.
    SmallName(&'static str),
    Literal(&'static str),
    /// A group, by its lexemes.
    Group(Delimiter, &'static str),
    /// A token that passes; captures nothing.
    Such(fn(&Token) -> bool, &'static str),
    /// All tokens in front of the first that passes, maybe none; captures nothing.
    Until(fn(&Token) -> bool),
    /// Any token, which is not read; captures nothing.
    Ahead,
    /// Nothing; captures the range of the next token, or of the end.
    Here,
    /// What a reader makes of the lexemes from here.
    Read(for<'s> fn(&'s [Lexeme]) -> Reading<'s>),
    /// Nothing; captures a [`Value::Absent`].
    Absent,
    /// Nothing; captures a [`Value::Mark`].
    Mark,
    /// One behind the other.
    All(&'static [Rule]),
    /// The first of these that can be read.
    First(&'static [Rule]),
    /// These or nothing: what they capture, which must be one part, or that it is absent.
    Maybe(&'static [Rule]),
    /// These as often as they stand there, also never; behind what they capture, an absent part.
    Many(&'static [Rule]),
    /// At least one of the first with the second between them; behind what they capture, an absent part.
    List(&'static Rule, &'static Rule),
    /// These; captures what is made of their parts and their range.
    Make(&'static [Rule], Make),
    /// Where the first cannot be read, its error is reported and the second goes on.
    Else(&'static Rule, &'static Rule),
}

/// Makes a part of a rule's parts, which it takes in their order.
pub(super) type Make = for<'s> fn(&mut Parts<'s>, Range) -> Value<'s>;

/// What was read of the lexemes.
pub(super) struct Reading<'s> {
    /// What is captured.
    pub(super) value: Option<Value<'s>>,
    /// How many lexemes it stands for.
    pub(super) length: usize,
}

/// A given word, called `word` in backticks.
macro_rules! word {
    ($word:literal) => {
        $crate::parse::rule::Rule::Word($word, concat!("`", $word, "`"))
    };
}
/// A given character, called so in backticks.
macro_rules! punct {
    ($character:literal) => {
        $crate::parse::rule::Rule::Punct($character, concat!("`", $character, "`"))
    };
}
pub(super) use {punct, word};

impl Rule {
    /// What of `rest`, behind which `end` stands, it is, if it is a rule without others in it.
    fn read<'s>(&self, rest: &'s [Lexeme], end: Range) -> Option<Reading<'s>> {
        let mut length = 0;
        let value = match self {
            Rule::Until(passes) => {
                length = position(rest, |(t, _)| passes(t)).unwrap_or(rest.len());
                None
            }
            Rule::Here => Some(Value::Range(rest.first().map_or((end.end..end.end).into(), |(_, r)| *r))),
            Rule::Read(read) => return Some(read(rest)),
            Rule::Absent => Some(Value::Absent),
            Rule::Mark => Some(Value::Mark),
            Rule::Ahead => rest.first().map(|_| None)?,
            one => {
                length = 1;
                let (token, range) = rest.first()?;
                one.pick(token, *range)?
            }
        };
        Some(Reading { value, length })
    }

    /// What is captured of a token, if it is this one.
    fn pick<'s>(&self, token: &'s Token, range: Range) -> Option<Option<Value<'s>>> {
        match (self, &token.kind) {
            (Rule::Such(passes, _), _) if passes(token) => Some(None),
            (Rule::Word(word, _), Kind::Ident(i)) if i == word => Some(None),
            (Rule::Punct(character, _), Kind::Punct(p)) if p.as_char() == *character => Some(None),
            (Rule::Name(_), Kind::Ident(i)) => Some(Some(Value::Ident(i.clone()))),
            (Rule::FreeName(_), Kind::Ident(i)) if !among(i, RESERVED) => Some(Some(Value::Ident(i.clone()))),
            (Rule::SmallName(_), Kind::Ident(i))
                if !among(i, RESERVED) && i.to_string().starts_with(char::is_lowercase) =>
            {
                Some(Some(Value::Ident(i.clone())))
            }
            (Rule::Literal(_), Kind::Literal(l)) => Some(Some(Value::Literal(l.clone()))),
            (Rule::Group(delimiter, _), Kind::Group(d, inside, _)) if d == delimiter => {
                Some(Some(Value::Group(Group { inside, range })))
            }
            _ => None,
        }
    }

    /// What an error calls it.
    fn label(&self) -> Option<&'static str> {
        match self {
            Rule::Word(_, label)
            | Rule::Punct(_, label)
            | Rule::Name(label)
            | Rule::FreeName(label)
            | Rule::SmallName(label)
            | Rule::Literal(label)
            | Rule::Group(_, label)
            | Rule::Such(_, label) => Some(label),
            _ => None,
        }
    }
}

/// What could have stood where no rule goes on.
pub(super) struct Mistake<'s> {
    /// What stands there instead; `None`: the end.
    pub(super) found: Option<&'s Lexeme>,
    /// Labels, in no order, some maybe twice.
    pub(super) expected: Vec<&'static str>,
}

impl<'s> Error<'s, In<'s>> for Mistake<'s> {
    fn merge(mut self, mut other: Self) -> Self {
        self.expected.append(&mut other.expected);
        self
    }
}

/// For the errors that chumsky makes by itself. Each grammar reads what is there to the end, so no one sees them.
impl<'s, L> LabelError<'s, In<'s>, L> for Mistake<'s> {
    fn expected_found<E: IntoIterator<Item = L>>(
        _: E,
        found: Option<MaybeRef<'s, Lexeme>>,
        _: Range,
    ) -> Self {
        let found = match found {
            Some(Maybe::Ref(lexeme)) => Some(lexeme),
            _ => None,
        };
        Mistake { found, expected: Vec::new() }
    }
}

/// What backtracking leaves is forgotten.
impl<'s> Inspector<'s, In<'s>> for Parts<'s> {
    type Checkpoint = usize;
    fn on_token(&mut self, _: &Lexeme) {}
    fn on_save<'p>(&self, _: &Cursor<'s, 'p, In<'s>>) -> usize {
        self.count()
    }
    fn on_rewind<'p>(&mut self, to: &Checkpoint<'s, 'p, In<'s>, usize>) {
        self.keep(*to.inspector());
    }
}

/// What is read. For chumsky it is a context: one without a default spares us the compilation of what would begin a parse with each of
/// its parsers.
#[derive(Clone, Copy)]
struct Place<'s> {
    lexemes: &'s [Lexeme],
    /// What stands behind them.
    end: Range,
}

impl Place<'_> {
    /// The tokens between two lexemes, given by their indices.
    fn range(self, between: Range) -> Range {
        let end = between.end.checked_sub(1).and_then(|last| self.lexemes.get(last));
        match self.lexemes.get(between.start) {
            Some((_, first)) => (first.start..end.map_or(self.end.end, |(_, r)| r.end)).into(),
            None => (self.end.end..self.end.end).into(),
        }
    }
}

type In<'s> = &'s [Lexeme];
type Extra<'s> = Full<Mistake<'s>, Parts<'s>, Place<'s>>;
type Erased<'s> = Boxed<'s, 's, In<'s>, (), Extra<'s>>;

/// The parser of a rule.
pub(super) struct Grammar<'s>(Erased<'s>);

impl<'s> Grammar<'s> {
    pub(super) fn new(rule: &'static Rule) -> Self {
        Grammar(parser(rule))
    }

    /// Reads lexemes whose input ends at `end`.
    pub(super) fn parse(&self, lexemes: &'s [Lexeme], end: Range) -> (Option<Parts<'s>>, Vec<Mistake<'s>>) {
        let mut parts = Parts::default();
        let parser = self.0.clone().with_ctx(Place { lexemes, end });
        let result = Parser::<'_, _, _, Full<Mistake<'s>, Parts<'s>, ()>>::parse_with_state(
            &parser, lexemes, &mut parts,
        );
        let (output, errors) = result.into_output_errors();
        (output.map(|()| parts), errors)
    }
}

fn parser<'s>(rule: &'static Rule) -> Erased<'s> {
    match rule {
        Rule::All(rules) => all(rules),
        Rule::First(rules) => {
            let mut parsers = Vec::new();
            for rule in *rules {
                parsers.push(parser(rule));
            }
            choice(parsers).boxed()
        }
        Rule::Maybe(rules) => choice(vec![all(rules), token(&Rule::Absent)]).boxed(),
        Rule::Many(rules) => then(many(all(rules)), token(&Rule::Absent), None),
        Rule::List(one, separator) => {
            let more = many(then(parser(separator), parser(one), None));
            then(then(parser(one), more, None), token(&Rule::Absent), None)
        }
        Rule::Make(rules, make) => then(token(&Rule::Mark), all(rules), Some(*make)),
        Rule::Else(first, instead) => parser(first).recover_with(via_parser(parser(instead))).boxed(),
        rule => token(rule),
    }
}

/// Reads nothing and captures nothing.
pub(super) const NOTHING: Rule = Rule::Until(|_| true);

fn all<'s>(rules: &'static [Rule]) -> Erased<'s> {
    match rules {
        [] => token(&NOTHING),
        [only] => parser(only),
        [front @ .., last] => then(all(front), parser(last), None),
    }
}

fn many(parser: Erased<'_>) -> Erased<'_> {
    parser.repeated().collect::<()>().boxed()
}

fn then<'s>(first: Erased<'s>, next: Erased<'s>, make: Option<Make>) -> Erased<'s> {
    first
        .then(next)
        .map_with(move |_, e| {
            if let Some(make) = make {
                let range = e.ctx().range(e.span());
                e.state().make(make, range);
            }
        })
        .boxed()
}

fn token<'s>(rule: &'static Rule) -> Erased<'s> {
    custom(move |input| read(rule, input)).boxed()
}

fn read<'s>(rule: &Rule, input: &mut InputRef<'s, '_, In<'s>, Extra<'s>>) -> Result<(), Mistake<'s>> {
    let here = input.cursor();
    let at = input.span_since(&here).start;
    let Place { lexemes, end } = *input.ctx();
    let rest = lexemes.get(at..).unwrap_or_default();
    let Some(reading) = rule.read(rest, end) else {
        let mut expected = Vec::new();
        expected.extend(rule.label());
        return Err(Mistake { found: rest.first(), expected });
    };
    for _ in 0..reading.length {
        input.next_ref();
    }
    if let Some(value) = reading.value {
        input.state().push(value);
    }
    Ok(())
}

//! The grammar of a formula, one level of parentheses at a time (language reference, section 3).
use super::{
    clauses::BOUND,
    raw::{Continuation, Element, Level, Operand, Postfix, Suffix, SuffixKind},
    rule::{
        NOTHING,
        Rule::{
            self, Ahead, All, Else, First, FreeName, Group, List, Make, Many, Maybe, Name, Punct, Read, Such,
            Until,
        },
        punct, word,
    },
    rust::condition,
    token::{CLAUSES, SUFFIXES, among},
    value::{Parts, Value, range},
};
use crate::{
    ast::Operator,
    lex::{Range, Token},
};
use proc_macro2::Delimiter;

/// The formula of an item: `within`, `select` and the other clauses end it.
pub(super) const TOP: Rule = Make(
    &[
        OPERAND,
        Many(&[First(&[
            SEQUENCE,
            OR,
            FILTER,
            AGGREGATE,
            PROJECT,
            WITHOUT,
            Make(&[Such(|t| !begins_clause(t) && !stops(t), ""), Until(stops)], junk),
        ])]),
    ],
    level,
);

/// What stands in parentheses: levels with commas between them, which only `all` may have, and what is left.
pub(super) const INSIDE: Rule = All(&[
    List(
        &Make(
            &[
                OPERAND,
                Many(&[First(&[
                    SEQUENCE,
                    OR,
                    FILTER,
                    AGGREGATE,
                    PROJECT,
                    WITHOUT,
                    SELECT,
                    WITHIN,
                    Make(&[Such(|t| !t.is(',') && !stops(t), ""), Until(stops)], junk),
                ])]),
            ],
            level,
        ),
        &All(&[punct!(','), Ahead]),
    ),
    First(&[punct!(','), NOTHING]),
    REST,
]);

/// Whatever is left.
pub(super) const REST: Rule = Maybe(&[Make(&[Such(|_| true, "a token"), Until(|_| false)], range)]);

fn level<'s>(parts: &mut Parts<'s>, _: Range) -> Value<'s> {
    Value::Level(Level { first: parts.one(), rest: parts.all() })
}

/// Where an operator stands, the missing element behind it is the error; a word that only looks like a clause begins one, but ends no
/// stretch of tokens that make no sense anyway.
fn junk<'s>(_: &mut Parts<'s>, range: Range) -> Value<'s> {
    Value::Continuation(Continuation::Junk(range))
}

/// A word that begins a clause, or would if it were spelled right: type names begin with a capital.
fn begins_clause(token: &Token) -> bool {
    token.ident().is_some_and(|i| {
        !among(i, &["or", "not", "as", "filter", "agg", "project", "without", "all", "pattern", "on"])
            && i.to_string().starts_with(|c: char| c.is_lowercase())
    })
}

/// Where skipping ends: an operator, a comma, or a word of the language.
fn stops(token: &Token) -> bool {
    token.is(';')
        || token.is(',')
        || token
            .ident()
            .is_some_and(|i| among(i, CLAUSES) || among(i, SUFFIXES) || among(i, &["or", "pattern"]))
}

const SEQUENCE: Rule = Make(&[First(&[Make(&[punct!(';')], any), STRICT, NEXT]), OPERAND], |parts, _| {
    let (operator, at) = parts.one();
    Value::Continuation(Continuation::Sequence(operator, at, parts.one()))
});

const OR: Rule = Make(&[Make(&[word!("or")], range), OPERAND], |parts, _| {
    Value::Continuation(Continuation::Or(parts.one(), parts.one()))
});

fn any<'s>(_: &mut Parts<'s>, range: Range) -> Value<'s> {
    Value::Operator((Operator::Any, range))
}

const STRICT: Rule = Make(&[punct!(':')], |_, range| Value::Operator((Operator::Strict, range)));

const NEXT: Rule =
    Make(&[Punct('-', "`->`"), punct!('>')], |_, range| Value::Operator((Operator::Next, range)));

/// An element or, if there is none, the error about that; the grammar then goes on at the next operator or word of this level.
const OPERAND: Rule = Else(
    &Make(&[Maybe(&[Make(&[word!("not")], range)]), ELEMENT, Many(&[POSTFIX])], |parts, range| {
        let (not, element, postfixes) = (parts.maybe(), parts.one(), parts.all());
        Value::Operand(Operand { not, element, postfixes, range })
    }),
    &Make(&[Until(stops)], |_, range| {
        Value::Operand(Operand { not: None, element: Element::Broken, postfixes: Vec::new(), range })
    }),
);

const ELEMENT: Rule = First(&[
    Make(&[FreeName("an event type")], |parts, _| Value::Element(Element::Type(parts.one()))),
    Make(&[Group(Delimiter::Parenthesis, "`(`")], |parts, _| Value::Element(Element::Group(parts.one()))),
    Make(
        &[Make(&[Rule::Word("all", "`all(…)`")], range), Group(Delimiter::Parenthesis, "`(`")],
        |parts, _| Value::Element(Element::All(parts.one(), parts.one())),
    ),
]);

/// Behind `:` and `->` only an iteration is a postfix; an element is the next one of the chain.
const CHAINED: Rule = First(&[STRICT, NEXT, Make(&[], any)]);

const POSTFIX: Rule = First(&[
    Make(&[word!("as"), Name("a variable's name")], |parts, at| {
        Value::Postfix((Postfix::As(parts.one()), at))
    }),
    Make(&[punct!('?')], |_, at| Value::Postfix((Postfix::Optional, at))),
    Make(&[CHAINED, punct!('+')], |parts, at| Value::Postfix((Postfix::Plus(operator(parts)), at))),
    Make(&[CHAINED, punct!('*')], |parts, at| Value::Postfix((Postfix::Star(operator(parts)), at))),
    Make(&[CHAINED, Group(Delimiter::Brace, "`{…}`")], |parts, at| {
        Value::Postfix((Postfix::Count(operator(parts), parts.one()), at))
    }),
]);

fn operator(parts: &mut Parts<'_>) -> Operator {
    let (operator, _): (Operator, Range) = parts.one();
    operator
}

/// A suffix's word is followed by what it says; where that does not go on as it should, all is skipped up to the next `;` or word.
fn suffix<'s>(parts: &mut Parts<'s>, range: Range) -> Value<'s> {
    let (word, kind) = (parts.one(), parts.one());
    Value::Continuation(Continuation::Suffix(Suffix { kind, word, range }))
}

const BROKEN: Rule = Make(&[Until(stops)], |_, _| Value::SuffixKind(SuffixKind::Broken));

const FILTER: Rule = Make(&[Make(&[word!("filter")], range), Read(condition)], suffix);

const AGGREGATE: Rule = Make(
    &[
        Make(&[word!("agg")], range),
        Else(
            &Make(
                &[Name("the aggregate's name"), Group(Delimiter::Brace, "`{ name: aggregate }`")],
                |parts, _| Value::SuffixKind(SuffixKind::Aggregate(parts.one(), parts.one())),
            ),
            &BROKEN,
        ),
    ],
    suffix,
);

const PROJECT: Rule = Make(
    &[
        Make(&[word!("project")], range),
        Else(
            &Make(
                &[Name("a variable's name"), Group(Delimiter::Parenthesis, "`(attribute, …)`")],
                |parts, _| Value::SuffixKind(SuffixKind::Project(parts.one(), parts.one())),
            ),
            &BROKEN,
        ),
    ],
    suffix,
);

const WITHOUT: Rule = Make(
    &[
        Make(&[word!("without")], range),
        Else(
            &Make(&[ELEMENT], |parts, range| {
                let element = parts.one();
                Value::SuffixKind(SuffixKind::Without(Operand {
                    not: None,
                    element,
                    postfixes: Vec::new(),
                    range,
                }))
            }),
            &BROKEN,
        ),
    ],
    suffix,
);

const SELECT: Rule = Make(
    &[
        Make(&[word!("select")], range),
        Else(
            &Make(&[List(&FreeName("a variable's name"), &punct!(','))], |parts, _| {
                Value::SuffixKind(SuffixKind::Select(parts.all()))
            }),
            &BROKEN,
        ),
    ],
    suffix,
);

const WITHIN: Rule = Make(
    &[
        Make(&[word!("within")], range),
        Else(&Make(&[BOUND], |parts, _| Value::SuffixKind(SuffixKind::Within(parts.one()))), &BROKEN),
    ],
    suffix,
);

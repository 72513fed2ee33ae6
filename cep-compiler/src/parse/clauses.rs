//! The grammar of the clauses behind a formula (language reference, section 3.1), in any order.
use super::{
    raw::{Amount, Bound, Clause, ClauseKind, Unit},
    rule::{
        Rule::{
            self, All, Else, First, FreeName, Group, List, Literal, Make, Many, Maybe, Name, SmallName, Until,
        },
        punct, word,
    },
    token::{self, among},
    value::{Parts, Value, range},
};
use crate::{
    ast::{PartitionKey, SelectItem, Skip},
    lex::{Range, Token},
    schema::joined::joined,
    slices::pick,
};
use proc_macro2::{Delimiter, Ident};

/// All clauses of an item.
pub(super) const CLAUSES: Rule = Many(&[First(&[
    Make(&[word!("within"), Else(&WITHIN, &BROKEN)], clause),
    Make(&[word!("partition"), Else(&PARTITION, &BROKEN)], clause),
    Make(&[word!("strategy"), Else(&STRATEGY, &BROKEN)], clause),
    Make(&[word!("skip"), Else(&SKIP, &BROKEN)], clause),
    Make(&[word!("consume"), Else(&CONSUME, &BROKEN)], clause),
    Make(&[word!("limit"), Else(&LIMIT, &BROKEN)], clause),
    Make(&[word!("timeouts"), Make(&[], |_, _| Value::ClauseKind(ClauseKind::Timeouts))], clause),
    Make(&[word!("capacity"), Else(&CAPACITY, &BROKEN)], clause),
    Make(&[word!("storage"), Else(&STORAGE, &BROKEN)], clause),
    Make(&[word!("select"), Else(&SELECT, &BROKEN)], clause),
    Make(&[word!("detect"), Make(&[], |_, _| Value::ClauseKind(ClauseKind::Detect))], clause),
    Make(&[word!("summarize"), Else(&SUMMARIZE, &BROKEN)], clause),
    UNKNOWN,
])]);

/// A clause's word is followed by what it says; where that does not go on as it should, all is skipped up to the next clause.
fn clause<'s>(parts: &mut Parts<'s>, range: Range) -> Value<'s> {
    Value::Clause(Clause { kind: parts.one(), range })
}

const BROKEN: Rule = Make(&[Until(next_clause)], |_, _| Value::ClauseKind(ClauseKind::Broken));

fn next_clause(token: &Token) -> bool {
    token.is(';') || token.ident().is_some_and(|i| among(i, token::CLAUSES))
}

/// A word that begins no clause, and what belongs to it.
const UNKNOWN: Rule = Make(&[SmallName("a clause"), Until(next_clause)], |parts, range| {
    Value::Clause(Clause { kind: ClauseKind::Unknown(parts.one()), range })
});

const WITHIN: Rule = Make(&[BOUND], |parts, _| Value::ClauseKind(ClauseKind::Within(parts.one())));

/// What stands behind `within`, as a clause or as a suffix.
pub(super) const BOUND: Rule = First(&[
    Make(&[word!("window"), Name("a window's name")], |parts, _| Value::Bound(Bound::Window(parts.one()))),
    Make(&[AMOUNT, Many(&[AMOUNT])], |parts, _| Value::Bound(Bound::Amounts(parts.all()))),
]);

const AMOUNT: Rule =
    Make(&[Maybe(&[Make(&[punct!('-')], range)]), Literal("a number"), UNIT], |parts, range| {
        let minus: Option<Range> = parts.maybe();
        let (number, unit) = (parts.one(), parts.one());
        Value::Amount(Amount { negative: minus.is_some(), number, unit, range })
    });

const UNIT: Rule = First(&[
    Make(
        &[word!("events"), Maybe(&[Make(&[word!("of"), word!("its"), word!("partition")], range)])],
        |parts, _| {
            let partition: Option<Range> = parts.maybe();
            Value::Unit(Unit::Events { of_partition: partition.is_some() })
        },
    ),
    Make(&[word!("of"), PATH], |parts, _| {
        let path: Vec<Ident> = parts.one();
        Value::Unit(joined(&path).map_or(Unit::Missing, Unit::Of))
    }),
    Make(&[FreeName("a unit")], |parts, _| Value::Unit(Unit::Word(parts.one()))),
    Make(&[], |_, _| Value::Unit(Unit::Missing)),
]);

/// `value`, `hot.value`
const PATH: Rule =
    Make(&[FreeName("an attribute"), Many(&[punct!('.'), Name("an attribute")])], |parts, _| {
        Value::Path(parts.all())
    });

const PARTITION: Rule =
    Make(&[word!("by"), List(&Make(&[List(&PATH, &punct!('='))], key), &punct!(','))], |parts, _| {
        let (mut keys, mut wrong) = (Vec::new(), 0);
        while let Some(key) = parts.maybe::<Option<PartitionKey>>() {
            match key {
                Some(key) => keys.push(key),
                None => wrong += 1,
            }
        }
        Value::ClauseKind(ClauseKind::Partition { keys, wrong })
    });

/// One attribute, or attributes of event types with `=` between them; anything else is no key.
fn key<'s>(parts: &mut Parts<'s>, _: Range) -> Value<'s> {
    let paths: Vec<Vec<Ident>> = parts.all();
    // an event type's name begins with a capital; what does not is an attribute, maybe of an attribute
    let per_type = pick(&paths, |path| {
        let (ty, attribute) = path.split_first()?;
        let is_type = paths.len() > 1 || ty.to_string().starts_with(char::is_uppercase);
        if is_type { Some((ty.clone(), joined(attribute)?)) } else { None }
    });
    Value::Key(match paths.as_slice() {
        all if per_type.len() == all.len() => Some(PartitionKey::PerType(per_type)),
        [one] => joined(one).map(PartitionKey::Attribute),
        _ => None,
    })
}

const STRATEGY: Rule =
    Make(&[Name("a strategy")], |parts, _| Value::ClauseKind(ClauseKind::Strategy(parts.one())));

const SKIP: Rule = First(&[
    Make(&[word!("past"), word!("last")], |_, _| skip(Skip::PastLast)),
    All(&[
        word!("to"),
        First(&[
            Make(&[word!("next")], |_, _| skip(Skip::ToNext)),
            Make(&[word!("first"), Name("a variable's name")], |parts, _| skip(Skip::ToFirst(parts.one()))),
            Make(&[word!("last"), Name("a variable's name")], |parts, _| skip(Skip::ToLast(parts.one()))),
        ]),
    ]),
]);

fn skip<'s>(to: Skip) -> Value<'s> {
    Value::ClauseKind(ClauseKind::Skip(to))
}

const CONSUME: Rule = Make(&[Name("`none`, `any` or `partition`")], |parts, _| {
    Value::ClauseKind(ClauseKind::Consume(parts.one()))
});

const LIMIT: Rule =
    Make(&[Literal("a number")], |parts, _| Value::ClauseKind(ClauseKind::Limit(parts.one())));

const CAPACITY: Rule = Make(
    &[
        List(
            &Make(&[Literal("a number"), FreeName("`events`, `keys` or `runs`")], |parts, range| {
                let (number, unit) = (parts.one(), Unit::Word(parts.one()));
                Value::Amount(Amount { negative: false, number, unit, range })
            }),
            &punct!(','),
        ),
        Maybe(&[word!("or"), Name("`error` or `evict`")]),
    ],
    |parts, _| Value::ClauseKind(ClauseKind::Capacity(parts.all(), parts.maybe())),
);

const STORAGE: Rule = Make(&[Name("`inline`, `boxed` or `borrowed`")], |parts, _| {
    Value::ClauseKind(ClauseKind::Storage(parts.one()))
});

const SELECT: Rule = First(&[
    Make(&[word!("none")], |_, _| Value::ClauseKind(ClauseKind::Select(Vec::new()))),
    Make(
        &[List(
            &Make(&[FreeName("a variable"), Maybe(&[punct!('.'), Name("an attribute")])], |parts, _| {
                let (variable, attribute) = (parts.one(), parts.maybe());
                Value::SelectItem(SelectItem { variable, attribute })
            }),
            &punct!(','),
        )],
        |parts, _| Value::ClauseKind(ClauseKind::Select(parts.all())),
    ),
]);

const SUMMARIZE: Rule = Make(&[Group(Delimiter::Brace, "`{ name: aggregate }`")], |parts, _| {
    Value::ClauseKind(ClauseKind::Summarize(parts.one()))
});

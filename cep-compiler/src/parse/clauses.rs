//! The grammar of the clauses behind a formula (language reference, section 3.1), in any order.
use super::{
    raw::{Amount, Bound, Clause, ClauseKind, Unit},
    rule::{any, first_of, nothing},
    token::{CLAUSES, Rule, among, free_name, group, literal, name, punct, small_name, such, word},
};
use crate::{ast::Skip, lex::Range, schema::joined::joined};
use proc_macro2::{Delimiter, Ident};

/// All clauses of an item.
pub(super) fn clauses<'s>() -> Rule<'s, Vec<Clause<'s>>> {
    first_of(&[
        clause(word("within", "`within`"), bound().map(ClauseKind::Within)),
        clause(word("partition", "`partition`"), partition()),
        clause(word("strategy", "`strategy`"), name("a strategy").map(ClauseKind::Strategy)),
        clause(word("skip", "`skip`"), skip()),
        clause(word("consume", "`consume`"), name("`none`, `any` or `partition`").map(ClauseKind::Consume)),
        clause(word("limit", "`limit`"), literal("a number").map(ClauseKind::Limit)),
        clause(word("timeouts", "`timeouts`"), nothing().map(|_| ClauseKind::Timeouts)),
        clause(word("capacity", "`capacity`"), capacity()),
        clause(
            word("storage", "`storage`"),
            name("`inline`, `boxed` or `borrowed`").map(ClauseKind::Storage),
        ),
        clause(word("select", "`select`"), select()),
        clause(word("detect", "`detect`"), nothing().map(|_| ClauseKind::Detect)),
        clause(
            word("summarize", "`summarize`"),
            group(Delimiter::Brace, "`{ name: aggregate }`").map(ClauseKind::Summarize),
        ),
        unknown(),
    ])
    .many()
}

/// A clause behind its word; what does not go on as it should is skipped up to the next clause.
fn clause<'s>(first: Rule<'s, Range>, body: Rule<'s, ClauseKind<'s>>) -> Rule<'s, Clause<'s>> {
    first
        .ignore_then(body.recover_with(to_next_clause().map(|_| ClauseKind::Broken)))
        .map_range(|kind, range| Clause { kind, range })
}

fn to_next_clause<'s>() -> Rule<'s, ()> {
    first_of(&[clause_word(), punct(';', "`;`").ignored()]).not().ignore_then(any()).many().ignored()
}

fn clause_word<'s>() -> Rule<'s, ()> {
    such("a clause", |t| t.ident().is_some_and(|i| among(i, CLAUSES)))
}

/// A word that begins no clause, and what belongs to it.
fn unknown<'s>() -> Rule<'s, Clause<'s>> {
    small_name("a clause")
        .then_ignore(to_next_clause())
        .map_range(|i, range| Clause { kind: ClauseKind::Unknown(i), range })
}

/// What stands behind `within`, as a clause or as a suffix.
pub(super) fn bound<'s>() -> Rule<'s, Bound> {
    let window = word("window", "`window`").ignore_then(name("a window's name")).map(Bound::Window);
    let amounts = amount().some().map(Bound::Amounts);
    first_of(&[window, amounts])
}

fn amount<'s>() -> Rule<'s, Amount> {
    let partition = word("of", "`of`").then(word("its", "`its`")).then(word("partition", "`partition`"));
    let unit = first_of(&[
        word("events", "`events`")
            .ignore_then(partition.or_not())
            .map(|p| Unit::Events { of_partition: p.is_some() }),
        word("of", "`of`").ignore_then(path("an attribute")).map(|path| match joined(&path) {
            Some(attribute) => Unit::Of(attribute),
            None => Unit::Missing,
        }),
        free_name("a unit").map(Unit::Word),
        nothing().map(|_| Unit::Missing),
    ]);
    punct('-', "`-`")
        .or_not()
        .then(literal("a number"))
        .then(unit)
        .map_range(|((minus, number), unit), range| Amount { negative: minus.is_some(), number, unit, range })
}

fn attribute_path<'s>(label: &'static str) -> Rule<'s, (Ident, Option<Ident>)> {
    free_name(label).then(punct('.', "`.`").ignore_then(name("an attribute")).or_not())
}

/// `value`, `hot.value`
fn path<'s>(label: &'static str) -> Rule<'s, Vec<Ident>> {
    let more = punct('.', "`.`").ignore_then(name("an attribute")).many();
    free_name(label).then(more).map(|(first, mut path)| {
        path.insert(0, first);
        path
    })
}

fn partition<'s>() -> Rule<'s, ClauseKind<'s>> {
    let key = path("an attribute").separated_by(punct('=', "`=`"));
    let keys = key.separated_by(punct(',', "`,`"));
    word("by", "`by`").ignore_then(keys).map(ClauseKind::Partition)
}

fn skip<'s>() -> Rule<'s, ClauseKind<'s>> {
    let past = word("past", "`past`").then(word("last", "`last`")).map(|_| Skip::PastLast);
    let variable = |place, label| word(place, label).ignore_then(name("a variable's name"));
    let to = word("to", "`to`").ignore_then(first_of(&[
        word("next", "`next`").map(|_| Skip::ToNext),
        variable("first", "`first`").map(Skip::ToFirst),
        variable("last", "`last`").map(Skip::ToLast),
    ]));
    first_of(&[past, to]).map(ClauseKind::Skip)
}

fn capacity<'s>() -> Rule<'s, ClauseKind<'s>> {
    let bound = literal("a number").then(free_name("`events`, `keys` or `runs`"));
    let full = word("or", "`or`").ignore_then(name("`error` or `evict`")).or_not();
    bound.separated_by(punct(',', "`,`")).then(full).map(|(bounds, full)| ClauseKind::Capacity(bounds, full))
}

fn select<'s>() -> Rule<'s, ClauseKind<'s>> {
    let none = word("none", "`none`").map(|_| ClauseKind::Select(Vec::new()));
    let items = attribute_path("a variable").separated_by(punct(',', "`,`"));
    first_of(&[none, items.map(ClauseKind::Select)])
}

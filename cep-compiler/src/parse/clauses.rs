//! The grammar of the clauses behind a formula (language reference, section 3.1), in any order.
use super::{
    raw::{Amount, Bound, Clause, ClauseKind, Unit},
    token::{CLAUSES, Rule, among, free_name, group, name, punct, word},
};
use crate::{
    ast::Skip,
    lex::{Kind, Range, Token},
};
use chumsky::prelude::*;
use proc_macro2::{Delimiter, Ident, Literal};

/// All clauses of an item.
pub(super) fn clauses<'s>() -> Rule<'s, Vec<Clause<'s>>> {
    let known = choice((
        clause(word("within", "`within`"), bound().map(ClauseKind::Within).boxed()),
        clause(word("partition", "`partition`"), partition()),
        clause(word("strategy", "`strategy`"), name("a strategy").map(ClauseKind::Strategy).boxed()),
        clause(word("skip", "`skip`"), skip()),
        clause(
            word("consume", "`consume`"),
            name("`none`, `any` or `partition`").map(ClauseKind::Consume).boxed(),
        ),
        clause(word("limit", "`limit`"), number("a number").map(ClauseKind::Limit).boxed()),
        clause(word("timeouts", "`timeouts`"), empty().map(|_| ClauseKind::Timeouts).boxed()),
        clause(word("capacity", "`capacity`"), capacity()),
        clause(
            word("storage", "`storage`"),
            name("`inline`, `boxed` or `borrowed`").map(ClauseKind::Storage).boxed(),
        ),
        clause(word("select", "`select`"), select()),
        clause(word("detect", "`detect`"), empty().map(|_| ClauseKind::Detect).boxed()),
        clause(
            word("summarize", "`summarize`"),
            group(Delimiter::Brace, "`{ name: aggregate }`").map(ClauseKind::Summarize).boxed(),
        ),
    ));
    known.or(unknown()).repeated().collect().boxed()
}

/// A clause behind its word; what does not go on as it should is skipped up to the next clause.
fn clause<'s>(first: Rule<'s, Range>, body: Rule<'s, ClauseKind<'s>>) -> Rule<'s, Clause<'s>> {
    first
        .ignore_then(body.recover_with(via_parser(to_next_clause().map(|_| ClauseKind::Broken))))
        .map_with(|kind, e| Clause { kind, range: e.span() })
        .boxed()
}

fn to_next_clause<'s>() -> Rule<'s, ()> {
    clause_word().or(punct(';', "`;`").ignored().boxed()).not().ignore_then(any_ref()).repeated().boxed()
}

fn clause_word<'s>() -> Rule<'s, ()> {
    any_ref()
        .filter(|t: &&Token| t.ident().is_some_and(|i| among(i, CLAUSES)))
        .ignored()
        .labelled("a clause")
        .boxed()
}

/// A word that begins no clause, and what belongs to it.
fn unknown<'s>() -> Rule<'s, Clause<'s>> {
    free_name("a clause")
        .filter(|i| i.to_string().starts_with(|c: char| c.is_lowercase()))
        .then_ignore(to_next_clause())
        .map_with(|i, e| Clause { kind: ClauseKind::Unknown(i), range: e.span() })
        .boxed()
}

fn number<'s>(label: &'static str) -> Rule<'s, Literal> {
    select_ref! { Token { kind: Kind::Literal(l), .. } => l.clone() }.labelled(label).boxed()
}

/// What stands behind `within`, as a clause or as a suffix.
pub(super) fn bound<'s>() -> Rule<'s, Bound> {
    let window = word("window", "`window`").ignore_then(name("a window's name")).map(Bound::Window);
    let amounts = amount().repeated().at_least(1).collect().map(Bound::Amounts);
    choice((window, amounts)).boxed()
}

fn amount<'s>() -> Rule<'s, Amount> {
    let partition = word("of", "`of`").then(word("its", "`its`")).then(word("partition", "`partition`"));
    let unit = choice((
        word("events", "`events`")
            .ignore_then(partition.or_not())
            .map(|p| Unit::Events { of_partition: p.is_some() }),
        word("of", "`of`").ignore_then(name("an attribute")).map(Unit::Of),
        free_name("a unit").map(Unit::Word),
        empty().map(|_| Unit::Missing),
    ));
    punct('-', "`-`")
        .or_not()
        .then(number("a number"))
        .then(unit)
        .map_with(|((minus, number), unit), e| Amount {
            negative: minus.is_some(),
            number,
            unit,
            range: e.span(),
        })
        .boxed()
}

fn attribute_path<'s>(label: &'static str) -> Rule<'s, (Ident, Option<Ident>)> {
    free_name(label).then(punct('.', "`.`").ignore_then(name("an attribute")).or_not()).boxed()
}

fn partition<'s>() -> Rule<'s, ClauseKind<'s>> {
    let key = attribute_path("an attribute").separated_by(punct('=', "`=`")).at_least(1).collect();
    let keys = key.separated_by(punct(',', "`,`")).at_least(1).collect();
    word("by", "`by`").ignore_then(keys).map(ClauseKind::Partition).boxed()
}

fn skip<'s>() -> Rule<'s, ClauseKind<'s>> {
    let past = word("past", "`past`").then(word("last", "`last`")).to(Skip::PastLast);
    let variable = |place, label| word(place, label).ignore_then(name("a variable's name"));
    let to = word("to", "`to`").ignore_then(choice((
        word("next", "`next`").to(Skip::ToNext),
        variable("first", "`first`").map(Skip::ToFirst),
        variable("last", "`last`").map(Skip::ToLast),
    )));
    choice((past, to)).map(ClauseKind::Skip).boxed()
}

fn capacity<'s>() -> Rule<'s, ClauseKind<'s>> {
    let bound = number("a number").then(free_name("`events`, `keys` or `runs`"));
    let full = word("or", "`or`").ignore_then(name("`error` or `evict`")).or_not();
    bound
        .separated_by(punct(',', "`,`"))
        .at_least(1)
        .collect()
        .then(full)
        .map(|(bounds, full)| ClauseKind::Capacity(bounds, full))
        .boxed()
}

fn select<'s>() -> Rule<'s, ClauseKind<'s>> {
    let none = word("none", "`none`").map(|_| ClauseKind::Select(Vec::new())).boxed();
    let items = attribute_path("a variable").separated_by(punct(',', "`,`")).at_least(1).collect();
    choice((none, items.map(ClauseKind::Select).boxed())).boxed()
}

//! The grammar of a formula, one level of parentheses at a time (language reference, section 3).
use super::{
    clauses,
    raw::{Continuation, Element, Level, Operand, Postfix, Suffix, SuffixKind},
    rust::condition,
    token::{CLAUSES, Rule, SUFFIXES, among, anything, free_name, group, name, punct, word},
};
use crate::{
    ast::Operator,
    lex::{Range, Token},
};
use chumsky::prelude::*;
use proc_macro2::Delimiter;

/// The formula of an item: `within`, `select` and the other clauses end it.
pub(super) fn top<'s>() -> Rule<'s, Level<'s>> {
    level(choice((filter(), aggregate(), project(), without())).boxed(), clause_begins())
}

/// What stands in parentheses: levels with commas between them, which only `all` may have.
pub(super) fn inside<'s>() -> Rule<'s, (Vec<Level<'s>>, Option<Range>)> {
    let suffix = choice((filter(), aggregate(), project(), without(), select(), within())).boxed();
    level(suffix, punct(',', "`,`").ignored().boxed())
        .separated_by(punct(',', "`,`").then_ignore(any_ref().rewind()))
        .at_least(1)
        .collect()
        .then_ignore(punct(',', "`,`").or_not())
        .then(rest())
        .boxed()
}

/// Whatever is left.
pub(super) fn rest<'s>() -> Rule<'s, Option<Range>> {
    anything().repeated().at_least(1).map_with(|(), e| e.span()).or_not().boxed()
}

fn level<'s>(suffix: Rule<'s, Suffix<'s>>, end: Rule<'s, ()>) -> Rule<'s, Level<'s>> {
    let sequence = operator().then(operand()).map(|((o, at), x)| Continuation::Sequence(o, at, x));
    let or = word("or", "`or`").then(operand()).map(|(at, x)| Continuation::Or(at, x));
    // Where an operator stands, the missing element behind it is the error; a word that only looks like a clause begins one, but ends
    // no stretch of tokens that make no sense anyway.
    let stops = choice((punct(';', "`;`").ignored(), punct(',', "`,`").ignored(), stop_word())).boxed();
    let junk = end
        .or(stops.clone())
        .not()
        .ignore_then(any_ref())
        .then(stops.not().ignore_then(any_ref()).repeated())
        .map_with(|_, e| Continuation::Junk(e.span()));
    let continuation = choice((sequence, or, suffix.map(Continuation::Suffix), junk)).boxed();
    operand()
        .then(continuation.repeated().collect::<Vec<_>>())
        .map(|(first, rest)| Level { first, rest })
        .boxed()
}

/// A word that begins a clause, or would if it were spelled right: type names begin with a capital.
fn clause_begins<'s>() -> Rule<'s, ()> {
    any_ref()
        .filter(|t: &&Token| {
            t.ident().is_some_and(|i| {
                !among(i, &["or", "not", "as", "filter", "agg", "project", "without", "all", "pattern", "on"])
                    && i.to_string().starts_with(|c: char| c.is_lowercase())
            })
        })
        .ignored()
        .labelled("a clause")
        .boxed()
}

fn operator<'s>() -> Rule<'s, (Operator, Range)> {
    let of = |o| move |(), e: &mut chumsky::input::MapExtra<'s, '_, _, _>| (o, e.span());
    choice((
        punct(';', "`;`").ignored().map_with(of(Operator::Any)),
        punct(':', "`:`").ignored().map_with(of(Operator::Strict)),
        arrow().map_with(of(Operator::Next)),
    ))
    .boxed()
}

fn arrow<'s>() -> Rule<'s, ()> {
    punct('-', "`->`").then(punct('>', "`>`")).ignored().boxed()
}

/// An element or, if there is none, the error about that; the grammar then goes on at the next operator or word of this level.
fn operand<'s>() -> Rule<'s, Operand<'s>> {
    let skipped = choice((punct(';', "`;`").ignored(), punct(',', "`,`").ignored(), stop_word()))
        .not()
        .ignore_then(any_ref())
        .repeated()
        .map_with(|(), e| Operand {
            not: None,
            element: Element::Broken,
            postfixes: Vec::new(),
            range: e.span(),
        });
    word("not", "`not`")
        .or_not()
        .then(element())
        .then(postfix().repeated().collect::<Vec<_>>())
        .map_with(|((not, element), postfixes), e| Operand { not, element, postfixes, range: e.span() })
        .boxed()
        .recover_with(via_parser(skipped))
        .boxed()
}

fn stop_word<'s>() -> Rule<'s, ()> {
    any_ref()
        .filter(|t: &&Token| {
            t.ident().is_some_and(|i| among(i, CLAUSES) || among(i, SUFFIXES) || among(i, &["or", "pattern"]))
        })
        .ignored()
        .labelled("a word of the language")
        .boxed()
}

fn element<'s>() -> Rule<'s, Element<'s>> {
    let all = word("all", "`all(…)`").then(group(Delimiter::Parenthesis, "`(`"));
    choice((
        free_name("an event type").map(Element::Type),
        group(Delimiter::Parenthesis, "`(`").map(Element::Group),
        all.map(|(word, parts)| Element::All(word, parts)),
    ))
    .boxed()
}

fn postfix<'s>() -> Rule<'s, (Postfix<'s>, Range)> {
    // Behind `:` and `->` only an iteration is a postfix; an element is the next one of the chain.
    let chained = choice((punct(':', "`:`").to(Operator::Strict), arrow().to(Operator::Next)))
        .or_not()
        .map(|o| o.unwrap_or(Operator::Any));
    let iterate = choice((
        punct('+', "`+`").to(None),
        punct('*', "`*`").to(Some(None)),
        group(Delimiter::Brace, "`{…}`").map(|g| Some(Some(g))),
    ));
    let iteration = chained.then(iterate).map(|(o, what)| match what {
        None => Postfix::Plus(o),
        Some(None) => Postfix::Star(o),
        Some(Some(count)) => Postfix::Count(o, count),
    });
    choice((
        word("as", "`as`").ignore_then(name("a variable's name")).map(Postfix::As),
        punct('?', "`?`").map(|_| Postfix::Optional),
        iteration,
    ))
    .map_with(|p, e| (p, e.span()))
    .boxed()
}

/// A suffix behind its word; what does not go on as it should is skipped up to the next `;` or word.
fn suffix<'s>(first: Rule<'s, Range>, body: Rule<'s, SuffixKind<'s>>) -> Rule<'s, Suffix<'s>> {
    let skipped = choice((punct(';', "`;`").ignored(), punct(',', "`,`").ignored(), stop_word()))
        .not()
        .ignore_then(any_ref())
        .repeated()
        .map(|_| SuffixKind::Broken);
    first
        .then(body.recover_with(via_parser(skipped)))
        .map_with(|(word, kind), e| Suffix { kind, word, range: e.span() })
        .boxed()
}

fn filter<'s>() -> Rule<'s, Suffix<'s>> {
    suffix(word("filter", "`filter`"), condition().map(SuffixKind::Filter).boxed())
}

fn aggregate<'s>() -> Rule<'s, Suffix<'s>> {
    let body = name("the aggregate's name").then(group(Delimiter::Brace, "`{ name: aggregate }`"));
    suffix(
        word("agg", "`agg`"),
        body.map(|(variable, fields)| SuffixKind::Aggregate(variable, fields)).boxed(),
    )
}

fn project<'s>() -> Rule<'s, Suffix<'s>> {
    let body = name("a variable's name").then(group(Delimiter::Parenthesis, "`(attribute, …)`"));
    suffix(
        word("project", "`project`"),
        body.map(|(variable, list)| SuffixKind::Project(variable, list)).boxed(),
    )
}

fn without<'s>() -> Rule<'s, Suffix<'s>> {
    let excluded = element().map_with(|element, e| {
        SuffixKind::Without(Operand { not: None, element, postfixes: Vec::new(), range: e.span() })
    });
    suffix(word("without", "`without`"), excluded.boxed())
}

fn select<'s>() -> Rule<'s, Suffix<'s>> {
    let names = free_name("a variable's name").separated_by(punct(',', "`,`")).at_least(1).collect();
    suffix(word("select", "`select`"), names.map(SuffixKind::Select).boxed())
}

fn within<'s>() -> Rule<'s, Suffix<'s>> {
    suffix(word("within", "`within`"), clauses::bound().map(SuffixKind::Within).boxed())
}

//! The grammar of a formula, one level of parentheses at a time (language reference, section 3).
use super::{
    clauses,
    raw::{Continuation, Element, Level, Operand, Postfix, Suffix, SuffixKind},
    rule::{any, first_of},
    rust::{Embedded, condition},
    token::{CLAUSES, Rule, SUFFIXES, among, anything, free_name, group, name, punct, such, word},
};
use crate::{ast::Operator, lex::Range};
use proc_macro2::Delimiter;

/// The formula of an item: `within`, `select` and the other clauses end it.
pub(super) fn top<'s>() -> Rule<'s, Level<'s>> {
    level(first_of(&[filter(), aggregate(), project(), without()]), clause_begins())
}

/// What stands in parentheses: levels with commas between them, which only `all` may have.
pub(super) fn inside<'s>() -> Rule<'s, (Vec<Level<'s>>, Option<Range>)> {
    let suffix = first_of(&[filter(), aggregate(), project(), without(), select(), within()]);
    level(suffix, punct(',', "`,`").ignored())
        .separated_by(punct(',', "`,`").then_ignore(any().not().not()))
        .then_ignore(punct(',', "`,`").or_not())
        .then(rest())
}

/// Whatever is left.
pub(super) fn rest<'s>() -> Rule<'s, Option<Range>> {
    anything().some().range().or_not()
}

fn level<'s>(suffix: Rule<'s, Suffix<'s>>, end: Rule<'s, ()>) -> Rule<'s, Level<'s>> {
    let sequence = operator().then(operand()).map(|((o, at), x)| Continuation::Sequence(o, at, x));
    let or = word("or", "`or`").then(operand()).map(|(at, x)| Continuation::Or(at, x));
    // Where an operator stands, the missing element behind it is the error; a word that only looks like a clause begins one, but ends
    // no stretch of tokens that make no sense anyway.
    let stops = stops();
    let junk = first_of(&[end, stops.clone()])
        .not()
        .ignore_then(any())
        .then(stops.not().ignore_then(any()).many())
        .range()
        .map(Continuation::Junk);
    let continuation = first_of(&[sequence, or, suffix.map(Continuation::Suffix), junk]);
    operand().then(continuation.many()).map(|(first, rest)| Level { first, rest })
}

/// A word that begins a clause, or would if it were spelled right: type names begin with a capital.
fn clause_begins<'s>() -> Rule<'s, ()> {
    such("a clause", |t| {
        t.ident().is_some_and(|i| {
            !among(i, &["or", "not", "as", "filter", "agg", "project", "without", "all", "pattern", "on"])
                && i.to_string().starts_with(|c: char| c.is_lowercase())
        })
    })
}

fn operator<'s>() -> Rule<'s, (Operator, Range)> {
    first_of(&[
        punct(';', "`;`").map(|_| Operator::Any),
        punct(':', "`:`").map(|_| Operator::Strict),
        arrow().map(|()| Operator::Next),
    ])
    .ranged()
}

fn arrow<'s>() -> Rule<'s, ()> {
    punct('-', "`->`").then(punct('>', "`>`")).ignored()
}

/// An element or, if there is none, the error about that; the grammar then goes on at the next operator or word of this level.
fn operand<'s>() -> Rule<'s, Operand<'s>> {
    let skipped = stops().not().ignore_then(any()).many().range().map(|range| Operand {
        not: None,
        element: Element::Broken,
        postfixes: Vec::new(),
        range,
    });
    word("not", "`not`")
        .or_not()
        .then(element())
        .then(postfix().many())
        .map_range(|((not, element), postfixes), range| Operand { not, element, postfixes, range })
        .recover_with(skipped)
}

/// Where skipping ends: an operator, a comma, or a word of the language.
fn stops<'s>() -> Rule<'s, ()> {
    let word = such("a word of the language", |t| {
        t.ident().is_some_and(|i| among(i, CLAUSES) || among(i, SUFFIXES) || among(i, &["or", "pattern"]))
    });
    first_of(&[punct(';', "`;`").ignored(), punct(',', "`,`").ignored(), word])
}

fn element<'s>() -> Rule<'s, Element<'s>> {
    let all = word("all", "`all(…)`").then(group(Delimiter::Parenthesis, "`(`"));
    first_of(&[
        free_name("an event type").map(Element::Type),
        group(Delimiter::Parenthesis, "`(`").map(Element::Group),
        all.map(|(word, parts)| Element::All(word, parts)),
    ])
}

fn postfix<'s>() -> Rule<'s, (Postfix<'s>, Range)> {
    // Behind `:` and `->` only an iteration is a postfix; an element is the next one of the chain.
    let chained = first_of(&[punct(':', "`:`").map(|_| Operator::Strict), arrow().map(|()| Operator::Next)])
        .or_not()
        .map(|o| o.unwrap_or(Operator::Any));
    let iterate = first_of(&[
        punct('+', "`+`").map(|_| None),
        punct('*', "`*`").map(|_| Some(None)),
        group(Delimiter::Brace, "`{…}`").map(|g| Some(Some(g))),
    ]);
    let iteration = chained.then(iterate).map(|(o, what)| match what {
        None => Postfix::Plus(o),
        Some(None) => Postfix::Star(o),
        Some(Some(count)) => Postfix::Count(o, count),
    });
    first_of(&[
        word("as", "`as`").ignore_then(name("a variable's name")).map(Postfix::As),
        punct('?', "`?`").map(|_| Postfix::Optional),
        iteration,
    ])
    .ranged()
}

/// A suffix behind its word; what does not go on as it should is skipped up to the next `;` or word.
fn suffix<'s>(first: Rule<'s, Range>, body: Rule<'s, SuffixKind<'s>>) -> Rule<'s, Suffix<'s>> {
    let skipped = stops().not().ignore_then(any()).many().map(|_| SuffixKind::Broken);
    first.then(body.recover_with(skipped)).map_range(|(word, kind), range| Suffix { kind, word, range })
}

fn filter<'s>() -> Rule<'s, Suffix<'s>> {
    suffix(word("filter", "`filter`"), condition().map(|read| SuffixKind::Filter(Embedded::new(read))))
}

fn aggregate<'s>() -> Rule<'s, Suffix<'s>> {
    let body = name("the aggregate's name").then(group(Delimiter::Brace, "`{ name: aggregate }`"));
    suffix(word("agg", "`agg`"), body.map(|(variable, fields)| SuffixKind::Aggregate(variable, fields)))
}

fn project<'s>() -> Rule<'s, Suffix<'s>> {
    let body = name("a variable's name").then(group(Delimiter::Parenthesis, "`(attribute, …)`"));
    suffix(word("project", "`project`"), body.map(|(variable, list)| SuffixKind::Project(variable, list)))
}

fn without<'s>() -> Rule<'s, Suffix<'s>> {
    let excluded = element().map_range(|element, range| {
        SuffixKind::Without(Operand { not: None, element, postfixes: Vec::new(), range })
    });
    suffix(word("without", "`without`"), excluded)
}

fn select<'s>() -> Rule<'s, Suffix<'s>> {
    let names = free_name("a variable's name").separated_by(punct(',', "`,`"));
    suffix(word("select", "`select`"), names.map(SuffixKind::Select))
}

fn within<'s>() -> Rule<'s, Suffix<'s>> {
    suffix(word("within", "`within`"), clauses::bound().map(SuffixKind::Within))
}

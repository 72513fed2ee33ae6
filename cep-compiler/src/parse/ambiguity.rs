//! Formulas that can be read in two ways, which are errors that show both in the user's own words.
use super::{
    raw::{Continuation, Level, SuffixKind},
    report::Reporter,
    text::text,
};
use crate::slices::pick;
use crate::{
    diagnostic::Code,
    lex::{Lexeme, Range},
};

/// Reports the first place of a level at which parentheses are missing; `true` if there is none.
pub(super) fn check(level: &Level<'_>, lexemes: &[Lexeme], reporter: &mut Reporter<'_>) -> bool {
    mixed(level, lexemes, reporter) & behind_not(level, lexemes, reporter)
}

/// An operator, `or` or a suffix of a level, with what follows it.
struct Link {
    kind: LinkKind,
    range: Range,
}

#[derive(PartialEq, Eq, Clone, Copy)]
enum LinkKind {
    Sequence,
    Or,
    Suffix,
    Filter,
}

/// `or` beside anything else.
fn mixed(level: &Level<'_>, lexemes: &[Lexeme], reporter: &mut Reporter<'_>) -> bool {
    let links = pick(&level.rest, link);
    let mut behind = links.as_slice();
    let (left, right) = loop {
        match behind {
            [a, b, ..] if (a.kind == LinkKind::Or) != (b.kind == LinkKind::Or) => break (a, b),
            [_, rest @ ..] => behind = rest,
            [] => return true,
        }
    };
    let before = (level.first.range.start..left.range.start).into();
    let (a, b, c) = (text(lexemes, before), text(lexemes, left.range), text(lexemes, right.range));
    // `b` is the left link's operator and element: the second reading puts the parenthesis between the two.
    let element = pick(&level.rest, |c| match c {
        Continuation::Sequence(_, at, x) | Continuation::Or(at, x) if at.start == left.range.start => {
            Some(x.range)
        }
        _ => None,
    });
    let first = format!("`({a} {b}) {c}`");
    let second = match element.first() {
        Some(&element) => {
            let operator = text(lexemes, (left.range.start..element.start).into());
            let x = text(lexemes, element);
            format!("`{a} {operator} ({x} {c})`")
        }
        // A suffix in front of the `or`: it may have been meant for both branches.
        None => format!("`({a} {c}) {b}`"),
    };
    let what = other(left, right);
    let at = (left.range.start..right.range.end).into();
    let filter = left.kind == LinkKind::Filter || right.kind == LinkKind::Filter;
    let d = reporter.error(Code::Ambiguous, at, format!("`or` beside {what} can be read in two ways"));
    if filter {
        d.note("inside a condition, \"or\" is `||`");
    }
    d.help(format!("write the parentheses: {first} or {second}"));
    false
}

fn other(left: &Link, right: &Link) -> &'static str {
    match if left.kind == LinkKind::Or { right.kind } else { left.kind } {
        LinkKind::Sequence | LinkKind::Or => "a sequence operator",
        LinkKind::Suffix => "a suffix",
        LinkKind::Filter => "a `filter`",
    }
}

fn link(c: &Continuation<'_>) -> Option<Link> {
    let to = |at: Range, end: Range| (at.start..end.end).into();
    Some(match c {
        Continuation::Sequence(_, at, x) => Link { kind: LinkKind::Sequence, range: to(*at, x.range) },
        Continuation::Or(at, x) => Link { kind: LinkKind::Or, range: to(*at, x.range) },
        Continuation::Suffix(s) => {
            let filter = matches!(s.kind, SuffixKind::Filter(_));
            Link { kind: if filter { LinkKind::Filter } else { LinkKind::Suffix }, range: s.range }
        }
        Continuation::Junk(_) => return None,
    })
}

/// A filter directly behind `not B`: does it speak about B, or about what stands in front?
fn behind_not(level: &Level<'_>, lexemes: &[Lexeme], reporter: &mut Reporter<'_>) -> bool {
    let mut ok = true;
    for (i, suffix) in level.rest.iter().enumerate() {
        let Some(negation) = i.checked_sub(1).map(|i| &level.rest[i]) else { continue };
        let (Continuation::Sequence(_, at, x), Continuation::Suffix(s)) = (negation, suffix) else {
            continue;
        };
        let (Some(not), SuffixKind::Filter(_)) = (x.not, &s.kind) else { continue };
        let before = text(lexemes, (level.first.range.start..at.start).into());
        let operator = text(lexemes, (at.start..not.end).into());
        let b = text(lexemes, (not.end..x.range.end).into());
        let c = text(lexemes, s.range);
        let first = format!("`{before} {operator} ({b} {c})`");
        let second = format!("`{before} {c} {operator} {b}`");
        reporter
            .error(Code::Ambiguous, s.range, "a `filter` directly behind `not` can be read in two ways")
            .note(format!("either {first}, a condition on what must not happen, or {second}, one on what stands in front"))
            .help(format!("write {first} or {second}"));
        ok = false;
    }
    ok
}

//! The fields of `agg` and `summarize`: `name: function(argument)`, with `fold Monoid(argument)` for a user's own and a choice about
//! overflow behind it.
//!
//! Which functions there are and where `*` may stand is the checks' business.
use super::{
    report::Reporter,
    rust::type_path,
    splits::{pieces, range},
    text::text,
    token::Group,
    window::{Cursor, is_path},
};
use crate::{
    ast::{Aggregate, Argument, Overflow},
    diagnostic::{Code, Loc},
    lex::{Kind, Lexeme, Range},
    slices::position,
};
use proc_macro2::{Delimiter, Ident, TokenStream};

const HELP: &str = "write `{ total: sum(x.value), n: count(x) }`";

/// What stands between the braces of `agg` or `summarize`; `None`: reported.
pub(super) fn fields(group: Group<'_>, reporter: &mut Reporter<'_>) -> Option<Vec<Aggregate>> {
    let before = reporter.count();
    let mut out = Vec::new();
    for &piece in &pieces(group, true) {
        match piece {
            [(name, at), (colon, _), value @ ..] if colon.is(':') && !value.is_empty() => {
                match name.ident() {
                    Some(name) => {
                        reporter.check_name(name, at.start, "an attribute");
                        out.extend(aggregate(name, range(piece, group), value, reporter));
                    }
                    None => unnamed(range(piece, group), reporter),
                }
            }
            _ => unnamed(range(piece, group), reporter),
        }
    }
    if out.is_empty() && reporter.count() == before {
        reporter.error(Code::Syntax, group.range, "no aggregates between the braces").help(HELP);
    }
    (reporter.count() == before).then_some(out)
}

fn unnamed(at: Range, reporter: &mut Reporter<'_>) {
    reporter.error(Code::Syntax, at, "expected `name: aggregate`").help(HELP);
}

/// `function(argument) overflow`
fn aggregate(name: &Ident, whole: Range, value: &[Lexeme], reporter: &mut Reporter<'_>) -> Option<Aggregate> {
    let at: Range = match (value.first(), value.last()) {
        (Some((_, a)), Some((_, b))) => (a.start..b.end).into(),
        _ => whole,
    };
    let round = position(value, |(t, _)| matches!(t.kind, Kind::Group(Delimiter::Parenthesis, ..)));
    let (Some(open), Some(function)) = (round, value.first().and_then(|(t, _)| t.ident())) else {
        reporter
            .error(Code::Syntax, at, "expected an aggregate: a function and what it folds, in parentheses")
            .help(HELP);
        return None;
    };
    let monoid = match (&value[1..open], function == "fold") {
        ([], false) => None,
        ([], true) => {
            reporter
                .error_at(Code::Syntax, at.start, function.span().into(), "`fold` needs a monoid: which one?")
                .help("write `fold MyMonoid(x.value)`, with a type that implements `Monoid`");
            return None;
        }
        (path, true) => Some(monoid(path, reporter)?),
        ([(_, first), ..], false) => {
            let at = (first.start..value[open].1.start).into();
            reporter.error(Code::Syntax, at, format!("expected `(…)` behind `{function}`")).help(format!(
                "write `{function}(x.value)`; a monoid of your own is `fold MyMonoid(x.value)`"
            ));
            return None;
        }
    };
    let (Kind::Group(_, inside, _), argument_range) = (&value[open].0.kind, value[open].1) else {
        return None;
    };
    let argument = argument(function, Group { inside, range: argument_range }, reporter)?;
    let overflow = overflow(&value[open + 1..], reporter)?;
    Some(Aggregate {
        name: name.clone(),
        function: function.clone(),
        monoid,
        argument,
        argument_loc: reporter.loc(argument_range),
        overflow,
        loc: reporter.loc(whole),
    })
}

/// The type between `fold` and the parentheses.
fn monoid(path: &[Lexeme], reporter: &mut Reporter<'_>) -> Option<TokenStream> {
    if let Some(path) = type_path(path) {
        return Some(path);
    }
    let at = (path.first()?.1.start..path.last()?.1.end).into();
    reporter
        .error(Code::Syntax, at, "expected a type behind `fold`")
        .help("write the path of a type that implements `Monoid`: `fold MyMonoid(x.value)`");
    None
}

/// `x`, `x.attr` or `*`
fn argument(function: &Ident, group: Group<'_>, reporter: &mut Reporter<'_>) -> Option<Argument> {
    match group.inside {
        [(star, _)] if star.is('*') => return Some(Argument::Results),
        [(x, _)] => {
            if let Some(x) = x.ident() {
                return Some(Argument::Variable(x.clone()));
            }
        }
        [(x, _), (dot, _), path @ ..] if dot.is('.') && is_path(path) => {
            if let (Some(variable), Some(attribute)) = (x.ident(), Cursor::new(path, group.end()).path()) {
                return Some(Argument::Attribute { variable: variable.clone(), attribute });
            }
        }
        _ => {}
    }
    let inside = text(group.inside, group.range);
    let d = reporter.error(Code::Syntax, group.range, "an aggregate folds a variable or an attribute of one");
    if !inside.is_empty() {
        d.note(format!("`{inside}` is neither"));
    }
    d.help(format!(
        "write `{function}(x.value)`, or `count(x)`; `count(*)` counts the results of a `summarize`"
    ));
    None
}

/// What stands behind the parentheses. `None`: reported.
fn overflow(rest: &[Lexeme], reporter: &mut Reporter<'_>) -> Option<Option<(Overflow, Loc)>> {
    let (Some((first, from)), Some((_, to))) = (rest.first(), rest.last()) else { return Some(None) };
    let at: Range = (from.start..to.end).into();
    let found = match rest {
        [_] if first.is_word("saturating") => Some(Overflow::Saturating),
        [_] if first.is_word("wrapping") => Some(Overflow::Wrapping),
        [_, (f, _)] if first.is_word("as") && f.is_word("f64") => Some(Overflow::Float),
        _ => None,
    };
    let Some(found) = found else {
        reporter
            .error(
                Code::Syntax,
                at,
                "expected `,`, or what happens on overflow: `saturating`, `wrapping` or `as f64`",
            )
            .help(
                "write `n: count(*) saturating`, or a filter behind the braces: `agg m { … } filter m.n > 3`",
            );
        return None;
    };
    Some(Some((found, reporter.loc(at))))
}

//! The parameters of `predicate { … }`, in any order, each at most once.
use super::{
    report::Reporter,
    splits::{pieces, range, tokens, whole},
    token::Group,
    window::{Cursor, is_path},
};
use crate::{
    ast::{Capacity, Clause, Predicate, Span, TimeUnit},
    diagnostic::Code,
    lex::{Kind, Lexeme, Range, Token},
    slices::{all, any, each, find},
    syntax,
};
use proc_macro2::Delimiter;

/// All names, the source's in snake case.
const NAMES: [&str; 20] = [
    "start",
    "end",
    "clear",
    "same_start_time",
    "size",
    "keep_ending_element",
    "partition",
    "use_element_only_for_start_or_end",
    "keep_time_order",
    "close_window_with_heartbeat",
    "close_window_after_no_updates_for",
    "close_window_after_no_updates_port",
    "max_window_time",
    "output_if_max_window_time",
    "max_window_time_output_port",
    "advance_when",
    "advance_size",
    "nesting",
    "flush_on_end",
    "capacity",
];

const UNITS: [(&str, TimeUnit); 7] = [
    ("d", TimeUnit::Day),
    ("h", TimeUnit::Hour),
    ("min", TimeUnit::Minute),
    ("s", TimeUnit::Second),
    ("ms", TimeUnit::Millisecond),
    ("us", TimeUnit::Microsecond),
    ("ns", TimeUnit::Nanosecond),
];

/// Reads the braces; what is wrong is reported and left out.
pub(super) fn predicate(group: Group<'_>, word: Range, reporter: &mut Reporter<'_>) -> Predicate {
    let mut p = Predicate {
        start: None,
        end: None,
        clear: None,
        advance_when: None,
        advance_size: None,
        same_start_time: None,
        keep_ending_element: None,
        one_role: None,
        keep_time_order: None,
        heartbeat: None,
        output_if_max_time: None,
        nesting: None,
        flush_on_end: None,
        max_time: None,
        idle: None,
        max_time_port: None,
        idle_port: None,
        partition: None,
        capacity: None,
        word: reporter.loc(word),
    };
    let mut seen: Vec<String> = Vec::new();
    for &piece in &parameters(group) {
        let at = range(piece, group);
        let [(name, name_at), (colon, _), value @ ..] = piece else {
            unreadable(at, reporter);
            continue;
        };
        let (Some(name), true) = (name.ident(), colon.is(':')) else {
            unreadable(at, reporter);
            continue;
        };
        let text = name.to_string();
        if !any(&NAMES, |n| *n == text) {
            reporter
                .error(Code::Syntax, *name_at, format!("`{text}` is no parameter of a predicate window"))
                .help_among(
                    &snake(&text),
                    each(&NAMES, ToString::to_string),
                    &format!("the parameters are {}", NAMES.join(", ")),
                );
            continue;
        }
        if seen.contains(&text) {
            reporter
                .error(Code::ClauseOrder, at, format!("`{text}` is given twice"))
                .help("leave one of the two out");
            continue;
        }
        parameter(&mut p, &text, value, at, &seen, reporter);
        seen.push(text);
    }
    p
}

/// `startWindow` as it would be called here.
fn snake(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_uppercase() {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}

fn unreadable(at: Range, reporter: &mut Reporter<'_>) {
    reporter
        .error(Code::Syntax, at, "expected `parameter: value`")
        .help("write `start: value > 3.0, end: value < 1.0`");
}

/// The pieces between commas; `capacity: 512 elements, 16 keys` is one.
fn parameters(group: Group<'_>) -> Vec<&[Lexeme]> {
    let mut out: Vec<&[Lexeme]> = Vec::new();
    let mut from = 0;
    let all = group.inside;
    for (i, (token, _)) in all.iter().enumerate() {
        // what follows a comma is a parameter only if it looks like one
        let goes_on = matches!(all.get(i + 1..), Some([(t, _), (next, _), ..]) if matches!(t.kind, Kind::Literal(_)) && !next.is(':'));
        if token.is(',') && !goes_on {
            out.extend(all.get(from..i));
            from = i + 1;
        }
    }
    out.extend(all.get(from..).filter(|p| !p.is_empty()));
    out
}

fn parameter(
    p: &mut Predicate,
    name: &str,
    value: &[Lexeme],
    at: Range,
    seen: &[String],
    reporter: &mut Reporter<'_>,
) {
    let loc = reporter.loc(at);
    let flag =
        |reporter: &mut Reporter<'_>| flag(name, value, at, reporter).map(|value| Clause { value, loc });
    match name {
        "same_start_time" => p.same_start_time = flag(reporter),
        "keep_ending_element" => p.keep_ending_element = flag(reporter),
        "use_element_only_for_start_or_end" => p.one_role = flag(reporter),
        "keep_time_order" => p.keep_time_order = flag(reporter),
        "close_window_with_heartbeat" => p.heartbeat = flag(reporter),
        "output_if_max_window_time" => p.output_if_max_time = flag(reporter),
        "nesting" => p.nesting = flag(reporter),
        "flush_on_end" => p.flush_on_end = flag(reporter),
        "start" => p.start = condition(value, at, reporter).map(|value| Clause { value, loc }),
        "end" => p.end = condition(value, at, reporter).map(|value| Clause { value, loc }),
        "clear" => p.clear = condition(value, at, reporter).map(|value| Clause { value, loc }),
        "advance_when" => p.advance_when = condition(value, at, reporter).map(|value| Clause { value, loc }),
        "advance_size" => p.advance_size = steps(value, at, reporter).map(|value| Clause { value, loc }),
        "max_window_time_output_port" => {
            p.max_time_port = port(value, at, reporter).map(|value| Clause { value, loc })
        }
        "close_window_after_no_updates_port" => {
            p.idle_port = port(value, at, reporter).map(|value| Clause { value, loc });
        }
        "close_window_after_no_updates_for" => {
            p.idle = span(name, value, at, reporter).map(|value| Clause { value, loc })
        }
        "size" | "max_window_time" => {
            if any(seen, |s| s == "size" || s == "max_window_time") {
                reporter
                    .error(Code::ClauseOrder, at, "`size` and `max_window_time` are the same limit")
                    .note("the operator has one such length, under two names")
                    .help("leave one of the two out");
                return;
            }
            p.max_time = span(name, value, at, reporter).map(|value| Clause { value, loc });
        }
        "partition" => p.partition = partition(value, at, reporter).map(|value| Clause { value, loc }),
        _ => p.capacity = capacity(value, at, reporter).map(|value| Clause { value, loc }),
    }
}

/// `true`, `false`
fn flag(name: &str, value: &[Lexeme], at: Range, reporter: &mut Reporter<'_>) -> Option<bool> {
    match value {
        [(t, _)] if t.is_word("true") => Some(true),
        [(t, _)] if t.is_word("false") => Some(false),
        _ => {
            reporter
                .error(Code::Syntax, at, format!("`{name}` is `true` or `false`"))
                .help(format!("write `{name}: true`"));
            None
        }
    }
}

/// A Rust expression.
fn condition(value: &[Lexeme], at: Range, reporter: &mut Reporter<'_>) -> Option<syn::Expr> {
    if super::rust::too_much(value) {
        reporter
            .error(Code::TooDeep, at, "this condition is longer than the compiler follows")
            .help("put it into a function and call that");
        return None;
    }
    match syntax::expr(tokens(value)) {
        Ok(expr) => Some(expr),
        Err(e) => {
            reporter
                .error(Code::Syntax, at, format!("in this condition: {}", super::rust::reason(&e)))
                .help("a condition is a Rust expression over the attributes: `start: value > 3.0`");
            None
        }
    }
}

/// `3`, `-1`
fn steps(value: &[Lexeme], at: Range, reporter: &mut Reporter<'_>) -> Option<i64> {
    let number = |t: &Token| match &t.kind {
        Kind::Literal(l) => whole(l).and_then(|n| i64::try_from(n).ok()),
        _ => None,
    };
    let steps = match value {
        [(t, _)] => number(t),
        [(minus, _), (t, _)] if minus.is('-') => number(t).map(|n| -n),
        _ => None,
    };
    if steps.is_none() {
        reporter
            .error(Code::Syntax, at, "`advance_size` is a number of elements")
            .help("write `advance_size: 1`; a negative one drops all");
    }
    steps
}

fn port(value: &[Lexeme], at: Range, reporter: &mut Reporter<'_>) -> Option<u64> {
    match value {
        [(Token { kind: Kind::Literal(l), .. }, _)] if whole(l).is_some_and(|n| n <= 255) => whole(l),
        _ => {
            reporter
                .error(Code::Syntax, at, "a port is a number from 0 to 255")
                .help("write `2`; results leave at port 0, elements in no window at port 1");
            None
        }
    }
}

/// `5` in the clock's unit, `1 min 30 s`
fn span(name: &str, value: &[Lexeme], at: Range, reporter: &mut Reporter<'_>) -> Option<Span> {
    let help =
        format!("write `{name}: 5 min` (d, h, min, s, ms, us, ns) or a number in the unit of the clock");
    let mut cursor = Cursor::new(value, at);
    let mut time: Vec<(u64, TimeUnit)> = Vec::new();
    while let Some((literal, number_at)) = cursor.literal() {
        let Some(n) = whole(literal) else {
            reporter.error(Code::Syntax, number_at, "expected a whole number").help(&help);
            return None;
        };
        let Some(word) = cursor.ident() else {
            if time.is_empty() && cursor.peek().is_none() {
                if n == 0 {
                    reporter.error(Code::EmptyWindow, at, "a window of no time holds no event").help(&help);
                    return None;
                }
                return Some(Span::Units(n));
            }
            return cursor.expected("a unit of time", &help, reporter);
        };
        let Some((_, unit)) = find(&UNITS, |(u, _)| word == u) else {
            reporter
                .error_at(
                    Code::Syntax,
                    number_at.start,
                    word.span().into(),
                    format!("expected a unit of time, found `{word}`"),
                )
                .help(&help);
            return None;
        };
        if time.last().is_some_and(|(_, before)| before >= unit) {
            reporter
                .error(Code::Syntax, at, "amounts of time stand with the largest unit first, each unit once")
                .help("write `1 min 30 s`");
            return None;
        }
        time.push((n, *unit));
    }
    if cursor.peek().is_some() || time.is_empty() {
        return cursor.expected("an amount of time", &help, reporter);
    }
    if all(&time, |(n, _)| *n == 0) {
        reporter.error(Code::EmptyWindow, at, "a window of no time holds no event").help(&help);
        return None;
    }
    Some(Span::Time(time))
}

/// `cab`, `(cab, zone)`
fn partition(value: &[Lexeme], at: Range, reporter: &mut Reporter<'_>) -> Option<Vec<proc_macro2::Ident>> {
    let mut out = Vec::new();
    let all: Vec<&[Lexeme]> = match value {
        [(Token { kind: Kind::Group(Delimiter::Parenthesis, inside, _), .. }, range)] => {
            pieces(Group { inside, range: *range }, false)
        }
        _ => vec![value],
    };
    for &piece in &all {
        match piece {
            piece if is_path(piece) => out.extend(Cursor::new(piece, at).path()),
            _ => {
                out.clear();
                break;
            }
        }
    }
    if out.is_empty() {
        reporter
            .error(Code::Syntax, at, "a partition is made by attributes")
            .help("write `partition: id` or `partition: (id, zone)`");
        return None;
    }
    Some(out)
}

/// `512 elements, 16 keys or evict`
fn capacity(value: &[Lexeme], at: Range, reporter: &mut Reporter<'_>) -> Option<Capacity> {
    let help = "write `capacity: 512 elements, 16 keys or evict`";
    let mut cursor = Cursor::new(value, at);
    let mut out = Capacity::default();
    loop {
        let number = cursor.literal().and_then(|(l, _)| whole(l));
        let Some(number) = number else { return cursor.expected("a number", help, reporter) };
        if number == 0 {
            reporter.error(Code::EmptyWindow, at, "a capacity of 0 has room for nothing").help(help);
            return None;
        }
        let place = if cursor.word("elements").is_some() {
            &mut out.events
        } else if cursor.word("keys").is_some() {
            &mut out.keys
        } else {
            return cursor.expected("`elements` or `keys`", help, reporter);
        };
        if place.replace(number).is_some() {
            reporter.error(Code::ClauseOrder, at, "a bound is given twice").help(help);
            return None;
        }
        if cursor.punct(',').is_none() {
            break;
        }
    }
    if cursor.word("or").is_some() {
        if cursor.word("evict").is_some() {
            out.evict = true;
        } else if cursor.word("error").is_none() {
            return cursor.expected("`error` or `evict`", help, reporter);
        }
    }
    if cursor.peek().is_some() {
        return cursor.expected("`,` and the next parameter", help, reporter);
    }
    Some(out)
}

//! The bound of a `within`, clause or suffix: which amounts make a window.
use super::{
    raw::{Amount, Bound, Unit},
    report::Reporter,
    splits::whole,
};
use crate::{
    ast::{TimeUnit, Within},
    diagnostic::Code,
    lex::Range,
    slices::{all, any, find},
};
use syn::Lit;

const UNITS: &[(&str, TimeUnit)] = &[
    ("d", TimeUnit::Day),
    ("h", TimeUnit::Hour),
    ("min", TimeUnit::Minute),
    ("s", TimeUnit::Second),
    ("ms", TimeUnit::Millisecond),
    ("us", TimeUnit::Microsecond),
    ("ns", TimeUnit::Nanosecond),
];

/// The window, or an error about it.
pub(super) fn within(bound: Bound, at: Range, reporter: &mut Reporter<'_>) -> Option<Within> {
    let amounts = match bound {
        Bound::Window(name) => return Some(Within::Window(name)),
        Bound::Amounts(amounts) => amounts,
    };
    let before = reporter.count();
    let several = amounts.len() > 1;
    let mut time: Vec<(u64, TimeUnit)> = Vec::new();
    let mut other = None;
    for a in amounts {
        let zero = match Lit::new(a.number.clone()) {
            Lit::Float(f) => f.base10_digits().parse() == Ok(0.0),
            _ => whole(&a.number) == Some(0),
        };
        // `1 min 0 s` is a window; of a lone amount zero is none.
        if a.negative || zero && !several {
            let n = &a.number;
            let sign = if a.negative { "-" } else { "" };
            reporter
                .error(Code::EmptyWindow, a.range, format!("a window of `{sign}{n}` holds no event"))
                .help("write a positive amount; `within 1 events` is a single event");
            continue;
        }
        match amount(a, reporter) {
            None => {}
            Some((range, Within::Time(one))) => {
                for (n, unit) in one {
                    if time.last().is_some_and(|(_, before)| *before >= unit) {
                        reporter
                            .error(
                                Code::Syntax,
                                range,
                                "amounts of time stand with the largest unit first, each unit once",
                            )
                            .help("write `1 min 30 s`");
                    }
                    time.push((n, unit));
                }
            }
            Some((_, w)) => other = Some(w),
        }
    }
    if several && other.is_some() {
        reporter
            .error(Code::Syntax, at, "only amounts of time add up")
            .help("write `within 100 events`, `within 1 min 30 s` or `within 5 of attribute`");
    } else if several && !time.is_empty() && all(&time, |(n, _)| *n == 0) {
        reporter.error(Code::EmptyWindow, at, "a window of 0 holds no event").help("write a positive amount");
    }
    if reporter.count() > before {
        return None;
    }
    Some(other.unwrap_or(Within::Time(time)))
}

fn amount(a: Amount, reporter: &mut Reporter<'_>) -> Option<(Range, Within)> {
    let help = "write `within 100 events`, `within 1 min 30 s` (d, h, min, s, ms, us, ns) or `within 5 of attribute`";
    let n = whole(&a.number);
    let integer = |reporter: &mut Reporter<'_>| {
        if n.is_none() {
            let text = a.number.to_string();
            // `10s` is one token of Rust's, a literal with a suffix.
            let digits = text.chars().take_while(char::is_ascii_digit).count();
            let (number, suffix) = text.split_at(digits);
            let suffix = suffix.trim_start_matches('_');
            let d = reporter.error(Code::Syntax, a.range, format!("expected a whole number, found `{text}`"));
            if !number.is_empty() && (suffix == "events" || any(UNITS, |(u, _)| *u == suffix)) {
                d.help(format!("put a space between the two: `{number} {suffix}`"));
            } else {
                d.help(help);
            }
        }
        n
    };
    let w = match a.unit {
        Unit::Events { of_partition } => Within::Events { count: integer(reporter)?, of_partition },
        Unit::Of(attribute) => {
            let text = a.number.to_string();
            let float = matches!(Lit::new(a.number.clone()), Lit::Float(f) if f.suffix().is_empty());
            if n.is_none() && !float {
                reporter
                    .error(Code::Syntax, a.range, format!("expected a number, found `{text}`"))
                    .help(help);
                return None;
            }
            Within::Of { amount: a.number, attribute }
        }
        Unit::Word(ref word) => match find(UNITS, |(u, _)| word == u) {
            Some((_, unit)) => Within::Time(vec![(integer(reporter)?, *unit)]),
            None => {
                let d = reporter.error_at(
                    Code::Syntax,
                    a.range.start,
                    word.span().into(),
                    format!("expected `events`, a unit of time or `of`, found `{word}`"),
                );
                let long = |w: &str| {
                    Some(match w.trim_end_matches('s') {
                        "event" => "events",
                        "day" => "d",
                        "hour" | "hr" => "h",
                        "minute" | "m" => "min",
                        "second" | "sec" => "s",
                        "millisecond" | "milli" | "msec" => "ms",
                        "microsecond" | "micro" | "usec" => "us",
                        "nanosecond" | "nano" | "nsec" => "ns",
                        _ => return None,
                    })
                };
                match long(&word.to_string()) {
                    Some(unit) => d.help(format!("write `{} {unit}`", a.number)),
                    None => d.help(help),
                };
                return None;
            }
        },
        Unit::Missing => {
            integer(reporter)?;
            reporter
                .error(
                    Code::Syntax,
                    a.range,
                    format!("`{}` of what? expected `events`, a unit of time or `of`", a.number),
                )
                .help(help);
            return None;
        }
    };
    Some((a.range, w))
}

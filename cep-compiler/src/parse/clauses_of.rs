//! From clauses in any order to [`Clauses`]: each at most once, in the order of the language, with sensible values.
use super::{
    raw::{Amount, Bound, Clause, ClauseKind, Unit},
    report::{Reporter, list},
    splits::{fields, whole},
    text::text,
    token::CLAUSES,
};
use crate::{
    ast::{self, Capacity, Clauses, Consume, Output, PartitionKey, SelectItem, Storage, TimeUnit, Within},
    diagnostic::Code,
    lex::{Lexeme, Range},
    nearest::nearest,
};
use proc_macro2::Ident;

const ORDER: &[&str] = &[
    "within",
    "partition by",
    "strategy",
    "skip",
    "consume",
    "limit",
    "timeouts",
    "capacity",
    "storage",
    "select (or detect, summarize)",
];

const UNITS: &[(&str, TimeUnit)] = &[
    ("d", TimeUnit::Day),
    ("h", TimeUnit::Hour),
    ("min", TimeUnit::Minute),
    ("s", TimeUnit::Second),
    ("ms", TimeUnit::Millisecond),
    ("us", TimeUnit::Microsecond),
    ("ns", TimeUnit::Nanosecond),
];

/// The clauses of an item; what is wrong is reported and left out.
pub(super) fn clauses_of(raw: Vec<Clause<'_>>, lexemes: &[Lexeme], reporter: &mut Reporter<'_>) -> Clauses {
    let mut out = Clauses::default();
    let mut last: Option<(usize, String)> = None;
    for clause in raw {
        let range = clause.range;
        let rank = rank(&clause.kind);
        if let Some(rank) = rank {
            let first = text(lexemes, (range.start..range.start + 1).into());
            if let Some((before, word)) = &last {
                let d = match rank.cmp(before) {
                    std::cmp::Ordering::Greater => None,
                    std::cmp::Ordering::Equal if first == *word => {
                        Some(reporter.error(Code::ClauseOrder, range, format!("`{first}` is written twice")))
                    }
                    std::cmp::Ordering::Equal => Some(reporter.error(
                        Code::ClauseOrder,
                        range,
                        format!("`{first}` beside `{word}`: only one of them can say what comes out"),
                    )),
                    std::cmp::Ordering::Less => Some(reporter.error(
                        Code::ClauseOrder,
                        range,
                        format!("`{first}` stands behind `{word}`"),
                    )),
                };
                if let Some(d) = d {
                    d.help(format!("each clause stands at most once, in this order: {}", ORDER.join(", ")));
                }
            }
            if last.as_ref().is_none_or(|(before, _)| rank > *before) {
                last = Some((rank, first));
            }
        }
        let loc = reporter.loc(range);
        match clause.kind {
            ClauseKind::Within(bound) => put(&mut out.within, within(bound, range, reporter), loc),
            ClauseKind::Partition(keys) => put(&mut out.partition, partition(keys, range, reporter), loc),
            ClauseKind::Strategy(word) => {
                let known = ["all", "one", "last", "next", "max", "strict"];
                put(&mut out.strategy, choose(&word, &known, range, "strategy", reporter).map(|_| word), loc);
            }
            ClauseKind::Skip(skip) => put(&mut out.skip, Some(skip), loc),
            ClauseKind::Consume(word) => {
                let n = choose(&word, &["none", "any", "partition"], range, "consume", reporter);
                let value =
                    n.map(|n| [Consume::None, Consume::Any].get(n).copied().unwrap_or(Consume::Partition));
                put(&mut out.consume, value, loc);
            }
            ClauseKind::Limit(number) => {
                let n = whole(&number).filter(|n| *n > 0);
                if n.is_none() {
                    reporter
                        .error(Code::Syntax, range, format!("`limit {number}` is no number of matches"))
                        .help("write a whole number of at least 1: `limit 1`");
                }
                put(&mut out.limit, n, loc);
            }
            ClauseKind::Timeouts => put(&mut out.timeouts, Some(()), loc),
            ClauseKind::Capacity(bounds, full) => {
                put(&mut out.capacity, capacity(bounds, full, range, reporter), loc)
            }
            ClauseKind::Storage(word) => {
                let n = choose(&word, &["inline", "boxed", "borrowed"], range, "storage", reporter);
                let value =
                    n.map(|n| [Storage::Inline, Storage::Boxed].get(n).copied().unwrap_or(Storage::Borrowed));
                put(&mut out.storage, value, loc);
            }
            ClauseKind::Select(items) if items.is_empty() => {
                put(&mut out.output, Some(Output::SelectNone), loc)
            }
            ClauseKind::Select(items) => {
                let items = items.into_iter().map(|(variable, attribute)| SelectItem { variable, attribute });
                put(&mut out.output, Some(Output::Select(items.collect())), loc);
            }
            ClauseKind::Detect => put(&mut out.output, Some(Output::Detect), loc),
            ClauseKind::Summarize(group) => {
                put(&mut out.output, fields(group, reporter).map(Output::Summarize), loc);
            }
            ClauseKind::Unknown(word) => {
                let first = (range.start..range.start + 1).into();
                let d = reporter.error(Code::Syntax, first, format!("expected a clause, found `{word}`"));
                let word = word.to_string();
                match nearest(
                    &word,
                    CLAUSES.iter().chain(["filter", "project", "agg", "without"].iter()).copied(),
                ) {
                    Some(near) => d.help(format!("did you mean `{near}`?")),
                    None => d.help(format!("the clauses are {}", ORDER.join(", "))),
                };
            }
            ClauseKind::Broken => {}
        }
    }
    out
}

/// The first of several clauses counts.
fn put<T>(slot: &mut Option<ast::Clause<T>>, value: Option<T>, loc: crate::diagnostic::Loc) {
    if slot.is_none() {
        *slot = value.map(|value| ast::Clause { value, loc });
    }
}

fn rank(kind: &ClauseKind<'_>) -> Option<usize> {
    Some(match kind {
        ClauseKind::Within(_) => 0,
        ClauseKind::Partition(_) => 1,
        ClauseKind::Strategy(_) => 2,
        ClauseKind::Skip(_) => 3,
        ClauseKind::Consume(_) => 4,
        ClauseKind::Limit(_) => 5,
        ClauseKind::Timeouts => 6,
        ClauseKind::Capacity(..) => 7,
        ClauseKind::Storage(_) => 8,
        ClauseKind::Select(_) | ClauseKind::Detect | ClauseKind::Summarize(_) => 9,
        ClauseKind::Unknown(_) | ClauseKind::Broken => return None,
    })
}

/// Which of the known words it is.
fn choose(
    word: &Ident,
    known: &[&str],
    at: Range,
    clause: &str,
    reporter: &mut Reporter<'_>,
) -> Option<usize> {
    let found = known.iter().position(|k| word == k);
    if found.is_none() {
        let quoted: Vec<String> = known.iter().map(|k| format!("`{k}`")).collect();
        let wanted = list(&quoted, "or");
        let last = (at.end.saturating_sub(1)..at.end).into();
        let d = reporter.error(
            Code::Syntax,
            last,
            format!("expected {wanted} behind `{clause}`, found `{word}`"),
        );
        match nearest(&word.to_string(), known.iter().copied()) {
            Some(near) => d.help(format!("did you mean `{clause} {near}`?")),
            None => d.help(format!("write one of {wanted}")),
        };
    }
    found
}

/// The bound of a `within`, clause or suffix.
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
        let zero = syn::parse_str::<syn::LitFloat>(&a.number.to_string())
            .ok()
            .and_then(|f| f.base10_parse::<f64>().ok())
            .or_else(|| whole(&a.number).map(|n| if n == 0 { 0.0 } else { 1.0 }))
            == Some(0.0);
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
    } else if several && !time.is_empty() && time.iter().all(|(n, _)| *n == 0) {
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
            if !number.is_empty() && (suffix == "events" || UNITS.iter().any(|(u, _)| *u == suffix)) {
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
            let float = syn::parse_str::<syn::LitFloat>(&text).is_ok_and(|f| f.suffix().is_empty());
            if n.is_none() && !float {
                reporter
                    .error(Code::Syntax, a.range, format!("expected a number, found `{text}`"))
                    .help(help);
                return None;
            }
            Within::Of { amount: a.number, attribute }
        }
        Unit::Word(ref word) => match UNITS.iter().find(|(u, _)| word == u) {
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

fn partition(
    keys: Vec<Vec<(Ident, Option<Ident>)>>,
    at: Range,
    reporter: &mut Reporter<'_>,
) -> Option<Vec<PartitionKey>> {
    let mut out = Vec::new();
    for key in keys {
        let per_type: Option<Vec<(Ident, Ident)>> =
            key.iter().map(|(t, a)| a.clone().map(|a| (t.clone(), a))).collect();
        match (per_type, key.as_slice()) {
            (Some(per_type), _) => out.push(PartitionKey::PerType(per_type)),
            (None, [(one, None)]) => out.push(PartitionKey::Attribute(one.clone())),
            _ => {
                reporter
                    .error(
                        Code::Syntax,
                        at,
                        "a key is one attribute, or attributes of event types joined by `=`",
                    )
                    .help("write `partition by id` or `partition by T.id = H.sensor`");
            }
        }
    }
    (!out.is_empty()).then_some(out)
}

fn capacity(
    bounds: Vec<(proc_macro2::Literal, Ident)>,
    full: Option<Ident>,
    at: Range,
    reporter: &mut Reporter<'_>,
) -> Option<Capacity> {
    let before = reporter.count();
    let mut out = Capacity::default();
    for (number, word) in bounds {
        let slot = match word.to_string().as_str() {
            "events" => &mut out.events,
            "keys" => &mut out.keys,
            "runs" => &mut out.runs,
            other => {
                let d = reporter.error_at(
                    Code::Syntax,
                    at.start,
                    word.span().into(),
                    format!("expected `events`, `keys` or `runs`, found `{other}`"),
                );
                match nearest(other, ["events", "keys", "runs"]) {
                    Some(near) => d.help(format!("did you mean `{near}`?")),
                    None => d.help("write `capacity 64 events, 16 keys or evict`"),
                };
                continue;
            }
        };
        let n = whole(&number).filter(|n| *n > 0);
        if n.is_none() {
            reporter
                .error(Code::Syntax, at, format!("`{number} {word}` is no capacity"))
                .help(format!("write a whole number of at least 1: `64 {word}`"));
        } else if slot.is_some() {
            reporter
                .error(Code::Syntax, at, format!("the capacity of `{word}` is written twice"))
                .help("write each of `events`, `keys`, `runs` at most once");
        }
        *slot = n;
    }
    if let Some(full) = full {
        out.evict = choose(&full, &["error", "evict"], at, "or", reporter) == Some(1);
    }
    (reporter.count() == before).then_some(out)
}

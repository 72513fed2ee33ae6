//! From clauses in any order to [`Clauses`]: each at most once, in the order of the language, with sensible values.
use super::{
    aggregate::fields,
    bound::within,
    raw::{Amount, Clause, ClauseKind, Unit},
    report::{Reporter, list},
    splits::whole,
    text::text,
    token::CLAUSES,
};
use crate::{
    ast::{self, Capacity, Clauses, Consume, Output, Storage},
    diagnostic::Code,
    lex::{Lexeme, Range},
    nearest::nearest,
    slices::{each, position},
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
                let (message, help) = match rank.cmp(before) {
                    std::cmp::Ordering::Greater => (String::new(), String::new()),
                    std::cmp::Ordering::Equal if first == *word => {
                        (format!("`{first}` is written twice"), String::from("leave one of them out"))
                    }
                    std::cmp::Ordering::Equal => (
                        format!("`{first}` beside `{word}`: only one of them can say what comes out"),
                        String::from("leave one of them out"),
                    ),
                    std::cmp::Ordering::Less => (
                        format!("`{first}` stands behind `{word}`"),
                        format!("write it in front of `{word}`; the order is {}", ORDER.join(", ")),
                    ),
                };
                if !message.is_empty() {
                    reporter.error(Code::ClauseOrder, range, message).help(help);
                }
            }
            if last.as_ref().is_none_or(|(before, _)| rank > *before) {
                last = Some((rank, first));
            }
        }
        let loc = reporter.loc(range);
        match clause.kind {
            ClauseKind::Within(bound) => put(&mut out.within, within(bound, range, reporter), loc),
            ClauseKind::Partition { keys, wrong } => {
                for _ in 0..wrong {
                    no_key(range, reporter);
                }
                put(&mut out.partition, (!keys.is_empty()).then_some(keys), loc);
            }
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
            ClauseKind::Select(items) => put(&mut out.output, Some(Output::Select(items)), loc),
            ClauseKind::Detect => put(&mut out.output, Some(Output::Detect), loc),
            ClauseKind::Summarize(group) => {
                put(&mut out.output, fields(group, reporter).map(Output::Summarize), loc);
            }
            ClauseKind::Unknown(word) => {
                let first = (range.start..range.start + 1).into();
                let d = reporter.error(Code::Syntax, first, format!("expected a clause, found `{word}`"));
                let mut known = CLAUSES.to_vec();
                known.extend_from_slice(&["filter", "project", "agg", "without"]);
                let known = each(&known, ToString::to_string);
                d.help_among(&word, known, &format!("the clauses are {}", ORDER.join(", ")));
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
        ClauseKind::Partition { .. } => 1,
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
    let found = position(known, |k| word == k);
    if found.is_none() {
        let quoted = each(known, |k| format!("`{k}`"));
        let wanted = list(&quoted, "or");
        let last = (at.end.saturating_sub(1)..at.end).into();
        let d = reporter.error(
            Code::Syntax,
            last,
            format!("expected {wanted} behind `{clause}`, found `{word}`"),
        );
        match nearest(&word.to_string(), known) {
            Some(near) => d.help(format!("did you mean `{clause} {near}`?")),
            None => d.help(format!("write one of {wanted}")),
        };
    }
    found
}

fn no_key(at: Range, reporter: &mut Reporter<'_>) {
    reporter
        .error(Code::Syntax, at, "a key is one attribute, or attributes of event types joined by `=`")
        .help("write `partition by id` or `partition by T.id = H.sensor`");
}

fn capacity(
    bounds: Vec<Amount>,
    full: Option<Ident>,
    at: Range,
    reporter: &mut Reporter<'_>,
) -> Option<Capacity> {
    let before = reporter.count();
    let mut out = Capacity::default();
    for Amount { number, unit, .. } in &bounds {
        let Unit::Word(word) = unit else { continue };
        let slot = match word.to_string().as_str() {
            "events" => &mut out.events,
            "keys" => &mut out.keys,
            "runs" => &mut out.runs,
            other => {
                reporter
                    .error_at(
                        Code::Syntax,
                        at.start,
                        word.span().into(),
                        format!("expected `events`, `keys` or `runs`, found `{other}`"),
                    )
                    .help_among(
                        &other,
                        each(&["events", "keys", "runs"], ToString::to_string),
                        "write `capacity 64 events, 16 keys or evict`",
                    );
                continue;
            }
        };
        let n = whole(number).filter(|n| *n > 0);
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

//! `compile` as a whole, in process: every rule behind the parser with its code, its words and its place, without a run of rustc.
mod common;

use cep_compiler::diagnostic::{Code, Diagnostics};
use common::compiled;

/// Code, source of the underlined stretch, part of the message.
type Expected = (Code, &'static str, &'static str);

/// What stands behind `=`, and its errors.
const FORMULAS: &[(&str, &[Expected])] = &[
    ("T as a ; HH as b within 9 events", &[(Code::UnknownType, "HH", "`Reading` has no event type `HH`")]),
    (
        "T as a filter a.valeu > 1.0",
        &[(Code::UnknownAttribute, "valeu", "the event type `T` has no attribute `valeu`")],
    ),
    ("T as a filter a.sensor > 1", &[(Code::UnknownAttribute, "sensor", "has no attribute `sensor`")]),
    ("T as a filter a.rise() > 1", &[(Code::UnknownAttribute, "rise", "a variable has no method `rise`")]),
    ("T as a select a.valu", &[(Code::UnknownAttribute, "valu", "has no attribute `valu`")]),
    ("T as hot filter hto.value > 1.0", &[(Code::UnknownVariable, "hto", "`hto` is no variable")]),
    ("T as a filter a.value > lmt", &[(Code::UnknownVariable, "lmt", "`lmt` is no variable")]),
    ("T as a select b", &[(Code::UnknownVariable, "b", "`b` is no variable of this pattern")]),
    ("T as a ; H as a within 9 events", &[(Code::BoundTwice, "a", "bound twice in a sequence")]),
    ("T as floor", &[(Code::BoundTwice, "floor", "is a parameter of this pattern and a variable")]),
    ("T as H ; H as b within 9 events", &[(Code::BoundTwice, "H", "is a variable and an event type")]),
    ("H as b ; T as H within 9 events", &[(Code::BoundTwice, "H", "is a variable and an event type")]),
    (
        "T as a filter a.value > b.value ; H as b within 9 events",
        &[(Code::NotBound, "b", "`b` is not bound here")],
    ),
    ("T as h ; H within 9 events", &[(Code::FieldClash, "H", "would both be the field `h`")]),
    ("T as a select a, a", &[(Code::FieldClash, "a", "`a` is selected twice")]),
    ("T as a select a, a.id", &[(Code::FieldClash, "a", "`a` is selected twice")]),
    ("T as a select a.name", &[(Code::NotKept, "a.name", "`a.name` cannot be kept")]),
    (
        "T as a ; T as b filter a.name == b.name within 9 events",
        &[
            (Code::NotKept, "a.name", "`a.name` cannot be kept"),
            (Code::NotKept, "b.name", "`b.name` cannot be kept"),
        ],
    ),
    ("T as a filter f(a)", &[(Code::WholeVariable, "a", "`a` is a variable")]),
    (
        "T as a filter a.value > 3",
        &[(Code::UnlikeTypes, "a.value > 3", "this compares `f64` and an integer")],
    ),
    ("T as a filter a.id > 3.5", &[(Code::UnlikeTypes, "a.id > 3.5", "this compares `u32` and a float")]),
    ("T as a filter a.id == a.zone", &[(Code::UnlikeTypes, "a.id == a.zone", "`u32` and `u8`")]),
    ("H as a filter a.low < a.value", &[(Code::UnlikeTypes, "a.low < a.value", "`f32` and `f64`")]),
    ("H as a filter a.dry == 1", &[(Code::UnlikeTypes, "a.dry == 1", "`bool` and an integer")]),
    ("H as a filter a.low + a.value > 1.0", &[(Code::UnlikeTypes, "a.low + a.value", "this computes with")]),
    ("T as a filter a.name == a.id", &[(Code::UnlikeTypes, "a.name == a.id", "`String` and `u32`")]),
    ("T as a filter a.value", &[(Code::NotBoolean, "a.value", "but this is `f64`")]),
    ("T as a filter a.id + 1", &[(Code::NotBoolean, "a.id + 1", "but this is `u32`")]),
    (
        "T as a filter f(a.id && a.id == 1)",
        &[(Code::NotBoolean, "a.id", "expected a condition, found `u32`")],
    ),
    ("T as a filter a.id = 3", &[(Code::Impure, "a.id = 3", "cannot assign")]),
    ("T as a filter { a.id += 3; true }", &[(Code::Impure, "a.id += 3", "cannot assign")]),
    ("T as a filter { return true }", &[(Code::Impure, "return true", "`return` has no meaning")]),
    ("T as a filter (a.id?) == 3", &[(Code::Impure, "a.id?", "`?` has no meaning")]),
    ("T as a filter a.name == format!(\"x\")", &[(Code::Impure, "format", "the macro `format!`")]),
    ("T as a filter { loop {} }", &[(Code::Impure, "loop {}", "cannot loop")]),
    ("T as a filter unsafe { f(a.id) }", &[(Code::Impure, "unsafe { f(a.id) }", "`unsafe`")]),
    ("T as a filter f(&mut a.id)", &[(Code::Impure, "&mut a.id", "`&mut`")]),
    ("T as a filter f(a.id).await", &[(Code::Impure, "f(a.id).await", "cannot wait")]),
    ("T as a filter { fn f() {} a.id == 3 }", &[(Code::Impure, "fn f() {}", "cannot define items")]),
    ("T as a filter f(|x| x == a.id)", &[(Code::Impure, "a", "cannot capture the variable `a`")]),
    ("T as a filter f(a.id, |a| a == 1)", &[(Code::Shadow, "a", "`a` hides a variable")]),
    ("T as a filter matches!(a.id, floor)", &[(Code::Shadow, "floor", "`floor` hides")]),
    ("T as a filter true", &[(Code::ConstantFilter, "true", "is constant")]),
    ("T as a filter 1 < 2 && a.id > 1", &[(Code::ConstantFilter, "1 < 2", "is constant")]),
    ("T as a filter prev(a).id == 1", &[(Code::NotIterated, "prev", "`prev(a)` needs an iteration")]),
    ("T as a filter last(a).id == 1", &[(Code::NotIterated, "last", "`last(a)` needs an iteration")]),
    ("T as a filter first(a).id == 1", &[(Code::NotIterated, "first", "`first(a)` needs an iteration")]),
    ("T as a within 0 events", &[(Code::EmptyWindow, "0 events", "holds no event")]),
    ("T as a within -1 events", &[(Code::EmptyWindow, "-1 events", "holds no event")]),
    ("T as a ; H as b within 1 events", &[(Code::Unsatisfiable, "within 1 events", "its window holds 1")]),
    ("T as a filter a.zone > 300", &[(Code::Unsatisfiable, "a.zone > 300", "no value of `a.zone`")]),
    ("T as a filter a.id < 3 filter 4 < a.id", &[(Code::Unsatisfiable, "4 < a.id", "no value of `a.id`")]),
    ("T as a filter a.value > 1.0 && a.value <= 1.0", &[(Code::Unsatisfiable, "a.value <= 1.0", "no value")]),
    ("T as a ; H as b", &[(Code::MissingBound, "T as a ; H as b", "needs a window")]),
    ("T as a ; H as b select none", &[(Code::MissingBound, "select none", "needs a window")]),
    ("T as a ; H as b filter a.id == b.id detect", &[(Code::MissingBound, "a.id == b.id", "needs a window")]),
    ("T as a ; H as b within 10000 events", &[(Code::TooLarge, "within 10000 events", "KiB")]),
    (
        "T as a ; H as b within 1000000000000 events storage boxed",
        &[(Code::TooLarge, "within 1000000000000 events", "slots")],
    ),
    (
        "T as a ; H as b within 2000000000000 events",
        &[(Code::TooLarge, "within 2000000000000 events", "not possible")],
    ),
    ("T as a filter a.time() > 3", &[(Code::NoClock, "time", "has no time")]),
    ("T as a filter matches!(a.id)", &[(Code::Syntax, ")", "in `matches!`")]),
    ("T ; T within 9 events", &[(Code::NotSupported, "T", "`T` holds 2 events of a match")]),
    (
        "T ; T filter T.id == 1 within 9 events select none",
        &[(Code::NotSupported, "T", "`T` holds 2 events here")],
    ),
    ("T as a : H as b within 9 events", &[(Code::NotSupported, ":", "`:` (no gap)")]),
    ("T as a -> H as b within 9 events", &[(Code::NotSupported, "->", "`->` (skip till next match)")]),
    ("T or H or Idle", &[(Code::NotSupported, "or", "`or`"), (Code::NotSupported, "or", "`or`")]),
    (
        "T+ ; H* within 9 events",
        &[(Code::NotSupported, "+", "an iteration"), (Code::NotSupported, "*", "an iteration")],
    ),
    ("T ; H? within 9 events", &[(Code::NotSupported, "?", "an iteration")]),
    (
        "T{2} ; H->{1,2} within 9 events",
        &[(Code::NotSupported, "{2}", "an iteration"), (Code::NotSupported, "->{1,2}", "an iteration")],
    ),
    ("T ; not H ; Idle within 9 events", &[(Code::NotSupported, "not", "`not`")]),
    ("T ; not H within 9 events", &[(Code::NotSupported, "not", "`not`")]),
    ("(T ; H without Idle) within 9 events", &[(Code::NotSupported, "without", "`without`")]),
    ("all(T, H) within 9 events", &[(Code::NotSupported, "all", "`all`")]),
    ("T as a agg m { n: count(a) }", &[(Code::NotSupported, "agg", "`agg`")]),
    ("T as a project a(id)", &[(Code::NotSupported, "project", "`project`")]),
    ("(T as a select a)", &[(Code::NotSupported, "select", "`select` inside parentheses")]),
    ("(T as a within 3 events)", &[(Code::NotSupported, "within", "`within` inside parentheses")]),
    ("(T ; H) as g within 9 events", &[(Code::NotSupported, "g", "a variable over a group")]),
    ("T as a filter sum(a.id) > 3", &[(Code::NotSupported, "sum", "the aggregate `sum`")]),
    ("T within 3 s", &[(Code::NotSupported, "within 3 s", "a window in time")]),
    ("T within 3 of id", &[(Code::NotSupported, "within 3 of id", "a window on a clock of its own")]),
    ("T within window W", &[(Code::NotSupported, "within window W", "`within window`")]),
    (
        "T within 3 events of its partition",
        &[(Code::NotSupported, "within 3 events of its partition", "`of its partition`")],
    ),
    ("T partition by id", &[(Code::NotSupported, "partition by id", "`partition by`")]),
    ("T strategy last", &[(Code::NotSupported, "strategy last", "`strategy`")]),
    ("T skip past last", &[(Code::NotSupported, "skip past last", "`skip`")]),
    ("T consume any", &[(Code::NotSupported, "consume any", "`consume`")]),
    ("T limit 3", &[(Code::NotSupported, "limit 3", "`limit`")]),
    ("T timeouts", &[(Code::NotSupported, "timeouts", "`timeouts`")]),
    ("T capacity 3 events", &[(Code::NotSupported, "capacity 3 events", "`capacity`")]),
    ("T summarize { n: count(*) }", &[(Code::NotSupported, "summarize { n: count(*) }", "`summarize`")]),
];

/// Whole calls.
const CALLS: &[(&str, &[Expected])] = &[
    (
        "pattern P on Reading = T; pattern P on Reading = H;",
        &[(Code::DuplicateItem, "P", "the item `P` is defined twice")],
    ),
    (
        "pattern P on Reading = T; pattern Q on P = P;",
        &[(Code::NotSupported, "P", "on the results of another item")],
    ),
    ("window W on Reading = T;", &[(Code::NotSupported, "window", "a `window` item")]),
    ("pattern P on Self = T;", &[(Code::Syntax, "Self", "`Self` is no path to a stream")]),
    (
        "pattern P(a: f64, a: f64) on Reading = T;",
        &[(Code::BoundTwice, "a", "the parameter `a` is declared twice")],
    ),
    (
        "pattern P(a: Vec<u8>) on Reading = T;",
        &[(Code::NotCopy, "Vec<u8>", "the parameter `a` is not `Copy`")],
    ),
    (
        "#[cep(kernel = best)] pattern P on Reading = T;",
        &[(Code::ItemAttribute, "best", "there is no kernel `best`")],
    ),
    (
        "#[cep(speed)] pattern P on Reading = T;",
        &[(Code::ItemAttribute, "speed", "expected `kernel = ring`")],
    ),
    ("#[cfg(x)] pattern P on Reading = T;", &[(Code::ItemAttribute, "[cfg(x)]", "`#[cfg]` cannot stand")]),
    ("#[derive(Eq)] pattern P on Reading = T;", &[(Code::ItemAttribute, "Eq", "`Eq` cannot be derived")]),
    (
        "#[cep(kernel = ring)] pattern P on Reading = T ; H detect;",
        &[(Code::MissingBound, "P", "needs a window")],
    ),
    ("pattern P on Reading = T as within;", &[(Code::Reserved, "within", "cannot name a variable")]),
    (
        "pattern P on Reading = T ; H or Idle within 9 events;",
        &[(Code::Ambiguous, "; H or Idle", "two ways")],
    ),
    (
        "pattern P on Reading = T select none within 9 events;",
        &[(Code::ClauseOrder, "within 9 events", "stands behind")],
    ),
    ("pattern P on Reading = T ; H within 9 events", &[]),
];

/// The stretch of source between two places: `compile_error!` underlines from the first to the last token.
fn underlined(source: &str, at: cep_compiler::diagnostic::Loc) -> String {
    let offset = |p: proc_macro2::LineColumn| p.column;
    source.chars().take(offset(at.last.end())).skip(offset(at.first.start())).collect()
}

fn check(source: &str, expected: &[Expected]) {
    let output = compiled(source);
    let list = output.diagnostics.list();
    let found: Vec<_> =
        list.iter().map(|d| (d.code, underlined(source, d.primary), d.message.as_str())).collect();
    assert_eq!(found.len(), expected.len(), "{source}\n{found:#?}");
    for ((code, place, message), (c, p, m)) in found.iter().zip(expected) {
        assert!(
            code == c && place == p && message.contains(m),
            "{source}\nexpected {:?}\nfound {:?}",
            (c, p, m),
            (code, place, message)
        );
    }
    every_error_helps(&output.diagnostics, source);
}

fn every_error_helps(diagnostics: &Diagnostics, source: &str) {
    for d in diagnostics.list() {
        assert!(d.notes.iter().any(|n| n.starts_with("help: ")), "no help in {source}: {}", d.message);
        assert!(!d.message.starts_with(char::is_uppercase) && !d.message.ends_with('.'), "{}", d.message);
    }
}

fn formula(text: &str) -> String {
    format!("pattern P(floor: f64) on Reading = {text};")
}

#[test]
fn formulas() {
    FORMULAS.iter().for_each(|(text, expected)| check(&formula(text), expected));
}

#[test]
fn calls() {
    CALLS.iter().for_each(|(text, expected)| check(text, expected));
}

/// A pattern with an error leaves a stand-in with its name, its parameters and its variables.
#[test]
fn a_skeleton_stands_in() {
    for (source, words) in [
        (
            formula("T as hot filter hot.valu > 1.0 ; H as b within 9 events"),
            &["struct P", "fn new", "f64", "fn push", "hot", "struct PMatch"][..],
        ),
        (
            formula("T as hot ; ; H as b within 9 events"),
            &["struct P", "fn next_match", "hot", "struct PMatches"],
        ),
        (formula("TT as hot filter hot. > 1 detect"), &["struct P", "fn latest_start", "bool"]),
        (formula("T as hot ; H storage borrowed"), &["struct PRings", "'rings", "fn over"]),
        ("pub(crate) pattern P on = T".into(), &["pub (crate) struct P"]),
        ("pattern P(a: , b: f64) on".into(), &["struct P"]),
    ] {
        let output = compiled(&source);
        assert!(!output.diagnostics.is_empty(), "{source}");
        let text = output.tokens.to_string();
        for word in words {
            assert!(text.contains(word), "{source}: no `{word}` in {text}");
        }
        let file = syn::parse2::<syn::File>(output.tokens);
        assert!(file.is_ok(), "{source}: {:?}", file.err());
    }
}

/// Code after code: each is produced here, by a test of the parser or of the derive, or waits for what it is about.
#[test]
fn every_code_is_produced() {
    let tests = [include_str!("compile.rs"), include_str!("parse.rs"), include_str!("derive.rs")].concat();
    for code in Code::ALL {
        let name = format!("Code::{code:?}");
        let elsewhere = match code {
            // long inputs, in `soup.rs`
            Code::TooDeep => include_str!("soup.rs").contains("nothing_is_too_long"),
            Code::Derive => tests.contains("CEP0009"),
            // decided by rustc: `tests/ui/boxed_without_alloc.rs`
            Code::NoAlloc => include_str!("../../tests/ui/boxed_without_alloc.stderr").contains("CEP0306"),
            _ => false,
        };
        assert!(
            elsewhere || tests.contains(&format!("({name},")) || tests.contains(&format!("{name},")),
            "{name} is produced by no test"
        );
    }
}

/// The catalogue has every code, with an example and a remedy, and no other.
#[test]
fn the_catalogue_is_complete() {
    let page = include_str!("../../docs/errors.md");
    let sections: Vec<&str> = page.split("\n## ").skip(1).collect();
    assert_eq!(sections.len(), Code::ALL.len());
    for (section, code) in sections.iter().zip(Code::ALL) {
        assert!(
            section.starts_with(code.name()),
            "expected {}, found {}",
            code.name(),
            section.lines().next().unwrap_or_default()
        );
        assert!(section.contains("Wrong:") && section.contains("Instead:"), "{}", code.name());
    }
}

//! Clauses, absence and the other operators, in the language itself.
use cep_compiler::ast::{Item, Pattern};
use cep_compiler::diagnostic::Diagnostics;
use cep_oracle::{
    AttrDecl, Complex, Declaration, Delivery, Error, Event, Oracle, Rule, Step, Ty, TypeDecl, Value,
};
use std::collections::{BTreeMap, BTreeSet};

/// Types `A` to `D` with a key, a value and a time.
fn clocked() -> Declaration {
    let attr = |name: &str, ty, time| AttrDecl { name: name.into(), ty, nullable: name == "k", time };
    let attributes = vec![attr("k", Ty::I32, false), attr("v", Ty::I64, false), attr("t", Ty::I64, true)];
    let types = ["A", "B", "C", "D"].iter();
    Declaration::new(types.map(|n| TypeDecl { name: (*n).into(), attributes: attributes.clone() }).collect())
}

fn pattern(text: &str) -> Pattern {
    let mut diagnostics = Diagnostics::default();
    let tokens = format!("pattern P on S = {text};").parse().expect("tokens");
    let mut file = cep_compiler::parse::parse(tokens, &mut diagnostics);
    assert!(diagnostics.is_empty(), "{text}: {:?}", diagnostics.list());
    let Some(Item::Pattern(p)) = file.items.pop() else { panic!("no pattern: {text}") };
    *p
}

/// `A@5 B@6k2v7`: type, time, key, value; by default the time is the position.
fn event(i: usize, word: &str) -> Event {
    let number = |c: char, default: i128| {
        let tail = word.split_once(c).map(|(_, t)| t);
        let digits = |t: &str| t.chars().take_while(char::is_ascii_digit).collect::<String>();
        tail.map_or(default, |t| digits(t).parse().expect("a number"))
    };
    let ty = clocked().type_index(&word[..1]).expect("a type");
    let k = if word.contains("k_") { Value::Null } else { Value::Int(number('k', 0)) };
    Event { ty, values: vec![k, Value::Int(number('v', 0)), Value::Int(number('@', i as i128))] }
}

fn steps(text: &str) -> Vec<Step> {
    let one = |(i, w): (usize, &str)| match w.strip_prefix("to") {
        Some(t) => Step::Advance(Value::Int(t.parse().expect("a time"))),
        None if w == "finish" => Step::Finish,
        None => Step::Push(event(i, w)),
    };
    text.split_whitespace().enumerate().map(one).collect()
}

fn run(text: &str, stream: &str) -> Vec<Delivery> {
    let oracle = Oracle::new(&clocked(), &pattern(text), &BTreeMap::new()).expect(text);
    oracle.run(&steps(stream)).expect(text)
}

/// Per step, the position sets delivered: `2:0,2 2:1,2`.
fn sets(text: &str, stream: &str) -> String {
    let set = |c: &Complex| c.positions().iter().map(u64::to_string).collect::<Vec<_>>().join(",");
    let step = |(i, d): (usize, &Delivery)| {
        let all: BTreeSet<String> = d.results.iter().map(|c| format!("{i}:{}", set(c))).collect();
        all.into_iter().collect::<Vec<_>>()
    };
    run(text, stream).iter().enumerate().flat_map(step).collect::<Vec<_>>().join(" ")
}

#[test]
fn time_windows_include_their_end() {
    assert_eq!(sets("A ; B within 5 ms", "A@0 B@5 B@6"), "1:0,1");
    assert_eq!(sets("A ; B within 5 of v", "Av0 Bv5 Bv6"), "1:0,1");
    assert_eq!(sets("(A ; B within 1 ms) ; C within 100 ms", "A@0 B@1 C@50 B@51 C@52"), "2:0,1,2 4:0,1,4");
}

#[test]
fn a_key_is_matched_on_its_sub_stream() {
    assert_eq!(sets("A : B within 9 events partition by k", "Ak1 Dk2 Bk1 Bk2"), "2:0,2");
    assert_eq!(sets("A : B within 2 events partition by k", "Ak1 Dk2 Bk1"), "");
    assert_eq!(sets("A : B within 2 events of its partition partition by k", "Ak1 Dk2 Bk1"), "2:0,2");
    assert_eq!(sets("A : B within 9 events partition by k", "Ak1 Bk_ Bk1"), "2:0,2");
    // Only the listed types are in sub-streams.
    assert_eq!(sets("A : B within 9 events partition by A.k = B.k", "Ak1 Dk1 Bk1"), "2:0,2");
}

#[test]
fn strategies_choose_among_results_of_one_end() {
    let with = |s: &str| sets(&format!("A ; B+ ; C within 9 events strategy {s}"), "A B B C");
    assert_eq!(with("all"), "3:0,1,2,3 3:0,1,3 3:0,2,3");
    assert_eq!(with("max"), "3:0,1,2,3");
    assert_eq!(with("last"), "3:0,1,2,3");
    assert_eq!(with("next"), "3:0,1,2,3");
    assert_eq!(with("strict"), "3:0,1,2,3");
    let one = &run("A ; B within 9 events strategy one", "A A B")[2];
    let single = |c: &Complex| BTreeSet::from([c.clone()]);
    assert!(one.results.iter().all(|c| one.accepts(&single(c))) && !one.accepts(&one.results));
    assert_eq!(sets("A ; B within 9 events strategy last", "A A B"), "2:1,2");
    assert_eq!(sets("A ; B within 9 events strategy next", "A A B"), "2:0,2");
}

#[test]
fn consumption_takes_what_started_before() {
    let with =
        |c: &str| sets(&format!("A ; B within 9 events partition by k consume {c}"), "Ak1 Ak2 Bk1 Bk2 Bk1");
    assert_eq!(with("none"), "2:0,2 3:1,3 4:0,4");
    assert_eq!(with("any"), "2:0,2");
    assert_eq!(with("partition"), "2:0,2 3:1,3");
}

#[test]
fn skips_remove_later_results() {
    assert_eq!(sets("A ; B within 9 events skip to next", "A A B B"), "2:0,2 2:1,2");
    assert_eq!(sets("A ; B within 9 events skip past last", "A A B B A B"), "2:0,2 5:4,5");
    let to = |s: &str| sets(&format!("A:+ as a : B within 9 events skip {s}"), "A A A B");
    assert_eq!(to("to first a"), "3:0,1,2,3 3:1,2,3 3:2,3");
    assert_eq!(to("to last a"), "3:0,1,2,3 3:2,3");
}

#[test]
fn a_limit_takes_any() {
    let limited = &run("A ; B within 9 events limit 2", "A A A B")[3];
    assert_eq!(limited.rule, Rule::AtMost(2));
    let some: BTreeSet<Complex> = limited.results.iter().take(2).cloned().collect();
    assert!(
        limited.accepts(&some) && !limited.accepts(&limited.results) && !limited.accepts(&BTreeSet::new())
    );
}

#[test]
fn a_trailing_not_waits_for_its_deadline() {
    let text = "A ; B ; not C within 5 ms";
    assert_eq!(sets(text, "A@0 B@1 D@5 D@6"), "3:0,1");
    // The deadline itself still belongs to the window.
    assert_eq!(sets(text, "A@0 B@1 C@5 D@6"), "");
    assert_eq!(sets(text, "A@0 B@1 C@6"), "2:0,1");
    assert_eq!(sets(text, "A@0 B@1 to5 to6"), "3:0,1");
    assert_eq!(sets(text, "A@0 A@1 B@2 finish"), "3:0,2 3:1,2");
    // What started before the event that released is gone.
    assert_eq!(sets("A ; not C within 5 ms consume any", "A@0 A@4 D@6 D@20"), "2:0");
}

#[test]
fn parts_in_any_order() {
    assert_eq!(sets("all(A, B) ; C within 9 events", "B A C"), "2:0,1,2");
    assert_eq!(sets("all(A ; B, C) within 9 events", "A C B"), "2:0,1,2");
    assert_eq!(sets("all(A as x, A as y) within 9 events", "A A"), "1:0,1");
}

#[test]
fn arrows_between_repetitions() {
    // No B may be skipped, the last one may be any.
    assert_eq!(sets("A -> B->+ within 9 events", "A B D B"), "1:0,1 3:0,1,3");
    assert_eq!(sets("A -> (B as b filter b.v > 3)->{2} within 9 events", "A Bv1 Bv5 Bv2 Bv9"), "4:0,2,4");
    let rising = "A -> (B as b filter b.v > prev(b).v)->{2} within 9 events";
    assert_eq!(sets(rising, "A Bv5 Bv2 Bv9"), "3:0,1,3");
    assert_eq!(sets("A -> (B or C) within 9 events", "A D C B"), "2:0,2");
}

#[test]
fn conditions_on_iterations() {
    let f = "(B as b)+ ; C as c filter b.v > c.v within 9 events";
    assert_eq!(sets(f, "Bv3 Bv1 Cv2"), "2:0,2");
    assert_eq!(sets("(B as b){2} filter first(b).v < last(b).v within 9 events", "Bv3 Bv1 Bv2"), "2:1,2");
    assert_eq!(sets("A ; B? as b ; C filter count(b) == 0 within 9 events", "A B C"), "2:0,2");
    assert_eq!(
        sets("((A as a filter a.v > 1) or B as b) filter a.v < 5 within 9 events", "Av0 Av2 Av9 B"),
        "1:1 3:3"
    );
}

#[test]
fn nots_between_present_neighbours_add_up() {
    let text = "A ; not D ; B? ; C within 9 events";
    assert_eq!(sets(text, "A D C"), "");
    assert_eq!(sets(text, "A B D C"), "3:0,1,3");
    let nested = "A ; not (B as n filter n.v > a.v) ; C within 9 events".replacen('A', "A as a", 1);
    assert_eq!(sets(&nested, "Av3 Bv2 C Bv7 C"), "2:0,2");
}

#[test]
fn what_is_unknown_is_an_error() {
    let new = |text: &str| Oracle::new(&clocked(), &pattern(text), &BTreeMap::new()).map(drop);
    assert!(matches!(new("A agg m { n: fold Mine(A.v) } within 9 events"), Err(Error::Unsupported(_))));
    assert!(matches!(new("A ; B within 9 events timeouts"), Err(Error::Unsupported(_))));
    assert!(matches!(new("A? ; B? within 9 events"), Err(Error::Invalid(_))));
    assert!(matches!(new("A as x ; B as x within 9 events"), Err(Error::Invalid(_))));
}

#[test]
fn parameters_may_be_texts() {
    let text = "pattern P(x: &'static str, n: i64) on S = A filter x == \"a\" && A.v == n within 9 events;";
    let mut diagnostics = Diagnostics::default();
    let mut file = cep_compiler::parse::parse(text.parse().expect("tokens"), &mut diagnostics);
    let Some(Item::Pattern(p)) = file.items.pop() else { panic!("{:?}", diagnostics.list()) };
    let with = |x: &str| {
        let parameters = [("x".to_owned(), Value::Str(x.to_owned())), ("n".to_owned(), Value::Int(3))];
        let oracle = Oracle::new(&clocked(), &p, &BTreeMap::from(parameters)).expect("a pattern");
        oracle.run(&steps("Av3 Av4")).expect("an answer").iter().map(Delivery::detect).collect::<Vec<_>>()
    };
    assert_eq!((with("a"), with("b")), (vec![true, false], vec![false, false]));
}

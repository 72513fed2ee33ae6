//! Aggregates, from the text of the ACEL paper and the language reference.
use cep_compiler::ast::{Item, Pattern};
use cep_compiler::diagnostic::Diagnostics;
use cep_oracle::{AttrDecl, Complex, Declaration, Delivery, Error, Event, Oracle, Ty, TypeDecl, Value};
use std::collections::BTreeMap;

/// Types `A` to `D` with an integer, a float that may be NULL, and a small number.
fn declaration() -> Declaration {
    let attr = |name: &str, ty, nullable| AttrDecl { name: name.into(), ty, nullable, time: false };
    let attributes = vec![attr("v", Ty::I32, false), attr("f", Ty::F64, true), attr("u", Ty::U8, false)];
    let types = ["A", "B", "C", "D"].iter();
    Declaration::new(types.map(|n| TypeDecl { name: (*n).into(), attributes: attributes.clone() }).collect())
}

fn pattern(text: &str) -> Pattern {
    let mut diagnostics = Diagnostics::default();
    let tokens = format!("pattern P on S = {text} within 50 events;").parse().expect("tokens");
    let tokens = match text.split_once(" OUT ") {
        None => tokens,
        Some((formula, out)) => {
            format!("pattern P on S = {formula} within 50 events {out};").parse().expect("tokens")
        }
    };
    let mut file = cep_compiler::parse::parse(tokens, &mut diagnostics);
    assert!(diagnostics.is_empty(), "{text}: {:?}", diagnostics.list());
    let Some(Item::Pattern(p)) = file.items.pop() else { panic!("no pattern: {text}") };
    *p
}

/// `A3 B4~2.5`: type, integer, float; without a float it is NULL. The small number is the integer's.
fn stream(text: &str) -> Vec<Event> {
    let one = |w: &str| {
        let (head, f) = w
            .split_once('~')
            .map_or((w, Value::Null), |(h, f)| (h, Value::Float(f.parse().expect("a float"))));
        let v: i128 = head[1..].parse().unwrap_or(0);
        let ty = declaration().type_index(&head[..1]).expect("a type");
        Event { ty, values: vec![Value::Int(v), f, Value::Int(v.rem_euclid(256))] }
    };
    text.split_whitespace().map(one).collect()
}

fn run(text: &str, events: &str) -> Vec<Delivery> {
    let oracle = Oracle::new(&declaration(), &pattern(text), &BTreeMap::new()).expect(text);
    oracle.matches(&stream(events)).expect(text)
}

fn plain(v: &Value) -> String {
    match v {
        Value::Null => "NULL".into(),
        Value::Int(i) => i.to_string(),
        Value::Float(f) => format!("{f:?}"),
        Value::Bool(b) => b.to_string(),
        other => format!("{other:?}"),
    }
}

fn show(c: &Complex) -> String {
    let mut out = format!("{}-{}", c.start, c.end);
    for (x, p) in &c.vars {
        let p: Vec<String> = p.iter().map(ToString::to_string).collect();
        out += &format!(" {x}={}", p.join("+"));
    }
    for (x, list) in &c.made {
        let event = |m: &cep_oracle::Made| {
            let values: Vec<String> = m.values.iter().map(|(n, v)| format!("{n}:{}", plain(v))).collect();
            values.join(",")
        };
        out += &format!(" {x}[{}]", list.iter().map(event).collect::<Vec<_>>().join(" "));
    }
    out
}

/// All results, in order of their texts.
fn all(text: &str, events: &str) -> Vec<String> {
    let mut out: Vec<String> = run(text, events).iter().flat_map(|d| d.results.iter().map(show)).collect();
    out.sort();
    out
}

#[test]
fn one_result_however_many_are_skipped() {
    // (1) of the paper: A B B A
    assert_eq!(all("A as a ; B+ ; A as c OUT select a, c", "A B B A"), ["0-3 a=0 c=3"]);
    assert_eq!(all("(A as a ; B+ ; A as c select a, c)", "A B B A"), ["0-3 a=0 c=3"]);
}

#[test]
fn sums_of_sums_with_equal_values() {
    // (2) of the paper: B A3 A5 B A2 A4 A2, sums 8 and 8
    let text = "(B : (A:+ as x) agg y { b: sum(x.v) }):+ agg z { c: sum(y.b), n: count(y) } OUT select y, z";
    let found = all(text, "B A3 A5 B A2 A4 A2");
    assert!(found.contains(&"0-6 y[b:8 b:8] z[c:16,n:2]".to_owned()), "{found:#?}");
    assert!(found.contains(&"3-6 y[b:8] z[c:8,n:1]".to_owned()), "{found:#?}");
}

#[test]
fn equal_aggregates_are_told_apart() {
    // (3) of the paper: the same value from both sides of an `or`
    let text = "((A as a agg m { s: sum(a.v) }) or ((A as a ; A) agg m { s: sum(a.v) })) OUT select m";
    assert_eq!(all(text, "A4 A4"), ["0-0 m[s:4]", "0-1 m[s:4]", "1-1 m[s:4]"]);
    // equal values folded from different events are different results
    let text = "A ; (B as b) agg m { s: sum(b.v) } ; C OUT select m";
    assert_eq!(all(text, "A B7 B7 C"), ["0-3 m[s:7]", "0-3 m[s:7]"]);
    // the same events: one
    let text = "(A as a ; B agg m { s: sum(a.v) }) ; C OUT select m";
    assert_eq!(all(text, "A7 B B C"), ["0-3 m[s:7]"]);
}

#[test]
fn a_join_by_two_sums() {
    let text = "A as x ; B as y agg z { b1: sum(x.v), b2: sum(y.v) } filter z.b1 == z.b2 OUT select x, y";
    assert_eq!(all(text, "A1 A2 B2 B1"), ["0-3 x=0 y=3", "1-2 x=1 y=2"]);
}

#[test]
fn empty_bags_absent_parts_and_null() {
    let text = "(A as a)? ; B agg m { n: count(a), s: sum(a.v), t: max(a.v), f: first(a.v) } OUT select m";
    assert_eq!(
        all(text, "B A5 B"),
        ["0-0 m[f:NULL,n:0,s:0,t:NULL]", "1-2 m[f:5,n:1,s:5,t:5]", "2-2 m[f:NULL,n:0,s:0,t:NULL]"]
    );
    let text = "((A as a) agg m { n: count(a) })? ; B OUT select m";
    assert_eq!(all(text, "B A B"), ["0-0", "1-2 m[n:1]", "2-2"]);
    let text =
        "A:+ as a : B agg m { s: sum(a.f), t: sum_some(a.f), n: count(a), k: count_some(a.f) } OUT select m";
    let found = all(text, "A~1.5 A A~2 B");
    assert!(found.contains(&"0-3 m[k:2,n:3,s:NULL,t:3.5]".to_owned()), "{found:#?}");
    assert!(found.contains(&"2-3 m[k:1,n:1,s:2.0,t:2.0]".to_owned()), "{found:#?}");
    // NULL in a filter is false, negated or not
    let text = "A as a agg m { s: sum(a.f) } filter !(m.s > 3.0) OUT select a";
    assert_eq!(all(text, "A A~2 A~5"), ["1-1 a=1"]);
}

#[test]
fn types_widen_and_products_are_checked() {
    let text = "A:+ as a agg m { s: sum(a.u), p: product(a.u), r: range(a.u), g: avg(a.v) } OUT select m";
    let found = all(text, "A200 A100");
    assert!(found.contains(&"0-1 m[g:150.0,p:NULL,r:100,s:300]".to_owned()), "{found:#?}");
    let text = "A:+ as a agg m { v: var(a.v), d: stddev(a.v), l: last(a.v) } OUT select m";
    let found = all(text, "A1 A5");
    assert!(found.contains(&"0-1 m[d:2.0,l:5,v:4.0]".to_owned()), "{found:#?}");
}

#[test]
fn filters_on_aggregates_and_their_short_form() {
    let long = "A+ as a agg m { s: sum(a.v) } filter m.s > 7 OUT select a";
    let short = "A+ as a filter sum(a.v) > 7 OUT select a";
    assert_eq!(all(long, "A3 A5 A1"), all(short, "A3 A5 A1"));
    assert_eq!(all(short, "A3 A5 A1"), ["0-1 a=0+1", "0-2 a=0+1+2"]);
    // read by what comes later
    let text = "(A+ as a) agg m { s: sum(a.v) } ; B as b filter b.v > m.s OUT select a, b";
    assert_eq!(all(text, "A3 A4 B5"), ["0-2 a=0 b=2", "1-2 a=1 b=2"]);
}

#[test]
fn inside_an_iteration() {
    // running: over the repetitions so far
    let text = "(A as a filter sum(a.v) <= 5)+ OUT select a";
    assert_eq!(
        all(text, "A3 A2 A1"),
        ["0-0 a=0", "0-1 a=0+1", "0-2 a=0+2", "1-1 a=1", "1-2 a=1+2", "2-2 a=2"]
    );
    // an `agg` there is the repetition's own; its variable then holds several events
    let text = "(A as a ; B as b agg m { d: range(a.v), t: sum(b.v) }):+ agg k { n: count(m), t: sum(m.t) } OUT select k";
    let found = all(text, "A B2 A B3");
    assert!(found.contains(&"0-3 k[n:2,t:5]".to_owned()), "{found:#?}");
    let text = "(A as a agg m { s: sum(a.v) } filter m.s > prev(m).s)+ OUT select a";
    assert_eq!(all(text, "A2 A1 A3"), ["0-0 a=0", "0-2 a=0+2", "1-1 a=1", "1-2 a=1+2", "2-2 a=2"]);
}

#[test]
fn selection_and_projection() {
    let formula = "(A as a ; B as b) agg m { x: sum(a.v), y: sum(b.v) }";
    assert_eq!(all(&format!("{formula} OUT select m.y"), "A1 B2"), ["0-1 m[y:2]"]);
    assert_eq!(all(formula, "A1 B2"), ["0-1 a=0 b=1 m[x:1,y:2]"]);
    assert_eq!(all(&format!("{formula} project m(x)"), "A1 B2"), ["0-1 a=0 b=1 m[x:1]"]);
    assert_eq!(all(&format!("({formula} select m)"), "A1 B2"), ["0-1 m[x:1,y:2]"]);
    assert_eq!(all(&format!("({formula} select a)"), "A1 B2"), ["0-1 a=0"]);
    // `project` never changes which results there are
    let text = "A as a ; B project a(u)";
    assert_eq!(all(text, "A1 A1 B"), ["0-2 B=2 a=0", "1-2 B=2 a=1"]);
}

#[test]
fn summaries() {
    let text =
        "A as a ; B as b OUT summarize { n: count(*), k: count(b), s: sum(a.v), g: avg(a.v), t: max(b.v) }";
    let of: Vec<String> = run(text, "A1 B5 A3 B2 C")
        .iter()
        .map(|d| {
            let record = d.summary.as_ref().expect("a record");
            record.iter().map(|(n, v)| format!("{n}:{}", plain(v))).collect::<Vec<_>>().join(",")
        })
        .collect();
    let nothing = "g:NULL,k:0,n:0,s:0,t:NULL";
    assert_eq!(of, [nothing, "g:1.0,k:1,n:1,s:1,t:5", nothing, "g:2.0,k:2,n:2,s:4,t:2", nothing]);
    // pairs of a result and an event
    let text = "A+ as a ; B OUT summarize { n: count(*), k: count(a), s: sum(a.v) as f64 }";
    let last = run(text, "A1 A2 B")[2].summary.clone().expect("a record");
    assert_eq!(
        (plain(&last["n"]), plain(&last["k"]), plain(&last["s"])),
        ("3".into(), "4".into(), "6.0".into())
    );
}

#[test]
fn what_is_wrong_or_unknown() {
    let new = |text: &str| Oracle::new(&declaration(), &pattern(text), &BTreeMap::new()).map(drop);
    assert!(matches!(new("A as a agg m { s: sum(b.v) }"), Err(Error::Invalid(_))));
    assert!(matches!(new("A as a agg m { s: sum(a) }"), Err(Error::Invalid(_))));
    assert!(matches!(new("A as a agg m { s: fold Mine(a.v) }"), Err(Error::Unsupported(_))));
    assert!(matches!(new("A -> (B agg m { n: count(B) })"), Err(Error::Unsupported(_))));
}

//! Random predicate windows and what they are told.
use crate::condition::{Attributes, Condition, Leaf, Place, Term};
use crate::predicate::{Fold, Parameters, Policy, Step};
use cep_oracle::aggregate::Aggregate;
use cep_oracle::generate::Random;
use cep_oracle::{Ty, Value};

/// The body of `enum E` that all of them run on.
pub const DECLARATION: &str = "X { #[event(time)] t: i64, key: u8, zone: u8, v: i32, n: Option<i32>, \
     s: bool, e: bool, c: bool, a: bool }, Y { v: i32, #[event(time)] u: i64 }, Z";

/// A random window over `E`.
#[derive(Clone, Debug)]
pub struct PredicateCase {
    /// The item, as inside `cep! { … }`.
    pub item: String,
    /// For the model.
    pub parameters: Parameters,
}

fn number(place: Place, name: &str) -> Term {
    Term::Attribute(place, name.to_owned())
}

fn compare(a: Term, op: &'static str, b: Term) -> Leaf {
    Leaf::Compare(a, op, b)
}

fn flag(name: &str, wanted: bool) -> Leaf {
    Leaf::Flag(Place::Here, name.to_owned(), wanted)
}

fn start(r: &mut Random) -> Condition {
    let k = Term::Literal(i64::try_from(r.below(4)).unwrap_or(0));
    let v = |p| number(p, "v");
    match r.below(12) {
        0..=4 => Condition::flag("s"),
        5 => Condition::always(),
        6 => Condition::of(compare(v(Place::Here), ">=", k)),
        7 => Condition(vec![vec![
            Leaf::IsNone(Place::Prev, "v".into()),
            compare(v(Place::Prev), "!=", v(Place::Here)),
        ]]),
        8 => Condition(vec![vec![
            Leaf::IsNone(Place::First, "v".into()),
            compare(v(Place::Here), ">=", v(Place::First)),
        ]]),
        9 => Condition(vec![vec![flag("s", true), compare(number(Place::Here, "n"), ">", k)]]),
        10 => Condition(vec![vec![flag("s", true), flag("a", true)], vec![flag("c", false)]]),
        _ => Condition::of(compare(v(Place::Prev), "<", v(Place::Here))),
    }
}

fn end(r: &mut Random) -> Option<Condition> {
    let n = Term::Literal(i64::try_from(r.between(1, 5)).unwrap_or(1));
    let v = |p| number(p, "v");
    let age = Term::Minus(Box::new(number(Place::Here, "t")), Box::new(number(Place::First, "t")));
    Some(match r.below(14) {
        0..=2 => return None,
        3..=5 => Condition::flag("e"),
        6 | 7 => Condition::of(compare(Term::Len, ">=", n)),
        8 => Condition::of(compare(age, ">=", n)),
        9 => Condition::of(compare(v(Place::Here), "<", v(Place::Last))),
        10 => Condition(vec![vec![flag("e", true), compare(Term::Len, ">=", n)]]),
        11 => Condition::of(Leaf::Constant(false)),
        12 => Condition::of(compare(number(Place::Here, "n"), "==", n)),
        _ => Condition::of(compare(v(Place::Prev), ">", v(Place::Here))),
    })
}

fn clear(r: &mut Random) -> Condition {
    match r.below(3) {
        0 => Condition(vec![vec![flag("c", true)], vec![compare(Term::Len, ">=", Term::Literal(2))]]),
        _ => Condition::flag("c"),
    }
}

fn advance(r: &mut Random) -> (Condition, i64) {
    let when = match r.below(4) {
        0 => Condition::flag("a"),
        1 => Condition::of(compare(Term::Len, ">=", Term::Literal(2))),
        _ => Condition::always(),
    };
    (when, *r.pick(&[-1, 0, 1, 1, 2, 3]))
}

/// A fold's name, its function, and the attribute with its type.
type Spelling = (&'static str, &'static str, Option<(&'static str, Ty)>);

fn folds(r: &mut Random) -> Vec<Fold> {
    let pool: [Spelling; 9] = [
        ("count", "count", None),
        ("total", "sum", Some(("v", Ty::I32))),
        ("top", "max", Some(("v", Ty::I32))),
        ("mean", "avg", Some(("v", Ty::I32))),
        ("begin", "first", Some(("v", Ty::I32))),
        ("newest", "last", Some(("v", Ty::I32))),
        ("some", "sum_some", Some(("n", Ty::I32))),
        ("absorbed", "min", Some(("n", Ty::I32))),
        ("flags", "any", Some(("a", Ty::Bool))),
    ];
    let mut out = Vec::new();
    for (name, function, attribute) in pool {
        if r.percent(40) {
            out.push(Fold {
                name: name.to_owned(),
                aggregate: Aggregate::from_name(function).expect("a function"),
                attribute: attribute.map(|(a, t)| (a.to_owned(), t)),
            });
        }
    }
    out
}

/// A function's name as in the language.
fn spelled(a: Aggregate) -> String {
    format!("{:?}{}", a.function, if a.some { "_some" } else { "" }).to_lowercase()
}

impl PredicateCase {
    /// A random one.
    pub fn new(r: &mut Random) -> PredicateCase {
        let mut p = Parameters::new(start(r));
        p.end = end(r);
        if r.percent(12) {
            p.clear = Some(clear(r));
        }
        if r.percent(15) {
            p.advance = Some(advance(r));
        }
        p.same_start_time = r.percent(35);
        p.keep_ending_element = p.end.is_some() && r.percent(40);
        p.one_role = r.percent(20);
        p.keep_time_order = !r.percent(25);
        p.close_with_heartbeat = r.percent(25);
        p.flush_on_end = !r.percent(20);
        if r.percent(30) {
            p.max_time = Some(r.between(1, 9) as i128);
            match r.below(3) {
                0 => p.max_time_output = false,
                1 => p.max_time_port = 2,
                _ => {}
            }
        }
        if r.percent(25) {
            p.idle = Some(r.between(1, 6) as i128);
            if r.percent(40) {
                p.idle_port = 3;
            }
        }
        if r.percent(45) {
            p.partition.push("key".into());
            if r.percent(30) {
                p.partition.push("zone".into());
            }
        }
        match r.below(10) {
            0..=2 => p.folds = folds(r),
            3..=5 => p.nesting = true,
            _ => {}
        }
        // a bound that is reached, where nothing else decides what it counts
        let plain = p.clear.is_none() && p.advance.is_none() && p.max_time.is_none() && p.idle.is_none();
        if plain && p.partition.is_empty() && p.folds.is_empty() && !p.keep_ending_element && r.percent(40) {
            // what a refused element does to time is not said: see `steps`
            let policy = if r.percent(50) { Policy::Error } else { Policy::Evict };
            p.capacity = Some((r.between(2, 5), policy));
        }
        PredicateCase::of("W", p)
    }

    /// The item of some parameters.
    #[must_use]
    pub fn of(name: &str, parameters: Parameters) -> PredicateCase {
        let p = &parameters;
        let mut parts = vec![format!("start: {}", p.start)];
        let mut add = |text: String| parts.push(text);
        if let Some(c) = &p.end {
            add(format!("end: {c}"));
        }
        if let Some(c) = &p.clear {
            add(format!("clear: {c}"));
        }
        for (set, text) in [
            (p.same_start_time, "same_start_time: true"),
            (p.keep_ending_element, "keep_ending_element: true"),
            (p.one_role, "use_element_only_for_start_or_end: true"),
            (!p.keep_time_order, "keep_time_order: false"),
            (p.close_with_heartbeat, "close_window_with_heartbeat: true"),
            (p.nesting, "nesting: true"),
            (!p.flush_on_end, "flush_on_end: false"),
        ] {
            if set {
                add(text.to_owned());
            }
        }
        match p.partition.as_slice() {
            [] => {}
            [one] => add(format!("partition: {one}")),
            more => add(format!("partition: ({})", more.join(", "))),
        }
        if let Some(most) = p.max_time {
            add(format!("max_window_time: {most}"));
            if !p.max_time_output {
                add("output_if_max_window_time: false".into());
            }
            if p.max_time_port != 0 {
                add(format!("max_window_time_output_port: {}", p.max_time_port));
            }
        }
        if let Some(most) = p.idle {
            add(format!("close_window_after_no_updates_for: {most}"));
            if p.idle_port != 0 {
                add(format!("close_window_after_no_updates_port: {}", p.idle_port));
            }
        }
        if let Some((when, size)) = &p.advance {
            add(format!("advance_when: {when}"));
            add(format!("advance_size: {size}"));
        }
        let (elements, policy) = match p.capacity {
            Some((n, Policy::Error)) => (n, " or error"),
            Some((n, Policy::Evict)) => (n, " or evict"),
            // what is put out again and again waits for its turn each time
            None if p.clear.is_some() || p.advance.as_ref().is_some_and(|(_, size)| *size == 0) => (1024, ""),
            None => (160, ""),
        };
        let keys = if p.partition.is_empty() { "" } else { ", 24 keys" };
        add(format!("capacity: {elements} elements{keys}{policy}"));
        let fold = |f: &Fold| {
            let of = f.attribute.as_ref().map_or("*", |(a, _)| a.as_str());
            format!("{}: {}({of})", f.name, spelled(f.aggregate))
        };
        let folds: Vec<String> = p.folds.iter().map(fold).collect();
        let agg = if folds.is_empty() { String::new() } else { format!(" agg {{ {} }}", folds.join(", ")) };
        // many keys are too much for a machine without a heap
        let storage = if p.partition.is_empty() && elements < 1024 { "" } else { " storage boxed" };
        let item = format!("window {name} on E::X = predicate {{ {} }}{agg}{storage};", parts.join(", "));
        PredicateCase { item, parameters }
    }
}

/// What a window is told: elements in order of time, now and then one that is late, heartbeats, the end.
#[must_use]
pub fn steps(r: &mut Random, n: usize) -> Vec<Step> {
    let (mut now, mut out) = (r.below(5) as i128, Vec::new());
    let keys = r.between(1, 4);
    let quiet = r.percent(30);
    for _ in 0..n {
        match r.below(100) {
            0..=5 => {
                now += r.below(6) as i128;
                out.push(Step::Heartbeat(now));
            }
            6..=9 => {
                now += r.below(6) as i128;
                out.push(Step::Advance(now));
            }
            10 => out.push(Step::Advance(now - 1)),
            11 => out.push(Step::Heartbeat(now - 1)),
            13..=16 => {
                now += r.below(6) as i128;
                out.push(Step::Beside(Some(now)));
            }
            17 => out.push(Step::Beside(Some(now - 1))),
            18 => out.push(Step::Beside(None)),
            12 => out.push(Step::Push { time: now - 1, attributes: attributes(r, now - 1, keys) }),
            _ => {
                now += *r.pick(if quiet { &[0, 1, 1, 2, 5, 9] } else { &[0, 1, 1, 1, 1, 2] });
                out.push(Step::Push { time: now, attributes: attributes(r, now, keys) });
            }
        }
    }
    if r.percent(80) {
        out.push(Step::Finish);
        if r.percent(20) {
            out.push(Step::Push { time: now + 1, attributes: attributes(r, now + 1, keys) });
        }
    }
    out
}

/// The attributes of an element.
pub fn attributes(r: &mut Random, time: i128, keys: usize) -> Attributes {
    let n = if r.percent(30) { Value::Null } else { Value::Int(r.below(5) as i128) };
    let values = [
        ("t", Value::Int(time)),
        ("key", Value::Int(r.below(keys) as i128)),
        ("zone", Value::Int(r.below(2) as i128)),
        ("v", Value::Int(r.below(5) as i128)),
        ("n", n),
        ("s", Value::Bool(r.percent(45))),
        ("e", Value::Bool(r.percent(25))),
        ("c", Value::Bool(r.percent(15))),
        ("a", Value::Bool(r.percent(50))),
    ];
    values.into_iter().map(|(k, v)| (k.to_owned(), v)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::predicate::{Reason, run};

    #[test]
    fn every_reason_port_and_refusal_occurs() {
        let mut r = Random::new(3);
        let (mut reasons, mut ports, mut refusals) =
            (std::collections::BTreeMap::<_, usize>::new(), std::collections::BTreeSet::new(), 0);
        for _ in 0..400 {
            let case = PredicateCase::new(&mut r);
            for _ in 0..3 {
                let (out, refused) = run(&case.parameters, &steps(&mut r, 24));
                refusals += refused.len();
                for o in out {
                    *reasons.entry(o.reason).or_default() += 1;
                    ports.insert(o.port);
                }
            }
        }
        for reason in [Reason::End, Reason::MaxTime, Reason::Idle, Reason::Heartbeat, Reason::EndOfStream] {
            assert!(reasons.get(&Some(reason)).is_some_and(|n| *n > 50), "{reasons:?}");
        }
        assert_eq!(ports.into_iter().collect::<Vec<_>>(), [0, 1, 2, 3]);
        assert!(refusals > 50, "{refusals}");
    }
}

//! Windows of other kinds, written as predicate windows, each with a model of its own.
use crate::condition::{Condition, Leaf, Place, Term};
use crate::predicate::{Parameters, Step};

/// A window's elements by position, its end, and the step that gives it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plain {
    /// Positions.
    pub members: Vec<u64>,
    /// The end.
    pub end: i128,
    /// The step.
    pub at: usize,
}

/// A kind of window.
#[derive(Clone, Debug)]
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    /// Written as a predicate window; with `nesting`, so one output is one window.
    pub parameters: Parameters,
    /// Its own definition.
    pub direct: fn(&[Step]) -> Vec<Plain>,
}

/// An element: step, position, time.
type Element = (usize, u64, i128);

fn elements(steps: &[Step]) -> Vec<Element> {
    let mut out = Vec::new();
    for (at, s) in steps.iter().enumerate() {
        if let Step::Push { time, .. } = s {
            out.push((at, out.len() as u64, *time));
        }
    }
    out
}

/// The last window, if the stream ends.
fn flush(steps: &[Step], open: &[Element], out: &mut Vec<Plain>) {
    if let (Some(Step::Finish), Some(now)) = (steps.last(), now(steps)) {
        close(open, now + 1, steps.len() - 1, out);
    }
}

fn now(steps: &[Step]) -> Option<i128> {
    let time = |s: &Step| match s {
        Step::Push { time, .. } | Step::Advance(time) | Step::Heartbeat(time) => Some(*time),
        Step::Beside(time) => *time,
        Step::Finish => None,
    };
    steps.iter().filter_map(time).max()
}

/// All elements start with the first, so none is left out unless all are.
fn close(open: &[Element], end: i128, at: usize, out: &mut Vec<Plain>) {
    if open.first().is_some_and(|first| first.2 < end) {
        out.push(Plain { members: open.iter().map(|e| e.1).collect(), end, at });
    }
}

/// Groups that end in front of the first element that does not belong.
fn grouped(steps: &[Step], belongs: fn(&[Element], &Element) -> bool) -> Vec<Plain> {
    let (mut out, mut open): (Vec<Plain>, Vec<Element>) = (Vec::new(), Vec::new());
    for e in elements(steps) {
        if !open.is_empty() && !belongs(&open, &e) {
            close(&open, e.2, e.0, &mut out);
            open.clear();
        }
        open.push(e);
    }
    flush(steps, &open, &mut out);
    out
}

fn tumbling(steps: &[Step]) -> Vec<Plain> {
    grouped(steps, |open, _| open.len() < 3)
}

/// From the first element on, so long.
fn time(steps: &[Step]) -> Vec<Plain> {
    grouped(steps, |open, e| e.2 - open[0].2 < 6)
}

fn session(steps: &[Step]) -> Vec<Plain> {
    grouped(steps, |open, e| e.2 - open[open.len() - 1].2 < 4)
}

/// The last four, every second element.
fn sliding(steps: &[Step]) -> Vec<Plain> {
    let all = elements(steps);
    let mut out = Vec::new();
    let mut from = 0;
    while from + 4 < all.len() {
        let next = all[from + 4];
        close(&all[from..from + 4], next.2, next.0, &mut out);
        from += 2;
    }
    flush(steps, &all[from.min(all.len())..], &mut out);
    out
}

/// Everything since the first element with `s`.
fn landmark(steps: &[Step]) -> Vec<Plain> {
    let mut open = Vec::new();
    for e in elements(steps) {
        let Step::Push { attributes, .. } = &steps[e.0] else { continue };
        if !open.is_empty() || attributes.get("s") == Some(&cep_oracle::Value::Bool(true)) {
            open.push(e);
        }
    }
    let mut out = Vec::new();
    flush(steps, &open, &mut out);
    out
}

/// All kinds. The parameters that they are written with stand in their direct models too.
#[must_use]
pub fn kinds() -> Vec<Kind> {
    let nested = |start: Condition, end: Condition| Parameters {
        end: Some(end),
        same_start_time: true,
        nesting: true,
        ..Parameters::new(start)
    };
    let at_least = |a: Term, n: i64| Condition::of(Leaf::Compare(a, ">=", Term::Literal(n)));
    let since = |place| {
        let t = |p| Box::new(Term::Attribute(p, "t".to_owned()));
        Term::Minus(t(Place::Here), t(place))
    };
    let never = || Condition::of(Leaf::Constant(false));
    let kind = |name, parameters, direct| Kind { name, parameters, direct };
    vec![
        kind("Tumbling", nested(Condition::always(), at_least(Term::Len, 3)), tumbling),
        kind("Time", nested(Condition::always(), at_least(since(Place::First), 6)), time),
        kind("Session", nested(Condition::always(), at_least(since(Place::Last), 4)), session),
        kind("SessionIdle", Parameters { idle: Some(4), ..nested(Condition::always(), never()) }, session),
        kind(
            "Sliding",
            Parameters {
                advance: Some((Condition::always(), 2)),
                ..nested(Condition::always(), at_least(Term::Len, 4))
            },
            sliding,
        ),
        kind("Landmark", nested(Condition::flag("s"), never()), landmark),
    ]
}

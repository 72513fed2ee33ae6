//! How long a match can be.
//!
//! A pattern that has no window of its own has that of its branches, where each has one, or is a single event. And no window need be longer
//! than the longest match: `A : B within 1000 events` looks back one event.
use super::clauses;
use crate::ast::{Formula, FormulaKind, Operator, Within};
use crate::diagnostic::{Code, Diagnostics, Loc};
use crate::hir::{Amount, Clock, Window};
use crate::schema::Schema;

/// How long a match can be.
enum Extent {
    /// One event.
    One,
    /// Inside this window.
    Within(Window),
}

/// The longest window of the branches; `None` where some branch has none, or where two measure differently. Those inside stay conditions.
pub(super) fn extent(
    f: &Formula,
    clock: Option<&Clock>,
    schema: &Schema,
    d: &mut Diagnostics,
) -> Option<Window> {
    match of(f, clock, schema, d)? {
        Extent::Within(w) => Some(w),
        Extent::One => None,
    }
}

fn of(f: &Formula, clock: Option<&Clock>, schema: &Schema, d: &mut Diagnostics) -> Option<Extent> {
    match &f.kind {
        FormulaKind::Type(_) => Some(Extent::One),
        FormulaKind::As { inner, .. }
        | FormulaKind::Filter { inner, .. }
        | FormulaKind::Select { inner, .. }
        | FormulaKind::Iterate { inner, maximum: Some(1), .. } => of(inner, clock, schema, d),
        FormulaKind::Within { inner, bound, word } => match of(inner, clock, schema, d) {
            Some(Extent::One) => Some(Extent::One),
            _ => clauses::window(bound, word.to(f.loc), clock, schema, d).map(Extent::Within),
        },
        FormulaKind::Or { parts, .. } => {
            let mut longest = Extent::One;
            for p in parts {
                longest = longer(longest, of(p, clock, schema, d)?)?;
            }
            Some(longest)
        }
        _ => None,
    }
}

fn longer(a: Extent, b: Extent) -> Option<Extent> {
    let (a, b) = match (a, b) {
        (Extent::One, x) | (x, Extent::One) => return Some(x),
        (Extent::Within(a), Extent::Within(b)) => (a, b),
    };
    Some(Extent::Within(match (a, b) {
        (Window::Events(a), Window::Events(b)) => Window::Events(a.max(b)),
        (Window::Partition(a), Window::Partition(b)) => Window::Partition(a.max(b)),
        (Window::Clock(Amount::Int(a)), Window::Clock(Amount::Int(b))) => {
            Window::Clock(Amount::Int(a.max(b)))
        }
        (Window::Clock(Amount::Float(a)), Window::Clock(Amount::Float(b))) => {
            Window::Clock(Amount::Float(a.max(b)))
        }
        _ => return None,
    }))
}

/// The window, no longer than a match can be. `keyed`: there is a partition, and neighbours are those of the key.
pub(super) fn shortened(window: Window, f: &Formula, keyed: bool) -> Window {
    match window {
        Window::Events(w) => Window::Events(longest(f, !keyed).map_or(w, |n| n.min(w))),
        Window::Partition(w) => Window::Partition(longest(f, true).map_or(w, |n| n.min(w))),
        w => w,
    }
}

/// Most events of the stream that a match spans, where its window is in time; `None`: no bound.
pub(super) fn reach(window: &Window, f: &Formula, keyed: bool) -> Option<u64> {
    match window {
        Window::Clock(_) => longest(f, !keyed),
        _ => None,
    }
}

/// Most events from the first of a match to its last, whatever lies between included; `None`: no bound. `of_key`: the events that count are
/// those of the match's key (all of them where there is no partition), so that `:` leaves none out.
fn longest(f: &Formula, of_key: bool) -> Option<u64> {
    match &f.kind {
        FormulaKind::Type(_) => Some(1),
        FormulaKind::As { inner, .. }
        | FormulaKind::Filter { inner, .. }
        | FormulaKind::Aggregate { inner, .. }
        | FormulaKind::Project { inner, .. }
        | FormulaKind::Select { inner, .. } => longest(inner, of_key),
        FormulaKind::Within { inner, bound, .. } => {
            let most = longest(inner, of_key);
            match bound {
                Within::Events { count, of_partition } if of_key || !of_partition => {
                    Some(most.map_or(*count, |n| n.min(*count)))
                }
                _ => most,
            }
        }
        FormulaKind::Sequence { left, gap, right } => {
            if !of_key || gap.operator != Operator::Strict || !gap.negations.is_empty() {
                return None;
            }
            longest(left, of_key)?.checked_add(longest(right, of_key)?)
        }
        FormulaKind::Iterate { inner, operator, maximum, .. } => {
            let (times, most) = (u64::from((*maximum)?), longest(inner, of_key)?);
            if times > 1 && !(of_key && *operator == Operator::Strict) {
                return None;
            }
            most.checked_mul(times.max(1))
        }
        FormulaKind::Or { parts, .. } => {
            let mut most = 1;
            for p in parts {
                most = longest(p, of_key)?.max(most);
            }
            Some(most)
        }
        FormulaKind::TrailingNot { .. } | FormulaKind::All { .. } | FormulaKind::Without { .. } => None,
    }
}

/// A window that holds fewer events than what stands in it.
pub(super) fn too_short(loc: Loc, steps: u64, window: u64, d: &mut Diagnostics) {
    d.error(
        Code::Unsatisfiable,
        loc,
        format!("this pattern can match nothing: it has {steps} events, and its window holds {window}"),
    )
    .help(format!("write `within {steps} events` or more"));
}

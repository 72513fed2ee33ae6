//! The window of a pattern that has none of its own, where each of its branches has one, or is a single event.
use super::clauses;
use crate::ast::{Formula, FormulaKind};
use crate::diagnostic::Diagnostics;
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

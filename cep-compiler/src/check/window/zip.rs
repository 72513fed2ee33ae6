//! `zip(…)`: windows and attributes of one source, joined by their number.
//!
//! The join has the least interval D of its parts' Dᵢ, and its record n holds record ⌊n·D/Dᵢ⌋ of each. Its origin is the first n for which
//! each part has that record: max ⌈Oᵢ·Dᵢ/D⌉; its tail is the longest, counted in D: max ⌈(1 + Wᵢ)·Dᵢ/D⌉ - 1.
use super::{agse, attribute, reduced, too_large};
use crate::ast;
use crate::diagnostic::{Code, Diagnostics, Loc};
use crate::hir::window::{Branch, BranchKind, Pairing, Zip};
use crate::schema::{EventType, Timing};
use crate::slices::any;
use proc_macro2::Ident;

/// A part whose place in the join is not computed yet.
struct Part {
    branch: Branch,
    timing: Timing,
    loc: Loc,
}

/// Checks the parts of a join.
pub(super) fn zip(
    branches: &[ast::Branch],
    at: Loc,
    of: &EventType,
    source: Timing,
    d: &mut Diagnostics,
) -> Option<Zip> {
    let before = d.list().len();
    let mut parts: Vec<Part> = Vec::new();
    let mut windows = 0;
    for branch in branches {
        let (name, kind, timing, loc) = match branch {
            ast::Branch::Window(a, name) => {
                windows += 1;
                let Some(elements) = agse::elements(a, of, d) else { continue };
                let Some((shape, timing)) = agse::shape(a, elements.count, source, d) else { continue };
                let name = name.clone().unwrap_or_else(|| Ident::new("values", a.word.first));
                (name, BranchKind::Window(elements, shape), timing, a.size)
            }
            ast::Branch::Field(field, name) => {
                let Some(n) = attribute(field, of, d) else { continue };
                if !of.attributes[n].kept {
                    d.error(Code::NotKept, field.span(), format!("`{field}` cannot be kept after its event"))
                        .help("leave it out, or make it `Copy`");
                    continue;
                }
                let name = name.clone().unwrap_or_else(|| crate::schema::joined::flat(field));
                (name, BranchKind::Field(n), source, field.span().into())
            }
        };
        if any(&parts, |p| p.branch.name == name) {
            d.error(Code::FieldClash, loc, format!("two fields of the record would be called `{name}`"))
                .help("give one of them another name: `agse(value) @ (1, 3) as taps`");
            continue;
        }
        parts.push(Part { branch: Branch { name, kind, pairing: Pairing::default() }, timing, loc });
    }
    if d.list().len() > before {
        return None;
    }
    if windows == 0 || parts.len() < 2 {
        d.error(Code::Syntax, at, "a join is of a window and something else")
            .help("write `zip(agse(value) @ (1, 3), value)`");
        return None;
    }
    let Some(timing) = joined(&mut parts) else {
        too_large(at, "the number of the first record of a join, its tail or a ratio of intervals", d);
        return None;
    };
    // what a part lags behind its source, at least
    let mut least = (u128::MAX, 1);
    for p in &parts {
        let (lag, flat) = lag(&p.branch.kind, source);
        let (a, b) = least;
        if a == u128::MAX || u128::from(lag) * b < a * u128::from(flat) {
            least = (lag.into(), flat.into());
        }
    }
    let mut out = Vec::new();
    for mut p in parts {
        if place(&mut p.branch, timing.origin, source, least).is_none() {
            too_large(p.loc, "the place of a part in its join", d);
            return None;
        }
        if p.branch.pairing.slots > agse::MOST {
            let (most, slots) = (agse::MOST, p.branch.pairing.slots);
            d.error(
                Code::TooLarge,
                p.loc,
                format!("this join keeps {slots} elements of `{}`, more than {most}", p.branch.name),
            )
            .note("the elements of a quicker or earlier part wait for those of the slowest")
            .help("use a smaller delay, hop or width");
            return None;
        }
        out.push(p.branch);
    }
    Some(Zip { branches: out, timing })
}

/// When the records of the join come, and how its parts step along; `None`: something overflows.
fn joined(parts: &mut [Part]) -> Option<Timing> {
    let interval = |t: &Timing| (u128::from(t.numerator), u128::from(t.denominator));
    let mut least = parts.first()?.timing;
    for p in &*parts {
        let ((a, b), (c, e)) = (interval(&p.timing), interval(&least));
        if a * e < c * b {
            least = p.timing;
        }
    }
    let (mut origin, mut tail) = (0, 0);
    for p in parts {
        // Dᵢ/D = whole/step
        let (whole, x) = reduced(p.timing.numerator, least.numerator);
        let (y, step) = reduced(least.denominator, p.timing.denominator);
        let (whole, step) = (whole.checked_mul(y)?, x.checked_mul(step)?);
        let (whole, step) = reduced(whole, step);
        p.branch.pairing.whole = whole;
        p.branch.pairing.step = step;
        let scaled = |n: u128| {
            let slots = n.checked_mul(whole.into())?.div_ceil(step.into());
            u64::try_from(slots).ok()
        };
        origin = scaled(p.timing.origin.into())?.max(origin);
        tail = (scaled(u128::from(p.timing.tail) + 1)? - 1).max(tail);
    }
    Some(Timing { origin, tail, numerator: least.numerator, denominator: least.denominator })
}

/// By how many elements a part's record n is behind record n·Dᵢ of the source, and how many elements that has.
fn lag(kind: &BranchKind, source: Timing) -> (u64, u64) {
    match kind {
        BranchKind::Window(e, shape) => {
            (shape.late.saturating_add(shape.begin - source.origin * e.count), e.count)
        }
        BranchKind::Field(_) => (0, 1),
    }
}

/// Where a part is in front of the first record, and how many elements it keeps; `None`: something overflows.
fn place(branch: &mut Branch, origin: u64, source: Timing, least: (u128, u128)) -> Option<()> {
    let (lag, flat) = lag(&branch.kind, source);
    let (hop, begin, late, width) = match &branch.kind {
        BranchKind::Window(_, shape) => (shape.hop, shape.begin, shape.late, shape.width),
        BranchKind::Field(_) => (1, source.origin, 0, 1),
    };
    let pairing = &mut branch.pairing;
    let (step, whole) = (pairing.step, pairing.whole);
    let way = u128::from(origin) * u128::from(step);
    pairing.rest = u64::try_from(way % u128::from(whole)).ok()?;
    pairing.hop = i64::try_from(hop).ok()?;
    // the newest element of the first record that is needed, counted from the source's first one; delays are in `begin` and `late`
    let end = (way / u128::from(whole)).checked_mul(hop.into())?;
    let end = i128::try_from(end).ok()? - i128::from(late);
    pairing.ahead = i64::try_from(i128::from(begin) - 1 - end).ok()?;
    // between two of its own records, and behind the part that comes last, which lags by `least` of the source's records
    let between = hop - hop.div_ceil(whole);
    let sooner = u64::try_from(least.0.checked_mul(flat.into())? / least.1).ok()?;
    let back = (lag - sooner).checked_add(between)?.checked_add(flat - 1)?;
    pairing.slots = back.checked_add(width)?;
    Some(())
}

/// A join has no folds of its own: says how its records are folded.
pub(super) fn folded(w: &ast::Window, folds: &ast::Folds, z: &Zip, of: &EventType, d: &mut Diagnostics) {
    let (mut names, mut width) = (Vec::new(), 0);
    for b in &z.branches {
        names.push(b.name.to_string());
        width += match &b.kind {
            BranchKind::Window(_, shape) => shape.width,
            BranchKind::Field(n) => of.attributes[*n].length.unwrap_or(1),
        };
    }
    let (name, names) = (&w.name, names.join(", "));
    d.error(Code::Syntax, folds.word, "a join has no folds of its own")
        .note("`agg` folds the elements of one window")
        .help(format!(
            "fold its records as a stream of elements: `window Flat on {name} = agse({names}) @ (1, 1); window Folded on Flat = \
             agse(values) delay 1 @ ({width}, {width}) agg {{ … }}` has the folds of record n in record n + 1; or give each window an item \
             of its own, with `agg`"
        ));
}

//! `window` items: names resolved, sizes computed, every rule of the language checked.
//!
//! In: an `ast::Window` and the schema of its stream. Out: a `hir::window::Window`. The formulas (origin, tail, interval) are those of AGSE
//! `stream@(k, w)` as its authors give them: the grid of windows is anchored at element 0, window n ends at element n·k.
mod agse;
mod conditions;
mod folds;
mod predicate;
mod stand_in;
mod zip;

pub use stand_in::stand_in;

use crate::ast::{self, WindowBody};
use crate::diagnostic::{Code, Diagnostics, Loc};
use crate::hir::window::{Window, WindowKind};
use crate::schema::{EventType, Schema, Timing};
use crate::slices::{each, position};
use proc_macro2::Ident;

/// Checks a window; `None`: reported.
pub fn check(w: &ast::Window, schema: &Schema, diagnostics: &mut Diagnostics) -> Option<Window> {
    let kind = match &w.body {
        WindowBody::Agse(a) => {
            let ty = one_type(w, schema, diagnostics)?;
            let source = source(w, schema, diagnostics)?;
            let checked = agse::agse(a, w.folds.as_ref(), &schema.types[ty], source, diagnostics)?;
            return Some(window(w, schema, vec![ty], WindowKind::Agse(checked)));
        }
        WindowBody::Zip(branches, at) => {
            let ty = one_type(w, schema, diagnostics)?;
            let source = source(w, schema, diagnostics)?;
            let checked = zip::zip(branches, *at, &schema.types[ty], source, diagnostics)?;
            if let Some(folds) = &w.folds {
                zip::folded(w, folds, &checked, &schema.types[ty], diagnostics);
                return None;
            }
            return Some(window(w, schema, vec![ty], WindowKind::Zip(checked)));
        }
        WindowBody::Predicate(p) => p,
    };
    let types = match &w.event_type {
        Some(name) => vec![event_type(name, schema, diagnostics)?],
        None => (0..schema.types.len()).collect(),
    };
    if let Some(i) = w.interval {
        diagnostics
            .error(Code::NoClock, i.loc, "a predicate window goes by the time of its elements")
            .help("leave `interval` out");
        return None;
    }
    let checked = predicate::predicate(kind, w.folds.as_ref(), schema, &types, w.on.loc, diagnostics)?;
    if w.folds.is_none() && !schema.covers(&w.visibility) {
        let (name, of) = (&w.name, &schema.name);
        diagnostics
            .error(
                Code::NotSupported,
                Loc::of(&w.visibility),
                format!("`{name}` may be seen where `{of}` is private, and its elements are what is kept of `{of}`"),
            )
            .note("rustc lets no type be read through one that is seen farther than itself")
            .help(format!("write `window {name}` without a visibility, or make `{of}` `pub`"));
        return None;
    }
    Some(window(w, schema, types, WindowKind::Predicate(Box::new(checked))))
}

fn window(w: &ast::Window, schema: &Schema, types: Vec<usize>, kind: WindowKind) -> Window {
    Window {
        attributes: w.attributes.clone(),
        visibility: w.visibility.clone(),
        name: w.name.clone(),
        on: w.on.tokens.clone(),
        schema: schema.clone(),
        types,
        boxed: w.boxed,
        kind,
        loc: w.loc,
        stand_in: false,
    }
}

/// The one event type that the window looks at.
fn one_type(w: &ast::Window, schema: &Schema, d: &mut Diagnostics) -> Option<usize> {
    let of = &schema.name;
    match &w.event_type {
        Some(name) => event_type(name, schema, d),
        None if schema.types.len() == 1 => Some(0),
        None => {
            let example =
                schema.types.first().map_or_else(|| of.to_string(), |t| format!("{of}::{}", t.name));
            d.error(Code::UnknownType, w.on.loc, format!("`{of}` has several event types: which one?"))
                .note_names("it has {}", names(schema))
                .help(format!("write `on {example}`"));
            None
        }
    }
}

fn names(schema: &Schema) -> Vec<String> {
    each(&schema.types, |t| t.name.to_string())
}

/// The number of a named event type.
fn event_type(name: &Ident, schema: &Schema, d: &mut Diagnostics) -> Option<usize> {
    if let Some(n) = position(&schema.types, |t| t.name == *name) {
        return Some(n);
    }
    d.error(Code::UnknownType, name.span(), format!("`{}` has no event type `{name}`", schema.name))
        .help_among(name, names(schema), "it has {}");
    None
}

/// The number of a named attribute.
fn attribute(name: &Ident, of: &EventType, d: &mut Diagnostics) -> Option<usize> {
    if let Some(n) = position(&of.attributes, |a| a.name == *name) {
        return Some(n);
    }
    let e = d.error(Code::UnknownAttribute, name.span(), format!("`{}` has no attribute `{name}`", of.name));
    if let Some(why) = super::nested::absent(of, name) {
        e.note(why);
    }
    e.help_among(name, of.attribute_names(), "it has {}");
    None
}

/// When the records of the source come: as the window that it is says, or from 0 on at the declared interval.
fn source(w: &ast::Window, schema: &Schema, d: &mut Diagnostics) -> Option<Timing> {
    match (schema.timing, w.interval) {
        (Some(_), Some(i)) => {
            d.error(Code::NoClock, i.loc, format!("the window `{}` has an interval of its own", schema.name))
                .help("leave `interval` out");
            None
        }
        (Some(timing), None) => Some(timing),
        (None, i) => {
            let (n, m) = i.map_or((1, 1), |i| reduced(i.numerator, i.denominator));
            Some(Timing { origin: 0, tail: 0, numerator: n, denominator: m })
        }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// A fraction in lowest terms; what is below the line is not zero.
fn reduced(a: u64, b: u64) -> (u64, u64) {
    let g = gcd(a, b).max(1);
    (a / g, b / g)
}

/// A number beyond 64 bits.
fn too_large(at: Loc, what: &str, d: &mut Diagnostics) {
    d.error(Code::TooLarge, at, format!("{what} is beyond 64 bits"))
        .help("use a smaller hop, width, delay or interval");
}

//! What stands for a `window` item with an error: the item with what is wrong left out or read as what was probably meant, so that its
//! methods, its constants and the fields of its records are there for whoever uses them.
//!
//! Nothing is reported here, and it is never run: the error ends the build.
use super::{agse, check, folds, predicate};
use crate::ast::{self, Agse, Branch, FoldArgument, Folds, Predicate, WindowBody};
use crate::diagnostic::Diagnostics;
use crate::hir::window::Window;
use crate::nearest::nearest;
use crate::schema::{EventType, Schema};
use crate::slices::{any, each, find, position};
use proc_macro2::{Ident, Span};

/// The window as far as it can be made out.
pub fn stand_in(w: &mut ast::Window, schema: &Schema) -> Option<Window> {
    if schema.timing.is_some() {
        w.interval = None;
    }
    if let Some(name) = &mut w.event_type
        && !any(&schema.types, |t| t.name == *name)
    {
        *name = near(name, &each(&schema.types, |t| t.name.to_string()))?;
    }
    if w.event_type.is_none() && schema.types.len() > 1 && !matches!(w.body, WindowBody::Predicate(_)) {
        w.event_type = Some(schema.types.first()?.name.clone());
    }
    let named = w.event_type.as_ref().and_then(|name| position(&schema.types, |t| t.name == *name));
    let first = schema.types.get(named.unwrap_or(0))?;
    match &mut w.body {
        WindowBody::Agse(a) => {
            of_agse(a, first);
            let mut silent = Diagnostics::default();
            let elements = agse::elements(a, first, &mut silent)?;
            if let Some(f) = &mut w.folds {
                of_folds(f, |f, d| folds::fold(f, None, &elements.kind, elements.nullable, "", d).is_some());
            }
        }
        WindowBody::Zip(parts, _) => {
            w.folds = None;
            for part in parts {
                match part {
                    Branch::Window(a, _) => of_agse(a, first),
                    Branch::Field(name, _) => of_attribute(name, first),
                }
            }
        }
        WindowBody::Predicate(p) => {
            w.interval = None;
            let types = match named {
                Some(n) => vec![n],
                None => (0..schema.types.len()).collect(),
            };
            of_predicate(p, w.folds.as_mut(), schema, &types);
        }
    }
    let mut window = check(w, schema, &mut Diagnostics::default())?;
    window.stand_in = true;
    Some(window)
}

/// The name that was meant, at the place of the one written.
fn near(written: &Ident, all: &[String]) -> Option<Ident> {
    let name = nearest(&written.to_string(), all).map(str::to_string).or_else(|| all.first().cloned())?;
    crate::syntax::name(&name)
}

fn of_attribute(name: &mut Ident, of: &EventType) {
    if !any(&of.attributes, |a| a.name == *name)
        && let Some(near) = nearest(&name.to_string(), &of.attribute_names())
        && let Some(a) = find(&of.attributes, |a| a.name == near)
    {
        *name = a.name.clone();
    }
}

/// Elements that there are, of one type, and a window of some size.
fn of_agse(a: &mut Agse, of: &EventType) {
    a.hop = a.hop.max(1);
    if a.width == 0 || a.width.unsigned_abs() > agse::MOST {
        a.width = 1;
    }
    let fits = |a: &Agse| agse::elements(a, of, &mut Diagnostics::default()).is_some();
    if fits(a) {
        return;
    }
    let mut listed = a.elements.take().unwrap_or_default();
    for e in &mut listed {
        of_attribute(&mut e.attribute, of);
    }
    listed.retain(|e| agse::source(e, a, of, &mut Diagnostics::default()).is_some());
    a.elements = (!listed.is_empty()).then_some(listed);
    if !fits(a) {
        a.cast = Some(Ident::new("f64", a.word.first));
    }
}

/// What cannot be folded is counted.
fn of_folds(folds: &mut Folds, fits: impl Fn(&ast::WindowFold, &mut Diagnostics) -> bool) {
    let mut i = 0;
    while i < folds.fields.len() {
        if any(&folds.fields[..i], |f| f.name == folds.fields[i].name) {
            folds.fields.remove(i);
            continue;
        }
        let f = &mut folds.fields[i];
        if !fits(f, &mut Diagnostics::default()) {
            f.function = Ident::new("count", f.function.span());
            f.monoid = None;
            if f.argument != FoldArgument::Elements {
                f.argument = FoldArgument::Events;
            }
        }
        i += 1;
    }
}

/// Conditions and parameters say nothing of what comes out; the key and the folds do.
fn of_predicate(p: &mut Predicate, given: Option<&mut Folds>, schema: &Schema, types: &[usize]) {
    let loc = p.word;
    let always = syn::LitBool::new(true, Span::call_site());
    p.start = Some(ast::Clause {
        value: syn::Expr::Lit(syn::ExprLit { attrs: Vec::new(), lit: syn::Lit::Bool(always) }),
        loc,
    });
    (p.end, p.clear, p.advance_when, p.advance_size) = (None, None, None, None);
    (p.max_time, p.idle, p.max_time_port, p.idle_port, p.output_if_max_time) = (None, None, None, None, None);
    let some = |n: Option<u64>| n.filter(|n| *n > 0 && *n <= 1 << 16).or(Some(16));
    let (events, keys, evict) = match p.capacity.take() {
        Some(c) => (some(c.value.events), some(c.value.keys), c.value.evict),
        None => (Some(16), Some(16), false),
    };
    p.capacity = Some(ast::Clause { value: ast::Capacity { events, keys, runs: None, evict }, loc });
    if given.is_some() {
        p.nesting = None;
    }
    let scope = predicate::scope(schema, types);
    if let Some(names) = p.partition.as_mut().map(|c| &mut c.value) {
        let mut kept: Vec<Ident> = Vec::new();
        for name in names.drain(..) {
            if !kept.contains(&name)
                && predicate::key_of(&name, &scope, &mut Diagnostics::default()).is_some()
            {
                kept.push(name);
            }
        }
        *names = kept;
    }
    if p.partition.as_ref().is_some_and(|c| c.value.is_empty()) {
        p.partition = None;
    }
    let keys = p.partition.as_ref().map_or(&[] as &[Ident], |c| &c.value);
    if let Some(folds) = given {
        folds.worst_case = None;
        folds.fields.retain(|f| !keys.contains(&f.name) && !f.name.to_string().starts_with("__"));
        of_folds(folds, |f, d| predicate::fold_of(f, &scope, d).is_some());
    }
}

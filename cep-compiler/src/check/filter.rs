//! Conditions: split into conjuncts and disjuncts, names resolved, types compared, impurity refused.
//!
//! A conjunct is split at top-level `&&`, a disjunct at top-level `||`; parentheses around a whole one are transparent. What rustc
//! would say of a filter in words of the generated code is said here in the user's, as far as types are known.
use super::lower::{Held, Lowering, Part};
use super::types::Ty;
use super::walk::Walk;
use crate::ast::Condition;
use crate::diagnostic::{Code, Diagnostics, Loc};
use crate::hir::{Conjunct, Disjunct, LoopId, Region, Step};
use crate::slices::{all, any, pick};
use syn::{BinOp, Expr};

/// A filter's place: the formula it follows, and what is bound to the left.
pub(crate) struct Filter<'a> {
    pub(crate) pass: &'a Lowering<'a>,
    pub(crate) part: &'a Part,
}

/// What a variable's name means in a filter.
pub(crate) struct Meaning<'a> {
    pub(crate) held: &'a Held,
    pub(crate) inside: bool,
    /// Only the current repetition of these.
    pub(crate) loops: Vec<LoopId>,
}

impl Filter<'_> {
    /// The events a variable stands for: those inside the formula if it binds any there, else those to the left. `Err`: bound there on some
    /// ways only, with the branch that leaves it out.
    pub(crate) fn meaning(&self, variable: usize) -> Option<Result<Meaning<'_>, String>> {
        if let Some(held) = self.part.binds.get(&variable) {
            return Some(Ok(Meaning { held, inside: true, loops: self.part.scope.loops.clone() }));
        }
        let layers = &self.pass.layers;
        let mut found = None;
        for (i, l) in layers.iter().enumerate() {
            if let Some(held) = l.left.get(&variable) {
                found = Some((i, held));
            }
        }
        let (at, held) = found?;
        if !held.definite {
            return Some(Err(held.missing.clone().unwrap_or_else(|| "a branch of an `or`".into())));
        }
        let loops = pick(&layers[..=at], |l| l.id);
        Some(Ok(Meaning { held, inside: false, loops }))
    }
}

/// The conjuncts of one filter; those with an error are left out and reported.
pub(crate) fn conjuncts(
    condition: &Condition,
    filter: &Filter<'_>,
    diagnostics: &mut Diagnostics,
) -> Vec<Conjunct> {
    let mut parts = Vec::new();
    split(&condition.expr, &BinOp::And(Default::default()), &mut parts);
    if super::hints::has_let(&parts, diagnostics) {
        return Vec::new();
    }
    let mut conjuncts = Vec::new();
    for &e in &parts {
        if let Some(c) = super::implied::of(e, filter) {
            conjuncts.push(c);
        }
        if let Some(c) = conjunct(e, filter, diagnostics) {
            conjuncts.push(c);
        }
    }
    conjuncts
}

pub(super) fn conjunct(expr: &Expr, filter: &Filter<'_>, diagnostics: &mut Diagnostics) -> Option<Conjunct> {
    let loc = Loc::of(expr);
    let before = diagnostics.list().len();
    let mut parts = Vec::new();
    split(expr, &BinOp::Or(Default::default()), &mut parts);
    let mut walk = Walk::new(filter);
    let mut disjuncts = Vec::new();
    for &part in &parts {
        walk.opened.clear();
        walk.opened_folds.clear();
        let mut expr = part.clone();
        let ty = walk.expr(&mut expr, diagnostics);
        if !ty.may_be_bool() {
            let d = diagnostics.error(
                Code::NotBoolean,
                Loc::of(part),
                format!("a filter is a condition, but this is {}", ty.describe()),
            );
            match ty {
                Ty::Int(_) | Ty::Float(_) => d.help("compare it with something: `x.value > 3`"),
                _ => d.help("write a condition: a comparison, or a call that gives `bool`"),
            };
        }
        disjuncts.push(Disjunct {
            expr,
            opened: walk.opened.clone(),
            opened_folds: walk.opened_folds.clone(),
        });
    }
    if diagnostics.list().len() > before {
        return None;
    }
    if walk.reads.is_empty() && walk.parameters.is_empty() && walk.folds.is_empty() {
        diagnostics
            .error(
                Code::ConstantFilter,
                loc,
                "this condition is constant: it reads no variable and no parameter",
            )
            .note("every match would pass it, or none")
            .help("compare an attribute of a variable, as in `x.value > 3`, or leave it out");
        return None;
    }
    let step = step(&walk, filter);
    let scope = match computed_step(&mut walk, filter) {
        Some(id) => &filter.pass.aggregates[id.0].scope,
        None => &filter.part.scope,
    };
    Some(Conjunct {
        disjuncts,
        reads: walk.reads,
        folds: walk.folds,
        parameters: walk.parameters.into_vec(),
        scope: scope.clone(),
        step,
        cheap: walk.cheap,
        implied: false,
        loc,
    })
}

/// What reads one computed event belongs to its step: the end of the part that it is computed of.
fn computed_step(walk: &mut Walk<'_>, filter: &Filter<'_>) -> Option<crate::hir::AggregateId> {
    let [one] = &mut walk.reads[..] else { return None };
    let [only] = one.computed[..] else { return None };
    if !one.inside || !walk.folds.is_empty() || !matches!(one.region, Region::All(_)) {
        return None;
    }
    one.region = Region::All(filter.pass.aggregates[only.0].scope.loops.clone());
    Some(only)
}

/// When the conjunct is evaluated: as soon as what it reads is there for good.
fn step(walk: &Walk<'_>, filter: &Filter<'_>) -> Step {
    let plain = |r: &crate::hir::Read| r.inside && matches!(r.region, Region::All(_));
    let single = filter.part.scope.single;
    // a variable to the left whose event is there exactly where the filter's formula is: the condition belongs to its step
    let left = |r: &crate::hir::Read| {
        !r.inside && r.always && r.part == filter.pass.here() && matches!(r.region, Region::All(_))
    };
    let alone = |r: &crate::hir::Read| plain(r) || left(r);
    // two names of one event, which no iteration makes names of several
    let same = |r: &crate::hir::Read| {
        let Region::All(apart) = &r.region else { return false };
        if r.atoms.len() != 1 || r.atoms != walk.reads[0].atoms {
            return false;
        }
        for (i, l) in filter.pass.loops.iter().enumerate() {
            if l.atoms.contains(&r.atoms[0].0) && !apart.contains(&LoopId(i)) {
                return false;
            }
        }
        true
    };
    let computed = any(&walk.reads, |r| !r.computed.is_empty());
    let one_event = !computed && walk.reads.len() <= 1 || all(&walk.reads, same);
    if walk.folds.is_empty() && one_event && all(&walk.reads, alone) {
        return Step::Event;
    }
    let summary = walk.summaries
        || any(&walk.reads, |r| r.inside && matches!(r.region, Region::First(_) | Region::Last(_)));
    // a computed event is there when its part is complete
    let complete = any(&walk.reads, |r| r.inside && !r.computed.is_empty());
    if complete || (summary && !single) {
        Step::End
    } else if any(&walk.reads, plain) {
        Step::Join
    } else {
        Step::Entry
    }
}

/// The operands of a chain of `&&` or `||`, through parentheses and through the invisible groups of a user's own macros.
fn split<'e>(expr: &'e Expr, op: &BinOp, out: &mut Vec<&'e Expr>) {
    match (expr, op) {
        (Expr::Paren(p), _) => split_inside(&p.expr, expr, op, out),
        (Expr::Group(g), _) => split_inside(&g.expr, expr, op, out),
        (Expr::Binary(b), BinOp::And(_)) if matches!(b.op, BinOp::And(_)) => {
            split(&b.left, op, out);
            split(&b.right, op, out);
        }
        (Expr::Binary(b), BinOp::Or(_)) if matches!(b.op, BinOp::Or(_)) => {
            split(&b.left, op, out);
            split(&b.right, op, out);
        }
        _ => out.push(expr),
    }
}

/// Parentheses are looked through only where something is split inside; else the expression stays as written.
fn split_inside<'e>(inner: &'e Expr, whole: &'e Expr, op: &BinOp, out: &mut Vec<&'e Expr>) {
    let mut parts = Vec::new();
    split(inner, op, &mut parts);
    if parts.len() > 1 { out.append(&mut parts) } else { out.push(whole) }
}

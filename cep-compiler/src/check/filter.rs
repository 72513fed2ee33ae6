//! Conditions: split into conjuncts and disjuncts, names resolved, types compared, impurity refused.
//!
//! A conjunct is split at top-level `&&`, a disjunct at top-level `||`; parentheses around a whole one are transparent. What rustc
//! would say of a filter in words of the generated code is said here in the user's, as far as types are known.
use super::names::Names;
use super::types::{Ty, attribute_type, parameter_kind};
use super::walk::Walk;
use crate::ast::Condition;
use crate::diagnostic::{Code, Diagnostics, Loc};
use crate::hir::{AtomId, Conjunct, Disjunct};
use std::ops::Range;
use syn::{BinOp, Expr};

/// The names a filter can see: the atoms inside its formula, and those to the left of it.
pub(crate) struct Scope<'a> {
    pub(crate) names: &'a Names<'a>,
    /// The atoms of the formula that the filter follows.
    pub(crate) inside: Range<usize>,
}

impl Scope<'_> {
    /// The atoms that a variable's name means here: inside the formula if it binds any there, else to the left.
    pub(crate) fn atoms_of(&self, variable: usize) -> Vec<AtomId> {
        let all = &self.names.variables[variable].atoms;
        let inside: Vec<AtomId> = all.iter().copied().filter(|a| self.inside.contains(&a.0)).collect();
        if inside.is_empty() {
            all.iter().copied().filter(|a| a.0 < self.inside.start).collect()
        } else {
            inside
        }
    }
}

/// The conjuncts of one filter; those with an error are left out and reported.
pub(crate) fn conjuncts(
    condition: &Condition,
    scope: &Scope<'_>,
    diagnostics: &mut Diagnostics,
) -> Vec<Conjunct> {
    let mut parts = Vec::new();
    split(&condition.expr, &BinOp::And(Default::default()), &mut parts);
    parts.into_iter().filter_map(|e| conjunct(e, scope, diagnostics)).collect()
}

fn conjunct(expr: &Expr, scope: &Scope<'_>, diagnostics: &mut Diagnostics) -> Option<Conjunct> {
    let loc = Loc::of(expr);
    let before = diagnostics.list().len();
    let mut parts = Vec::new();
    split(expr, &BinOp::Or(Default::default()), &mut parts);
    let mut walk = Walk::new(scope);
    let mut disjuncts = Vec::new();
    for part in parts {
        walk.opened.clear();
        let ty = walk.expr(part, diagnostics);
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
        disjuncts.push(Disjunct { expr: part.clone(), opened: walk.opened.clone() });
    }
    if diagnostics.list().len() > before {
        return None;
    }
    if walk.reads.is_empty() && walk.parameters.is_empty() {
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
    // the last variable's step, wherever the condition is written; one on parameters alone stands at its formula's first step
    let step = walk.reads.iter().map(|r| r.atom).max().unwrap_or(AtomId(scope.inside.start));
    Some(Conjunct {
        disjuncts,
        parameters: walk.parameters.into_iter().collect(),
        reads: walk.reads,
        step,
        cheap: walk.cheap,
        loc,
    })
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
    if parts.len() > 1 { out.extend(parts) } else { out.push(whole) }
}

/// What is known of an attribute, or of a parameter, where a filter reads it.
pub(crate) fn known(scope: &Scope<'_>, atom: AtomId, attribute: usize) -> Ty {
    let ty = scope.names.atoms[atom.0].ty;
    attribute_type(&scope.names.schema.types[ty.0].attributes[attribute])
}

/// The type of parameter number `index`.
pub(crate) fn parameter(scope: &Scope<'_>, index: usize) -> Ty {
    Ty::of(&parameter_kind(&scope.names.parameters[index].ty))
}

//! Conditions on single events that follow from one on an aggregate.
//!
//! `min(b.v) > e` holds exactly where there is a `b` and each of them has `b.v > e`; `max(b.v) < e` likewise. Said of each event as well
//! it fails as soon as an event does, not at the end of a run: without it the search walks as many runs as there are subsets.
use super::filter::{Filter, conjunct};
use super::walk::{bare, single, unparenthesised};
use super::widen::holds;
use crate::diagnostic::Diagnostics;
use crate::hir::Conjunct;
use crate::schema::Kind;
use crate::slices::any;
use crate::syntax::only;
use proc_macro2::Ident;
use syn::{BinOp, Expr, Member};

/// The conjunct that follows from this one, if there is one.
pub(super) fn of(expr: &Expr, filter: &Filter<'_>) -> Option<Conjunct> {
    let Expr::Binary(b) = unparenthesised(expr) else { return None };
    let below = match b.op {
        BinOp::Lt(_) | BinOp::Le(_) => true,
        BinOp::Gt(_) | BinOp::Ge(_) => false,
        _ => return None,
    };
    let (l, r) = (unparenthesised(&b.left), unparenthesised(&b.right));
    // the bound of each side: the largest is below something, the smallest above
    let (word, attribute, other, of_left) = match (extreme(l), extreme(r)) {
        (Some((word, a)), None) => (word, a, r, true),
        (None, Some((word, a))) => (word, a, l, false),
        _ => return None,
    };
    if word != (if below == of_left { "max" } else { "min" }) {
        return None;
    }
    let Expr::Field(field) = attribute else { return None };
    let variable = bare(&field.base)?;
    let id = filter.pass.names.find(variable)?;
    let held = filter.part.binds.get(&id.0)?;
    // of another type the aggregate compares, its attribute does not
    if held.most <= 1 || !held.aggregates.is_empty() || !plain(other, variable) {
        return None;
    }
    let mut b = b.clone();
    *(if of_left { &mut *b.left } else { &mut *b.right }) = attribute.clone();
    let mut unsaid = Diagnostics::default();
    let mut c = conjunct(&Expr::Binary(b), filter, &mut unsaid).filter(|c| c.cheap)?;
    // an aggregate compares with any integer, an attribute with those of its type
    for read in &c.reads {
        if read.name == *variable
            && any(&read.attributes, |a| matches!(a.kind, Kind::Int(i) if !holds(i, other)))
        {
            return None;
        }
    }
    c.implied = true;
    Some(c)
}

/// `min(b.v)` or `max(b.v)`: the word and the attribute.
fn extreme(e: &Expr) -> Option<(&'static str, &Expr)> {
    let Expr::Call(c) = e else { return None };
    let word = single(&c.func)?;
    let word = if word == "min" {
        "min"
    } else if word == "max" {
        "max"
    } else {
        return None;
    };
    Some((word, unparenthesised(only(&c.args)?)))
}

/// A literal, a parameter, or an attribute of another variable.
fn plain(e: &Expr, variable: &Ident) -> bool {
    match e {
        Expr::Lit(_) | Expr::Path(_) => single(e) != Some(variable),
        Expr::Unary(u) => plain(unparenthesised(&u.expr), variable),
        Expr::Field(f) => {
            matches!(f.member, Member::Named(_)) && bare(&f.base).is_some_and(|x| x != variable)
        }
        _ => false,
    }
}

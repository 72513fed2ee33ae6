//! Counts that can be seen to fail before their part ends.
//!
//! `count(b) <= k` fails for good once the events joined so far are too many; `count(b) >= k` once those still to come, which are no
//! more than the events of the stream up to the completing one, are too few. The conjunct itself is asked where its part ends, as any
//! aggregate; without these bounds the search would walk all runs to that end, and there are as many as subsets.
use super::guards;
use super::latest::arguments;
use super::names::{Names, our, ours};
use super::registers;
use crate::code::{Piece, code};
use crate::hir::{Conjunct, ConjunctId, Disjunct, Function, Pattern, Step};
use crate::plan::Plan;
use proc_macro2::{Ident, Span};
use syn::{BinOp, Expr};

fn name(id: ConjunctId) -> Piece {
    our(format_args!("__cep_may_{}", id.0))
}

/// What remains of a comparison if more events may still join: as an upper bound, and as a lower one.
struct Bounds {
    upper: Option<Expr>,
    lower: Option<Expr>,
}

/// `count(b) op k`, for a `k` that no event changes, of all events that the conjunct's formula has of `b`.
fn bounds(pattern: &Pattern, c: &Conjunct) -> Option<Bounds> {
    let ([f], [d]) = (&c.folds[..], &c.disjuncts[..]) else { return None };
    let fold = pattern.fold(f.fold);
    let counts = fold.function == Function::Count && fold.attribute.is_none() && fold.aggregates.is_empty();
    if !counts || fold.loops != c.scope.loops || c.step != Step::End || !c.reads.is_empty() || !c.cheap {
        return None;
    }
    let Expr::Binary(b) = &d.expr else { return None };
    let left = match (is(&b.left, &f.name), is(&b.right, &f.name)) {
        (true, false) => true,
        (false, true) => false,
        _ => return None,
    };
    let with = |op: BinOp| {
        let mut b = b.clone();
        b.op = op;
        Some(Expr::Binary(b))
    };
    let (le, ge) = (BinOp::Le(syn::token::Le::default()), BinOp::Ge(syn::token::Ge::default()));
    let (below, above) = if left { (le, ge) } else { (ge, le) };
    let whole = Some(d.expr.clone());
    let bounds = match (&b.op, left) {
        (BinOp::Lt(_) | BinOp::Le(_), true) | (BinOp::Gt(_) | BinOp::Ge(_), false) => {
            Bounds { upper: whole, lower: None }
        }
        (BinOp::Gt(_) | BinOp::Ge(_), true) | (BinOp::Lt(_) | BinOp::Le(_), false) => {
            Bounds { upper: None, lower: whole }
        }
        (BinOp::Eq(_), _) => Bounds { upper: with(below), lower: with(above) },
        _ => return None,
    };
    Some(bounds)
}

/// The expression is this name, whatever it was widened to.
fn is(e: &Expr, name: &Ident) -> bool {
    match e {
        Expr::Paren(p) => is(&p.expr, name),
        Expr::Group(g) => is(&g.expr, name),
        Expr::Cast(c) => is(&c.expr, name),
        Expr::Path(p) => p.path.get_ident() == Some(name),
        _ => false,
    }
}

/// The tests as an event joins at position `q`.
pub(super) fn tests(pattern: &Pattern, plan: &Plan, q: usize) -> Piece {
    let atom = plan.positions[q].atom.0;
    let mut out = Piece::EMPTY;
    for id in pattern.conjuncts_where(|c| c.scope.atoms.contains(&atom)) {
        if bounds(pattern, &pattern.conjuncts[id.0]).is_some() {
            let (name, arguments) = (name(id), arguments(pattern, id));
            out.extend(code!([name, arguments] if !#name(path, newest, () #arguments) { return false; }));
        }
    }
    out
}

/// Their functions.
pub(super) fn functions(pattern: &Pattern, plan: &Plan, names: &Names) -> Piece {
    let mut out = Piece::EMPTY;
    for (i, c) in pattern.conjuncts.iter().enumerate() {
        let Some(bounds) = bounds(pattern, c) else { continue };
        let (name, p, kept, n, d) = (name(ConjunctId(i)), names.p, names.kept, plan.slots, plan.depth);
        let (path, newest, count) = (ours("path"), ours("newest"), &c.folds[0].name);
        let folds = guards::folds(names, c, path, newest);
        let (lints, parameters) = (guards::lints(), guards::parameters(pattern, c));
        let more = registers::argument(plan, names);
        let shown = |e: &Option<Expr>| match e {
            Some(e) => {
                let d = Disjunct { expr: e.clone(), opened: Vec::new(), opened_folds: Vec::new() };
                guards::disjunct(c, &d, &[])
            }
            None => Piece::of(&Ident::new("true", Span::mixed_site())),
        };
        let (upper, lower) = (shown(&bounds.upper), shown(&bounds.lower));
        out.extend(code! { [lints, name, p, path, more, newest, parameters, folds, upper, lower, kept | count, d, n]
            #lints #[inline(always)]
            fn #name<__CepRing: #p::Storage, __CepWalk: #p::Storage>(#path: &#p::Path<'_, #kept, #n, #d, __CepRing, __CepWalk #more>, #newest: ::core::primitive::usize, (): () #parameters) -> ::core::primitive::bool {
                #folds
                (#upper) && {
                    let #count = #count.saturating_add(#path.to_come());
                    #lower
                }
            }
        });
    }
    out
}

//! How many partial matches one event may make `detect` look at, and the bound on it.
//!
//! A *hard* condition is one that no structure decides without looking at the candidates one by one: it is not a comparison `f(x) op g(y)` of
//! two events (a call, a sum of three variables), or it is one of several that tie an event to different earlier ones by different
//! attributes (a join that is not hierarchical: the pairs of earlier events have to be kept). The candidates of an event are then the
//! choices of the earlier events that hard conditions read: with `m` of them in a window of `w` events at most C(w - 1, m). What no hard condition
//! reads is chosen once and for all, and an iteration counts as one choice, since what failed from an event is remembered.
//!
//! A fold over an iteration with gaps (a sum, a mean) is the worst of all: each subset of the window's events is a candidate.
//!
//! `select` enumerates matches anyway, so it is not bounded; nor is a pattern whose conditions are all easy.
use super::{Kernel, Plan};
use crate::diagnostic::{Code, Diagnostics};
use crate::hir::{self, Function, Output, Read, Step, Window};
use crate::slices::{any, pick};
use syn::{BinOp, Expr};

/// Most candidates of one event without a declared bound.
const MOST: u64 = 1 << 20;

/// `None` and a diagnostic where there may be too many and no `capacity … runs` says how many are meant.
pub(super) fn bound(pattern: &hir::Pattern, plan: &mut Plan, d: &mut Diagnostics) -> Option<()> {
    if plan.kernel != Kernel::Ring || !matches!(pattern.output, Output::Detect) {
        return Some(());
    }
    let window = match (&pattern.window, pattern.capacity) {
        (Some(Window::Events(w) | Window::Partition(w)), _) => *w,
        (_, Some(n)) => n,
        _ => return Some(()),
    };
    let (chosen, hard) = hard_reads(pattern, plan);
    let fold = hard_fold(pattern);
    let earlier = window.saturating_sub(1);
    let worst = match fold {
        Some(_) => 1u64.checked_shl(u32::try_from(earlier).unwrap_or(64)).unwrap_or(u64::MAX),
        None => choices(earlier, chosen),
    };
    let Some(loc) = fold.or(hard).filter(|_| worst > MOST) else { return Some(()) };
    match pattern.runs {
        Some(_) if pattern.evict => {
            d.error(Code::NotSupported, pattern.capacity_loc, "`or evict` with `runs` is not supported yet")
                .help("leave `or evict` out: an event that would need more runs is then refused with `Full`");
            None
        }
        Some(n) => {
            plan.candidates = Some(n);
            plan.fallible = true;
            Some(())
        }
        None => {
            let clause = match pattern.window {
                Some(Window::Clock(_)) => "capacity",
                _ => "within",
            };
            let why = match fold {
                Some(_) => "it folds over an iteration, and every choice of events is another one".to_owned(),
                None => {
                    format!("it reads {chosen} earlier event{} together", if chosen == 1 { "" } else { "s" })
                }
            };
            let worst =
                if worst == u64::MAX { "more than 2^64".to_string() } else { format!("up to {worst}") };
            d.error(Code::MissingBound, loc, format!("an event can make this condition look at {worst} candidates, and {MOST} are the most"))
                .note(format!("{why}, out of the {window} that the `{clause}` clause allows, and nothing but a look at each choice decides it"))
                .help(format!("choose a smaller `{clause}`, compare two events at a time (`x.a == y.b`, `x.a < y.b`), or say how many candidates one event may have: `capacity {MOST} runs` (an event with more is refused with `Full`)"));
            None
        }
    }
}

/// C(n, k), or the largest number there is.
fn choices(n: u64, k: u64) -> u64 {
    let mut out: u128 = 1;
    for i in 0..k {
        // exact: a product of i + 1 neighbours is divisible by (i + 1)!
        out = out * u128::from(n.saturating_sub(i)) / u128::from(i + 1);
        if out > u128::from(u64::MAX) {
            return u64::MAX;
        }
    }
    u64::try_from(out).unwrap_or(u64::MAX)
}

/// Where a condition stands that folds over the events of an iteration with gaps, and that fails or holds with all of them only: each
/// subset of the window's events is then a choice of its own. A count is no such fold, nor is an extreme where the same can be said of each
/// event: they are seen to fail while the iteration goes on.
fn hard_fold(pattern: &hir::Pattern) -> Option<crate::diagnostic::Loc> {
    let hard = |id: hir::FoldId| {
        let f = pattern.fold(id);
        let gaps = |l: &hir::LoopId| {
            let l = &pattern.loops[l.0];
            !l.strict && any(&f.atoms, |a| l.atoms.contains(&a.0))
        };
        let loops = crate::slices::times(pattern.loops.len(), hir::LoopId);
        f.function != Function::Count && any(&loops, |l| !f.loops.contains(l) && gaps(l))
    };
    for (i, c) in pattern.conjuncts.iter().enumerate() {
        // what follows from it for each event stands in front of it
        if i > 0 && pattern.conjuncts[i - 1].implied {
            continue;
        }
        let computed = |r: &Read| {
            any(&r.attributes, |a| {
                any(&a.computed, |(g, field)| hard(pattern.aggregates[g.0].fields[*field].fold))
            })
        };
        if any(&c.folds, |f| hard(f.fold)) || any(&c.reads, computed) {
            return Some(c.loc);
        }
    }
    None
}

/// How many earlier events hard conditions read, and where the first of these conditions stands.
fn hard_reads(pattern: &hir::Pattern, plan: &Plan) -> (u64, Option<crate::diagnostic::Loc>) {
    let mut positions = 0u64;
    let mut first = None;
    let closing = plan.bits(|q| q.accepting && q.edges.is_empty());
    for (i, c) in pattern.conjuncts.iter().enumerate() {
        if c.is_unary() || c.implied {
            continue;
        }
        if !(c.folds.is_empty() && is_easy(pattern, c) && is_hierarchical(pattern, i)) {
            for r in &c.reads {
                positions |= plan.bits_of(&r.atoms);
            }
            first = first.or(Some(c.loc));
        }
    }
    // of the branches of an `or` a run takes one, and a variable is one choice
    let mut counted = 0u64;
    let mut chosen = 0;
    for c in &pattern.conjuncts {
        for r in &c.reads {
            let of = plan.bits_of(&r.atoms) & positions & !closing;
            if of & !counted != 0 {
                counted |= of;
                chosen += 1;
            }
        }
    }
    (chosen, first)
}

/// `f(x) op g(y)` over two variables.
fn is_easy(pattern: &hir::Pattern, c: &hir::Conjunct) -> bool {
    let _ = pattern;
    let [one] = &c.disjuncts[..] else { return false };
    c.reads.len() <= 2 && c.step == Step::Join && sides(&one.expr, &c.reads).is_some()
}

/// The variables on the left and on the right of a comparison, where each side reads one.
fn sides<'r>(e: &Expr, reads: &'r [Read]) -> Option<(&'r Read, &'r Read, String, String, bool)> {
    match e {
        Expr::Paren(p) => sides(&p.expr, reads),
        Expr::Group(g) => sides(&g.expr, reads),
        Expr::Binary(b) => {
            let equal = matches!(b.op, BinOp::Eq(_));
            let ordered = matches!(b.op, BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_));
            if !(equal || ordered) {
                return None;
            }
            let (l, r) = (crate::check::text(&b.left), crate::check::text(&b.right));
            let on = |side: &str| match pick(reads, |v| mentions(side, &v.name.to_string()).then_some(v))[..]
            {
                [one] => Some(one),
                _ => None,
            };
            let (left, right) = (on(&l)?, on(&r)?);
            (left.name != right.name).then_some((left, right, l, r, equal))
        }
        _ => None,
    }
}

/// The name stands in the text as a word in front of a dot.
fn mentions(text: &str, name: &str) -> bool {
    let mut rest = text;
    while let Some(at) = rest.find(name) {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let before = rest[..at].chars().next_back();
        let after = rest[at + name.len()..].chars().next();
        if !before.is_some_and(word) && after == Some('.') {
            return true;
        }
        rest = &rest[at + name.len()..];
    }
    false
}

/// No other condition ties the same event to another earlier one, or all do it by equality with the same attribute of it.
fn is_hierarchical(pattern: &hir::Pattern, conjunct: usize) -> bool {
    let last = |c: &hir::Conjunct| {
        let (a, b, l, r, equal) = sides(&c.disjuncts.first()?.expr, &c.reads)?;
        let newest = |v: &Read| v.atoms.iter().max().copied();
        // the newest of the two, what is read of it, and the other
        let (new, own, old) = if newest(a) > newest(b) { (a, l, b) } else { (b, r, a) };
        Some((new.atoms.clone(), own, old.atoms.clone(), equal))
    };
    let Some((new, own, old, equal)) = last(&pattern.conjuncts[conjunct]) else { return false };
    for (i, c) in pattern.conjuncts.iter().enumerate() {
        if i == conjunct || c.is_unary() {
            continue;
        }
        if let Some((n, o, other, e)) = last(c)
            && n == new
            && other != old
            && !(e && equal && o == own)
        {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::choices;

    #[test]
    fn choices_are_binomials() {
        assert_eq!((choices(5, 2), choices(1499, 2), choices(99, 0), choices(3, 5)), (10, 1_122_751, 1, 0));
        assert_eq!(choices(1 << 40, 8), u64::MAX);
    }
}

//! The automaton as the tables of a machine, and what is known of its runs.
use super::{Edge, Position};
use crate::automaton::{Rma, Transition};
use crate::hir::{self, AtomId};
use crate::slices::{any, pick, position};
use petgraph::visit::EdgeRef;

/// The positions with their transitions and conditions, and where runs begin.
pub(super) fn positions(pattern: &hir::Pattern, rma: &Rma) -> (Vec<Position>, Vec<Edge>) {
    let nodes = rma.positions();
    let edges = |n| {
        let mut all = Vec::new();
        for e in rma.graph.edges(n) {
            if let Some(to) = position(&nodes, |m| *m == e.target()) {
                let Transition { strict, repeats, .. } = e.weight();
                let repeats = repeats.map(|l| l.0);
                all.push(Edge { to, strict: *strict, repeats, significant: false, leaves: false });
            }
        }
        crate::sorted::unique(&mut all);
        all
    };
    let folded_apart = folded_apart(pattern);
    let positions = pick(&nodes, |&n| {
        let atom = rma.graph[n].atom?;
        let of = |cheap: bool| {
            pattern.conjuncts_where(|c| c.is_unary() && c.cheap == cheap && c.unary_atoms().contains(&atom))
        };
        let mut marked = Vec::new();
        for f in pattern.output.fields() {
            marked.push(f.atoms.contains(&atom));
        }
        for atoms in &folded_apart {
            marked.push(atoms.contains(&atom));
        }
        let mut marks = 0;
        for (i, is_marked) in marked.iter().enumerate() {
            marks |= u64::from(*is_marked) << (i & 63);
        }
        Some(Position {
            atom,
            ty: pattern.atoms[atom.0].ty,
            edges: edges(n),
            initial: rma.graph.contains_edge(rma.start, n),
            accepting: rma.graph[n].accepting,
            early: of(true),
            late: of(false),
            marks,
        })
    });
    (positions, edges(rma.start))
}

/// Two runs may give one match: two ways to take an event that leave the same marks, or an event that leaves none between the first and the
/// last. (Sufficient, not necessary.)
pub(super) fn ambiguous(positions: &[Position], start: &[Edge]) -> bool {
    let twins = |edges: &[Edge]| {
        for (i, a) in edges.iter().enumerate() {
            let p = &positions[a.to];
            let twin = any(&edges[..i], |b| {
                let q = &positions[b.to];
                p.ty == q.ty && p.marks == q.marks
            });
            if twin {
                return true;
            }
        }
        false
    };
    let mut between = false;
    for (q, p) in positions.iter().enumerate() {
        let entered = any(positions, |o| any(&o.edges, |e| e.to == q));
        between |= p.marks == 0 && entered && !p.edges.is_empty();
    }
    twins(start) || between || any(positions, |p| twins(&p.edges))
}

/// All atoms of a part.
fn whole(scope: &hir::Scope, out: &mut Vec<AtomId>) {
    for a in scope.atoms.clone() {
        out.push(AtomId(a));
    }
}

/// The atoms whose events a fold depends on, those below other aggregates too.
pub(super) fn folded(pattern: &hir::Pattern, f: hir::FoldId, out: &mut Vec<AtomId>) {
    let fold = pattern.fold(f);
    out.extend_from_slice(&fold.atoms);
    for g in &fold.aggregates {
        // how many there are depends on its part
        whole(&pattern.aggregates[g.0].scope, out);
    }
    if let Some(a) = &fold.attribute {
        for &f in &pattern.computed(a) {
            folded(pattern, f, out);
        }
    }
}

/// The aggregates that are part of the output.
fn selected(pattern: &hir::Pattern) -> Vec<hir::AggregateId> {
    let mut all = Vec::new();
    for f in pattern.output.fields() {
        all.extend_from_slice(&f.aggregates);
    }
    all
}

/// The aggregates that are part of the output, with those that they fold.
fn shown(pattern: &hir::Pattern) -> Vec<hir::AggregateId> {
    let mut all = selected(pattern);
    let mut i = 0;
    while i < all.len() {
        let of: &hir::AggregateId = &all[i];
        for f in &pattern.aggregates[of.0].fields {
            for inner in &pattern.fold(f.fold).aggregates {
                if !all.contains(inner) {
                    all.push(*inner);
                }
            }
        }
        i += 1;
    }
    all
}

/// The atoms of each variable that a shown aggregate folds: matches with computed events of different events are different.
fn folded_apart(pattern: &hir::Pattern) -> Vec<Vec<AtomId>> {
    let mut out: Vec<Vec<AtomId>> = Vec::new();
    for g in &shown(pattern) {
        for f in &pattern.aggregates[g.0].fields {
            let atoms = &pattern.fold(f.fold).atoms;
            if !atoms.is_empty() && !out.contains(atoms) {
                out.push(atoms.clone());
            }
        }
    }
    out
}

/// How many marks a position may have: one for each field of the output, and for each variable that a shown aggregate folds.
pub(super) fn marks(pattern: &hir::Pattern) -> usize {
    let fields = pattern.output.fields().len();
    fields + folded_apart(pattern).len()
}

/// The selected aggregates whose computed events the marks do not tell apart: one of them, or of those that they fold, may be there more than
/// once or not at all.
pub(super) fn told_apart(pattern: &hir::Pattern) -> Vec<hir::AggregateId> {
    let varies = |id: &hir::AggregateId| {
        let hir::Aggregate { scope, nullable, .. } = &pattern.aggregates[id.0];
        *nullable || !scope.loops.is_empty() || !certain(&pattern.formula, &scope.atoms)
    };
    if any(&shown(pattern), varies) { selected(pattern) } else { Vec::new() }
}

/// The part of these atoms is in every match.
fn certain(f: &hir::Formula, atoms: &std::ops::Range<usize>) -> bool {
    let holds = |f: &hir::Formula| {
        let (mut low, mut high) = (usize::MAX, 0);
        extent(f, &mut low, &mut high);
        low <= atoms.start && high >= atoms.end
    };
    if !holds(f) {
        return false;
    }
    match f {
        hir::Formula::Atom(_) => true,
        hir::Formula::Sequence { left, right, .. } => {
            // a part across both sides is in both
            certain(left, atoms) || certain(right, atoms) || !(holds(left) || holds(right))
        }
        hir::Formula::Iterate { inner, .. } => !holds(inner) || certain(inner, atoms),
        hir::Formula::Or(branches) => !any(branches, holds),
        hir::Formula::Optional(_) => false,
    }
}

/// The atoms of a formula, from the lowest to behind the highest.
fn extent(f: &hir::Formula, low: &mut usize, high: &mut usize) {
    match f {
        hir::Formula::Atom(a) => {
            *low = (*low).min(a.0);
            *high = (*high).max(a.0 + 1);
        }
        hir::Formula::Sequence { left, right, .. } => {
            extent(left, low, high);
            extent(right, low, high);
        }
        hir::Formula::Iterate { inner, .. } | hir::Formula::Optional(inner) => extent(inner, low, high),
        hir::Formula::Or(branches) => {
            for b in branches {
                extent(b, low, high);
            }
        }
    }
}

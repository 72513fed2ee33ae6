//! The automaton as the tables of a machine, and what is known of its runs.
use super::{Edge, Position};
use crate::automaton::Rma;
use crate::hir::{self, AtomId, ConjunctId, Output};
use petgraph::visit::EdgeRef;

/// The positions with their transitions and conditions, and where runs begin.
pub(super) fn positions(pattern: &hir::Pattern, rma: &Rma) -> (Vec<Position>, Vec<Edge>) {
    let nodes = rma.positions();
    let edges = |n| {
        let mut all: Vec<Edge> = rma
            .graph
            .edges(n)
            .filter_map(|e| {
                Some(Edge {
                    to: nodes.iter().position(|m| *m == e.target())?,
                    strict: e.weight().strict,
                    repeats: e.weight().repeats.map(|l| l.0),
                })
            })
            .collect();
        crate::sorted::unique(&mut all);
        all
    };
    let fields = match &pattern.output {
        Output::Select(fields) => &fields[..],
        _ => &[],
    };
    let positions = nodes
        .iter()
        .filter_map(|&n| {
            let atom = rma.graph[n].atom?;
            let of = |cheap: bool| {
                let here =
                    |c: &hir::Conjunct| c.is_unary() && c.cheap == cheap && c.unary_atoms().contains(&atom);
                pattern
                    .conjuncts
                    .iter()
                    .enumerate()
                    .filter(|(_, c)| here(c))
                    .map(|(i, _)| ConjunctId(i))
                    .collect()
            };
            Some(Position {
                atom,
                ty: pattern.atoms[atom.0].ty,
                edges: edges(n),
                initial: rma.graph.contains_edge(rma.start, n),
                accepting: rma.graph[n].accepting,
                early: of(true),
                late: of(false),
                marks: fields
                    .iter()
                    .enumerate()
                    .filter(|(_, f)| f.atoms.contains(&atom))
                    .fold(0, |m, (i, _)| m | 1 << (i & 63)),
            })
        })
        .collect();
    (positions, edges(rma.start))
}

/// Two runs may give one match: two ways to take an event that leave the same marks, or an event that leaves none between the first and the
/// last. (Sufficient, not necessary.)
pub(super) fn ambiguous(positions: &[Position], start: &[Edge]) -> bool {
    let twins = |edges: &[Edge]| {
        edges.iter().enumerate().any(|(i, a)| {
            edges[..i].iter().any(|b| {
                let (p, q) = (&positions[a.to], &positions[b.to]);
                p.ty == q.ty && p.marks == q.marks
            })
        })
    };
    let between = positions.iter().enumerate().any(|(q, p)| {
        let entered = positions.iter().any(|o| o.edges.iter().any(|e| e.to == q));
        p.marks == 0 && entered && !p.edges.is_empty()
    });
    twins(start) || between || positions.iter().any(|p| twins(&p.edges))
}

/// The positions inside iterations whose earlier repetitions no condition looks at: where a run that waits in one of them can go depends on that
/// event and on events of other positions only, so a search that failed from there need not be repeated.
pub(super) fn forgetful(pattern: &hir::Pattern) -> u64 {
    let iterated = |a: &AtomId| pattern.loops.iter().any(|l| l.atoms.contains(&a.0));
    let alone = |a: &AtomId| {
        // the only atom of the only iteration: its newest event is also the last one, and the one before the next
        matches!(&pattern.loops[..], [l] if l.atoms.len() == 1 && l.atoms.contains(&a.0))
    };
    let mut read: Vec<AtomId> = Vec::new();
    for c in pattern.conjuncts.iter().filter(|c| !c.is_unary()) {
        let plain = |r: &&hir::Read| r.inside && matches!(r.region, hir::Region::All(_));
        let joins = c.reads.iter().filter(plain).count();
        for r in &c.reads {
            let only_itself = c.step == hir::Step::Join && joins == 1 && plain(&r);
            let newest = matches!(r.region, hir::Region::Previous(_) | hir::Region::Last(_))
                && r.atoms.iter().all(alone);
            if !(only_itself || newest) {
                read.extend(&r.atoms);
            }
        }
        read.extend(c.folds.iter().flat_map(|f| &f.atoms));
        if c.step == hir::Step::Entry {
            read.extend(c.scope.atoms.clone().map(AtomId));
        }
    }
    for w in &pattern.inner_windows {
        read.extend(w.scope.atoms.clone().map(AtomId));
    }
    (0..pattern.atoms.len())
        .map(AtomId)
        .filter(|a| iterated(a) && !read.contains(a))
        .fold(0, |m, a| m | 1 << a.0)
}

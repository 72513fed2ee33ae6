//! Glushkov's construction over the resolved formula.
use super::{Guard, Position, Register, Rma, Skip, Transition};
use crate::hir::{self, AtomId, AttributeId, ConjunctId, Formula};
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::BTreeSet;

/// The positions with which a part of the formula can begin and end.
struct Part {
    first: Vec<NodeIndex>,
    last: Vec<NodeIndex>,
}

/// Builds the automaton of a pattern. Cost: O(atoms² + conjuncts).
#[must_use]
pub fn build(pattern: &hir::Pattern) -> Rma {
    let mut graph = DiGraph::new();
    let start = graph.add_node(Position {
        atom: None,
        accepting: false,
        writes: Vec::new(),
        marks: Vec::new(),
        skip: Skip::Any,
    });
    let mut b = Builder { pattern, rma: Rma { graph, start } };
    let whole = b.part(&pattern.formula);
    for &n in &whole.first {
        b.connect(start, n);
    }
    for &n in &whole.last {
        b.rma.graph[n].accepting = true;
    }
    for n in b.rma.graph.node_indices().collect::<Vec<_>>() {
        if b.rma.graph.neighbors(n).next().is_none() {
            b.rma.graph[n].skip = Skip::Never;
        }
    }
    b.rma
}

struct Builder<'a> {
    pattern: &'a hir::Pattern,
    rma: Rma,
}

impl Builder<'_> {
    fn part(&mut self, f: &Formula) -> Part {
        match f {
            Formula::Atom(atom) => {
                let n = self.position(*atom);
                Part { first: vec![n], last: vec![n] }
            }
            Formula::Sequence { left, right } => {
                let l = self.part(left);
                let r = self.part(right);
                for &a in &l.last {
                    for &b in &r.first {
                        self.connect(a, b);
                    }
                }
                Part { first: l.first, last: r.last }
            }
            // conjuncts know their step: they stand at its transitions
            Formula::Filter { inner, .. } => self.part(inner),
        }
    }

    fn position(&mut self, atom: AtomId) -> NodeIndex {
        let mut writes: BTreeSet<Register> = BTreeSet::new();
        for c in &self.pattern.conjuncts {
            for r in c.reads.iter().filter(|r| r.atom == atom && c.step != atom) {
                writes.extend(registers(r));
            }
        }
        let marks = match &self.pattern.output {
            hir::Output::Select(fields) => {
                fields.iter().filter(|f| f.atom == atom).map(|f| f.variable).collect()
            }
            _ => Vec::new(),
        };
        self.rma.graph.add_node(Position {
            atom: Some(atom),
            accepting: false,
            writes: writes.into_iter().collect(),
            marks,
            skip: Skip::Any,
        })
    }

    fn connect(&mut self, from: NodeIndex, to: NodeIndex) {
        let Some(atom) = self.rma.graph[to].atom else { return };
        let guards = self
            .pattern
            .conjuncts
            .iter()
            .enumerate()
            .filter(|(_, c)| c.step == atom)
            .map(|(i, c)| Guard {
                conjunct: ConjunctId(i),
                registers: c.reads.iter().filter(|r| r.atom != atom).flat_map(registers).collect(),
            })
            .collect();
        self.rma.graph.add_edge(from, to, Transition { ty: self.pattern.atoms[atom.0].ty, guards });
    }
}

/// The registers behind a read. A variable read only by its position has that as its register.
fn registers(r: &hir::Read) -> Vec<Register> {
    let attributes: Vec<Option<AttributeId>> = if r.attributes.is_empty() {
        vec![None]
    } else {
        r.attributes.iter().map(|(a, _)| Some(*a)).collect()
    };
    attributes.into_iter().map(|attribute| Register { atom: r.atom, attribute }).collect()
}

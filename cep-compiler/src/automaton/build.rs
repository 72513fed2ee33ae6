//! Glushkov's construction over the resolved formula.
use super::{Guard, Position, Register, Rma, Transition};
use crate::hir::{self, AtomId, Formula, LoopId, Step};
use crate::slices::{any, each, pick};
use crate::sorted::Set;
use petgraph::graph::{DiGraph, NodeIndex};

/// The positions with which a part of the formula can begin and end.
struct Part {
    first: Vec<NodeIndex>,
    last: Vec<NodeIndex>,
    nullable: bool,
}

/// Builds the automaton of a pattern. Cost: O(transitions × conjuncts).
#[must_use]
pub fn build(pattern: &hir::Pattern) -> Rma {
    let mut graph = DiGraph::new();
    let start = graph.add_node(Position {
        atom: None,
        accepting: false,
        writes: Vec::new(),
        folds: Vec::new(),
        marks: Vec::new(),
    });
    let mut b = Builder { pattern, needed: pattern.needed(), rma: Rma { graph, start } };
    let whole = b.part(&pattern.formula);
    for &n in &whole.first {
        b.connect(start, n, false, None);
    }
    for &n in &whole.last {
        b.rma.graph[n].accepting = true;
    }
    b.rma
}

struct Builder<'a> {
    pattern: &'a hir::Pattern,
    needed: hir::Needed,
    rma: Rma,
}

impl Builder<'_> {
    fn part(&mut self, f: &Formula) -> Part {
        match f {
            Formula::Atom(atom) => {
                let n = self.position(*atom);
                Part { first: vec![n], last: vec![n], nullable: false }
            }
            Formula::Sequence { left, right, strict } => {
                let mut l = self.part(left);
                let mut r = self.part(right);
                self.connect_all(&l.last, &r.first, *strict, None);
                if l.nullable {
                    l.first.extend(&r.first);
                }
                if r.nullable {
                    r.last.extend(&l.last);
                }
                Part { first: l.first, last: r.last, nullable: l.nullable && r.nullable }
            }
            Formula::Or(branches) => {
                let mut all = Part { first: Vec::new(), last: Vec::new(), nullable: false };
                for b in branches {
                    let p = self.part(b);
                    all.first.extend(&p.first);
                    all.last.extend(&p.last);
                    all.nullable |= p.nullable;
                }
                all
            }
            Formula::Optional(inner) => Part { nullable: true, ..self.part(inner) },
            Formula::Iterate { inner, id } => {
                let p = self.part(inner);
                self.connect_all(&p.last, &p.first, self.pattern.loops[id.0].strict, Some(*id));
                p
            }
        }
    }

    fn connect_all(&mut self, from: &[NodeIndex], to: &[NodeIndex], strict: bool, repeats: Option<LoopId>) {
        for &a in from {
            for &b in to {
                self.connect(a, b, strict, repeats);
            }
        }
    }

    fn position(&mut self, atom: AtomId) -> NodeIndex {
        let mut writes: Set<Register> = Set::new();
        for c in &self.pattern.conjuncts {
            for r in &c.reads {
                if !c.is_unary() && r.atoms.contains(&atom) {
                    for register in &self.registers(r, atom) {
                        writes.insert(*register);
                    }
                }
            }
        }
        let fields = self.pattern.output.fields();
        let marks = pick(fields, |f| f.atoms.contains(&atom).then_some(f.variable));
        self.rma.graph.add_node(Position {
            atom: Some(atom),
            accepting: false,
            folds: pick(&self.needed.folds(), |f| self.pattern.fold(*f).atoms.contains(&atom).then_some(*f)),
            writes: writes.into_vec(),
            marks,
        })
    }

    fn connect(&mut self, from: NodeIndex, to: NodeIndex, strict: bool, repeats: Option<LoopId>) {
        let Some(atom) = self.rma.graph[to].atom else { return };
        let here = |c: &hir::Conjunct| match c.step {
            Step::Event => c.unary_atoms().contains(&atom),
            Step::Join => any(&c.reads, |r| r.inside && r.atoms.contains(&atom)),
            Step::Entry | Step::End => c.scope.atoms.contains(&atom.0),
        };
        let guards = each(&self.pattern.conjuncts_where(here), |conjunct| {
            let mut registers = Vec::new();
            for r in &self.pattern.conjuncts[conjunct.0].reads {
                for a in &r.atoms {
                    if *a != atom {
                        registers.append(&mut self.registers(r, *a));
                    }
                }
            }
            Guard { conjunct: *conjunct, registers }
        });
        let ty = self.pattern.atoms[atom.0].ty;
        self.rma.graph.add_edge(from, to, Transition { ty, strict, repeats, guards });
    }

    /// The registers behind a read, for one of its atoms. A variable read only by its position has that as its register.
    fn registers(&self, r: &hir::Read, atom: AtomId) -> Vec<Register> {
        let ty = self.pattern.atoms[atom.0].ty;
        let mut all = Vec::new();
        for read in &r.attributes {
            for (t, attribute) in &read.of {
                if *t == ty {
                    all.push(Register { atom, attribute: Some(*attribute) });
                }
            }
        }
        if all.is_empty() {
            all.push(Register { atom, attribute: None });
        }
        all
    }
}

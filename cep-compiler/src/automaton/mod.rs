//! The position automaton: a register match automaton (Alevizos, Artikis, Paliouras) whose epsilon transitions are gone.
//!
//! In: a [`hir::Pattern`]. Out: an [`Rma`] that [`crate::plan`] reads. One node per atom (Glushkov's construction), one per pattern for the
//! start. An event entering a position is *written* to the registers that a later guard reads and *marked* with the variables that
//! hold it; a transition is enabled by the event's type and by its guards, which read the event and registers. While a run waits,
//! each event in between must satisfy the position's skip predicate (`;`: any event).
//! Invariant, checked by [`Rma::validate`]: whatever way a run came, a register is written before it is read.
//!
//! The alternative that was rejected is the paper's own construction: Thompson-like, with epsilon transitions and one register per
//! variable, unrolled by the window before it is determinised. It accepts strings and not streams, and its size is exponential in the window.
mod build;
mod export;
mod interpret;
mod simulate;

pub use build::build;
pub use interpret::{Fault, Value};
pub use simulate::{Event, Match, simulate};

use crate::hir::{AtomId, AttributeId, ConjunctId, TypeId, VariableId};
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::BTreeSet;

/// A register: one attribute of the event that took one atom's position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Register {
    /// Whose event.
    pub atom: AtomId,
    /// Which attribute; `None`: the event's stream position.
    pub attribute: Option<AttributeId>,
}

/// A node: a run waits here after its newest event took this atom.
#[derive(Clone, Debug)]
pub struct Position {
    /// The atom; `None` for the start.
    pub atom: Option<AtomId>,
    /// A run that gets here has matched.
    pub accepting: bool,
    /// What the event is written to.
    pub writes: Vec<Register>,
    /// The variables that hold the event.
    pub marks: Vec<VariableId>,
    /// Which events may pass while a run waits here.
    pub skip: Skip,
}

/// The events that may lie between two neighbours of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Skip {
    /// `;`: any event.
    Any,
    /// Nothing follows: the run is over.
    Never,
}

/// An edge: an event of this type that meets the guards takes the run to the next position.
#[derive(Clone, Debug)]
pub struct Transition {
    /// The event's type.
    pub ty: TypeId,
    /// In the order written.
    pub guards: Vec<Guard>,
}

/// A conjunct at the transition where its last variable is bound.
#[derive(Clone, Debug)]
pub struct Guard {
    /// Which.
    pub conjunct: ConjunctId,
    /// The register selection: what it reads of earlier events.
    pub registers: Vec<Register>,
}

/// The automaton.
#[derive(Clone, Debug)]
pub struct Rma {
    /// Positions and transitions.
    pub graph: DiGraph<Position, Transition>,
    /// Where every run begins.
    pub start: NodeIndex,
}

/// A register that may be read before it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unwritten {
    /// The register.
    pub register: Register,
    /// The conjunct that reads it.
    pub conjunct: ConjunctId,
}

impl Rma {
    /// Checks that every register is written on every trail before a guard reads it.
    ///
    /// Forward data flow: what is written for certain at a position is what is certain at all positions before it, and its own.
    /// Cost: O(positions × transitions).
    ///
    /// # Errors
    /// The first read that may come too early.
    pub fn validate(&self) -> Result<(), Unwritten> {
        let every: BTreeSet<Register> =
            self.graph.node_weights().flat_map(|p| p.writes.iter().copied()).collect();
        let mut certain: Vec<BTreeSet<Register>> = self.graph.node_indices().map(|_| every.clone()).collect();
        certain[self.start.index()].clear();
        let mut changed = true;
        while changed {
            changed = false;
            for edge in self.graph.edge_indices() {
                let Some((from, to)) = self.graph.edge_endpoints(edge) else { continue };
                let mut known = certain[from.index()].clone();
                known.extend(self.graph[to].writes.iter().copied());
                let kept: BTreeSet<Register> = certain[to.index()].intersection(&known).copied().collect();
                if kept.len() < certain[to.index()].len() {
                    certain[to.index()] = kept;
                    changed = true;
                }
            }
        }
        for edge in self.graph.edge_indices() {
            let Some((from, _)) = self.graph.edge_endpoints(edge) else { continue };
            for g in &self.graph[edge].guards {
                if let Some(r) = g.registers.iter().find(|r| !certain[from.index()].contains(r)) {
                    return Err(Unwritten { register: *r, conjunct: g.conjunct });
                }
            }
        }
        Ok(())
    }

    /// The positions without the start, in the order of their atoms.
    #[must_use]
    pub fn positions(&self) -> Vec<NodeIndex> {
        let mut all: Vec<NodeIndex> = self.graph.node_indices().filter(|n| *n != self.start).collect();
        all.sort_by_key(|n| self.graph[*n].atom);
        all
    }
}

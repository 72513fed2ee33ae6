//! The position automaton: a register match automaton (Alevizos, Artikis, Paliouras) whose epsilon transitions are gone.
//!
//! In: a [`Pattern`]. Out: an [`Rma`] that [`crate::plan`] reads. One node per atom (Glushkov's construction), one per pattern for the
//! start. An event entering a position is *written* to the registers that a later guard reads and *marked* with the variables that
//! hold it; a transition is enabled by the event's type and by its guards, which read the event and registers. Its skip predicate says
//! which events may lie between (`;`: any, `:`: none); a transition that begins a new repetition is told apart from one that does not.
//! Invariant, checked by [`Rma::validate`]: whatever way a run came, a register is written before it is read.
//!
//! The alternative that was rejected is the paper's own construction: Thompson-like, with epsilon transitions and one register per
//! variable, unrolled by the window before it is determinised. It accepts strings and not streams, and its size is exponential in the window.
//! `literal` has it, for tests and drawings. That, the simulator and the drawings are behind the feature `theory`, so that those who
//! only use `cep!` do not build them.
mod build;
#[cfg(feature = "theory")]
mod export;
#[cfg(feature = "theory")]
mod folds;
#[cfg(feature = "theory")]
mod interpret;
#[cfg(feature = "theory")]
pub mod literal;
#[cfg(feature = "theory")]
mod simulate;

pub use build::build;
#[cfg(feature = "theory")]
pub use interpret::{Fault, Value};
#[cfg(feature = "theory")]
pub use simulate::{Event, Identity, Match, simulate};

use crate::hir::{AtomId, AttributeId, ConjunctId, FoldId, LoopId, Pattern, TypeId, VariableId};
use crate::sorted::Set;
use petgraph::graph::{DiGraph, NodeIndex};

/// A register: one attribute of the newest event that took an atom's position. Where an iteration makes that several, a run has one set of
/// registers per repetition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Register {
    /// Whose event.
    pub atom: AtomId,
    /// Which attribute; `None`: the event's stream position.
    pub attribute: Option<AttributeId>,
}

/// A node: a run waits here after its newest event took this atom.
pub struct Position {
    /// The atom; `None` for the start.
    pub atom: Option<AtomId>,
    /// A run that gets here has matched.
    pub accepting: bool,
    /// What the event is written to.
    pub writes: Vec<Register>,
    /// The registers that the event is folded into.
    pub folds: Vec<FoldId>,
    /// The variables that hold the event.
    pub marks: Vec<VariableId>,
}

/// An edge: an event of this type that meets the guards takes the run to the next position.
pub struct Transition {
    /// The event's type.
    pub ty: TypeId,
    /// The skip predicate: no event may lie between (`:`), or any (`;`).
    pub strict: bool,
    /// It begins a new repetition of this iteration.
    pub repeats: Option<LoopId>,
    /// In the order written.
    pub guards: Vec<Guard>,
}

/// A conjunct at a transition where an event of its last variable joins the run.
pub struct Guard {
    /// Which.
    pub conjunct: ConjunctId,
    /// The register selection: what it reads of earlier events.
    pub registers: Vec<Register>,
}

/// The automaton.
pub struct Rma {
    /// Positions and transitions.
    pub graph: DiGraph<Position, Transition>,
    /// Where every run begins.
    pub start: NodeIndex,
}

/// A variable that may be read before any event was written to its registers.
#[cfg_attr(feature = "theory", derive(Debug))]
pub struct Unwritten {
    /// One of the variable's atoms.
    pub atom: AtomId,
    /// The conjunct that reads it.
    pub conjunct: ConjunctId,
}

impl Rma {
    /// Checks that whatever a guard reads of earlier events was written on every trail to it, unless the part that writes it may be absent.
    ///
    /// Backward over the graph: a trail on which none of a variable's positions lies would start at the start. Cost: O(conjuncts ×
    /// transitions).
    ///
    /// # Errors
    /// The first read that may come too early.
    pub fn validate(&self, pattern: &Pattern) -> Result<(), Unwritten> {
        for edge in self.graph.edge_indices() {
            let Some((from, _)) = self.graph.edge_endpoints(edge) else { continue };
            for g in &self.graph[edge].guards {
                let c = &pattern.conjuncts[g.conjunct.0];
                for r in &c.reads {
                    if r.always && !c.is_unary() && self.reachable_without(from, &r.atoms) {
                        return Err(Unwritten { atom: r.atoms[0], conjunct: g.conjunct });
                    }
                }
            }
        }
        Ok(())
    }

    /// Some trail from the start to `node` (included) visits none of these atoms.
    fn reachable_without(&self, node: NodeIndex, atoms: &[AtomId]) -> bool {
        let holds = |n: NodeIndex| self.graph[n].atom.is_some_and(|a| atoms.contains(&a));
        let mut seen = Set::new();
        let mut open = vec![node];
        while let Some(n) = open.pop() {
            if holds(n) || !seen.insert(n) {
                continue;
            }
            if n == self.start {
                return true;
            }
            open.extend(self.graph.neighbors_directed(n, petgraph::Direction::Incoming));
        }
        false
    }

    /// The positions without the start, in the order of their atoms.
    #[must_use]
    pub fn positions(&self) -> Vec<NodeIndex> {
        let mut all = Vec::new();
        for n in self.graph.node_indices() {
            if n != self.start {
                all.push(n);
            }
        }
        crate::sorted::sort_by_key(&mut all, |n| self.graph[*n].atom);
        all
    }
}

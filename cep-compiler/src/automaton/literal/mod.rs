//! The register match automaton as the paper has it, every part written out: skips are loops, each event that a run reads is taken or
//! not, conditions read registers by name.
//!
//! In: an [`Rma`](super::Rma) and its pattern ([`from_rma`]), or single events put together ([`Automaton::union`], [`Automaton::concat`],
//! [`Automaton::iterate`]). Out: the paper's forms of it: unrolled by a window, determinised, complemented; drawings; answers to whether
//! it is deterministic or ambiguous. For tests, drawings and study: no machine is emitted from it, because determinising is exponential
//! in the window and a determinised form reads one string, not a stream (`docs/automata.md` has the sizes). Invariants: the start is
//! entered by its own loop only; states and transitions are in the order of their making, so that nothing depends on chance.
//!
//! Source: Alevizos, Artikis, Paliouras, "Symbolic Automata with Memory: a Computational Model for Complex Event Processing".
mod ambiguity;
mod complement;
mod compose;
mod determinism;
mod determinize;
mod formula;
mod from_rma;
mod minterms;
mod run;
mod trim;
mod unroll;

pub use ambiguity::Ambiguity;
pub use formula::{Argument, Conjunction, Formula, Predicate, RegisterId};
pub use from_rma::from_rma;
pub use run::{Holds, Marks, conditions};

use crate::hir::{TypeId, VariableId};
use std::collections::BTreeSet;
use std::fmt;

/// A state; the index into [`Automaton::states`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct StateId(pub usize);

/// A state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// What a drawing calls it.
    pub name: String,
    /// A run that gets here has matched.
    pub accepting: bool,
}

/// A transition: the paper's `f / rs / R / o`; the register selection `rs` stands in the formula's conditions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transition {
    /// Where it leaves.
    pub from: StateId,
    /// Where it goes.
    pub to: StateId,
    /// What the event and the registers must meet.
    pub formula: Formula,
    /// The registers that then hold the event.
    pub writes: BTreeSet<RegisterId>,
    /// Whether the event is part of the match, and for which variables: the paper's output, `•` or `∘`.
    pub output: Output,
}

/// What a transition does with its event.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Output {
    /// `•`: the event is one of the match's.
    pub taken: bool,
    /// The variables that then hold it.
    pub marks: BTreeSet<VariableId>,
}

/// What the parts are called in drawings.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Names {
    /// The event types; also how many there are.
    pub types: Vec<String>,
    /// By [`VariableId`].
    pub variables: Vec<String>,
    /// By [`crate::hir::ConjunctId`].
    pub conditions: Vec<String>,
}

/// A register match automaton.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Automaton {
    /// The names of its parts, and with them its alphabet: each event has exactly one of these types.
    pub names: Names,
    /// Its states.
    pub states: Vec<State>,
    /// The one where runs begin.
    pub start: StateId,
    /// Its transitions.
    pub transitions: Vec<Transition>,
    /// What drawings call its registers; by [`RegisterId`].
    pub registers: Vec<String>,
    /// It was unrolled by this window: it reads so many events and no more, and writes each register once.
    window: Option<usize>,
}

impl Automaton {
    /// The automaton of one event of a type: the paper's base case, preceded by any number of events.
    #[must_use]
    pub fn event(names: &Names, ty: TypeId, marks: BTreeSet<VariableId>) -> Self {
        let name = names.types.get(ty.0).cloned().unwrap_or_default();
        let mut a = Self::empty(names);
        let end = a.state(name, true);
        a.skip(a.start, a.start);
        a.transitions.push(Transition {
            from: a.start,
            to: end,
            formula: Formula::of_type(ty),
            writes: BTreeSet::new(),
            output: Output { taken: true, marks },
        });
        a
    }

    /// The window by which it was unrolled.
    #[must_use]
    pub fn window(&self) -> Option<usize> {
        self.window
    }

    /// The transitions that leave a state.
    pub fn leaving(&self, state: StateId) -> impl Iterator<Item = &Transition> {
        self.transitions.iter().filter(move |t| t.from == state)
    }

    /// A match begins with this transition.
    #[must_use]
    pub fn begins(&self, t: &Transition) -> bool {
        t.from == self.start && t.output.taken
    }

    /// Some condition reads a register.
    #[must_use]
    pub fn reads_registers(&self) -> bool {
        self.transitions.iter().any(|t| !t.formula.registers().is_empty())
    }

    /// A start and nothing else.
    fn empty(names: &Names) -> Self {
        Self {
            names: names.clone(),
            states: vec![State { name: "start".into(), accepting: false }],
            start: StateId(0),
            transitions: Vec::new(),
            registers: Vec::new(),
            window: None,
        }
    }

    fn state(&mut self, name: String, accepting: bool) -> StateId {
        self.states.push(State { name, accepting });
        StateId(self.states.len() - 1)
    }

    /// Any event may pass here: `TRUE / ∘`.
    fn skip(&mut self, from: StateId, to: StateId) {
        self.transitions.push(Transition {
            from,
            to,
            formula: Formula::default(),
            writes: BTreeSet::new(),
            output: Output::default(),
        });
    }

    /// Registers that no formula reads go, with what is written to them.
    fn drop_unread_registers(&mut self) {
        let read: BTreeSet<RegisterId> =
            self.transitions.iter().flat_map(|t| t.formula.registers()).collect();
        let read: Vec<RegisterId> = read.into_iter().collect();
        let new = |r: &RegisterId| read.binary_search(r).ok().map(RegisterId);
        for t in &mut self.transitions {
            t.formula = t.formula.renamed(|r| new(&r).unwrap_or(r));
            t.writes = t.writes.iter().filter_map(new).collect();
        }
        self.registers = read.iter().map(|r| self.registers[r.0].clone()).collect();
    }

    /// The transitions by the state that they leave.
    fn by_source(&self) -> Vec<Vec<usize>> {
        let mut all = vec![Vec::new(); self.states.len()];
        for (i, t) in self.transitions.iter().enumerate() {
            all[t.from.0].push(i);
        }
        all
    }
}

/// Why a form does not exist, or is not made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// A condition needs more events of one variable than one register holds, or one that may be absent.
    NotBounded {
        /// Which.
        condition: String,
        /// Why.
        reason: &'static str,
    },
    /// Only for automata with a window, or without registers.
    NoWindow {
        /// What was asked for.
        what: &'static str,
    },
    /// Determinising per output would merge runs whose registers differ.
    Unmarked {
        /// A register that holds what no mark shows.
        register: String,
    },
    /// The automaton was determinised already: its formulas are min-terms.
    Determinized,
    /// Over the budget.
    TooLarge {
        /// The form that grew.
        what: &'static str,
        /// The states of the automaton it was made from.
        from: usize,
        /// The window, where there is one.
        window: Option<usize>,
        /// The states it had when it was given up.
        states: usize,
        /// The transitions it had then.
        transitions: usize,
        /// The most of either.
        budget: usize,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotBounded { condition, reason } => {
                write!(f, "`{condition}` cannot be read from one register a variable: {reason}")
            }
            Self::NoWindow { what } => write!(
                f,
                "{what} needs a window: register match automata are not closed under it, and only in a bounded string are there enough registers for what was read"
            ),
            Self::Unmarked { register } => {
                write!(f, "runs with the same marks may hold different events in the register `{register}`")
            }
            Self::Determinized => f.write_str("the automaton is determinised already"),
            Self::TooLarge { what, from, window, states, transitions, budget } => {
                write!(f, "{what} of {from} states")?;
                if let Some(w) = window {
                    write!(f, " with a window of {w}")?;
                }
                write!(
                    f,
                    " has more than {budget} states or transitions (given up at {states} states and {transitions} transitions)"
                )
            }
        }
    }
}

impl std::error::Error for Error {}

//! Powersets over min-terms: one run whatever the output, or one run for each match.
use super::minterms::minterms;
use super::{Automaton, Error, Formula, Output, RegisterId, State, StateId, Transition};
use crate::hir::VariableId;
use std::collections::{BTreeMap, BTreeSet};

/// A state of the powerset: how many events were read (where there is a window) and where the runs may be.
type Key = (usize, BTreeSet<StateId>);

/// Transitions that are followed together, if the event meets their formulas.
type Group = Vec<usize>;

struct Powerset<'a> {
    of: &'a Automaton,
    what: &'static str,
    budget: usize,
    out: Automaton,
    known: BTreeMap<Key, StateId>,
    open: Vec<Key>,
}

impl Automaton {
    /// Output-agnostic: a state is the set of states in which the runs may be, its transitions are the min-terms over theirs, so every event
    /// takes exactly one. What any of the runs writes is written, what any of them marks is marked: it recognises where `self` does
    /// and marks more. Source: the paper's determinisation of unrolled automata (Figure 3(b)).
    ///
    /// Cost: exponential. Of `T ; H` with equal ids it has 1 + Σ (2^d + 3^d) states, d = 0 … w − 1: the subsets of the first events that
    /// are `T`s, and which of them the last `H` equals.
    ///
    /// # Errors
    /// [`Error::NoWindow`] where registers are read and nothing bounds how many are needed; [`Error::TooLarge`] at more than `budget`
    /// states or transitions.
    pub fn determinize(&self, budget: usize) -> Result<Self, Error> {
        if self.window.is_none() && self.reads_registers() {
            return Err(Error::NoWindow { what: "output-agnostic determinisation" });
        }
        let powerset = Powerset::new(self, "the output-agnostic determinised form", budget);
        powerset.run(true, |of, group| if group.is_empty() { Vec::new() } else { vec![of(group)] })
    }

    /// On (event class, marks): of the transitions that an event can take, those with the same marks are followed together. The matches are
    /// the same (which events of unmarked variables were taken is lost), and each has one run. Exists where all runs with the same
    /// marks have the same registers: where each register, when it is read, holds the newest event that some variable marks. Cost: exponential in the states.
    ///
    /// # Errors
    /// [`Error::Unmarked`] where it does not exist; [`Error::TooLarge`] at more than `budget` states or transitions.
    pub fn determinize_per_output(&self, budget: usize) -> Result<Self, Error> {
        let read: BTreeSet<RegisterId> =
            self.transitions.iter().flat_map(|t| t.formula.registers()).collect();
        if let Some(r) = read.iter().find(|r| !self.is_marked(**r)) {
            return Err(Error::Unmarked { register: self.registers[r.0].clone() });
        }
        let powerset = Powerset::new(self, "the form determinised per output", budget);
        powerset.run(false, |of, group| {
            let mut by_output: BTreeMap<(bool, BTreeSet<VariableId>), Group> = BTreeMap::new();
            for t in group {
                let transition = &self.transitions[*t];
                let seen = (self.begins(transition), transition.output.marks.clone());
                by_output.entry(seen).or_default().push(*t);
            }
            by_output.values().map(|g| of(g)).collect()
        })
    }

    /// Wherever the register is read, it holds the newest event that one variable marks: its writes are marked, and behind a mark that
    /// does not write it, it is not read before the next write.
    fn is_marked(&self, r: RegisterId) -> bool {
        let marks: BTreeSet<VariableId> =
            self.transitions.iter().flat_map(|t| t.output.marks.iter().copied()).collect();
        let by_source = self.by_source();
        marks.iter().any(|v| {
            let marked = |t: &Transition| t.output.marks.contains(v);
            let mut open: Vec<StateId> = self
                .transitions
                .iter()
                .filter(|t| marked(t) && !t.writes.contains(&r))
                .map(|t| t.to)
                .collect();
            let mut seen = BTreeSet::new();
            while let Some(s) = open.pop() {
                if !seen.insert(s) {
                    continue;
                }
                for t in by_source[s.0].iter().map(|t| &self.transitions[*t]) {
                    if t.formula.registers().contains(&r) {
                        return false;
                    }
                    if !t.writes.contains(&r) {
                        open.push(t.to);
                    }
                }
            }
            self.transitions.iter().all(|t| !t.writes.contains(&r) || marked(t))
        })
    }
}

impl<'a> Powerset<'a> {
    fn new(of: &'a Automaton, what: &'static str, budget: usize) -> Self {
        let mut out = Automaton::empty(&of.names);
        out.registers.clone_from(&of.registers);
        out.window = of.window;
        out.states.clear();
        Self { of, what, budget, out, known: BTreeMap::new(), open: Vec::new() }
    }

    /// Explores from the start. `complete`: each event has a transition, into the empty set if need be. `groups` splits the
    /// transitions of a set.
    fn run(
        mut self,
        complete: bool,
        groups: impl Fn(&dyn Fn(&[usize]) -> Group, &[usize]) -> Vec<Group>,
    ) -> Result<Automaton, Error> {
        let by_source = self.of.by_source();
        self.enter((0, BTreeSet::from([self.of.start])));
        let mut next = 0;
        while next < self.open.len() {
            let (read, set) = self.open[next].clone();
            let from = StateId(next);
            next += 1;
            if self.of.window == Some(read) {
                continue;
            }
            let all: Vec<usize> = set.iter().flat_map(|s| by_source[s.0].iter().copied()).collect();
            let mut split = groups(&|g| g.to_vec(), &all);
            if complete && split.is_empty() {
                split.push(Vec::new());
            }
            for group in split {
                self.step(from, read, &group, complete)?;
            }
        }
        Ok(self.out)
    }

    /// The min-terms of a group, each a transition.
    fn step(&mut self, from: StateId, read: usize, group: &[usize], complete: bool) -> Result<(), Error> {
        let of = self.of;
        let formulas: BTreeSet<&Formula> = group.iter().map(|t| &of.transitions[*t].formula).collect();
        let formulas: Vec<&Formula> = formulas.into_iter().collect();
        let left = self.budget.saturating_sub(self.out.transitions.len());
        let Some(terms) = minterms(&formulas, of.names.types.len(), left)? else {
            return Err(self.too_large());
        };
        for term in terms {
            let followed: Vec<&Transition> = group
                .iter()
                .map(|t| &of.transitions[*t])
                .filter(|t| formulas.iter().zip(&term.holds).any(|(f, h)| *h && **f == t.formula))
                .collect();
            if followed.is_empty() && !complete {
                continue;
            }
            let depth = if of.window.is_some() { read + 1 } else { 0 };
            let to = self.enter((depth, followed.iter().map(|t| t.to).collect()));
            if self.out.states.len() > self.budget {
                return Err(self.too_large());
            }
            self.out.transitions.push(Transition {
                from,
                to,
                formula: term.formula,
                writes: followed.iter().flat_map(|t| t.writes.iter().copied()).collect(),
                output: Output {
                    taken: followed.iter().any(|t| t.output.taken),
                    marks: followed.iter().flat_map(|t| t.output.marks.iter().copied()).collect(),
                },
            });
        }
        Ok(())
    }

    fn enter(&mut self, key: Key) -> StateId {
        if let Some(s) = self.known.get(&key) {
            return *s;
        }
        let names: Vec<&str> = key.1.iter().map(|s| self.of.states[s.0].name.as_str()).collect();
        let accepting = key.1.iter().any(|s| self.of.states[s.0].accepting);
        self.out.states.push(State { name: format!("{{{}}}", names.join(", ")), accepting });
        let s = StateId(self.out.states.len() - 1);
        self.known.insert(key.clone(), s);
        self.open.push(key);
        s
    }

    fn too_large(&self) -> Error {
        Error::TooLarge {
            what: self.what,
            from: self.of.states.len(),
            window: self.of.window,
            states: self.out.states.len(),
            transitions: self.out.transitions.len(),
            budget: self.budget,
        }
    }
}

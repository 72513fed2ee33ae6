//! Union, concatenation and iteration: the closure constructions of the paper, epsilon transitions already gone.
//!
//! Where the paper has an epsilon transition into a part, the transitions of that part's start are copied. What a start skips, the copy
//! skips too: between two parts any number of events may pass. Matches of the whole are those of the parts put together, whatever the
//! parts are; cost: the size of the parts, and once more the transitions of a start for each accepting state in front of it.
use super::{Automaton, RegisterId, StateId, Transition};

impl Automaton {
    /// `φ or ψ`: what one of them matches.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        let mut a = Self::empty(&self.names);
        a.skip(a.start, a.start);
        for part in [self, other] {
            let offset = a.append(part);
            a.enter(a.start, StateId(part.start.0 + offset), false);
        }
        a.trim()
    }

    /// `φ ; ψ`: a match of `self`, and after it one of `other`.
    #[must_use]
    pub fn concat(&self, other: &Self) -> Self {
        let mut a = self.clone();
        a.window = None;
        let ends = a.accepting();
        let start = StateId(other.start.0 + a.append(other));
        for end in ends {
            a.states[end.0].accepting = false;
            a.enter(end, start, true);
        }
        a.renamed("start", "between")
    }

    /// `φ+`: one match or more, one after the other.
    #[must_use]
    pub fn iterate(&self) -> Self {
        let mut a = self.clone();
        a.window = None;
        let again = a.state("between".into(), false);
        a.skip(again, again);
        a.enter(again, a.start, false);
        for end in a.accepting() {
            a.enter(end, again, true);
        }
        a
    }

    /// Copies a part's states, registers and transitions; says by how much its states moved.
    fn append(&mut self, part: &Self) -> usize {
        let (states, registers) = (self.states.len(), self.registers.len());
        let moved = |r: RegisterId| RegisterId(r.0 + registers);
        self.states.extend(part.states.iter().cloned());
        self.registers.extend(part.registers.iter().cloned());
        self.transitions.extend(part.transitions.iter().map(|t| Transition {
            from: StateId(t.from.0 + states),
            to: StateId(t.to.0 + states),
            formula: t.formula.renamed(moved),
            writes: t.writes.iter().copied().map(moved).collect(),
            output: t.output.clone(),
        }));
        states
    }

    /// The epsilon transition from `at` to `start`, gone: `at` has its transitions, the loop (if wanted) as a way to it.
    fn enter(&mut self, at: StateId, start: StateId, skips: bool) {
        let copies: Vec<Transition> = self
            .leaving(start)
            .filter(|t| skips || t.to != start)
            .map(|t| Transition { from: at, ..t.clone() })
            .collect();
        self.transitions.extend(copies);
    }

    fn accepting(&self) -> Vec<StateId> {
        (0..self.states.len()).map(StateId).filter(|s| self.states[s.0].accepting).collect()
    }

    /// Only one start is called so.
    fn renamed(mut self, old: &str, new: &str) -> Self {
        for (i, s) in self.states.iter_mut().enumerate() {
            if i != self.start.0 && s.name == old {
                s.name = new.into();
            }
        }
        self
    }
}

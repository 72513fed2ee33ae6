//! Trimming: the states that lie on a way from the start to an accepting one.
use super::{Automaton, StateId};
use std::collections::BTreeSet;

impl Automaton {
    /// Without the states that no run gets to or that no run gets on from, and without transitions that no event can take. The start
    /// stays. Matches are the same. Cost: O(states × log + transitions × size of their formulas).
    #[must_use]
    pub fn trim(&self) -> Self {
        let types = self.names.types.len();
        let ways: Vec<(StateId, StateId)> = self
            .transitions
            .iter()
            .filter(|t| t.formula.is_satisfiable(types))
            .map(|t| (t.from, t.to))
            .collect();
        let mut onward = vec![Vec::new(); self.states.len()];
        let mut backward = vec![Vec::new(); self.states.len()];
        for (from, to) in ways {
            onward[from.0].push(to);
            backward[to.0].push(from);
        }
        let accepting = (0..self.states.len()).map(StateId).filter(|s| self.states[s.0].accepting);
        let reachable = closure(&onward, [self.start]);
        let useful = closure(&backward, accepting);
        let keep: Vec<StateId> = (0..self.states.len())
            .map(StateId)
            .filter(|s| *s == self.start || (reachable.contains(s) && useful.contains(s)))
            .collect();
        let new = |s: StateId| keep.binary_search(&s).ok().map(StateId);
        let mut trimmed = self.clone();
        trimmed.states = keep.iter().map(|s| self.states[s.0].clone()).collect();
        trimmed.start = new(self.start).unwrap_or(StateId(0));
        trimmed.transitions = self
            .transitions
            .iter()
            .filter(|t| t.formula.is_satisfiable(types))
            .filter_map(|t| {
                let (from, to) = (new(t.from)?, new(t.to)?);
                Some(super::Transition { from, to, ..t.clone() })
            })
            .collect();
        trimmed
    }
}

fn closure(next: &[Vec<StateId>], from: impl IntoIterator<Item = StateId>) -> BTreeSet<StateId> {
    let mut seen = BTreeSet::new();
    let mut open: Vec<StateId> = from.into_iter().collect();
    while let Some(s) = open.pop() {
        if seen.insert(s) {
            open.extend(&next[s.0]);
        }
    }
    seen
}

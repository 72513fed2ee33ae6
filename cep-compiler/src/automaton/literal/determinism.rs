//! The paper's two notions of determinism.
use super::{Automaton, Transition};

impl Automaton {
    /// No event can take two transitions of a state that have the same output: the paper's deterministic automaton, which still may have
    /// several runs. Exact on types and what is propositional; conditions count as independent, so `false` may be too careful. Cost:
    /// O(pairs of transitions that leave the same state).
    #[must_use]
    pub fn is_deterministic(&self) -> bool {
        self.clash(|a, b| a.output == b.output).is_none()
    }

    /// No event can take two transitions of a state, whatever their outputs: one run at most. As exact as
    /// [`Automaton::is_deterministic`].
    #[must_use]
    pub fn is_output_agnostic_deterministic(&self) -> bool {
        self.clash(|_, _| true).is_none()
    }

    /// Two transitions that one event can take, among those pairs that count.
    fn clash(&self, counts: impl Fn(&Transition, &Transition) -> bool) -> Option<(&Transition, &Transition)> {
        let types = self.names.types.len();
        for of in self.by_source() {
            for (i, a) in of.iter().map(|t| &self.transitions[*t]).enumerate() {
                for b in of[i + 1..].iter().map(|t| &self.transitions[*t]) {
                    if counts(a, b) && a.formula.and(&b.formula).is_satisfiable(types) {
                        return Some((a, b));
                    }
                }
            }
        }
        None
    }
}

//! Ambiguity by self-product: can one match have two runs?
use super::{Automaton, Formula, StateId, Transition};
use std::collections::BTreeSet;

/// Two accepting runs that differ and give the same match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ambiguity {
    /// What the events have to meet, one after the other.
    pub stream: Vec<Formula>,
    /// Where the two runs end.
    pub ends: (StateId, StateId),
}

struct Node {
    at: (StateId, StateId),
    differ: bool,
    /// The node before and what its event meets.
    before: Option<(usize, Formula)>,
}

impl Automaton {
    /// Two different accepting runs on one stream that begin with the same event and mark the same events with the same variables.
    ///
    /// Exact on types and on conditions of the event alone (as far as they are independent); a condition that reads a register may hold or
    /// not in each of the runs once they differ, because their registers may. So `None` is certain, and a pair found may be one that no
    /// values allow. Cost: O(states² + pairs of transitions).
    #[must_use]
    pub fn ambiguity(&self) -> Option<Ambiguity> {
        let types = self.names.types.len();
        let by_source = self.by_source();
        let mut nodes = vec![Node { at: (self.start, self.start), differ: false, before: None }];
        let mut seen = BTreeSet::from([(self.start, self.start, false)]);
        let mut next = 0;
        while next < nodes.len() {
            let (p, q) = nodes[next].at;
            let differ = nodes[next].differ;
            if differ && self.states[p.0].accepting && self.states[q.0].accepting {
                return Some(Ambiguity { stream: trace(&nodes, next), ends: (p, q) });
            }
            for i in &by_source[p.0] {
                for j in &by_source[q.0] {
                    let (a, b) = (&self.transitions[*i], &self.transitions[*j]);
                    if !self.alike(a, b) {
                        continue;
                    }
                    let both = if differ {
                        a.formula.without_registers().and(&b.formula.without_registers())
                    } else {
                        a.formula.and(&b.formula)
                    };
                    let differ = differ || i != j;
                    let Some(both) = both.simplified(types) else { continue };
                    if seen.insert((a.to, b.to, differ)) {
                        nodes.push(Node { at: (a.to, b.to), differ, before: Some((next, both)) });
                    }
                }
            }
            next += 1;
        }
        None
    }

    /// Nobody who sees the match can tell these two apart.
    fn alike(&self, a: &Transition, b: &Transition) -> bool {
        a.output.marks == b.output.marks && self.begins(a) == self.begins(b)
    }
}

fn trace(nodes: &[Node], end: usize) -> Vec<Formula> {
    let mut stream = Vec::new();
    let mut at = end;
    while let Some((before, formula)) = &nodes[at].before {
        stream.push(formula.clone());
        at = *before;
    }
    stream.reverse();
    stream
}

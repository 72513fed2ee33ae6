//! Unrolling by a window: the paper's step from a windowed expression to an automaton that can be determinised.
use super::{Automaton, Error, RegisterId, StateId, Transition};
use std::collections::BTreeMap;

impl Automaton {
    /// All walks of up to `window` transitions from the start, as a tree: one state for each walk, each with registers of its own.
    ///
    /// The start's loop is unrolled with the rest, so a match may begin with any event of the string; the result reads `window` events from
    /// the start and no more, and its matches are those of `self` in such strings. A condition reads the newest copy of its
    /// register on the walk. Source: the unrolled automaton of the paper (Lemma 15, Figure 3(a)), with one copy of a state for each walk to
    /// it. Cost and size: the number of walks; for `T ; H` that is w² + w + 1.
    ///
    /// # Errors
    /// [`Error::TooLarge`] at more than `budget` states.
    pub fn unroll(&self, window: usize, budget: usize) -> Result<Self, Error> {
        let by_source = self.by_source();
        let mut out = Self::empty(&self.names);
        out.window = Some(window);
        let mut copies = vec![0; self.states.len()];
        let mut written = vec![0; self.registers.len()];
        // a state of the tree: its original and the newest copy of each register
        let mut nodes: Vec<(StateId, BTreeMap<RegisterId, RegisterId>)> = vec![(self.start, BTreeMap::new())];
        out.states[0] = self.states[self.start.0].clone();
        let mut layer = 0..1;
        for _ in 0..window {
            let first = nodes.len();
            for at in layer {
                let (state, newest) = nodes[at].clone();
                for t in by_source[state.0].iter().map(|t| &self.transitions[*t]) {
                    if nodes.len() >= budget {
                        return Err(Error::TooLarge {
                            what: "the unrolled form",
                            from: self.states.len(),
                            window: Some(window),
                            states: out.states.len(),
                            transitions: out.transitions.len(),
                            budget,
                        });
                    }
                    let mut after = newest.clone();
                    // a register that no transition of this walk wrote: a copy that is never written stands for it
                    for r in t.formula.registers() {
                        let fresh = RegisterId(out.registers.len());
                        if let std::collections::btree_map::Entry::Vacant(e) = after.entry(r) {
                            e.insert(fresh);
                            out.registers.push(format!("{} empty", self.registers[r.0]));
                        }
                    }
                    let formula = t.formula.renamed(|r| after.get(&r).copied().unwrap_or(r));
                    let mut writes = std::collections::BTreeSet::new();
                    for r in &t.writes {
                        let fresh = RegisterId(out.registers.len());
                        written[r.0] += 1;
                        out.registers.push(format!("{}.{}", self.registers[r.0], written[r.0]));
                        after.insert(*r, fresh);
                        writes.insert(fresh);
                    }
                    copies[t.to.0] += 1;
                    let original = &self.states[t.to.0];
                    let name = format!("{}.{}", original.name, copies[t.to.0]);
                    let to = out.state(name, original.accepting);
                    nodes.push((t.to, after));
                    let output = t.output.clone();
                    out.transitions.push(Transition { from: StateId(at), to, formula, writes, output });
                }
            }
            layer = first..nodes.len();
        }
        Ok(out)
    }
}

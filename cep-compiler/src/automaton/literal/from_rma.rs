//! From the position automaton to the paper's.
use super::{Argument, Automaton, Error, Formula, Names, Output, Predicate, RegisterId, StateId, Transition};
use crate::automaton::Rma;
use crate::check::text;
use crate::hir::{AtomId, Conjunct, LoopId, Pattern, Region, Step};
use petgraph::Direction;
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;
use std::collections::{BTreeMap, BTreeSet};

/// Writes an automaton out: each position is a state, waiting in it a loop; one register holds an event of a variable that a condition
/// reads later. The window, the partition and what is consumed stay outside: unroll by the window.
///
/// Where strict transitions leave a position beside others, or it accepts and goes on, waiting is a second state. Cost: O(transitions ×
/// conditions).
///
/// # Errors
/// [`Error::NotBounded`] where a condition does not read one event of each variable that is certainly there (the paper's bounded expressions
/// are those where all do), and for a window inside the pattern, which no register holds.
pub fn from_rma(rma: &Rma, pattern: &Pattern) -> Result<Automaton, Error> {
    if !pattern.inner_windows.is_empty() {
        return Err(Error::NotBounded {
            condition: "within".into(),
            reason: "an inner window is no condition",
        });
    }
    let names = Names {
        types: pattern.schema.types.iter().map(|t| t.name.to_string()).collect(),
        variables: pattern.variables.iter().map(|v| v.name.to_string()).collect(),
        conditions: pattern.conjuncts.iter().map(condition_text).collect(),
    };
    let out = Automaton::empty(&names);
    let mut w = Writer { rma, pattern, out, registers: BTreeMap::new() };
    w.registers();
    let (entered, waiting) = w.states();
    for edge in rma.graph.edge_references() {
        let (from, to) = (edge.source(), edge.target());
        let formula = w.formula(edge)?;
        let atom = rma.graph[to].atom;
        let writes = w.registers.iter().filter(|(atoms, _)| atom.is_some_and(|a| atoms.contains(&a)));
        let t = Transition {
            from: entered[from.index()],
            to: entered[to.index()],
            formula,
            writes: writes.map(|(_, r)| *r).collect(),
            output: Output { taken: true, marks: rma.graph[to].marks.iter().copied().collect() },
        };
        let wait = waiting[from.index()].filter(|s| *s != t.from && !edge.weight().strict);
        w.out.transitions.extend(wait.map(|from| Transition { from, ..t.clone() }));
        w.out.transitions.push(t);
    }
    w.out.drop_unread_registers();
    Ok(w.out)
}

struct Writer<'a> {
    rma: &'a Rma,
    pattern: &'a Pattern,
    out: Automaton,
    /// One for each variable that is read: by its atoms.
    registers: BTreeMap<Vec<AtomId>, RegisterId>,
}

impl Writer<'_> {
    fn registers(&mut self) {
        for c in self.pattern.conjuncts.iter().filter(|c| c.step == Step::Join || c.step == Step::Entry) {
            for r in &c.reads {
                let later = r.atoms.iter().any(|a| self.read_later(*a));
                if later && !self.registers.contains_key(&r.atoms) {
                    self.registers.insert(r.atoms.clone(), RegisterId(self.out.registers.len()));
                    self.out.registers.push(r.name.to_string());
                }
            }
        }
    }

    /// Some transition's guard reads an earlier event of this atom.
    fn read_later(&self, atom: AtomId) -> bool {
        let reads = |g: &crate::automaton::Guard| g.registers.iter().any(|r| r.atom == atom);
        self.rma.graph.edge_weights().any(|t| t.guards.iter().any(reads))
    }

    /// For each position the state that is entered and the one where a run waits.
    fn states(&mut self) -> (Vec<StateId>, Vec<Option<StateId>>) {
        let (rma, out) = (self.rma, &mut self.out);
        let mut entered = Vec::new();
        let mut waiting = Vec::new();
        for n in rma.graph.node_indices() {
            let name = match rma.graph[n].atom {
                Some(a) => self.pattern.event_type(a).name.to_string(),
                None => "start".into(),
            };
            let here =
                if n == rma.start { out.start } else { out.state(name.clone(), rma.graph[n].accepting) };
            let strict = rma.graph.edges(n).any(|e| e.weight().strict);
            let waits = rma.graph.edges(n).any(|e| !e.weight().strict);
            let apart = n != rma.start && (strict || rma.graph[n].accepting);
            let wait = match (waits || n == rma.start, apart) {
                (false, _) => None,
                (true, false) => Some(here),
                (true, true) => Some(out.state(format!("{name} waiting"), false)),
            };
            if let Some(w) = wait {
                out.skip(here, w);
                if w != here {
                    out.skip(w, w);
                }
            }
            entered.push(here);
            waiting.push(wait);
        }
        (entered, waiting)
    }

    fn formula(
        &self,
        edge: petgraph::graph::EdgeReference<'_, crate::automaton::Transition>,
    ) -> Result<Formula, Error> {
        let mut formula = Formula::of_type(edge.weight().ty);
        let Some(atom) = self.rma.graph[edge.target()].atom else { return Ok(formula) };
        for g in &edge.weight().guards {
            let c = &self.pattern.conjuncts[g.conjunct.0];
            let not = |reason| Error::NotBounded { condition: condition_text(c), reason };
            if c.step == Step::End || !c.folds.is_empty() || c.reads.iter().any(|r| !r.computed.is_empty()) {
                return Err(not("it reads a summary of several events"));
            }
            if c.step == Step::Entry && !c.scope.first.contains(&atom) {
                continue;
            }
            let mut arguments = Vec::new();
            for r in &c.reads {
                // of this very event: it joins as this variable
                let current = r.atoms.contains(&atom) && (r.inside || c.step == Step::Event);
                let Region::All(loops) = &r.region else {
                    return Err(not(
                        "it reads an earlier repetition, or the first or last of several events",
                    ));
                };
                if c.step != Step::Event && self.several(&r.atoms, loops) {
                    return Err(not("it reads all events of an iterated variable"));
                }
                if current {
                    arguments.push(Some(Argument::Current));
                    continue;
                }
                let new = edge.weight().repeats.is_some_and(|l| loops.contains(&l));
                let before = if new { (false, true) } else { self.before(edge.source(), &r.atoms, loops) };
                arguments.push(match before {
                    (true, true) => return Err(not("an event that it reads may be absent")),
                    (false, _) => None,
                    (true, false) => self.registers.get(&r.atoms).map(|r| Argument::Register(*r)),
                });
            }
            // nothing to choose for one of them: the condition holds
            if let Some(arguments) = arguments.into_iter().collect() {
                formula.all.insert(Predicate::Holds { condition: g.conjunct, arguments });
            }
        }
        Ok(formula)
    }

    /// One repetition of these iterations may hold several events of these atoms.
    fn several(&self, atoms: &[AtomId], loops: &[LoopId]) -> bool {
        let at = |a: &AtomId| self.rma.graph.node_indices().find(|n| self.rma.graph[*n].atom == Some(*a));
        atoms.iter().filter_map(at).any(|n| {
            let mut seen = BTreeSet::new();
            let mut open: Vec<NodeIndex> = self.within(n, loops, Direction::Outgoing);
            while let Some(m) = open.pop() {
                if self.rma.graph[m].atom.is_some_and(|a| atoms.contains(&a)) {
                    return true;
                }
                if seen.insert(m) {
                    open.extend(self.within(m, loops, Direction::Outgoing));
                }
            }
            false
        })
    }

    /// Whether some way to `at`, within one repetition of these iterations, passes one of the atoms, and whether some way passes none.
    fn before(&self, at: NodeIndex, atoms: &[AtomId], loops: &[LoopId]) -> (bool, bool) {
        let (mut with, mut without) = (false, false);
        let mut seen = BTreeSet::new();
        let mut open = vec![at];
        while let Some(n) = open.pop() {
            if self.rma.graph[n].atom.is_some_and(|a| atoms.contains(&a)) {
                with = true;
                continue;
            }
            if !seen.insert(n) {
                continue;
            }
            let begins = self
                .rma
                .graph
                .edges_directed(n, Direction::Incoming)
                .any(|e| e.weight().repeats.is_some_and(|l| loops.contains(&l)));
            without |= n == self.rma.start || begins;
            open.extend(self.within(n, loops, Direction::Incoming));
        }
        (with, without)
    }

    /// The neighbours that are in the same repetition.
    fn within(&self, n: NodeIndex, loops: &[LoopId], direction: Direction) -> Vec<NodeIndex> {
        let edges = self.rma.graph.edges_directed(n, direction);
        edges
            .filter(|e| e.weight().repeats.is_none_or(|l| !loops.contains(&l)))
            .map(|e| if direction == Direction::Incoming { e.source() } else { e.target() })
            .collect()
    }
}

fn condition_text(c: &Conjunct) -> String {
    let parts: Vec<String> = c.disjuncts.iter().map(|d| text(&d.expr)).collect();
    parts.join(" || ")
}

//! The naive simulator: every run kept and cloned, exactly as the automaton is defined. An oracle for tests, not a machine.
//!
//! Windows, partitions and consumption are what surrounds the automaton; the simulator knows the windows only.
use super::Rma;
use super::folds::completes;
use super::interpret::{self, Fault, Value};
use crate::hir::{AggregateId, Amount, AtomId, Conjunct, ConjunctId, LoopId, Pattern, Step, TypeId, Window};
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;
use std::collections::{BTreeMap, BTreeSet};

/// An event: its type and its attributes' values, in the order of the schema.
#[derive(Clone, PartialEq, Debug)]
pub struct Event {
    /// Index of the type.
    pub ty: usize,
    /// One per attribute.
    pub values: Vec<Value>,
}

/// A result: the interval and, for each selected variable, its events' stream positions.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Match {
    /// First position.
    pub start: u64,
    /// Last position.
    pub end: u64,
    /// By the variable's name; empty for `select none` and `detect`.
    pub variables: BTreeMap<String, BTreeSet<u64>>,
    /// For each selected aggregate its computed events, sorted.
    pub computed: BTreeMap<String, Vec<Identity>>,
}

/// What makes a computed event the one it is: its `agg`, and for each attribute the events and the computed events that it was folded from.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Identity {
    /// Which `agg`, in the order of the pattern.
    pub aggregate: usize,
    /// By attribute.
    pub folded: Vec<(Vec<u64>, Vec<Identity>)>,
}

/// An event that joined a run.
#[derive(Clone, Debug)]
pub(super) struct Visit {
    pub(super) atom: AtomId,
    pub(super) position: u64,
    pub(super) repeats: Option<LoopId>,
}

/// A run: where it waits and which event took which atom.
#[derive(Clone)]
struct Run {
    at: NodeIndex,
    visits: Vec<Visit>,
}

struct Simulation<'a> {
    pattern: &'a Pattern,
    parameters: &'a [Value],
    stream: &'a [Event],
}

/// For each event the matches that end at it.
///
/// # Errors
/// A condition that panics, or that the interpreter does not know.
pub fn simulate(
    rma: &Rma,
    pattern: &Pattern,
    parameters: &[Value],
    stream: &[Event],
) -> Result<Vec<BTreeSet<Match>>, Fault> {
    let s = Simulation { pattern, parameters, stream };
    let mut waiting: Vec<Run> = Vec::new();
    let mut out = Vec::new();
    for (now, event) in stream.iter().enumerate() {
        let now = now as u64;
        let mut entered: Vec<Run> = Vec::new();
        let fresh = Run { at: rma.start, visits: Vec::new() };
        for run in waiting.iter().chain([&fresh]) {
            for edge in rma.graph.edges(run.at) {
                let Some(atom) = rma.graph[edge.target()].atom else { continue };
                let t = edge.weight();
                let gap = run.visits.last().map_or(0, |v| now - v.position - 1);
                if t.ty != TypeId(event.ty) || (t.strict && gap > 0) {
                    continue;
                }
                let mut next = run.clone();
                next.at = edge.target();
                next.visits.push(Visit { atom, position: now, repeats: t.repeats });
                if s.in_windows(&next) && s.joins(rma, edge.target(), &next)? {
                    entered.push(next);
                }
            }
        }
        let mut matches = BTreeSet::new();
        for run in entered.iter().filter(|r| rma.graph[r.at].accepting) {
            if s.ends(run, run.visits.len(), None)? {
                matches.insert(s.result(run));
            }
        }
        out.push(matches);
        waiting.extend(entered);
        // a run whose edges are all strict dies with the next event; one that is out of the window never matches
        waiting.retain(|r| rma.graph.edges(r.at).next().is_some());
    }
    Ok(out)
}

impl Simulation<'_> {
    fn event(&self, position: u64) -> &Event {
        &self.stream[usize::try_from(position).unwrap_or(usize::MAX)]
    }

    /// The outer and the inner windows, at the newest event.
    fn in_windows(&self, run: &Run) -> bool {
        let n = run.visits.len() - 1;
        let within =
            |w: &Window, from: usize| self.within(w, run.visits[from].position, run.visits[n].position);
        self.pattern.window.as_ref().is_none_or(|w| within(w, 0))
            && self.pattern.inner_windows.iter().all(|i| {
                !i.scope.atoms.contains(&run.visits[n].atom.0)
                    || within(&i.window, interpret::instance(&run.visits, n, &i.scope))
            })
    }

    /// The key of an event, where it has every part of it.
    fn key(&self, position: u64) -> Option<Vec<String>> {
        let e = self.event(position);
        let mut key = Vec::new();
        for part in &self.pattern.partition {
            let (_, a) = part.iter().find(|(t, _)| t.0 == e.ty)?;
            key.push(format!("{:?}", e.values[a.0]));
        }
        Some(key)
    }

    fn within(&self, w: &Window, first: u64, last: u64) -> bool {
        let time = |p: u64| {
            let e = self.event(p);
            self.pattern.clock.as_ref().map(|c| e.values[c.attributes[e.ty].0].clone())
        };
        match w {
            Window::Events(n) => last - first < *n,
            Window::Partition(n) => {
                let last_key = self.key(last);
                (first..last).filter(|p| self.key(*p) == last_key).count()
                    < usize::try_from(*n).unwrap_or(usize::MAX)
            }
            Window::Clock(span) => match (time(first), time(last), span) {
                (Some(Value::Int(a)), Some(Value::Int(b)), Amount::Int(n)) => b - a <= i128::from(*n),
                (Some(Value::Float(a)), Some(Value::Float(b)), Amount::Float(n)) => b - a <= *n,
                _ => false,
            },
        }
    }

    /// The guards of the newest event: first those of formulas that it leaves behind.
    fn joins(&self, rma: &Rma, at: NodeIndex, run: &Run) -> Result<bool, Fault> {
        let n = run.visits.len() - 1;
        let newest = &run.visits[n];
        if n > 0 && !self.ends(run, n, Some(newest))? {
            return Ok(false);
        }
        let _ = (rma, at);
        for (i, c) in self.pattern.conjuncts.iter().enumerate() {
            let here = match c.step {
                Step::Event => c.unary_atoms().contains(&newest.atom),
                Step::Join => c.reads.iter().any(|r| r.inside && r.atoms.contains(&newest.atom)),
                Step::Entry => {
                    c.scope.atoms.contains(&newest.atom.0)
                        && interpret::instance(&run.visits, n, &c.scope) == n
                }
                Step::End => false,
            };
            if here && !self.holds(ConjunctId(i), c, &run.visits, n)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The conjuncts that look at whole instances, for those that end with visit `count - 1`: the run goes on outside of them with `next`, or
    /// is over.
    fn ends(&self, run: &Run, count: usize, next: Option<&Visit>) -> Result<bool, Fault> {
        let n = count - 1;
        for (i, c) in self.pattern.conjuncts.iter().enumerate().filter(|(_, c)| c.step == Step::End) {
            if !c.scope.atoms.contains(&run.visits[n].atom.0) {
                continue;
            }
            let goes_on = next.is_some_and(|v| {
                c.scope.atoms.contains(&v.atom.0) && v.repeats.is_none_or(|l| !c.scope.loops.contains(&l))
            });
            if !goes_on && !self.holds(ConjunctId(i), c, &run.visits[..count], n)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn holds(&self, _: ConjunctId, c: &Conjunct, visits: &[Visit], n: usize) -> Result<bool, Fault> {
        interpret::holds(c, self.pattern, self.parameters, visits, n, &|p| self.event(p))
    }

    fn result(&self, run: &Run) -> Match {
        let (mut variables, mut computed) = (BTreeMap::new(), BTreeMap::new());
        let last = run.visits.len().saturating_sub(1);
        {
            for f in self.pattern.output.fields() {
                let name = self.pattern.variables[f.variable.0].name.to_string();
                if !f.aggregates.is_empty() {
                    let mut all = Vec::new();
                    for g in &f.aggregates {
                        all.extend(self.identities(*g, &run.visits, 0, last));
                    }
                    all.sort();
                    computed.insert(name, all);
                    continue;
                }
                let held = run.visits.iter().filter(|v| f.atoms.contains(&v.atom)).map(|v| v.position);
                variables.insert(name, held.collect());
            }
        }
        let all = || run.visits.iter().map(|v| v.position);
        Match { start: all().min().unwrap_or(0), end: all().max().unwrap_or(0), variables, computed }
    }

    /// The computed events of an aggregate that are complete between two visits, sorted.
    fn identities(&self, of: AggregateId, visits: &[Visit], from: usize, to: usize) -> Vec<Identity> {
        let aggregate = &self.pattern.aggregates[of.0];
        let mut all = Vec::new();
        for k in (from..=to).filter(|k| completes(visits, *k, to, &aggregate.scope)) {
            let mut folded = Vec::new();
            for field in &aggregate.fields {
                let fold = self.pattern.fold(field.fold);
                let begin = interpret::segment(visits, k, &fold.loops);
                let taken = (begin..=k).filter(|i| fold.atoms.contains(&visits[*i].atom));
                let events = taken.map(|i| visits[i].position).collect();
                let mut inner = Vec::new();
                for g in &fold.aggregates {
                    inner.extend(self.identities(*g, visits, begin, k));
                }
                inner.sort();
                folded.push((events, inner));
            }
            all.push(Identity { aggregate: of.0, folded });
        }
        all
    }
}

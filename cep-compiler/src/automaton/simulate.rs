//! The naive simulator: every run kept and cloned, exactly as the automaton is defined. An oracle for tests, not a machine.
use super::interpret::{self, Fault, Value};
use super::{Rma, Skip};
use crate::hir::{AtomId, Output, Pattern, TypeId};
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
}

/// A run: where it waits and which event took which atom.
#[derive(Clone)]
struct Run {
    at: NodeIndex,
    events: Vec<(AtomId, u64)>,
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
    let mut waiting: Vec<Run> = Vec::new();
    let mut out = Vec::new();
    for (now, event) in stream.iter().enumerate() {
        let now = now as u64;
        let mut entered = Vec::new();
        let fresh = Run { at: rma.start, events: Vec::new() };
        for run in waiting.iter().chain([&fresh]) {
            let start = run.events.first().map_or(now, |e| e.1);
            if pattern.window.is_some_and(|w| now - start + 1 > w) {
                continue;
            }
            for edge in rma.graph.edges(run.at) {
                let Some(atom) = rma.graph[edge.target()].atom else { continue };
                if edge.weight().ty != TypeId(event.ty) {
                    continue;
                }
                let mut next = run.clone();
                next.at = edge.target();
                next.events.push((atom, now));
                let mut holds = true;
                for g in &edge.weight().guards {
                    let c = &pattern.conjuncts[g.conjunct.0];
                    let look = |a: AtomId| {
                        next.events.iter().find(|(b, _)| *b == a).map(|(_, p)| (*p, &stream[position(*p)]))
                    };
                    if !interpret::conjunct(c, pattern, parameters, &look)? {
                        holds = false;
                        break;
                    }
                }
                if holds {
                    entered.push(next);
                }
            }
        }
        waiting.retain(|r| rma.graph[r.at].skip == Skip::Any);
        let matches =
            entered.iter().filter(|r| rma.graph[r.at].accepting).map(|r| result(r, pattern)).collect();
        out.push(matches);
        waiting.extend(entered);
    }
    Ok(out)
}

fn position(p: u64) -> usize {
    usize::try_from(p).unwrap_or(usize::MAX)
}

fn result(run: &Run, pattern: &Pattern) -> Match {
    let mut variables = BTreeMap::new();
    if let Output::Select(fields) = &pattern.output {
        for f in fields {
            let name = pattern.variables[f.variable.0].name.to_string();
            let held = &pattern.variables[f.variable.0].atoms;
            variables
                .insert(name, run.events.iter().filter(|(a, _)| held.contains(a)).map(|(_, p)| *p).collect());
        }
    }
    let all = || run.events.iter().map(|e| e.1);
    Match { start: all().min().unwrap_or(0), end: all().max().unwrap_or(0), variables }
}

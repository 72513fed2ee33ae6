//! The simulator: every run kept, exactly as the automaton is defined. An oracle for tests, not a machine.
use super::{Argument, Automaton, Conjunction, Formula, Predicate, RegisterId, StateId};
use crate::automaton::interpret;
use crate::automaton::{Event, Fault, Value};
use crate::hir::{ConjunctId, Pattern, VariableId};
use std::collections::{BTreeMap, BTreeSet};

/// Says whether a condition holds of events, given in the order of its arguments with their places in the stream.
pub type Holds<'a> = dyn Fn(ConjunctId, &[(u64, &Event)]) -> Result<bool, Fault> + 'a;

/// A match: the events taken, and those that each variable marks.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Marks {
    /// The places of the events that are part of it.
    pub taken: BTreeSet<u64>,
    /// By variable.
    pub variables: BTreeMap<VariableId, BTreeSet<u64>>,
}

#[derive(Clone)]
struct Run {
    at: StateId,
    registers: BTreeMap<RegisterId, u64>,
    marks: Marks,
}

/// The conditions of a pattern, for [`Automaton::matches`].
pub fn conditions<'a>(
    pattern: &'a Pattern,
    parameters: &'a [Value],
) -> impl Fn(ConjunctId, &[(u64, &Event)]) -> Result<bool, Fault> + 'a {
    |c, events| {
        let given = interpret::Given { events, computed: &[], folds: &[] };
        interpret::conjunct(&pattern.conjuncts[c.0], pattern, parameters, given)
    }
}

impl Automaton {
    /// For each event the matches of the runs that accept with it, all begun in front of the first event.
    ///
    /// # Errors
    /// A condition that panics, or that cannot be interpreted.
    pub fn matches(&self, stream: &[Event], holds: &Holds) -> Result<Vec<BTreeSet<Marks>>, Fault> {
        let runs = self.runs(stream, holds)?;
        let accepted = |runs: &Vec<Run>| {
            runs.iter().filter(|r| self.states[r.at.0].accepting).map(|r| r.marks.clone()).collect()
        };
        Ok(runs[1..].iter().map(accepted).collect())
    }

    /// For each prefix of the stream, from the empty one to the whole, whether it is accepted.
    ///
    /// # Errors
    /// As [`Automaton::matches`].
    pub fn accepts(&self, stream: &[Event], holds: &Holds) -> Result<Vec<bool>, Fault> {
        let runs = self.runs(stream, holds)?;
        Ok(runs.iter().map(|runs| runs.iter().any(|r| self.states[r.at.0].accepting)).collect())
    }

    /// How many runs there are after each prefix: at most one if the automaton is output-agnostic deterministic.
    ///
    /// # Errors
    /// As [`Automaton::matches`].
    pub fn count_runs(&self, stream: &[Event], holds: &Holds) -> Result<Vec<usize>, Fault> {
        Ok(self.runs(stream, holds)?.iter().map(Vec::len).collect())
    }

    fn runs(&self, stream: &[Event], holds: &Holds) -> Result<Vec<Vec<Run>>, Fault> {
        let by_source = self.by_source();
        let first = Run { at: self.start, registers: BTreeMap::new(), marks: Marks::default() };
        let mut after = vec![vec![first]];
        for now in 0..stream.len() {
            let mut entered = Vec::new();
            if self.window.is_none_or(|w| now < w) {
                for run in &after[now] {
                    for t in by_source[run.at.0].iter().map(|t| &self.transitions[*t]) {
                        if !meets(&t.formula, run, stream, now, holds)? {
                            continue;
                        }
                        let mut next = run.clone();
                        next.at = t.to;
                        next.registers.extend(t.writes.iter().map(|r| (*r, now as u64)));
                        if t.output.taken {
                            next.marks.taken.insert(now as u64);
                        }
                        for v in &t.output.marks {
                            next.marks.variables.entry(*v).or_default().insert(now as u64);
                        }
                        entered.push(next);
                    }
                }
            }
            after.push(entered);
        }
        Ok(after)
    }
}

fn meets(f: &Formula, run: &Run, stream: &[Event], now: usize, holds: &Holds) -> Result<bool, Fault> {
    if !all(&f.all, run, stream, now, holds)? {
        return Ok(false);
    }
    for n in &f.none {
        if all(n, run, stream, now, holds)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Types come first in a conjunction, so a condition sees events of its types only.
fn all(c: &Conjunction, run: &Run, stream: &[Event], now: usize, holds: &Holds) -> Result<bool, Fault> {
    for p in c {
        let met = match p {
            Predicate::Type(t) => stream[now].ty == t.0,
            Predicate::Holds { condition, arguments } => {
                let places: Option<Vec<u64>> = arguments
                    .iter()
                    .map(|a| match a {
                        Argument::Current => Some(now as u64),
                        Argument::Register(r) => run.registers.get(r).copied(),
                    })
                    .collect();
                match places {
                    None => false,
                    Some(places) => {
                        let at = |p: u64| &stream[usize::try_from(p).unwrap_or(usize::MAX)];
                        let events: Vec<(u64, &Event)> = places.iter().map(|p| (*p, at(*p))).collect();
                        holds(*condition, &events)?
                    }
                }
            }
        };
        if !met {
            return Ok(false);
        }
    }
    Ok(true)
}

//! `strategy`, `skip`, `consume`, `limit`, `select`, in this order, on all results of a pattern.
use crate::expr::Var;
use crate::model::{Complex, Made, Result, invalid, unsupported};
use crate::oracle::{Delivery, Rule};
use crate::resolve::Names;
use crate::state::Set;
use cep_compiler::ast::{Clauses, Consume, Output, Skip};
use std::collections::{BTreeMap, BTreeSet};

/// A result of the formula inside its window.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// The step that delivers it.
    pub(crate) step: usize,
    pub(crate) partition: usize,
    pub(crate) start: u64,
    pub(crate) end: u64,
    /// Order of deadlines under a `not` at the end.
    pub(crate) deadline: usize,
    /// `consume`: what started before this is gone once it is delivered.
    pub(crate) consumed: u64,
    /// Its events by their places in the sub-stream.
    pub(crate) local: Set,
    pub(crate) positions: BTreeSet<u64>,
    pub(crate) vars: Vec<BTreeSet<u64>>,
    /// Computed events with their variables, in stream order.
    pub(crate) made: Vec<(Var, Made)>,
}

/// `strategy`
#[derive(Clone, Copy, PartialEq, Eq)]
enum Strategy {
    All,
    One,
    Last,
    Next,
    Max,
    Strict,
}

/// `skip`
enum Skipping {
    Nothing,
    ToNext,
    PastLast,
    ToFirst(Var),
    ToLast(Var),
}

/// The clauses between the window and the output.
pub(crate) struct Effects {
    strategy: Strategy,
    skip: Skipping,
    consume: Consume,
    limit: Option<u64>,
}

/// What accepted results have removed from a partition.
#[derive(Default)]
struct Removed {
    /// What started here.
    at: BTreeSet<u64>,
    /// What started before this.
    before: u64,
}

impl Effects {
    pub(crate) fn new(clauses: &Clauses, names: &Names<'_>, trailing: bool) -> Result<Effects> {
        let strategy = match clauses.strategy.as_ref().map(|s| s.value.to_string()).as_deref() {
            None | Some("all") => Strategy::All,
            Some("one") => Strategy::One,
            Some("last") => Strategy::Last,
            Some("next") => Strategy::Next,
            Some("max") => Strategy::Max,
            Some("strict") => Strategy::Strict,
            Some(other) => return invalid(format!("`strategy {other}`")),
        };
        if trailing && strategy != Strategy::All {
            return invalid("`strategy` with a `not` at the end");
        }
        let var = |x: &proc_macro2::Ident| match names.var(&x.to_string()) {
            Some(v) => Ok(v),
            None => invalid(format!("the variable `{x}` of `skip`")),
        };
        let skip = match clauses.skip.as_ref().map(|s| &s.value) {
            None => Skipping::Nothing,
            Some(Skip::ToNext) => Skipping::ToNext,
            Some(Skip::PastLast) => Skipping::PastLast,
            Some(Skip::ToFirst(x)) => Skipping::ToFirst(var(x)?),
            Some(Skip::ToLast(x)) => Skipping::ToLast(var(x)?),
        };
        let consume = clauses.consume.as_ref().map_or(Consume::None, |c| c.value);
        if consume == Consume::Partition && clauses.partition.is_none() {
            return invalid("`consume partition` without `partition by`");
        }
        let limit = clauses.limit.as_ref().map(|l| l.value);
        let output = clauses.output.as_ref().map(|o| &o.value);
        if limit == Some(0)
            || (limit.is_some() && matches!(output, Some(Output::Detect | Output::Summarize(_))))
        {
            return invalid("`limit 0`, or `limit` with `detect` or `summarize`");
        }
        if strategy == Strategy::One && (!matches!(skip, Skipping::Nothing) || limit.is_some()) {
            return unsupported("`strategy one` with `skip` or `limit`");
        }
        Ok(Effects { strategy, skip, consume, limit })
    }

    /// Sorts candidates into deliveries; gives those of each step.
    pub(crate) fn apply(
        &self,
        candidates: Vec<Candidate>,
        out: &mut [Delivery],
        select: &dyn Fn(&Candidate) -> Complex,
    ) -> Result<Vec<Vec<Candidate>>> {
        let mut all = Vec::new();
        let mut removed: BTreeMap<usize, Removed> = BTreeMap::new();
        let mut consumed: BTreeMap<usize, u64> = BTreeMap::new();
        for (step, delivery) in out.iter_mut().enumerate() {
            let alive =
                |c: &&Candidate| c.step == step && c.start >= *consumed.get(&self.domain(c)).unwrap_or(&0);
            let here: Vec<&Candidate> = candidates.iter().filter(alive).collect();
            let chosen = self.choose(here);
            let accepted = self.accept(chosen, &mut removed)?;
            for c in &accepted {
                if self.consume != Consume::None {
                    let gone = consumed.entry(self.domain(c)).or_default();
                    *gone = c.consumed.max(*gone);
                }
            }
            // computed events are a bag: in which order it is listed makes no other result
            let mut once = BTreeSet::new();
            for found in accepted.iter().map(|c| select(c)) {
                let mut key = found.clone();
                key.made.values_mut().for_each(|list| list.sort());
                if once.insert(key) {
                    delivery.results.insert(found);
                }
            }
            if self.strategy == Strategy::One {
                let mut classes: BTreeMap<(usize, &BTreeSet<u64>), BTreeSet<Complex>> = BTreeMap::new();
                for c in &accepted {
                    classes.entry((c.partition, &c.positions)).or_default().insert(select(c));
                }
                delivery.rule = Rule::OneOf(classes.into_values().collect());
            } else if let Some(n) = self.limit
                && accepted.len() as u64 > n
            {
                delivery.rule = Rule::AtMost(n);
            }
            all.push(accepted.into_iter().cloned().collect());
        }
        Ok(all)
    }

    /// What a consumption reaches: everything, or a partition.
    fn domain(&self, c: &Candidate) -> usize {
        if self.consume == Consume::Partition { c.partition } else { 0 }
    }

    /// `strategy`, among results of one end (so of one partition).
    fn choose<'c>(&self, here: Vec<&'c Candidate>) -> Vec<&'c Candidate> {
        let beaten = |c: &Candidate| match self.strategy {
            Strategy::All | Strategy::One => false,
            Strategy::Strict => {
                let shifted = c.local >> c.local.trailing_zeros().min(127);
                c.local != 0 && shifted & shifted.wrapping_add(1) != 0
            }
            Strategy::Max => {
                here.iter().any(|d| c.positions != d.positions && c.positions.is_subset(&d.positions))
            }
            Strategy::Last => here.iter().any(|d| {
                let difference: BTreeSet<_> = c.positions.symmetric_difference(&d.positions).collect();
                difference.last().is_some_and(|p| d.positions.contains(p))
            }),
            Strategy::Next => here.iter().any(|d| {
                let difference: BTreeSet<_> = c.positions.symmetric_difference(&d.positions).collect();
                difference.first().is_some_and(|p| d.positions.contains(p))
            }),
        };
        here.iter().copied().filter(|c| !beaten(c)).collect()
    }

    /// `skip`: results in their order, each against what those before it removed.
    fn accept<'c>(
        &self,
        mut chosen: Vec<&'c Candidate>,
        removed: &mut BTreeMap<usize, Removed>,
    ) -> Result<Vec<&'c Candidate>> {
        if matches!(self.skip, Skipping::Nothing) {
            return Ok(chosen);
        }
        chosen.sort_by_key(|c| (c.deadline, c.end, c.start, &c.positions));
        let together = |a: &&Candidate, b: &&Candidate| {
            (a.partition, a.start, a.end, &a.positions) == (b.partition, b.start, b.end, &b.positions)
        };
        for (i, c) in chosen.iter().enumerate() {
            let same = |d: &&&Candidate| d.partition == c.partition && d.positions == c.positions;
            if chosen[..i].iter().filter(same).any(|d| d.start != c.start || d.end != c.end) {
                return unsupported("`skip` among results of equal positions and unequal intervals");
            }
        }
        let mut accepted = Vec::new();
        for group in chosen.chunk_by(together) {
            let partition = removed.entry(group[0].partition).or_default();
            if partition.at.contains(&group[0].start) || group[0].start < partition.before {
                continue;
            }
            accepted.extend_from_slice(group);
            for c in group {
                let to = |x: Option<&u64>| match x {
                    Some(p) => Ok((*p).max(c.start + 1)),
                    None => invalid("`skip to` a variable that holds nothing"),
                };
                let before = match &self.skip {
                    Skipping::Nothing => 0,
                    Skipping::ToNext => {
                        partition.at.insert(c.start);
                        0
                    }
                    Skipping::PastLast => c.end + 1,
                    Skipping::ToFirst(x) => to(c.vars[*x].first())?,
                    Skipping::ToLast(x) => to(c.vars[*x].last())?,
                };
                partition.before = partition.before.max(before);
            }
        }
        Ok(accepted)
    }
}

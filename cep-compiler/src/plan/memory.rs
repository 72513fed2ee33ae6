//! What the search may remember: which events a later condition may read, so that two runs that agree on those have one future.
//!
//! Without it a search is exponential in the repetitions of an iteration, also where its matches are few: every run is walked to its end to
//! find that it leads nowhere, or to a match that another run has given. With it every entry is taken once by each position behind one choice
//! of the events that matter.
use super::{Edge, Kernel, Plan};
use crate::hir::{self, AtomId, Conjunct, LoopId, Read, Region, Scope, Step};
use crate::slices::{all, any};

/// More lanes than this are not worth their memory.
const MOST_LANES: usize = 4;
/// Positions outside iterations get a lane where all of them take no more frames than this.
const SMALL: u64 = 256;

/// What later conditions read of past events.
#[derive(Clone, Copy)]
struct ReadLater {
    /// Any event of these atoms, as bits.
    any: u64,
    /// The first event of an iteration of nothing else.
    first: u64,
    /// The newest one, also from outside of the iteration.
    last: u64,
    /// Where the current repetition of these iterations began, as bits.
    loops: u64,
}

impl ReadLater {
    fn of(pattern: &hir::Pattern, plan: &Plan) -> Self {
        let mut out = ReadLater { any: 0, first: 0, last: 0, loops: 0 };
        for c in &pattern.conjuncts {
            if c.is_unary() {
                continue;
            }
            for r in &c.reads {
                out.computed(pattern, r);
                if !(is_last_to_join(pattern, plan, c, r) || plan.is_closing(c, r)) {
                    out.read(pattern, r);
                }
            }
            for f in &c.folds {
                out.fold(pattern, f.fold);
            }
            if c.step == Step::Entry {
                out.any |= of_scope(&c.scope);
            }
            if c.step == Step::Entry || c.step == Step::End {
                out.loops |= of_loops(&c.scope.loops);
            }
        }
        for w in &pattern.inner_windows {
            out.any |= of_scope(&w.scope);
            out.loops |= of_loops(&w.scope.loops);
        }
        out
    }

    /// What a fold depends on, below other aggregates too.
    fn fold(&mut self, pattern: &hir::Pattern, id: hir::FoldId) {
        let mut atoms = Vec::new();
        super::positions::folded(pattern, id, &mut atoms);
        self.any |= of_atoms(&atoms);
        for f in &pattern.folds {
            self.loops |= of_loops(&f.loops);
        }
    }

    /// The computed events that a read is of.
    fn computed(&mut self, pattern: &hir::Pattern, r: &Read) {
        for g in &r.computed {
            let scope = &pattern.aggregates[g.0].scope;
            self.any |= of_scope(scope);
            self.loops |= of_loops(&scope.loops);
        }
        for a in &r.attributes {
            for (g, i) in &a.computed {
                self.fold(pattern, pattern.aggregates[g.0].fields[*i].fold);
            }
        }
    }

    fn read(&mut self, pattern: &hir::Pattern, r: &Read) {
        // the only atom of the only iteration: its newest event is also the last one, and the one before the next
        let alone =
            |a: &AtomId| matches!(&pattern.loops[..], [l] if l.atoms.len() == 1 && l.atoms.contains(&a.0));
        let (atoms, alone) = (of_atoms(&r.atoms), all(&r.atoms, alone));
        match &r.region {
            Region::Previous(_) if alone => {}
            Region::First(_) | Region::FirstBefore(_) if alone => self.first |= atoms,
            Region::Last(_) if alone => self.last |= atoms,
            Region::All(loops) | Region::First(loops) | Region::Last(loops) => {
                self.any |= atoms;
                self.loops |= of_loops(loops);
            }
            Region::Previous(id) | Region::FirstBefore(id) => {
                self.any |= atoms;
                self.loops |= 1 << id.0;
            }
        }
    }

    /// Says of a transition from a position (of the start: `None`) what later conditions read of it.
    fn mark(&self, from: Option<usize>, e: &mut Edge) {
        let has = |bits: u64, i: usize| bits >> i & 1 == 1;
        // a new repetition that conditions look at, and the same event without one, are two ways with two futures
        let anew = e.repeats.is_some_and(|l| has(self.loops, l));
        e.significant = anew || has(self.any, e.to) || (has(self.first, e.to) && e.repeats.is_none());
        e.leaves = anew || e.repeats.is_none() && from.is_some_and(|q| has(self.last, q));
    }
}

/// As bits.
pub(super) fn of_atoms(atoms: &[AtomId]) -> u64 {
    let mut bits = 0;
    for a in atoms {
        bits |= 1 << a.0;
    }
    bits
}

fn of_loops(loops: &[LoopId]) -> u64 {
    let mut bits = 0;
    for l in loops {
        bits |= 1 << l.0;
    }
    bits
}

fn of_scope(scope: &Scope) -> u64 {
    let mut bits = 0;
    for a in scope.atoms.start..scope.atoms.end {
        bits |= 1 << a;
    }
    bits
}

/// A read that the joining event can be.
fn joins(r: &Read) -> bool {
    r.inside && r.computed.is_empty() && matches!(r.region, Region::All(_))
}

/// The conjunct is evaluated as an event of this read joins, and never again with that event: those of its other reads have joined before.
fn is_last_to_join(pattern: &hir::Pattern, plan: &Plan, c: &Conjunct, r: &Read) -> bool {
    if c.step != Step::Join || !joins(r) {
        return false;
    }
    for other in &c.reads {
        if std::ptr::eq(other, r) || !joins(other) || plan.is_closing(c, other) {
            continue;
        }
        for a in &r.atoms {
            for b in &other.atoms {
                let together = |l: &hir::Loop| l.atoms.contains(&a.0) && l.atoms.contains(&b.0);
                if b >= a || any(&pattern.loops, together) {
                    return false;
                }
            }
        }
    }
    true
}

/// Marks the transitions and gives positions their lanes, for searches over at most `held` events.
pub(super) fn remember(pattern: &hir::Pattern, plan: &mut Plan, held: u64) {
    plan.memory = vec![None; plan.positions.len()];
    if plan.kernel != Kernel::Ring || !pattern.is_cyclic() {
        return;
    }
    let later = ReadLater::of(pattern, plan);
    for e in &mut plan.start {
        later.mark(None, e);
    }
    for (q, p) in plan.positions.iter_mut().enumerate() {
        for e in &mut p.edges {
            later.mark(Some(q), e);
        }
    }
    let mut lanes = 0;
    for iterated in [true, false] {
        for q in 0..plan.positions.len() {
            let is_iterated = any(&pattern.loops, |l| l.atoms.contains(&q));
            let small = (lanes as u64 + 1).saturating_mul(held) <= SMALL;
            if is_iterated == iterated
                && lanes < MOST_LANES
                && (iterated || small)
                && plan.memory[q].is_none()
            {
                plan.memory[q] = Some(lanes);
                lanes += 1;
            }
        }
    }
}

//! What a run carries along: accumulators that every event is folded into as it joins.
//!
//! An aggregate is a register with a fold update. A run's registers stand in the frame of its newest event, so that a search that goes back has
//! those of the shorter run at once: one step costs the folds of one event, whatever the length of the run.
use crate::At;
use crate::kernels::walk::Frame;

/// The registers of a run. `()` where a pattern has none.
pub trait Registers: Copy + 'static {
    /// Before the first event.
    const NEW: Self;
}

/// Registers that take events as the emitted machine keeps them.
pub trait Joins<K>: Registers {
    /// An event joins the run at `position`, behind one at `before` (`u8::MAX`: it is the first), and begins a new repetition of iteration
    /// `repeats` (64: of none).
    fn join(&mut self, before: u8, position: u8, repeats: u8, event: &At<K>);
}

impl Registers for () {
    const NEW: Self = ();
}
impl<K> Joins<K> for () {
    #[inline(always)]
    fn join(&mut self, _: u8, _: u8, _: u8, _: &At<K>) {}
}

/// An `agg` as far as its computed events must be told apart: two are the same where they were folded from the same events.
#[derive(Clone, Copy)]
pub struct Computed {
    /// The positions of the formula it follows, as bits.
    pub positions: u64,
    /// The iterations around that, as bits: each repetition has a computed event of its own.
    pub loops: u64,
    /// For each variable that it folds, the variable's positions.
    pub folds: &'static [u64],
    /// The `agg`s whose computed events it folds.
    pub of: &'static [u8],
    /// It is part of the output.
    pub selected: bool,
}

/// A stretch of a run.
struct Stretch<'a, A> {
    frames: &'a [Frame<A>],
    from: usize,
    to: usize,
}
copies!(['a, A] Stretch<'a, A>);

impl<A: Registers> Stretch<'_, A> {
    /// The repetition that begins at `from`, if the `agg` has a computed event in it, and where the next one begins.
    fn repetition(self, agg: &Computed, from: usize) -> (Option<Self>, usize) {
        let mut to = from;
        let mut any = false;
        while to < self.to {
            let Some(f) = self.frames.get(to) else { break };
            if to > from && f.begins(agg.loops) {
                break;
            }
            any |= f.takes(agg.positions);
            to += 1;
        }
        (any.then_some(Stretch { from, to, ..self }), to)
    }

    /// How many computed events equal `other`'s (all of them where there is none to compare with).
    fn count(self, all: &[Computed], agg: &Computed, other: Option<Self>) -> usize {
        let (mut n, mut at) = (0, self.from);
        while at < self.to {
            let (found, next) = self.repetition(agg, at);
            n += match (found, other) {
                (Some(f), Some(o)) => usize::from(f.equals(all, agg, o)),
                (found, _) => usize::from(found.is_some()),
            };
            at = next;
        }
        n
    }

    /// Two computed events of one `agg` were folded from the same events.
    fn equals(self, all: &[Computed], agg: &Computed, other: Self) -> bool {
        for mask in agg.folds {
            let (mut own, mut others) = (self.from, other.from);
            loop {
                let (a, b) = (self.next(&mut own, *mask), other.next(&mut others, *mask));
                if a != b {
                    return false;
                }
                if a.is_none() {
                    break;
                }
            }
        }
        for inner in agg.of {
            if let Some(inner) = all.get(usize::from(*inner))
                && !self.same(all, inner, other)
            {
                return false;
            }
        }
        true
    }

    /// The entry of the first event from `at` on that takes one of these positions; `at` is behind it then.
    fn next(self, at: &mut usize, positions: u64) -> Option<u64> {
        while *at < self.to {
            let frame = self.frames.get(*at)?;
            *at += 1;
            if frame.takes(positions) {
                return Some(frame.entry);
            }
        }
        None
    }

    /// Both have the same computed events of an `agg`, each as often.
    fn same(self, all: &[Computed], agg: &Computed, other: Self) -> bool {
        if self.count(all, agg, None) != other.count(all, agg, None) {
            return false;
        }
        let mut at = self.from;
        while at < self.to {
            let (found, next) = self.repetition(agg, at);
            at = next;
            if let Some(f) = found
                && self.count(all, agg, Some(f)) != other.count(all, agg, Some(f))
            {
                return false;
            }
        }
        true
    }
}

/// Two runs, by their frames, have the same selected computed events. Cost: quadratic in the computed events of a run.
pub(super) fn same<A: Registers>(all: &[Computed], a: &[Frame<A>], b: &[Frame<A>]) -> bool {
    let a = Stretch { frames: a, from: 0, to: a.len() };
    let b = Stretch { frames: b, from: 0, to: b.len() };
    for agg in all {
        if agg.selected && !a.same(all, agg, b) {
            return false;
        }
    }
    true
}

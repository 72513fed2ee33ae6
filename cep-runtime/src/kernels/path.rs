//! A run of the search as what conditions and matches read of it.
use crate::At;
use crate::kernels::Ring;
use crate::kernels::registers::Registers;
use crate::kernels::walk::{Frame, Walk};
use crate::storage::Storage;

/// A run under construction, oldest event first.
pub struct Path<'a, K: 'static, const N: usize, const D: usize, R: Storage, S: Storage, A: Registers = ()> {
    pub(super) ring: &'a Ring<K, N, R>,
    pub(super) walk: &'a Walk<D, S, A>,
    pub(super) last: &'a At<K>,
}
copies!([K: 'static, const N: usize, const D: usize, R: Storage, S: Storage, A: Registers] Path<'_, K, N, D, R, S, A>);

impl<'a, K: 'static, const N: usize, const D: usize, R: Storage, S: Storage, A: Registers>
    Path<'a, K, N, D, R, S, A>
{
    /// The number of the newest event; the first has 0.
    #[inline(always)]
    #[must_use]
    pub fn newest(&self) -> usize {
        self.walk.depth.saturating_sub(1)
    }

    /// The newest event is the completing one.
    #[inline(always)]
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.entry(self.newest()) == self.walk.end
    }

    /// The completing event, where it can only take one of these positions.
    #[inline(always)]
    #[must_use]
    pub fn closing(&self, positions: u64) -> Option<&'a At<K>> {
        (self.walk.targets & !positions == 0).then_some(self.last)
    }

    /// How many events of the stream lie between the newest event and the completing one, which is counted too: no more can join.
    #[inline(always)]
    #[must_use]
    pub fn to_come(&self) -> u64 {
        match self.event(self.newest()) {
            Some(newest) => self.last.position().saturating_sub(newest.position()),
            None => 0,
        }
    }

    /// The position that event `n` takes.
    #[inline(always)]
    #[must_use]
    pub fn position(&self, n: usize) -> u8 {
        match self.frame(n) {
            Some(f) => f.position,
            None => u8::MAX,
        }
    }

    /// The iteration that event `n` begins a new repetition of; 64: none.
    #[inline(always)]
    #[must_use]
    pub fn repeats(&self, n: usize) -> u8 {
        match self.frame(n) {
            Some(f) => f.repeats,
            None => 64,
        }
    }

    /// The ring entry of event `n`; the completing one has the number of the next entry.
    #[inline(always)]
    #[must_use]
    pub fn entry(&self, n: usize) -> u64 {
        match self.frame(n) {
            Some(f) => f.entry,
            None => u64::MAX,
        }
    }

    /// Event `n` takes one of these positions.
    #[inline(always)]
    #[must_use]
    pub fn takes(&self, n: usize, positions: u64) -> bool {
        positions >> (self.position(n) & 63) & 1 != 0
    }

    /// Event `n`.
    #[inline(always)]
    #[must_use]
    pub fn event(&self, n: usize) -> Option<&'a At<K>> {
        let frame = self.frame(n)?;
        if frame.entry == self.walk.end { Some(self.last) } else { Some(self.ring.get(frame.entry)?.0) }
    }

    /// Where the current repetition of these iterations (as bits) begins, seen from event `n`.
    #[inline(always)]
    #[must_use]
    pub fn segment(&self, n: usize, loops: u64) -> usize {
        if loops == 0 {
            return 0;
        }
        let mut k = n;
        while k > 0 && (self.repeats(k) >= 64 || loops >> self.repeats(k) & 1 == 0) {
            k -= 1;
        }
        k
    }

    /// The first event at or after `from` that takes one of these positions, up to `to`.
    #[inline(always)]
    #[must_use]
    pub fn first_of(&self, from: usize, to: usize, positions: u64) -> Option<usize> {
        let mut k = from;
        while k <= to && !self.takes(k, positions) {
            k += 1;
        }
        if k <= to { Some(k) } else { None }
    }

    /// The last such event.
    #[inline(always)]
    #[must_use]
    pub fn last_of(&self, from: usize, to: usize, positions: u64) -> Option<usize> {
        let mut k = to + 1;
        while k > from && !self.takes(k - 1, positions) {
            k -= 1;
        }
        if k > from { Some(k - 1) } else { None }
    }

    /// The events of the repetition before the current one of `own` (a bit), inside the current repetition of `outer`: from and to.
    #[inline(always)]
    #[must_use]
    pub fn repetition_before(&self, n: usize, own: u64, outer: u64) -> Option<(usize, usize)> {
        let here = self.segment(n, own | outer);
        if here == 0 || own >> (self.repeats(here) & 63) & 1 == 0 {
            return None;
        }
        Some((self.segment(here - 1, own | outer), here - 1))
    }

    /// What the run carries with event `n` the newest.
    #[inline(always)]
    #[must_use]
    pub fn registers(&self, n: usize) -> Option<&'a A> {
        Some(&self.frame(n)?.registers)
    }

    /// With event `n` a part of the pattern is complete, seen from event `to`: it takes one of the part's positions, and the one behind it takes
    /// none or begins a new repetition of these iterations around the part.
    #[inline(always)]
    #[must_use]
    pub fn completes(&self, n: usize, to: usize, positions: u64, loops: u64) -> bool {
        if !self.takes(n, positions) {
            return false;
        }
        match self.frame(n + 1) {
            Some(f) if n < to => !f.takes(positions) || f.begins(loops),
            _ => true,
        }
    }

    #[inline(always)]
    fn frame(&self, n: usize) -> Option<&'a Frame<A>> {
        self.walk.frames.get(n)
    }
}

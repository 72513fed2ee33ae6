//! DABA Lite (Tangwongsan, Hirzel, Schneider: *In-order sliding-window aggregation in worst-case constant time*, 2021) in a ring.
//!
//! The queue is the front list `f..b` and the back list `b..e`. The back list holds states, and `back` their fold. In the front list
//!
//! ```text
//!   f        l        r        a        b        e
//!   | to b   | to r   | state  | to b   | state  |
//! ```
//!
//! `f..l` and `a..b` hold at each place the fold from there to `b`, `l..r` the fold from there to `r`, `r..a` the states themselves;
//! `middle` is the fold of `r..b`. So the fold of everything is the entry at `f` with `back`. Two-Stacks' backward pass over the back list is
//! here done one place per step, at `a` from the right, while the places before `r`, which hold folds to the old end, are lengthened
//! at `l` from the left. Invariants: `r - l = a - r`, and `(b - f) - (e - b) = (b - l) + 1` unless the queue is empty: when `l` arrives at
//! `b`, the back list is exactly as long as the front list, and it becomes the next one.
use super::Sliding;
use crate::Monoid;
use crate::storage::{Borrowed, Inline, Slots, Storage};

/// A queue of at most `N` states (a power of two) whose fold is always at hand, for any monoid: at most 2 combines for an evict, 3 for a
/// push, 1 for a query, in every step.
///
/// Slower than [`TwoStacks`](super::TwoStacks) on average: what `latency worst_case` asks for.
pub struct Daba<M: 'static, const N: usize, S: Storage = Inline> {
    slots: S::Ring<M, N>,
    /// How many states [`slide`](Sliding::slide) keeps.
    most: u64,
    f: u64,
    l: u64,
    r: u64,
    a: u64,
    b: u64,
    e: u64,
    middle: M,
    back: M,
}

impl<M: Monoid + 'static, const N: usize> Daba<M, N, Inline> {
    /// Empty, inside the machine; `slide` keeps `most` states, at most `N`.
    #[must_use]
    pub const fn new(most: usize) -> Self {
        Self::idle(Slots([M::IDENTITY; N]), most)
    }
}

impl<'s, M: Monoid + 'static, const N: usize> Daba<M, N, Borrowed<'s>> {
    /// Empty, over `slots`. What is in them does not matter.
    #[must_use]
    pub fn over(slots: &'s mut [M; N], most: usize) -> Self {
        Self::idle(slots, most)
    }
}

#[cfg(feature = "alloc")]
impl<M: Monoid + 'static, const N: usize> Daba<M, N, crate::Boxed> {
    /// Empty, on the heap: one allocation now and none later.
    #[must_use]
    pub fn boxed(most: usize) -> Self {
        Self::idle(crate::storage::boxed(M::IDENTITY), most)
    }
}

impl<M: Monoid + 'static, const N: usize, S: Storage> Daba<M, N, S> {
    const fn idle(slots: S::Ring<M, N>, most: usize) -> Self {
        const { assert!(N.is_power_of_two()) }
        let most = if most < N { most as u64 } else { N as u64 };
        let (f, l, r, a, b, e) = (0, 0, 0, 0, 0, 0);
        Daba { slots, most, f, l, r, a, b, e, middle: M::IDENTITY, back: M::IDENTITY }
    }

    /// How many states are in it.
    #[inline(always)]
    #[must_use]
    pub fn len(&self) -> u64 {
        self.e - self.f
    }

    /// None is in it.
    #[inline(always)]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.e == self.f
    }

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "only the low bits are used")]
    fn place(at: u64) -> usize {
        at as usize & (N - 1)
    }

    /// Adds the newest state; `false`, and nothing changed, if there is no room. At most 3 combines.
    #[inline(always)]
    pub fn push(&mut self, newest: M) -> bool {
        if self.len() == N as u64 {
            return false;
        }
        self.slots[Self::place(self.e)] = newest;
        self.e += 1;
        self.back = self.back.combine(&newest);
        self.mend();
        true
    }

    /// Drops the oldest state, if there is one. At most 2 combines.
    #[inline(always)]
    pub fn evict(&mut self) {
        if self.f < self.e {
            self.f += 1;
            self.mend();
        }
    }

    /// One step towards the next front list; restores the invariants, which a push or evict has put off by one.
    #[inline(always)]
    fn mend(&mut self) {
        if self.f == self.b {
            // the front list is empty, and the back list holds one state at most: it is its own fold
            (self.l, self.r, self.a, self.b) = (self.e, self.e, self.e, self.e);
            self.back = M::IDENTITY;
            return;
        }
        if self.l == self.b {
            // all of the front list holds folds to `b`: the back list, now of the same length, follows
            (self.l, self.r, self.a, self.b) = (self.f, self.b, self.e, self.e);
            (self.middle, self.back) = (self.back, M::IDENTITY);
        }
        if self.l == self.r {
            // what is left holds folds to `b` already
            self.l += 1;
            self.r += 1;
            self.a += 1;
            return;
        }
        let left = Self::place(self.l);
        self.slots[left] = self.slots[left].combine(&self.middle);
        self.l += 1;
        self.a -= 1;
        if self.a + 1 < self.b {
            let right = Self::place(self.a);
            self.slots[right] = self.slots[right].combine(&self.slots[Self::place(self.a + 1)]);
        }
    }
}

impl<M: Monoid + 'static, const N: usize, S: Storage> Sliding<M> for Daba<M, N, S> {
    #[inline(always)]
    fn slide(&mut self, newest: M) {
        if self.len() >= self.most {
            self.evict();
        }
        self.push(newest);
    }
    #[inline(always)]
    fn query(&self) -> M {
        if self.is_empty() { M::IDENTITY } else { self.slots[Self::place(self.f)].combine(&self.back) }
    }
    fn clear(&mut self) {
        (self.f, self.l, self.r, self.a, self.b, self.e) = (0, 0, 0, 0, 0, 0);
        (self.middle, self.back) = (M::IDENTITY, M::IDENTITY);
    }
}

impl<M: Copy + 'static, const N: usize> Clone for Daba<M, N, Inline> {
    fn clone(&self) -> Self {
        Daba { slots: self.slots, ..*self }
    }
}

#[cfg(feature = "alloc")]
impl<M: Copy + 'static, const N: usize> Clone for Daba<M, N, crate::Boxed> {
    fn clone(&self) -> Self {
        Daba { slots: crate::storage::boxed_copy(&self.slots), ..*self }
    }
}

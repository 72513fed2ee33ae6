//! When the events were that a declared capacity counts.
use crate::At;
use crate::storage::{Borrowed, Inline, Slots, Storage};
#[cfg(feature = "alloc")]
use crate::storage::{Boxed, boxed, boxed_copy};
use core::fmt;

/// The positions and times of the last `N` (a power of two) accepted events. Every run began with one of them, so a window in time becomes a
/// bound on stream positions: a run is inside while it began at the oldest of these or later.
///
/// Everything costs O(1) amortised.
pub struct Recent<T: 'static, const N: usize, S: Storage = Inline> {
    slots: S::Ring<Option<At<T>>, N>,
    first: u64,
    len: u64,
}

impl<T: Copy + 'static, const N: usize> Recent<T, N, Inline> {
    /// Empty, inside the machine.
    #[must_use]
    pub const fn new() -> Self {
        const { assert!(N.is_power_of_two()) }
        Recent { slots: Slots([None; N]), first: 0, len: 0 }
    }
}

impl<T: Copy + 'static, const N: usize> Default for Recent<T, N, Inline> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'s, T: Copy + 'static, const N: usize> Recent<T, N, Borrowed<'s>> {
    /// Empty, over memory that lives elsewhere.
    #[must_use]
    pub fn over(slots: &'s mut [Option<At<T>>; N]) -> Self {
        const { assert!(N.is_power_of_two()) }
        Recent { slots, first: 0, len: 0 }
    }
}

#[cfg(feature = "alloc")]
impl<T: Copy + 'static, const N: usize> Recent<T, N, Boxed> {
    /// Empty, on the heap: one allocation now and none later.
    #[must_use]
    pub fn boxed() -> Self {
        const { assert!(N.is_power_of_two()) }
        Recent { slots: boxed(None), first: 0, len: 0 }
    }
}

impl<T: Copy + 'static, const N: usize, S: Storage> Recent<T, N, S> {
    /// How many of the oldest are out of the window.
    #[inline]
    #[must_use]
    pub fn outside(&self, inside: impl Fn(T) -> bool) -> u64 {
        let mut n = 0;
        while self.get(n).is_some_and(|at| !inside(**at)) {
            n += 1;
        }
        n
    }

    /// How many there are.
    #[inline(always)]
    #[must_use]
    pub fn len(&self) -> u64 {
        self.len - self.first
    }

    /// There is none.
    #[inline(always)]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == self.first
    }

    /// The stream position of the oldest one behind `skipped` others.
    #[inline(always)]
    #[must_use]
    pub fn oldest(&self, skipped: u64) -> Option<u64> {
        self.get(skipped).map(At::position)
    }

    /// The oldest `n` go.
    #[inline(always)]
    pub fn skip(&mut self, n: u64) {
        self.first = (self.first + n).min(self.len);
    }

    /// An event was accepted. There is room, or the oldest goes.
    #[inline(always)]
    pub fn push(&mut self, at: At<T>) {
        if self.len() == N as u64 {
            self.first += 1;
        }
        self.slots[Self::place(self.len)] = Some(at);
        self.len += 1;
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        (self.first, self.len) = (0, 0);
    }

    #[inline(always)]
    fn get(&self, n: u64) -> Option<&At<T>> {
        if self.first + n >= self.len {
            return None;
        }
        self.slots[Self::place(self.first + n)].as_ref()
    }

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "only the low bits are used")]
    fn place(n: u64) -> usize {
        n as usize & (N - 1)
    }
}

impl<T: Copy + 'static, const N: usize> Clone for Recent<T, N, Inline> {
    fn clone(&self) -> Self {
        Recent { slots: self.slots, ..*self }
    }
}

#[cfg(feature = "alloc")]
impl<T: Copy + 'static, const N: usize> Clone for Recent<T, N, Boxed> {
    fn clone(&self) -> Self {
        Recent { slots: boxed_copy(&self.slots), ..*self }
    }
}

impl<T: Copy + 'static, const N: usize, S: Storage> fmt::Debug for Recent<T, N, S> {
    /// The stream positions, oldest first.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries((0..self.len()).filter_map(|n| self.get(n)).map(At::position)).finish()
    }
}

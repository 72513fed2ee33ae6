//! Subtract on evict: for groups, where what leaves the window can be taken back exactly.
use super::Sliding;
use crate::Group;
use crate::storage::{Borrowed, Inline, Slots, Storage};
use core::fmt;

/// The fold of the last `N` states of a [`Group`]: one combine and one inverse a step.
///
/// Before `N` states came, the ring holds identities, which are taken back without effect: no step asks whether the window is full.
pub struct Inverse<M: Copy + 'static, const N: usize, S: Storage = Inline> {
    slots: S::Ring<M, N>,
    /// The place of the oldest state.
    head: usize,
    fold: M,
}

impl<M: Group + 'static, const N: usize> Inverse<M, N, Inline> {
    /// Empty, inside the machine.
    #[must_use]
    pub const fn new() -> Self {
        Self::idle(Slots([M::IDENTITY; N]))
    }
}

impl<M: Group + 'static, const N: usize> Default for Inverse<M, N, Inline> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'s, M: Group + 'static, const N: usize> Inverse<M, N, Borrowed<'s>> {
    /// Empty, over `slots`, which are filled with the identity.
    #[must_use]
    pub fn over(slots: &'s mut [M; N]) -> Self {
        slots.fill(M::IDENTITY);
        Self::idle(slots)
    }
}

#[cfg(feature = "alloc")]
impl<M: Group + 'static, const N: usize> Inverse<M, N, crate::Boxed> {
    /// Empty, on the heap: one allocation now and none later.
    #[must_use]
    pub fn boxed() -> Self {
        Self::idle(crate::storage::boxed(M::IDENTITY))
    }
}

impl<M: Group + 'static, const N: usize, S: Storage> Inverse<M, N, S> {
    const fn idle(slots: S::Ring<M, N>) -> Self {
        const { assert!(N > 0) }
        Inverse { slots, head: 0, fold: M::IDENTITY }
    }
}

impl<M: Group + 'static, const N: usize, S: Storage> Sliding<M> for Inverse<M, N, S> {
    #[inline(always)]
    fn slide(&mut self, newest: M) {
        let slot = &mut self.slots[self.head];
        self.fold = self.fold.without(slot).combine(&newest);
        *slot = newest;
        self.head = if self.head + 1 == N { 0 } else { self.head + 1 };
    }
    #[inline(always)]
    fn query(&self) -> M {
        self.fold
    }
    fn clear(&mut self) {
        self.slots.fill(M::IDENTITY);
        (self.head, self.fold) = (0, M::IDENTITY);
    }
}

impl<M: Copy + 'static, const N: usize> Clone for Inverse<M, N, Inline> {
    fn clone(&self) -> Self {
        Inverse { slots: self.slots, ..*self }
    }
}

#[cfg(feature = "alloc")]
impl<M: Copy + 'static, const N: usize> Clone for Inverse<M, N, crate::Boxed> {
    fn clone(&self) -> Self {
        Inverse { slots: crate::storage::boxed_copy(&self.slots), ..*self }
    }
}

impl<M: Copy + 'static, const N: usize, S: Storage> fmt::Debug for Inverse<M, N, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Inverse(of {N})")
    }
}

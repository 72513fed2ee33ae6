//! Subtract on evict: for groups, where what leaves the window can be taken back exactly.
use super::Sliding;
use super::keep::{Keep, States};
use crate::Group;
use crate::storage::{Borrowed, Inline, Slots, Storage};

/// The fold of the last `N` states of a [`Group`]: one combine and one inverse a step. `W` says how they are kept: as [`States`] or, where
/// each is of one value, as [`Values`](super::Values).
///
/// Before `N` states came, the ring holds identities, which are taken back without effect: no step asks whether the window is full. The slot
/// of the state that leaves is that of the one that comes.
pub struct Inverse<M: Group + 'static, const N: usize, S: Storage = Inline, W: Keep<M> = States> {
    slots: S::Ring<W::Slot, N>,
    /// The place of the oldest state.
    head: usize,
    fold: M,
}

impl<M: Group + 'static, const N: usize, W: Keep<M>> Inverse<M, N, Inline, W> {
    /// Empty, inside the machine.
    #[must_use]
    pub const fn new() -> Self {
        Self::idle(Slots([W::NOTHING; N]))
    }
}

impl<M: Group + 'static, const N: usize, W: Keep<M>> Default for Inverse<M, N, Inline, W> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'s, M: Group + 'static, const N: usize, W: Keep<M>> Inverse<M, N, Borrowed<'s>, W> {
    /// Empty, over `slots`, which are filled with the identity.
    #[must_use]
    pub fn over(slots: &'s mut [W::Slot; N]) -> Self {
        slots.fill(W::NOTHING);
        Self::idle(slots)
    }
}

#[cfg(feature = "alloc")]
impl<M: Group + 'static, const N: usize, W: Keep<M>> Inverse<M, N, crate::Boxed, W> {
    /// Empty, on the heap: one allocation now and none later.
    #[must_use]
    pub fn boxed() -> Self {
        Self::idle(crate::storage::boxed(W::NOTHING))
    }
}

impl<M: Group + 'static, const N: usize, S: Storage, W: Keep<M>> Inverse<M, N, S, W> {
    const fn idle(slots: S::Ring<W::Slot, N>) -> Self {
        const { assert!(N > 0) }
        Inverse { slots, head: 0, fold: M::IDENTITY }
    }
}

impl<M: Group + 'static, const N: usize, S: Storage, W: Keep<M>> Sliding<M> for Inverse<M, N, S, W> {
    #[inline(always)]
    fn slide(&mut self, newest: M) {
        let slot = &mut self.slots[self.head];
        self.fold = self.fold.without(&W::back(*slot)).combine(&newest);
        *slot = W::keep(&newest);
        self.head = if self.head + 1 == N { 0 } else { self.head + 1 };
    }
    #[inline(always)]
    fn query(&self) -> M {
        self.fold
    }
    fn clear(&mut self) {
        self.slots.fill(W::NOTHING);
        (self.head, self.fold) = (0, M::IDENTITY);
    }
}

impl<M: Group + 'static, const N: usize, W: Keep<M>> Clone for Inverse<M, N, Inline, W> {
    fn clone(&self) -> Self {
        Inverse { slots: self.slots, ..*self }
    }
}

#[cfg(feature = "alloc")]
impl<M: Group + 'static, const N: usize, W: Keep<M>> Clone for Inverse<M, N, crate::Boxed, W> {
    fn clone(&self) -> Self {
        Inverse { slots: crate::storage::boxed_copy(&self.slots), ..*self }
    }
}

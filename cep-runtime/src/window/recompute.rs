//! Nothing but the ring: short windows are folded anew for every query.
use super::Sliding;
use crate::Monoid;
use crate::storage::{Borrowed, Inline, Slots, Storage};

/// The last `N` states; a query folds them, oldest first. For short windows, and for hops that are rarely asked.
///
/// Before `N` states came, the ring holds identities.
pub struct Recompute<M: 'static, const N: usize, S: Storage = Inline> {
    slots: S::Ring<M, N>,
    /// The place of the oldest state.
    head: usize,
}

impl<M: Monoid + 'static, const N: usize> Recompute<M, N, Inline> {
    /// Empty, inside the machine.
    #[must_use]
    pub const fn new() -> Self {
        Self::idle(Slots([M::IDENTITY; N]))
    }
}

impl<M: Monoid + 'static, const N: usize> Default for Recompute<M, N, Inline> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'s, M: Monoid + 'static, const N: usize> Recompute<M, N, Borrowed<'s>> {
    /// Empty, over `slots`, which are filled with the identity.
    #[must_use]
    pub fn over(slots: &'s mut [M; N]) -> Self {
        slots.fill(M::IDENTITY);
        Self::idle(slots)
    }
}

#[cfg(feature = "alloc")]
impl<M: Monoid + 'static, const N: usize> Recompute<M, N, crate::Boxed> {
    /// Empty, on the heap: one allocation now and none later.
    #[must_use]
    pub fn boxed() -> Self {
        Self::idle(crate::storage::boxed(M::IDENTITY))
    }
}

impl<M: Monoid + 'static, const N: usize, S: Storage> Recompute<M, N, S> {
    const fn idle(slots: S::Ring<M, N>) -> Self {
        const { assert!(N > 0) }
        Recompute { slots, head: 0 }
    }
}

impl<M: Monoid + 'static, const N: usize, S: Storage> Sliding<M> for Recompute<M, N, S> {
    #[inline(always)]
    fn slide(&mut self, newest: M) {
        self.slots[self.head] = newest;
        self.head = if self.head + 1 == N { 0 } else { self.head + 1 };
    }
    #[inline]
    fn query(&self) -> M {
        let (newer, older) = self.slots.split_at(self.head);
        let mut fold = M::IDENTITY;
        for state in older {
            fold = fold.combine(state);
        }
        for state in newer {
            fold = fold.combine(state);
        }
        fold
    }
    fn clear(&mut self) {
        self.slots.fill(M::IDENTITY);
        self.head = 0;
    }
}

impl<M: Copy + 'static, const N: usize> Clone for Recompute<M, N, Inline> {
    fn clone(&self) -> Self {
        Recompute { slots: self.slots, head: self.head }
    }
}

#[cfg(feature = "alloc")]
impl<M: Copy + 'static, const N: usize> Clone for Recompute<M, N, crate::Boxed> {
    fn clone(&self) -> Self {
        Recompute { slots: crate::storage::boxed_copy(&self.slots), head: self.head }
    }
}

//! Two-Stacks Lite (Tangwongsan, Hirzel, Schneider: *In-order sliding-window aggregation in worst-case constant time*, 2021) in a ring.
use super::Sliding;
use super::keep::{Keep, States};
use crate::Monoid;
use crate::storage::{Borrowed, Inline, Slots, Storage};

/// A queue of at most `N` states whose fold is always at hand, for any monoid.
///
/// The older part of the ring (the front stack) holds, at each place, the fold from there to the end of that part; the newer part (the back
/// stack) holds the states themselves, and one word their fold. When the front part is used up, one backward pass turns the whole ring into
/// a front part. Every state is so combined three times at most: into `back`, in a pass, in a query. Worst step: `N` combines.
///
/// `W` says how they are kept: as [`States`] or, where each is of at least one value, as [`Folds`](super::Folds).
pub struct TwoStacks<M: Monoid + 'static, const N: usize, S: Storage = Inline, W: Keep<M> = States> {
    slots: S::Ring<W::Slot, N>,
    /// The place of the oldest state.
    head: usize,
    /// How many of the oldest are the front part.
    front: usize,
    len: usize,
    /// The fold of the back part.
    back: M,
}

impl<M: Monoid + 'static, const N: usize, W: Keep<M>> TwoStacks<M, N, Inline, W> {
    /// Empty, inside the machine.
    #[must_use]
    pub const fn new() -> Self {
        Self::idle(Slots([W::NOTHING; N]))
    }
}

impl<M: Monoid + 'static, const N: usize, W: Keep<M>> Default for TwoStacks<M, N, Inline, W> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'s, M: Monoid + 'static, const N: usize, W: Keep<M>> TwoStacks<M, N, Borrowed<'s>, W> {
    /// Empty, over `slots`. What is in them does not matter.
    #[must_use]
    pub fn over(slots: &'s mut [W::Slot; N]) -> Self {
        Self::idle(slots)
    }
}

#[cfg(feature = "alloc")]
impl<M: Monoid + 'static, const N: usize, W: Keep<M>> TwoStacks<M, N, crate::Boxed, W> {
    /// Empty, on the heap: one allocation now and none later.
    #[must_use]
    pub fn boxed() -> Self {
        Self::idle(crate::storage::boxed(W::NOTHING))
    }
}

impl<M: Monoid + 'static, const N: usize, S: Storage, W: Keep<M>> TwoStacks<M, N, S, W> {
    const fn idle(slots: S::Ring<W::Slot, N>) -> Self {
        const { assert!(N > 0) }
        TwoStacks { slots, head: 0, front: 0, len: 0, back: M::IDENTITY }
    }

    /// How many states are in it.
    #[inline(always)]
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// None is in it.
    #[inline(always)]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds the newest state; `false`, and nothing changed, if there is no room. One combine.
    #[inline]
    pub fn push(&mut self, newest: M) -> bool {
        if self.len == N {
            return false;
        }
        let to = self.head + self.len;
        self.slots[if to >= N { to - N } else { to }] = W::keep(&newest);
        self.len += 1;
        self.back = self.back.combine(&newest);
        true
    }

    /// Drops the oldest state, if there is one. One combine on average, as many as there are states at worst.
    #[inline]
    pub fn evict(&mut self) {
        if self.len == 0 {
            return;
        }
        if self.front == 0 {
            self.flip();
        }
        self.head = if self.head + 1 == N { 0 } else { self.head + 1 };
        self.front -= 1;
        self.len -= 1;
    }

    /// Turns everything into the front part.
    #[inline(never)]
    fn flip(&mut self) {
        let end = self.head + self.len;
        let mut fold = M::IDENTITY;
        let slots = &mut *self.slots;
        if end > N {
            fold = suffixes::<M, W>(&mut slots[..end - N], fold);
        }
        let _ = suffixes::<M, W>(&mut slots[self.head..if end < N { end } else { N }], fold);
        self.front = self.len;
        self.back = M::IDENTITY;
    }
}

/// Each state becomes the fold from it to the end, followed by `fold`; the first of them comes back.
#[inline(always)]
fn suffixes<M: Monoid, W: Keep<M>>(slots: &mut [W::Slot], mut fold: M) -> M {
    for slot in slots.iter_mut().rev() {
        fold = W::back(*slot).combine(&fold);
        *slot = W::keep(&fold);
    }
    fold
}

impl<M: Monoid + 'static, const N: usize, S: Storage, W: Keep<M>> Sliding<M> for TwoStacks<M, N, S, W> {
    #[inline(always)]
    fn slide(&mut self, newest: M) {
        if self.len < N {
            self.push(newest);
            return;
        }
        if self.front == 0 {
            self.flip();
        }
        // full: the place of the oldest is the place of the newest
        let at = self.head;
        self.slots[at] = W::keep(&newest);
        self.head = if at + 1 == N { 0 } else { at + 1 };
        self.front -= 1;
        self.back = self.back.combine(&newest);
    }
    #[inline(always)]
    fn query(&self) -> M {
        if self.front == 0 { self.back } else { W::back(self.slots[self.head]).combine(&self.back) }
    }
    fn clear(&mut self) {
        (self.head, self.front, self.len, self.back) = (0, 0, 0, M::IDENTITY);
    }
}

impl<M: Monoid + 'static, const N: usize, W: Keep<M>> Clone for TwoStacks<M, N, Inline, W> {
    fn clone(&self) -> Self {
        TwoStacks { slots: self.slots, ..*self }
    }
}

#[cfg(feature = "alloc")]
impl<M: Monoid + 'static, const N: usize, W: Keep<M>> Clone for TwoStacks<M, N, crate::Boxed, W> {
    fn clone(&self) -> Self {
        TwoStacks { slots: crate::storage::boxed_copy(&self.slots), ..*self }
    }
}

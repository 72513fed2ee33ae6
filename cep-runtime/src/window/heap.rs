//! A binary heap of at most `N` small numbers that knows where each stands, so that any of them can be moved or removed in O(log N).
use crate::storage::{Inline, Slots, Storage};

/// Not in the heap.
const OUT: u32 = u32::MAX;

/// The numbers, the least first by an order that is given with every call.
pub(super) struct Heap<const N: usize, S: Storage = Inline> {
    order: S::Ring<u32, N>,
    place: S::Ring<u32, N>,
    len: usize,
}

impl<const N: usize> Heap<N, Inline> {
    pub(super) const fn new() -> Self {
        Heap { order: Slots([0; N]), place: Slots([OUT; N]), len: 0 }
    }
}

#[cfg(feature = "alloc")]
impl<const N: usize> Heap<N, crate::Boxed> {
    pub(super) fn boxed() -> Self {
        Heap { order: crate::storage::boxed(0), place: crate::storage::boxed(OUT), len: 0 }
    }
}

impl<const N: usize, S: Storage> Heap<N, S> {
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The least.
    pub(super) fn first(&self) -> Option<usize> {
        if self.len == 0 { None } else { Some(self.order[0] as usize) }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = usize> {
        self.order.iter().take(self.len).map(|n| *n as usize)
    }

    /// The least of those other than `item`: the first, or one of the two behind it.
    pub(super) fn first_but(&self, item: usize, less: impl Fn(usize, usize) -> bool) -> Option<usize> {
        let first = self.first()?;
        if first != item {
            return Some(first);
        }
        let at = |i: usize| (i < self.len).then(|| self.order[i] as usize);
        match (at(1), at(2)) {
            (Some(a), Some(b)) => Some(if less(b, a) { b } else { a }),
            (a, _) => a,
        }
    }

    /// Puts `item` where its order says, whether it was there or not.
    pub(super) fn put(&mut self, item: usize, less: impl Fn(usize, usize) -> bool) {
        let mut at = self.place[item] as usize;
        if self.place[item] == OUT {
            at = self.len;
            self.len += 1;
            self.set(at, item);
        }
        self.settle(at, less);
    }

    pub(super) fn remove(&mut self, item: usize, less: impl Fn(usize, usize) -> bool) {
        let at = self.place[item];
        if at == OUT {
            return;
        }
        self.place[item] = OUT;
        self.len -= 1;
        let last = self.order[self.len] as usize;
        if at as usize != self.len {
            self.set(at as usize, last);
            self.settle(at as usize, less);
        }
    }

    pub(super) fn clear(&mut self) {
        self.place.fill(OUT);
        self.len = 0;
    }

    #[expect(clippy::cast_possible_truncation, reason = "there are fewer than 2^32 slots")]
    fn set(&mut self, at: usize, item: usize) {
        self.order[at] = item as u32;
        self.place[item] = at as u32;
    }

    fn settle(&mut self, mut at: usize, less: impl Fn(usize, usize) -> bool) {
        while at > 0 {
            let up = (at - 1) / 2;
            let (here, above) = (self.order[at] as usize, self.order[up] as usize);
            if !less(here, above) {
                break;
            }
            self.set(at, above);
            self.set(up, here);
            at = up;
        }
        loop {
            let (left, right) = (2 * at + 1, 2 * at + 2);
            let mut least = at;
            for child in [left, right] {
                if child < self.len && less(self.order[child] as usize, self.order[least] as usize) {
                    least = child;
                }
            }
            if least == at {
                return;
            }
            let (here, below) = (self.order[at] as usize, self.order[least] as usize);
            self.set(at, below);
            self.set(least, here);
            at = least;
        }
    }
}

impl<const N: usize> Clone for Heap<N, Inline> {
    fn clone(&self) -> Self {
        Heap { order: self.order, place: self.place, len: self.len }
    }
}

#[cfg(feature = "alloc")]
impl<const N: usize> Clone for Heap<N, crate::Boxed> {
    fn clone(&self) -> Self {
        let (order, place) =
            (crate::storage::boxed_copy(&self.order), crate::storage::boxed_copy(&self.place));
        Heap { order, place, len: self.len }
    }
}

//! A binary heap of at most `N` small numbers that knows where each stands, so that any of them can be moved or removed in O(log N); and a
//! list of them by age, in which that costs O(1).
use crate::storage::{Inline, Slots, Storage};

/// Not there.
const OUT: u32 = u32::MAX;

/// Numbers by a key of each, the least first. The keys stand in the heap: comparing them looks at nothing else.
pub(super) struct Heap<K: 'static, const N: usize, S: Storage = Inline> {
    order: S::Ring<Option<(K, u32)>, N>,
    place: S::Ring<u32, N>,
    len: usize,
}

impl<K: Copy, const N: usize> Heap<K, N, Inline> {
    pub(super) const fn new() -> Self {
        Heap { order: Slots([None; N]), place: Slots([OUT; N]), len: 0 }
    }
}

#[cfg(feature = "alloc")]
impl<K: Copy, const N: usize> Heap<K, N, crate::Boxed> {
    pub(super) fn boxed() -> Self {
        Heap { order: crate::storage::boxed(None), place: crate::storage::boxed(OUT), len: 0 }
    }
}

impl<K: Copy + PartialOrd, const N: usize, S: Storage> Heap<K, N, S> {
    /// The least.
    pub(super) fn first(&self) -> Option<(K, usize)> {
        self.at(0)
    }

    fn at(&self, i: usize) -> Option<(K, usize)> {
        if i >= self.len {
            return None;
        }
        let (key, n) = self.order[i]?;
        Some((key, n as usize))
    }

    /// All of them, in no order.
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> {
        self.order.iter().take(self.len).flatten().map(|(_, n)| *n as usize)
    }

    /// The least of those other than `item`: the first, or one of the two behind it.
    pub(super) fn first_but(&self, item: usize) -> Option<(K, usize)> {
        let first = self.first()?;
        if first.1 != item {
            return Some(first);
        }
        match (self.at(1), self.at(2)) {
            (Some(a), Some(b)) => Some(if b.0 < a.0 { b } else { a }),
            (a, _) => a,
        }
    }

    /// Puts `item` where its key says, whether it was there or not.
    #[expect(clippy::cast_possible_truncation, reason = "there are fewer than 2^32 slots")]
    pub(super) fn put(&mut self, item: usize, key: K) {
        let mut at = self.place[item] as usize;
        if self.place[item] == OUT {
            at = self.len;
            self.len += 1;
        }
        self.order[at] = Some((key, item as u32));
        self.place[item] = at as u32;
        self.settle(at);
    }

    pub(super) fn remove(&mut self, item: usize) {
        let at = self.place[item];
        if at == OUT {
            return;
        }
        self.place[item] = OUT;
        self.len -= 1;
        let last = self.order[self.len];
        if at as usize != self.len {
            self.set(at as usize, last);
            self.settle(at as usize);
        }
    }

    pub(super) fn clear(&mut self) {
        self.place.fill(OUT);
        self.len = 0;
    }

    #[expect(clippy::cast_possible_truncation, reason = "there are fewer than 2^32 slots")]
    fn set(&mut self, at: usize, entry: Option<(K, u32)>) {
        self.order[at] = entry;
        if let Some((_, item)) = entry {
            self.place[item as usize] = at as u32;
        }
    }

    fn less(&self, a: usize, b: usize) -> bool {
        match (&self.order[a], &self.order[b]) {
            (Some(a), Some(b)) => a.0 < b.0,
            _ => false,
        }
    }

    fn swap(&mut self, a: usize, b: usize) {
        let (x, y) = (self.order[a], self.order[b]);
        self.set(a, y);
        self.set(b, x);
    }

    fn settle(&mut self, mut at: usize) {
        while at > 0 {
            let up = (at - 1) / 2;
            if !self.less(at, up) {
                break;
            }
            self.swap(at, up);
            at = up;
        }
        loop {
            let (left, right) = (2 * at + 1, 2 * at + 2);
            let mut least = at;
            for child in [left, right] {
                if child < self.len && self.less(child, least) {
                    least = child;
                }
            }
            if least == at {
                return;
            }
            self.swap(at, least);
            at = least;
        }
    }
}

impl<K: Copy, const N: usize> Clone for Heap<K, N, Inline> {
    fn clone(&self) -> Self {
        Heap { order: self.order, place: self.place, len: self.len }
    }
}

#[cfg(feature = "alloc")]
impl<K: Copy, const N: usize> Clone for Heap<K, N, crate::Boxed> {
    fn clone(&self) -> Self {
        let (order, place) =
            (crate::storage::boxed_copy(&self.order), crate::storage::boxed_copy(&self.place));
        Heap { order, place, len: self.len }
    }
}

/// Numbers in the order in which they were last touched.
pub(super) struct Ages<const N: usize, S: Storage = Inline> {
    /// The ones touched before and after each.
    links: S::Ring<(u32, u32), N>,
    oldest: u32,
    newest: u32,
    len: u64,
}

impl<const N: usize> Ages<N, Inline> {
    pub(super) const fn new() -> Self {
        Ages { links: Slots([(OUT, OUT); N]), oldest: OUT, newest: OUT, len: 0 }
    }
}

#[cfg(feature = "alloc")]
impl<const N: usize> Ages<N, crate::Boxed> {
    pub(super) fn boxed() -> Self {
        Ages { links: crate::storage::boxed((OUT, OUT)), oldest: OUT, newest: OUT, len: 0 }
    }
}

impl<const N: usize, S: Storage> Ages<N, S> {
    /// How many there are.
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// The one touched longest ago.
    pub(super) fn oldest(&self) -> Option<usize> {
        (self.oldest != OUT).then_some(self.oldest as usize)
    }

    /// The one touched longest ago of those other than `item`.
    pub(super) fn oldest_but(&self, item: usize) -> Option<usize> {
        let oldest = self.oldest()?;
        if oldest != item {
            return Some(oldest);
        }
        self.after(oldest)
    }

    /// The one touched next after `item`, which is in the list.
    pub(super) fn after(&self, item: usize) -> Option<usize> {
        let next = self.links[item].1;
        (next != OUT).then_some(next as usize)
    }

    /// `item`, which is in the list or (`new`) not, was touched.
    #[expect(clippy::cast_possible_truncation, reason = "there are fewer than 2^32 slots")]
    pub(super) fn touch(&mut self, item: usize, new: bool) {
        if !new {
            if self.newest as usize == item {
                return;
            }
            self.remove(item);
        }
        self.links[item] = (self.newest, OUT);
        match self.links.get_mut(self.newest as usize) {
            Some(l) => l.1 = item as u32,
            None => self.oldest = item as u32,
        }
        self.newest = item as u32;
        self.len += 1;
    }

    /// `item`, which is in the list, leaves it.
    pub(super) fn remove(&mut self, item: usize) {
        let (older, newer) = self.links[item];
        match self.links.get_mut(older as usize) {
            Some(l) => l.1 = newer,
            None => self.oldest = newer,
        }
        match self.links.get_mut(newer as usize) {
            Some(l) => l.0 = older,
            None => self.newest = older,
        }
        self.len -= 1;
    }

    pub(super) fn clear(&mut self) {
        (self.oldest, self.newest, self.len) = (OUT, OUT, 0);
    }
}

impl<const N: usize> Clone for Ages<N, Inline> {
    fn clone(&self) -> Self {
        Ages { links: self.links, ..*self }
    }
}

#[cfg(feature = "alloc")]
impl<const N: usize> Clone for Ages<N, crate::Boxed> {
    fn clone(&self) -> Self {
        Ages { links: crate::storage::boxed_copy(&self.links), ..*self }
    }
}

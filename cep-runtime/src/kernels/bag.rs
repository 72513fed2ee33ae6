//! The events of an iterated variable in a match.
use crate::At;
use crate::kernels::{Path, Registers};
use crate::storage::Storage;
use core::fmt;

/// The events that a variable holds in one match, in stream order. It borrows the machine, and so the match does.
pub struct Bag<'m, T, K: 'static, const N: usize, const D: usize, S: Storage, W: Storage, A: Registers = ()> {
    path: Path<'m, K, N, D, S, W, A>,
    positions: u64,
    get: fn(&K) -> Option<T>,
}
copies!([T, K: 'static, const N: usize, const D: usize, S: Storage, W: Storage, A: Registers] Bag<'_, T, K, N, D, S, W, A>);

impl<'m, T, K: 'static, const N: usize, const D: usize, S: Storage, W: Storage, A: Registers>
    Bag<'m, T, K, N, D, S, W, A>
{
    /// The events of a path that take one of these positions; `get` is what is shown of each.
    #[doc(hidden)]
    #[must_use]
    pub fn new(path: Path<'m, K, N, D, S, W, A>, positions: u64, get: fn(&K) -> Option<T>) -> Self {
        Bag { path, positions, get }
    }

    /// The events, in stream order. An event is its record, with its `position()`.
    #[must_use]
    pub fn iter(&self) -> BagIter<Self> {
        BagIter::new(*self, self.path.newest() + 1)
    }

    /// How many. O(events of the match).
    #[must_use]
    pub fn len(&self) -> usize {
        let mut count = 0;
        for n in 0..=self.path.newest() {
            count += usize::from(self.path.takes(n, self.positions));
        }
        count
    }

    /// None: the part that binds the variable is absent in this match.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The first one.
    #[must_use]
    pub fn first(&self) -> Option<At<T>> {
        self.iter().next()
    }

    /// The last one.
    #[must_use]
    pub fn last(&self) -> Option<At<T>> {
        self.iter().next_back()
    }
}

impl<'m, T, K: 'static, const N: usize, const D: usize, S: Storage, W: Storage, A: Registers> IntoIterator
    for Bag<'m, T, K, N, D, S, W, A>
{
    type Item = At<T>;
    type IntoIter = BagIter<Self>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T, K: 'static, const N: usize, const D: usize, S: Storage, W: Storage, A: Registers> fmt::Debug
    for Bag<'_, T, K, N, D, S, W, A>
{
    /// The stream positions.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().fmt_positions(f)
    }
}

impl<T, K: 'static, const N: usize, const D: usize, S: Storage, W: Storage, A: Registers> Places
    for Bag<'_, T, K, N, D, S, W, A>
{
    type Held = T;
    fn at(&self, n: usize) -> Option<At<T>> {
        if !self.path.takes(n, self.positions) {
            return None;
        }
        let at = self.path.event(n)?;
        Some(At::new(at.position(), (self.get)(at)?))
    }
}

/// What may hold something at each event of a match.
pub trait Places {
    /// What it holds.
    type Held;
    /// What it holds at event `n`.
    #[doc(hidden)]
    fn at(&self, n: usize) -> Option<At<Self::Held>>;
}

/// Iterates a bag, from either end.
pub struct BagIter<B> {
    bag: B,
    from: usize,
    to: usize,
}

impl<B: Places> BagIter<B> {
    /// Over the first `events` events of a match.
    pub(super) fn new(bag: B, events: usize) -> Self {
        BagIter { bag, from: 0, to: events }
    }

    /// The stream positions.
    pub(super) fn fmt_positions(self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut list = f.debug_list();
        for e in self {
            list.entry(&e.position());
        }
        list.finish()
    }
}

impl<B: Places> Iterator for BagIter<B> {
    type Item = At<B::Held>;
    fn next(&mut self) -> Option<Self::Item> {
        while self.from < self.to {
            self.from += 1;
            if let Some(e) = self.bag.at(self.from - 1) {
                return Some(e);
            }
        }
        None
    }

    /// At most one for each event of the match that is left.
    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.to - self.from))
    }
}

impl<B: Places> DoubleEndedIterator for BagIter<B> {
    fn next_back(&mut self) -> Option<Self::Item> {
        while self.from < self.to {
            self.to -= 1;
            if let Some(e) = self.bag.at(self.to) {
                return Some(e);
            }
        }
        None
    }
}

impl<B: Places> core::iter::FusedIterator for BagIter<B> {}

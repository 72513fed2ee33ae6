//! The computed events of an iterated aggregate in a match.
use crate::At;
use crate::kernels::{Path, Registers};
use crate::storage::Storage;
use core::fmt;

/// The computed events that an aggregate variable holds in one match, in stream order. It borrows the machine, and so the match does.
pub struct ComputedBag<
    'm,
    T,
    K: Copy + 'static,
    const N: usize,
    const D: usize,
    S: Storage,
    W: Storage,
    A: Registers,
> {
    path: Path<'m, K, N, D, S, W, A>,
    #[expect(clippy::type_complexity, reason = "an alias would repeat every parameter")]
    get: fn(&Path<'m, K, N, D, S, W, A>, usize) -> Option<T>,
}

impl<T, K: Copy + 'static, const N: usize, const D: usize, S: Storage, W: Storage, A: Registers> Clone
    for ComputedBag<'_, T, K, N, D, S, W, A>
{
    fn clone(&self) -> Self {
        *self
    }
}
impl<T, K: Copy + 'static, const N: usize, const D: usize, S: Storage, W: Storage, A: Registers> Copy
    for ComputedBag<'_, T, K, N, D, S, W, A>
{
}

impl<'m, T, K: Copy + 'static, const N: usize, const D: usize, S: Storage, W: Storage, A: Registers>
    ComputedBag<'m, T, K, N, D, S, W, A>
{
    /// The computed events of a path; `get` is the one that is complete with an event of it.
    #[doc(hidden)]
    #[must_use]
    #[expect(clippy::type_complexity, reason = "an alias would repeat every parameter")]
    pub fn new(
        path: Path<'m, K, N, D, S, W, A>,
        get: fn(&Path<'m, K, N, D, S, W, A>, usize) -> Option<T>,
    ) -> Self {
        ComputedBag { path, get }
    }

    /// The computed events, in stream order. The `position()` of one is that of the last event of its part.
    #[must_use]
    pub fn iter(&self) -> ComputedBagIter<'m, T, K, N, D, S, W, A> {
        ComputedBagIter { bag: *self, from: 0, to: self.path.newest() + 1 }
    }

    /// How many. O(events of the match).
    #[must_use]
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// None: the part that has the aggregate is absent in this match.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
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

    fn event(&self, n: usize) -> Option<At<T>> {
        let of = (self.get)(&self.path, n)?;
        self.path.event(n).map(|at| At::new(at.position(), of))
    }
}

impl<'m, T, K: Copy + 'static, const N: usize, const D: usize, S: Storage, W: Storage, A: Registers>
    IntoIterator for ComputedBag<'m, T, K, N, D, S, W, A>
{
    type Item = At<T>;
    type IntoIter = ComputedBagIter<'m, T, K, N, D, S, W, A>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T, K: Copy + 'static, const N: usize, const D: usize, S: Storage, W: Storage, A: Registers> fmt::Debug
    for ComputedBag<'_, T, K, N, D, S, W, A>
{
    /// The stream positions.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter().map(|e| e.position())).finish()
    }
}

/// Iterates a [`ComputedBag`], from either end.
pub struct ComputedBagIter<
    'm,
    T,
    K: Copy + 'static,
    const N: usize,
    const D: usize,
    S: Storage,
    W: Storage,
    A: Registers,
> {
    bag: ComputedBag<'m, T, K, N, D, S, W, A>,
    from: usize,
    to: usize,
}

impl<T, K: Copy + 'static, const N: usize, const D: usize, S: Storage, W: Storage, A: Registers> Iterator
    for ComputedBagIter<'_, T, K, N, D, S, W, A>
{
    type Item = At<T>;
    fn next(&mut self) -> Option<At<T>> {
        while self.from < self.to {
            self.from += 1;
            if let Some(e) = self.bag.event(self.from - 1) {
                return Some(e);
            }
        }
        None
    }
}

impl<T, K: Copy + 'static, const N: usize, const D: usize, S: Storage, W: Storage, A: Registers>
    DoubleEndedIterator for ComputedBagIter<'_, T, K, N, D, S, W, A>
{
    fn next_back(&mut self) -> Option<At<T>> {
        while self.from < self.to {
            self.to -= 1;
            if let Some(e) = self.bag.event(self.to) {
                return Some(e);
            }
        }
        None
    }
}

impl<T, K: Copy + 'static, const N: usize, const D: usize, S: Storage, W: Storage, A: Registers>
    core::iter::FusedIterator for ComputedBagIter<'_, T, K, N, D, S, W, A>
{
}

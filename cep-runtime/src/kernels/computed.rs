//! The computed events of an iterated aggregate in a match.
use crate::At;
use crate::kernels::bag::{BagIter, Places};
use crate::kernels::{Path, Registers};
use crate::storage::Storage;
use core::fmt;

/// The computed events that an aggregate variable holds in one match, in stream order. It borrows the machine, and so the match does.
pub struct ComputedBag<
    'm,
    T,
    K: 'static,
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
copies!([T, K: 'static, const N: usize, const D: usize, S: Storage, W: Storage, A: Registers] ComputedBag<'_, T, K, N, D, S, W, A>);

impl<'m, T, K: 'static, const N: usize, const D: usize, S: Storage, W: Storage, A: Registers>
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
    pub fn iter(&self) -> BagIter<Self> {
        BagIter::new(*self, self.path.newest() + 1)
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
}

impl<'m, T, K: 'static, const N: usize, const D: usize, S: Storage, W: Storage, A: Registers> IntoIterator
    for ComputedBag<'m, T, K, N, D, S, W, A>
{
    type Item = At<T>;
    type IntoIter = BagIter<Self>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T, K: 'static, const N: usize, const D: usize, S: Storage, W: Storage, A: Registers> fmt::Debug
    for ComputedBag<'_, T, K, N, D, S, W, A>
{
    /// The stream positions.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().fmt_positions(f)
    }
}

impl<T, K: 'static, const N: usize, const D: usize, S: Storage, W: Storage, A: Registers> Places
    for ComputedBag<'_, T, K, N, D, S, W, A>
{
    type Held = T;
    fn at(&self, n: usize) -> Option<At<T>> {
        let of = (self.get)(&self.path, n)?;
        Some(At::new(self.path.event(n)?.position(), of))
    }
}

//! Runs filed under a value of a small finite type.
use core::fmt;

/// The latest start for each of `N` values: an array, so an update and a look-up cost O(1) and nothing expires.
///
/// At most 256 words, so it stays inside the machine whatever the storage.
#[derive(Clone, Copy)]
pub struct Direct<const N: usize> {
    /// Plus one; 0: none.
    starts: [u64; N],
}

impl<const N: usize> Direct<N> {
    /// No run waits.
    #[must_use]
    pub const fn new() -> Self {
        Direct { starts: [0; N] }
    }

    /// The latest start under value number `index`, if it is `floor` or later.
    #[inline(always)]
    #[must_use]
    pub fn latest(&self, index: usize, floor: u64) -> Option<u64> {
        match self.starts.get(index) {
            Some(s) if *s > floor => Some(s - 1),
            _ => None,
        }
    }

    /// A run that began at `start` waits under value number `index`; of two the later start stays.
    #[inline(always)]
    pub fn enter(&mut self, index: usize, start: u64) {
        if let Some(s) = self.starts.get_mut(index) {
            *s = (*s).max(start + 1);
        }
    }

    /// Every run of `source` waits here too. O(`N`).
    #[inline]
    pub fn take_from(&mut self, source: &Self) {
        for (s, other) in self.starts.iter_mut().zip(&source.starts) {
            *s = (*s).max(*other);
        }
    }

    /// Forgets all runs.
    pub fn clear(&mut self) {
        self.starts = [0; N];
    }
}

impl<const N: usize> Default for Direct<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> fmt::Debug for Direct<N> {
    /// How many values have a run, not each of them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {N} values", self.starts.iter().filter(|s| **s > 0).count())
    }
}

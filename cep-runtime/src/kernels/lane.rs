//! What a machine keeps of one key of `partition by`, where it keeps keys apart.
use crate::kernels::{Latest, Ring};

/// The kept events of one key, and how many events it had since the machine knows of it.
///
/// An event's rank is its number among all events of its key, kept or not; only differences of ranks count, so a key that comes back after
/// it was forgotten starts anew.
pub struct Lane<K: Copy + 'static, const N: usize> {
    /// The kept events, oldest first.
    pub ring: Ring<K, N>,
    /// The oldest entry that counts.
    pub first: u64,
    /// The rank of the newest event.
    pub rank: u64,
}
copies!([K: Copy + 'static, const N: usize] Lane<K, N>);

impl<K: Copy + 'static, const N: usize> Lane<K, N> {
    /// Nothing is kept.
    #[must_use]
    pub const fn new() -> Self {
        Lane { ring: Ring::new(), first: 0, rank: 0 }
    }

    /// Forgets everything, without touching the slots.
    #[inline]
    pub fn clear(&mut self) {
        self.ring.clear();
        (self.first, self.rank) = (0, 0);
    }

    /// No kept event counts any more.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.first >= self.ring.len()
    }
}

impl<K: Copy + 'static, const N: usize> Default for Lane<K, N> {
    fn default() -> Self {
        Self::new()
    }
}

/// The runs of one key as the latest start per position, and how many events the key had since the machine knows of it.
pub struct Starts<const Q: usize, T = ()> {
    /// The latest start of the runs that wait in each position.
    pub latest: Latest<Q, T>,
    /// When the newest run began, where the window is in time.
    pub begun: Option<T>,
    /// The rank of the newest event.
    pub rank: u64,
}
copies!([const Q: usize, T: Copy] Starts<Q, T>);

impl<const Q: usize, T: Copy> Starts<Q, T> {
    /// No run waits.
    #[must_use]
    pub const fn new() -> Self {
        Starts { latest: Latest::new(), begun: None, rank: 0 }
    }

    /// Forgets everything.
    #[inline]
    pub fn clear(&mut self) {
        *self = Self::new();
    }
}

impl<const Q: usize, T: Copy> Default for Starts<Q, T> {
    fn default() -> Self {
        Self::new()
    }
}

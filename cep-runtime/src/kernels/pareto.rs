//! Runs that a later condition orders by one value: only those that no other beats.
use crate::kernels::Rank;
use crate::storage::{Borrowed, Inline, Slots, Storage};
#[cfg(feature = "alloc")]
use crate::storage::{Boxed, boxed, boxed_copy};
use core::fmt;

/// A run of a [`Pareto`] front.
pub struct Ranked<K> {
    start: u64,
    key: K,
}
copies!([K: Copy] Ranked<K>);

impl<K: Rank> Ranked<K> {
    /// A slot nobody has used.
    pub const EMPTY: Self = Ranked { start: 0, key: K::FILL };
}

/// The runs of which none began earlier and has a value that passes fewer conditions than another's: with `UP` conditions are `value > bound`, so
/// larger values pass more of them, else `value < bound`.
///
/// A deque in a ring of `N` slots (a power of two), the starts and the bounds both in order: of the runs that pass a condition, the one that
/// began last is found by bisection, O(log N). Entering costs O(1) amortised where starts come in order, as they do unless a position is fed
/// from several; what began before the window goes from the front. `N` bounds the starts in one window.
pub struct Pareto<K: Rank, const N: usize, const UP: bool, S: Storage = Inline> {
    slots: S::Ring<Ranked<K>, N>,
    first: u64,
    len: u64,
    /// The runs before this one were handed on by `take_from`.
    handed: u64,
}

impl<K: Rank, const N: usize, const UP: bool> Pareto<K, N, UP, Inline> {
    /// Empty, inside the machine.
    #[must_use]
    pub const fn new() -> Self {
        const { assert!(N.is_power_of_two()) }
        Pareto { slots: Slots([Ranked::EMPTY; N]), first: 0, len: 0, handed: 0 }
    }
}

impl<K: Rank, const N: usize, const UP: bool> Default for Pareto<K, N, UP, Inline> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'s, K: Rank, const N: usize, const UP: bool> Pareto<K, N, UP, Borrowed<'s>> {
    /// Empty, over memory that lives elsewhere.
    #[must_use]
    pub fn over(slots: &'s mut [Ranked<K>; N]) -> Self {
        const { assert!(N.is_power_of_two()) }
        Pareto { slots, first: 0, len: 0, handed: 0 }
    }
}

#[cfg(feature = "alloc")]
impl<K: Rank, const N: usize, const UP: bool> Pareto<K, N, UP, Boxed> {
    /// Empty, on the heap: one allocation now and none later.
    #[must_use]
    pub fn boxed() -> Self {
        const { assert!(N.is_power_of_two()) }
        Pareto { slots: boxed(Ranked::EMPTY), first: 0, len: 0, handed: 0 }
    }
}

impl<K: Rank, const N: usize, const UP: bool, S: Storage> Pareto<K, N, UP, S> {
    /// The latest start of the runs whose value is beyond `bound` (or equal to it, where `inclusive`), if it is `floor` or later.
    #[inline]
    #[must_use]
    pub fn latest(&self, bound: K, inclusive: bool, floor: u64) -> Option<u64> {
        // the older a run, the more it passes: the runs that do are the first ones
        let (mut low, mut high) = (self.first, self.len);
        while low < high {
            let middle = low + (high - low) / 2;
            let key = self.at(middle).key;
            let passes = match (UP, inclusive) {
                (false, false) => key < bound,
                (false, true) => key <= bound,
                (true, false) => key > bound,
                (true, true) => key >= bound,
            };
            if passes {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if low == self.first {
            return None;
        }
        let start = self.at(low - 1).start;
        if start >= floor { Some(start) } else { None }
    }

    /// A run that began at `start` waits with this value. What began before `floor` goes.
    #[inline]
    pub fn enter(&mut self, key: K, start: u64, floor: u64) {
        #[expect(clippy::eq_op, reason = "NaN is not equal to itself")]
        if key != key {
            return;
        }
        while self.first < self.len && self.at(self.first).start < floor {
            self.first += 1;
        }
        // its place by start: at the end, unless the position is fed from several
        let mut place = self.len;
        while place > self.first && self.at(place - 1).start > start {
            place -= 1;
        }
        if place < self.len && Self::passes_as_much(self.at(place).key, key) {
            return;
        }
        let mut from = place;
        while from > self.first && Self::passes_as_much(key, self.at(from - 1).key) {
            from -= 1;
        }
        if from > self.first && self.at(from - 1).start == start {
            return;
        }
        if from == place && place < self.len {
            for n in (place..self.len).rev() {
                self.set(n + 1, self.at(n));
            }
        } else {
            for n in place..self.len {
                self.set(from + 1 + (n - place), self.at(n));
            }
        }
        self.set(from, Ranked { start, key });
        self.len = from + 1 + (self.len - place);
        self.handed = self.handed.min(from);
        if self.len - self.first > N as u64 {
            // more starts in a window than were promised: as in a ring, the oldest goes
            self.first += 1;
        }
    }

    /// Every run that came into `source` since the last time waits here too. O(1) amortised where starts come in order.
    pub fn take_from<T: Storage>(&mut self, source: &mut Pareto<K, N, UP, T>, floor: u64) {
        for n in source.handed.max(source.first)..source.len {
            let run = source.at(n);
            if run.start >= floor {
                self.enter(run.key, run.start, floor);
            }
        }
        source.handed = source.len;
    }

    /// Forgets all runs.
    pub fn clear(&mut self) {
        (self.first, self.len, self.handed) = (0, 0, 0);
    }

    /// How many runs there are.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.len - self.first
    }

    /// No run waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == self.first
    }

    #[inline(always)]
    fn passes_as_much(a: K, b: K) -> bool {
        if UP { a >= b } else { a <= b }
    }

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "only the low bits are used")]
    fn at(&self, n: u64) -> Ranked<K> {
        self.slots[n as usize & (N - 1)]
    }

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "only the low bits are used")]
    fn set(&mut self, n: u64, run: Ranked<K>) {
        self.slots[n as usize & (N - 1)] = run;
    }
}

impl<K: Rank, const N: usize, const UP: bool> Clone for Pareto<K, N, UP, Inline> {
    fn clone(&self) -> Self {
        Pareto { slots: self.slots, ..*self }
    }
}

#[cfg(feature = "alloc")]
impl<K: Rank, const N: usize, const UP: bool> Clone for Pareto<K, N, UP, Boxed> {
    fn clone(&self) -> Self {
        Pareto { slots: boxed_copy(&self.slots), ..*self }
    }
}

impl<K: Rank, const N: usize, const UP: bool, S: Storage> fmt::Debug for Pareto<K, N, UP, S> {
    /// The starts, oldest first.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries((self.first..self.len).map(|n| self.at(n).start)).finish()
    }
}

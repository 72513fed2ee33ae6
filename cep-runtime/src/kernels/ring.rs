//! The events that a pattern may still need, in arrival order.
use crate::At;
use crate::storage::{Borrowed, Inline, Slots, Storage};
#[cfg(feature = "alloc")]
use crate::storage::{Boxed, boxed, boxed_copy};
use core::fmt;

/// A kept event: what later conditions or the output read of it, and the positions of the automaton it can take.
pub struct Slot<K> {
    at: Option<At<K>>,
    positions: u64,
}
copies!([K: Copy] Slot<K>);

impl<K> Slot<K> {
    /// A slot nobody has used; all zeroes.
    pub const EMPTY: Self = Slot { at: None, positions: 0 };
    /// The bit beside the positions': another event of the same key came after this one.
    pub const FOLLOWED: u64 = 1 << 63;
}

/// The last `N` kept events (`N` a power of two), oldest first; entry numbers grow for ever.
///
/// Under a count window of at most `N` events an entry is dead before it is overwritten, so nothing is lost. Appending costs
/// O(1), memory is `N` slots.
pub struct Ring<K: 'static, const N: usize, S: Storage = Inline> {
    slots: S::Ring<Slot<K>, N>,
    len: u64,
}
copies!([K: Copy + 'static, const N: usize] Ring<K, N, Inline>);

impl<K: 'static, const N: usize> Ring<K, N, Inline> {
    /// Empty, inside the machine.
    #[must_use]
    pub const fn new() -> Self {
        const { assert!(N.is_power_of_two()) }
        Ring { slots: Slots([Slot::EMPTY; N]), len: 0 }
    }
}

impl<K: 'static, const N: usize> Default for Ring<K, N, Inline> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'s, K: 'static, const N: usize> Ring<K, N, Borrowed<'s>> {
    /// Empty, over `slots`. What is in them does not matter: entries are written before they are read.
    #[must_use]
    pub fn over(slots: &'s mut [Slot<K>; N]) -> Self {
        const { assert!(N.is_power_of_two()) }
        Ring { slots, len: 0 }
    }
}

#[cfg(feature = "alloc")]
impl<K: Copy + 'static, const N: usize> Ring<K, N, Boxed> {
    /// Empty, on the heap: one allocation now and none later.
    #[must_use]
    pub fn boxed() -> Self {
        const { assert!(N.is_power_of_two()) }
        Ring { slots: boxed(Slot::EMPTY), len: 0 }
    }
}

impl<K: 'static, const N: usize, S: Storage> Ring<K, N, S> {
    /// Entries ever appended; the newest has the number `len - 1`.
    #[inline(always)]
    #[must_use]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Nothing was appended.
    #[inline(always)]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Appends an event that can take `positions` (bit `q`: position `q`). The oldest entry goes when the ring is full.
    #[inline(always)]
    pub fn push(&mut self, at: At<K>, positions: u64) {
        self.slots[Self::index(self.len)] = Slot { at: Some(at), positions };
        self.len += 1;
    }

    /// Entry number `entry` with its positions, unless it was overwritten or never written.
    #[inline(always)]
    #[must_use]
    pub fn get(&self, entry: u64) -> Option<(&At<K>, u64)> {
        if entry >= self.len || entry + (N as u64) < self.len {
            return None;
        }
        let slot = &self.slots[Self::index(entry)];
        match &slot.at {
            Some(at) => Some((at, slot.positions)),
            None => None,
        }
    }

    /// Entry number `entry` takes no position any more.
    pub fn retire(&mut self, entry: u64) {
        if entry < self.len && entry + (N as u64) >= self.len {
            self.slots[Self::index(entry)].positions &= Slot::<K>::FOLLOWED;
        }
    }

    /// Entry number `entry` has a successor among the events of its key.
    pub fn follow(&mut self, entry: u64) {
        if entry < self.len && entry + (N as u64) >= self.len {
            self.slots[Self::index(entry)].positions |= Slot::<K>::FOLLOWED;
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// The kept events not older than the stream position `oldest`, newest first.
    pub fn since(&self, oldest: u64) -> impl Iterator<Item = (&At<K>, u64)> {
        (0..self.len).rev().map_while(|n| self.get(n)).take_while(move |(at, _)| at.position() >= oldest)
    }

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "only the low bits are used")]
    fn index(entry: u64) -> usize {
        entry as usize & (N - 1)
    }
}

#[cfg(feature = "alloc")]
impl<K: Copy + 'static, const N: usize> Clone for Ring<K, N, Boxed> {
    fn clone(&self) -> Self {
        Ring { slots: boxed_copy(&self.slots), len: self.len }
    }
}

/// What of a ring a machine may still use, for its `Debug`: newest first, the stream position and what the event can be.
pub struct Live<'a, K: 'static, const N: usize, S: Storage> {
    ring: &'a Ring<K, N, S>,
    first: u64,
    names: &'a [&'a str],
}

impl<'a, K: 'static, const N: usize, S: Storage> Live<'a, K, N, S> {
    /// The entries from number `first` on; `names[q]` is what an event in position `q` is called.
    #[must_use]
    pub fn new(ring: &'a Ring<K, N, S>, first: u64, names: &'a [&'a str]) -> Self {
        Live { ring, first, names }
    }
}

impl<K: 'static, const N: usize, S: Storage> fmt::Debug for Live<'_, K, N, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut map = f.debug_map();
        for n in (self.first..self.ring.len()).rev() {
            if let Some((at, positions)) = self.ring.get(n) {
                map.entry(&at.position(), &Names { positions, names: self.names });
            }
        }
        map.finish()
    }
}

struct Names<'a> {
    positions: u64,
    names: &'a [&'a str],
}

impl fmt::Debug for Names<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut left, mut between) = (self.positions, "");
        for name in self.names {
            if left & 1 != 0 {
                f.write_str(between)?;
                f.write_str(name)?;
                between = " or ";
            }
            left >>= 1;
        }
        Ok(())
    }
}

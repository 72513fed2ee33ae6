//! Runs filed under the value that later conditions compare with `==`.
use crate::kernels::{Filled, Key};
use crate::storage::{Borrowed, Inline, Slots, Storage};
#[cfg(feature = "alloc")]
use crate::storage::{Boxed, boxed, boxed_copy};
use core::fmt;

/// An entry of a [`Keyed`] table.
pub struct KeyedSlot<K, V> {
    /// The stream position of its last update plus one; 0: unused.
    updated: u64,
    key: K,
    value: V,
}
copies!([K: Copy, V: Copy] KeyedSlot<K, V>);

impl<K: Key, V: Filled> KeyedSlot<K, V> {
    /// A slot nobody has used.
    pub const EMPTY: Self = KeyedSlot { updated: 0, key: K::FILL, value: V::FILL };
}

/// An update of a [`Keyed`] table, in the order they happened.
pub struct KeyedUpdate<K> {
    key: K,
    /// The low bits of the position: two updates of one key in one window never agree in them.
    at: u32,
}
copies!([K: Copy] KeyedUpdate<K>);

impl<K: Key> KeyedUpdate<K> {
    /// A slot nobody has used.
    pub const EMPTY: Self = KeyedUpdate { key: K::FILL, at: 0 };
}

/// From keys to values: open addressing with linear probing, deletion by backward shift, so there are no tombstones and nothing is ever
/// rebuilt. What was last updated before the window is removed by a ring of updates, oldest first.
///
/// `N` (a power of two) bounds the updates inside one window, so also the live keys; `M`, the length of the table, is twice that, so a probe
/// takes O(1) steps. An update costs O(1) amortised. The alternative, a search through the kept events, costs the events in the window.
pub struct Keyed<K: Key, V: Filled, const N: usize, const M: usize, S: Storage = Inline> {
    table: S::Ring<KeyedSlot<K, V>, M>,
    updates: S::Ring<KeyedUpdate<K>, N>,
    /// The oldest update and the next one, as numbers that grow for ever.
    first: u64,
    len: u64,
    /// The updates before this one were handed on by `take_from`.
    handed: u64,
    keys: u64,
}

impl<K: Key, V: Filled, const N: usize, const M: usize> Keyed<K, V, N, M, Inline> {
    /// Empty, inside the machine.
    #[must_use]
    pub const fn new() -> Self {
        const { assert!(N.is_power_of_two() && M == 2 * N) }
        let (table, updates) = (Slots([KeyedSlot::EMPTY; M]), Slots([KeyedUpdate::EMPTY; N]));
        Keyed { table, updates, first: 0, len: 0, handed: 0, keys: 0 }
    }
}

impl<K: Key, V: Filled, const N: usize, const M: usize> Default for Keyed<K, V, N, M, Inline> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'s, K: Key, V: Filled, const N: usize, const M: usize> Keyed<K, V, N, M, Borrowed<'s>> {
    /// Empty, over memory that lives elsewhere; what is in it goes.
    #[must_use]
    pub fn over(table: &'s mut [KeyedSlot<K, V>; M], updates: &'s mut [KeyedUpdate<K>; N]) -> Self {
        const { assert!(N.is_power_of_two() && M == 2 * N) }
        table.fill(KeyedSlot::EMPTY);
        Keyed { table, updates, first: 0, len: 0, handed: 0, keys: 0 }
    }
}

#[cfg(feature = "alloc")]
impl<K: Key, V: Filled, const N: usize, const M: usize> Keyed<K, V, N, M, Boxed> {
    /// Empty, on the heap: two allocations now and none later.
    #[must_use]
    pub fn boxed() -> Self {
        const { assert!(N.is_power_of_two() && M == 2 * N) }
        let (table, updates) = (boxed(KeyedSlot::EMPTY), boxed(KeyedUpdate::EMPTY));
        Keyed { table, updates, first: 0, len: 0, handed: 0, keys: 0 }
    }
}

impl<K: Key, V: Filled, const N: usize, const M: usize, S: Storage> Keyed<K, V, N, M, S> {
    /// The value of a key.
    #[inline(always)]
    #[must_use]
    pub fn get(&self, key: K) -> Option<V> {
        match self.find(key) {
            Ok(i) => Some(self.table[i].value),
            Err(_) => None,
        }
    }

    /// Puts a value at a key, as of stream position `now`; what was last updated before `floor` goes first.
    ///
    /// `now` never decreases, and no position has two updates.
    #[inline]
    pub fn put(&mut self, key: K, value: V, now: u64, floor: u64) {
        self.expire(floor);
        if self.len - self.first == N as u64 {
            // more updates in a window than were promised: as in a ring, the oldest goes
            self.drop_first();
        }
        self.updates[Self::place(self.len)] = KeyedUpdate { key, at: low(now) };
        self.len += 1;
        let i = match self.find(key) {
            Ok(i) => i,
            Err(i) => {
                self.keys += 1;
                i
            }
        };
        self.table[i] = KeyedSlot { updated: now + 1, key, value };
    }

    /// Changes the value of a key that is there, without making it younger.
    #[inline]
    pub fn replace(&mut self, key: K, value: V) {
        if let Ok(i) = self.find(key) {
            self.table[i].value = value;
        }
    }

    /// Forgets a key.
    #[inline]
    pub fn remove(&mut self, key: K) {
        if let Ok(i) = self.find(key) {
            self.delete(i);
        }
    }

    /// Forgets what was last updated before `floor`.
    #[inline]
    pub fn expire(&mut self, floor: u64) {
        while self.first < self.len {
            let update = self.updates[Self::place(self.first)];
            if let Ok(i) = self.find(update.key)
                && low(self.table[i].updated - 1) == update.at
                && self.table[i].updated > floor
            {
                break;
            }
            self.drop_first();
        }
    }

    /// How many keys were updated at `floor` or later. O(`M`).
    #[must_use]
    pub fn live(&self, floor: u64) -> u64 {
        let mut live = 0;
        for slot in self.table.iter() {
            live += u64::from(slot.updated > floor);
        }
        live
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        if self.keys > 0 {
            self.table.fill(KeyedSlot::EMPTY);
        }
        (self.first, self.len, self.handed, self.keys) = (0, 0, 0, 0);
    }

    /// The oldest update goes, and its key where none is newer.
    #[inline]
    fn drop_first(&mut self) {
        let update = self.updates[Self::place(self.first)];
        if let Ok(i) = self.find(update.key)
            && low(self.table[i].updated - 1) == update.at
        {
            self.delete(i);
        }
        self.first += 1;
        self.handed = self.handed.max(self.first);
    }

    /// Where a key stands, or where it would.
    #[inline(always)]
    fn find(&self, key: K) -> Result<usize, usize> {
        let mut i = Self::home(key);
        // at most half of the slots are in use
        loop {
            let slot = &self.table[i];
            if slot.updated == 0 {
                return Err(i);
            }
            if slot.key == key {
                return Ok(i);
            }
            i = (i + 1) & (M - 1);
        }
    }

    /// Knuth's algorithm R: what was pushed behind the gap moves into it.
    fn delete(&mut self, at: usize) {
        let (mut gap, mut i) = (at, at);
        loop {
            i = (i + 1) & (M - 1);
            let slot = self.table[i];
            if slot.updated == 0 {
                break;
            }
            let from_home = i.wrapping_sub(Self::home(slot.key)) & (M - 1);
            if from_home >= i.wrapping_sub(gap) & (M - 1) {
                self.table[gap] = slot;
                gap = i;
            }
        }
        self.table[gap].updated = 0;
        self.keys -= 1;
    }

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "only the low bits are used")]
    fn home(key: K) -> usize {
        key.spread() as usize & (M - 1)
    }

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "only the low bits are used")]
    fn place(update: u64) -> usize {
        update as usize & (N - 1)
    }
}

/// The latest start per key.
impl<K: Key, const N: usize, const M: usize, S: Storage> Keyed<K, u64, N, M, S> {
    /// The latest start under `key`, if it is `floor` or later.
    #[inline(always)]
    #[must_use]
    pub fn latest(&self, key: K, floor: u64) -> Option<u64> {
        match self.get(key) {
            Some(start) if start >= floor => Some(start),
            _ => None,
        }
    }

    /// A run that began at `start` waits under `key` as of position `now`; of two the later start stays.
    #[inline]
    pub fn enter(&mut self, key: K, start: u64, now: u64, floor: u64) {
        let start = match self.get(key) {
            Some(before) if before > start => before,
            _ => start,
        };
        self.put(key, start, now, floor);
    }

    /// Every run that came into `source` since the last time is here too from now on. Each moves once, so this is O(1) amortised; `source`
    /// hands on to one table only, and this one gets runs from nowhere else.
    pub fn take_from<T: Storage>(&mut self, source: &mut Keyed<K, u64, N, M, T>, floor: u64) {
        while source.handed < source.len {
            let update = source.updates[Self::place(source.handed)];
            source.handed += 1;
            if let Ok(i) = source.find(update.key) {
                let slot = source.table[i];
                if low(slot.updated - 1) == update.at && slot.value >= floor {
                    self.enter(slot.key, slot.value, slot.updated - 1, floor);
                }
            }
        }
    }
}

#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "the low bits are meant")]
fn low(position: u64) -> u32 {
    position as u32
}

impl<K: Key, V: Filled, const N: usize, const M: usize> Clone for Keyed<K, V, N, M, Inline> {
    fn clone(&self) -> Self {
        Keyed { table: self.table, updates: self.updates, ..*self }
    }
}

#[cfg(feature = "alloc")]
impl<K: Key, V: Filled, const N: usize, const M: usize> Clone for Keyed<K, V, N, M, Boxed> {
    fn clone(&self) -> Self {
        Keyed { table: boxed_copy(&self.table), updates: boxed_copy(&self.updates), ..*self }
    }
}

impl<K: Key, V: Filled, const N: usize, const M: usize, S: Storage> fmt::Debug for Keyed<K, V, N, M, S> {
    /// How many keys there are, not every slot.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} keys", self.keys)
    }
}

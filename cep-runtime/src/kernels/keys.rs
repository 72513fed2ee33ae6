//! The keys of a partition, each with what the machine knows of it.
//!
//! Open addressing with linear probing over twice as many buckets as there are places, deletion by shifting back (no tombstones, so a table
//! through which millions of keys have passed is as fast as a new one), and a list of the keys in the order in which they were last
//! touched, so that what is too old is found from its end. Every operation takes O(1) expected time; memory is `M` places and
//! `H` buckets.
use crate::storage::{Borrowed, Inline, Slots, Storage};
#[cfg(feature = "alloc")]
use crate::storage::{Boxed, boxed, boxed_copy};
use core::fmt;
use core::hash::{Hash, Hasher};

/// No place: the end of a list, an unused bucket.
const NONE: u32 = u32::MAX;

/// A key and its value, linked to the keys touched before and after it. In this order: who looks for a key finds the links and the beginning of
/// the value in the same line of cache.
#[repr(C)]
pub struct Place<K, V> {
    key: Option<K>,
    older: u32,
    /// Of an unused place that was used before: the next such place.
    newer: u32,
    value: V,
}
copies!([K: Copy, V: Copy] Place<K, V>);

impl<K, V> Place<K, V> {
    /// A place nobody has used, with room for a value.
    #[must_use]
    pub const fn unused(value: V) -> Self {
        Place { key: None, older: NONE, newer: NONE, value }
    }
}

/// A bucket nobody has used.
pub const NO_PLACE: u32 = NONE;

/// At most `M` keys with their values, in `H` buckets (a power of two, at least twice `M`).
pub struct Keys<K: 'static, V: 'static, const M: usize, const H: usize, S: Storage = Inline> {
    places: S::Ring<Place<K, V>, M>,
    buckets: S::Ring<u32, H>,
    /// Places ever used.
    used: u32,
    /// The first of the places that are free again.
    free: u32,
    oldest: u32,
    newest: u32,
    len: u32,
}

impl<K: Copy + 'static, V: Copy + 'static, const M: usize, const H: usize> Keys<K, V, M, H, Inline> {
    /// No key; `value` only fills the memory.
    #[must_use]
    pub const fn new(value: V) -> Self {
        const { Self::SIZES }
        Keys::made(Slots([Place::unused(value); M]), Slots([NONE; H]))
    }
}

impl<'s, K: Copy + 'static, V: Copy + 'static, const M: usize, const H: usize>
    Keys<K, V, M, H, Borrowed<'s>>
{
    /// No key, over memory that lives elsewhere. What is in it does not matter.
    #[must_use]
    pub fn over(places: &'s mut [Place<K, V>; M], buckets: &'s mut [u32; H]) -> Self {
        const { Self::SIZES }
        buckets.fill(NONE);
        Keys::made(places, buckets)
    }
}

#[cfg(feature = "alloc")]
impl<K: Copy + 'static, V: Copy + 'static, const M: usize, const H: usize> Keys<K, V, M, H, Boxed> {
    /// No key, on the heap: two allocations now and none later.
    #[must_use]
    pub fn boxed(value: V) -> Self {
        const { Self::SIZES }
        Keys::made(boxed(Place::unused(value)), boxed(NONE))
    }
}

impl<K: Copy + 'static, V: Copy + 'static, const M: usize, const H: usize, S: Storage> Keys<K, V, M, H, S> {
    const SIZES: () = assert!(H.is_power_of_two() && H >= 2 * M && M > 0 && (M as u64) < NONE as u64);

    const fn made(places: S::Ring<Place<K, V>, M>, buckets: S::Ring<u32, H>) -> Self {
        Keys { places, buckets, used: 0, free: NONE, oldest: NONE, newest: NONE, len: 0 }
    }

    /// How many keys there are.
    #[inline]
    #[must_use]
    pub fn len(&self) -> u64 {
        u64::from(self.len)
    }

    /// There is no key.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// There is no room for another key.
    #[inline]
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.len as usize == M
    }

    /// The key in `place`, if there is one.
    #[inline]
    #[must_use]
    pub fn key(&self, place: usize) -> Option<K> {
        self.places[place].key
    }

    /// What is kept in `place`; of a place whose key is gone, what was there last.
    #[inline(always)]
    #[must_use]
    pub fn value(&self, place: usize) -> &V {
        &self.places[place].value
    }

    /// The same, to be changed.
    #[inline(always)]
    pub fn value_mut(&mut self, place: usize) -> &mut V {
        &mut self.places[place].value
    }

    /// The key that was touched longest ago.
    #[inline]
    #[must_use]
    pub fn oldest(&self) -> Option<usize> {
        (self.oldest != NONE).then_some(self.oldest as usize)
    }

    /// The keys and their values, the oldest first.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        let mut next = self.oldest;
        core::iter::from_fn(move || {
            let place = self.places.get(next as usize)?;
            next = place.newer;
            Some((place.key.as_ref()?, &place.value))
        })
    }

    /// Forgets every key. What was kept in its place can still be read until another key takes it.
    pub fn clear(&mut self) {
        for place in &mut self.places[..self.used as usize] {
            place.key = None;
        }
        (self.used, self.free, self.oldest, self.newest, self.len) = (0, NONE, NONE, NONE, 0);
        self.buckets.fill(NONE);
    }

    /// Takes a place out of the order of age.
    fn unlink(&mut self, place: usize) {
        let (older, newer) = (self.places[place].older, self.places[place].newer);
        match self.places.get_mut(older as usize) {
            Some(p) => p.newer = newer,
            None => self.oldest = newer,
        }
        match self.places.get_mut(newer as usize) {
            Some(p) => p.older = older,
            None => self.newest = older,
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "there are fewer than 2^32 places")]
    fn release(&mut self, place: usize) {
        self.places[place].newer = self.free;
        self.free = place as u32;
        self.len -= 1;
    }

    #[expect(clippy::cast_possible_truncation, reason = "there are fewer than 2^32 places")]
    fn link_newest(&mut self, place: usize) {
        let before = self.newest;
        self.places[place].older = before;
        self.places[place].newer = NONE;
        self.newest = place as u32;
        match self.places.get_mut(before as usize) {
            Some(p) => p.newer = place as u32,
            None => self.oldest = place as u32,
        }
    }

    /// The key in `place` is the newest from now on.
    #[inline]
    pub fn touch(&mut self, place: usize) {
        if self.newest as usize != place {
            self.unlink(place);
            self.link_newest(place);
        }
    }
}

impl<K: Copy + Eq + Hash + 'static, V: Copy + 'static, const M: usize, const H: usize, S: Storage>
    Keys<K, V, M, H, S>
{
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "only the low bits are used")]
    fn bucket(key: &K) -> usize {
        let mut hasher = Mix(0);
        key.hash(&mut hasher);
        hasher.finish() as usize & (H - 1)
    }

    /// The bucket that holds a key, or the first one free for it.
    #[inline]
    fn probe(&self, key: &K) -> usize {
        let mut at = Self::bucket(key);
        while let Some(place) = self.places.get(self.buckets[at] as usize) {
            if place.key == Some(*key) {
                break;
            }
            at = (at + 1) & (H - 1);
        }
        at
    }

    /// Where the key is.
    #[inline]
    #[must_use]
    pub fn find(&self, key: &K) -> Option<usize> {
        let place = self.buckets[self.probe(key)];
        (place != NONE).then_some(place as usize)
    }

    /// A place for a key that has none; it is the newest. What was kept there last is still there. `None` where all are taken.
    pub fn claim(&mut self, key: K) -> Option<usize> {
        let place = self.claim_unlisted(key)?;
        self.link_newest(place);
        Some(place)
    }

    /// As [`claim`](Self::claim), but the key is not in the order of age: for a machine that orders its keys itself, and that touches no
    /// neighbours of a key for nothing. A table has keys of one sort or of the other.
    #[expect(clippy::cast_possible_truncation, reason = "there are fewer than 2^32 places")]
    pub fn claim_unlisted(&mut self, key: K) -> Option<usize> {
        if self.is_full() {
            return None;
        }
        let place = if self.free == NONE {
            self.used += 1;
            self.used as usize - 1
        } else {
            let place = self.free as usize;
            self.free = self.places[place].newer;
            place
        };
        let at = self.probe(&key);
        self.buckets[at] = place as u32;
        self.places[place].key = Some(key);
        self.len += 1;
        Some(place)
    }

    /// Forgets the key in `place`. What was kept there can still be read until another key takes the place.
    pub fn remove(&mut self, place: usize) {
        if self.places[place].key.is_some() {
            self.unlink(place);
            self.remove_unlisted(place);
        }
    }

    /// As [`remove`](Self::remove), for a key of [`claim_unlisted`](Self::claim_unlisted).
    #[expect(clippy::cast_possible_truncation, reason = "there are fewer than 2^32 places")]
    pub fn remove_unlisted(&mut self, place: usize) {
        let Some(key) = self.places[place].key else { return };
        // its bucket is the one that names it: no other key need be looked at
        let mut hole = Self::bucket(&key);
        while self.buckets[hole] != place as u32 {
            hole = (hole + 1) & (H - 1);
        }
        self.places[place].key = None;
        self.release(place);
        // what comes behind moves up, as far as it may stand there
        let mut at = hole;
        loop {
            self.buckets[hole] = NONE;
            loop {
                at = (at + 1) & (H - 1);
                let Some(Place { key: Some(key), .. }) = self.places.get(self.buckets[at] as usize) else {
                    return;
                };
                let home = Self::bucket(key);
                // its home is not between the hole and where it stands
                if at.wrapping_sub(home) & (H - 1) >= at.wrapping_sub(hole) & (H - 1) {
                    break;
                }
            }
            self.buckets[hole] = self.buckets[at];
            hole = at;
        }
    }
}

impl<K: Copy + 'static, V: Copy + 'static, const M: usize, const H: usize> Clone
    for Keys<K, V, M, H, Inline>
{
    fn clone(&self) -> Self {
        Keys { places: self.places, buckets: self.buckets, ..*self }
    }
}

#[cfg(feature = "alloc")]
impl<K: Copy + 'static, V: Copy + 'static, const M: usize, const H: usize> Clone for Keys<K, V, M, H, Boxed> {
    fn clone(&self) -> Self {
        Keys { places: boxed_copy(&self.places), buckets: boxed_copy(&self.buckets), ..*self }
    }
}

impl<K: Copy + 'static, V: Copy + 'static, const M: usize, const H: usize, S: Storage> fmt::Debug
    for Keys<K, V, M, H, S>
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {M} keys", self.len)
    }
}

/// Hashes by multiplying and rotating, a word at a time: keys are short, and nobody chooses them to collide in a machine's own table.
struct Mix(u64);

impl Mix {
    #[inline(always)]
    fn word(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl Hasher for Mix {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.word(u64::from_le_bytes(word));
        }
    }
    #[inline(always)]
    fn write_u8(&mut self, n: u8) {
        self.word(n.into());
    }
    #[inline(always)]
    fn write_u16(&mut self, n: u16) {
        self.word(n.into());
    }
    #[inline(always)]
    fn write_u32(&mut self, n: u32) {
        self.word(n.into());
    }
    #[inline(always)]
    fn write_u64(&mut self, n: u64) {
        self.word(n);
    }
    #[inline(always)]
    fn write_usize(&mut self, n: usize) {
        self.word(n as u64);
    }
    #[inline(always)]
    fn finish(&self) -> u64 {
        // the high bits are the good ones
        self.0 ^ self.0 >> 32
    }
}

#[cfg(test)]
mod tests {
    use super::Keys;

    /// Against a list of pairs, oldest first.
    #[test]
    fn keys_come_go_and_age_as_in_a_list() {
        let mut keys = Keys::<u32, u64, 5, 16>::new(0);
        let mut model: [Option<(u32, u64)>; 5] = [None; 5];
        let mut len = 0;
        let mut seed = 7u64;
        for step in 0..200_000u64 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            // few different keys, which collide in 16 buckets
            let key = (seed >> 33) as u32 % 9;
            let at = model[..len].iter().position(|p| p.is_some_and(|(k, _)| k == key));
            assert_eq!(keys.find(&key).map(|p| *keys.value(p)), at.and_then(|i| model[i]).map(|(_, v)| v));
            match (seed >> 60, at, keys.find(&key)) {
                (0..=5, Some(i), Some(p)) => {
                    keys.touch(p);
                    model[i..len].rotate_left(1);
                }
                (6..=9, Some(i), Some(p)) => {
                    keys.remove(p);
                    model[i..len].rotate_left(1);
                    len -= 1;
                }
                (_, None, None) => {
                    let placed = keys.claim(key);
                    assert_eq!(placed.is_some(), len < 5);
                    if let Some(p) = placed {
                        *keys.value_mut(p) = step;
                        model[len] = Some((key, step));
                        len += 1;
                    }
                }
                (15, ..) if step % 64 == 0 => {
                    keys.clear();
                    len = 0;
                }
                _ => {}
            }
            assert_eq!((keys.len(), keys.is_full()), (len as u64, len == 5));
            assert!(keys.iter().map(|(k, v)| Some((*k, *v))).eq(model[..len].iter().copied()));
        }
    }
}

//! Values under which runs are filed: what a later `==`, `<` or `>` compares.
use core::hash::{Hash, Hasher};

/// A value that can stand in memory nobody has used.
pub trait Filled: Copy + 'static {
    /// Fills unused slots, where nothing compares it; of numbers 0.
    const FILL: Self;
}

impl<const Q: usize> Filled for crate::Latest<Q> {
    const FILL: Self = crate::Latest::new();
}

/// A value that a [`Keyed`](crate::Keyed) table can be keyed by: `==` is an equivalence, and equal values have equal hashes.
pub trait Key: Filled + Eq {
    /// A number that is equal for equal keys and spread over all bits.
    fn spread(self) -> u64;
}

/// A value of a small finite type, for a [`Direct`](crate::Direct) index.
pub trait Finite: Copy {
    /// How many values the type has.
    const SIZE: usize;
    /// The number of this one, below `SIZE`.
    fn index(self) -> usize;
}

/// A value that a [`Pareto`](crate::Pareto) front can be ordered by. A value that is not equal to itself (NaN) is never entered.
pub trait Rank: Filled + PartialOrd {}
impl<T: Filled + PartialOrd> Rank for T {}

/// Fibonacci hashing (Knuth, volume 3, 6.4), the high bits brought down because tables use the low ones.
#[inline(always)]
const fn spread(x: u64) -> u64 {
    let h = x.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    h ^ (h >> 32)
}

macro_rules! integers {
    ($($t:ty),*) => { $(
        impl Key for $t {
            #[inline(always)]
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_lossless, reason = "a hash")]
            fn spread(self) -> u64 {
                spread(self as u64)
            }
        }
    )* };
}
integers!(u8, u16, u32, u64, usize, i8, i16, i32, i64, isize);

macro_rules! wide {
    ($($t:ty),*) => { $(
        impl Key for $t {
            #[inline(always)]
            #[expect(clippy::cast_possible_truncation, reason = "a hash of both halves")]
            #[allow(clippy::cast_sign_loss, reason = "a hash")]
            fn spread(self) -> u64 {
                spread(self as u64 ^ spread((self >> 64) as u64))
            }
        }
    )* };
}
wide!(u128, i128);

impl Key for bool {
    #[inline(always)]
    fn spread(self) -> u64 {
        spread(u64::from(self))
    }
}

impl Key for char {
    #[inline(always)]
    fn spread(self) -> u64 {
        spread(u64::from(self))
    }
}

/// A float as a key: its bits, with -0.0 as 0.0, because they compare equal.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FloatKey(u64);
impl Eq for FloatKey {}

impl FloatKey {
    /// The key of a number; `None` for NaN, which is equal to nothing.
    #[inline(always)]
    #[must_use]
    pub fn new(value: f64) -> Option<Self> {
        if value.is_nan() {
            None
        } else if value == 0.0 {
            Some(FloatKey(0))
        } else {
            Some(FloatKey(value.to_bits()))
        }
    }
}

impl Filled for FloatKey {
    const FILL: Self = FloatKey(0);
}

impl Key for FloatKey {
    #[inline(always)]
    fn spread(self) -> u64 {
        // the low bits of a short fraction are all zero
        spread(self.0 ^ (self.0 >> 32))
    }
}

/// A value known only by its `Eq` and `Hash`: what `#[event(key)]` declares, texts.
#[derive(Clone, Copy, PartialEq)]
pub struct OpaqueKey<T>(Option<T>);
impl<T: Eq> Eq for OpaqueKey<T> {}

impl<T: Copy + Eq + Hash + 'static> OpaqueKey<T> {
    /// The key of a value.
    #[inline(always)]
    #[must_use]
    pub const fn new(value: T) -> Self {
        OpaqueKey(Some(value))
    }
}

impl<T: Copy + 'static> Filled for OpaqueKey<T> {
    const FILL: Self = OpaqueKey(None);
}

impl<T: Copy + Eq + Hash + 'static> Key for OpaqueKey<T> {
    #[inline]
    fn spread(self) -> u64 {
        let mut hasher = Spread(0);
        if let Some(value) = self.0 {
            value.hash(&mut hasher);
        }
        hasher.finish()
    }
}

/// A small hasher without a seed: machines are reproducible.
struct Spread(u64);

impl Hasher for Spread {
    #[inline]
    fn finish(&self) -> u64 {
        spread(self.0)
    }
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            for (to, from) in word.iter_mut().zip(chunk) {
                *to = *from;
            }
            self.write_u64(u64::from_le_bytes(word));
        }
    }
    #[inline]
    fn write_u8(&mut self, x: u8) {
        self.write_u64(u64::from(x));
    }
    #[inline]
    fn write_u32(&mut self, x: u32) {
        self.write_u64(u64::from(x));
    }
    #[inline]
    fn write_u64(&mut self, x: u64) {
        self.0 = (self.0.rotate_left(26) ^ x).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
    #[inline]
    fn write_usize(&mut self, x: usize) {
        self.write_u64(x as u64);
    }
}

macro_rules! tuples {
    ($($($name:ident)+;)*) => { $(
        impl<$($name: Filled),+> Filled for ($($name,)+) {
            const FILL: Self = ($($name::FILL,)+);
        }
        impl<$($name: Key),+> Key for ($($name,)+) {
            #[inline(always)]
            fn spread(self) -> u64 {
                #[allow(non_snake_case, reason = "named as their types")]
                let ($($name,)+) = self;
                let mut all = 0_u64;
                $(all = all.rotate_left(26) ^ $name.spread();)+
                spread(all)
            }
        }
        impl<$($name: Finite),+> Finite for ($($name,)+) {
            const SIZE: usize = 1 $(* $name::SIZE)+;
            #[inline(always)]
            fn index(self) -> usize {
                #[allow(non_snake_case, reason = "named as their types")]
                let ($($name,)+) = self;
                let mut all = 0;
                $(all = all * $name::SIZE + $name.index();)+
                all
            }
        }
    )* };
}
tuples! { A; A B; A B C; A B C D; }

impl Finite for bool {
    const SIZE: usize = 2;
    #[inline(always)]
    fn index(self) -> usize {
        usize::from(self)
    }
}

impl Finite for u8 {
    const SIZE: usize = 256;
    #[inline(always)]
    fn index(self) -> usize {
        usize::from(self)
    }
}

impl Finite for i8 {
    const SIZE: usize = 256;
    #[inline(always)]
    fn index(self) -> usize {
        usize::from(self.cast_unsigned())
    }
}

macro_rules! filled {
    ($($t:ty = $fill:expr),*) => { $(
        impl Filled for $t { const FILL: Self = $fill; }
    )* };
}
filled!(u8 = 0, u16 = 0, u32 = 0, u64 = 0, u128 = 0, usize = 0, i8 = 0, i16 = 0, i32 = 0, i64 = 0, i128 = 0);
filled!(isize = 0, f32 = 0.0, f64 = 0.0, bool = false, char = '\0');

/// A value known only by its `Ord`: what `#[event(ord)]` declares.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
pub struct OpaqueRank<T>(Option<T>);

impl<T: Copy + Ord + 'static> OpaqueRank<T> {
    /// The rank of a value.
    #[inline(always)]
    #[must_use]
    pub const fn new(value: T) -> Self {
        OpaqueRank(Some(value))
    }
}

impl<T: Copy + 'static> Filled for OpaqueRank<T> {
    const FILL: Self = OpaqueRank(None);
}

/// What is in an `Option`: how emitted code names the type of an attribute that may be NULL.
pub trait Optional {
    /// The type when it is not NULL.
    type Value;
}

impl<T> Optional for Option<T> {
    type Value = T;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_floats_are_one_key_and_nan_is_none() {
        assert_eq!(FloatKey::new(-0.0), FloatKey::new(0.0));
        assert_ne!(FloatKey::new(1.0), FloatKey::new(-1.0));
        assert_eq!(FloatKey::new(f64::NAN), None);
        assert_eq!(FloatKey::new(2.5).map(Key::spread), FloatKey::new(2.5).map(Key::spread));
    }

    #[test]
    fn small_keys_spread_over_the_low_bits() {
        for n in [8_u64, 64, 1024] {
            let mut hit = [false; 1024];
            for k in 0..n {
                hit[usize::try_from(k.spread() % n).unwrap_or(0)] = true;
            }
            let used = hit.iter().filter(|h| **h).count() as u64;
            assert!(used * 2 > n, "{used} of {n}");
        }
    }

    #[test]
    fn indices_of_tuples_are_distinct() {
        let all = [(false, false), (false, true), (true, false), (true, true)];
        assert_eq!(all.map(Finite::index), [0, 1, 2, 3]);
        assert_eq!((<(bool, i8)>::SIZE, (-1_i8).index()), (512, 255));
    }
}

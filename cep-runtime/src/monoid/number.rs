//! What numbers can do in a fold: the traits that the types of emitted code go through, implemented for the primitive numbers only.
use crate::Filled;
use core::marker::PhantomData;
use core::ops::{Add, Sub};

/// A number as a float, rounded to the nearest one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a number",
    label = "cannot be averaged",
    note = "aggregates of numbers take the primitive integers and floats"
)]
pub trait Number: Copy {
    /// The nearest `f64`.
    fn real(self) -> f64;
}

/// A sum so far.
pub trait Sums: Number {
    /// As a result.
    type Total: Copy;
    /// Of nothing.
    const ZERO: Self;
    /// Of both.
    #[must_use]
    fn plus(self, other: Self) -> Self;
    /// Without the other; exact where the summands are [`ExactSummand`]s.
    #[must_use]
    fn minus(self, other: Self) -> Self;
    /// As a result.
    fn total(self) -> Self::Total;
}

/// A number that can be summed. The sum is wider than the number: it cannot overflow within 2^32 values (64-bit integers: 2^63), and a
/// sum of 128-bit integers that is not one itself is NULL.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a number",
    label = "cannot be summed",
    note = "`sum` takes the primitive integers and floats"
)]
pub trait Summand: Number {
    /// The state of a sum: `i64` or `u64` of 8 to 32 bits, `i128` or `u128` of 64, [`Wide`] of 128, `f64` of floats. The result is of the same
    /// type, of 128 bits an `Option` of the number's.
    type Sum: Sums;
    /// Of one number.
    fn widen(self) -> Self::Sum;
}

/// A [`Summand`] whose sums are exact, so that a summand can be taken back.
pub trait ExactSummand: Summand + Filled {
    /// The number a sum of one is of.
    fn narrow(sum: Self::Sum) -> Self;
}

/// A number that can be multiplied.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a number",
    label = "cannot be multiplied",
    note = "`product` takes the primitive integers and floats"
)]
pub trait Factor: Number {
    /// The state of a product.
    type Product: Copy;
    /// The result: `Option` of itself of integers (NULL where the exact product is none), itself of floats.
    type Total: Copy;
    /// Of nothing.
    const ONE: Self::Product;
    /// Of one number.
    fn factor(self) -> Self::Product;
    /// Of both.
    fn times(a: Self::Product, b: Self::Product) -> Self::Product;
    /// As a result.
    fn total(product: Self::Product) -> Self::Total;
}

/// A value with an order: `min` and `max` of it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no order that `min` and `max` know",
    label = "cannot be compared",
    note = "`min` and `max` take the primitive numbers, `bool` and `char`"
)]
pub trait Ordered: Filled + PartialOrd {
    /// It is NaN, which beats everything in both directions.
    #[inline(always)]
    fn is_unordered(self) -> bool {
        #[expect(clippy::eq_op, reason = "NaN is not equal to itself")]
        let unordered = self != self;
        unordered
    }
}

/// An ordered number: `range` of it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a number",
    label = "has no range",
    note = "`range` takes the primitive integers and floats"
)]
pub trait Ranged: Ordered {
    /// `high - low`; `None` where that is no value of the type (`i8`: from -100 to 100).
    fn distance(low: Self, high: Self) -> Option<Self>;
}

/// An exact product: its sign, whether a factor was zero, and its magnitude without the zeros, `None` from where it does not fit. A magnitude
/// only grows, so that this, unlike `checked_mul`, does not depend on how the factors are grouped.
pub struct Magnitude<U> {
    zero: bool,
    negative: bool,
    magnitude: Option<U>,
}
copies!([U: Copy] Magnitude<U>);

macro_rules! integers {
    ($($t:ident, $unsigned:ident, $sum:ident, $bits:tt;)*) => { $(
        impl Number for $t {
            #[inline(always)]
            #[allow(clippy::cast_precision_loss, clippy::cast_lossless, reason = "one macro for all widths; the nearest float is meant")]
            fn real(self) -> f64 {
                self as f64
            }
        }
        integers!(@sum $t, $sum, $bits);
        impl Factor for $t {
            type Product = Magnitude<$unsigned>;
            type Total = Option<$t>;
            const ONE: Self::Product = Magnitude { zero: false, negative: false, magnitude: Some(1) };
            #[inline]
            #[allow(unused_comparisons, clippy::cast_sign_loss, reason = "one macro for signed and unsigned")]
            fn factor(self) -> Self::Product {
                let zero = self == 0;
                let size = if self < 0 { (self as $unsigned).wrapping_neg() } else { self as $unsigned };
                Magnitude { zero, negative: self < 0, magnitude: Some(if zero { 1 } else { size }) }
            }
            #[inline]
            fn times(a: Self::Product, b: Self::Product) -> Self::Product {
                let magnitude = match (a.magnitude, b.magnitude) {
                    (Some(a), Some(b)) => a.checked_mul(b),
                    _ => None,
                };
                Magnitude { zero: a.zero || b.zero, negative: a.negative != b.negative, magnitude }
            }
            #[inline]
            #[allow(clippy::cast_possible_wrap, reason = "checked right behind")]
            fn total(product: Self::Product) -> Option<$t> {
                if product.zero {
                    return Some(0);
                }
                let size = product.magnitude?;
                if product.negative {
                    // 128 has no positive counterpart in `i8`; 129 has no negative one
                    (size <= (<$t>::MIN as $unsigned)).then_some(size.wrapping_neg() as $t)
                } else {
                    <$t>::try_from(size).ok()
                }
            }
        }
        impl Ordered for $t {}
        impl Ranged for $t {
            #[inline(always)]
            fn distance(low: Self, high: Self) -> Option<Self> {
                high.checked_sub(low)
            }
        }
    )* };
    (@sum $t:ident, $sum:ident, 128) => {
        impl Summand for $t {
            type Sum = Wide<$t>;
            #[inline]
            #[allow(unused_comparisons, clippy::cast_sign_loss, reason = "one macro for signed and unsigned")]
            fn widen(self) -> Wide<$t> {
                Wide { high: if self < 0 { -1 } else { 0 }, low: self as u128, of: PhantomData }
            }
        }
        impl ExactSummand for $t {
            #[inline]
            #[allow(clippy::cast_possible_wrap, reason = "it was one number, whose bits these are")]
            fn narrow(sum: Wide<$t>) -> $t {
                sum.low as $t
            }
        }
    };
    (@sum $t:ident, $sum:ident, $bits:tt) => {
        impl Summand for $t {
            type Sum = $sum;
            #[inline(always)]
            #[allow(clippy::cast_lossless, reason = "`usize` has no `From`; never narrower")]
            fn widen(self) -> $sum {
                self as $sum
            }
        }
        impl ExactSummand for $t {
            #[inline(always)]
            #[allow(clippy::cast_possible_truncation, reason = "it was one number")]
            fn narrow(sum: $sum) -> $t {
                sum as $t
            }
        }
    };
}
integers! {
    u8, u8, u64, 8; u16, u16, u64, 16; u32, u32, u64, 32; u64, u64, u128, 64; usize, usize, u128, 64; u128, u128, u128, 128;
    i8, u8, i64, 8; i16, u16, i64, 16; i32, u32, i64, 32; i64, u64, i128, 64; isize, usize, i128, 64; i128, u128, i128, 128;
}

macro_rules! sums {
    ($($t:ident, $plus:ident, $minus:ident;)*) => { $(
        impl Sums for $t {
            type Total = $t;
            const ZERO: $t = 0 as $t;
            #[inline(always)]
            fn plus(self, other: $t) -> $t {
                self.$plus(other)
            }
            #[inline(always)]
            fn minus(self, other: $t) -> $t {
                self.$minus(other)
            }
            #[inline(always)]
            fn total(self) -> $t {
                self
            }
        }
    )* };
}
sums! {
    u64, wrapping_add, wrapping_sub; u128, wrapping_add, wrapping_sub;
    i64, wrapping_add, wrapping_sub; i128, wrapping_add, wrapping_sub;
    f64, add, sub;
}

/// The sum of 128-bit integers: the high and the low word of a 192-bit one.
pub struct Wide<T> {
    high: i64,
    low: u128,
    of: PhantomData<T>,
}
copies!([T: Copy] Wide<T>);

impl<T: Copy> Number for Wide<T> {
    #[inline]
    #[allow(clippy::cast_precision_loss, reason = "the nearest float is meant")]
    fn real(self) -> f64 {
        // two words of opposite signs would cancel
        match self.high {
            0 => self.low as f64,
            -1 if self.low != 0 => -(self.low.wrapping_neg() as f64),
            high => high as f64 * 340_282_366_920_938_463_463_374_607_431_768_211_456.0 + self.low as f64,
        }
    }
}

impl<T: ExactSummand<Sum = Self>> Sums for Wide<T> {
    type Total = Option<T>;
    const ZERO: Self = Wide { high: 0, low: 0, of: PhantomData };
    #[inline]
    fn plus(self, other: Self) -> Self {
        let (low, carry) = self.low.overflowing_add(other.low);
        Wide { high: self.high.wrapping_add(other.high).wrapping_add(i64::from(carry)), low, ..self }
    }
    #[inline]
    fn minus(self, other: Self) -> Self {
        let (low, borrow) = self.low.overflowing_sub(other.low);
        Wide { high: self.high.wrapping_sub(other.high).wrapping_sub(i64::from(borrow)), low, ..self }
    }
    #[inline]
    fn total(self) -> Option<T> {
        let value = T::narrow(self);
        let again = value.widen();
        (again.high == self.high && again.low == self.low).then_some(value)
    }
}

macro_rules! floats {
    ($($t:ident),*) => { $(
        impl Number for $t {
            #[inline(always)]
            fn real(self) -> f64 {
                f64::from(self)
            }
        }
        impl Summand for $t {
            type Sum = f64;
            #[inline(always)]
            fn widen(self) -> f64 {
                f64::from(self)
            }
        }
        impl Factor for $t {
            type Product = $t;
            type Total = $t;
            const ONE: $t = 1.0;
            #[inline(always)]
            fn factor(self) -> $t {
                self
            }
            #[inline(always)]
            fn times(a: $t, b: $t) -> $t {
                a * b
            }
            #[inline(always)]
            fn total(product: $t) -> $t {
                product
            }
        }
        impl Ordered for $t {}
        impl Ranged for $t {
            #[inline(always)]
            fn distance(low: Self, high: Self) -> Option<Self> {
                Some(high - low)
            }
        }
    )* };
}
floats!(f32, f64);

impl Ordered for bool {}
impl Ordered for char {}

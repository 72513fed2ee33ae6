//! What numbers can do in a fold: the traits that the types of emitted code go through, implemented for the primitive numbers only.
use core::fmt::Debug;

/// A number as a float, rounded to the nearest one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a number",
    label = "cannot be averaged",
    note = "aggregates of numbers take the primitive integers and floats"
)]
pub trait Number: Copy + Debug {
    /// The nearest `f64`.
    fn real(self) -> f64;
}

/// A number that can be summed. The sum is wider than the number: it cannot overflow within 2^32 values (64-bit integers: 2^63), and a
/// sum of 128-bit integers that is not one itself is NULL.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a number",
    label = "cannot be summed",
    note = "`sum` takes the primitive integers and floats"
)]
pub trait Summand: Number {
    /// The state of a sum.
    type Sum: Copy + PartialEq + Debug;
    /// The result: `i64` or `u64` of 8 to 32 bits, `i128` or `u128` of 64, `Option` of itself of 128, `f64` of floats.
    type Total: Copy + PartialEq + Debug;
    /// Of nothing.
    const ZERO: Self::Sum;
    /// Of one number.
    fn widen(self) -> Self::Sum;
    /// Of both.
    fn plus(a: Self::Sum, b: Self::Sum) -> Self::Sum;
    /// As a result.
    fn total(sum: Self::Sum) -> Self::Total;
    /// As the nearest float.
    fn real_of(sum: Self::Sum) -> f64;
}

/// A [`Summand`] whose sums are exact, so that a summand can be taken back.
pub trait ExactSummand: Summand {
    /// `a` without `b`.
    fn minus(a: Self::Sum, b: Self::Sum) -> Self::Sum;
    /// Of no number.
    const NOTHING: Self;
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
    type Product: Copy + PartialEq + Debug;
    /// The result: `Option` of itself of integers (NULL where the exact product is none), itself of floats.
    type Total: Copy + PartialEq + Debug;
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
pub trait Ordered: Copy + PartialOrd + Debug {
    /// It is NaN, which beats everything in both directions.
    fn is_unordered(self) -> bool;
    /// Any value.
    const ANY: Self;
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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Magnitude<U> {
    zero: bool,
    negative: bool,
    magnitude: Option<U>,
}

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
        impl Ordered for $t {
            const ANY: $t = 0;
            #[inline(always)]
            fn is_unordered(self) -> bool {
                false
            }
        }
        impl Ranged for $t {
            #[inline(always)]
            fn distance(low: Self, high: Self) -> Option<Self> {
                high.checked_sub(low)
            }
        }
    )* };
    (@sum $t:ident, $sum:ident, 128) => {
        impl Summand for $t {
            // the high and the low word of a 192-bit integer
            type Sum = (i64, u128);
            type Total = Option<$t>;
            const ZERO: Self::Sum = (0, 0);
            #[inline]
            #[allow(unused_comparisons, clippy::cast_sign_loss, reason = "one macro for signed and unsigned")]
            fn widen(self) -> Self::Sum {
                (if self < 0 { -1 } else { 0 }, self as u128)
            }
            #[inline]
            fn plus(a: Self::Sum, b: Self::Sum) -> Self::Sum {
                let (low, carry) = a.1.overflowing_add(b.1);
                (a.0.wrapping_add(b.0).wrapping_add(i64::from(carry)), low)
            }
            #[inline]
            #[allow(unused_comparisons, clippy::cast_possible_wrap, reason = "compared right behind")]
            fn total(sum: Self::Sum) -> Option<$t> {
                let value = sum.1 as $t;
                (value.widen() == sum).then_some(value)
            }
            #[inline]
            #[allow(clippy::cast_precision_loss, reason = "the nearest float is meant")]
            fn real_of(sum: Self::Sum) -> f64 {
                // two words of opposite signs would cancel
                match sum.0 {
                    0 => sum.1 as f64,
                    -1 if sum.1 != 0 => -(sum.1.wrapping_neg() as f64),
                    high => high as f64 * 340_282_366_920_938_463_463_374_607_431_768_211_456.0 + sum.1 as f64,
                }
            }
        }
        impl ExactSummand for $t {
            #[inline]
            fn minus(a: Self::Sum, b: Self::Sum) -> Self::Sum {
                let (low, borrow) = a.1.overflowing_sub(b.1);
                (a.0.wrapping_sub(b.0).wrapping_sub(i64::from(borrow)), low)
            }
            const NOTHING: $t = 0;
            #[inline]
            #[allow(clippy::cast_possible_wrap, reason = "it was one number, whose bits these are")]
            fn narrow(sum: Self::Sum) -> $t {
                sum.1 as $t
            }
        }
    };
    (@sum $t:ident, $sum:ident, $bits:tt) => {
        impl Summand for $t {
            type Sum = $sum;
            type Total = $sum;
            const ZERO: $sum = 0;
            #[inline(always)]
            #[allow(clippy::cast_lossless, reason = "`usize` has no `From`; never narrower")]
            fn widen(self) -> $sum {
                self as $sum
            }
            #[inline(always)]
            fn plus(a: $sum, b: $sum) -> $sum {
                a.wrapping_add(b)
            }
            #[inline(always)]
            fn total(sum: $sum) -> $sum {
                sum
            }
            #[inline(always)]
            #[allow(clippy::cast_precision_loss, reason = "the nearest float is meant")]
            fn real_of(sum: $sum) -> f64 {
                sum as f64
            }
        }
        impl ExactSummand for $t {
            #[inline(always)]
            fn minus(a: $sum, b: $sum) -> $sum {
                a.wrapping_sub(b)
            }
            const NOTHING: $t = 0;
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
            type Total = f64;
            const ZERO: f64 = 0.0;
            #[inline(always)]
            fn widen(self) -> f64 {
                f64::from(self)
            }
            #[inline(always)]
            fn plus(a: f64, b: f64) -> f64 {
                a + b
            }
            #[inline(always)]
            fn total(sum: f64) -> f64 {
                sum
            }
            #[inline(always)]
            fn real_of(sum: f64) -> f64 {
                sum
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
        impl Ordered for $t {
            const ANY: $t = 0.0;
            #[inline(always)]
            fn is_unordered(self) -> bool {
                self.is_nan()
            }
        }
        impl Ranged for $t {
            #[inline(always)]
            fn distance(low: Self, high: Self) -> Option<Self> {
                Some(high - low)
            }
        }
    )* };
}
floats!(f32, f64);

macro_rules! ordered {
    ($($t:ident, $any:literal;)*) => { $(
        impl Ordered for $t {
            const ANY: $t = $any;
            #[inline(always)]
            fn is_unordered(self) -> bool {
                false
            }
        }
    )* };
}
ordered! { bool, false; char, '\0'; }

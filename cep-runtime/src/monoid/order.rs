//! `min`, `max`, `range`, `first`, `last`, `any`, `every`.
use super::{Group, Held, Monoid, Ordered, Ranged, Selective};

/// The smallest value; NaN where there is one. Of equal ones (`0.0` and `-0.0`) the oldest. Of nothing: `None`.
pub struct Min<T>(Option<T>);
copies!([T: Copy] Min<T>);

/// The largest value; NaN where there is one. Of equal ones (`0.0` and `-0.0`) the oldest. Of nothing: `None`.
pub struct Max<T>(Option<T>);
copies!([T: Copy] Max<T>);

macro_rules! extremes {
    ($($name:ident, $beats:tt;)*) => { $(
        impl<T: Ordered> Monoid for $name<T> {
            type Input = T;
            type Output = Option<T>;
            const IDENTITY: Self = $name(None);
            #[inline(always)]
            fn lift(value: T) -> Self {
                $name(Some(value))
            }
            #[inline(always)]
            fn combine(&self, newer: &Self) -> Self {
                match (self.0, newer.0) {
                    (Some(a), Some(b)) => {
                        // the older one stays if it is NaN, the newer one wins if it is
                        let newer = (b $beats a || b.is_unordered()) && !a.is_unordered();
                        $name(Some(if newer { b } else { a }))
                    }
                    (None, b) => $name(b),
                    (a, None) => $name(a),
                }
            }
            #[inline(always)]
            fn lower(&self) -> Option<T> {
                self.0
            }
        }
        impl<T: Ordered> Selective for $name<T> {}
        impl<T: Ordered> Held for $name<T> {
            type Slot = T;
            const FILL: T = T::FILL;
            #[inline(always)]
            fn slot(&self) -> T {
                match self.0 {
                    Some(value) => value,
                    None => T::FILL,
                }
            }
            #[inline(always)]
            fn of_slot(slot: T) -> Self {
                $name(Some(slot))
            }
        }
    )* };
}
extremes! { Min, <; Max, >; }

/// The largest minus the smallest value. Of nothing, and where the difference is no value of the type: `None`.
pub struct Range<T> {
    low: Min<T>,
    high: Max<T>,
}
copies!([T: Copy] Range<T>);

impl<T: Ranged> Monoid for Range<T> {
    type Input = T;
    type Output = Option<T>;
    const IDENTITY: Self = Range { low: Min(None), high: Max(None) };
    #[inline(always)]
    fn lift(value: T) -> Self {
        Range { low: Min::lift(value), high: Max::lift(value) }
    }
    #[inline(always)]
    fn combine(&self, newer: &Self) -> Self {
        Range { low: self.low.combine(&newer.low), high: self.high.combine(&newer.high) }
    }
    #[inline]
    fn lower(&self) -> Option<T> {
        match (self.low.0, self.high.0) {
            (Some(low), Some(high)) => T::distance(low, high),
            _ => None,
        }
    }
}

impl<T: Ranged> Held for Range<T> {
    type Slot = (T, T);
    const FILL: (T, T) = (T::FILL, T::FILL);
    #[inline(always)]
    fn slot(&self) -> (T, T) {
        (self.low.slot(), self.high.slot())
    }
    #[inline(always)]
    fn of_slot((low, high): (T, T)) -> Self {
        Range { low: Min::of_slot(low), high: Max::of_slot(high) }
    }
}

/// The oldest value, of any `Copy` type. Of nothing: `None`.
pub struct First<T>(Option<T>);
copies!([T: Copy] First<T>);

/// The newest value, of any `Copy` type. Of nothing: `None`.
pub struct Last<T>(Option<T>);
copies!([T: Copy] Last<T>);

impl<T: Copy> Monoid for First<T> {
    type Input = T;
    type Output = Option<T>;
    const IDENTITY: Self = First(None);
    #[inline(always)]
    fn lift(value: T) -> Self {
        First(Some(value))
    }
    #[inline(always)]
    fn combine(&self, newer: &Self) -> Self {
        First(self.0.or(newer.0))
    }
    #[inline(always)]
    fn lower(&self) -> Option<T> {
        self.0
    }
}
impl<T: Copy> Selective for First<T> {}

impl<T: Copy> Monoid for Last<T> {
    type Input = T;
    type Output = Option<T>;
    const IDENTITY: Self = Last(None);
    #[inline(always)]
    fn lift(value: T) -> Self {
        Last(Some(value))
    }
    #[inline(always)]
    fn combine(&self, newer: &Self) -> Self {
        Last(newer.0.or(self.0))
    }
    #[inline(always)]
    fn lower(&self) -> Option<T> {
        self.0
    }
}
impl<T: Copy> Selective for Last<T> {}

/// At least one value is true. A count of the true ones, so that one can be taken back.
#[derive(Clone, Copy)]
pub struct Any(u64);

/// No value is false. A count of the false ones, so that one can be taken back.
#[derive(Clone, Copy)]
pub struct Every(u64);

macro_rules! flags {
    ($($name:ident, $counted:literal;)*) => { $(
        impl Monoid for $name {
            type Input = bool;
            type Output = bool;
            const IDENTITY: Self = $name(0);
            #[inline(always)]
            fn lift(value: bool) -> Self {
                $name(u64::from(value == $counted))
            }
            #[inline(always)]
            fn combine(&self, newer: &Self) -> Self {
                $name(self.0.wrapping_add(newer.0))
            }
            #[inline(always)]
            fn lower(&self) -> bool {
                (self.0 > 0) == $counted
            }
        }
        impl Group for $name {
            type Kept = bool;
            const NOTHING: bool = false;
            #[inline(always)]
            fn kept(&self) -> bool {
                self.0 > 0
            }
            #[inline(always)]
            fn back(kept: bool) -> Self {
                $name(kept.into())
            }
            #[inline(always)]
            fn without(&self, oldest: &Self) -> Self {
                $name(self.0.wrapping_sub(oldest.0))
            }
        }
    )* };
}
flags! { Any, true; Every, false; }

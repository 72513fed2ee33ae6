//! `count`, `sum`, `avg`, `product`.
use super::{ExactSummand, Factor, Group, Monoid, Number, Summand, Sums};
use core::marker::PhantomData;

/// How many values, whatever they are.
pub struct Count<T = ()>(u64, PhantomData<fn(T)>);
copies!([T] Count<T>);

impl<T> Monoid for Count<T> {
    type Input = T;
    type Output = u64;
    const IDENTITY: Self = Count(0, PhantomData);
    #[inline(always)]
    fn lift(_: T) -> Self {
        Count(1, PhantomData)
    }
    #[inline(always)]
    fn combine(&self, newer: &Self) -> Self {
        Count(self.0.wrapping_add(newer.0), PhantomData)
    }
    #[inline(always)]
    fn lower(&self) -> u64 {
        self.0
    }
}
impl<T> Group for Count<T> {
    type Kept = bool;
    const NOTHING: bool = false;
    #[inline(always)]
    fn kept(&self) -> bool {
        self.0 > 0
    }
    #[inline(always)]
    fn back(kept: bool) -> Self {
        Count(kept.into(), PhantomData)
    }
    #[inline(always)]
    fn without(&self, oldest: &Self) -> Self {
        Count(self.0.wrapping_sub(oldest.0), PhantomData)
    }
}

/// The sum, wider than its summands.
pub struct Sum<T: Summand>(T::Sum);
copies!([T: Summand] Sum<T>);

impl<T: Summand> Monoid for Sum<T> {
    type Input = T;
    type Output = <T::Sum as Sums>::Total;
    const IDENTITY: Self = Sum(Sums::ZERO);
    #[inline(always)]
    fn lift(value: T) -> Self {
        Sum(value.widen())
    }
    #[inline(always)]
    fn combine(&self, newer: &Self) -> Self {
        Sum(self.0.plus(newer.0))
    }
    #[inline(always)]
    fn lower(&self) -> Self::Output {
        self.0.total()
    }
}
impl<T: ExactSummand> Group for Sum<T> {
    type Kept = T;
    const NOTHING: T = T::FILL;
    #[inline(always)]
    fn kept(&self) -> T {
        T::narrow(self.0)
    }
    #[inline(always)]
    fn back(kept: T) -> Self {
        Sum(kept.widen())
    }
    #[inline(always)]
    fn without(&self, oldest: &Self) -> Self {
        Sum(self.0.minus(oldest.0))
    }
}

/// The arithmetic mean: the exact sum of integers, or the sum of floats, over their number. Of nothing: `None`.
pub struct Avg<T: Summand> {
    sum: T::Sum,
    count: u64,
}
copies!([T: Summand] Avg<T>);

impl<T: Summand> Monoid for Avg<T> {
    type Input = T;
    type Output = Option<f64>;
    const IDENTITY: Self = Avg { sum: Sums::ZERO, count: 0 };
    #[inline(always)]
    fn lift(value: T) -> Self {
        Avg { sum: value.widen(), count: 1 }
    }
    #[inline(always)]
    fn combine(&self, newer: &Self) -> Self {
        Avg { sum: self.sum.plus(newer.sum), count: self.count.wrapping_add(newer.count) }
    }
    #[inline]
    #[allow(clippy::cast_precision_loss, reason = "exact below 2^53 values")]
    fn lower(&self) -> Option<f64> {
        if self.count == 0 { None } else { Some(self.sum.real() / self.count as f64) }
    }
}
impl<T: ExactSummand> Group for Avg<T> {
    type Kept = (T, bool);
    const NOTHING: (T, bool) = (T::FILL, false);
    #[inline(always)]
    fn kept(&self) -> (T, bool) {
        (T::narrow(self.sum), self.count > 0)
    }
    #[inline(always)]
    fn back((value, some): (T, bool)) -> Self {
        Avg { sum: value.widen(), count: some.into() }
    }
    #[inline(always)]
    fn without(&self, oldest: &Self) -> Self {
        Avg { sum: self.sum.minus(oldest.sum), count: self.count.wrapping_sub(oldest.count) }
    }
}

/// The product in the type of its factors. Of integers it is NULL exactly where the true product is no value of that type, in whatever
/// order the factors came.
pub struct Product<T: Factor>(T::Product);
copies!([T: Factor] Product<T>);

impl<T: Factor> Monoid for Product<T> {
    type Input = T;
    type Output = T::Total;
    const IDENTITY: Self = Product(T::ONE);
    #[inline(always)]
    fn lift(value: T) -> Self {
        Product(value.factor())
    }
    #[inline(always)]
    fn combine(&self, newer: &Self) -> Self {
        Product(T::times(self.0, newer.0))
    }
    #[inline(always)]
    fn lower(&self) -> T::Total {
        T::total(self.0)
    }
}

//! NULL: values that may be missing.
use super::{Group, Monoid, Selective};

/// An attribute that may be NULL: only `Option`. Emitted code names the type inside by it.
pub trait Nullable {
    /// The type of a value that is there.
    type Value;
    /// The value, if it is there.
    fn value(self) -> Option<Self::Value>;
}

impl<T> Nullable for Option<T> {
    type Value = T;
    #[inline(always)]
    fn value(self) -> Option<T> {
        self
    }
}

/// NULL absorbs: one missing value makes the result NULL. For monoids whose own result is never NULL.
///
/// The missing values are counted, so that a NULL that leaves a sliding window is gone.
pub struct Absorb<M> {
    inner: M,
    nulls: u64,
}
copies!([M: Copy] Absorb<M>);

/// [`Absorb`] for monoids whose result is an `Option` already.
pub struct AbsorbFlat<M>(Absorb<M>);
copies!([M: Copy] AbsorbFlat<M>);

/// NULL is skipped: the fold of the values that are there (`sum_some`, …).
pub struct Skip<M>(M);
copies!([M: Copy] Skip<M>);

impl<M: Monoid> Monoid for Absorb<M> {
    type Input = Option<M::Input>;
    type Output = Option<M::Output>;
    const IDENTITY: Self = Absorb { inner: M::IDENTITY, nulls: 0 };
    #[inline]
    fn lift(value: Option<M::Input>) -> Self {
        match value {
            Some(value) => Absorb { inner: M::lift(value), nulls: 0 },
            None => Absorb { inner: M::IDENTITY, nulls: 1 },
        }
    }
    #[inline]
    fn combine(&self, newer: &Self) -> Self {
        Absorb { inner: self.inner.combine(&newer.inner), nulls: self.nulls.wrapping_add(newer.nulls) }
    }
    #[inline]
    fn lower(&self) -> Option<M::Output> {
        if self.nulls == 0 { Some(self.inner.lower()) } else { None }
    }
}
impl<M: Group> Group for Absorb<M> {
    type Kept = (M::Kept, bool);
    const NOTHING: Self::Kept = (M::NOTHING, false);
    #[inline]
    fn kept(&self) -> Self::Kept {
        (self.inner.kept(), self.nulls > 0)
    }
    #[inline]
    fn back((kept, null): Self::Kept) -> Self {
        Absorb { inner: M::back(kept), nulls: null.into() }
    }
    #[inline]
    fn without(&self, oldest: &Self) -> Self {
        Absorb { inner: self.inner.without(&oldest.inner), nulls: self.nulls.wrapping_sub(oldest.nulls) }
    }
}

impl<R, M: Monoid<Output = Option<R>>> Monoid for AbsorbFlat<M> {
    type Input = Option<M::Input>;
    type Output = Option<R>;
    const IDENTITY: Self = AbsorbFlat(Absorb::IDENTITY);
    #[inline]
    fn lift(value: Option<M::Input>) -> Self {
        AbsorbFlat(Absorb::lift(value))
    }
    #[inline]
    fn combine(&self, newer: &Self) -> Self {
        AbsorbFlat(self.0.combine(&newer.0))
    }
    #[inline]
    fn lower(&self) -> Option<R> {
        self.0.lower().flatten()
    }
}
impl<R, M: Group<Output = Option<R>>> Group for AbsorbFlat<M> {
    type Kept = <Absorb<M> as Group>::Kept;
    const NOTHING: Self::Kept = <Absorb<M> as Group>::NOTHING;
    #[inline]
    fn kept(&self) -> Self::Kept {
        self.0.kept()
    }
    #[inline]
    fn back(kept: Self::Kept) -> Self {
        AbsorbFlat(Absorb::back(kept))
    }
    #[inline]
    fn without(&self, oldest: &Self) -> Self {
        AbsorbFlat(self.0.without(&oldest.0))
    }
}

impl<M: Monoid> Monoid for Skip<M> {
    type Input = Option<M::Input>;
    type Output = M::Output;
    const IDENTITY: Self = Skip(M::IDENTITY);
    #[inline]
    fn lift(value: Option<M::Input>) -> Self {
        Skip(match value {
            Some(value) => M::lift(value),
            None => M::IDENTITY,
        })
    }
    #[inline]
    fn combine(&self, newer: &Self) -> Self {
        Skip(self.0.combine(&newer.0))
    }
    #[inline]
    fn lower(&self) -> M::Output {
        self.0.lower()
    }
}
impl<M: Group> Group for Skip<M> {
    type Kept = M::Kept;
    const NOTHING: M::Kept = M::NOTHING;
    #[inline]
    fn kept(&self) -> M::Kept {
        self.0.kept()
    }
    #[inline]
    fn back(kept: M::Kept) -> Self {
        Skip(M::back(kept))
    }
    #[inline]
    fn without(&self, oldest: &Self) -> Self {
        Skip(self.0.without(&oldest.0))
    }
}
// a skipped value is the identity, which combining with leaves the other argument
impl<M: Selective> Selective for Skip<M> {}

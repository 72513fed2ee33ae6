//! Two folds at once.
use super::{Group, Held, Monoid};

/// Folds pairs of values side by side; nested, any number of them: `Pair<Sum<i32>, Pair<Max<i32>, Count>>`.
pub struct Pair<A, B>(pub A, pub B);
copies!([A: Copy, B: Copy] Pair<A, B>);

impl<A: Monoid, B: Monoid> Monoid for Pair<A, B> {
    type Input = (A::Input, B::Input);
    type Output = (A::Output, B::Output);
    const IDENTITY: Self = Pair(A::IDENTITY, B::IDENTITY);
    #[inline(always)]
    fn lift((a, b): (A::Input, B::Input)) -> Self {
        Pair(A::lift(a), B::lift(b))
    }
    #[inline(always)]
    fn combine(&self, newer: &Self) -> Self {
        Pair(self.0.combine(&newer.0), self.1.combine(&newer.1))
    }
    #[inline(always)]
    fn lower(&self) -> (A::Output, B::Output) {
        (self.0.lower(), self.1.lower())
    }
}
impl<A: Group, B: Group> Group for Pair<A, B> {
    type Kept = (A::Kept, B::Kept);
    const NOTHING: Self::Kept = (A::NOTHING, B::NOTHING);
    #[inline(always)]
    fn kept(&self) -> Self::Kept {
        (self.0.kept(), self.1.kept())
    }
    #[inline(always)]
    fn back((a, b): Self::Kept) -> Self {
        Pair(A::back(a), B::back(b))
    }
    #[inline(always)]
    fn without(&self, oldest: &Self) -> Self {
        Pair(self.0.without(&oldest.0), self.1.without(&oldest.1))
    }
}
impl<A: Held, B: Held> Held for Pair<A, B> {
    type Slot = (A::Slot, B::Slot);
    const FILL: Self::Slot = (A::FILL, B::FILL);
    #[inline(always)]
    fn slot(&self) -> Self::Slot {
        (self.0.slot(), self.1.slot())
    }
    #[inline(always)]
    fn of_slot((a, b): Self::Slot) -> Self {
        Pair(A::of_slot(a), B::of_slot(b))
    }
}

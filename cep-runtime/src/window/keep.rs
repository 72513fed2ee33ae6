//! How the kernels keep states: as they are, or as small as what is known of them allows.
use crate::{Group, Held, Monoid};

/// How states stand in a ring until they are needed again.
pub trait Keep<M> {
    /// One of them.
    type Slot: Copy + 'static;
    /// The identity, where it can be kept at all.
    const NOTHING: Self::Slot;
    /// A state, as it is kept.
    fn keep(state: &M) -> Self::Slot;
    /// The state it was.
    fn back(slot: Self::Slot) -> M;
}

/// Any states, of panes too, as they are.
#[derive(Clone, Copy)]
pub enum States {}

/// States of one value each, as small as [`Group::Kept`] makes them: a sum over `i32` takes 4 bytes for each value instead of 8, and a long
/// window as much less of the cache.
#[derive(Clone, Copy)]
pub enum Values {}

impl<M: Monoid + 'static> Keep<M> for States {
    type Slot = M;
    const NOTHING: M = M::IDENTITY;
    #[inline(always)]
    fn keep(state: &M) -> M {
        *state
    }
    #[inline(always)]
    fn back(slot: M) -> M {
        slot
    }
}

impl<M: Group> Keep<M> for Values {
    type Slot = M::Kept;
    const NOTHING: M::Kept = M::NOTHING;
    #[inline(always)]
    fn keep(state: &M) -> M::Kept {
        state.kept()
    }
    #[inline(always)]
    fn back(slot: M::Kept) -> M {
        M::back(slot)
    }
}

/// States of at least one value each, for kernels that only fill the ring with [`NOTHING`](Keep::NOTHING): a maximum over `i64` takes 8 bytes
/// instead of 16.
#[derive(Clone, Copy)]
pub enum Folds {}

impl<M: Held> Keep<M> for Folds {
    type Slot = M::Slot;
    const NOTHING: M::Slot = M::FILL;
    #[inline(always)]
    fn keep(state: &M) -> M::Slot {
        state.slot()
    }
    #[inline(always)]
    fn back(slot: M::Slot) -> M {
        M::of_slot(slot)
    }
}

//! What an element does: said by time and the conditions, before anything changes.
use super::{Condition, Open, Settings, Windows};
use crate::storage::Storage;
use crate::{Clock, Monoid, PushError};
use core::hash::Hash;

/// What an element does, as the conditions say before anything changes.
#[allow(clippy::struct_excessive_bools, reason = "each is what one condition says")]
pub(super) struct Verdict {
    /// The place of its key.
    pub(super) found: Option<usize>,
    /// Time closes the window of its key before it comes.
    pub(super) due: bool,
    /// The window of its key is open when it comes, and not cleared by it.
    pub(super) open: bool,
    /// It clears that window.
    pub(super) clears: bool,
    pub(super) starts: bool,
    pub(super) ends: bool,
    /// An output leaves the window as it is.
    pub(super) stays: bool,
    /// It opens a window.
    pub(super) opens: bool,
}

impl<E, K, M, T, const N: usize, const MOST: usize, const H: usize, S: Storage>
    Windows<E, K, M, T, N, MOST, H, S>
where
    E: Copy,
    K: Copy + Eq + Hash,
    M: Monoid,
    T: Clock<Span = u64>,
{
    /// What the conditions say of an element; nothing changes.
    #[inline(always)]
    pub(super) fn verdict(
        &self,
        settings: &Settings,
        key: &K,
        time: T,
        holds: &impl Fn(Condition, Open<'_, E>) -> bool,
    ) -> Result<Verdict, PushError> {
        if self.is_late(time) {
            return Err(PushError::OutOfOrder);
        }
        let found = self.keys.find(key);
        let (mut due, mut open) = (false, false);
        if let Some(p) = found
            && self.keys.value(p).len > 0
        {
            due = self.is_due(settings, p, time);
            open = !due;
        }
        let clears = settings.clear && open && holds(Condition::Clear, self.view(found, true));
        // what the other conditions see of a window that is cleared is nothing
        open &= !clears;
        let starts = holds(Condition::Start, self.view(found, open));
        let ends = open && holds(Condition::End, self.view(found, open));
        let stays = settings.advance.is_some() || settings.clear;
        let opens = !open && starts || ends && starts && !settings.one_role;
        Ok(Verdict { found, due, open, clears, starts, ends, stays, opens })
    }

    /// What conditions see of a key; of its window nothing unless that is `open`.
    #[inline(always)]
    pub(super) fn view(&self, place: Option<usize>, open: bool) -> Open<'_, E> {
        let Some(place) = place else { return Open { first: None, last: None, prev: None, len: None } };
        let (seen, len) = (&self.seen[place], self.keys.value(place).len);
        let prev = seen.prev.as_ref();
        if open && len > 0 {
            Open { first: seen.first.as_ref(), last: seen.last.as_ref(), prev, len: Some(len) }
        } else {
            Open { first: None, last: None, prev, len: None }
        }
    }

    /// A window is open for too long at `time`.
    #[inline(always)]
    pub(super) fn is_too_long(&self, settings: &Settings, place: usize, time: T) -> bool {
        match (settings.max, self.keys.value(place).times) {
            (Some(span), Some((began, _))) => !T::within(began, time, span - 1),
            _ => false,
        }
    }

    /// A window is quiet for too long at `time`.
    #[inline(always)]
    pub(super) fn is_too_quiet(&self, settings: &Settings, place: usize, time: T) -> bool {
        match (settings.idle, self.keys.value(place).times) {
            (Some(span), Some((_, last))) => !T::within(last, time, span - 1),
            _ => false,
        }
    }

    /// Time closes a window.
    #[inline(always)]
    pub(super) fn is_due(&self, settings: &Settings, place: usize, time: T) -> bool {
        self.is_too_long(settings, place, time) || self.is_too_quiet(settings, place, time)
    }
}

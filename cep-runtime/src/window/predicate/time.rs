//! Time that passes without an element: `advance_to`, `heartbeat`, `finish`, and events of other types.
use super::Windows;
use super::parts::{Reason, Settings};
use crate::storage::Storage;
use crate::{Clock, Monoid, PushError};
use core::hash::Hash;

impl<E, K, M, T, const N: usize, const MOST: usize, const H: usize, S: Storage>
    Windows<E, K, M, T, N, MOST, H, S>
where
    E: Copy,
    K: Copy + Eq + Hash,
    M: Monoid,
    T: Clock<Span = u64>,
{
    /// Time is `time`, and nothing earlier follows: what is due closes. Nothing where it is before now.
    pub fn advance_to(&mut self, settings: &Settings, time: T, lift: impl Fn(&E) -> M) {
        self.moves_on(settings, time, &lift);
    }

    /// What came out and was not asked for goes, and time moves on to `time` if that is not before now: whether it is not.
    fn moves_on(&mut self, settings: &Settings, time: T, lift: &impl Fn(&E) -> M) -> bool {
        self.drop_ready();
        if self.is_late(time) {
            return false;
        }
        self.now = Some(time);
        self.expire(settings, time, lift);
        true
    }

    /// Nothing may come at `time` any more: it is before now, is no time, or the stream was finished.
    #[inline(always)]
    pub(super) fn is_late(&self, time: T) -> bool {
        if self.finished || !time.is_time() {
            return true;
        }
        match self.now {
            Some(now) => time < now,
            None => false,
        }
    }

    /// Whether an event that is no element of the stream may come, for its time if it has one.
    ///
    /// # Errors
    /// `OutOfOrder` where that is before now, or the stream was finished.
    pub fn beside(&self, time: Option<T>) -> Result<(), PushError> {
        let late = match time {
            Some(time) => self.is_late(time),
            None => self.finished,
        };
        if late { Err(PushError::OutOfOrder) } else { Ok(()) }
    }

    /// An event that is no element of the stream comes: what is due by its time closes.
    ///
    /// # Errors
    /// As [`beside`](Self::beside).
    pub fn pass(
        &mut self,
        settings: &Settings,
        time: Option<T>,
        lift: impl Fn(&E) -> M,
    ) -> Result<(), PushError> {
        self.beside(time)?;
        match time {
            Some(time) => self.advance_to(settings, time, lift),
            None => self.drop_ready(),
        }
        Ok(())
    }

    /// A heartbeat: as [`advance_to`](Self::advance_to), and where the window says so every open window closes.
    pub fn heartbeat(&mut self, settings: &Settings, time: T, lift: impl Fn(&E) -> M) {
        if self.moves_on(settings, time, &lift) && settings.heartbeat {
            self.close_all(settings, time, Reason::Heartbeat, &lift);
        }
    }

    /// The end of the stream: all open windows close one tick after the last time, if the window says so, and nothing waits any more.
    pub fn finish(&mut self, settings: &Settings, lift: impl Fn(&E) -> M) {
        self.drop_ready();
        if let (false, Some(now)) = (self.finished, self.now) {
            if settings.flush {
                self.close_all(settings, now.after(0), Reason::EndOfStream, &lift);
            } else {
                while let Some(place) = self.first(settings) {
                    self.close(settings, place, true);
                }
                self.release(settings);
            }
        }
        self.finished = true;
    }

    fn close_all(&mut self, settings: &Settings, end: T, reason: Reason, lift: &impl Fn(&E) -> M) {
        while let Some(place) = self.first(settings) {
            self.produce(settings, place, end, reason, 0, false, lift);
            self.close(settings, place, false);
        }
        self.release(settings);
    }
}

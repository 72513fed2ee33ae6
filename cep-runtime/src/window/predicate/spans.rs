//! A predicate window as the place of a pattern's matches: which elements lie in one window.
//!
//! A window's list begins at some element; time, `clear`, `advance_when` and the window's end move that on. So it is enough for a
//! pattern to know, of each element that it takes, at which position the list begins that the element joins. That is decided before anything
//! changes, because a pattern's conditions may still refuse the element.
use super::{Condition, Open, Settings, Verdict, What, Windows};
use crate::storage::Storage;
use crate::{Clock, Monoid, PushError};
use core::hash::Hash;

/// Where an element lies.
#[derive(Clone, Copy, PartialEq)]
pub struct Span {
    /// The stream position of the first element of its window.
    pub since: u64,
    /// What tells its window from other open ones, where it was open before.
    pub lane: Option<u32>,
}
impl Eq for Span {}

/// A predicate window in which patterns can look for matches. Every such item implements it.
pub trait Spans {
    /// What it looks at.
    type Event: ?Sized;
    /// The clock.
    type Time;
    /// The windows that are open, without their elements.
    type Tracker: Clone;
    /// None so far.
    fn tracker() -> Self::Tracker;
    /// Where the event at a stream position lies, `None`: in no window. Nothing changes.
    ///
    /// # Errors
    /// `OutOfOrder` where its time is before one already seen, `Full` where there is no room for its window.
    fn span(tracker: &Self::Tracker, position: u64, event: &Self::Event) -> Result<Option<Span>, PushError>;
    /// Takes the event. Gives what tells the window of its key from others, if that is open now.
    ///
    /// # Errors
    /// As [`span`](Spans::span).
    fn enter(
        tracker: &mut Self::Tracker,
        position: u64,
        event: &Self::Event,
    ) -> Result<Option<u32>, PushError>;
    /// Time is at least `time`.
    fn advance_to(tracker: &mut Self::Tracker, time: Self::Time);
    /// How many windows are open.
    fn open(tracker: &Self::Tracker) -> u64;
}

/// One that is inside its machine: without windows it is a constant.
pub trait InlineSpans: Spans {
    /// None so far.
    const TRACKER: Self::Tracker;
}

impl<E, K, M, T, const N: usize, const MOST: usize, const H: usize, S: Storage>
    Windows<E, K, M, T, N, MOST, H, S>
where
    E: Copy,
    K: Copy + Eq + Hash,
    M: Monoid,
    T: Clock<Span = u64>,
{
    /// Where an element lies that would come at `time` and the stream position `own`; `at` is the position of a kept one. The settings must
    /// keep what conditions [read](Settings::reads).
    ///
    /// # Errors
    /// As [`push`](Windows::push).
    #[allow(clippy::too_many_arguments, reason = "what an element is, in parts that the machine knows")]
    pub fn span(
        &self,
        settings: &Settings,
        key: &K,
        time: T,
        own: u64,
        holds: impl Fn(Condition, Open<'_, E>) -> bool,
        at: impl Fn(&E) -> u64,
    ) -> Result<Option<Span>, PushError> {
        let verdict = self.verdict(settings, key, time, &holds)?;
        if !settings.evict && !self.has_room(settings, &verdict, time, false) {
            return Err(PushError::Full);
        }
        let Verdict { found, open, starts, ends, stays, .. } = verdict;
        let alone = Span { since: own, lane: None };
        if let (true, Some(p)) = (open, found) {
            let lane = u32::try_from(p).ok();
            if !ends || settings.keep_end {
                let since = match &self.seen[p].first {
                    Some(first) => at(first),
                    None => own,
                };
                return Ok(Some(Span { since, lane }));
            }
            if stays && starts && !settings.one_role {
                // it joins what the output leaves
                return Ok(Some(match self.left(settings, p, &holds, &at) {
                    Some(since) => Span { since, lane },
                    None => alone,
                }));
            }
        }
        let opens = starts && (!ends || !settings.one_role);
        Ok(if opens { Some(alone) } else { None })
    }

    /// Where the list of a window begins after an output that leaves it open; `None`: nothing is left.
    fn left(
        &self,
        settings: &Settings,
        place: usize,
        holds: &impl Fn(Condition, Open<'_, E>) -> bool,
        at: &impl Fn(&E) -> u64,
    ) -> Option<u64> {
        let window = self.keys.value(place);
        let size = match settings.advance {
            Some(size) if holds(Condition::Advance, self.view(Some(place), true)) => size,
            _ => return Some(at(self.seen[place].first.as_ref()?)),
        };
        let steps = u64::try_from(size).unwrap_or(u64::MAX);
        if steps >= window.len {
            return None;
        }
        let mut next = window.head;
        for _ in 0..steps {
            next = self.links[next as usize];
        }
        match self.pieces.get(next as usize)?.as_ref()?.what {
            What::Element(ref e) => Some(at(e)),
            _ => None,
        }
    }

    /// What tells the window of a key from the others that are open; `None`: it is not open.
    #[must_use]
    pub fn lane(&self, key: &K) -> Option<u32> {
        let place = self.keys.find(key)?;
        if self.keys.value(place).len == 0 {
            return None;
        }
        // there are fewer places than that
        u32::try_from(place).ok()
    }

    /// As [`reset`](Windows::reset).
    pub fn clear(&mut self) {
        self.reset();
    }
}

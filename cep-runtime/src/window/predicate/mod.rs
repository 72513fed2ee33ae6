//! Windows that conditions open and close (the predicate window of Odysseus), one for each key.
//!
//! Elements of all open windows and outputs that have to wait share one pool of linked pieces, so a window may be as long as there is
//! room. Which window began first, and which was quiet for longest, is known from two lists in those orders, as elements come in the order of
//! their times: a timeout costs O(1), and nothing ever looks at all keys. Only where a window can lose its first element and stay open
//! (`advance_when`, `or evict`) the first one is known from a heap instead, in O(log keys). Where time order is kept, outputs wait in a
//! second heap, by their start, until no open window begins before them.
//!
//! With many keys the cost is that of the memory touched. For an element of an open window these are a bucket, the key with its window,
//! and three links of the list by age; what conditions see of a key and the order of its table stand apart and are touched only where they
//! are read.
mod outputs;
mod parts;
mod room;
mod spans;
mod time;
mod verdict;

use parts::Seen;
pub use parts::{Condition, Given, Open, OpenWindow, Piece, Reason, Settings, What};
pub use spans::{InlineSpans, Span, Spans};
use verdict::Verdict;

use super::heap::{Ages, Heap};
use crate::storage::{Inline, Slots, Storage};
use crate::{Clock, Keys, Monoid, PushError};
use core::hash::Hash;

const NONE: u32 = u32::MAX;

/// The windows of all keys. `N` pieces, `K` keys of at most `MOST` in `H` buckets; `E` is what is kept of an element, `M` folds it.
pub struct Windows<
    E: 'static,
    K: 'static,
    M: 'static,
    T: 'static,
    const N: usize,
    const MOST: usize,
    const H: usize,
    S: Storage = Inline,
> {
    pieces: S::Ring<Option<Piece<E, K, M, T>>, N>,
    links: S::Ring<u32, N>,
    free: u32,
    used: usize,
    keys: Keys<K, OpenWindow<M, T>, MOST, H, S>,
    /// What conditions see of each key.
    seen: S::Ring<Seen<E>, MOST>,
    /// Open windows by their first element, where they may be [shortened](Settings::shortens).
    firsts: Heap<(T, u64), MOST, S>,
    /// Open windows in the order in which they opened, else.
    opened: Ages<MOST, S>,
    /// Open windows by their newest element.
    quiet: Ages<MOST, S>,
    /// Outputs that wait.
    held: Heap<(T, u64), N, S>,
    ready: (u32, u32),
    /// An output that was handed out with its members.
    lent: u32,
    live: u64,
    now: Option<T>,
    finished: bool,
    number: u64,
    /// Elements given up by `or evict`.
    pub evicted: u64,
    /// Members of windows that began and ended at one instant, which are in no output.
    pub vanished: u64,
    /// Elements that were in no window.
    pub passed: u64,
}

impl<E: Copy, K: Copy, M: Monoid, T: Copy, const N: usize, const MOST: usize, const H: usize>
    Windows<E, K, M, T, N, MOST, H, Inline>
{
    /// No window, inside the machine.
    #[must_use]
    pub const fn new() -> Self {
        Windows {
            pieces: Slots([None; N]),
            links: Slots([NONE; N]),
            free: NONE,
            used: 0,
            keys: Keys::new(OpenWindow::NONE),
            seen: Slots([Seen::NONE; MOST]),
            firsts: Heap::new(),
            opened: Ages::new(),
            quiet: Ages::new(),
            held: Heap::new(),
            ready: (NONE, NONE),
            lent: NONE,
            live: 0,
            now: None,
            finished: false,
            number: 0,
            evicted: 0,
            vanished: 0,
            passed: 0,
        }
    }
}

#[cfg(feature = "alloc")]
impl<E: Copy, K: Copy, M: Monoid, T: Copy, const N: usize, const MOST: usize, const H: usize>
    Windows<E, K, M, T, N, MOST, H, crate::Boxed>
{
    /// No window, on the heap: a few allocations now and none later.
    #[must_use]
    pub fn boxed() -> Self {
        Windows {
            pieces: crate::storage::boxed(None),
            links: crate::storage::boxed(NONE),
            free: NONE,
            used: 0,
            keys: Keys::boxed(OpenWindow::NONE),
            seen: crate::storage::boxed(Seen::NONE),
            firsts: Heap::boxed(),
            opened: Ages::boxed(),
            quiet: Ages::boxed(),
            held: Heap::boxed(),
            ready: (NONE, NONE),
            lent: NONE,
            live: 0,
            now: None,
            finished: false,
            number: 0,
            evicted: 0,
            vanished: 0,
            passed: 0,
        }
    }
}

#[cfg(feature = "alloc")]
impl<E: Copy, K: Copy, M: Monoid, T: Copy, const N: usize, const MOST: usize, const H: usize> Clone
    for Windows<E, K, M, T, N, MOST, H, crate::Boxed>
{
    fn clone(&self) -> Self {
        Windows {
            pieces: crate::storage::boxed_copy(&self.pieces),
            links: crate::storage::boxed_copy(&self.links),
            keys: self.keys.clone(),
            seen: crate::storage::boxed_copy(&self.seen),
            firsts: self.firsts.clone(),
            opened: self.opened.clone(),
            quiet: self.quiet.clone(),
            held: self.held.clone(),
            ..*self
        }
    }
}

impl<E: Copy, K: Copy, M: Monoid, T: Copy, const N: usize, const MOST: usize, const H: usize> Default
    for Windows<E, K, M, T, N, MOST, H, Inline>
{
    fn default() -> Self {
        Self::new()
    }
}

impl<E: Copy, K: Copy, M: Monoid, T: Copy, const N: usize, const MOST: usize, const H: usize> Clone
    for Windows<E, K, M, T, N, MOST, H, Inline>
{
    fn clone(&self) -> Self {
        Windows {
            pieces: self.pieces,
            links: self.links,
            keys: self.keys.clone(),
            seen: self.seen,
            firsts: self.firsts.clone(),
            opened: self.opened.clone(),
            quiet: self.quiet.clone(),
            held: self.held.clone(),
            ..*self
        }
    }
}

impl<E, K, M, T, const N: usize, const MOST: usize, const H: usize, S: Storage>
    Windows<E, K, M, T, N, MOST, H, S>
where
    E: Copy,
    K: Copy + Eq + Hash,
    M: Monoid,
    T: Clock<Span = u64>,
{
    /// Takes an element: first time closes what is due, then the conditions decide. `split` asks for elements in no window too.
    ///
    /// # Errors
    /// `OutOfOrder`, `Full`: nothing changed, and no time passed.
    #[allow(
        clippy::too_many_arguments,
        reason = "what an element is, in parts that the machine knows already"
    )]
    pub fn push(
        &mut self,
        settings: &Settings,
        element: E,
        key: K,
        time: T,
        state: M,
        split: bool,
        holds: impl Fn(Condition, Open<'_, E>) -> bool,
        lift: impl Fn(&E) -> M,
    ) -> Result<(), PushError> {
        let verdict = self.verdict(settings, &key, time, &holds)?;
        if !settings.evict && !self.has_room(settings, &verdict, time, split) {
            return Err(PushError::Full);
        }
        self.drop_ready();
        self.now = Some(time);
        self.expire(settings, time, &lift);
        let Verdict { open, clears, starts, ends, stays, opens, .. } = verdict;
        // where its window was due its key may be gone
        let found = match verdict.found {
            Some(p) if verdict.due && self.keys.key(p).is_none() => None,
            found => found,
        };
        if settings.evict {
            let no_key = found.is_none() && self.keys.is_full() && (opens || settings.remembers);
            if no_key || !settings.stores && opens && !open && self.live + self.open() + 3 > N as u64 {
                self.evict_key(settings);
                self.release(settings);
            }
        }
        let mut place = found;
        if clears && let Some(p) = place {
            self.close(settings, p, true);
            place = self.keys.find(&key);
        }
        let mut taken = false;
        if open {
            // the place of an open window is known
            let Some(p) = place else { return Ok(()) };
            if !ends || settings.keep_end {
                self.append(settings, p, element, time, state);
                taken = true;
            }
            if ends {
                self.produce(settings, p, time, Reason::End, 0, stays, &lift);
                if !stays {
                    self.close(settings, p, false);
                } else if let Some(size) = settings.advance
                    && holds(Condition::Advance, self.view(place, true))
                {
                    self.advance(settings, p, size);
                }
                place = self.keys.find(&key);
            }
        }
        if !taken {
            // a window that stays open takes its closer if that may start one; an element with one role does neither
            let opens = starts && (!ends || !settings.one_role);
            if opens {
                if let Some(p) = self.place_of(settings, place, key) {
                    self.append(settings, p, element, time, state);
                    place = Some(p);
                }
            } else {
                self.passed += 1;
                if split {
                    let piece = Piece {
                        what: What::Element(element),
                        own: time,
                        start: time,
                        end: None,
                        port: 1,
                        reason: None,
                        members: NONE,
                        weight: 1,
                    };
                    let at = self.take(piece);
                    self.live += 1;
                    self.emit(settings, at);
                }
            }
        } else if ends && starts && !settings.one_role {
            // the closer was kept, and it opens the next window as well
            let closed = match place {
                Some(p) => self.keys.value(p).len == 0,
                None => true,
            };
            if closed && let Some(p) = self.place_of(settings, place, key) {
                self.append(settings, p, element, time, state);
                place = Some(p);
            }
        }
        if settings.remembers
            && let Some(p) = self.place_of(settings, place, key)
        {
            self.seen[p].prev = Some(element);
        }
        self.release(settings);
        while settings.evict && self.live > settings.most && self.evict_element(settings) {}
        self.release(settings);
        Ok(())
    }

    /// The place of a key: the one that is known, else a new one.
    fn place_of(&mut self, settings: &Settings, known: Option<usize>, key: K) -> Option<usize> {
        match known {
            Some(place) => Some(place),
            None => self.claim(settings, key),
        }
    }

    fn claim(&mut self, settings: &Settings, key: K) -> Option<usize> {
        // only `or evict` asks for the key that came first
        let place = if settings.evict { self.keys.claim(key)? } else { self.keys.claim_unlisted(key)? };
        self.keys.value_mut(place).len = 0;
        if settings.remembers {
            self.seen[place].prev = None;
        }
        Some(place)
    }

    fn forget(&mut self, settings: &Settings, place: usize) {
        if settings.evict {
            self.keys.remove(place);
        } else {
            self.keys.remove_unlisted(place);
        }
    }

    /// The open window that began first.
    #[inline]
    fn first(&self, settings: &Settings) -> Option<usize> {
        if settings.shortens() { Some(self.firsts.first()?.1) } else { self.opened.oldest() }
    }

    /// The one of those other than `place` that began first.
    fn first_but(&self, settings: &Settings, place: usize) -> Option<usize> {
        if settings.shortens() {
            Some(self.firsts.first_but(place)?.1)
        } else {
            self.opened.oldest_but(place)
        }
    }

    /// When an open window began.
    #[inline]
    fn began(&self, place: usize) -> Option<T> {
        Some(self.keys.value(place).times?.0)
    }

    /// When the open window began that began first.
    #[inline]
    fn first_began(&self, settings: &Settings) -> Option<T> {
        self.began(self.first(settings)?)
    }

    /// Puts an element at the end of a window.
    fn append(&mut self, settings: &Settings, place: usize, element: E, time: T, state: M) {
        let mut at = NONE;
        if settings.stores {
            at = self.take(Piece {
                what: What::Element(element),
                own: time,
                start: time,
                end: None,
                port: 0,
                reason: None,
                members: NONE,
                weight: 1,
            });
            self.live += 1;
        }
        let number = self.number;
        self.number += 1;
        let window = self.keys.value_mut(place);
        let opens = window.len == 0;
        let tail = window.tail;
        if opens {
            *window = OpenWindow {
                times: Some((time, time)),
                len: 1,
                head: at,
                tail: at,
                opened: number,
                before: M::IDENTITY,
                newest: state,
            };
            if settings.reads {
                self.seen[place].first = Some(element);
            }
        } else {
            match &mut window.times {
                Some((_, last)) if *last < time => {
                    *last = time;
                    window.before = window.before.combine(&window.newest);
                    window.newest = state;
                }
                // one that is open has a time, and no element comes before it
                _ => window.newest = window.newest.combine(&state),
            }
            window.len += 1;
            window.tail = at;
            if at != NONE {
                self.links[tail as usize] = at;
            }
        }
        if settings.reads {
            self.seen[place].last = Some(element);
        }
        if opens {
            self.file(settings, place, true);
        }
        // no element comes before now, so the one touched last has the newest
        self.quiet.touch(place, opens);
    }

    /// Puts a window, `new` or not, where its first element belongs among the open ones.
    fn file(&mut self, settings: &Settings, place: usize, new: bool) {
        if !settings.shortens() {
            // no element comes before now: it is the last to begin
            self.opened.touch(place, new);
            return;
        }
        let window = self.keys.value(place);
        if let Some((first, _)) = window.times {
            self.firsts.put(place, (first, window.opened));
        }
    }

    /// A window is open no more.
    fn unfile(&mut self, settings: &Settings, place: usize) {
        if self.keys.value(place).len > 0 {
            if settings.shortens() {
                self.firsts.remove(place);
            } else {
                self.opened.remove(place);
            }
            self.quiet.remove(place);
        }
    }

    fn key(&self, place: usize) -> Option<K> {
        self.keys.key(place)
    }

    /// Ends a window; with `drops` what is still in it goes.
    fn close(&mut self, settings: &Settings, place: usize, drops: bool) {
        if settings.stores && (drops || settings.folds) {
            self.drop_elements(place);
        }
        self.unfile(settings, place);
        self.keys.value_mut(place).len = 0;
        if !settings.remembers {
            self.forget(settings, place);
        }
    }

    /// Gives back the elements of a window.
    fn drop_elements(&mut self, place: usize) {
        let mut next = self.keys.value(place).head;
        while next != NONE {
            let after = self.links[next as usize];
            self.give_back(next);
            self.live -= 1;
            next = after;
        }
    }

    /// Drops elements from the front of a window.
    fn advance(&mut self, settings: &Settings, place: usize, size: i64) {
        let window = *self.keys.value(place);
        let steps = u64::try_from(size).unwrap_or(u64::MAX);
        if steps >= window.len {
            self.close(settings, place, true);
            return;
        }
        let mut next = window.head;
        for _ in 0..steps {
            let after = self.links[next as usize];
            self.give_back(next);
            self.live -= 1;
            next = after;
        }
        if steps > 0 {
            let (first, own) = match &self.pieces[next as usize] {
                Some(Piece { what: What::Element(e), own, .. }) => (Some(*e), Some(*own)),
                _ => (None, None),
            };
            let window = self.keys.value_mut(place);
            window.head = next;
            window.len -= steps;
            if let (Some(times), Some(own)) = (&mut window.times, own) {
                times.0 = own;
            }
            if settings.reads {
                self.seen[place].first = first;
            }
            self.file(settings, place, false);
        }
    }

    /// Closes the windows that are open or quiet for too long at `time`.
    fn expire(&mut self, settings: &Settings, time: T, lift: &impl Fn(&E) -> M) {
        if settings.max.is_some() {
            while let Some(place) = self.first(settings) {
                if !self.is_too_long(settings, place, time) {
                    break;
                }
                if settings.output_max {
                    self.produce(settings, place, time, Reason::MaxTime, settings.max_port, false, lift);
                    self.close(settings, place, false);
                } else {
                    self.close(settings, place, true);
                }
            }
        }
        if settings.idle.is_some() {
            while let Some(place) = self.quiet.oldest() {
                if !self.is_too_quiet(settings, place, time) {
                    break;
                }
                self.produce(settings, place, time, Reason::Idle, settings.idle_port, false, lift);
                self.close(settings, place, false);
            }
        }
        self.release(settings);
    }

    /// Forgets everything.
    pub fn reset(&mut self) {
        self.pieces.fill(None);
        self.links.fill(NONE);
        self.keys.clear();
        self.firsts.clear();
        self.opened.clear();
        self.quiet.clear();
        self.held.clear();
        (self.free, self.used, self.ready, self.lent) = (NONE, 0, (NONE, NONE), NONE);
        (self.live, self.now, self.finished, self.number) = (0, None, false, 0);
        (self.evicted, self.vanished, self.passed) = (0, 0, 0);
    }

    /// How many keys have a window, or are remembered.
    #[must_use]
    pub fn keys(&self) -> u64 {
        self.keys.len()
    }

    /// Elements in windows and outputs that wait.
    #[must_use]
    pub fn live(&self) -> u64 {
        self.live
    }

    /// How many windows are open.
    #[must_use]
    pub fn open(&self) -> u64 {
        self.quiet.len()
    }
}

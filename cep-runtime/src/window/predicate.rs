//! Windows that conditions open and close (the predicate window of Odysseus), one for each key.
//!
//! Elements of all open windows and outputs that have to wait share one pool of linked pieces, so a window may be as long as there is
//! room. Which window opened first, and which was quiet for longest, is known from a heap over the keys and a list by age: a timeout costs O(log keys), and
//! nothing ever looks at all keys. Where time order is kept, outputs wait in a third heap, by their start, until no open window begins
//! before them.
use super::heap::{Ages, Heap};
use crate::storage::{Inline, Slots, Storage};
use crate::{Clock, Keys, Monoid, PushError};
use core::hash::Hash;

const NONE: u32 = u32::MAX;

/// Why a window came out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// Its end condition held.
    End,
    /// It was as long as `max_window_time` allows.
    MaxTime,
    /// Nothing came for as long as `close_window_after_no_updates_for` says.
    Idle,
    /// A heartbeat came.
    Heartbeat,
    /// The stream ended.
    EndOfStream,
}

/// The parameters of a window, constants of the emitted machine.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "the operator has so many switches")]
pub struct Settings {
    /// All members begin when the first one does.
    pub same_start: bool,
    /// The element that closes a window is in it.
    pub keep_end: bool,
    /// An element does not close one window and open another.
    pub one_role: bool,
    /// Outputs leave in the order of their starts.
    pub keep_order: bool,
    /// A heartbeat closes all windows.
    pub heartbeat: bool,
    /// A window that was open too long comes out.
    pub output_max: bool,
    /// The end of the stream closes all windows.
    pub flush: bool,
    /// The longest a window is open.
    pub max: Option<u64>,
    /// The longest a window is quiet.
    pub idle: Option<u64>,
    /// Where windows that were open too long come out.
    pub max_port: u8,
    /// Where windows that were quiet too long come out.
    pub idle_port: u8,
    /// There is an `advance_when`, and this is its size.
    pub advance: Option<i64>,
    /// There is a `clear`, so an output leaves the window as it is.
    pub clear: bool,
    /// One output for each window, with its members.
    pub nested: bool,
    /// One output for each window, with its fold.
    pub folds: bool,
    /// The elements are kept.
    pub stores: bool,
    /// Conditions read the element before.
    pub remembers: bool,
    /// What there is no room for pushes out the oldest.
    pub evict: bool,
    /// How many elements and waiting outputs there may be.
    pub most: u64,
}

/// The conditions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Condition {
    /// `start`
    Start,
    /// `end`; without one, what does not start.
    End,
    /// `clear`
    Clear,
    /// `advance_when`
    Advance,
}

/// What a condition sees besides the element: the open window of its key, and the element before.
#[derive(Clone, Copy, Debug)]
pub struct Open<'a, E> {
    /// The first element of the open window.
    pub first: Option<&'a E>,
    /// The newest one.
    pub last: Option<&'a E>,
    /// The element before, in a window or not.
    pub prev: Option<&'a E>,
    /// How many elements the open window has; absent if there is none.
    pub len: Option<u64>,
}

/// What the window of a key consists of.
#[derive(Clone, Copy, Debug)]
pub struct OpenWindow<E: Copy, M: Copy, T: Copy> {
    /// 0: there is none.
    len: u64,
    /// Counts openings: of windows of one time the older one comes first.
    opened: u64,
    head: u32,
    tail: u32,
    times: Option<(T, T)>,
    first: Option<E>,
    last: Option<E>,
    prev: Option<E>,
    /// The fold of what is older than the newest instant, and of that instant.
    before: M,
    newest: M,
}

impl<E: Copy, M: Monoid, T: Copy> OpenWindow<E, M, T> {
    const NONE: Self = OpenWindow {
        len: 0,
        opened: 0,
        head: NONE,
        tail: NONE,
        times: None,
        first: None,
        last: None,
        prev: None,
        before: M::IDENTITY,
        newest: M::IDENTITY,
    };
}

/// What an output is.
#[derive(Clone, Copy, Debug)]
pub enum What<E, K, M> {
    /// An element.
    Element(E),
    /// A window and its key; its members are linked.
    Window(K, u64),
    /// The fold of a window and its key.
    Fold(K, M),
}

/// An element in a window, or an output.
#[derive(Clone, Copy, Debug)]
pub struct Piece<E, K, M, T> {
    what: What<E, K, M>,
    /// When the element came.
    own: T,
    start: T,
    end: Option<T>,
    port: u8,
    reason: Option<Reason>,
    members: u32,
    /// How much of the capacity it takes while it waits.
    weight: u64,
}

/// An output.
#[derive(Clone, Copy, Debug)]
pub struct Given<E, K, M, T> {
    /// What it is.
    pub what: What<E, K, M>,
    /// When it begins.
    pub start: T,
    /// When it ends; what is in no window has no end.
    pub end: Option<T>,
    /// Where it comes out.
    pub port: u8,
    /// Why; what is in no window has no reason.
    pub reason: Option<Reason>,
    members: u32,
}

/// The windows of all keys. `N` pieces, `K` keys of at most `MOST` in `H` buckets; `E` is what is kept of an element, `M` folds it.
pub struct Windows<
    E: Copy + 'static,
    K: Copy + 'static,
    M: Copy + 'static,
    T: Copy + 'static,
    const N: usize,
    const MOST: usize,
    const H: usize,
    S: Storage = Inline,
> {
    pieces: S::Ring<Option<Piece<E, K, M, T>>, N>,
    links: S::Ring<u32, N>,
    free: u32,
    used: usize,
    keys: Keys<K, OpenWindow<E, M, T>, MOST, H, S>,
    /// Open windows by their first element.
    firsts: Heap<(T, u64), MOST, S>,
    /// Open windows by their newest element.
    quiet: Ages<MOST, S>,
    /// Outputs that wait.
    held: Heap<(T, u64), N, S>,
    ready: (u32, u32),
    /// An output that was handed out with its members.
    lent: u32,
    /// What time closed before an event was refused comes with the next call.
    stays: bool,
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
            firsts: Heap::new(),
            quiet: Ages::new(),
            held: Heap::new(),
            ready: (NONE, NONE),
            lent: NONE,
            stays: false,
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
            firsts: Heap::boxed(),
            quiet: Ages::boxed(),
            held: Heap::boxed(),
            ready: (NONE, NONE),
            lent: NONE,
            stays: false,
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
            firsts: self.firsts.clone(),
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
            firsts: self.firsts.clone(),
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
    /// `OutOfOrder`: nothing changed. `Full`: the element was not taken, but time went on to it.
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
        if self.finished || !time.is_time() || self.now.is_some_and(|now| time < now) {
            return Err(PushError::OutOfOrder);
        }
        self.drop_ready();
        self.now = Some(time);
        self.expire(settings, time, &lift);
        let found = self.keys.find(&key);
        let window = found.map_or(OpenWindow::NONE, |p| *self.keys.value(p));
        let mut open = window.len > 0;
        let clears = settings.clear && open && holds(Condition::Clear, Self::view(&window));
        // what the other conditions see of a window that is cleared is nothing
        let seen = if clears { OpenWindow { prev: window.prev, ..OpenWindow::NONE } } else { window };
        open &= !clears;
        let starts = holds(Condition::Start, Self::view(&seen));
        let ends = open && holds(Condition::End, Self::view(&seen));
        let stays = settings.advance.is_some() || settings.clear;
        let opens = !open && starts || ends && starts && !settings.one_role;
        if !settings.evict {
            self.has_room(settings, found, &window, open, ends, stays, opens, time, split)?;
        } else {
            let no_key = found.is_none() && self.keys.is_full() && (opens || settings.remembers);
            if no_key || !settings.stores && opens && !open && self.live + self.open() + 3 > N as u64 {
                self.evict_key();
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
                self.append(settings, p, element, key, time, state);
                taken = true;
            }
            if ends {
                self.produce(settings, p, time, Reason::End, 0, stays, &lift);
                if !stays {
                    self.close(settings, p, false);
                } else if let Some(size) = settings.advance {
                    let window = *self.keys.value(p);
                    if holds(Condition::Advance, Self::view(&window)) {
                        self.advance(settings, p, size);
                    }
                }
                place = self.keys.find(&key);
            }
        }
        if !taken {
            // a window that stays open takes its closer if that may start one; an element with one role does not open a new one
            let remains = place.is_some_and(|p| self.keys.value(p).len > 0);
            let opens = starts && (!ends || !settings.one_role || remains && stays);
            if opens {
                let p = match place {
                    Some(p) => Some(p),
                    None => self.claim(key),
                };
                if let Some(p) = p {
                    self.append(settings, p, element, key, time, state);
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
        } else if ends && starts && !settings.one_role && place.is_none_or(|p| self.keys.value(p).len == 0) {
            // the closer was kept, and it opens the next window as well
            if let Some(p) = place.or_else(|| self.claim(key)) {
                self.append(settings, p, element, key, time, state);
                place = Some(p);
            }
        }
        if settings.remembers {
            let p = match place {
                Some(p) => Some(p),
                None => self.claim(key),
            };
            if let Some(p) = p {
                self.keys.value_mut(p).prev = Some(element);
            }
        }
        self.release(settings);
        while settings.evict && self.live > settings.most && self.evict_element(settings) {}
        self.release(settings);
        Ok(())
    }

    fn view(w: &OpenWindow<E, M, T>) -> Open<'_, E> {
        Open {
            first: w.first.as_ref(),
            last: w.last.as_ref(),
            prev: w.prev.as_ref(),
            len: if w.len > 0 { Some(w.len) } else { None },
        }
    }

    /// Would everything have room that is there after this element?
    #[allow(clippy::too_many_arguments, reason = "all that was decided so far")]
    fn has_room(
        &mut self,
        settings: &Settings,
        found: Option<usize>,
        window: &OpenWindow<E, M, T>,
        open: bool,
        ends: bool,
        stays: bool,
        opens: bool,
        time: T,
        split: bool,
    ) -> Result<(), PushError> {
        if found.is_none() && self.keys.is_full() && (opens || settings.remembers) {
            self.stays = true;
            return Err(PushError::Full);
        }
        // a window that is only folded has room as an output when it closes, whatever closes it
        if !settings.stores && opens && !open && self.live + self.open() + 3 > N as u64 {
            self.stays = true;
            return Err(PushError::Full);
        }
        let stored = u64::from(settings.stores);
        let more = match (open, ends) {
            (true, false) => stored,
            (true, true) => {
                let outputs = if settings.folds {
                    1
                } else if stays {
                    window.len + 1
                } else {
                    0
                };
                outputs
                    + stored * u64::from(settings.keep_end)
                    + if opens { stored } else { u64::from(split && !settings.keep_end) }
            }
            (false, _) => {
                if opens {
                    stored
                } else {
                    u64::from(split)
                }
            }
        };
        if more == 0 || self.live + more <= settings.most {
            return Ok(());
        }
        // what would leave at once needs no room
        let closes = open && ends && !stays;
        let other = match found {
            Some(p) if closes || !open => self.firsts.first_but(p),
            _ => self.firsts.first(),
        };
        let mut bound = other.map(|((start, _), _)| start);
        if opens && bound.is_none() {
            bound = Some(time);
        }
        let leaves = |s: T| !settings.keep_order || bound.is_none_or(|b| s <= b);
        let mut released = 0;
        for at in self.held.iter() {
            if let Some(piece) = &self.pieces[at]
                && leaves(piece.start)
            {
                released += piece.weight;
            }
        }
        if open && ends {
            let first = window.times.map_or(time, |t| t.0);
            if settings.folds {
                released += u64::from(leaves(first));
                released += if closes { stored * window.len } else { 0 };
            } else {
                let mut next = window.head;
                while next != NONE {
                    if let Some(piece) = &self.pieces[next as usize] {
                        let at = if settings.same_start || settings.nested { first } else { piece.own };
                        released += u64::from(leaves(at));
                    }
                    next = self.links[next as usize];
                }
                released += u64::from(settings.keep_end && leaves(time));
            }
            released += u64::from(!opens && split && !settings.keep_end && leaves(time));
        } else if !open && !opens {
            released += u64::from(split && leaves(time));
        }
        if (self.live + more).saturating_sub(released) <= settings.most {
            return Ok(());
        }
        self.stays = true;
        Err(PushError::Full)
    }

    fn claim(&mut self, key: K) -> Option<usize> {
        let place = self.keys.claim(key)?;
        *self.keys.value_mut(place) = OpenWindow::NONE;
        Some(place)
    }

    /// Puts an element at the end of a window.
    fn append(&mut self, settings: &Settings, place: usize, element: E, key: K, time: T, state: M) {
        let _ = key;
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
        let later = window.times.is_some_and(|t| t.1 < time);
        if opens {
            *window = OpenWindow {
                prev: window.prev,
                opened: number,
                head: at,
                first: Some(element),
                ..OpenWindow::NONE
            };
        }
        if later {
            window.before = window.before.combine(&window.newest);
            window.newest = state;
        } else {
            window.newest = window.newest.combine(&state);
        }
        window.times = Some((window.times.map_or(time, |t| t.0), time));
        window.last = Some(element);
        window.len += 1;
        let tail = window.tail;
        window.tail = at;
        if !opens && at != NONE {
            self.links[tail as usize] = at;
        }
        if opens {
            self.file(place);
        }
        // no element comes before now, so the one touched last has the newest
        self.quiet.touch(place, opens);
    }

    /// Puts a window where its first element belongs among the open ones.
    fn file(&mut self, place: usize) {
        let window = self.keys.value(place);
        if let Some((first, _)) = window.times {
            self.firsts.put(place, (first, window.opened));
        }
    }

    /// A window is open no more.
    fn unfile(&mut self, place: usize) {
        if self.keys.value(place).len > 0 {
            self.firsts.remove(place);
            self.quiet.remove(place);
        }
    }

    /// The output of a window that ends at `end`; what is in it stays in it where `keeps`.
    #[allow(clippy::too_many_arguments, reason = "how and where it comes out")]
    fn produce(
        &mut self,
        settings: &Settings,
        place: usize,
        end: T,
        reason: Reason,
        port: u8,
        keeps: bool,
        lift: &impl Fn(&E) -> M,
    ) {
        let window = *self.keys.value(place);
        let Some((first, last)) = window.times else { return };
        let Some(key) = self.key(place) else { return };
        let output = |what, start, own, members, weight| Piece {
            what,
            own,
            start,
            end: Some(end),
            port,
            reason: Some(reason),
            members,
            weight,
        };
        if settings.folds {
            let mut fold = window.before;
            let mut some = first < end;
            if settings.stores {
                (fold, some) = (M::IDENTITY, false);
                let mut next = window.head;
                while next != NONE {
                    if let Some(Piece { what: What::Element(e), own, .. }) = &self.pieces[next as usize]
                        && (settings.same_start && first < end || *own < end)
                    {
                        fold = fold.combine(&lift(e));
                        some = true;
                    }
                    next = self.links[next as usize];
                }
            } else if last < end || settings.same_start {
                fold = fold.combine(&window.newest);
            } else {
                self.vanished += 1;
            }
            if some {
                let at = self.take(output(What::Fold(key, fold), first, first, NONE, 1));
                self.live += 1;
                self.emit(settings, at);
            }
            return;
        }
        let (mut next, mut head, mut tail, mut members) = (window.head, NONE, NONE, 0u64);
        while next != NONE {
            let after = self.links[next as usize];
            if let Some(piece) = self.pieces[next as usize] {
                let start = if settings.same_start { first } else { piece.own };
                if start < end {
                    let new = output(piece.what, start, piece.own, NONE, 1);
                    let at = if keeps {
                        self.live += 1;
                        self.take(new)
                    } else {
                        self.pieces[next as usize] = Some(new);
                        next
                    };
                    self.links[at as usize] = NONE;
                    if !settings.nested {
                        self.emit(settings, at);
                    } else {
                        members += 1;
                        if head == NONE {
                            head = at;
                        } else {
                            self.links[tail as usize] = at;
                        }
                        tail = at;
                    }
                } else {
                    self.vanished += 1;
                    if !keeps {
                        self.give_back(next);
                        self.live -= 1;
                    }
                }
            }
            next = after;
        }
        if members > 0 {
            let at = self.take(output(What::Window(key, members), first, first, head, members));
            self.emit(settings, at);
        }
        if !keeps {
            let window = self.keys.value_mut(place);
            (window.head, window.tail) = (NONE, NONE);
        }
    }

    fn key(&self, place: usize) -> Option<K> {
        self.keys.key(place)
    }

    /// Ends a window; with `drops` what is still in it goes.
    fn close(&mut self, settings: &Settings, place: usize, drops: bool) {
        let window = *self.keys.value(place);
        let mut next = window.head;
        while next != NONE && (drops || settings.folds) {
            let after = self.links[next as usize];
            self.give_back(next);
            self.live -= 1;
            next = after;
        }
        self.unfile(place);
        if settings.remembers {
            *self.keys.value_mut(place) = OpenWindow { prev: window.prev, ..OpenWindow::NONE };
        } else {
            self.keys.remove(place);
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
            window.first = first;
            if let (Some(times), Some(own)) = (&mut window.times, own) {
                times.0 = own;
            }
            self.file(place);
        }
    }

    /// Closes the windows that are open or quiet for too long at `time`.
    fn expire(&mut self, settings: &Settings, time: T, lift: &impl Fn(&E) -> M) {
        let due = |from: Option<T>, span: u64| from.is_some_and(|from| !T::within(from, time, span - 1));
        if let Some(span) = settings.max {
            while let Some(((first, _), place)) = self.firsts.first() {
                if !due(Some(first), span) {
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
        if let Some(span) = settings.idle {
            while let Some(place) = self.quiet.oldest() {
                if !due(self.keys.value(place).times.map(|t| t.1), span) {
                    break;
                }
                self.produce(settings, place, time, Reason::Idle, settings.idle_port, false, lift);
                self.close(settings, place, false);
            }
        }
        self.release(settings);
    }

    /// Time is `time`, and nothing earlier follows: what is due closes. Nothing where it is before now.
    pub fn advance_to(&mut self, settings: &Settings, time: T, lift: impl Fn(&E) -> M) {
        self.drop_ready();
        if self.finished || !time.is_time() || self.now.is_some_and(|now| time < now) {
            return;
        }
        self.now = Some(time);
        self.expire(settings, time, &lift);
    }

    /// A heartbeat: as [`advance_to`](Self::advance_to), and where the window says so every open window closes.
    pub fn heartbeat(&mut self, settings: &Settings, time: T, lift: impl Fn(&E) -> M) {
        self.drop_ready();
        if self.finished || !time.is_time() || self.now.is_some_and(|now| time < now) {
            return;
        }
        self.now = Some(time);
        self.expire(settings, time, &lift);
        if settings.heartbeat {
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
                while let Some((_, place)) = self.firsts.first() {
                    self.close(settings, place, true);
                }
                self.release(settings);
            }
        }
        self.finished = true;
    }

    fn close_all(&mut self, settings: &Settings, end: T, reason: Reason, lift: &impl Fn(&E) -> M) {
        while let Some((_, place)) = self.firsts.first() {
            self.produce(settings, place, end, reason, 0, false, lift);
            self.close(settings, place, false);
        }
        self.release(settings);
    }

    /// A window gives up its oldest element: the one that began first.
    fn evict_element(&mut self, settings: &Settings) -> bool {
        let Some((_, place)) = self.firsts.first() else { return false };
        if !settings.stores {
            return false;
        }
        self.evicted += 1;
        self.advance(settings, place, 1);
        self.release(settings);
        true
    }

    /// A key gives up its place: one that only remembers, else the one whose window began first.
    fn evict_key(&mut self) {
        let oldest = self.keys.oldest().filter(|p| self.keys.value(*p).len == 0);
        let Some(place) = oldest.or_else(|| self.firsts.first().map(|f| f.1)) else { return };
        let window = *self.keys.value(place);
        self.evicted += window.len;
        let mut next = window.head;
        while next != NONE {
            let after = self.links[next as usize];
            self.give_back(next);
            self.live -= 1;
            next = after;
        }
        self.unfile(place);
        self.keys.remove(place);
    }

    /// An output leaves, or waits.
    fn emit(&mut self, settings: &Settings, at: u32) {
        let number = self.number;
        self.number += 1;
        if !settings.keep_order {
            self.leave(at);
        } else if let Some(piece) = &self.pieces[at as usize] {
            self.held.put(at as usize, (piece.start, number));
        }
    }

    /// Hands over what no open window can precede any more.
    fn release(&mut self, settings: &Settings) {
        if !settings.keep_order {
            return;
        }
        let bound = self.firsts.first().map(|((start, _), _)| start);
        while let Some(((start, _), at)) = self.held.first() {
            if bound.is_some_and(|b| start > b) {
                return;
            }
            self.held.remove(at);
            // a place in the pool is below 2^32
            self.leave(u32::try_from(at).unwrap_or(NONE));
        }
    }

    fn leave(&mut self, at: u32) {
        let Some(piece) = self.pieces.get(at as usize).copied().flatten() else { return };
        self.live = self.live.saturating_sub(piece.weight);
        self.links[at as usize] = NONE;
        if self.ready.0 == NONE {
            self.ready = (at, at);
        } else {
            self.links[self.ready.1 as usize] = at;
            self.ready.1 = at;
        }
    }

    /// The next output. The members of one with members can be read until the next call.
    pub fn next_output(&mut self) -> Option<Given<E, K, M, T>> {
        self.return_lent();
        let at = self.ready.0;
        let piece = self.pieces.get(at as usize).copied().flatten()?;
        self.ready.0 = self.links[at as usize];
        if piece.members == NONE {
            self.give_back(at);
        } else {
            self.lent = at;
        }
        let Piece { what, start, end, port, reason, members, .. } = piece;
        Some(Given { what, start, end, port, reason, members })
    }

    /// Is there an output?
    #[must_use]
    pub fn has_output(&self) -> bool {
        self.ready.0 != NONE
    }

    /// The members of an output, each with its start.
    pub fn members<'a>(
        &'a self,
        of: &Given<E, K, M, T>,
    ) -> impl Iterator<Item = (&'a E, T)> + use<'a, E, K, M, T, N, MOST, H, S> {
        let mut next = of.members;
        core::iter::from_fn(move || {
            let piece = self.pieces.get(next as usize)?.as_ref()?;
            next = self.links[next as usize];
            match &piece.what {
                What::Element(e) => Some((e, piece.start)),
                _ => None,
            }
        })
    }

    fn return_lent(&mut self) {
        let at = core::mem::replace(&mut self.lent, NONE);
        let Some(piece) = self.pieces.get(at as usize).copied().flatten() else { return };
        let mut next = piece.members;
        while next != NONE {
            let after = self.links[next as usize];
            self.give_back(next);
            next = after;
        }
        self.give_back(at);
    }

    /// What was not asked for is dropped, unless it could not be asked for.
    fn drop_ready(&mut self) {
        if core::mem::replace(&mut self.stays, false) {
            self.return_lent();
            return;
        }
        while self.next_output().is_some() {}
        self.return_lent();
    }

    #[expect(clippy::cast_possible_truncation, reason = "there are fewer than 2^32 pieces")]
    fn take(&mut self, piece: Piece<E, K, M, T>) -> u32 {
        let at = if self.free == NONE {
            assert!(self.used < N, "there are more pieces than elements and outputs together");
            self.used += 1;
            self.used as u32 - 1
        } else {
            let at = self.free;
            self.free = self.links[at as usize];
            at
        };
        self.pieces[at as usize] = Some(piece);
        self.links[at as usize] = NONE;
        at
    }

    fn give_back(&mut self, at: u32) {
        self.pieces[at as usize] = None;
        self.links[at as usize] = self.free;
        self.free = at;
    }

    /// Forgets everything.
    pub fn reset(&mut self) {
        self.pieces.fill(None);
        self.links.fill(NONE);
        self.keys.clear();
        self.firsts.clear();
        self.quiet.clear();
        self.held.clear();
        (self.free, self.used, self.ready, self.lent, self.stays) = (NONE, 0, (NONE, NONE), NONE, false);
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

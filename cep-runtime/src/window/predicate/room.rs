//! What there is room for, and what goes where there is none.
use super::{NONE, Settings, Verdict, Windows};
use crate::storage::Storage;
use crate::{Clock, Monoid};
use core::hash::Hash;

impl<E, K, M, T, const N: usize, const MOST: usize, const H: usize, S: Storage>
    Windows<E, K, M, T, N, MOST, H, S>
where
    E: Copy,
    K: Copy + Eq + Hash,
    M: Monoid,
    T: Clock<Span = u64>,
{
    /// Calls `f` with each window that time closes at `time`, and whether it is because that is open for too long.
    fn each_due(&self, settings: &Settings, time: T, mut f: impl FnMut(usize, bool)) {
        if settings.max.is_some() {
            if settings.shortens() {
                for place in self.firsts.iter() {
                    if self.is_too_long(settings, place, time) {
                        f(place, true);
                    }
                }
            } else {
                let mut next = self.opened.oldest();
                while let Some(place) = next
                    && self.is_too_long(settings, place, time)
                {
                    f(place, true);
                    next = self.opened.after(place);
                }
            }
        }
        if settings.idle.is_some() {
            let mut next = self.quiet.oldest();
            while let Some(place) = next
                && self.is_too_quiet(settings, place, time)
            {
                if !self.is_too_long(settings, place, time) {
                    f(place, false);
                }
                next = self.quiet.after(place);
            }
        }
    }

    /// What comes out of a window that time closes: calls `f` with the start of each output and the room that it takes while it waits.
    /// Gives the room that the elements take that come out no more.
    fn of_due(
        &self,
        settings: &Settings,
        (place, long): (usize, bool),
        time: T,
        f: &mut impl FnMut(T, u64),
    ) -> u64 {
        let window = self.keys.value(place);
        let first = window.began(time);
        let stored = if settings.stores { window.len } else { 0 };
        if long && !settings.output_max {
            return stored;
        }
        if settings.folds {
            f(first, 1);
            return stored;
        }
        let (mut next, mut members) = (window.head, 0);
        while next != NONE {
            if let Some(piece) = &self.pieces[next as usize] {
                let start = if settings.same_start { first } else { piece.own };
                if start < time {
                    members += 1;
                    if !settings.nested {
                        f(start, 1);
                    }
                }
            }
            next = self.links[next as usize];
        }
        if settings.nested {
            f(first, members);
        }
        stored - members
    }

    /// When the window began that began first of those that time does not close, other than that of `but`.
    fn bound(&self, settings: &Settings, but: Option<usize>, expires: bool, time: T) -> Option<T> {
        if !expires {
            return match but {
                Some(p) => self.began(self.first_but(settings, p)?),
                None => self.first_began(settings),
            };
        }
        let counts = |p: usize| but != Some(p) && !self.is_due(settings, p, time);
        if settings.shortens() {
            let mut found: Option<T> = None;
            for place in self.firsts.iter() {
                if let Some(began) = self.began(place)
                    && counts(place)
                {
                    found = match found {
                        Some(least) if least <= began => found,
                        _ => Some(began),
                    };
                }
            }
            return found;
        }
        let mut next = self.opened.oldest();
        while let Some(place) = next {
            if counts(place) {
                return self.began(place);
            }
            next = self.opened.after(place);
        }
        None
    }

    /// Would everything have room that is there after this element? What time closes before it is taken as closed.
    pub(super) fn has_room(&self, settings: &Settings, verdict: &Verdict, time: T, split: bool) -> bool {
        let Verdict { found, due, open, ends, stays, opens, .. } = *verdict;
        let long = match self.first(settings) {
            Some(p) => self.is_too_long(settings, p, time),
            None => false,
        };
        let quiet = match self.quiet.oldest() {
            Some(p) => self.is_too_quiet(settings, p, time),
            None => false,
        };
        let expires = long || quiet;
        let (mut live, mut windows, mut keys) = (self.live, self.open(), self.keys.len());
        let mut out: Option<T> = None;
        if expires {
            // what leaves as time goes on: everything that began no later than any window that stays
            let least = self.bound(settings, None, true, time);
            let leaves = |s: T| !settings.keep_order || least.is_none_or(|b| s <= b);
            let (mut closed, mut gone, mut waits) = (0, 0, 0);
            self.each_due(settings, time, |place, long| {
                closed += 1;
                let mut outputs = |start: T, weight: u64| {
                    // elements that come out are counted as what they were
                    gone += if settings.folds { 0 } else { weight };
                    waits += if leaves(start) { 0 } else { weight };
                };
                let lost = self.of_due(settings, (place, long), time, &mut outputs);
                gone += lost;
            });
            for at in self.held.iter() {
                if let Some(piece) = &self.pieces[at]
                    && leaves(piece.start)
                {
                    gone += piece.weight;
                }
            }
            live = live + waits - gone;
            windows -= closed;
            keys -= if settings.remembers { 0 } else { closed };
            out = Some(least.unwrap_or(time));
        }
        let new_key = found.is_none() || due && !settings.remembers;
        if new_key && keys == MOST as u64 && (opens || settings.remembers) {
            return false;
        }
        // a window that is only folded has room as an output when it closes, whatever closes it
        if !settings.stores && opens && !open && live + windows + 3 > N as u64 {
            return false;
        }
        let stored = u64::from(settings.stores);
        let more = match (open, ends) {
            (true, false) => stored,
            (true, true) => {
                let outputs = if settings.folds {
                    1
                } else if let (true, Some(p)) = (stays, found) {
                    self.keys.value(p).len + 1
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
        if more == 0 || live + more <= settings.most {
            return true;
        }
        // what would leave at once needs no room
        let closes = open && ends && !stays;
        let but = found.filter(|_| closes || !open);
        let mut bound = self.bound(settings, but, expires, time);
        if opens && bound.is_none() {
            bound = Some(time);
        }
        let leaves = |s: T| !settings.keep_order || bound.is_none_or(|b| s <= b);
        // and what left before is gone
        let waits = |s: T| settings.keep_order && out.is_none_or(|b| s > b);
        let mut released = 0;
        for at in self.held.iter() {
            if let Some(piece) = &self.pieces[at]
                && waits(piece.start)
                && leaves(piece.start)
            {
                released += piece.weight;
            }
        }
        if expires {
            self.each_due(settings, time, |place, long| {
                let mut outputs = |start: T, weight: u64| {
                    released += if waits(start) && leaves(start) { weight } else { 0 };
                };
                self.of_due(settings, (place, long), time, &mut outputs);
            });
        }
        if let (true, true, Some(p)) = (open, ends, found) {
            let window = self.keys.value(p);
            let first = window.began(time);
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
        (live + more).saturating_sub(released) <= settings.most
    }

    /// A window gives up its oldest element: the one that began first.
    pub(super) fn evict_element(&mut self, settings: &Settings) -> bool {
        let Some(place) = self.first(settings) else { return false };
        if !settings.stores {
            return false;
        }
        self.evicted += 1;
        self.advance(settings, place, 1);
        self.release(settings);
        true
    }

    /// A key gives up its place: one that only remembers, else the one whose window began first.
    pub(super) fn evict_key(&mut self, settings: &Settings) {
        let place = match self.keys.oldest() {
            Some(p) if self.keys.value(p).len == 0 => p,
            _ => match self.first(settings) {
                Some(p) => p,
                None => return,
            },
        };
        let len = self.keys.value(place).len;
        self.evicted += len;
        if settings.stores && len > 0 {
            self.drop_elements(place);
        }
        self.unfile(settings, place);
        self.forget(settings, place);
    }
}

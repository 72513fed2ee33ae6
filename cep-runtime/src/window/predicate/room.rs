//! What there is room for, and what goes where there is none.
use super::{NONE, Settings, Windows};
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
    /// Would everything have room that is there after this element?
    #[allow(clippy::too_many_arguments, reason = "all that was decided so far")]
    pub(super) fn has_room(
        &mut self,
        settings: &Settings,
        found: Option<usize>,
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
                    found.map_or(0, |p| self.keys.value(p).len) + 1
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
            Some(p) if closes || !open => self.first_but(settings, p),
            _ => self.first(settings),
        };
        let mut bound = other.and_then(|p| self.began(p));
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
        if let (true, true, Some(p)) = (open, ends, found) {
            let window = self.keys.value(p);
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
        let oldest = self.keys.oldest().filter(|p| self.keys.value(*p).len == 0);
        let Some(place) = oldest.or_else(|| self.first(settings)) else { return };
        let len = self.keys.value(place).len;
        self.evicted += len;
        if settings.stores && len > 0 {
            self.drop_elements(place);
        }
        self.unfile(settings, place);
        self.forget(settings, place);
    }
}

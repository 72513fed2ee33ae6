//! From a window that closes to the outputs that leave, in order; and the pool of pieces.
use super::{Given, NONE, Piece, Reason, Settings, What, Windows};
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
    /// The output of a window that ends at `end`; what is in it stays in it where `keeps`.
    #[allow(clippy::too_many_arguments, reason = "how and where it comes out")]
    pub(super) fn produce(
        &mut self,
        settings: &Settings,
        place: usize,
        end: T,
        reason: Reason,
        port: u8,
        keeps: bool,
        lift: &impl Fn(&E) -> M,
    ) {
        // by reference and field by field: a copy of it would be most of the work
        let window = self.keys.value(place);
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
        let (mut next, mut head, mut tail, mut members) = (self.keys.value(place).head, NONE, NONE, 0u64);
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

    /// An output leaves, or waits.
    pub(super) fn emit(&mut self, settings: &Settings, at: u32) {
        let number = self.number;
        self.number += 1;
        if !settings.keep_order {
            self.leave(at);
        } else if let Some(piece) = &self.pieces[at as usize] {
            self.held.put(at as usize, (piece.start, number));
        }
    }

    /// Hands over what no open window can precede any more.
    pub(super) fn release(&mut self, settings: &Settings) {
        if !settings.keep_order {
            return;
        }
        let bound = self.first_began(settings);
        while let Some(((start, _), at)) = self.held.first() {
            if let Some(bound) = bound
                && start > bound
            {
                return;
            }
            self.held.remove(at);
            // a place in the pool is below 2^32
            self.leave(u32::try_from(at).unwrap_or(NONE));
        }
    }

    pub(super) fn leave(&mut self, at: u32) {
        let Some(Some(piece)) = self.pieces.get(at as usize) else { return };
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
        let Some(Some(piece)) = self.pieces.get(at as usize) else { return None };
        let Piece { what, start, end, port, reason, members, .. } = *piece;
        self.ready.0 = self.links[at as usize];
        if members == NONE {
            self.give_back(at);
        } else {
            self.lent = at;
        }
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

    pub(super) fn return_lent(&mut self) {
        let at = core::mem::replace(&mut self.lent, NONE);
        let Some(Some(piece)) = self.pieces.get(at as usize) else { return };
        let mut next = piece.members;
        while next != NONE {
            let after = self.links[next as usize];
            self.give_back(next);
            next = after;
        }
        self.give_back(at);
    }

    /// What was not asked for is dropped.
    pub(super) fn drop_ready(&mut self) {
        while self.next_output().is_some() {}
        self.return_lent();
    }

    #[expect(clippy::cast_possible_truncation, reason = "there are fewer than 2^32 pieces")]
    pub(super) fn take(&mut self, piece: Piece<E, K, M, T>) -> u32 {
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

    pub(super) fn give_back(&mut self, at: u32) {
        self.pieces[at as usize] = None;
        self.links[at as usize] = self.free;
        self.free = at;
    }
}

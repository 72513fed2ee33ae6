//! What fills repeated holes.
use super::{Hole, Piece, WRITTEN};

/// Pieces that fill a repeated hole, one each turn: the number of their list among all lists of the open scopes. A copy is the same list.
#[derive(Clone, Copy)]
pub(crate) struct Pieces(pub(super) usize);

impl Pieces {
    /// A list of its own, without pieces.
    pub(crate) fn new() -> Pieces {
        WRITTEN.with_borrow_mut(|written| {
            written.lists.push(Vec::new());
            Pieces(written.lists.len() - 1)
        })
    }

    pub(crate) fn add(self, piece: Piece) {
        WRITTEN.with_borrow_mut(|written| written.lists[self.0].push(piece));
    }

    pub(crate) fn len(self) -> usize {
        WRITTEN.with_borrow(|written| written.lists[self.0].len())
    }

    pub(crate) fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// One of those that there are.
    pub(crate) fn get(self, i: usize) -> Piece {
        WRITTEN.with_borrow(|written| written.lists[self.0][i])
    }
}

// As `slices` does it, for pieces: nothing here has a destructor.

/// Each as it is.
pub(crate) fn pieces_of<T: Hole>(all: &[T]) -> Pieces {
    pieces(all, |hole| Piece::of(hole))
}

/// What `f` makes of each.
pub(crate) fn pieces<'a, T>(mut all: &'a [T], f: impl Fn(&'a T) -> Piece + Copy) -> Pieces {
    let list = Pieces::new();
    while let [first, rest @ ..] = all {
        list.add(f(first));
        all = rest;
    }
    list
}

/// What `f` makes of each and its index.
pub(crate) fn indexed_pieces<'a, T>(all: &'a [T], f: impl Fn(usize, &'a T) -> Piece + Copy) -> Pieces {
    let list = Pieces::new();
    let mut i = 0;
    while i < all.len() {
        list.add(f(i, &all[i]));
        i += 1;
    }
    list
}

/// What `f` makes of those of which it makes something.
pub(crate) fn picked_pieces<'a, T>(mut all: &'a [T], f: impl Fn(&'a T) -> Option<Piece> + Copy) -> Pieces {
    let list = Pieces::new();
    while let [first, rest @ ..] = all {
        if let Some(piece) = f(first) {
            list.add(piece);
        }
        all = rest;
    }
    list
}

/// What `f` makes of each number below `n`.
pub(crate) fn numbered_pieces(n: usize, f: impl Fn(usize) -> Piece + Copy) -> Pieces {
    let list = Pieces::new();
    let mut i = 0;
    while i < n {
        list.add(f(i));
        i += 1;
    }
    list
}

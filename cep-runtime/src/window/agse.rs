//! What a window of the AGSE kind (`stream@(k, w)` of RetractorDB) is made of: a counter, the newest elements, and folds over panes.
//!
//! Elements are numbered in the order in which records are flattened. The window with the number n ends at element n·k and holds L = |w|
//! elements; all of n, k and L are known, so one countdown tells when a window is complete.
use super::Sliding;
use crate::Monoid;
use crate::storage::{Inline, Slots, Storage};

/// Counts elements: which one completes a window, and which number that has.
#[derive(Clone, Copy)]
pub struct Hop {
    /// Elements up to and including the one that completes the next window.
    left: u64,
    /// The number of that window.
    index: u64,
}

impl Hop {
    /// The first window is complete with the `first`th element (1: with the next one) and has the number `index`.
    #[inline]
    #[must_use]
    pub const fn new(first: u64, index: u64) -> Self {
        Hop { left: first, index }
    }

    /// How many elements there are up to the end of the next window, that one included.
    #[inline(always)]
    #[must_use]
    pub const fn left(&self) -> u64 {
        self.left
    }

    /// Counts one element: the number of the window that it completes. The next one is `hop` elements behind it.
    #[inline(always)]
    pub fn tick(&mut self, hop: u64) -> Option<u64> {
        self.left -= 1;
        if self.left > 0 {
            return None;
        }
        self.left = hop;
        let index = self.index;
        self.index += 1;
        Some(index)
    }
}

/// When a clocked engine lets record number `index` out: `(index + 1 + tail) · interval`, in lowest terms, above and below the line.
#[inline]
#[must_use]
pub const fn emit_at(index: u64, tail: u64, (above, below): (u64, u64)) -> (u128, u64) {
    // up to 65 bits times 64 bits is more than 128 only for numbers that no stream reaches
    let slots = index as u128 + 1 + tail as u128;
    let (mut a, mut b) = (slots, below as u128);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    // at most `below`, which fits
    #[expect(clippy::cast_possible_truncation, reason = "a divisor of a 64-bit number")]
    let divisor = a as u64;
    let divisor = if divisor == 0 { 1 } else { divisor };
    ((slots / divisor as u128).saturating_mul(above as u128), below / divisor)
}

/// The newest `N` elements.
pub struct Newest<T: 'static, const N: usize, S: Storage = Inline> {
    slots: S::Ring<T, N>,
    /// Where the next element goes, the oldest one's place.
    next: usize,
}

impl<T: Copy + 'static, const N: usize> Newest<T, N, Inline> {
    /// Inside the machine; `fill` stands for elements that never came.
    #[must_use]
    pub const fn new(fill: T) -> Self {
        const { assert!(N > 0) }
        Newest { slots: Slots([fill; N]), next: 0 }
    }
}

#[cfg(feature = "alloc")]
impl<T: Copy + 'static, const N: usize> Newest<T, N, crate::Boxed> {
    /// On the heap: one allocation now and none later; `fill` stands for elements that never came.
    #[must_use]
    pub fn boxed(fill: T) -> Self {
        const { assert!(N > 0) }
        Newest { slots: crate::storage::boxed(fill), next: 0 }
    }
}

impl<T: Copy + 'static, const N: usize, S: Storage> Newest<T, N, S> {
    /// Takes an element; the oldest goes.
    #[inline(always)]
    pub fn insert(&mut self, element: T) {
        self.slots[self.next] = element;
        self.next = if self.next + 1 == N { 0 } else { self.next + 1 };
    }

    /// Forgets what came, as far as the next elements go: the first one takes the first place again.
    pub fn clear(&mut self) {
        self.next = 0;
    }

    /// The place of the element that came `back` before the newest one.
    #[inline(always)]
    fn place(&self, back: usize) -> usize {
        let at = self.next + N - 1 - back;
        if at >= N { at - N } else { at }
    }

    /// `L` elements in the order of arrival, up to the one that came `back` before the newest. Cost: O(L).
    #[must_use]
    pub fn in_order<const L: usize>(&self, back: usize) -> [T; L] {
        core::array::from_fn(|i| self.slots[self.place(back + L - 1 - i)])
    }

    /// The same, newest first.
    #[must_use]
    pub fn newest_first<const L: usize>(&self, back: usize) -> [T; L] {
        core::array::from_fn(|i| self.slots[self.place(back + i)])
    }
}

impl<T: Copy + 'static, const N: usize> Clone for Newest<T, N, Inline> {
    fn clone(&self) -> Self {
        Newest { slots: self.slots, next: self.next }
    }
}

#[cfg(feature = "alloc")]
impl<T: Copy + 'static, const N: usize> Clone for Newest<T, N, crate::Boxed> {
    fn clone(&self) -> Self {
        Newest { slots: crate::storage::boxed_copy(&self.slots), next: self.next }
    }
}

/// A sliding fold over panes: stretches of elements that are folded first, because no window begins or ends inside of one.
///
/// A pane is as long as the greatest common divisor of hop and width, and the kernel slides over panes.
#[derive(Clone)]
pub struct Panes<M, K> {
    kernel: K,
    pane: M,
    /// Elements up to the end of the pane.
    left: u64,
    length: u64,
}

impl<M: Monoid, K: Sliding<M>> Panes<M, K> {
    /// Panes of `length` elements, the first one of `first`.
    #[must_use]
    pub const fn new(kernel: K, first: u64, length: u64) -> Self {
        Panes { kernel, pane: M::IDENTITY, left: first, length }
    }

    /// Takes an element's state.
    #[inline(always)]
    pub fn insert(&mut self, newest: M) {
        self.left -= 1;
        if self.left > 0 {
            self.pane = self.pane.combine(&newest);
            return;
        }
        let pane = if self.length == 1 { newest } else { self.pane.combine(&newest) };
        self.kernel.slide(pane);
        self.pane = M::IDENTITY;
        self.left = self.length;
    }

    /// The fold of the window that ends with the newest element, which is the last one of its pane.
    #[inline(always)]
    #[must_use]
    pub fn query(&self) -> M {
        self.kernel.query()
    }

    /// Forgets everything; the first pane has `first` elements again.
    pub fn clear(&mut self, first: u64) {
        self.kernel.clear();
        (self.pane, self.left) = (M::IDENTITY, first);
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use crate::window::{Recompute, TwoStacks};
    use crate::{Pair, Sum};
    use std::vec::Vec;

    fn gcd(a: u64, b: u64) -> u64 {
        if b == 0 { a } else { gcd(b, a % b) }
    }

    /// Windows by their definition: number n ends at n·k and holds L elements.
    fn model(k: u64, length: u64, elements: u64) -> Vec<(u64, Vec<u64>)> {
        let complete = |n: u64| n * k + 1 >= length && n * k < elements;
        let windows = (0..elements).filter(|n| complete(*n));
        windows.map(|n| (n, (n * k + 1 - length..=n * k).collect())).collect()
    }

    fn first_window(k: u64, length: u64) -> u64 {
        (length - 1).div_ceil(k)
    }

    macro_rules! shapes {
        ($(($k:literal, $l:literal))*) => { $({
            let origin = first_window($k, $l);
            let mut hop = Hop::new(origin * $k + 1, origin);
            let mut newest = Newest::<u64, { $l + 2 }>::new(0);
            let mut found = Vec::new();
            for element in 0..100 {
                newest.insert(element);
                if let Some(n) = hop.tick($k) {
                    let mut reversed = newest.newest_first::<$l>(0);
                    reversed.reverse();
                    assert_eq!(reversed, newest.in_order::<$l>(0));
                    found.push((n, reversed.to_vec()));
                    if element > $l + 1 {
                        assert_eq!(newest.in_order::<1>(2), [element - 2]);
                    }
                }
            }
            assert_eq!(found, model($k, $l, 100));
        })* };
    }

    #[test]
    fn windows_end_at_multiples_of_the_hop() {
        shapes!((1, 1)(1, 3)(3, 3)(5, 1)(2, 2)(4, 4)(2, 5)(4, 3)(7, 21)(3, 2)(8, 2)(1, 25));
    }

    #[test]
    fn panes_fold_what_the_window_holds() {
        type Fold = Pair<Sum<u64>, crate::First<u64>>;
        macro_rules! panes {
            ($(($k:literal, $l:literal, $panes:literal))*) => { $({
                let g = gcd($k, $l);
                assert_eq!($l / g, $panes);
                let origin = first_window($k, $l);
                let mut hop = Hop::new(origin * $k + 1, origin);
                let mut stacks = Panes::new(TwoStacks::<Fold, $panes, crate::Inline, crate::States>::new(), 1, g);
                let mut again = Panes::new(Recompute::<Fold, $panes>::new(), 1, g);
                let mut found = Vec::new();
                for element in 0..200 {
                    let state = Fold::lift((element, element));
                    stacks.insert(state);
                    again.insert(state);
                    if let Some(n) = hop.tick($k) {
                        assert_eq!(stacks.query().lower(), again.query().lower());
                        found.push((n, stacks.query().lower()));
                    }
                }
                let folded = |w: Vec<u64>| (w.iter().map(|x| u128::from(*x)).sum::<u128>(), w.first().copied());
                let model: Vec<_> = model($k, $l, 200).into_iter().map(|(n, w)| (n, folded(w))).collect();
                assert_eq!(found, model);
            })* };
        }
        panes!((1, 1, 1)(1, 3, 3)(2, 4, 2)(2, 5, 5)(7, 21, 3)(6, 9, 3)(3, 30, 10)(4, 6, 3));
    }
}

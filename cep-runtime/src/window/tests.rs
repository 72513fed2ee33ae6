//! All kernels against a fold of the window, over a monoid that notices order and loss; combines are counted.
extern crate std;
use super::*;
use crate::{Borrowed, Group, Held, Inline, Monoid};
use core::cell::Cell;
use std::collections::VecDeque;

std::thread_local! {
    static COMBINES: Cell<u64> = const { Cell::new(0) };
}

const PRIME: u64 = 1_000_003;

/// `x ↦ a·x + b` modulo a prime, under composition: not commutative, and every map with `a ≠ 0` has an inverse.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Map(u64, u64);

fn power(mut base: u64, mut exponent: u64) -> u64 {
    let mut result = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result * base % PRIME;
        }
        base = base * base % PRIME;
        exponent >>= 1;
    }
    result
}

fn compose(older: Map, newer: Map) -> Map {
    Map(older.0 * newer.0 % PRIME, (older.1 * newer.0 + newer.1) % PRIME)
}

impl Monoid for Map {
    type Input = u64;
    type Output = (u64, u64);
    const IDENTITY: Self = Map(1, 0);
    fn lift(value: u64) -> Self {
        Map(1 + value % (PRIME - 1), value / 7 % PRIME)
    }
    fn combine(&self, newer: &Self) -> Self {
        COMBINES.set(COMBINES.get() + 1);
        compose(*self, *newer)
    }
    fn lower(&self) -> (u64, u64) {
        (self.0, self.1)
    }
}

impl Held for Map {
    type Slot = (u32, u32);
    const FILL: (u32, u32) = (7, 7);
    fn slot(&self) -> (u32, u32) {
        self.kept()
    }
    fn of_slot(slot: (u32, u32)) -> Self {
        Map::back(slot)
    }
}

impl Group for Map {
    type Kept = (u32, u32);
    const NOTHING: (u32, u32) = (1, 0);
    fn kept(&self) -> (u32, u32) {
        (u32::try_from(self.0).expect("below PRIME"), u32::try_from(self.1).expect("below PRIME"))
    }
    fn back((a, b): (u32, u32)) -> Self {
        Map(a.into(), b.into())
    }
    fn without(&self, oldest: &Self) -> Self {
        // self = newer ∘ oldest: newer.0 = self.0 / oldest.0, newer.1 = self.1 - oldest.1 · newer.0
        let a = self.0 * power(oldest.0, PRIME - 2) % PRIME;
        Map(a, (self.1 + PRIME - oldest.1 * a % PRIME) % PRIME)
    }
}

fn values() -> impl FnMut() -> u64 {
    let mut x = 0x9e37_79b9_7f4a_7c15u64;
    move || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        x >> 20
    }
}

/// Slides far over the window's length; gives the most combines of one step.
fn slides(kernel: &mut impl Sliding<Map>, length: usize) -> u64 {
    let (mut next, mut model, mut most) = (values(), VecDeque::new(), 0);
    assert_eq!(kernel.query(), Map::IDENTITY);
    for _ in 0..length * 5 + 40 {
        let newest = Map::lift(next());
        if model.len() == length {
            model.pop_front();
        }
        model.push_back(newest);
        COMBINES.set(0);
        kernel.slide(newest);
        let fold = kernel.query();
        most = most.max(COMBINES.get());
        assert_eq!(fold, model.iter().fold(Map::IDENTITY, |older, newer| compose(older, *newer)));
    }
    kernel.clear();
    assert_eq!(kernel.query(), Map::IDENTITY);
    most
}

macro_rules! lengths {
    ($($n:literal)*) => { $({
        const SLOTS: usize = usize::next_power_of_two($n);
        // a second round shows that `clear` forgets
        let (mut recompute, mut inverse) = (Recompute::<Map, $n>::new(), Inverse::<Map, $n, Inline, States>::new());
        let mut values = Inverse::<Map, $n, Inline, Values>::new();
        let (mut stacks, mut daba) = (TwoStacks::<Map, $n, Inline, States>::new(), Daba::<Map, SLOTS>::new($n));
        for _ in 0..2 {
            assert_eq!(slides(&mut recompute, $n), $n);
            assert_eq!(slides(&mut inverse, $n), 1);
            assert_eq!(slides(&mut values, $n), 1);
            assert!(slides(&mut stacks, $n) <= $n + 2);
            assert!(slides(&mut daba, $n) <= 6);
        }
        let mut slots = [Map(7, 7); $n];
        slides(&mut TwoStacks::<_, $n, Borrowed<'_>, States>::over(&mut slots), $n);
        slides(&mut TwoStacks::<_, $n, Borrowed<'_>, Folds>::over(&mut [(7, 7); $n]), $n);
        slides(&mut TwoStacks::<Map, $n, Inline, Folds>::new(), $n);
        slides(&mut Inverse::<_, $n, Borrowed<'_>, States>::over(&mut slots), $n);
        slides(&mut Inverse::<_, $n, Borrowed<'_>, Values>::over(&mut [(7, 7); $n]), $n);
        slides(&mut Recompute::<_, $n, Borrowed<'_>>::over(&mut slots), $n);
        slides(&mut Daba::<_, SLOTS, Borrowed<'_>>::over(&mut [Map(7, 7); SLOTS], $n), $n);
        slides(&mut stacks.clone(), $n);
        slides(&mut daba.clone(), $n);
    })* };
}

#[test]
fn every_kernel_folds_the_window() {
    lengths!(1 2 3 4 5 7 8 9 15 16 17 31 64 100);
}

#[cfg(feature = "alloc")]
#[test]
fn boxed_kernels_are_the_same() {
    use crate::Boxed;
    slides(&mut TwoStacks::<Map, 33, Boxed, States>::boxed(), 33);
    slides(&mut TwoStacks::<Map, 33, Boxed, Folds>::boxed().clone(), 33);
    slides(&mut Inverse::<Map, 33, Boxed, States>::boxed(), 33);
    slides(&mut Inverse::<Map, 33, Boxed, Values>::boxed().clone(), 33);
    slides(&mut Recompute::<Map, 33, Boxed>::boxed(), 33);
    slides(&mut Daba::<Map, 64, Boxed>::boxed(33), 33);
}

/// Windows that grow and shrink as they like.
#[test]
fn queues_grow_and_shrink() {
    let (mut stacks, mut daba) = (TwoStacks::<Map, 32, Inline, Folds>::new(), Daba::<Map, 32>::new(32));
    let (mut next, mut model) = (values(), VecDeque::new());
    for _ in 0..20_000 {
        let choice = next();
        COMBINES.set(0);
        let most = if choice % 16 < 8 + choice / 16 % 2 {
            let newest = Map::lift(next());
            let room = model.len() < 32;
            if room {
                model.push_back(newest);
            }
            assert_eq!((stacks.push(newest), daba.push(newest)), (room, room));
            4
        } else {
            model.pop_front();
            daba.evict();
            let combines = COMBINES.get();
            stacks.evict();
            COMBINES.set(combines);
            2
        };
        assert!(COMBINES.get() <= most);
        let fold = model.iter().fold(Map::IDENTITY, |older, newer| compose(older, *newer));
        assert_eq!((stacks.query(), daba.query()), (fold, fold));
        assert_eq!((stacks.len(), daba.len()), (model.len(), model.len() as u64));
        assert_eq!((stacks.is_empty(), daba.is_empty()), (model.is_empty(), model.is_empty()));
    }
}

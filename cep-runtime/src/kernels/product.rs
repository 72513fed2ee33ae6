//! How many runs end at an event, and sums over them, without looking at one: the inverse product.
//!
//! Each event is a matrix over the positions: the unit matrix (it is skipped) plus an entry for each transition that it can take. The product
//! over the window counts, for every pair of positions, the ways from one to the other; the row of the start is what an event multiplies
//! to give the runs that end with it. Without iterations all matrices are unitriangular, so the oldest one is taken back by a row
//! subtraction (no division, and exact modulo a power of two). Beside its count, each entry carries sums over the runs (dual numbers).
//! Cost: O(transitions × positions) for an event that enters or leaves, whatever the window; memory: the square of the positions, and the
//! events of the window, which the ring holds.
use crate::Sums;
use crate::kernels::walk::Table;

/// The integers modulo a power of two: a result is exact whenever the true value fits.
pub trait Modular: Sums + 'static {
    /// One.
    const ONE: Self;
    /// Their product.
    #[must_use]
    fn times(self, other: Self) -> Self;
}

macro_rules! modular {
    ($($t:ident),*) => { $(
        impl Modular for $t {
            const ONE: Self = 1;
            #[inline(always)]
            fn times(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
        }
    )* };
}
modular!(u64, u128);

/// Runs: how many, and for each of `F` things the sum over all of them.
pub struct Tally<N, const F: usize> {
    /// How many.
    pub count: N,
    /// The sums.
    pub sums: [N; F],
}
copies!([N: Copy, const F: usize] Tally<N, F>);

impl<N: Modular, const F: usize> Tally<N, F> {
    /// No run.
    pub const NONE: Self = Tally { count: N::ZERO, sums: [N::ZERO; F] };
    /// The run of no event.
    const UNIT: Self = Tally { count: N::ONE, sums: [N::ZERO; F] };

    /// These runs as well, each with an event more that adds `values`.
    #[inline(always)]
    fn add(&mut self, runs: &Self, values: &[N; F]) {
        self.count = self.count.plus(runs.count);
        for ((sum, before), value) in self.sums.iter_mut().zip(&runs.sums).zip(values) {
            *sum = sum.plus(*before).plus(runs.count.times(*value));
        }
    }

    /// Without them.
    #[inline(always)]
    fn subtract(&mut self, runs: &Self, values: &[N; F]) {
        self.count = self.count.minus(runs.count);
        for ((sum, before), value) in self.sums.iter_mut().zip(&runs.sums).zip(values) {
            *sum = sum.minus(*before).minus(runs.count.times(*value));
        }
    }
}

/// The product of the window's matrices over `Q` states: the start, and then the positions.
pub struct RunProduct<N, const Q: usize, const F: usize> {
    cells: [[Tally<N, F>; Q]; Q],
}

impl<N: Modular, const Q: usize, const F: usize> RunProduct<N, Q, F> {
    /// Of no event.
    #[must_use]
    pub const fn new() -> Self {
        let mut cells = [[Tally::NONE; Q]; Q];
        let mut i = 0;
        while i < Q {
            cells[i][i] = Tally::UNIT;
            i += 1;
        }
        RunProduct { cells }
    }

    /// Forgets every event.
    pub fn clear(&mut self) {
        *self = Self::new();
    }

    /// The runs that end with an event which takes the positions `taken` (bits); `values` is what it adds to the sums in a position.
    #[inline(always)]
    #[must_use]
    pub fn ending(&self, table: &Table, taken: u64, values: impl Fn(usize) -> [N; F]) -> Tally<N, F> {
        let mut out = Tally::NONE;
        let Some(row) = self.cells.first() else { return out };
        for q in bits(taken) {
            let of = values(q);
            for p in before(table, q) {
                if let Some(runs) = row.get(p) {
                    out.add(runs, &of);
                }
            }
        }
        out
    }

    /// An event enters the window.
    #[inline(always)]
    pub fn append(&mut self, table: &Table, taken: u64, values: impl Fn(usize) -> [N; F]) {
        // from the last position to the first: a run takes the event once
        let mut left = taken;
        while left != 0 {
            let q = 63 - left.leading_zeros() as usize;
            left &= !(1 << q);
            let of = values(q);
            for p in before(table, q) {
                for row in self.cells.iter_mut().take(p + 1) {
                    let Some(runs) = row.get(p).copied() else { continue };
                    if let Some(cell) = row.get_mut(q + 1) {
                        cell.add(&runs, &of);
                    }
                }
            }
        }
    }

    /// The oldest event leaves the window.
    #[inline(always)]
    pub fn evict(&mut self, table: &Table, taken: u64, values: impl Fn(usize) -> [N; F]) {
        let mut left = taken;
        while left != 0 {
            let q = 63 - left.leading_zeros() as usize;
            left &= !(1 << q);
            let of = values(q);
            // the row of `q` is done: what it led to by this event has a higher number
            let Some(from) = self.cells.get(q + 1).copied() else { continue };
            for p in before(table, q) {
                let Some(row) = self.cells.get_mut(p) else { continue };
                for (cell, runs) in row.iter_mut().zip(&from).skip(q + 1) {
                    cell.subtract(runs, &of);
                }
            }
        }
    }
}

impl<N: Copy, const Q: usize, const F: usize> Clone for RunProduct<N, Q, F> {
    fn clone(&self) -> Self {
        RunProduct { cells: self.cells }
    }
}

impl<N: Modular, const Q: usize, const F: usize> Default for RunProduct<N, Q, F> {
    fn default() -> Self {
        Self::new()
    }
}

/// The numbers of the bits, ascending.
#[inline(always)]
fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let q = word.trailing_zeros() as usize;
        word &= word.wrapping_sub(1);
        (q < 64).then_some(q)
    })
}

/// The states from which position `q` is entered.
#[inline(always)]
fn before(table: &Table, q: usize) -> impl Iterator<Item = usize> {
    let initial = table.start.iter().any(|e| usize::from(e.to) == q);
    let others = table.before.get(q).copied().unwrap_or(0);
    initial.then_some(0).into_iter().chain(bits(others).map(|p| p + 1))
}

#[cfg(test)]
mod tests {
    use super::{RunProduct, Tally};
    use crate::kernels::walk::{Edge, Table};

    const fn edge(to: u8) -> Edge {
        Edge { to, strict: false, repeats: 64, significant: false, leaves: false }
    }
    /// `A ; (B or B') ; C`, where an event may be several of them.
    const TABLE: Table = Table {
        start: &[edge(0)],
        edges: &[&[edge(1), edge(2)], &[edge(3)], &[edge(3)], &[]],
        before: &[0, 1, 1, 6],
        lanes: &[],
        length: 0,
        marks: &[1, 2, 4, 8],
        contiguous: true,
        computed: &[],
    };

    /// By looking at every run.
    fn counted(window: &[(u64, [u64; 4])], last: (u64, [u64; 4])) -> (u64, u64) {
        let (mut n, mut sum) = (0, 0u64);
        for (i, a) in window.iter().enumerate() {
            for b in window.iter().skip(i + 1) {
                for q in [1, 2] {
                    if a.0 & 1 != 0 && b.0 >> q & 1 != 0 && last.0 >> 3 & 1 != 0 {
                        n += 1;
                        sum = sum.wrapping_add(a.1[0]).wrapping_add(b.1[q]).wrapping_add(last.1[3]);
                    }
                }
            }
        }
        (n, sum)
    }

    #[test]
    fn what_enters_is_taken_back() {
        let mut seed = 7u64;
        let mut random = move || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            seed >> 33
        };
        for w in [1usize, 2, 5, 9] {
            let mut product: RunProduct<u64, 5, 1> = RunProduct::new();
            let mut window: [(u64, [u64; 4]); 16] = [(0, [0; 4]); 16];
            let mut len = 0;
            for _ in 0..200 {
                let event = (random() & 15, [random(), random(), random(), random()]);
                let of = |e: (u64, [u64; 4])| move |q: usize| [e.1[q]];
                while len >= w {
                    product.evict(&TABLE, window[0].0, of(window[0]));
                    window.rotate_left(1);
                    len -= 1;
                }
                let Tally { count, sums } = product.ending(&TABLE, event.0 & 8, of(event));
                assert_eq!((count, sums[0]), counted(&window[..len], event));
                product.append(&TABLE, event.0, of(event));
                window[len] = event;
                len += 1;
            }
        }
    }
}

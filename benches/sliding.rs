//! Sliding folds: the kernels of the runtime against the published algorithms over `VecDeque`, in one run.
//!
//! `cargo bench --bench sliding` prints, for `max` over `i64` (no inverse) and `sum` over `i32` (a group), the time of one step (evict, insert,
//! query) for windows of 16 to 2^20 values, the worst single step at 2^20 in time and in combines, and one line per bar. It exits with 1 if a
//! bar is missed.
//! `cargo bench --bench sliding -- --short` leaves out the worst steps in time.
use cep::__private::{Boxed, Daba, Folds, Inverse, Max, Monoid, Sliding, Sum, TwoStacks, Values};
use std::cell::Cell;
use std::collections::VecDeque;
use std::hint::black_box;
use std::time::Instant;

/// Two-Stacks Lite as published, over the standard library's queue.
struct QueueTwoStacks<M> {
    queue: VecDeque<M>,
    front: usize,
    back: M,
}

impl<M: Monoid> QueueTwoStacks<M> {
    fn new(length: usize) -> Self {
        QueueTwoStacks { queue: VecDeque::with_capacity(length), front: 0, back: M::IDENTITY }
    }
    #[inline]
    fn insert(&mut self, newest: M) {
        self.queue.push_back(newest);
        self.back = self.back.combine(&newest);
    }
    #[inline]
    fn evict(&mut self) {
        if self.front == 0 {
            let mut fold = M::IDENTITY;
            for state in self.queue.iter_mut().rev() {
                fold = state.combine(&fold);
                *state = fold;
            }
            self.front = self.queue.len();
            self.back = M::IDENTITY;
        }
        self.queue.pop_front();
        self.front -= 1;
    }
    #[inline]
    fn query(&self) -> M {
        match self.queue.front() {
            Some(fold) if self.front > 0 => fold.combine(&self.back),
            _ => self.back,
        }
    }
}

/// DABA Lite as published, over the standard library's queue; the pointers count from the start of the stream.
struct QueueDaba<M> {
    queue: VecDeque<M>,
    f: usize,
    l: usize,
    r: usize,
    a: usize,
    b: usize,
    middle: M,
    back: M,
}

impl<M: Monoid> QueueDaba<M> {
    fn new(length: usize) -> Self {
        let queue = VecDeque::with_capacity(length);
        QueueDaba { queue, f: 0, l: 0, r: 0, a: 0, b: 0, middle: M::IDENTITY, back: M::IDENTITY }
    }
    #[inline]
    fn insert(&mut self, newest: M) {
        self.queue.push_back(newest);
        self.back = self.back.combine(&newest);
        self.fix();
    }
    #[inline]
    fn evict(&mut self) {
        self.queue.pop_front();
        self.f += 1;
        self.fix();
    }
    #[inline]
    fn fix(&mut self) {
        let end = self.f + self.queue.len();
        if self.f == self.b {
            (self.l, self.r, self.a, self.b, self.back) = (end, end, end, end, M::IDENTITY);
            return;
        }
        if self.l == self.b {
            (self.l, self.r, self.a, self.b) = (self.f, self.b, end, end);
            (self.middle, self.back) = (self.back, M::IDENTITY);
        }
        if self.l == self.r {
            self.l += 1;
            self.r += 1;
            self.a += 1;
        } else {
            let left = self.l - self.f;
            self.queue[left] = self.queue[left].combine(&self.middle);
            self.l += 1;
            self.a -= 1;
            if self.a + 1 < self.b {
                let right = self.a - self.f;
                self.queue[right] = self.queue[right].combine(&self.queue[right + 1]);
            }
        }
    }
    #[inline]
    fn query(&self) -> M {
        self.queue.front().map_or(M::IDENTITY, |fold| fold.combine(&self.back))
    }
}

/// What is measured: a window that is full.
trait Full<M> {
    fn step(&mut self, newest: M) -> M;
}
impl<M: Monoid> Full<M> for QueueTwoStacks<M> {
    #[inline]
    fn step(&mut self, newest: M) -> M {
        self.evict();
        self.insert(newest);
        self.query()
    }
}
impl<M: Monoid> Full<M> for QueueDaba<M> {
    #[inline]
    fn step(&mut self, newest: M) -> M {
        self.evict();
        self.insert(newest);
        self.query()
    }
}
/// A kernel of ours.
struct Ours<K>(K);
impl<M: Monoid, K: Sliding<M>> Full<M> for Ours<K> {
    #[inline]
    fn step(&mut self, newest: M) -> M {
        self.0.slide(newest);
        self.0.query()
    }
}

/// A value that no compiler foresees, cheap to make.
#[inline]
fn value(i: u64) -> u64 {
    i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40
}

/// Steps of one sample: whole windows of every length, so that each sample of Two-Stacks holds its share of backward passes.
const STEPS: u64 = 1 << 20;
/// A sample is timed in so many parts.
const PARTS: usize = 16;

/// One kernel over one window, measured in samples.
struct Measured {
    run: Box<dyn FnMut(u64)>,
    length: u64,
    /// Seconds of each part: the least of all samples, which do the same in the same part. So what interrupts a sample spoils one part of it,
    /// and the sum is that of an undisturbed one.
    parts: [f64; PARTS],
}

impl Measured {
    fn new<M, W>(length: usize, window: W, lift: impl Fn(u64) -> M + 'static) -> Self
    where
        M: Monoid,
        W: Full<M> + 'static,
    {
        let (mut rest, mut at) = (Some(window), 0);
        let run = move |steps: u64| {
            // as a local, which no call sees: its few words may be in registers, as in a loop over a machine of the user's own
            if let Some(mut window) = rest.take() {
                for i in at..at + steps {
                    black_box(window.step(lift(i)));
                }
                at += steps;
                rest = Some(window);
            }
        };
        Measured { run: Box::new(run), length: length as u64, parts: [f64::INFINITY; PARTS] }
    }

    fn measure(&mut self) {
        // once through the window first: what is measured is a stream that flows, and not how the ring comes back into a cache that the other
        // cells have used
        (self.run)(self.length);
        for part in &mut self.parts {
            let begun = Instant::now();
            (self.run)(STEPS / PARTS as u64);
            *part = part.min(begun.elapsed().as_secs_f64());
        }
    }

    /// Nanoseconds a step takes.
    fn best(&self) -> f64 {
        self.parts.iter().sum::<f64>() * 1e9 / STEPS as f64
    }
}

/// The worst step over two windows' length, in nanoseconds: per step the least of `RUNS` identical runs.
fn worst<M: Monoid, W: Full<M>>(make: impl Fn() -> W, length: usize, lift: impl Fn(u64) -> M) -> f64 {
    const RUNS: usize = 20;
    let mut least = vec![u64::MAX; 2 * length];
    for _ in 0..RUNS {
        let mut window = make();
        for (i, least) in least.iter_mut().enumerate() {
            let newest = lift(i as u64);
            let begun = Instant::now();
            black_box(window.step(newest));
            *least = (*least).min(begun.elapsed().as_nanos() as u64);
        }
    }
    least.into_iter().max().unwrap_or(0) as f64
}

thread_local! {
    static COMBINES: Cell<u64> = const { Cell::new(0) };
}

/// `max`, with every combine counted.
#[derive(Clone, Copy)]
struct Counted(Max<i64>);

impl Monoid for Counted {
    type Input = i64;
    type Output = Option<i64>;
    const IDENTITY: Self = Counted(Max::IDENTITY);
    fn lift(value: i64) -> Self {
        Counted(Max::lift(value))
    }
    fn combine(&self, newer: &Self) -> Self {
        COMBINES.set(COMBINES.get() + 1);
        Counted(self.0.combine(&newer.0))
    }
    fn lower(&self) -> Option<i64> {
        self.0.lower()
    }
}

/// The most combines of one step, from the first value on and over two windows' length of full ones.
fn most_combines(mut window: impl Full<Counted>, length: usize) -> u64 {
    let mut most = 0;
    for i in 0..3 * length as u64 {
        COMBINES.set(0);
        black_box(window.step(Counted(max_of(i))));
        most = most.max(COMBINES.get());
    }
    most
}

fn filled<M: Monoid>(mut insert: impl FnMut(M), length: usize, lift: impl Fn(u64) -> M) {
    for i in 0..length {
        insert(lift(i as u64));
    }
}

fn queue_stacks<M: Monoid>(length: usize, lift: impl Fn(u64) -> M) -> QueueTwoStacks<M> {
    let mut window = QueueTwoStacks::new(length);
    filled(|m| window.insert(m), length, lift);
    window
}
fn queue_daba<M: Monoid>(length: usize, lift: impl Fn(u64) -> M) -> QueueDaba<M> {
    let mut window = QueueDaba::new(length);
    filled(|m| window.insert(m), length, lift);
    window
}
fn ours<M: Monoid, K: Sliding<M>>(mut kernel: K, length: usize, lift: impl Fn(u64) -> M) -> Ours<K> {
    filled(|m| kernel.slide(m), length, lift);
    Ours(kernel)
}

fn max_of(i: u64) -> Max<i64> {
    Max::lift(value(i) as i64)
}
fn sum_of(i: u64) -> Sum<i32> {
    Sum::lift(value(i) as i32)
}

/// One row of the table: a window's length, and the six kernels in the order of [`COLUMNS`].
struct Row {
    length: usize,
    cells: [Measured; 6],
}

const COLUMNS: [&str; 6] = ["queue 2-st", "queue daba", "two-stacks", "daba", "queue sum", "inverse"];

impl Row {
    fn new<const L: usize>() -> Self {
        let cells = [
            Measured::new(L, queue_stacks(L, max_of), max_of),
            Measured::new(L, queue_daba(L, max_of), max_of),
            Measured::new(L, ours(TwoStacks::<_, L, Boxed, Folds>::boxed(), L, max_of), max_of),
            Measured::new(L, ours(Daba::<_, L, Boxed>::boxed(L), L, max_of), max_of),
            Measured::new(L, queue_stacks(L, sum_of), sum_of),
            Measured::new(L, ours(Inverse::<_, L, Boxed, Values>::boxed(), L, sum_of), sum_of),
        ];
        Row { length: L, cells }
    }
    fn queue_stacks(&self) -> f64 {
        self.cells[0].best()
    }
    fn queue_daba(&self) -> f64 {
        self.cells[1].best()
    }
    fn stacks(&self) -> f64 {
        self.cells[2].best()
    }
    fn queue_sum(&self) -> f64 {
        self.cells[4].best()
    }
    fn inverse(&self) -> f64 {
        self.cells[5].best()
    }
}

fn main() {
    let short = std::env::args().any(|a| a == "--short");
    println!("ns for one step (evict, insert, query); max over i64 without, sum over i32 with an inverse");
    let mut rows = [
        Row::new::<16>(),
        Row::new::<256>(),
        Row::new::<1024>(),
        Row::new::<16_384>(),
        Row::new::<1_048_576>(),
    ];
    // One sample of each cell in turn: a machine that is slower for a while (its clock, its neighbours) is so for all of them, and the least
    // of a cell is that of a quiet moment. With all samples of a cell in a row, equal loops came out 1.8 times apart.
    for _ in 0..if short { 15 } else { 40 } {
        for row in &mut rows {
            row.cells.iter_mut().for_each(Measured::measure);
        }
    }
    let line = |first: &str, cells: [String; 6]| {
        let [a, b, c, d, e, f] = cells;
        println!("{first:>8} | {a:>10} {b:>10} | {c:>10} {d:>10} | {e:>10} {f:>10}");
    };
    line("window", COLUMNS.map(String::from));
    for row in &rows {
        line(&row.length.to_string(), std::array::from_fn(|i| format!("{:.2}", row.cells[i].best())));
    }
    let mut missed = 0;
    let mut bar = |what: &str, value: f64, most: f64| {
        let verdict = if value <= most { "met" } else { "missed" };
        missed += usize::from(value > most);
        println!("{what}: {value:.2} (bar {most}): {verdict}");
    };
    let of = |f: &dyn Fn(&Row) -> f64| rows.iter().map(f).fold(0.0, f64::max);
    let flat = |f: &dyn Fn(&Row) -> f64| of(f) / rows.iter().map(f).fold(f64::INFINITY, f64::min);
    bar("queue two-stacks at 1024, ns", rows[2].queue_stacks(), 5.5);
    bar("queue daba at 1024, ns", rows[2].queue_daba(), 14.0);
    bar("two-stacks / queue two-stacks, worst window", of(&|r| r.stacks() / r.queue_stacks()), 1.0);
    bar("inverse / queue two-stacks, worst window", of(&|r| r.inverse() / r.queue_sum()), 0.6);
    bar("two-stacks, slowest / fastest window", flat(&Row::stacks), 1.5);
    bar("inverse, slowest / fastest window", flat(&Row::inverse), 1.5);
    if !short {
        const L: usize = 1 << 20;
        let stacks = worst(|| queue_stacks(L, max_of), L, max_of);
        let daba = worst(|| ours(Daba::<_, L, Boxed>::boxed(L), L, max_of), L, max_of);
        println!("worst step at 2^20: queue two-stacks {stacks} ns, daba {daba} ns");
        bar("worst step, daba / queue two-stacks", daba / stacks, 0.1);
    }
    const LONG: usize = 1 << 20;
    let combines = most_combines(Ours(Daba::<_, LONG, Boxed>::boxed(LONG)), LONG);
    bar("daba at 2^20, most combines of a step", combines as f64, 6.0);
    std::process::exit(i32::from(missed > 0));
}

//! Sliding folds: the kernels of the runtime against the published algorithms over `VecDeque`, in one run.
//!
//! `cargo bench --bench sliding` prints, for `max` over `i64` (no inverse) and `sum` over `i32` (a group), the time of one step (evict, insert,
//! query) for windows of 16 to 2^20 values, the worst single step at 2^20, and one line per bar. It exits with 1 if a bar is missed.
//! `cargo bench --bench sliding -- --short` leaves out the worst steps.
use cep::__private::{Boxed, Daba, Group, Inverse, Max, Monoid, Sliding, Sum, TwoStacks};
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

/// Nanoseconds a step takes: the best of several passes over many windows.
fn time<M: Monoid>(window: &mut impl Full<M>, length: usize, lift: impl Fn(u64) -> M) -> f64 {
    let steps = (4 * length).max(1 << 20) as u64;
    let mut best = f64::INFINITY;
    let mut at = 0;
    for _ in 0..7 {
        let begun = Instant::now();
        for i in at..at + steps {
            black_box(window.step(lift(i)));
        }
        best = best.min(begun.elapsed().as_secs_f64());
        at += steps;
    }
    best * 1e9 / steps as f64
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

/// One row of the table.
struct Row {
    length: usize,
    queue_stacks: f64,
    queue_daba: f64,
    stacks: f64,
    daba: f64,
    group_queue: f64,
    group: f64,
}

fn row<const L: usize>() -> Row {
    fn group<M: Group + 'static, const L: usize>(lift: impl Fn(u64) -> M + Copy) -> f64 {
        time(&mut ours(Inverse::<M, L, Boxed>::boxed(), L, lift), L, lift)
    }
    let row = Row {
        length: L,
        queue_stacks: time(&mut queue_stacks(L, max_of), L, max_of),
        queue_daba: time(&mut queue_daba(L, max_of), L, max_of),
        stacks: time(&mut ours(TwoStacks::<_, L, Boxed>::boxed(), L, max_of), L, max_of),
        daba: time(&mut ours(Daba::<_, L, Boxed>::boxed(L), L, max_of), L, max_of),
        group_queue: time(&mut queue_stacks(L, sum_of), L, sum_of),
        group: group::<_, L>(sum_of),
    };
    println!(
        "{:>8} | {:>12.2} {:>12.2} | {:>10.2} {:>10.2} | {:>12.2} {:>10.2}",
        row.length, row.queue_stacks, row.queue_daba, row.stacks, row.daba, row.group_queue, row.group
    );
    row
}

fn main() {
    let short = std::env::args().any(|a| a == "--short");
    println!("ns for one step (evict, insert, query); max over i64 without, sum over i32 with an inverse");
    println!(
        "{:>8} | {:>12} {:>12} | {:>10} {:>10} | {:>12} {:>10}",
        "window", "queue 2-st", "queue daba", "two-stacks", "daba", "queue sum", "inverse"
    );
    let rows = [row::<16>(), row::<256>(), row::<1024>(), row::<16_384>(), row::<1_048_576>()];
    let mut missed = 0;
    let mut bar = |what: &str, value: f64, most: f64| {
        let verdict = if value <= most { "met" } else { "missed" };
        missed += usize::from(value > most);
        println!("{what}: {value:.2} (bar {most}): {verdict}");
    };
    let of = |f: &dyn Fn(&Row) -> f64| rows.iter().map(f).fold(0.0, f64::max);
    let flat = |f: &dyn Fn(&Row) -> f64| of(f) / rows.iter().map(f).fold(f64::INFINITY, f64::min);
    bar("queue two-stacks at 1024, ns", rows[2].queue_stacks, 5.5);
    bar("queue daba at 1024, ns", rows[2].queue_daba, 14.0);
    bar("two-stacks / queue two-stacks, worst window", of(&|r| r.stacks / r.queue_stacks), 1.0);
    bar("inverse / queue two-stacks, worst window", of(&|r| r.group / r.group_queue), 0.6);
    bar("two-stacks, slowest / fastest window", flat(&|r| r.stacks), 1.5);
    bar("inverse, slowest / fastest window", flat(&|r| r.group), 1.5);
    if !short {
        const L: usize = 1 << 20;
        let stacks = worst(|| queue_stacks(L, max_of), L, max_of);
        let daba = worst(|| ours(Daba::<_, L, Boxed>::boxed(L), L, max_of), L, max_of);
        println!("worst step at 2^20: queue two-stacks {stacks} ns, daba {daba} ns");
        bar("worst step, daba / queue two-stacks", daba / stacks, 0.1);
    }
    std::process::exit(i32::from(missed > 0));
}

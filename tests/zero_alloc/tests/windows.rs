//! Windows of both kinds, and a pattern on one, allocate nothing, and say how large they are.

use cep::{Event, cep};
use zero_alloc::allocations;

#[derive(Event, Clone, Copy)]
struct Sample {
    #[event(time)]
    at: u64,
    #[event(key)]
    cab: u32,
    value: i32,
}

cep! {
    window Last on Sample = agse(value) @ (2, 5);
    window Smooth on Sample = agse(value) @ (1, 25) agg { mean: avg, total: sum, peak: max };
}

cep! {
    window Steady on Sample = agse(value) @ (1, 64) agg { peak: max } latency worst_case;
    pattern Rising on Smooth = Smooth as a ; Smooth as b filter b.mean > a.mean * 1.1 within 4 events;
    window Busy on Sample = predicate {
        start: value > 600,
        end: value < 100,
        partition: cab,
        close_window_after_no_updates_for: 50,
        capacity: 64 elements, 16 keys or evict,
    } agg { n: count(*), total: sum(value) };
}

cep! {
    window Held on Sample = predicate { start: value > 600, end: value < 100, partition: cab, keep_time_order: false, capacity: 16 keys } agg { n: count(*) };
    pattern Inside on Sample = Sample as a ; Sample as b filter b.value == a.value
        within window Held capacity 16 events or evict;
    window Listed on Sample = predicate {
        start: value > 800,
        size: 20,
        nesting: true,
        capacity: 64 elements or evict,
    };
}

/// On the heap: each ring is allocated once, in `new`.
mod heap {
    use super::Sample;
    cep::cep! {
        pub(super) window Wide on Sample = agse(value) @ (1, 100_000) agg { peak: max, total: sum } storage boxed;
        pub(super) window Even on Sample = agse(value) @ (1, 100_000) agg { peak: max } latency worst_case storage boxed;
        pub(super) window Counted on Sample = agse(value) @ (1, 100_000) agg { total: sum } storage boxed;
        pub(super) window Taps on Sample = zip(agse(value) @ (1, 3) delay 50_000 as late, agse(value) @ (2, -5) as taps, value) storage boxed;
    }
}

const EVENTS: u64 = 1_000_000;

/// Reproducible samples, made one at a time so that no memory is needed.
struct Source(u64, u64);

impl Source {
    fn next(&mut self) -> Sample {
        let s = zero_alloc::next(&mut self.0);
        self.1 += s >> 60 & 3;
        let cab = u32::try_from(s >> 8 & 15).unwrap_or(0);
        let value = i32::try_from(s >> 16 & 1023).unwrap_or(0);
        Sample { at: self.1, cab, value }
    }
}

#[test]
fn windows_allocate_nothing() {
    let (found, n) = allocations(|| {
        let (mut last, mut smooth, mut steady, mut rising) =
            (Last::new(), Smooth::new(), Steady::new(), Rising::new());
        let (mut busy, mut listed, mut inside) = (Busy::new(), Listed::new(), Inside::new());
        let (mut source, mut found) = (Source(7, 0), [0u64; 6]);
        for _ in 0..EVENTS {
            let e = source.next();
            for r in last.push(&e) {
                found[0] += u64::from(r.values[0] >= 0);
            }
            for r in smooth.push(&e) {
                found[1] += rising.push(&r).count() as u64;
            }
            for r in steady.push(&e) {
                found[2] += u64::from(r.peak > 1000);
            }
            found[5] += inside.push(&e).expect("a key for each cab").count() as u64;
            for w in busy.push(&e).expect("time goes forward, and old ones go") {
                found[3] += w.n;
            }
            let mut outputs = listed.push(&e).expect("time goes forward, and old ones go");
            while outputs.next().is_some() {
                found[4] += 1;
            }
        }
        found
    });
    assert_eq!(n, 0);
    assert!(found.iter().all(|f| *f > 1000), "{found:?}");
}

#[test]
fn windows_on_the_heap_allocate_when_they_are_made() {
    let mut source = Source(7, 0);
    let samples: Vec<Sample> = (0..250_000).map(|_| source.next()).collect();
    let ((mut wide, mut even, mut counted, mut taps), n) =
        allocations(|| (heap::Wide::new(), heap::Even::new(), heap::Counted::new(), heap::Taps::new()));
    assert_eq!(n, 5, "one ring each, and two of a join");
    let mut run = || {
        let (mut sum, mut records) = (0, [0; 4]);
        for (i, e) in samples.iter().enumerate() {
            sum += i64::from(e.value) - if i < 100_000 { 0 } else { i64::from(samples[i - 100_000].value) };
            let (a, b, c) = (wide.push(e).next(), even.push(e).next(), counted.push(e).next());
            if let (Some(a), Some(b), Some(c)) = (a, b, c) {
                assert_eq!((a.total, a.peak), (sum, b.peak));
                assert_eq!(c.total, sum);
                records[0] += 1;
            }
            for r in taps.push(e) {
                let n = usize::try_from(r.index()).expect("small");
                assert_eq!(r.late, [0, 1, 2].map(|back| samples[n - 50_000 - back].value));
                let newest = n / 2 * 2;
                assert_eq!(r.taps, [4, 3, 2, 1, 0].map(|back| samples[newest - back].value));
                assert_eq!(r.value, samples[n].value);
                records[1] += 1;
            }
        }
        wide.reset();
        even.reset();
        counted.reset();
        taps.reset();
        records
    };
    let ((first, second), n) = allocations(|| (run(), run()));
    assert_eq!((first, first, n), (second, [150_001, 199_998, 0, 0], 0));
    assert!(heap::Wide::EXPLAIN.ends_with("bytes, and its rings on the heap"), "{}", heap::Wide::EXPLAIN);
    assert!(size_of::<heap::Wide>() < 200 && size_of::<heap::Taps>() < 200);
}

/// The windows above have inline memory, so the counts would be zero whatever is counted if counting did not work.
#[test]
fn windows_positive_control() {
    let (_, n) = allocations(|| std::hint::black_box(vec![1u8; 16]).len());
    assert_eq!(n, 1);
}

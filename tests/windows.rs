//! `agse` and `zip`: the figures of the source's page, types, NULL, chains, folds.
use cep::{Event, Text, cep};

#[derive(Event, Clone, Copy, Debug)]
struct Sample {
    value: i32,
}

#[derive(Event, Clone, Copy, Debug)]
struct Two {
    a: i32,
    b: i32,
}

#[derive(Event, Clone, Copy, Debug)]
struct Mixed {
    id: u8,
    taps: [f32; 2],
    late: Option<u16>,
}

#[derive(Event, Clone, Copy, Debug)]
enum Reading {
    T { value: f64 },
    H { id: u32, value: f64 },
}

#[derive(Event, Clone, Copy, Debug)]
struct Word {
    text: Text<8>,
}

cep! {
    /// The source's pictures.
    window Slide on Sample = agse(value) @ (1, 3);
    window Tumble on Sample = agse(value) @ (3, 3);
    window Thin on Sample = agse(value) @ (5, 1);
}

cep! {
    window Mirror on Sample = agse(value) @ (2, -2);
    window Serial on Two = agse @ (1, 1);
    window Pairs on Serial = agse(values) delay 1 @ (2, -2);
}

cep! {
    window Late on Serial = agse(values) @ (1, 1) delay 3;
    window Again on Slide = agse(values[0]) @ (1, 3);
    window Twice on Slide = agse(values) @ (1, 1);
}

cep! {
    window Wide on Mixed = agse(id, taps, late as f32) @ (4, -4);
    window Hot on Reading::T interval 1/10 s = agse(value) @ (1, 2) agg { mean: avg, peak: max };
}

cep! {
    window Words on Word = agse(text) @ (1, 2);
    window Smooth on Sample interval 1/100 = agse(value) @ (1, 25) agg { mean: avg, peak: max, total: sum, n: count };
    window Sum on Sample = agse(value) @ (2, 30) agg { total: sum, spread: range, deviation: stddev };
}

cep! {
    window Gaps on Sample = agse(value) @ (4, 3) agg { total: sum, first: first };
    window Steady on Sample = agse(value) @ (1, 20) agg { low: min } latency worst_case;
    window Fir on Sample = zip(agse(value) @ (1, 3) as taps, value);
    window Flat on Fir = agse(taps, value) @ (1, 1);
    window Whole on Flat = agse(values) delay 1 @ (4, 4) agg { total: sum, n: count };
    window Mean on Sample = zip(agse(value) @ (5, 5) as five, agse(value) @ (2, -2) delay 1 as pair, value);
    window Slow on Two interval 1/50 s = zip(agse(a) @ (50, 1) as slow, agse(b) @ (1, 3) as taps);
}

fn samples(n: i32) -> impl Iterator<Item = Sample> {
    (0..n).map(|value| Sample { value })
}

#[test]
fn the_pictures_of_the_source() {
    let (mut slide, mut tumble, mut thin, mut mirror) =
        (Slide::new(), Tumble::new(), Thin::new(), Mirror::new());
    let (mut a, mut b, mut c, mut d) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for s in samples(10) {
        a.extend(slide.push(&s).map(|r| (r.index(), r.values, r.emit_at())));
        b.extend(tumble.push(&s).map(|r| (r.index(), r.values, r.emit_at())));
        c.extend(thin.push(&s).map(|r| (r.index(), r.values, r.emit_at())));
        d.extend(mirror.push(&s).map(|r| (r.index(), r.values, r.emit_at())));
    }
    assert_eq!(a.len(), 8);
    assert_eq!((a[0], a[7]), ((2, [2, 1, 0], (3, 1)), (9, [9, 8, 7], (10, 1))));
    assert_eq!(b, [(1, [3, 2, 1], (6, 1)), (2, [6, 5, 4], (9, 1)), (3, [9, 8, 7], (12, 1))]);
    assert_eq!(c, [(0, [0], (5, 1)), (1, [5], (10, 1))]);
    assert_eq!(d[..2], [(1, [1, 2], (4, 1)), (2, [3, 4], (6, 1))]);
    assert_eq!((Slide::ORIGIN, Slide::TAIL, Slide::INTERVAL, Slide::WIDTH), (2, 0, (1, 1), 3));
    assert_eq!((Tumble::ORIGIN, Tumble::INTERVAL), (1, (3, 1)));
    assert_eq!(slide.stats().results, 8);
}

#[test]
fn serialised_and_back() {
    let (mut serial, mut pairs, mut late) = (Serial::new(), Pairs::new(), Late::new());
    let (mut out, mut delayed) = (Vec::new(), Vec::new());
    for i in 0..6 {
        let mut machine = serial.push(&Two { a: 2 * i, b: 2 * i + 1 });
        assert!(machine.found());
        for one in machine {
            out.extend(pairs.push(&one).map(|r| (r.index(), r.values)));
            delayed.extend(late.push(&one).map(|r| (r.index(), r.values)));
        }
    }
    assert_eq!(out[..3], [(1, [0, 1]), (2, [2, 3]), (3, [4, 5])]);
    assert_eq!((Serial::INTERVAL, Serial::ORIGIN, Serial::TAIL), ((1, 2), 0, 1));
    assert_eq!((Pairs::INTERVAL, Pairs::ORIGIN, Pairs::TAIL), ((1, 1), 1, 0));
    assert_eq!((Late::ORIGIN, Late::TAIL, delayed[0]), (3, 0, (3, [0])));
}

#[test]
fn elements_are_widened_and_may_be_null() {
    let mut wide = Wide::new();
    let mut out = Vec::new();
    for (id, late) in [(1, Some(7)), (2, None), (3, Some(9))] {
        out.extend(wide.push(&Mixed { id, taps: [0.5, 1.5], late }).map(|r| r.values));
    }
    // the grid is anchored at element 0: windows end at elements 4, 8
    assert_eq!(out, [[Some(0.5), Some(1.5), Some(7.0), Some(2.0)], [Some(0.5), Some(1.5), None, Some(3.0)]]);
    assert_eq!((Wide::ORIGIN, Wide::TAIL, Wide::WIDTH), (1, 0, 4));
}

#[test]
fn one_event_type_of_a_stream() {
    let mut hot = Hot::new();
    let mut out = Vec::new();
    for event in [
        Reading::T { value: 1.0 },
        Reading::H { id: 1, value: 100.0 },
        Reading::T { value: 4.0 },
        Reading::T { value: 2.0 },
    ] {
        out.extend(hot.push(&event));
    }
    let shown: Vec<_> = out.iter().map(|r| (r.mean, r.peak, r.index(), r.emit_at())).collect();
    assert_eq!(shown, [(2.5, 4.0, 1, (1, 5)), (3.0, 4.0, 2, (3, 10))]);
    assert_eq!(Hot::INTERVAL, (1, 10));
}

#[test]
fn texts_are_single_elements() {
    let mut words = Words::new();
    let mut word = |w| words.push(&Word { text: Text::truncated(w) }).next().map(|r| r.values);
    assert!(word("one").is_none());
    assert_eq!(word("two").map(|[a, b]| (a.as_str() == "two", b.as_str() == "one")), Some((true, true)));
}

#[test]
fn folds_are_those_of_the_elements() {
    let (mut smooth, mut sum, mut gaps, mut steady) = (Smooth::new(), Sum::new(), Gaps::new(), Steady::new());
    let (mut a, mut b, mut c, mut d) = (0, 0, 0, 0);
    for (i, s) in samples(200).enumerate() {
        let s = Sample { value: s.value * 37 % 101 };
        let last = |n: usize| (i + 1 - n..=i).map(|j| j as i64 * 37 % 101);
        for r in smooth.push(&s) {
            let total: i64 = last(25).sum();
            assert_eq!((r.total, r.n, i64::from(r.peak)), (total, 25, last(25).max().unwrap()));
            assert!((r.mean - total as f64 / 25.0).abs() < 1e-12);
            a += 1;
        }
        for r in sum.push(&s) {
            assert_eq!(r.total, last(30).sum::<i64>());
            assert_eq!(r.spread.map(i64::from), Some(last(30).max().unwrap() - last(30).min().unwrap()));
            assert!(r.deviation > 0.0);
            b += 1;
        }
        for r in gaps.push(&s) {
            assert_eq!((r.total, i64::from(r.first)), (last(3).sum(), last(3).next().unwrap()));
            c += 1;
        }
        for r in steady.push(&s) {
            assert_eq!(i64::from(r.low), last(20).min().unwrap());
            d += 1;
        }
    }
    assert_eq!((a, b, c, d), (176, 85, 49, 181));
    assert!(Smooth::EXPLAIN.contains("two-stacks") && Steady::EXPLAIN.contains("DABA"));
    let size = format!("state: {} bytes", size_of::<Smooth>());
    assert!(Smooth::EXPLAIN.contains(&size), "{}", Smooth::EXPLAIN);
    assert_eq!(Smooth::INTERVAL, (1, 100));
}

#[test]
fn a_window_joined_with_its_source_does_not_lead() {
    let mut fir = Fir::new();
    let out: Vec<_> = samples(6).flat_map(|s| fir.push(&s).next()).collect();
    let shown: Vec<_> = out.iter().map(|r| (r.index(), r.taps, r.value)).collect();
    assert_eq!(shown, [(2, [2, 1, 0], 2), (3, [3, 2, 1], 3), (4, [4, 3, 2], 4), (5, [5, 4, 3], 5)]);
}

#[test]
fn the_folds_of_a_join_are_those_of_a_window_over_it() {
    let (mut fir, mut flat, mut whole) = (Fir::new(), Flat::new(), Whole::new());
    let mut out = Vec::new();
    for s in samples(7) {
        for r in fir.push(&s) {
            for element in flat.push(&r) {
                out.extend(whole.push(&element).map(|w| (w.index(), w.total, w.n)));
            }
        }
    }
    // 0 + 1 + 2 + 2 and so on
    assert_eq!(out, [(3, 5, 4), (4, 9, 4), (5, 13, 4), (6, 17, 4), (7, 21, 4)]);
    assert_eq!((Whole::ORIGIN, Whole::TAIL, Whole::INTERVAL), (3, 0, (1, 1)));
}

#[test]
fn parts_of_unlike_intervals_meet_at_the_least() {
    let mut mean = Mean::new();
    let mut out = Vec::new();
    for (i, s) in samples(13).enumerate() {
        out.extend(mean.push(&s).map(|r| (i, r.index(), r.five, r.pair, r.value)));
    }
    assert_eq!((Mean::ORIGIN, Mean::TAIL, Mean::INTERVAL, Mean::WIDTH), (5, 4, (1, 1), 8));
    // five 1 ends at value 5 and stays for 5 records; pair 2 (of the delayed) is what was pair 1, values 1 and 2
    let wanted = |n: i32| {
        let (five, pair) = (n / 5 * 5, (n / 2 - 1) * 2);
        (n as usize, n as u64, [five, five - 1, five - 2, five - 3, five - 4], [pair - 1, pair], n)
    };
    assert_eq!(out, (5..13).map(wanted).collect::<Vec<_>>());
    assert!(Mean::EXPLAIN.contains("five: 5 of 9 elements, record n/5 in record n"), "{}", Mean::EXPLAIN);
}

#[test]
fn a_slow_part_is_held_while_the_quick_one_moves() {
    let mut slow = Slow::new();
    let out: Vec<_> = (0..150).flat_map(|i| slow.push(&Two { a: i / 50, b: i }).next()).collect();
    assert_eq!((Slow::ORIGIN, Slow::TAIL, Slow::INTERVAL, Slow::WIDTH), (2, 49, (1, 50), 4));
    for (i, r) in out.iter().enumerate() {
        let n = i as i32 + 2;
        assert_eq!((r.index(), r.slow, r.taps), (n as u64, [n / 50], [n, n - 1, n - 2]));
        let emitted = r.emit_at();
        assert_eq!(emitted.0 * 50, u128::from(r.index() + 50) * u128::from(emitted.1));
    }
    assert_eq!(out.len(), 148);
}

#[test]
fn windows_over_windows() {
    let (mut slide, mut again, mut twice) = (Slide::new(), Again::new(), Twice::new());
    let (mut out, mut flat) = (Vec::new(), Vec::new());
    for s in samples(8) {
        for r in slide.push(&s) {
            out.extend(again.push(&r).map(|r| (r.index(), r.values)));
            flat.extend(twice.push(&r).map(|r| (r.index(), r.values[0])));
        }
    }
    assert_eq!(out, [(4, [4, 3, 2]), (5, [5, 4, 3]), (6, [6, 5, 4]), (7, [7, 6, 5])]);
    assert_eq!((Again::ORIGIN, Again::TAIL), (4, 0));
    assert_eq!(flat[..4], [(6, 2), (7, 1), (8, 0), (9, 3)]);
    assert_eq!((Twice::ORIGIN, Twice::TAIL, Twice::INTERVAL), (6, 2, (1, 3)));
}

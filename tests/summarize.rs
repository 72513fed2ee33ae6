//! `summarize` says the same as folding over the matches.
#![allow(missing_docs, clippy::float_cmp, reason = "test events; the floats are small integers")]
use cep::{Event, cep};

#[derive(Event, Clone, Copy, Debug)]
pub enum Item {
    A { t: u64, x: i32, f: f64, o: Option<i16> },
    B { t: u64, x: i32, f: f64, o: Option<i16> },
    C { t: u64, x: i64, f: f64 },
    D { t: u64 },
}

cep! {
    /// By the inverse product.
    pattern Product on Item =
        A as a ; ((B as b filter b.x > -3) or A as again)? ; C as c
        within 9 events
        summarize {
            n: count(*), some_a: count(a), bs: count(b), sum: sum(a.x), more: sum(b.x), wide: sum(c.x), mean: avg(b.x),
            null: sum(b.o), some: sum_some(b.o), there: count_some(a.o), nulls: count(a.o), real: avg_some(b.o),
        };
}

cep! {
    /// The same, looked at one by one.
    #[cep(kernel = ring)]
    pattern Ring on Item =
        A as a ; ((B as b filter b.x > -3) or A as again)? ; C as c
        within 9 events
        summarize {
            n: count(*), some_a: count(a), bs: count(b), sum: sum(a.x), more: sum(b.x), wide: sum(c.x), mean: avg(b.x),
            null: sum(b.o), some: sum_some(b.o), there: count_some(a.o), nulls: count(a.o), real: avg_some(b.o),
        };
}

cep! {
    /// What only looking at the results gives.
    pattern Looked on Item =
        A as a ; B+ as b agg m { total: sum(b.x) } ; C as c filter m.total > 2
        within 9 events
        summarize {
            n: count(*) saturating, low: min(a.f), high: max(b.x), heat: sum(b.f), spread: range(b.x), best: max(m.total),
            sums: sum(m.total) as f64, var: var(b.x), events: count(b) as f64, total: sum(b.x) wrapping,
        };

    /// The matches of it.
    pattern Matches on Item =
        A as a ; B+ as b agg m { total: sum(b.x) } ; C as c filter m.total > 2
        within 9 events;
}

cep! {
    /// In time, where `advance_to` takes events back too.
    pattern Timed on Item =
        A as a ; B as b ; C as c
        within 8 of t capacity 64 events
        summarize { n: count(*), sum: sum(b.x) };

    /// The same.
    #[cep(kernel = ring)]
    pattern TimedRing on Item =
        A as a ; B as b ; C as c
        within 8 of t capacity 64 events
        summarize { n: count(*), sum: sum(b.x) };
}

cep! {
    /// Evicts.
    pattern Evicting on Item =
        A as a ; B as b ; C as c
        within 8 of t capacity 5 events or evict
        summarize { n: count(*), sum: sum(b.x) };

    /// The same.
    #[cep(kernel = ring)]
    pattern EvictingRing on Item =
        A as a ; B as b ; C as c
        within 8 of t capacity 5 events or evict
        summarize { n: count(*), sum: sum(b.x) };

    /// More results than 64 bits can count.
    pattern Many on Item =
        A as a ; A as b ; A as c ; A as d ; A as e ; A as f ; A as g ; A as h ; A as i
        within 1000 events
        summarize { n: count(*), clamped: count(*) saturating, float: count(*) as f64, low: count(*) wrapping };
}

/// Reproducible events.
struct Source(u64);
impl Source {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }
    #[allow(
        clippy::cast_possible_wrap,
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "small figures"
    )]
    fn event(&mut self, t: u64) -> Item {
        let x = (self.next() % 11) as i32 - 5;
        let f = (self.next() % 7) as f64;
        let o = (!self.next().is_multiple_of(4)).then_some(x as i16);
        match self.next() % 7 {
            0..=1 => Item::A { t, x, f, o },
            2..=3 => Item::B { t, x, f, o },
            4..=5 => Item::C { t, x: i64::from(x), f },
            _ => Item::D { t },
        }
    }
}

#[test]
fn the_product_says_what_the_results_say() {
    assert!(Product::EXPLAIN.contains("inverse product"), "{}", Product::EXPLAIN);
    assert!(Ring::EXPLAIN.contains("every result is looked at"), "{}", Ring::EXPLAIN);
    let (mut product, mut ring, mut source) = (Product::new(), Ring::new(), Source(3));
    let mut any = 0;
    for t in 0..5000 {
        let e = source.event(t);
        let (a, b) = (product.push(&e), ring.push(&e));
        assert_eq!(format!("{a:?}").replace("Product", ""), format!("{b:?}").replace("Ring", ""));
        any += u64::from(a.found());
        if t == 2500 {
            product.reset();
            ring.reset();
        }
    }
    assert!(any > 1000);
    assert_eq!(product.stats().results, ring.stats().results);
}

#[test]
fn looking_at_the_results_folds_them() {
    let (mut looked, mut matches, mut source) = (Looked::new(), Matches::new(), Source(5));
    let mut any = 0;
    for t in 0..6000 {
        let e = source.event(t);
        let s = looked.push(&e);
        let (mut n, mut low, mut high, mut heat, mut best, mut sums, mut events) =
            (0u64, None::<f64>, None::<i32>, 0.0, None::<i64>, 0.0, 0.0);
        matches.push(&e).for_each(|m| {
            n += 1;
            low = Some(low.map_or(m.a.f, |l| l.min(m.a.f)));
            for b in m.b.iter() {
                high = Some(high.map_or(b.x, |h| h.max(b.x)));
                heat += b.f;
                events += 1.0;
            }
            best = Some(best.map_or(m.m.total, |b| b.max(m.m.total)));
            #[allow(clippy::cast_precision_loss, reason = "small figures")]
            let total = m.m.total as f64;
            sums += total;
        });
        assert_eq!(
            (s.n, s.low, s.high, s.heat, s.best, s.sums, s.events),
            (n, low, high, heat, best, sums, events)
        );
        any += u64::from(n > 0);
    }
    assert!(any > 100, "{any}");
}

#[test]
fn time_takes_events_back() {
    let (mut product, mut ring, mut source) = (Timed::new(), TimedRing::new(), Source(7));
    let (mut evicting, mut evicting_ring) = (Evicting::new(), EvictingRing::new());
    let mut t = 0;
    for i in 0..4000u64 {
        t += source.next() % 3;
        if i.is_multiple_of(13) {
            t += 4;
            assert!(!product.advance_to(t).found());
            assert!(!ring.advance_to(t).found());
        }
        let e = source.event(t);
        let (a, b) = (product.push(&e).expect("room"), ring.push(&e).expect("room"));
        assert_eq!((a.n, a.sum), (b.n, b.sum));
        let (a, b) = (evicting.push(&e).expect("room"), evicting_ring.push(&e).expect("room"));
        assert_eq!((a.n, a.sum), (b.n, b.sum));
    }
    assert_eq!(evicting.stats().evicted, evicting_ring.stats().evicted);
    assert!(evicting.stats().evicted > 0);
}

#[test]
fn large_counts_are_exact() {
    let mut machine = Many::new();
    let mut last = None;
    for t in 0..1_200 {
        last = Some(machine.push(&Item::A { t, x: 1, f: 1.0, o: None }));
    }
    // 8 of the 999 events before this one
    let mut exact = 1u128;
    for i in 0..8u128 {
        exact = exact * (999 - i) / (i + 1);
    }
    let last = last.expect("pushed");
    assert_eq!(last.n, exact);
    assert_eq!(last.clamped, u64::MAX);
    #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "small figures")]
    let (float, low) = (exact as f64, exact as u64);
    assert_eq!((last.float, last.low), (float, low));
}

#[test]
fn sizes_are_stated() {
    assert!(Product::EXPLAIN.ends_with(&format!("machine: {} bytes", size_of::<Product>())));
    assert!(Looked::EXPLAIN.ends_with(&format!("machine: {} bytes", size_of::<Looked>())));
    assert!(Matches::EXPLAIN.ends_with(&format!("machine: {} bytes", size_of::<Matches>())));
}

cep! {
    /// A condition that costs, and an attribute that one type lacks.
    pattern Late on Item =
        (A as a or C as a) ; B as b filter b.x * 2 > 1
        within 7 events
        summarize { n: count(*), sum: sum(a.o), some: sum_some(a.o), there: count_some(a.o), mean: avg(a.o), real: avg_some(a.o) };

    /// The same.
    #[cep(kernel = ring)]
    pattern LateRing on Item =
        (A as a or C as a) ; B as b filter b.x * 2 > 1
        within 7 events
        summarize { n: count(*), sum: sum(a.o), some: sum_some(a.o), there: count_some(a.o), mean: avg(a.o), real: avg_some(a.o) };

    /// Its matches.
    pattern LateMatches on Item = (A as a or C as a) ; B as b filter b.x * 2 > 1 within 7 events;
}

#[test]
fn conditions_that_cost_and_attributes_that_a_type_lacks() {
    let (mut late, mut ring, mut matches, mut source) =
        (Late::new(), LateRing::new(), LateMatches::new(), Source(9));
    let mut any = 0;
    for t in 0..3000 {
        let e = source.event(t);
        let (a, b) = (late.push(&e), ring.push(&e));
        assert_eq!(format!("{a:?}"), format!("{b:?}").replace("Ring", ""));
        let (mut n, mut present, mut sum) = (0, 0, 0);
        for m in matches.push(&e) {
            n += 1;
            if let LateMatchesA::A(a) = *m.a
                && let Some(o) = a.o
            {
                present += 1;
                sum += i64::from(o);
            }
        }
        assert_eq!((a.n, a.there, a.some), (n, present, sum));
        assert_eq!(a.sum, (n == present).then_some(sum));
        any += u64::from(n > present && present > 0);
    }
    assert!(any > 100);
}

cep! {
    /// An iteration without a word about overflow: each result is looked at, so there are not many.
    pattern Subsets on Item = A as a ; (B as b)+ ; C as c within 9 events summarize { n: count(*), bs: count(b), sum: sum(b.x), wide: sum(c.x) };

    /// As many as may be looked at is as many as `runs`.
    pattern Bounded on Item = A as a ; (B as b)+ ; C as c within 25 events capacity 5000000000 runs
        summarize { n: count(*), bs: count(b), sum: sum(b.x) };

    /// Its matches.
    pattern SubsetMatches on Item = A as a ; (B as b)+ ; C as c within 9 events;
}

#[test]
fn an_iteration_needs_no_word_about_overflow() {
    let (mut subsets, mut matches, mut source) = (Subsets::new(), SubsetMatches::new(), Source(5));
    let mut most = 0;
    for t in 0..3000 {
        let e = source.event(t);
        let (mut n, mut bs, mut sum, mut wide) = (0_u64, 0_u64, 0_i64, 0_i128);
        let mut found = matches.push(&e);
        while let Some(m) = found.next() {
            n += 1;
            bs += u64::try_from(m.b.len()).unwrap();
            for b in m.b {
                sum += i64::from(b.x);
            }
            wide += i128::from(m.c.x);
        }
        let summary = subsets.push(&e);
        assert_eq!((summary.n, summary.bs, summary.sum, summary.wide), (n, bs, sum, wide));
        most = most.max(n);
    }
    assert!(most > 30, "{most}");
    // wider, since five thousand million times 25 events of 31 bits are more than 63 bits hold
    let mut bounded = Bounded::new();
    let summary = bounded.push(&source.event(0)).unwrap();
    let _: (u64, u64, i128) = (summary.n, summary.bs, summary.sum);
}

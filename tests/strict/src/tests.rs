use ::core::default::Default as _;
use ::core::iter::Iterator as _;
use ::core::option::Option::{None, Some};
use ::core::prelude::v1::test;
use ::std::string::String;
use ::std::vec::Vec;
use ::std::{assert, assert_eq, convert::From as _, format, vec};

use crate::events::{Gauge, Market, Order, Packet, Reading, Side, Symbol, Trade};
use crate::facade::Text;
use crate::{local, macros, patterns, rings};

fn t(id: u32, value: f64) -> Reading {
    Reading::T { id, value, trust: None }
}

fn h(id: u32, value: f64) -> Reading {
    Reading::H { id, value }
}

#[test]
fn fire_risk() {
    let mut risk = patterns::FireRisk::new(40.0);
    let mut found = Vec::new();
    for reading in [t(1, 41.0), t(2, 50.0), h(1, 20.0), h(2, 25.0), h(2, 24.0)] {
        for m in risk.push(&reading) {
            found.push((m.hot.id, m.hot.value, m.hot.position(), m.dry.value, m.dry.position()));
        }
    }
    assert_eq!(found, vec![(1, 41.0, 0, 20.0, 2), (2, 50.0, 1, 24.0, 4)]);
    assert!(patterns::FireRisk::EXPLAIN.contains("hot.id == dry.id"), "{}", patterns::FireRisk::EXPLAIN);
}

#[test]
fn readings() {
    let mut plain = patterns::Undocumented::default();
    assert_eq!(plain.push(&t(1, 1.0)).count() + plain.push(&Reading::Idle).count(), 0);
    let m = plain.push(&h(2, 1.0)).next();
    assert_eq!(m.map(|m| (m.t.id, m.h.id)), Some((1, 2)));

    let mut alarm = patterns::Alarm::new();
    let heard: Vec<::core::primitive::bool> =
        [t(1, 40.0), t(0, 1.0), Reading::Idle, h(1, 1.0)].iter().map(|e| alarm.push(e)).collect();
    assert_eq!((heard, alarm.latest_start()), (vec![false, false, false, true], Some(1)));

    let mut doubtful = patterns::Doubtful::new(50.0);
    for trust in [None, Some(0.4), Some(0.6)] {
        assert_eq!(doubtful.push(&Reading::T { id: 7, value: 0.0, trust }).count(), 0);
    }
    let mut found: Vec<_> = doubtful.push(&h(1, 10.0)).map(|m| (m.t.id, m.t.trust, m.h.value)).collect();
    found.sort_by_key(|found| found.1.is_some());
    assert_eq!(found, vec![(7, None, 10.0)]);
    assert_eq!(doubtful.push(&h(1, 0.3)).count(), 2);

    let mut interval = patterns::Interval::new();
    for e in [t(1, 1.0), t(1, 2.0), t(1, 3.0)] {
        assert_eq!(interval.push(&e).count(), 0);
    }
    let mut ends: Vec<_> = interval.push(&h(1, 0.0)).map(|m| (m.start(), m.end())).collect();
    ends.sort_unstable();
    assert_eq!(ends, vec![(0, 3), (1, 3)]);

    let mut joined = patterns::Joined::new();
    assert!(!joined.push(&t(1, 1.0)) && !joined.push(&h(2, 1.0)) && joined.push(&h(1, 1.0)));
    assert!(format!("{:?}", patterns::forced()).starts_with("([false, true], Forced {"));
    assert_eq!(patterns::Hotter::new(1.0, 2).push(&t(1, 3.5)).count(), 1);
}

#[test]
fn markets() {
    let trade = |symbol, price, venue, note| {
        let note = Text::truncated(note);
        Market::Trade(Trade { symbol: Symbol(symbol), price, quantity: 5, venue, note })
    };
    let mut rise = patterns::Rise::new(Symbol(3), "XETRA", 1.5, 5);
    for e in [trade(3, 10.0, "XETRA", "a"), trade(3, 11.0, "LSE", "a"), trade(4, 30.0, "XETRA", "b")] {
        assert_eq!(rise.push(&e).count(), 0);
    }
    assert_eq!(rise.push(&trade(3, 20.0, "LSE", "a")).count(), 0, "the same note");
    let m = rise.push(&trade(3, 20.0, "LSE", "b")).next();
    assert_eq!(m.map(|m| (m.first.venue, m.second.price, m.first.symbol)), Some(("XETRA", 20.0, Symbol(3))));

    let mut squeeze = patterns::Squeeze::new(1.0);
    let order = |by: &str| {
        Market::Order(Order { symbol: Symbol(9), side: Side::Buy, limits: [2.0, 3.0], by: String::from(by) })
    };
    assert_eq!(squeeze.push(&order("me")).count() + squeeze.push(&order("somebody")).count(), 0);
    let m =
        squeeze.push(&Market::Halt).map(|m| (m.order.symbol, m.order.position(), m.halt.position())).next();
    assert_eq!(m, Some((Symbol(9), 1, 2)));
}

#[test]
fn packets_and_gauges() {
    let mut answered = patterns::Answered::new(100);
    let body = vec![1, 2, 3];
    assert_eq!(answered.push(&Packet { at: 5, port: 53, body: &body }).count(), 0);
    assert_eq!(answered.push(&Packet { at: 105, port: 9, body: &[] }).count(), 1);
    assert_eq!(answered.push(&Packet { at: 106, port: 9, body: &[] }).count(), 0);

    let mut jump = patterns::Jump::new();
    let gauge = |value: f32, position| Gauge { value, r#type: 1, position };
    assert_eq!(jump.push(&gauge(1.0, 10)).count() + jump.push(&gauge(9.0, 9)).count(), 0);
    let m = jump.push(&gauge(3.0, 11)).next();
    assert_eq!(
        m.map(|m| (m.r#type.value, m.after.value, m.after.position, m.after.position(), m.after.r#type)),
        Some((1.0, 3.0, 11, 2, 1))
    );
}

#[test]
fn rings_anywhere() {
    let events = [t(1, 5.0), t(1, 6.0), h(1, 7.0)];
    let (mut inside, mut boxed) = (rings::Inside::new(5.5), rings::OnHeap::new(5.5));
    let mut memory = ::std::boxed::Box::new(rings::LentDetectRings::new());
    let (mut lent, mut heap) = (rings::LentDetect::over(&mut memory), rings::HeapDetect::default());
    let mut counts = [0; 4];
    for e in &events {
        counts[0] += inside.push(e).count();
        counts[1] += boxed.push(e).count();
        counts[2] += ::core::primitive::usize::from(lent.push(e));
        counts[3] += ::core::primitive::usize::from(heap.push(e));
    }
    assert_eq!(counts, [1, 1, 1, 1]);
}

#[test]
fn in_functions_and_macros() {
    assert_eq!(local::pairs(&[t(1, 5.0), t(2, 5.0), h(1, 0.0), h(2, 0.0)], 1.0), 1);
    assert!(local::own());
    let mut made = macros::FromMacro::new(12.0, 0.0);
    assert_eq!(made.push(&t(1, 11.5)).count() + made.push(&t(1, 12.5)).count(), 0);
    assert_eq!(made.push(&h(1, 1.0)).next().map(|m| (m.left.value, m.right.value)), Some((12.5, 1.0)));
    let mut path = macros::FromPath::new();
    assert_eq!(path.push(&t(1, 1.0)).count() + path.push(&h(1, 1.0)).count(), 1);
    assert!(macros::Dns::new().push(&Packet { at: 0, port: 53, body: &[] }));
    assert_eq!(macros::Whole::new(1.0).push(&t(0, 2.0)).count(), 1);
}

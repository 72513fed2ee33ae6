//! Items on the results of other items: patterns and windows on matches, in one call and from another module.
use cep::{Event, cep};

/// Readings of stations.
mod readings {
    use cep::Event;

    #[derive(Event, Clone, Copy, Debug)]
    pub(crate) enum Reading {
        T {
            #[event(time = "s")]
            at: u64,
            id: u32,
            value: f64,
            note: Option<i16>,
        },
        H {
            #[event(time = "s")]
            at: u64,
            id: u32,
            value: f64,
        },
    }
}

mod risk {
    use super::readings::Reading;
    use cep::cep;

    cep! {
        pub(crate) pattern FireRisk on Reading =
            T as hot filter hot.value > 40.0 ; H as dry filter dry.value < 25.0 && dry.id == hot.id
            within 100 events;
    }
}

use readings::Reading;
use risk::FireRisk;

cep! {
    /// Fields of matches one level down, in every place where an attribute may stand.
    pub(crate) pattern Spread on FireRisk =
        FireRisk as a ; FireRisk as b
        filter a.hot.id != b.hot.id && b.dry.value <= a.dry.value && b.start() > a.start() && b.time() - a.time() <= 60
        within 60 s capacity 512 events;

    pattern Again on FireRisk = FireRisk as a ; FireRisk as b within 10 events partition by hot.id select a.hot, b;
}

cep! {
    pattern Notes on FireRisk = FireRisk as a filter a.hot.note > 2 || a.hot.note.is_none() && a.hot.position() == 0 within 1 events;

    window Last on FireRisk = agse(hot.value, dry.value) @ (2, 4);

    window Pair on FireRisk = zip(agse(hot.value) @ (1, 2), dry.id, hot.id as station);
}

cep! {
    window Burst on FireRisk = predicate {
        start: hot.value > 45.0,
        end: dry.value < first.dry.value || last.hot.id != hot.id,
        partition: hot.id,
        close_window_after_no_updates_for: 30 s,
        keep_time_order: false,
        capacity: 8 elements, 8 keys,
    } agg { n: count(*), driest: min(dry.value), known: count_some(hot.note) };

    /// A window on a pattern on a pattern, and a pattern on that.
    window Pairs on Spread = agse(a.hot.id, b.hot.id) @ (2, 2) agg { most: max };
    pattern High on Pairs = Pairs as p filter p.most > 3 within 1 events;
}

cep! {
    /// Computed events and parts that may be absent.
    pattern Trend on Reading =
        (T as t)+ ; (H as h)? ; T as last filter last.value > 60.0 within 8 events
        select none;
    pattern Heat on Reading =
        T as first ; (T as more)+ agg m { n: count(more), top: max(more.value) } filter m.n >= 2 within 4 events
        select first, m;
    window Heats on Heat = agse(m.n, first.id) @ (1, 1);
}

cep! {
    pattern Maybe on Reading = T as t ; (H as h)? ; T as u within 3 events;
    pattern Dry on Maybe = Maybe as m filter m.h.is_some() && m.h.value < 20.0 && m.u.value > 0.0 within 1 events;
    pattern Intervals on Trend = Trend as t filter t.end() - t.start() == 2 within 1 events;
}

cep! {
    /// A record for every event.
    pattern Load on Reading = T as a ; T as b filter b.value > a.value within 5 events summarize { n: count(*), top: max(b.value) };
    window Busy on Load = agse(n) @ (1, 3) agg { total: sum };
}

/// Matches of two patterns as one stream.
#[derive(Event, Clone, Copy, Debug)]
enum Alert {
    Fire(risk::FireRiskMatch),
    Heat(HeatMatch),
}

cep! {
    pattern Both on Alert = Fire as f ; Heat as h filter f.hot.id == h.first.id && h.m.n > 1 within 20 events;
}

fn t(at: u64, id: u32, value: f64) -> Reading {
    Reading::T { at, id, value, note: if id == 2 { None } else { Some(i16::try_from(id).unwrap_or(0)) } }
}

fn h(at: u64, id: u32, value: f64) -> Reading {
    Reading::H { at, id, value }
}

/// Temperature and humidity of four stations, in turn.
fn stream() -> Vec<Reading> {
    let mut state = 7u64;
    let mut next = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    (0..400)
        .map(|i| {
            let (id, value) = (u32::try_from(next() % 5).unwrap_or(0), (next() % 800) as f64 / 10.0);
            if next() % 2 == 0 { t(3 * i, id, value) } else { h(3 * i, id, value / 2.0) }
        })
        .collect()
}

/// What `FireRisk` gives, by its definition: the hot reading, the dry one, and their positions.
fn risks(stream: &[Reading]) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    for (j, dry) in stream.iter().enumerate() {
        let Reading::H { id, value, .. } = *dry else { continue };
        for (i, hot) in stream.iter().enumerate().take(j) {
            if let Reading::T { id: of, value: heat, .. } = *hot
                && of == id
                && heat > 40.0
                && value < 25.0
                && j - i < 100
            {
                out.push((i, j));
            }
        }
    }
    out
}

fn id(r: &Reading) -> u32 {
    match *r {
        Reading::T { id, .. } | Reading::H { id, .. } => id,
    }
}

fn at(r: &Reading) -> u64 {
    match *r {
        Reading::T { at, .. } | Reading::H { at, .. } => at,
    }
}

fn value(r: &Reading) -> f64 {
    match *r {
        Reading::T { value, .. } | Reading::H { value, .. } => value,
    }
}

#[test]
fn patterns_on_matches() {
    let stream = stream();
    let (mut risk, mut spread, mut again, mut notes) =
        (FireRisk::new(), Spread::new(), Again::new(), Notes::new());
    let (mut matches, mut spreads, mut agains, mut noted) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for e in &stream {
        for m in risk.push(e) {
            matches.push(m);
            let before = spreads.len();
            spreads.extend(
                spread
                    .push(&m)
                    .expect("room")
                    .map(|s| (s.a.position(), s.b.position(), s.b.hot.id, s.time())),
            );
            // the order within one event is the engine's
            spreads[before..].sort_by_key(|s| s.0);
            let before = agains.len();
            agains.extend(again.push(&m).map(|s| (s.a.hot.position(), s.b.dry.position())));
            agains[before..].sort_unstable();
            noted.extend(notes.push(&m).map(|n| n.a.position()));
        }
    }
    let mut found: Vec<_> =
        matches.iter().map(|m| (m.hot.position() as usize, m.dry.position() as usize)).collect();
    for (m, f) in matches.iter().zip(&found) {
        assert_eq!((m.start(), m.end(), m.time()), (f.0 as u64, f.1 as u64, at(&stream[f.1])));
    }
    let all = found.clone();
    found.sort_unstable();
    let mut expected = risks(&stream);
    expected.sort_unstable();
    assert_eq!(found, expected);
    assert!(found.len() > 100, "{}", found.len());
    let (mut by_definition, mut keyed, mut with_note) = (Vec::new(), Vec::new(), Vec::new());
    for (j, b) in all.iter().enumerate() {
        let mut same = Vec::new();
        for (i, a) in all.iter().enumerate().take(j) {
            let apart = at(&stream[b.1]) - at(&stream[a.1]);
            if id(&stream[a.0]) != id(&stream[b.0])
                && value(&stream[b.1]) <= value(&stream[a.1])
                && b.0 > a.0
                && apart <= 60
            {
                by_definition.push((i as u64, j as u64, id(&stream[b.0]), at(&stream[b.1])));
            }
            if id(&stream[a.0]) == id(&stream[b.0]) && j - i < 10 {
                same.push((a.0 as u64, b.1 as u64));
            }
        }
        same.sort_unstable();
        keyed.extend(same);
        let Reading::T { note, .. } = stream[b.0] else { unreachable!() };
        if note.is_some_and(|n| n > 2) || note.is_none() && b.0 == 0 {
            with_note.push(j as u64);
        }
    }
    assert!(by_definition.len() > 30 && keyed.len() > 30 && with_note.len() > 30);
    assert_eq!(spreads, by_definition);
    assert_eq!(agains, keyed);
    assert_eq!(noted, with_note);
}

#[test]
fn windows_on_matches() {
    let stream = stream();
    let (mut risk, mut last, mut pair, mut burst) = (FireRisk::new(), Last::new(), Pair::new(), Burst::new());
    let (mut matches, mut lasts, mut pairs, mut bursts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for e in &stream {
        for m in risk.push(e) {
            matches.push(m);
            lasts.extend(last.push(&m).map(|r| r.values));
            pairs.extend(pair.push(&m).map(|r| (r.values, r.dry_id, r.station)));
            bursts.extend(
                burst.push(&m).expect("room").map(|b| (b.hot_id, b.n, b.driest, b.known, b.start(), b.end())),
            );
        }
    }
    let flat: Vec<f64> = matches.iter().flat_map(|m| [m.hot.value, m.dry.value]).collect();
    let expected: Vec<[f64; 4]> = (2..)
        .map(|n| 2 * n)
        .take_while(|p| *p < flat.len())
        .map(|p| [flat[p], flat[p - 1], flat[p - 2], flat[p - 3]])
        .collect();
    assert_eq!(lasts, expected);
    let expected: Vec<_> =
        matches.windows(2).map(|m| ([m[1].hot.value, m[0].hot.value], m[1].dry.id, m[1].hot.id)).collect();
    assert_eq!(pairs, expected);
    // one window for each station, by the page's rules
    let mut open: Vec<(u32, Vec<usize>)> = Vec::new();
    let mut expected = Vec::new();
    for (j, m) in matches.iter().enumerate() {
        open.retain(|(id, held)| {
            let idle = matches[*held.last().expect("open")].time() + 30 <= m.time();
            if idle {
                expected.push(fold(&matches, *id, held, m.time()));
            }
            !idle
        });
        let place = open.iter().position(|o| o.0 == m.hot.id);
        let ends = place.is_some_and(|p| m.dry.value < matches[open[p].1[0]].dry.value);
        if let Some(p) = place {
            if !ends {
                open[p].1.push(j);
                continue;
            }
            let (id, held) = open.remove(p);
            expected.push(fold(&matches, id, &held, m.time()));
        }
        if m.hot.value > 45.0 {
            open.push((m.hot.id, vec![j]));
        }
    }
    expected.retain(|e| e.1 > 0);
    let sorted = |mut all: Vec<(u32, u64, f64, u64, u64, u64)>| {
        all.sort_by_key(|e| (e.5, e.0, e.4));
        all
    };
    assert!(bursts.len() > 20, "{}", bursts.len());
    assert_eq!(sorted(bursts), sorted(expected));
}

/// A window of matches that closes at `end`: those that begin before it.
fn fold(
    matches: &[risk::FireRiskMatch],
    id: u32,
    held: &[usize],
    end: u64,
) -> (u32, u64, f64, u64, u64, u64) {
    let held: Vec<_> = held.iter().map(|i| matches[*i]).filter(|m| m.time() < end).collect();
    let driest = held.iter().map(|m| m.dry.value).fold(f64::INFINITY, f64::min);
    let known = held.iter().filter(|m| m.hot.note.is_some()).count() as u64;
    (id, held.len() as u64, driest, known, held.first().map_or(0, |m| m.time()), end)
}

#[test]
fn three_stages() {
    let (mut risk, mut spread, mut pairs, mut high) =
        (FireRisk::new(), Spread::new(), Pairs::new(), High::new());
    let (mut spreads, mut tops) = (Vec::new(), Vec::new());
    for e in &stream() {
        for m in risk.push(e) {
            for s in spread.push(&m).expect("room") {
                spreads.push([s.a.hot.id, s.b.hot.id]);
                for p in pairs.push(&s) {
                    tops.extend(high.push(&p).map(|h| h.p.most));
                }
            }
        }
    }
    let flat: Vec<u32> = spreads.into_iter().flatten().collect();
    let expected: Vec<u32> = (1..)
        .map(|n| 2 * n)
        .take_while(|p| *p < flat.len())
        .map(|p| flat[p].max(flat[p - 1]))
        .filter(|m| *m > 3)
        .collect();
    assert!(tops.len() > 10);
    assert_eq!(tops, expected);
}

#[test]
fn computed_events_and_absent_parts() {
    let stream = stream();
    let (mut heat, mut heats, mut maybe, mut dry) = (Heat::new(), Heats::new(), Maybe::new(), Dry::new());
    let (mut trend, mut intervals, mut load, mut busy) =
        (Trend::new(), Intervals::new(), Load::new(), Busy::new());
    let (mut some, mut dries, mut short, mut totals, mut counts) = (0, 0, 0, Vec::new(), Vec::new());
    for e in &stream {
        for m in heat.push(e) {
            for r in heats.push(&m) {
                assert!(r.values == [m.m.n] || r.values == [u64::from(m.first.id)]);
                some += 1;
            }
            assert_eq!(m.time(), at(e));
        }
        for m in maybe.push(e) {
            let is_dry = m.h.is_some_and(|h| h.value < 20.0) && m.u.value > 0.0;
            assert_eq!(dry.push(&m).count(), usize::from(is_dry));
            dries += usize::from(is_dry);
        }
        for m in trend.push(e) {
            assert_eq!(intervals.push(&m).count(), usize::from(m.end() - m.start() == 2));
            short += usize::from(m.end() - m.start() == 2);
        }
        let record = load.push(e);
        counts.push(record.n);
        totals.extend(busy.push(&record).map(|r| r.total));
    }
    assert!(some > 10 && dries > 10 && short > 10, "{some} {dries} {short}");
    let sums: Vec<_> = counts.windows(3).map(|w| w.iter().map(|n| u128::from(*n)).sum::<u128>()).collect();
    assert_eq!(totals, sums);
}

#[test]
fn matches_of_two_patterns_as_one_stream() {
    let stream = stream();
    let (mut risk, mut heat, mut both) = (FireRisk::new(), Heat::new(), Both::new());
    let mut alerts = Vec::new();
    let mut found = 0;
    for e in &stream {
        let fires: Vec<_> = risk.push(e).map(Alert::Fire).collect();
        for a in fires.into_iter().chain(heat.push(e).map(Alert::Heat)) {
            found += both.push(&a).count();
            alerts.push(a);
        }
    }
    let mut expected = 0;
    for (j, b) in alerts.iter().enumerate() {
        let Alert::Heat(h) = b else { continue };
        for a in alerts.iter().take(j).skip((j + 1).saturating_sub(20)) {
            expected += usize::from(matches!(a, Alert::Fire(f) if f.hot.id == h.first.id && h.m.n > 1));
        }
    }
    assert!(found > 5, "{found}");
    assert_eq!(found, expected);
}

//! The three stages of `examples/pipeline.rs`, each recomputed from the file without any of the machines' means.
use std::path::Path;

#[path = "../examples/weather/spells.rs"]
mod spells;
#[path = "../examples/weather/mod.rs"]
mod weather;
use spells::{Hotter, Spell, Temperature, Wave};
use weather::{Reading, Station};

/// A wave: station, first hour, hour of its end, hours, peak.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Heat {
    station: u8,
    from: i64,
    end: i64,
    hours: u64,
    peak: f64,
}

/// The readings of the file as events.
fn temperatures() -> Vec<Temperature> {
    let all = weather::read(Path::new(weather::WEATHER)).expect("the file of this repository");
    let mut stations: Vec<Station> = Vec::new();
    let mut out = Vec::new();
    for r in all {
        let Reading::T { station, hour, value } = r else { continue };
        if !stations.contains(&station) {
            stations.push(station);
        }
        let n = stations.iter().position(|s| *s == station).unwrap_or(0);
        out.push(Temperature { hour: hour.into(), station: u8::try_from(n).unwrap_or(u8::MAX), value });
    }
    out
}

/// The waves in the order in which they end: cut out of each station's readings.
fn waves(all: &[Temperature]) -> Vec<Heat> {
    let mut out: Vec<(usize, Heat)> = Vec::new();
    for station in 0..3 {
        let own: Vec<(usize, &Temperature)> =
            all.iter().enumerate().filter(|(_, t)| t.station == station).collect();
        let mut i = 0;
        while i < own.len() {
            if own[i].1.value <= 80.0 {
                i += 1;
                continue;
            }
            let mut n = 1;
            while i + n < own.len()
                && own[i + n].1.value >= 75.0
                && own[i + n].1.hour - own[i + n - 1].1.hour < 48
            {
                n += 1;
            }
            let stretch = &own[i..i + n];
            let first = stretch[0].1.hour;
            let quiet = stretch[n - 1].1.hour + 48;
            // what shows the end: the next reading of the station, or one of another that is two days later
            let next = own.get(i + n).map(|(at, _)| *at).unwrap_or(all.len());
            let shown = all.iter().position(|t| t.hour >= quiet).unwrap_or(all.len()).min(next);
            let end = all.get(shown).map_or_else(|| all[all.len() - 1].hour + 1, |t| t.hour);
            let peak = stretch.iter().map(|t| t.1.value).fold(f64::MIN, f64::max);
            out.push((shown, Heat { station, from: first, end, hours: n as u64, peak }));
            i += n;
        }
    }
    out.sort_by_key(|(shown, w)| (*shown, w.from));
    out.into_iter().map(|(_, w)| w).collect()
}

#[test]
fn each_stage_is_what_its_definition_says() {
    let all = temperatures();
    let (mut wave, mut hotter, mut spell) = (Wave::new(), Hotter::new(), Spell::new());
    let (mut heats, mut pairs, mut spells) = (Vec::new(), Vec::new(), Vec::new());
    // station, start, end, rises, hours, from, to
    for t in &all {
        for w in wave.push(t).expect("three stations") {
            heats.push(Heat {
                station: w.station,
                from: w.start(),
                end: w.end(),
                hours: w.hours,
                peak: w.peak,
            });
            for m in hotter.push(&w).expect("room for a week") {
                assert_eq!(m.time(), m.b.end());
                pairs.push((m.a.position(), m.b.position()));
                for s in spell.push(&m).expect("three stations") {
                    spells.push((s.b_station, s.start(), s.end(), s.rises, s.hours, s.from, s.to));
                }
            }
        }
    }
    for s in spell.finish() {
        spells.push((s.b_station, s.start(), s.end(), s.rises, s.hours, s.from, s.to));
    }
    let expected = waves(&all);
    assert!(heats.len() > 150, "{}", heats.len());
    // waves of one hour that end at once are in no output; there is none here
    assert_eq!(heats, expected);

    let mut by_definition = Vec::new();
    for (j, b) in expected.iter().enumerate() {
        for (i, a) in expected[..j].iter().enumerate() {
            if a.station == b.station && b.peak > a.peak && b.end - a.end <= 7 * 24 {
                by_definition.push((i as u64, j as u64));
            }
        }
    }
    let order = pairs.clone();
    pairs.sort_unstable_by_key(|p| (p.1, p.0));
    assert!(pairs.len() > 100, "{}", pairs.len());
    assert_eq!(pairs, by_definition);

    // matches in the order in which they came, cut at each station's pauses of five days
    let mut found = Vec::new();
    for station in 0..3 {
        let own: Vec<_> = order.iter().filter(|p| expected[p.1 as usize].station == station).collect();
        let at = |p: &(u64, u64)| expected[p.1 as usize].end;
        let mut i = 0;
        while i < own.len() {
            let mut n = 1;
            while i + n < own.len() && at(own[i + n]) - at(own[i + n - 1]) < 5 * 24 {
                n += 1;
            }
            let quiet = at(own[i + n - 1]) + 5 * 24;
            let last = order.last().map_or(0, &at);
            let end = order.iter().map(&at).find(|t| *t >= quiet).unwrap_or(last + 1);
            let stretch = &own[i..i + n];
            let a = |p: &&(u64, u64)| expected[p.0 as usize];
            let b = |p: &&(u64, u64)| expected[p.1 as usize];
            found.push((
                station,
                at(stretch[0]),
                end,
                n as u64,
                stretch.iter().map(|p| u128::from(b(p).hours)).sum::<u128>(),
                stretch.iter().map(|p| a(p).peak).fold(f64::MAX, f64::min),
                stretch.iter().map(|p| b(p).peak).fold(f64::MIN, f64::max),
            ));
            i += n;
        }
    }
    let sorted = |mut all: Vec<(u8, i64, i64, u64, u128, f64, f64)>| {
        all.sort_by_key(|s| (s.0, s.1));
        all
    };
    assert!(spells.len() > 10, "{}", spells.len());
    assert_eq!(sorted(spells), sorted(found));
}

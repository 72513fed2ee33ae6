//! The hot spells of `examples/hot_spells.rs`, recomputed from the file without any of the machine's means.
use std::collections::BTreeMap;
use std::path::Path;

#[path = "../examples/weather/heat.rs"]
mod heat;
#[path = "../examples/weather/mod.rs"]
mod weather;
use heat::{Heat, HotSpell};
use weather::{Reading, Station};

/// Position of the cooler reading behind it, hours, peak, mean, and the first hour as text.
type Spell = (u64, u64, f64, f64, String);

/// Cuts each station's temperatures into stretches.
fn by_definition(readings: &[Reading]) -> Vec<Spell> {
    let mut stations: BTreeMap<Station, Vec<(u64, f64, String)>> = BTreeMap::new();
    for (at, r) in readings.iter().enumerate() {
        if let Reading::T { station, hour, value } = r {
            stations.entry(*station).or_default().push((at as u64, *value, hour.to_string()));
        }
    }
    let mut out = Vec::new();
    for all in stations.into_values() {
        let mut i = 0;
        while i < all.len() {
            let hot = all[i..].iter().take_while(|x| x.1 >= 90.0).count();
            if hot > 0 && i > 0 && i + hot < all.len() {
                let stretch = &all[i..i + hot];
                // the whole match has to be in the window
                if all[i + hot].0 - all[i - 1].0 < 240 {
                    let peak = stretch.iter().map(|x| x.1).fold(f64::MIN, f64::max);
                    let mean = stretch.iter().map(|x| x.1).sum::<f64>() / hot as f64;
                    out.push((all[i + hot].0, hot as u64, peak, mean, stretch[0].2.clone()));
                }
            }
            i += hot.max(1);
        }
    }
    out.sort_by_key(|s| s.0);
    out
}

#[test]
fn spells_and_pairs() {
    let all = weather::read(Path::new(weather::WEATHER)).expect("the file of this repository");
    let readings: Vec<Reading> = all.into_iter().filter(|r| matches!(r, Reading::T { .. })).collect();
    let mut machine = HotSpell::new(90.0);
    let mut found: Vec<Spell> = Vec::new();
    for r in &readings {
        for m in machine.push(r) {
            let s = m.spell;
            found.push((m.after.position(), s.hours, s.peak, s.mean, s.since.to_string()));
        }
    }
    let expected = by_definition(&readings);
    assert!(expected.len() > 20, "{}", expected.len());
    assert_eq!(found, expected);

    let mut heat = Heat::new(90.0);
    let hot: Vec<bool> =
        readings.iter().map(|r| matches!(r, Reading::T { value, .. } if *value >= 90.0)).collect();
    for (at, r) in readings.iter().enumerate() {
        let before = hot[at.saturating_sub(143)..at].iter().filter(|h| **h).count() as u64;
        assert_eq!(heat.push(r).pairs, if hot[at] { before } else { 0 });
    }
}

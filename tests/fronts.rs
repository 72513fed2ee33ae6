//! The fronts of `examples/fronts.rs`, recomputed from the file by their definition, without any of the machine's means.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use cep::cep;

mod example;
#[path = "../examples/weather/front.rs"]
mod front;
#[path = "../examples/weather/mod.rs"]
mod weather;
use front::Weather;
use weather::{Reading, WEATHER};

cep! {
    pattern Front on Weather =
        ((T as colder : H as damp) filter colder.value <= prev(colder).value - 1.0):+ : T : H as wet
        filter count(colder) >= 3 && wet.value >= last(damp).value + 15.0
        within 12 h
        partition by station
        capacity 100 events
        select colder, wet;
}

/// The positions of the temperatures of a run, and of the humidity behind it.
type Found = (Vec<u64>, u64);

/// Every run that ends before each humidity, station by station.
fn by_definition(readings: &[Reading]) -> Vec<Found> {
    /// Of one station: temperature or not, the hour, the value, the position in the stream.
    type Own = (bool, i64, f64, u64);
    let mut stations: BTreeMap<_, Vec<Own>> = BTreeMap::new();
    for (at, reading) in readings.iter().enumerate() {
        let (station, own) = match *reading {
            Reading::T { station, hour, value } => (station, (true, hour.into(), value, at as u64)),
            Reading::H { station, hour, value } => (station, (false, hour.into(), value, at as u64)),
        };
        stations.entry(station).or_default().push(own);
    }
    let mut found = Vec::new();
    for own in stations.values() {
        for end in 3..own.len() {
            let (temperature, hour, humidity, position) = own[end];
            if temperature || !own[end - 1].0 {
                continue;
            }
            // pairs of temperature and humidity, from the last one back
            let mut run: Vec<u64> = Vec::new();
            let mut next = None;
            for i in (0..=end - 3).rev().step_by(2) {
                let fell = next.is_none_or(|then: f64| then <= own[i].2 - 1.0);
                if !own[i].0 || own[i + 1].0 || !fell || hour - own[i].1 > 12 {
                    break;
                }
                next = Some(own[i].2);
                run.insert(0, own[i].3);
                if run.len() >= 3 && humidity >= own[end - 2].2 + 15.0 {
                    found.push((run.clone(), position));
                }
            }
        }
    }
    found.sort();
    found
}

#[test]
fn the_machine_finds_the_fronts_of_the_definition() {
    let readings = weather::read(Path::new(WEATHER)).unwrap_or_else(|e| panic!("{e}"));
    let expected = by_definition(&readings);
    let mut machine = Front::new();
    let mut found = Vec::new();
    for reading in &readings {
        let mut matches = machine.push(&Weather::from(*reading)).expect("in order, and room for a hundred");
        while let Some(m) = matches.next() {
            let run: Vec<u64> = m.colder.iter().map(|t| t.position()).collect();
            assert_eq!((Some(&m.start()), m.end()), (run.first(), m.wet.position()));
            found.push((run, m.end()));
        }
    }
    found.sort();
    assert_eq!(found, expected);
    let mut ends: Vec<u64> = expected.iter().map(|f| f.1).collect();
    ends.sort_unstable();
    ends.dedup();
    assert_eq!((expected.len(), ends.len(), readings.len()), (44, 28, 52_228));
}

#[test]
fn the_example_prints_them() {
    let out = Command::new(example::program("fronts")).output().expect("the example runs");
    let text = String::from_utf8_lossy(&out.stdout);
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    assert_eq!(text.lines().last(), Some("44 fronts at 28 readings of 52228"));
    assert_eq!(text.lines().count(), 45);
}

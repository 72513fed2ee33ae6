//! Hot spells at the airports of New York in 2013: how long each was, how hot at most and on average; and as a figure that lives on
//! beside them, how many pairs of hot hours lie within two days.
//!
//! ```sh
//! cargo run --release --example hot_spells
//! cargo run --release --example hot_spells FILE.csv
//! ```
use std::path::PathBuf;
use std::process::ExitCode;

#[path = "weather/heat.rs"]
mod heat;
mod weather;
use heat::{Heat, HotSpell};
use weather::Reading;

fn main() -> ExitCode {
    let path = std::env::args_os().nth(1).map_or_else(|| PathBuf::from(weather::WEATHER), PathBuf::from);
    let readings = match weather::read(&path) {
        Ok(readings) => readings,
        Err(e) => {
            eprintln!("{e}");
            return ExitCode::FAILURE;
        }
    };
    let (mut spells, mut heat) = (HotSpell::new(90.0), Heat::new(90.0));
    let (mut found, mut pairs, mut most) = (0u64, 0u64, 0);
    for reading in readings.iter().filter(|r| matches!(r, Reading::T { .. })) {
        for m in spells.push(reading) {
            found += 1;
            let s = m.spell;
            println!(
                "{} from {}: {} hours, at most {:.2} °F, {:.2} °F on average",
                m.after.station, s.since, s.hours, s.peak, s.mean
            );
        }
        let now = heat.push(reading).pairs;
        pairs += now;
        most = most.max(now);
    }
    println!("{found} hot spells; {pairs} pairs of hot hours within two days, at most {most} at one hour");
    ExitCode::SUCCESS
}

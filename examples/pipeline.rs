//! A year of weather through three stages: heat waves, pairs of waves that get hotter, spells of such pairs.
//!
//! ```sh
//! cargo run --release --example pipeline              # the file of the repository
//! cargo run --release --example pipeline other.csv    # one in the same form
//! ```
//!
//! The stages are the items of `weather/spells.rs`: a window, a pattern on its results, a window on the pattern's matches. What one gives is
//! pushed into the next as it comes, so a spell is known as soon as time has shown its end. Nothing is collected between the stages.
use std::path::PathBuf;
use std::process::ExitCode;

#[path = "weather/spells.rs"]
mod spells;
mod weather;
use spells::{Hotter, Spell, SpellRecord, Temperature, Wave};
use weather::Reading;

fn main() -> ExitCode {
    let path = std::env::args().nth(1).map_or_else(|| weather::WEATHER.into(), PathBuf::from);
    match run(&path) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn run(path: &std::path::Path) -> Result<(), String> {
    let readings = weather::read(path).map_err(|e| e.to_string())?;
    let mut stations = Vec::new();
    let (mut wave, mut hotter, mut spell) = (Wave::new(), Hotter::new(), Spell::new());
    let (mut waves, mut rises, mut spells, mut longest) = (0, 0, 0, None::<SpellRecord>);
    let mut ended = |s: SpellRecord| {
        spells += 1;
        if longest.is_none_or(|l| s.hours > l.hours) {
            longest = Some(s);
        }
    };
    for reading in &readings {
        let Reading::T { station, hour, value } = *reading else { continue };
        let station = u8::try_from(index(&mut stations, station)).map_err(|e| e.to_string())?;
        let event = Temperature { hour: hour.into(), station, value };
        for w in wave.push(&event).map_err(|e| e.to_string())? {
            waves += 1;
            for m in hotter.push(&w).map_err(|e| e.to_string())? {
                rises += 1;
                spell.push(&m).map_err(|e| e.to_string())?.for_each(&mut ended);
            }
        }
        // a spell that nothing follows is over when time says so, too
        spell.advance_to(event.hour).for_each(&mut ended);
    }
    for w in wave.finish() {
        waves += 1;
        for m in hotter.push(&w).map_err(|e| e.to_string())? {
            rises += 1;
            spell.push(&m).map_err(|e| e.to_string())?.for_each(&mut ended);
        }
    }
    spell.finish().for_each(&mut ended);
    println!(
        "{waves} waves of heat at {} stations, {rises} times a hotter one within a week",
        stations.len()
    );
    if let Some(s) = longest {
        let days = s.hours / 24;
        println!(
            "{spells} spells, the longest at {} with {} rises, {days} days of heat, from {:.1} to {:.1} °F",
            stations[usize::from(s.b_station)],
            s.rises,
            s.from,
            s.to
        );
    }
    Ok(())
}

/// The number of a station.
fn index<T: PartialEq>(all: &mut Vec<T>, one: T) -> usize {
    all.iter().position(|x| *x == one).unwrap_or_else(|| {
        all.push(one);
        all.len() - 1
    })
}

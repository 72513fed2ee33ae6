//! Weather fronts at the airports of New York in 2013: hour after hour it gets colder, and then the humidity jumps.
//!
//! ```sh
//! cargo run --release --example fronts            # the file of this repository
//! cargo run --release --example fronts FILE.csv   # another one with the same columns
//! ```
//!
//! Each match is a line: the station, the temperatures of the run, and the humidity that ended it. The last line counts them.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use cep::cep;

#[path = "weather/front.rs"]
mod front;
mod weather;
use front::Weather;

cep! {
    /// At one station at least three readings in a row, each at least 1 °F colder than the one before, and at the next one a humidity
    /// at least 15 % higher than at the last of them: no reading of the station is left out in between, and all of it takes at
    /// most twelve hours. Three stations give at most 78 readings in that time (both ends belong to it).
    pub(crate) pattern Front on Weather =
        ((T as colder : H as damp) filter colder.value <= prev(colder).value - 1.0):+ : T : H as wet
        filter count(colder) >= 3 && wet.value >= last(damp).value + 15.0
        within 12 h
        partition by station
        capacity 100 events
        select colder, wet;
}

fn main() -> ExitCode {
    let path = std::env::args_os().nth(1).map_or_else(|| PathBuf::from(weather::WEATHER), PathBuf::from);
    match weather::read(&path).map_err(|e| e.to_string()).and_then(|readings| run(&readings)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn run(readings: &[weather::Reading]) -> Result<(), String> {
    let mut fronts = Front::new();
    let mut out = io::BufWriter::new(io::stdout().lock());
    let (mut found, mut completing) = (0, 0);
    for reading in readings {
        // the time runs on, and a hundred events are enough: neither error can be
        let mut matches = fronts.push(&Weather::from(*reading)).map_err(|e| e.to_string())?;
        let before = found;
        while let Some(m) = matches.next() {
            found += 1;
            let run: Vec<String> = m.colder.iter().map(|t| format!("{:.2}", t.value)).collect();
            let line = writeln!(
                out,
                "{}  {} °F, then {:.2} % at {}",
                m.wet.station,
                run.join(" > "),
                m.wet.value,
                m.wet.hour
            );
            match line {
                // the reader has seen enough: `fronts | head`
                Err(e) if e.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
                line => line.map_err(|e| format!("cannot write the result: {e}"))?,
            }
        }
        completing += usize::from(found > before);
    }
    writeln!(out, "{found} fronts at {completing} readings of {}", readings.len())
        .and_then(|()| out.flush())
        .map_err(|e| format!("cannot write the result: {e}"))
}

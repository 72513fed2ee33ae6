//! Fire risk at the airports of New York in 2013: a hot reading, then a dry one at the same station soon after.
//!
//! ```sh
//! cargo run --release --example fire_risk            # the file of this repository
//! cargo run --release --example fire_risk FILE.csv   # another one with the same columns
//! ```
//!
//! Each match is a line; the last line counts them. Only the machine's loop is timed: the file is in memory before it
//! begins, and nothing is printed before it ends.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use cep::cep;

mod weather;
use weather::Reading;

cep! {
    /// A temperature of at least `hottest` °F and then, at the same station, a humidity of at most `driest` %.
    /// A window of 37 events is about six hours: three stations give six readings an hour.
    pattern FireRisk(hottest: f64, driest: f64) on Reading =
        T as hot filter hot.value >= hottest ; H as dry filter dry.value <= driest
        filter hot.station == dry.station
        within 37 events
        select hot, dry;
}

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let path = arguments.next().map_or_else(|| PathBuf::from(weather::WEATHER), PathBuf::from);
    if arguments.next().is_some() {
        eprintln!("usage: fire_risk [FILE.csv]");
        return ExitCode::FAILURE;
    }
    match run(&path) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn run(path: &Path) -> Result<(), String> {
    let readings = weather::read(path).map_err(|e| e.to_string())?;

    let mut risk = FireRisk::new(90.0, 40.0);
    let mut matches = Vec::with_capacity(readings.len());
    let mut completing = 0;
    let begin = Instant::now();
    for reading in &readings {
        let before = matches.len();
        matches.extend(risk.push(reading));
        completing += usize::from(matches.len() > before);
    }
    let seconds = begin.elapsed().as_secs_f64();

    let mut out = io::BufWriter::new(io::stdout().lock());
    let printed = (|| {
        for m in &matches {
            let (hot, dry) = (&m.hot, &m.dry);
            writeln!(
                out,
                "{}  {:.2} °F at {}, then {:.2} % at {}",
                hot.station, hot.value, hot.hour, dry.value, dry.hour
            )?;
        }
        writeln!(
            out,
            "{} matches at {} completing events of {}, {} events per second",
            grouped(matches.len()),
            grouped(completing),
            grouped(readings.len()),
            grouped((readings.len() as f64 / seconds) as usize),
        )?;
        out.flush()
    })();
    match printed {
        // The reader has seen enough: `fire_risk | head`.
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        printed => printed.map_err(|e| format!("cannot write the result: {e}")),
    }
}

/// A number with a comma between groups of three digits.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

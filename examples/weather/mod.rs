//! The weather file as a stream of readings: what the examples run on, and what `tests/fire_risk.rs` checks.
//!
//! In comes a CSV file with at least the columns `origin`, `time_hour`, `temp` and `humid`, in any order of rows and
//! columns. Out comes one `T` event and then one `H` event per row, the rows in order of (`time_hour`, `origin`);
//! a value `NA` gives no event. Anything else that is not as described is an error with the file and the line.

use std::fmt;
use std::path::{Path, PathBuf};

use cep::Event;

/// The file that belongs to the examples.
pub(crate) const WEATHER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/data/weather.csv");

/// One value that a station measured.
#[derive(Event, Clone, Copy, Debug, PartialEq)]
pub(crate) enum Reading {
    /// Air temperature in °F.
    T {
        #[event(key)]
        station: Station,
        hour: Hour,
        value: f64,
    },
    /// Relative humidity in %.
    H {
        #[event(key)]
        station: Station,
        hour: Hour,
        value: f64,
    },
}

/// A station: the three letters of its airport.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Station([u8; 3]);

impl Station {
    fn parse(text: &str) -> Option<Self> {
        let letters: [u8; 3] = text.as_bytes().try_into().ok()?;
        letters.iter().all(u8::is_ascii_uppercase).then_some(Self(letters))
    }
}

impl fmt::Display for Station {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|&letter| write!(f, "{}", char::from(letter)))
    }
}

/// An hour of a day, UTC. The order of the fields makes the derived order that of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Hour {
    year: u16,
    month: u16,
    day: u16,
    hour: u16,
}

impl Hour {
    /// Reads a full hour of the form `2013-07-04T18:00:00Z`.
    fn parse(text: &str) -> Option<Self> {
        const FORM: &[u8] = b"####-##-##T##:00:00Z";
        let fits = text.len() == FORM.len()
            && text
                .bytes()
                .zip(FORM)
                .all(|(b, &form)| if form == b'#' { b.is_ascii_digit() } else { b == form });
        if !fits {
            return None;
        }
        let number = |from, to| text.get(from..to)?.parse().ok();
        let hour =
            Self { year: number(0, 4)?, month: number(5, 7)?, day: number(8, 10)?, hour: number(11, 13)? };
        ((1..=12).contains(&hour.month) && (1..=31).contains(&hour.day) && hour.hour < 24).then_some(hour)
    }
}

/// Hours since the beginning of 1970.
impl From<Hour> for i64 {
    fn from(at: Hour) -> i64 {
        // in years that begin with March the leap day is the last one
        let (year, month) = if at.month > 2 {
            (at.year.into(), at.month - 3)
        } else {
            (i64::from(at.year) - 1, at.month + 9)
        };
        let days = 365 * year + year / 4 - year / 100
            + year / 400
            + (153 * i64::from(month) + 2) / 5
            + i64::from(at.day)
            - 1
            - 719_468;
        24 * days + i64::from(at.hour)
    }
}

impl fmt::Display for Hour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02} {:02}:00", self.year, self.month, self.day, self.hour)
    }
}

/// Why a file could not be read, with the place: `weather.csv:7: …`.
#[derive(Debug)]
pub(crate) struct ReadError {
    path: PathBuf,
    line: Option<u64>,
    message: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.path.display())?;
        if let Some(line) = self.line {
            write!(f, "{line}:")?;
        }
        write!(f, " {}", self.message)
    }
}

impl std::error::Error for ReadError {}

/// Reads the file at `path` into memory as a stream of readings.
pub(crate) fn read(path: &Path) -> Result<Vec<Reading>, ReadError> {
    let error = |line, message| ReadError { path: path.to_owned(), line, message };
    let content = std::fs::read(path).map_err(|e| error(None, e.to_string()))?;
    // A record's position is where the one before ended: line breaks in front of it are not yet counted.
    let line = |at: &csv::Position| {
        let rest = content.get(at.byte() as usize..).unwrap_or_default();
        let breaks = rest.iter().take_while(|byte| matches!(byte, b'\r' | b'\n'));
        at.line() + breaks.filter(|&&byte| byte == b'\n').count() as u64
    };
    let broken = |e: csv::Error| {
        let line = e.position().map(line);
        let message = match e.into_kind() {
            csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
                format!("expected {expected_len} fields, as in the header, found {len}")
            }
            csv::ErrorKind::Utf8 { .. } => "not UTF-8".to_owned(),
            other => format!("{other:?}"),
        };
        error(line, message)
    };

    let mut table = csv::Reader::from_reader(content.as_slice());
    let header = table.headers().map_err(broken)?.clone();
    let column = |name: &str| {
        header
            .iter()
            .position(|found| found == name)
            .ok_or_else(|| error(Some(1), format!("no column `{name}`")))
    };
    let (origin, time_hour, temp, humid) =
        (column("origin")?, column("time_hour")?, column("temp")?, column("humid")?);

    let mut rows = Vec::new();
    for record in table.records() {
        let record = record.map_err(broken)?;
        let line = record.position().map(line);
        let unfit = |field: usize, wanted: &str| {
            error(line, format!("`{}`: expected {wanted}, found `{}`", &header[field], &record[field]))
        };
        let value = |field: usize| match &record[field] {
            "NA" => Ok(None),
            text => text
                .parse()
                .ok()
                .filter(|value: &f64| value.is_finite())
                .map(Some)
                .ok_or_else(|| unfit(field, "a number or NA")),
        };
        let station = Station::parse(&record[origin])
            .ok_or_else(|| unfit(origin, "the three capital letters of an airport"))?;
        let hour = Hour::parse(&record[time_hour])
            .ok_or_else(|| unfit(time_hour, "an hour in the form 2013-07-04T18:00:00Z"))?;
        rows.push((hour, station, value(temp)?, value(humid)?));
    }

    rows.sort_by_key(|&(hour, station, ..)| (hour, station));
    let readings = rows.into_iter().flat_map(|(hour, station, temp, humid)| {
        let hot = temp.map(|value| Reading::T { station, hour, value });
        let dry = humid.map(|value| Reading::H { station, hour, value });
        hot.into_iter().chain(dry)
    });
    Ok(readings.collect())
}

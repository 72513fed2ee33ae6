//! The main job, recomputed: every pair of readings in the weather file is looked at, as the pattern's definition says
//! and without any of its machinery, and the machines must report exactly these pairs. Below, how the example behaves on
//! files that are missing or broken.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use cep::cep;

mod example;
#[path = "../examples/weather/mod.rs"]
mod weather;
use weather::{Reading, WEATHER};

const HOTTEST: f64 = 90.0;
const DRIEST: f64 = 40.0;

cep! {
    pattern Within31(hottest: f64, driest: f64) on Reading =
        T as hot filter hot.value >= hottest ; H as dry filter dry.value <= driest
        filter hot.station == dry.station
        within 31 events
        select hot, dry;

    pattern Within32(hottest: f64, driest: f64) on Reading =
        T as hot filter hot.value >= hottest ; H as dry filter dry.value <= driest
        filter hot.station == dry.station
        within 32 events
        select hot, dry;
}

cep! {
    pattern Within37(hottest: f64, driest: f64) on Reading =
        T as hot filter hot.value >= hottest ; H as dry filter dry.value <= driest
        filter hot.station == dry.station
        within 37 events
        select hot, dry;

    pattern Within38(hottest: f64, driest: f64) on Reading =
        T as hot filter hot.value >= hottest ; H as dry filter dry.value <= driest
        filter hot.station == dry.station
        within 38 events
        select hot, dry;

    pattern AnyStation37(hottest: f64, driest: f64) on Reading =
        T as hot filter hot.value >= hottest ; H as dry filter dry.value <= driest
        within 37 events
        select hot, dry;
}

fn readings() -> Vec<Reading> {
    weather::read(Path::new(WEATHER)).unwrap_or_else(|e| panic!("{e}"))
}

/// Position of the hot reading and of the dry one.
type Pair = (u64, u64);

/// All results by definition, in order of the completing event.
fn by_definition(readings: &[Reading], window: usize, same_station: bool) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (end, last) in readings.iter().enumerate() {
        let Reading::H { station: at, value: humidity, .. } = *last else { continue };
        if humidity > DRIEST {
            continue;
        }
        for (start, first) in readings.iter().enumerate().take(end) {
            let Reading::T { station, value: temperature, .. } = *first else { continue };
            let inside = end - start < window;
            if temperature >= HOTTEST && inside && (station == at || !same_station) {
                pairs.push((start as u64, end as u64));
            }
        }
    }
    pairs
}

/// Number of results, and of the events that complete at least one.
fn figures(pairs: &[Pair]) -> (usize, usize) {
    let mut ends: Vec<u64> = pairs.iter().map(|&(_, end)| end).collect();
    ends.sort_unstable();
    ends.dedup();
    (pairs.len(), ends.len())
}

#[test]
fn the_definition_gives_the_known_figures() {
    let readings = readings();
    assert_eq!(readings.len(), 52_228);
    assert_eq!(figures(&by_definition(&readings, 31, true)), (356, 90));
    for window in 32..=37 {
        assert_eq!(figures(&by_definition(&readings, window, true)), (392, 91), "window {window}");
    }
    assert_eq!(figures(&by_definition(&readings, 38, true)), (419, 93));
    assert_eq!(figures(&by_definition(&readings, 37, false)), (961, 95));
}

/// Runs one machine over the file and compares what it reports with the definition and with the known figures.
macro_rules! machine_agrees {
    ($test:ident, $machine:ident, $window:literal, $same_station:literal, $figures:expr) => {
        #[test]
        fn $test() {
            let readings = readings();
            let mut machine = $machine::new(HOTTEST, DRIEST);
            let mut pairs = Vec::new();
            for (now, reading) in readings.iter().enumerate() {
                for m in machine.push(reading) {
                    assert_eq!(m.end(), now as u64, "a match belongs to the event that completes it");
                    assert_eq!((m.start(), m.end()), (m.hot.position(), m.dry.position()));
                    let hot = Reading::T { station: m.hot.station, hour: m.hot.hour, value: m.hot.value };
                    let dry = Reading::H { station: m.dry.station, hour: m.dry.hour, value: m.dry.value };
                    assert_eq!((hot, dry), (readings[m.start() as usize], *reading), "what the match holds");
                    pairs.push((m.start(), m.end()));
                }
            }
            assert_eq!(figures(&pairs), $figures);
            // Which of the matches of one event comes first is not promised.
            pairs.sort_unstable();
            let mut expected = by_definition(&readings, $window, $same_station);
            expected.sort_unstable();
            assert_eq!(pairs, expected);
        }
    };
}

machine_agrees!(the_machine_agrees_within_31, Within31, 31, true, (356, 90));
machine_agrees!(the_machine_agrees_within_32, Within32, 32, true, (392, 91));
machine_agrees!(the_machine_agrees_within_37, Within37, 37, true, (392, 91));
machine_agrees!(the_machine_agrees_within_38, Within38, 38, true, (419, 93));
machine_agrees!(the_machine_agrees_at_any_station, AnyStation37, 37, false, (961, 95));

const HEADER: &str = "origin,time_hour,temp,humid\n";
const ROW: &str = "JFK,2013-07-04T18:00:00Z,88.5,50\n";

/// A file of this test's own.
fn file(name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, content).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    path
}

/// Files that cannot be read, and what the message must say after the file's name. Written once: tests run side by side.
fn broken() -> &'static [(PathBuf, &'static str)] {
    static BROKEN: OnceLock<Vec<(PathBuf, &'static str)>> = OnceLock::new();
    BROKEN.get_or_init(write_broken)
}

fn write_broken() -> Vec<(PathBuf, &'static str)> {
    let case = |name: &str, rows: &str, message| (file(name, format!("{HEADER}{ROW}{rows}")), message);
    vec![
        (Path::new(env!("CARGO_TARGET_TMPDIR")).join("fire_risk_missing.csv"), ": "),
        (file("fire_risk_empty.csv", ""), ":1: no column `origin`"),
        (file("fire_risk_column.csv", "origin,time_hour,temp\n"), ":1: no column `humid`"),
        (file("fire_risk_utf8.csv", [HEADER.as_bytes(), b"JFK,2013,\xff,3\n"].concat()), ":2: not UTF-8"),
        case(
            "fire_risk_number.csv",
            "JFK,2013-07-04T19:00:00Z,88.5,dry\n",
            ":3: `humid`: expected a number or NA, found `dry`",
        ),
        case(
            "fire_risk_nan.csv",
            "JFK,2013-07-04T19:00:00Z,NaN,50\n",
            ":3: `temp`: expected a number or NA, found `NaN`",
        ),
        case(
            "fire_risk_blank.csv",
            "\n\nJFK,2013-07-04T19:00:00Z,,50\n",
            ":5: `temp`: expected a number or NA, found ``",
        ),
        (
            file(
                "fire_risk_crlf.csv",
                format!("{HEADER}{ROW}JFK,2013-07-04T19:00:00Z,x,50\n").replace('\n', "\r\n"),
            ),
            ":3: `temp`: expected a number or NA, found `x`",
        ),
        case(
            "fire_risk_blank_short.csv",
            "\n\nJFK,2013-07-04T19:00:00Z,88.5\n",
            ":5: expected 4 fields, as in the header, found 3",
        ),
        case(
            "fire_risk_short.csv",
            "JFK,2013-07-04T19:00:00Z,88.5\n",
            ":3: expected 4 fields, as in the header, found 3",
        ),
        case(
            "fire_risk_station.csv",
            "Kennedy,2013-07-04T19:00:00Z,88.5,50\n",
            ":3: `origin`: expected the three capital letters of an airport, found `Kennedy`",
        ),
        case(
            "fire_risk_time.csv",
            "JFK,2013-07-04 19:00,88.5,50\n",
            ":3: `time_hour`: expected an hour in the form 2013-07-04T18:00:00Z, found `2013-07-04 19:00`",
        ),
        case(
            "fire_risk_month.csv",
            "JFK,2013-13-04T19:00:00Z,88.5,50\n",
            ":3: `time_hour`: expected an hour in the form 2013-07-04T18:00:00Z, found `2013-13-04T19:00:00Z`",
        ),
    ]
}

#[test]
fn the_reader_says_where_a_file_is_broken() {
    for (path, message) in broken() {
        let said = weather::read(path).expect_err("a broken file").to_string();
        let place = format!("{}{message}", path.display());
        // The operating system words the reason why a file cannot be opened.
        let whole = *message == ": " || said == place;
        assert!(said.starts_with(&place) && whole, "expected {place}\n   found {said}");
    }
}

#[test]
fn the_reader_orders_rows_and_skips_what_is_not_available() {
    let rows =
        "LGA,2013-07-04T18:00:00Z,NA,40\nEWR,2013-07-04T18:00:00Z,91,NA\nEWR,2013-07-03T23:00:00Z,NA,NA\n";
    let path = file("fire_risk_order.csv", format!("{HEADER}{ROW}{rows}"));
    let order: Vec<String> = weather::read(&path)
        .unwrap_or_else(|e| panic!("{e}"))
        .iter()
        .map(|reading| match reading {
            Reading::T { station, hour, value } => format!("T {station} {hour} {value}"),
            Reading::H { station, hour, value } => format!("H {station} {hour} {value}"),
        })
        .collect();
    let expected = [
        "T EWR 2013-07-04 18:00 91",
        "T JFK 2013-07-04 18:00 88.5",
        "H JFK 2013-07-04 18:00 50",
        "H LGA 2013-07-04 18:00 40",
    ];
    assert_eq!(order, expected);
}

/// The example's program, built once.
fn example() -> &'static Path {
    static EXAMPLE: OnceLock<PathBuf> = OnceLock::new();
    EXAMPLE.get_or_init(|| example::program("fire_risk"))
}

fn run(arguments: &[&Path]) -> Output {
    let example = example();
    Command::new(example).args(arguments).output().unwrap_or_else(|e| panic!("{}: {e}", example.display()))
}

#[test]
fn the_example_prints_its_matches_and_counts_them() {
    let output = run(&[]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout).expect("the example prints UTF-8");
    let (closing, matches) = printed
        .lines()
        .collect::<Vec<_>>()
        .split_last()
        .map(|(l, m)| (l.to_string(), m.len()))
        .expect("a closing line");
    assert_eq!(matches, 392);
    assert!(closing.starts_with("392 matches at 91 completing events of 52,228, "), "{closing}");
    assert!(closing.ends_with(" events per second"), "{closing}");
}

#[test]
fn the_example_ends_with_1_and_a_message_when_its_file_is_broken() {
    for (path, message) in broken() {
        let output = run(&[path]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.starts_with(&format!("{}{message}", path.display())), "{said}");
        assert_eq!(said.lines().count(), 1, "one line, and no panic: {said}");
        assert!(output.stdout.is_empty());
    }
}

//! Windows on a year of weather: the daily maximum, a moving average, heat waves, and days that get warmer; drawn as a chart.
//!
//! ```sh
//! cargo run --release --example windows              # prints, and writes target/windows.svg
//! cargo run --release --example windows chart.svg    # writes there
//! ```
//!
//! Three stages feed one another without an allocation: readings to windows of a day, those to a pattern over days. What is printed is what
//! the year held; the chart shows the moving average and the maximum of each day.

use std::process::ExitCode;

use cep::{Event, cep};
use svg::Document;
use svg::node::element::{Path, Text, path::Data};

mod weather;
use weather::Reading;

/// The temperature at one station, an hour apart.
#[derive(Event, Clone, Copy, Debug)]
struct Temperature {
    /// Hours since the first reading.
    #[event(time = "h")]
    hour: u64,
    value: f64,
}

cep! {
    /// The readings of a day, which ends with every 24th reading.
    window Day on Temperature interval 1 h = agse(value) @ (24, 24) agg { high: max, low: min, mean: avg };

    /// The average of the week before every reading.
    window Week on Temperature interval 1 h = agse(value) @ (1, 168) agg { mean: avg };

    /// From when it is warmer than 86 °F until it is cooler than 77 °F again.
    window HeatWave on Temperature = predicate { start: value > 86.0, end: value < 77.0 } agg { hours: count(*), peak: max(value) };

    /// Three days, each at least three degrees warmer than the one before.
    pattern Warming on Day = Day as a : Day as b : Day as c filter b.mean >= a.mean + 3.0 && c.mean >= b.mean + 3.0 within 3 events;
}

fn main() -> ExitCode {
    let to = std::env::args().nth(1).unwrap_or_else(|| "target/windows.svg".into());
    match run(&to) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn run(to: &str) -> Result<(), String> {
    let readings = weather::read(weather::WEATHER.as_ref()).map_err(|e| e.to_string())?;
    let station = |r: &&Reading| matches!(r, Reading::T { station, .. } if station.to_string() == "JFK");
    let (mut day, mut week, mut wave, mut warming) =
        (Day::new(), Week::new(), HeatWave::new(), Warming::new());
    let (mut highs, mut means, mut waves, mut rises) = (Vec::new(), Vec::new(), Vec::new(), 0);
    for (hour, reading) in (0..).zip(readings.iter().filter(station)) {
        let Reading::T { value, .. } = *reading else { continue };
        let t = Temperature { hour, value };
        for d in day.push(&t) {
            rises += warming.push(&d).count();
            highs.push((hour, d.high));
        }
        means.extend(week.push(&t).map(|w| (hour, w.mean)));
        waves.extend(wave.push(&t).map_err(|e| e.to_string())?.map(|w| (w.start(), w.hours, w.peak)));
    }
    waves.extend(wave.finish().map(|w| (w.start(), w.hours, w.peak)));
    let hottest = highs.iter().map(|h| h.1).fold(f64::MIN, f64::max);
    println!("{} days, the hottest {hottest:.1} °F; {} averages of a week", highs.len(), means.len());
    let longest = waves.iter().map(|w| w.1).max().unwrap_or(0);
    println!(
        "{} heat waves, the longest of {longest} hours; {rises} times two warmer days in a row",
        waves.len()
    );
    svg::save(to, &chart(&highs, &means)).map_err(|e| format!("{to}: {e}"))?;
    println!("drawn in {to}");
    Ok(())
}

/// Two lines over the hours of the year.
fn chart(highs: &[(u64, f64)], means: &[(u64, f64)]) -> Document {
    let last = highs.last().map_or(1, |h| h.0) as f64;
    let place = |(hour, value): (u64, f64)| (40.0 + 840.0 * hour as f64 / last, 380.0 - 3.5 * value);
    let line = |points: &[(u64, f64)], color: &str| {
        let mut data = Data::new();
        for (i, p) in points.iter().enumerate() {
            data = if i == 0 { data.move_to(place(*p)) } else { data.line_to(place(*p)) };
        }
        Path::new().set("fill", "none").set("stroke", color).set("d", data)
    };
    let label = |text: &str, y: f64, color: &str| Text::new(text).set("x", 50).set("y", y).set("fill", color);
    Document::new()
        .set("viewBox", (0, 0, 900, 400))
        .add(line(highs, "#d62728"))
        .add(line(means, "#1f77b4").set("stroke-width", 2))
        .add(label("highest of a day, °F", 20.0, "#d62728"))
        .add(label("average of a week, °F", 38.0, "#1f77b4"))
}

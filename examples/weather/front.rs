//! The readings with a time that windows can be measured on: what `examples/fronts.rs` runs on, and `tests/fronts.rs` checks.

use cep::Event;

use crate::weather::{Hour, Reading, Station};

/// One value that a station measured.
#[derive(Event, Clone, Copy, Debug)]
pub(crate) enum Weather {
    /// Air temperature in °F.
    T {
        #[event(key)]
        station: Station,
        hour: Hour,
        value: f64,
        /// Hours since 1970.
        #[event(time = "h")]
        since: i64,
    },
    /// Relative humidity in %.
    H {
        #[event(key)]
        station: Station,
        hour: Hour,
        value: f64,
        /// Hours since 1970.
        #[event(time = "h")]
        since: i64,
    },
}

impl From<Reading> for Weather {
    fn from(reading: Reading) -> Self {
        match reading {
            Reading::T { station, hour, value } => Weather::T { station, hour, value, since: hour.into() },
            Reading::H { station, hour, value } => Weather::H { station, hour, value, since: hour.into() },
        }
    }
}

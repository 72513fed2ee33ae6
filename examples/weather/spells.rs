//! Three stages, each fed by the one before it: hours of heat to waves, waves to pairs of which the later one is hotter, and those pairs to
//! spells of a summer. No stage allocates, and none knows of the next one.
use cep::{Event, cep};

/// The temperature at one station, an hour apart or more.
#[derive(Event, Clone, Copy, Debug, PartialEq)]
pub(crate) struct Temperature {
    /// Hours since some beginning.
    #[event(time = "h")]
    pub(crate) hour: i64,
    /// Which station, a small number.
    pub(crate) station: u8,
    /// In °F.
    pub(crate) value: f64,
}

cep! {
    /// From when a station has more than 80 °F until it has less than 75 °F; two days without a reading end it too.
    pub(crate) window Wave on Temperature = predicate {
        start: value > 80.0,
        end: value < 75.0,
        partition: station,
        close_window_after_no_updates_for: 2 d,
        keep_time_order: false,
        capacity: 8 keys,
    } agg { hours: count(*), peak: max(value) };

    /// Two waves at one station, the later one hotter and over within a week of the end of the other.
    pub(crate) pattern Hotter on Wave =
        Wave as a ; Wave as b filter b.station == a.station && b.peak > a.peak
        within 7 d capacity 256 events;

    /// Rises at one station, each within five days of the one before.
    pub(crate) window Spell on Hotter = predicate {
        start: true,
        partition: b.station,
        close_window_after_no_updates_for: 5 d,
        same_start_time: true,
        keep_time_order: false,
        capacity: 8 keys,
    } agg { rises: count(*), hours: sum(b.hours), from: min(a.peak), to: max(b.peak) };
}

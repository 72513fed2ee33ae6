//! The events that a formula is matched on: the stream, or the sub-stream of a key.
use crate::formula::Window;
use crate::model::{Event, Result, Value, invalid};

/// Events with their positions in the whole stream. Formulas speak of indices into it.
pub(crate) struct Stream<'a> {
    pub(crate) events: Vec<&'a Event>,
    pub(crate) positions: Vec<u64>,
    /// Per event type, the attribute that is the machine's clock.
    pub(crate) clock: Vec<Option<usize>>,
    /// Nanoseconds per unit of `#[event(time)]`.
    pub(crate) unit: u128,
}

/// A point on a clock; both kinds order as their numbers do.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub(crate) enum Time {
    /// Units of an integer attribute.
    Whole(i128),
    /// A float attribute.
    Real(f64),
}

impl Time {
    pub(crate) fn of(value: &Value) -> Result<Time> {
        match value {
            Value::Int(i) => Ok(Time::Whole(*i)),
            Value::Float(f) if !f.is_nan() => Ok(Time::Real(*f)),
            other => invalid(format!("{other:?} as a time")),
        }
    }

    #[allow(clippy::cast_precision_loss, reason = "test values are small")]
    fn real(self) -> f64 {
        match self {
            Time::Whole(i) => i as f64,
            Time::Real(f) => f,
        }
    }
}

impl Window {
    /// `to` is no further from `from` than this window allows.
    pub(crate) fn admits(&self, from: Time, to: Time, unit: u128) -> bool {
        match (self, from, to) {
            (Window::Time(ns), Time::Whole(a), Time::Whole(b)) => {
                // A negative distance is inside.
                u128::try_from(b - a).unwrap_or(0) * unit <= *ns
            }
            (Window::Of(amount, _), a, b) => b.real() - a.real() <= *amount,
            (Window::Time(_), ..) => false,
            (Window::Events(_) | Window::EventsOfPartition(_), ..) => true,
        }
    }
}

impl Stream<'_> {
    /// The time of an event by a clock given per event type.
    pub(crate) fn time(&self, at: usize, clock: &[Option<usize>]) -> Result<Time> {
        let event = self.events[at];
        match clock[event.ty].and_then(|i| event.values.get(i)) {
            Some(v) => Time::of(v),
            None => invalid("an event without the clock's attribute"),
        }
    }

    /// The stretch from index `start` to index `end` fits the window.
    pub(crate) fn fits(&self, start: usize, end: usize, window: &Window) -> Result<bool> {
        let clock = match window {
            Window::Events(n) => return Ok(self.positions[end] - self.positions[start] < *n),
            Window::EventsOfPartition(n) => return Ok(((end - start) as u64) < *n),
            Window::Time(_) => &self.clock,
            Window::Of(_, index) => index,
        };
        Ok(window.admits(self.time(start, clock)?, self.time(end, clock)?, self.unit))
    }
}

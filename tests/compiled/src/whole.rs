//! Emitted machines of the whole language behind one object-safe trait.
use cep::{Never, PushError, Stats};
use cep_oracle::{Event, Value};

/// An event of a match: its position, and the attributes that the match holds.
pub type Shown = (u64, Vec<(&'static str, Value)>);

/// A match.
#[derive(Clone, PartialEq, Debug)]
pub struct Match {
    /// `m.start()`
    pub start: u64,
    /// `m.end()`
    pub end: u64,
    /// By variable.
    pub vars: Vec<(&'static str, Vec<Shown>)>,
}

/// How the matches of an event are asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ask {
    /// `next` of what `push` gives.
    Next,
    /// `next_match` of the machine.
    Machine,
    /// So many by `next`, the rest by `next_match`.
    Both(usize),
    /// `count`
    Count,
    /// `Machine::detect`
    Detect,
}

/// What came of one event.
#[derive(Clone, PartialEq, Debug)]
pub enum Gave {
    /// `detect`
    Any(bool),
    /// `count`
    Count(usize),
    /// Matches.
    Matches(Vec<Match>),
}

/// Why an event was refused, as text.
pub trait Refusal {
    /// The error's name.
    fn text(&self) -> &'static str;
}
impl Refusal for Never {
    fn text(&self) -> &'static str {
        match *self {}
    }
}
impl Refusal for PushError {
    fn text(&self) -> &'static str {
        match self {
            PushError::OutOfOrder => "OutOfOrder",
            PushError::Full => "Full",
            _ => "another error",
        }
    }
}

/// An emitted machine.
pub trait Whole {
    /// Takes one event.
    ///
    /// # Errors
    /// The machine's.
    fn push(&mut self, event: &Event, ask: Ask) -> Result<Gave, &'static str>;
    /// `advance_to`; whether anything came out.
    fn advance_to(&mut self, time: &Value) -> bool;
    /// `finish`; whether anything came out.
    fn finish(&mut self) -> bool;
    /// `exact_from()`, where there is one.
    fn exact_from(&self) -> Option<Value>;
    /// `latest_start()`, where there is one.
    fn latest_start(&self) -> Option<u64>;
    /// `position()`
    fn position(&self) -> u64;
    /// `stats()`
    fn stats(&self) -> Stats;
    /// `reset()`
    fn reset(&mut self);
    /// A clone.
    fn duplicate(&self) -> Box<dyn Whole>;
}

/// One machine of a pattern.
pub struct Subject {
    /// Its source.
    pub item: &'static str,
    /// What the plan chose.
    pub kernel: &'static str,
    /// The attribute that is its clock.
    pub clock: Option<&'static str>,
    /// It takes neither late nor costly conditions, so what it accepts is known from the event alone.
    pub make: fn() -> Box<dyn Whole>,
}

/// A bag's parts agree with its events.
///
/// # Panics
/// Where they do not.
#[must_use]
pub fn bag(len: usize, empty: bool, first: Option<u64>, last: Option<u64>, events: Vec<Shown>) -> Vec<Shown> {
    assert_eq!((len, empty), (events.len(), events.is_empty()));
    assert_eq!(first, events.first().map(|e| e.0));
    assert_eq!(last, events.last().map(|e| e.0));
    assert!(events.windows(2).all(|w| w[0].0 < w[1].0), "not in stream order");
    events
}

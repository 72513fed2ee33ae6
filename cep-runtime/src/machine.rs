//! The traits that make adaptors generic over machines.
//!
//! The lifetime is a parameter of a supertrait and not of a generic associated type: `type Output<'m> where Self: 'm` makes every bound
//! of the shape `for<'m> … M::Output<'m> …` demand `M: 'static`, which shuts out machines over borrowed rings. The default parameter
//! `&'m Self` carries the same implied bound without that.
use core::convert::Infallible;

/// The error of a machine whose bounds were all proved at build time: there is no value of it.
pub type Never = Infallible;

/// What every output can say: did this event complete anything?
pub trait Answer {
    /// Is there at least one result? None is lost by asking.
    fn found(&mut self) -> bool;
}

impl Answer for bool {
    #[inline]
    fn found(&mut self) -> bool {
        *self
    }
}

/// What a machine gives while it is borrowed for `'m`.
pub trait Gives<'m, Implied = &'m Self> {
    /// Of one push.
    type Output: Answer;
}

/// Any emitted machine, whatever comes out of it.
///
/// ```
/// use cep_runtime::Machine;
/// fn completed<M: Machine>(machine: &mut M, events: &[M::Event]) -> Result<usize, M::Error> {
///     let mut n = 0;
///     for event in events {
///         n += usize::from(machine.detect(event)?);
///     }
///     Ok(n)
/// }
/// ```
pub trait Machine: for<'m> Gives<'m> {
    /// What goes in.
    type Event;
    /// [`Never`] where every bound was proved at build time.
    type Error;

    /// Takes one event.
    ///
    /// # Errors
    /// None where `Error` is [`Never`].
    fn push(&mut self, event: &Self::Event) -> Result<<Self as Gives<'_>>::Output, Self::Error>;

    /// Takes one event and says only whether it completed anything.
    ///
    /// # Errors
    /// As [`Machine::push`].
    fn detect(&mut self, event: &Self::Event) -> Result<bool, Self::Error> {
        Ok(self.push(event)?.found())
    }

    /// Forgets everything: as a new machine with the same parameters.
    fn reset(&mut self);

    /// How many events were taken so far; the next one has this position.
    fn position(&self) -> u64;

    /// What the machine counted.
    fn stats(&self) -> Stats;
}

/// The match type of a machine that hands out matches.
pub trait Lends<'m, Implied = &'m Self> {
    /// One match: an owned `Copy` struct where all its variables hold one event.
    type Match;
}

/// A machine that hands out matches one at a time. The cursor of the enumeration lives *in* the machine, so that an adaptor can own
/// the machine and go on where it stopped: no buffer, no self-reference.
pub trait Matching: Machine + for<'m> Lends<'m> {
    /// The next match that ends at the last event taken.
    fn next_match(&mut self) -> Option<<Self as Lends<'_>>::Match>;
}

/// What a machine counted since it was made or reset.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Stats {
    /// Events taken.
    pub events: u64,
    /// Events that were kept because a later one might need them.
    pub kept: u64,
    /// Results handed out: matches, or events at which `detect` said yes.
    pub results: u64,
    /// Events that `capacity … or evict` gave up while they could still have been part of a match.
    pub evicted: u64,
    /// Keys of `partition by` with an event in the window.
    pub keys: u64,
}
impl Eq for Stats {}

impl Stats {
    /// Nothing counted.
    pub const NEW: Self = Stats { events: 0, kept: 0, results: 0, evicted: 0, keys: 0 };
}

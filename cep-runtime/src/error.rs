//! Why an event was not taken.
use core::fmt;

/// The error of `push` on a machine whose bounds could not all be proved at build time. The machine is as it was before.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum PushError {
    /// The event's time is before one already seen (of an event, or of `advance_to`), is NaN, or the stream was finished.
    OutOfOrder,
    /// A declared `capacity` is used up (`or error`, the default): the event was not taken.
    Full,
}
impl Eq for PushError {}

impl fmt::Display for PushError {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PushError::OutOfOrder => "the event is out of order",
            PushError::Full => "the declared capacity is used up",
        })
    }
}

impl core::error::Error for PushError {}

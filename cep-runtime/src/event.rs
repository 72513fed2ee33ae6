//! How emitted code sees events. `#[derive(Event)]` implements these traits; nothing else has to.
//!
//! An event type is looked at through its *view* (every attribute by reference) and kept as its *record* (the `Copy` attributes by
//! value). Emitted code names no attribute's type by its tokens, because that type need not be in scope where `cep!` stands: it says
//! `<<E as EventType<2>>::Record as Attr<0>>::Type`.
use core::hash::Hash;
use core::num::NonZeroU64;
use core::ops::Deref;

/// A type whose values are events. `#[derive(Event)]` implements it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an event",
    label = "not an event",
    note = "`#[derive(Event)]` on `{Self}` makes it one"
)]
pub trait Event {
    /// The type's name, for reports.
    const NAME: &'static str;
    /// How many event types it has: an enum's variants, or 1.
    const TYPES: usize;
    /// The number of this value's event type, below [`TYPES`](Event::TYPES).
    fn kind(&self) -> usize;
}

/// The event type number `TYPE` of `Self`: how to look at one, and what of it can be kept.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no event type number {TYPE}",
    label = "not an event",
    note = "`#[derive(Event)]` on `{Self}` makes it one"
)]
pub trait EventType<const TYPE: usize>: Event {
    /// All attributes by reference, under the names of their fields.
    type View<'v>: Copy
    where
        Self: 'v;
    /// The attributes that can outlive their event, by value.
    type Record: Copy;
    /// `None` if this value is of another event type.
    fn view(&self) -> Option<Self::View<'_>>;
    /// A copy of what can be kept; `None` if this value is of another event type.
    fn record(&self) -> Option<Self::Record>;
}

impl<E: Event + ?Sized> Event for &E {
    const NAME: &'static str = E::NAME;
    const TYPES: usize = E::TYPES;
    #[inline]
    fn kind(&self) -> usize {
        E::kind(self)
    }
}

impl<const TYPE: usize, E: EventType<TYPE> + ?Sized> EventType<TYPE> for &E {
    type View<'v>
        = E::View<'v>
    where
        Self: 'v;
    type Record = E::Record;
    #[inline]
    fn view(&self) -> Option<Self::View<'_>> {
        E::view(self)
    }
    #[inline]
    fn record(&self) -> Option<E::Record> {
        E::record(self)
    }
}

/// Attribute number `ATTR` of an event type. Implemented by the *record*, for each attribute that is kept.
pub trait Attr<const ATTR: usize> {
    /// The declared type, `Option` included.
    type Type;
    /// The attribute; the record's field itself may be private.
    fn get(&self) -> &Self::Type;
}

/// What can stand after `on`: an event, or an item of `cep!` whose results are events.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an event type",
    label = "a pattern cannot run on this",
    note = "`#[derive(Event)]` on `{Self}` makes it one"
)]
pub trait Stream {
    /// The events of this stream.
    type Event: Event;
}

/// The events of an item whose results are none: there is no value of it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum NoEvent {}
impl Eq for NoEvent {}

impl Event for NoEvent {
    const NAME: &'static str = "NoEvent";
    const TYPES: usize = 0;
    #[inline]
    fn kind(&self) -> usize {
        match *self {}
    }
}

/// Can outlive its event: `Copy`. A trait of its own for the sake of its error text.
#[diagnostic::on_unimplemented(
    message = "an attribute of type `{Self}` cannot be kept after its event is gone",
    label = "not `Copy`",
    note = "a machine borrows an event only while it is pushed and allocates nothing, so it keeps attributes by copying them",
    note = "`#[event(no_copy)]` on the field: it can then be read in filters over the current event only",
    note = "or make the type `Copy`: an id, a `&'static str`, a `Text<N>`"
)]
pub trait Fixed: Copy {}
impl<T: Copy> Fixed for T {}

/// What `#[event(key)]` declares: `Copy + Eq + Hash`, where `==` is an equivalence.
#[diagnostic::on_unimplemented(
    message = "`#[event(key)]` needs `Copy`, `Eq` and `Hash`, and `{Self}` lacks one of them",
    label = "cannot be a key",
    note = "`#[derive(Clone, Copy, PartialEq, Eq, Hash)]` on `{Self}`, or no `key` on this attribute"
)]
pub trait FixedKey: Copy + Eq + Hash {}
impl<T: Copy + Eq + Hash> FixedKey for T {}

/// What `#[event(ord)]` declares: `Copy + Ord`.
#[diagnostic::on_unimplemented(
    message = "`#[event(ord)]` needs `Copy` and `Ord`, and `{Self}` lacks one of them",
    label = "cannot be ordered",
    note = "`#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]` on `{Self}`, or no `ord` on this attribute"
)]
pub trait FixedOrd: Copy + Ord {}
impl<T: Copy + Ord> FixedOrd for T {}

/// Can be a pattern's parameter: `Copy`, because each condition gets its own.
#[diagnostic::on_unimplemented(
    message = "a parameter of type `{Self}` is not `Copy`",
    label = "not `Copy`",
    note = "conditions take parameters by value; use a `Copy` type, `&'static str` or `Text<N>` for texts"
)]
pub trait Parameter: Copy {}
impl<T: Copy> Parameter for T {}

/// Copies an attribute out of its event.
#[inline]
#[must_use]
pub fn keep<T: Fixed>(attribute: &T) -> T {
    *attribute
}

/// What a variable is inside a filter: the view of its event and the event's stream position.
///
/// The fields are private because a field of this struct would hide an attribute of the same name behind the deref.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Seen<V> {
    view: V,
    at: u64,
}
impl<V: Eq> Eq for Seen<V> {}

impl<V> Seen<V> {
    /// An event at a position.
    #[inline]
    #[must_use]
    pub const fn new(view: V, position: u64) -> Self {
        Seen { view, at: position }
    }

    /// The position in the stream. A method, so that an attribute may be called `position` too.
    #[inline]
    #[must_use]
    pub const fn position(&self) -> u64 {
        self.at
    }
}

impl<V> Deref for Seen<V> {
    type Target = V;
    #[inline]
    fn deref(&self) -> &V {
        &self.view
    }
}

/// A kept event: its record and its stream position.
///
/// The position is stored plus one, so that an unused slot, `Option<At<R>>`, costs nothing and is a constant for any `R`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct At<R> {
    plus_one: NonZeroU64,
    record: R,
}
impl<R: Eq> Eq for At<R> {}

impl<R> At<R> {
    /// Keeps `record`, which stands at `position` (below `u64::MAX`).
    #[inline]
    #[must_use]
    pub const fn new(position: u64, record: R) -> Self {
        At { plus_one: NonZeroU64::MIN.saturating_add(position), record }
    }

    /// The position in the stream, from 0. A method, so that an attribute may be called `position` too.
    #[inline]
    #[must_use]
    pub const fn position(&self) -> u64 {
        self.plus_one.get() - 1
    }
}

impl<R> Deref for At<R> {
    type Target = R;
    #[inline]
    fn deref(&self) -> &R {
        &self.record
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_knows_its_position_and_derefs() {
        const SLOT: Option<At<(u32, u64)>> = None;
        assert!(SLOT.is_none());
        let at = At::new(0, (7u32, 8u64));
        assert_eq!((at.position(), at.0, at.1), (0, 7, 8));
        assert_eq!(At::new(u64::MAX - 1, ()).position(), u64::MAX - 1);
    }

    #[test]
    fn an_empty_slot_is_free() {
        assert_eq!(size_of::<Option<At<u64>>>(), 16);
        assert_eq!(size_of::<Option<At<u64>>>(), size_of::<At<u64>>());
    }

    #[test]
    fn seen_derefs_to_its_view() {
        struct View<'v> {
            position: &'v u8,
        }
        let seen = Seen::new(View { position: &3 }, 9);
        assert_eq!((*seen.position, seen.position()), (3, 9));
    }

    #[test]
    fn references_to_events_are_events() {
        struct Ping(u8);
        impl Event for Ping {
            const NAME: &'static str = "Ping";
            const TYPES: usize = 1;
            fn kind(&self) -> usize {
                0
            }
        }
        impl EventType<0> for Ping {
            type View<'v> = &'v u8;
            type Record = u8;
            fn view(&self) -> Option<&u8> {
                Some(&self.0)
            }
            fn record(&self) -> Option<u8> {
                Some(self.0)
            }
        }
        fn read<E: EventType<0, Record = u8>>(e: &E) -> (usize, Option<u8>) {
            (e.kind(), e.record())
        }
        assert_eq!(read(&&Ping(4)), (0, Some(4)));
    }
}

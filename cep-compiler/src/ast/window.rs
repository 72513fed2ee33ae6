//! `window` items as written.
use super::{Capacity, Clause, StreamPath, TimeUnit};
use crate::diagnostic::Loc;
use proc_macro2::{Ident, TokenStream};

/// `pub window Smooth on Sample = agse(value) @ (1, 25) agg { mean: avg };`
pub struct Window {
    /// Docs and other outer attributes.
    pub attributes: Vec<syn::Attribute>,
    /// `pub` and the like.
    pub visibility: syn::Visibility,
    /// The item's name.
    pub name: Ident,
    /// What stands after `on`, without the event type.
    pub on: StreamPath,
    /// `T` of `on Reading::T`.
    pub event_type: Option<Ident>,
    /// `interval 1/10 s`
    pub interval: Option<Interval>,
    /// What stands after `=`.
    pub body: WindowBody,
    /// `agg { … }`
    pub folds: Option<Folds>,
    /// `storage boxed`: its place.
    pub boxed: Option<Loc>,
    /// From the first token to the last one in front of `;`.
    pub loc: Loc,
}

/// The interval of a source, an exact rational.
#[derive(Clone, Copy)]
pub struct Interval {
    /// Above the line; with a unit, of seconds.
    pub numerator: u64,
    /// Below the line; not zero.
    pub denominator: u64,
    /// Where.
    pub loc: Loc,
}

/// The kinds of windows.
pub enum WindowBody {
    /// `agse(…) @ (k, w)`
    Agse(Agse),
    /// `zip(agse(…) @ (k, w), value)`
    Zip(Vec<Branch>, Loc),
    /// `predicate { … }`
    Predicate(Box<Predicate>),
}

/// `agse(a, b) delay 1 @ (k, w) delay 2`
pub struct Agse {
    /// The attributes named; `None`: all of them.
    pub elements: Option<Vec<Element>>,
    /// `as f64` behind the list: of all of them.
    pub cast: Option<Ident>,
    /// Records by which the source is late.
    pub source_delay: u64,
    /// k
    pub hop: u64,
    /// w; negative: in order of arrival.
    pub width: i64,
    /// Records by which the output is late.
    pub delay: u64,
    /// The word `agse`.
    pub word: Loc,
    /// Where `(k, w)` stands.
    pub size: Loc,
}

/// `value`, `taps[0]`, `count as f64`
pub struct Element {
    /// The attribute.
    pub attribute: Ident,
    /// Only this element of an array.
    pub index: Option<u64>,
    /// The type it is to have.
    pub cast: Option<Ident>,
    /// Where.
    pub loc: Loc,
}

/// A part of a `zip`.
pub enum Branch {
    /// A window, and the name of its field.
    Window(Agse, Option<Ident>),
    /// An attribute of the source, and the name of its field.
    Field(Ident, Option<Ident>),
}

/// `agg { mean: avg, peak: max } latency worst_case`
pub struct Folds {
    /// The folds.
    pub fields: Vec<WindowFold>,
    /// `latency worst_case`
    pub worst_case: Option<Loc>,
    /// The word `agg`.
    pub word: Loc,
}

/// `mean: avg`, or in a predicate window `paid: sum(fare)`
pub struct WindowFold {
    /// The attribute that it becomes.
    pub name: Ident,
    /// `sum`, `count`, `max_some`, `fold` and so on, as written.
    pub function: Ident,
    /// The user's own monoid behind `fold`.
    pub monoid: Option<TokenStream>,
    /// What is folded.
    pub argument: FoldArgument,
    /// From the name to the end.
    pub loc: Loc,
}

/// What a window's fold takes.
#[derive(PartialEq, Eq)]
pub enum FoldArgument {
    /// Nothing is written: the elements of an AGSE window.
    Elements,
    /// `*`: the events.
    Events,
    /// An attribute of the events.
    Attribute(Ident),
}

/// `predicate { start: …, … }`
pub struct Predicate {
    /// Opens a window.
    pub start: Option<Clause<syn::Expr>>,
    /// Closes it; without one, what does not start does.
    pub end: Option<Clause<syn::Expr>>,
    /// Empties it.
    pub clear: Option<Clause<syn::Expr>>,
    /// Moves it on after an output.
    pub advance_when: Option<Clause<syn::Expr>>,
    /// By how many elements; negative: by all.
    pub advance_size: Option<Clause<i64>>,
    /// `same_start_time`
    pub same_start_time: Option<Clause<bool>>,
    /// `keep_ending_element`
    pub keep_ending_element: Option<Clause<bool>>,
    /// `use_element_only_for_start_or_end`
    pub one_role: Option<Clause<bool>>,
    /// `keep_time_order`
    pub keep_time_order: Option<Clause<bool>>,
    /// `close_window_with_heartbeat`
    pub heartbeat: Option<Clause<bool>>,
    /// `output_if_max_window_time`
    pub output_if_max_time: Option<Clause<bool>>,
    /// `nesting`
    pub nesting: Option<Clause<bool>>,
    /// `flush_on_end`
    pub flush_on_end: Option<Clause<bool>>,
    /// `size` or `max_window_time`
    pub max_time: Option<Clause<Span>>,
    /// `close_window_after_no_updates_for`
    pub idle: Option<Clause<Span>>,
    /// `max_window_time_output_port`
    pub max_time_port: Option<Clause<u64>>,
    /// `close_window_after_no_updates_port`
    pub idle_port: Option<Clause<u64>>,
    /// `partition`
    pub partition: Option<Clause<Vec<Ident>>>,
    /// `capacity`; `events` are its elements.
    pub capacity: Option<Clause<Capacity>>,
    /// The word `predicate`.
    pub word: Loc,
}

/// A length of time.
pub enum Span {
    /// In the unit of the clock.
    Units(u64),
    /// `5 min`
    Time(Vec<(u64, TimeUnit)>),
}

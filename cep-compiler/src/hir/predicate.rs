//! A predicate window, resolved.
use super::window::Fold;
use crate::schema::Kind;
use proc_macro2::{Ident, TokenStream};

/// `predicate { … }`; the flags are called as in the source.
pub struct Predicate {
    /// The conditions, in the order start, end, clear, advance.
    pub conditions: [Option<Condition>; 4],
    /// `advance_size`
    pub advance_size: Option<i64>,
    /// `same_start_time`
    pub same_start: bool,
    /// `keep_ending_element`
    pub keep_end: bool,
    /// `use_element_only_for_start_or_end`
    pub one_role: bool,
    /// `keep_time_order`
    pub keep_order: bool,
    /// `close_window_with_heartbeat`
    pub heartbeat: bool,
    /// `output_if_max_window_time`
    pub output_max: bool,
    /// `flush_on_end`
    pub flush: bool,
    /// `nesting`
    pub nested: bool,
    /// `max_window_time` in the unit of the clock.
    pub max: Option<u64>,
    /// `close_window_after_no_updates_for`, likewise.
    pub idle: Option<u64>,
    /// `max_window_time_output_port`
    pub max_port: u8,
    /// `close_window_after_no_updates_port`
    pub idle_port: u8,
    /// The attributes of the key: for each, its number in each event type.
    pub key: Vec<Vec<usize>>,
    /// The clock: its number in each event type, its type, its unit in nanoseconds.
    pub clock: Vec<usize>,
    /// The event types that are no elements and have a time: their number and that of the attribute.
    pub beside: Vec<(usize, usize)>,
    /// Its type.
    pub clock_kind: Kind,
    /// Nanoseconds of its unit.
    pub clock_unit: u64,
    /// The folds; none: elements come out.
    pub folds: Vec<Fold>,
    /// For each fold, the number of its attribute in each event type.
    pub fold_attributes: Vec<Vec<usize>>,
    /// What the conditions read of elements that are gone: for each, its number in each event type.
    pub kept: Vec<Vec<usize>>,
    /// A condition reads `prev`.
    pub remembers: bool,
    /// Elements and waiting outputs.
    pub most: u64,
    /// Keys.
    pub keys: u64,
    /// `or evict`
    pub evict: bool,
}

/// A condition, split at `&&` and `||`.
pub enum Condition {
    /// Both.
    And(Box<Condition>, Box<Condition>),
    /// One of them.
    Or(Box<Condition>, Box<Condition>),
    /// An expression with the reads in it, each by a name of its own.
    Leaf(TokenStream, Vec<Read>),
}

/// What an expression reads.
pub struct Read {
    /// The local that stands for it.
    pub local: Ident,
    /// Whose it is.
    pub of: Of,
    /// The attribute's number in each event type; nothing for `len`.
    pub attribute: Vec<usize>,
    /// The attribute is an `Option`.
    pub nullable: bool,
    /// It is read as an `Option`: a method of that follows.
    pub as_option: bool,
}

/// Whose attribute is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Of {
    /// The element itself.
    Element,
    /// The first one of the open window.
    First,
    /// The newest one.
    Last,
    /// The element before.
    Previous,
    /// How many there are.
    Length,
}

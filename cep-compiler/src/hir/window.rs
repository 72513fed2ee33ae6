//! A `window` item, resolved: attributes by their numbers, sizes computed, functions known.
use super::Function;
use crate::schema::{Kind, Schema, Timing};
use proc_macro2::{Ident, TokenStream};

/// A window with everything the emission needs.
pub struct Window {
    /// Outer attributes of the item.
    pub attributes: Vec<syn::Attribute>,
    /// `pub` and the like.
    pub visibility: syn::Visibility,
    /// The item's name.
    pub name: Ident,
    /// The stream, as written.
    pub on: TokenStream,
    /// Its schema.
    pub schema: Schema,
    /// The numbers of the event types that are looked at.
    pub types: Vec<usize>,
    /// `storage boxed`
    pub boxed: Option<crate::diagnostic::Loc>,
    /// What it does.
    pub kind: WindowKind,
    /// The item's tokens.
    pub loc: crate::diagnostic::Loc,
    /// It stands for an item with an error: what runs on it is silent.
    pub stand_in: bool,
}

/// The kinds of windows.
pub enum WindowKind {
    /// `agse(…) @ (k, w)`
    Agse(Agse),
    /// `zip(…)`
    Zip(Zip),
    /// `predicate { … }`
    Predicate(Box<super::predicate::Predicate>),
}

/// `agse(…) @ (k, w)`
pub struct Agse {
    /// Its elements.
    pub elements: Elements,
    /// Where its windows lie.
    pub shape: Shape,
    /// When its records come.
    pub timing: Timing,
    /// The folds; none: the elements come out.
    pub folds: Vec<Fold>,
    /// `latency worst_case`
    pub worst_case: bool,
}

/// Where the windows lie in the flat sequence.
#[derive(Clone, Copy)]
pub struct Shape {
    /// k
    pub hop: u64,
    /// |w|
    pub width: u64,
    /// w > 0
    pub newest_first: bool,
    /// The position of the first element that there is.
    pub begin: u64,
    /// How many elements complete the first window.
    pub first: u64,
    /// The number of the first window, delays included.
    pub origin: u64,
    /// Elements by which the output is late, where records are joined.
    pub late: u64,
}

/// What a record is flattened to.
pub struct Elements {
    /// Where they come from, in order.
    pub sources: Vec<Source>,
    /// Their common type.
    pub kind: Kind,
    /// Some of them may be NULL.
    pub nullable: bool,
    /// F, how many there are in a record.
    pub count: u64,
}

/// An attribute that is flattened.
pub struct Source {
    /// Its number in the event type.
    pub attribute: usize,
    /// It is an array of so many elements.
    pub length: Option<u64>,
    /// Only this element of it.
    pub index: Option<u64>,
    /// The type of its elements.
    pub from: Kind,
    /// The attribute may be NULL.
    pub nullable: bool,
    /// The elements of the array may be.
    pub null_elements: bool,
    /// `as f64`
    pub cast: bool,
}

/// Windows and attributes of one source, joined by their number.
pub struct Zip {
    /// What is joined.
    pub branches: Vec<Branch>,
    /// When its records come.
    pub timing: Timing,
}

/// A part of a [`Zip`].
pub struct Branch {
    /// The field that it becomes.
    pub name: Ident,
    /// What it is.
    pub kind: BranchKind,
    /// Where it is.
    pub pairing: Pairing,
}

/// How the records of a part meet those of the join.
#[derive(Clone, Copy, Default)]
pub struct Pairing {
    /// With each record of the join the part does so much
    pub step: u64,
    /// of so much of the way to its own next record.
    pub whole: u64,
    /// What is done of that in front of the first record.
    pub rest: u64,
    /// Elements from one of its records to the next.
    pub hop: i64,
    /// In front of the source's first event: elements that came behind the newest one that the join's first record needs; below zero.
    pub ahead: i64,
    /// How many of its elements are kept.
    pub slots: u64,
}

/// The kinds of parts.
pub enum BranchKind {
    /// A window.
    Window(Elements, Shape),
    /// An attribute, by its number.
    Field(usize),
}

/// One fold of a window.
pub struct Fold {
    /// The attribute that it becomes.
    pub name: Ident,
    /// The function.
    pub function: Function,
    /// `…_some`: NULL is passed over.
    pub some: bool,
    /// The user's own monoid.
    pub monoid: Option<TokenStream>,
    /// Of predicate windows: the attribute's number; none: the events.
    pub attribute: Option<usize>,
    /// What is folded; of the user's own monoid as far as it is known.
    pub input: Kind,
    /// It may be NULL.
    pub nullable: bool,
    /// What comes out: `Opaque` where only the trait knows.
    pub output: Kind,
    /// That may be NULL.
    pub output_nullable: bool,
}

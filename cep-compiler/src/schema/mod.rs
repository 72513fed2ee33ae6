//! Event types and their attributes, as the compiler knows them.
//!
//! In: [`mod@derive`] turns a type's definition into trait impls, views, records and a schema macro; [`read`] reads what that macro
//! hands back. Out: a [`Schema`] per stream. A schema is all the compiler ever knows of the user's types: attribute types are
//! recognised by their spelling, and what is not recognised is opaque.
//!
//! | file | what |
//! | --- | --- |
//! | `options` | `#[event(…)]` |
//! | `kinds` | the kinds of attributes and their names |
//! | `classify` | what a type's spelling tells |
//! | `definition`, `fields` | the item under the derive, checked |
//! | `views`, `record` | the impls, views and records it gets |
//! | `derive` | the derive as a whole, and the way to the schemas of held structs |
//! | `read` | the schema as tokens, both directions |
//! | `carry` | the schema macro |
//! | `joined` | attributes of an attribute |
//! | `bounce` | from `cep!` through the schema macros to the compiler |
pub mod bounce;
pub mod carry;
mod classify;
mod definition;
pub mod derive;
mod fields;
pub mod joined;
mod kinds;
mod options;
pub mod read;
mod record;
mod views;

pub(crate) use kinds::primitive;
pub(crate) use options::nanoseconds;

use crate::slices::{all, position};
use proc_macro2::{Ident, TokenStream};

/// No value of a type so spelled is `Copy`.
pub(crate) fn is_never_copy(ty: &syn::Type) -> bool {
    classify::classify(ty, &syn::Generics::default()).keep == classify::Keep::NotCopy
}

/// What stands after `on`.
#[derive(Clone)]
#[cfg_attr(feature = "theory", derive(Debug))]
pub struct Schema {
    /// The type's own visibility, as written.
    pub visibility: TokenStream,
    /// The type's name as declared.
    pub name: Ident,
    /// Its event types; the index is the `TYPE` of `cep_runtime::EventType`.
    pub types: Vec<EventType>,
    /// Of a window's records: when they come.
    pub timing: Option<Timing>,
    /// Of an item whose results are no events: why not.
    pub refused: Option<Refused>,
    /// Of a predicate window that patterns can run inside of.
    pub held: Option<Held>,
}

/// What a pattern has to know of the windows that it runs inside of.
#[derive(Clone)]
#[cfg_attr(feature = "theory", derive(Debug))]
pub struct Held {
    /// The type of their stream.
    pub of: Ident,
    /// How many can be open at once.
    pub keys: u64,
    /// They are on the heap.
    pub boxed: bool,
}

/// Why an item's results are no events.
#[derive(Clone)]
#[cfg_attr(feature = "theory", derive(Debug))]
pub struct Refused {
    /// Empty where that was said already.
    pub why: String,
    /// What to write instead.
    pub help: String,
}

/// When the records of a window come, as the windows over it have to know.
#[derive(Clone, Copy)]
#[cfg_attr(feature = "theory", derive(Debug))]
pub struct Timing {
    /// The number of the first record.
    pub origin: u64,
    /// How many slots of its own a record may be late.
    pub tail: u64,
    /// From record to record: above the line.
    pub numerator: u64,
    /// Below the line.
    pub denominator: u64,
}

impl Schema {
    /// The names of the attributes of these event types, each once, for messages.
    pub(crate) fn attribute_names(&self, types: &[crate::hir::TypeId]) -> Vec<String> {
        let mut all = Vec::new();
        for t in types {
            for name in self.types[t.0].attribute_names() {
                if !all.contains(&name) {
                    all.push(name);
                }
            }
        }
        all
    }

    /// The name of the first of these event types, for messages.
    pub(crate) fn name_of(&self, types: &[crate::hir::TypeId]) -> String {
        types.first().map_or(String::new(), |t| self.types[t.0].name.to_string())
    }

    /// Something of this visibility in the place of the `cep!` call can be no more visible than the type.
    ///
    /// Only what is certain by the spelling: rustc alone knows which module a `pub(super)` means.
    #[must_use]
    pub fn covers(&self, visibility: &syn::Visibility) -> bool {
        let own = crate::syntax::tight(&self.visibility);
        match visibility {
            syn::Visibility::Inherited => true,
            syn::Visibility::Public(_) => own == "pub",
            syn::Visibility::Restricted(_) => own == "pub" || own == "pub(crate)" || own == "crate",
        }
    }
}

/// One event type: an enum's variant, or a struct.
#[derive(Clone)]
#[cfg_attr(feature = "theory", derive(Debug))]
pub struct EventType {
    /// As used in patterns.
    pub name: Ident,
    /// Its attributes; skipped fields are not among them. The index is the `ATTR` of `cep_runtime::Attr`.
    pub attributes: Vec<Attribute>,
    /// `#[event(copy)]` on the struct: it is its own record, and what it implements besides `Copy` is not known.
    pub own_record: bool,
}

impl EventType {
    /// The attribute of this name.
    #[must_use]
    pub fn attribute(&self, name: &Ident) -> Option<crate::hir::AttributeId> {
        position(&self.attributes, |a| a.name == *name).map(crate::hir::AttributeId)
    }
    /// The names of the attributes, for messages.
    #[must_use]
    pub fn attribute_names(&self) -> Vec<String> {
        let mut names = Vec::new();
        for a in &self.attributes {
            if !a.is_ours() {
                names.push(joined::spelled(&a.name.to_string()));
            }
        }
        names
    }

    /// The record has `Debug` and `PartialEq` for certain.
    #[must_use]
    pub fn record_is_plain(&self) -> bool {
        !self.own_record && all(&self.attributes, |a| !a.kept || a.kind != Kind::Opaque)
    }
}

/// One attribute.
#[derive(Clone)]
#[cfg_attr(feature = "theory", derive(Debug))]
pub struct Attribute {
    /// As used in patterns.
    pub name: Ident,
    /// The Rust field it stands for (another name only where `#[event(name = "…")]` is given); views and records use this one.
    pub field: Ident,
    /// What is known of its type, `Option` aside.
    pub kind: Kind,
    /// An `Option`: may be NULL.
    pub nullable: bool,
    /// Of an array: how many elements, where the type says so with a number.
    pub length: Option<u64>,
    /// Of an array: its elements are `Option`s.
    pub null_elements: bool,
    /// Can outlive its event: it is part of the record.
    pub kept: bool,
    /// `#[event(time)]`, with nanoseconds per unit.
    pub time: Option<u64>,
    /// `#[event(key)]`
    pub key: bool,
    /// `#[event(ord)]`
    pub ord: bool,
}

impl Attribute {
    /// It is read by a method and has no name for the user: when a match or a window began, ended and happened.
    #[must_use]
    pub fn is_ours(&self) -> bool {
        self.name.to_string().starts_with("__") && !joined::is_joined(&self.name)
    }
}

/// What the compiler knows of a type by its spelling.
#[derive(Clone, PartialEq, Eq)]
#[cfg_attr(feature = "theory", derive(Debug))]
pub enum Kind {
    /// `u8` … `i128`, `usize`, `isize`.
    Int(Int),
    /// `f32`, `f64`: the bits.
    Float(u8),
    /// `bool`
    Bool,
    /// `char`
    Char,
    /// `&'static str` or another `&str`
    Str,
    /// `String`
    String,
    /// `Text<N>`: compares like a `&str`, and can be kept.
    Text,
    /// An array of numbers.
    Array(Box<Kind>),
    /// Anything else.
    Opaque,
}

/// An integer type.
#[derive(Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "theory", derive(Debug))]
pub struct Int {
    /// Has negative values.
    pub signed: bool,
    /// 8 to 128; `usize` and `isize` count as 64.
    pub bits: u8,
    /// `usize` or `isize`
    pub size: bool,
}

//! What goes in (declarations, events, parameters) and what comes out (complex events).
use std::collections::{BTreeMap, BTreeSet};

/// The declared type of an attribute or a parameter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "named as in Rust")]
pub enum Ty {
    U8,
    U16,
    U32,
    U64,
    /// Of a sum only.
    U128,
    I8,
    I16,
    I32,
    I64,
    /// Of a sum only.
    I128,
    F32,
    F64,
    Bool,
    Char,
    Str,
    String,
}

impl Ty {
    /// As written in Rust.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Ty::U8 => "u8",
            Ty::U16 => "u16",
            Ty::U32 => "u32",
            Ty::U64 => "u64",
            Ty::U128 => "u128",
            Ty::I128 => "i128",
            Ty::I8 => "i8",
            Ty::I16 => "i16",
            Ty::I32 => "i32",
            Ty::I64 => "i64",
            Ty::F32 => "f32",
            Ty::F64 => "f64",
            Ty::Bool => "bool",
            Ty::Char => "char",
            Ty::Str => "&'static str",
            Ty::String => "String",
        }
    }

    /// From a Rust spelling.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Ty> {
        const ALL: [Ty; 14] = [
            Ty::U8,
            Ty::U16,
            Ty::U32,
            Ty::U64,
            Ty::I8,
            Ty::I16,
            Ty::I32,
            Ty::I64,
            Ty::F32,
            Ty::F64,
            Ty::Bool,
            Ty::Char,
            Ty::Str,
            Ty::String,
        ];
        ALL.into_iter().find(|t| t.name() == name)
    }

    /// Smallest and largest value of an integer type.
    #[must_use]
    pub fn range(self) -> Option<(i128, i128)> {
        Some(match self {
            Ty::U8 => (0, u8::MAX.into()),
            Ty::U16 => (0, u16::MAX.into()),
            Ty::U32 => (0, u32::MAX.into()),
            Ty::U64 => (0, u64::MAX.into()),
            // wider than what a test reaches
            Ty::U128 => (0, i128::MAX),
            Ty::I128 => (i128::MIN, i128::MAX),
            Ty::I8 => (i8::MIN.into(), i8::MAX.into()),
            Ty::I16 => (i16::MIN.into(), i16::MAX.into()),
            Ty::I32 => (i32::MIN.into(), i32::MAX.into()),
            Ty::I64 => (i64::MIN.into(), i64::MAX.into()),
            _ => return None,
        })
    }
}

/// An attribute of an event type.
#[derive(Clone, Debug)]
pub struct AttrDecl {
    /// Its name.
    pub name: String,
    /// Its type, without the `Option`.
    pub ty: Ty,
    /// Declared as an `Option`.
    pub nullable: bool,
    /// `#[event(time)]`
    pub time: bool,
}

/// An event type.
#[derive(Clone, Debug)]
pub struct TypeDecl {
    /// Its name.
    pub name: String,
    /// Its attributes.
    pub attributes: Vec<AttrDecl>,
}

/// The event types of a stream.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// The types; an [`Event`] names one by its index.
    pub types: Vec<TypeDecl>,
    /// Nanoseconds in one unit of the `#[event(time)]` attributes: a million for the default, milliseconds.
    pub clock_unit: u64,
}

impl Declaration {
    /// With a clock in milliseconds.
    #[must_use]
    pub fn new(types: Vec<TypeDecl>) -> Declaration {
        Declaration { types, clock_unit: 1_000_000 }
    }

    /// The index of a type.
    #[must_use]
    pub fn type_index(&self, name: &str) -> Option<usize> {
        self.types.iter().position(|t| t.name == name)
    }
}

/// The value of an attribute or a parameter.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs, reason = "named as in Rust")]
pub enum Value {
    Null,
    Int(i128),
    Float(f64),
    Bool(bool),
    Str(String),
    Char(char),
}

/// An event of the stream.
#[derive(Clone, Debug)]
pub struct Event {
    /// Index into [`Declaration::types`].
    pub ty: usize,
    /// One value per attribute.
    pub values: Vec<Value>,
}

/// What the machine is told.
#[derive(Clone, Debug)]
pub enum Step {
    /// `push`
    Push(Event),
    /// `advance_to`
    Advance(Value),
    /// `finish`
    Finish,
}

/// A complex event: an interval of positions and the positions of each variable's events.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Complex {
    /// The first position.
    pub start: u64,
    /// The last position.
    pub end: u64,
    /// The selected variables that hold an event; one that holds none is left out.
    pub vars: BTreeMap<String, BTreeSet<u64>>,
    /// The selected variables that hold computed events, in stream order.
    pub made: BTreeMap<String, Vec<Made>>,
}

/// A computed event, one of an `agg`. It is itself and no other by the `agg` and by the events that it was folded from,
/// whatever its values: two of them compare by that.
#[derive(Clone, Debug)]
pub struct Made {
    /// The same for the same `agg` and the same events, in one answer of the oracle.
    pub id: usize,
    /// By attribute.
    pub values: BTreeMap<String, Value>,
}

impl PartialEq for Made {
    fn eq(&self, o: &Made) -> bool {
        self.id == o.id
    }
}
impl Eq for Made {}
impl PartialOrd for Made {
    fn partial_cmp(&self, o: &Made) -> Option<std::cmp::Ordering> {
        Some(self.cmp(o))
    }
}
impl Ord for Made {
    fn cmp(&self, o: &Made) -> std::cmp::Ordering {
        self.id.cmp(&o.id)
    }
}

impl Complex {
    /// Without computed events.
    #[must_use]
    pub fn new(start: u64, end: u64, vars: BTreeMap<String, BTreeSet<u64>>) -> Complex {
        Complex { start, end, vars, made: BTreeMap::new() }
    }

    /// All positions it names.
    #[must_use]
    pub fn positions(&self) -> BTreeSet<u64> {
        self.vars.values().flatten().copied().collect()
    }
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// The oracle does not know this construct; it never guesses.
    Unsupported(String),
    /// The pattern or the stream breaks a rule of the language.
    Invalid(String),
    /// A filter panics on a partial match that needs it.
    Panic(String),
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::Unsupported(w) => write!(f, "the oracle does not support {w}"),
            Error::Invalid(w) => write!(f, "invalid: {w}"),
            Error::Panic(w) => write!(f, "a filter panics: {w}"),
        }
    }
}
impl std::error::Error for Error {}

/// Short for results of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// An error about something unknown here.
pub(crate) fn unsupported<T>(what: impl Into<String>) -> Result<T> {
    Err(Error::Unsupported(what.into()))
}

/// An error about a broken rule.
pub(crate) fn invalid<T>(what: impl Into<String>) -> Result<T> {
    Err(Error::Invalid(what.into()))
}

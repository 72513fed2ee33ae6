//! The resolved pattern: ids instead of names, no sugar.
//!
//! In: [`crate::check`] makes it from the syntax tree and a [`Schema`]. Out: [`crate::automaton`] builds the register automaton from
//! it, [`crate::plan`] and [`crate::emit`] read atoms, conjuncts and output. Invariants: every id is in range; a conjunct
//! reads only atoms at or before its step; atoms are numbered from left to right.
use crate::ast::{Parameter, Storage};
use crate::diagnostic::Loc;
use crate::schema::{Attribute, EventType, Kind, Schema};
use proc_macro2::{Ident, TokenStream};

macro_rules! ids {
    ($($(#[doc = $doc:literal])* $name:ident),* $(,)?) => { $(
        $(#[doc = $doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        pub struct $name(pub usize);
    )* };
}
ids! {
    /// An occurrence of an event type in the formula.
    AtomId,
    /// A variable: an `as` name or a type name.
    VariableId,
    /// A conjunct of a filter.
    ConjunctId,
    /// An event type of the stream; the index into [`Schema::types`].
    TypeId,
    /// An attribute of an event type; the index into [`EventType::attributes`].
    AttributeId,
}

/// A pattern that may run.
#[derive(Clone)]
pub struct Pattern {
    /// What goes to the generated struct as it is.
    pub attributes: Vec<syn::Attribute>,
    /// The item's visibility.
    pub visibility: syn::Visibility,
    /// The item's name.
    pub name: Ident,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// What each parameter's type is known to be.
    pub parameter_kinds: Vec<Kind>,
    /// The type after `on`.
    pub on: TokenStream,
    /// The stream's event types.
    pub schema: Schema,
    /// Every variable, `as` names and type names.
    pub variables: Vec<Variable>,
    /// The atoms, left to right.
    pub atoms: Vec<Atom>,
    /// How they are put together.
    pub formula: Formula,
    /// The conjuncts of all filters, in the order written.
    pub conjuncts: Vec<Conjunct>,
    /// `within n events`
    pub window: Option<u64>,
    /// Where the window clause stands; the item's name where there is none.
    pub window_loc: Loc,
    /// What comes out.
    pub output: Output,
    /// Where the rings live; `None`: inline, because the user did not say.
    pub storage: Option<Storage>,
    /// `#[cep(kernel = ring)]`: the universal kernel whatever the plan would choose.
    pub force_ring: bool,
}

impl Pattern {
    /// The event type of an atom.
    #[must_use]
    pub fn event_type(&self, atom: AtomId) -> &EventType {
        &self.schema.types[self.atoms[atom.0].ty.0]
    }
    /// An attribute of an atom's event type.
    #[must_use]
    pub fn attribute(&self, atom: AtomId, attribute: AttributeId) -> &Attribute {
        &self.event_type(atom).attributes[attribute.0]
    }
}

/// An occurrence of an event type.
#[derive(Clone, Debug)]
pub struct Atom {
    /// Which type.
    pub ty: TypeId,
    /// The variables that hold its event.
    pub variables: Vec<VariableId>,
    /// Where the type's name stands.
    pub loc: Loc,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name where it was bound first.
    pub name: Ident,
    /// A type name, not an `as` name.
    pub is_type: bool,
    /// The atoms whose events it holds.
    pub atoms: Vec<AtomId>,
}

/// How atoms are put together.
#[derive(Clone, Debug)]
pub enum Formula {
    /// One event.
    Atom(AtomId),
    /// `φ ; ψ`
    Sequence {
        /// φ
        left: Box<Formula>,
        /// ψ
        right: Box<Formula>,
    },
    /// `φ filter c`
    Filter {
        /// φ
        inner: Box<Formula>,
        /// The conjuncts of c, in the order written.
        conjuncts: Vec<ConjunctId>,
    },
}

/// A conjunct of a filter: true where one of its disjuncts is.
#[derive(Clone)]
pub struct Conjunct {
    /// At least one.
    pub disjuncts: Vec<Disjunct>,
    /// The variables read, by the name used, each with the one event it stands for.
    pub reads: Vec<Read>,
    /// The parameters read, as indices.
    pub parameters: Vec<usize>,
    /// The step that binds its last variable; it is evaluated there.
    pub step: AtomId,
    /// Can neither panic nor cost: it may be evaluated early, and without being needed.
    pub cheap: bool,
    /// Where it stands.
    pub loc: Loc,
}

impl Conjunct {
    /// It reads no event but the one of its step.
    #[must_use]
    pub fn is_unary(&self) -> bool {
        self.reads.iter().all(|r| r.atom == self.step)
    }
}

/// A disjunct: false where an attribute that it opens is NULL.
#[derive(Clone)]
pub struct Disjunct {
    /// The expression as written.
    pub expr: syn::Expr,
    /// The nullable attributes whose value (and not `Option`) it uses: indices into the conjunct's reads, and the attribute.
    pub opened: Vec<(usize, AttributeId)>,
}

/// A variable as a conjunct reads it.
#[derive(Clone, Debug)]
pub struct Read {
    /// The name in the source.
    pub name: Ident,
    /// The event it stands for.
    pub atom: AtomId,
    /// The attributes read, each once, with where it is read first.
    pub attributes: Vec<(AttributeId, Loc)>,
    /// `x.time()` is used.
    pub time: bool,
}

/// What comes out.
#[derive(Clone, Debug)]
pub enum Output {
    /// `bool`
    Detect,
    /// The distinct (start, end).
    SelectNone,
    /// Matches with these fields.
    Select(Vec<Field>),
}

/// A field of a match: a variable that holds one event.
#[derive(Clone, Debug)]
pub struct Field {
    /// The field's name.
    pub name: Ident,
    /// The variable.
    pub variable: VariableId,
    /// The event it holds.
    pub atom: AtomId,
    /// Only these attributes; `None`: all that can be kept.
    pub attributes: Option<Vec<AttributeId>>,
}

//! The resolved pattern: ids instead of names, no sugar.
//!
//! In: [`crate::check`] makes it from the syntax tree and a [`Schema`]. Out: [`crate::automaton`] builds the register automaton from
//! it, [`crate::plan`] and [`crate::emit`] read atoms, conjuncts and output. Invariants: every id is in range; a conjunct
//! reads only atoms inside its formula or to the left of it; atoms are numbered from left to right, so a formula's are a range.
mod fold;
pub mod predicate;
mod summary;
pub mod window;

pub use fold::{Aggregate, AggregateField, Fold, FoldRead, FoldResult, Function, Needed};
pub use summary::{Column, ColumnOf, Summary};

use crate::ast::{Consume, Parameter, Storage};
use crate::diagnostic::Loc;
use crate::schema::{Attribute, EventType, Kind, Schema};
use proc_macro2::{Ident, TokenStream};
use std::ops::Range;

macro_rules! ids {
    ($($(#[doc = $doc:literal])* $name:ident),* $(,)?) => { $(
        $(#[doc = $doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        #[cfg_attr(feature = "theory", derive(Debug))]
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
    /// An iteration.
    LoopId,
    /// An `agg`.
    AggregateId,
    /// A register with a fold update.
    FoldId,
    /// An event type of the stream; the index into [`Schema::types`].
    TypeId,
    /// An attribute of an event type; the index into [`EventType::attributes`].
    AttributeId,
}

/// A pattern that may run.
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
    /// The iterations, outer ones before those inside them.
    pub loops: Vec<Loop>,
    /// How atoms are put together.
    pub formula: Formula,
    /// The conjuncts of all filters, in the order written.
    pub conjuncts: Vec<Conjunct>,
    /// The registers with a fold update, each once.
    pub folds: Vec<Fold>,
    /// The computed events, inner ones before those that fold them.
    pub aggregates: Vec<Aggregate>,
    /// The window of the whole pattern.
    pub window: Option<Window>,
    /// Most events of the stream from the first of a match to its last, where that is known and the window is in time.
    pub reach: Option<u64>,
    /// Where the window clause stands; the item's name where there is none.
    pub window_loc: Loc,
    /// `within window Trip`: the item. The window counts the events of one of its windows then.
    pub spans: Option<Ident>,
    /// The clock of the machine, where it has one.
    pub clock: Option<Clock>,
    /// `(φ within W)`
    pub inner_windows: Vec<InnerWindow>,
    /// `partition by`: for each key attribute, by event type.
    pub partition: Vec<Vec<(TypeId, AttributeId)>>,
    /// `consume`
    pub consume: Consume,
    /// `limit n`
    pub limit: Option<u64>,
    /// `capacity N events`
    pub capacity: Option<u64>,
    /// `capacity M keys`
    pub keys: Option<u64>,
    /// `capacity K runs`
    pub runs: Option<u64>,
    /// `or evict`
    pub evict: bool,
    /// Where the capacity clause stands; where the window does if there is none.
    pub capacity_loc: Loc,
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
    /// The event types of some atoms, ascending, each once.
    #[must_use]
    pub fn types_of(&self, atoms: &[AtomId]) -> Vec<TypeId> {
        let mut types = Vec::new();
        for a in atoms {
            types.push(self.atoms[a.0].ty);
        }
        crate::sorted::unique(&mut types);
        types
    }
    /// The conjuncts that are meant, in the order written.
    pub fn conjuncts_where(&self, meant: impl Fn(&Conjunct) -> bool) -> Vec<ConjunctId> {
        let mut found = Vec::new();
        for (i, c) in self.conjuncts.iter().enumerate() {
            if meant(c) {
                found.push(ConjunctId(i));
            }
        }
        found
    }
    /// Some part is iterated.
    #[must_use]
    pub fn is_cyclic(&self) -> bool {
        !self.loops.is_empty()
    }
}

/// An occurrence of an event type.
pub struct Atom {
    /// Which type.
    pub ty: TypeId,
    /// The variables that hold its event where the whole pattern ends: those that an inner `select` drops are gone.
    pub variables: Vec<VariableId>,
    /// Where the type's name stands.
    pub loc: Loc,
}

/// A variable.
pub struct Variable {
    /// Its name where it was bound first.
    pub name: Ident,
    /// A type name, not an `as` name.
    pub is_type: bool,
    /// It holds computed events: an `agg` binds it.
    pub is_computed: bool,
}

/// An iteration of one or more.
pub struct Loop {
    /// `:+`
    pub strict: bool,
    /// The iterations around it, outermost first.
    pub enclosing: Vec<LoopId>,
    /// The atoms of its body.
    pub atoms: Range<usize>,
}

/// How atoms are put together.
pub enum Formula {
    /// One event.
    Atom(AtomId),
    /// `φ ; ψ`, or `φ : ψ`
    Sequence {
        /// φ
        left: Box<Formula>,
        /// ψ
        right: Box<Formula>,
        /// `:`
        strict: bool,
    },
    /// `φ or ψ`
    Or(Vec<Formula>),
    /// `φ?`
    Optional(Box<Formula>),
    /// `φ+`
    Iterate {
        /// φ
        inner: Box<Formula>,
        /// Which.
        id: LoopId,
    },
}

/// The window of a pattern.
#[derive(PartialEq)]
pub enum Window {
    /// `within n events`
    Events(u64),
    /// `within n events of its partition`
    Partition(u64),
    /// A span of the clock: the literal in the clock's unit.
    Clock(Amount),
}

/// A clock: an attribute that every event type has.
pub struct Clock {
    /// By event type.
    pub attributes: Vec<AttributeId>,
    /// Its type.
    pub kind: Kind,
}

/// `(φ within W)`
pub struct InnerWindow {
    /// W
    pub window: Window,
    /// φ
    pub scope: Scope,
}

/// A formula that a filter or an inner window follows, as far as its instances in a match must be told apart.
#[derive(Clone)]
pub struct Scope {
    /// Its atoms.
    pub atoms: Range<usize>,
    /// The iterations around it: each repetition is an instance of its own.
    pub loops: Vec<LoopId>,
    /// The atoms with which it can begin.
    pub first: Vec<AtomId>,
    /// It never has more than one event.
    pub single: bool,
}

impl Scope {
    /// Its atoms as bits.
    #[must_use]
    pub fn bits(&self) -> u64 {
        let mut bits = 0;
        for a in self.atoms.clone() {
            bits |= 1 << a;
        }
        bits
    }
}

/// A conjunct of a filter: true where one of its disjuncts is, for every choice of events.
#[derive(Clone)]
pub struct Conjunct {
    /// At least one.
    pub disjuncts: Vec<Disjunct>,
    /// The variables read.
    pub reads: Vec<Read>,
    /// The aggregates read.
    pub folds: Vec<FoldRead>,
    /// The parameters read, as indices.
    pub parameters: Vec<usize>,
    /// The formula it filters.
    pub scope: Scope,
    /// When it is evaluated.
    pub step: Step,
    /// Can neither panic nor cost: it may be evaluated early, and without being needed.
    pub cheap: bool,
    /// It says nothing new: it follows from another, and fails earlier.
    pub implied: bool,
    /// Where it stands.
    pub loc: Loc,
}

impl Conjunct {
    /// It looks at one event at a time.
    #[must_use]
    pub fn is_unary(&self) -> bool {
        matches!(self.step, Step::Event)
    }
    /// The atoms at which a unary conjunct is evaluated.
    #[must_use]
    pub fn unary_atoms(&self) -> &[AtomId] {
        self.reads.first().map_or(&self.scope.first[..], |r| &r.atoms)
    }
}

/// When a conjunct is evaluated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// On each event of its one variable, before any partial match is looked at.
    Event,
    /// When an event joins a partial match as one of its variables, for all choices of the others.
    Join,
    /// At the first event of its formula: everything it reads was bound before.
    Entry,
    /// When its formula's instance is complete: it reads a summary of it.
    End,
}

/// A disjunct: false where an attribute or aggregate that it opens is NULL.
#[derive(Clone)]
pub struct Disjunct {
    /// The expression; `prev(b)` and aggregates stand as names of their own.
    pub expr: syn::Expr,
    /// The nullable attributes whose value (and not `Option`) it uses: indices of a read and of its attribute.
    pub opened: Vec<(usize, usize)>,
    /// The aggregates it uses that can be NULL.
    pub opened_folds: Vec<usize>,
}

/// A variable as a conjunct reads it.
#[derive(Clone)]
pub struct Read {
    /// The name in the expression.
    pub name: Ident,
    /// The atoms whose events it may stand for.
    pub atoms: Vec<AtomId>,
    /// The aggregates whose computed events it may stand for; then it has no atoms.
    pub computed: Vec<AggregateId>,
    /// Bound inside the conjunct's formula.
    pub inside: bool,
    /// Bound to the left, and to one event at least on every way.
    pub always: bool,
    /// The part that may be absent or repeated in which it is bound.
    pub part: usize,
    /// Which events of a match.
    pub region: Region,
    /// The attributes read, each once.
    pub attributes: Vec<ReadAttribute>,
    /// Its stream position is read.
    pub position: bool,
}

/// An attribute of a variable, which may be of several types.
#[derive(Clone)]
pub struct ReadAttribute {
    /// Its name in the expression.
    pub name: Ident,
    /// What it is on each event type that has it.
    pub of: Vec<(TypeId, AttributeId)>,
    /// What it is on each computed event that has it: the index of the field.
    pub computed: Vec<(AggregateId, usize)>,
    /// It may be NULL: an `Option`, or some type lacks it.
    pub nullable: bool,
    /// What is known of its type.
    pub kind: Kind,
    /// Where it is read first.
    pub loc: Loc,
}

/// Which events of a partial match a read ranges over, seen from its newest event.
#[derive(Clone, PartialEq, Eq)]
pub enum Region {
    /// Those of the current repetition of these iterations (all of the match if there are none).
    All(Vec<LoopId>),
    /// The first of them.
    First(Vec<LoopId>),
    /// The last of them.
    Last(Vec<LoopId>),
    /// That of the repetition before.
    Previous(LoopId),
    /// The first one of the repetitions before the current one.
    FirstBefore(LoopId),
}

/// What comes out.
pub enum Output {
    /// `bool`
    Detect,
    /// The distinct (start, end).
    SelectNone,
    /// Matches with these fields.
    Select(Vec<Field>),
    /// One record per event.
    Summarize(Summary),
}

impl Output {
    /// What makes results different.
    #[must_use]
    pub fn fields(&self) -> &[Field] {
        match self {
            Output::Detect | Output::SelectNone => &[],
            Output::Select(fields) => fields,
            Output::Summarize(summary) => &summary.fields,
        }
    }
}

/// A field of a match.
#[derive(Clone)]
pub struct Field {
    /// The field's name.
    pub name: Ident,
    /// The variable.
    pub variable: VariableId,
    /// The atoms whose events it holds.
    pub atoms: Vec<AtomId>,
    /// The aggregates whose computed events it holds; then it has no atoms.
    pub aggregates: Vec<AggregateId>,
    /// How many events it can hold.
    pub shape: Shape,
    /// Only these attributes (by name); `None`: all that can be kept.
    pub attributes: Option<Vec<Ident>>,
}

/// How many events a selected variable holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Exactly one in every match.
    One,
    /// None or one.
    Optional,
    /// Any number.
    Bag,
}

/// A span of time in the clock's own unit.
#[derive(Clone, Copy, PartialEq)]
pub enum Amount {
    /// Of an integer clock.
    Int(u64),
    /// Of a float clock.
    Float(f64),
}

//! What the user wrote: one node per construct of the language, a [`Loc`] on every node, no resolution of names.
//!
//! In: made by [`crate::parse`] only. Out: read by [`crate::check`] (and by the oracle of the test tree). Invariant: parentheses are
//! gone, because the nesting of nodes says all they said; the rules about *missing* parentheses are the parser's.
//! The whole grammar of the language has its node here; what the compiler cannot compile yet is refused by
//! `check`, at its own tokens. Only tests take trees apart and put them together anew: most nodes are `Clone` with the feature `theory`.
mod aggregate;
mod window;

pub use aggregate::{Aggregate, Argument, Overflow};
pub use window::{
    Agse, Branch, Element, FoldArgument, Folds, Interval, Predicate, Span, Window, WindowBody, WindowFold,
};

use crate::diagnostic::Loc;
use proc_macro2::{Ident, TokenStream};

/// One `cep! { … }` call.
pub struct File {
    /// The items, in the order written; those with an error are left out.
    pub items: Vec<Item>,
    /// The head of every pattern, of those with an error too.
    pub heads: Vec<Head>,
    /// Windows with an error, as far as they can be read.
    pub broken: Vec<Box<Window>>,
    /// The head of every window, of those with an error too.
    pub windows: Vec<WindowHead>,
}

impl File {
    /// The names of all items, of those with an error too.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        for item in &self.items {
            names.push(match item {
                Item::Pattern(p) => p.name.to_string(),
                Item::Window(w) => w.name.to_string(),
            });
        }
        for head in &self.heads {
            names.push(head.name.to_string());
        }
        for head in &self.windows {
            names.push(head.name.to_string());
        }
        names
    }
}

/// What others see of a pattern, as far as its tokens tell: enough for a stand-in where the pattern itself has an error.
pub struct Head {
    /// `pub` and the like.
    pub visibility: syn::Visibility,
    /// The item's name.
    pub name: Ident,
    /// Those that can be read.
    pub parameters: Vec<Parameter>,
    /// What stands after `on`.
    pub on: Option<TokenStream>,
    /// What may be an event type.
    pub atoms: Vec<HeadAtom>,
    /// `select x, y.price`
    pub selected: Vec<SelectItem>,
    /// `detect`
    pub detect: bool,
    /// `push` can be refused: the window is on a clock, or counts the events of a key.
    pub fallible: bool,
    /// `storage borrowed`
    pub borrowed: bool,
}

/// What may be an event type in a pattern.
pub struct HeadAtom {
    /// The name.
    pub name: Ident,
    /// The variable that `as` makes of it.
    pub variable: Option<Ident>,
    /// How many events it may have.
    pub number: Number,
}

/// How many events a variable may have in a match, as far as signs behind it and around it tell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Number {
    /// One.
    One,
    /// One or none: `?`, `or`.
    AtMostOne,
    /// Any: `+`, `*`, `{n, m}`.
    Many,
}

/// What others see of a window that cannot be read.
pub struct WindowHead {
    /// `pub` and the like.
    pub visibility: syn::Visibility,
    /// The item's name.
    pub name: Ident,
    /// `= predicate …`: its `push` can be refused.
    pub fallible: bool,
}

/// An item of a call.
pub enum Item {
    /// `pattern Name … ;`
    Pattern(Box<Pattern>),
    /// `window Name … ;`
    Window(Box<Window>),
}

/// `pub pattern FireRisk(hottest: f64) on Reading = formula clauses;`
#[cfg_attr(feature = "theory", derive(Clone))]
pub struct Pattern {
    /// Docs and other outer attributes.
    pub attributes: Vec<syn::Attribute>,
    /// `pub` and the like.
    pub visibility: syn::Visibility,
    /// The item's name.
    pub name: Ident,
    /// `(hottest: f64)`
    pub parameters: Vec<Parameter>,
    /// What stands after `on`.
    pub on: StreamPath,
    /// The pattern itself.
    pub formula: Formula,
    /// What follows the formula.
    pub clauses: Clauses,
    /// From the first token to the last one in front of `;`.
    pub loc: Loc,
}

impl Pattern {
    /// It runs inside the windows of another item.
    #[must_use]
    pub fn is_inside(&self) -> bool {
        matches!(self.clauses.within, Some(Clause { value: Within::Window(_), .. }))
    }
}

/// A parameter of a pattern.
#[derive(Clone)]
pub struct Parameter {
    /// Its name.
    pub name: Ident,
    /// Its type, any Rust type that is `Copy`.
    pub ty: syn::Type,
}

/// The type after `on`, as tokens: a path, maybe with generic arguments.
#[cfg_attr(feature = "theory", derive(Clone))]
pub struct StreamPath {
    /// As written.
    pub tokens: TokenStream,
    /// Where.
    pub loc: Loc,
}

/// A formula and where it stands.
#[cfg_attr(feature = "theory", derive(Clone))]
pub struct Formula {
    /// What it is.
    pub kind: FormulaKind,
    /// Its tokens.
    pub loc: Loc,
}

/// The constructs of the algebra (language reference, section 3).
#[cfg_attr(feature = "theory", derive(Clone))]
pub enum FormulaKind {
    /// `R`: an event of type `R`.
    Type(Ident),
    /// `φ as x`
    As {
        /// φ
        inner: Box<Formula>,
        /// x
        variable: Ident,
    },
    /// `φ ; ψ`, `φ : ψ`, `φ -> ψ`, with the `not`s written between the two.
    Sequence {
        /// φ
        left: Box<Formula>,
        /// What may lie in the gap.
        gap: Gap,
        /// ψ
        right: Box<Formula>,
    },
    /// `φ ; not ν` (or `: not`, `-> not`) at the end of the formula.
    TrailingNot {
        /// φ
        left: Box<Formula>,
        /// The operator in front of the first `not` and the negations.
        negations: Vec<Negation>,
    },
    /// `φ or ψ or …`, at least two branches.
    Or {
        /// The branches.
        parts: Vec<Formula>,
        /// The words `or`.
        words: Vec<Loc>,
    },
    /// `φ+`, `φ:+`, `φ?`, `φ*`, `φ{2,5}` and so on.
    Iterate {
        /// φ
        inner: Box<Formula>,
        /// How the repetitions are chained.
        operator: Operator,
        /// At least so many (0 for `?`, `*`).
        minimum: u32,
        /// At most so many; `None`: no bound.
        maximum: Option<u32>,
        /// The operator's own tokens.
        operator_loc: Loc,
    },
    /// `all(φ, ψ, …)`
    All {
        /// The parts.
        parts: Vec<Formula>,
        /// The word `all`.
        word: Loc,
    },
    /// `(φ without ν)`
    Without {
        /// φ
        inner: Box<Formula>,
        /// ν
        excluded: Box<Formula>,
        /// The word `without`.
        word: Loc,
    },
    /// `φ filter c`
    Filter {
        /// φ
        inner: Box<Formula>,
        /// c
        condition: Condition,
    },
    /// `φ agg m { b: sum(x.a), … }`
    Aggregate {
        /// φ
        inner: Box<Formula>,
        /// m
        variable: Ident,
        /// `b: sum(x.a)`
        fields: Vec<Aggregate>,
        /// The word `agg`.
        word: Loc,
    },
    /// `φ project x(a, b)`
    Project {
        /// φ
        inner: Box<Formula>,
        /// x
        variable: Ident,
        /// The attributes that stay.
        attributes: Vec<Ident>,
        /// The word `project`.
        word: Loc,
    },
    /// `(φ select x, y)`
    Select {
        /// φ
        inner: Box<Formula>,
        /// The variables that stay.
        variables: Vec<Ident>,
        /// The word `select`.
        word: Loc,
    },
    /// `(φ within W)`
    Within {
        /// φ
        inner: Box<Formula>,
        /// W
        bound: Within,
        /// The word `within`.
        word: Loc,
    },
}

/// The sequence operators.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// `;` any gap
    Any,
    /// `:` no gap
    Strict,
    /// `->` any gap without a first event of what follows
    Next,
}

/// Between two neighbours of a chain.
#[cfg_attr(feature = "theory", derive(Clone))]
pub struct Gap {
    /// The operator directly in front of the right neighbour: it governs the gap.
    pub operator: Operator,
    /// That operator's tokens.
    pub operator_loc: Loc,
    /// `; not ν` written between the two, in order.
    pub negations: Vec<Negation>,
}

/// `; not ν` or `: not ν`
#[cfg_attr(feature = "theory", derive(Clone))]
pub struct Negation {
    /// The operator in front of `not`: `Strict` looks at the very next event only.
    pub operator: Operator,
    /// ν
    pub formula: Formula,
    /// The word `not`.
    pub word: Loc,
}

/// The condition of a `filter`.
#[cfg_attr(feature = "theory", derive(Clone))]
pub struct Condition {
    /// Parsed by syn; names are not resolved.
    pub expr: syn::Expr,
    /// Where.
    pub loc: Loc,
}

/// What follows a formula; each clause at most once, in the order of these fields.
#[derive(Default)]
#[cfg_attr(feature = "theory", derive(Clone))]
pub struct Clauses {
    /// `within …`
    pub within: Option<Clause<Within>>,
    /// `partition by …`
    pub partition: Option<Clause<Vec<PartitionKey>>>,
    /// `strategy …`: the word after it.
    pub strategy: Option<Clause<Ident>>,
    /// `skip …`
    pub skip: Option<Clause<Skip>>,
    /// `consume …`: the word after it.
    pub consume: Option<Clause<Consume>>,
    /// `limit n`
    pub limit: Option<Clause<u64>>,
    /// `timeouts`
    pub timeouts: Option<Clause<()>>,
    /// `capacity …`
    pub capacity: Option<Clause<Capacity>>,
    /// `storage …`
    pub storage: Option<Clause<Storage>>,
    /// `select …`, `detect`, `summarize { … }`
    pub output: Option<Clause<Output>>,
}

/// A clause's content and its tokens, the word in front included.
#[cfg_attr(feature = "theory", derive(Clone))]
pub struct Clause<T> {
    /// What it says.
    pub value: T,
    /// Its tokens.
    pub loc: Loc,
}

/// The bound of a `within`.
#[derive(Clone)]
pub enum Within {
    /// `100 events`; with `of its partition` only those of the partition count.
    Events {
        /// How many; the parser has refused zero.
        count: u64,
        /// `of its partition`
        of_partition: bool,
    },
    /// `1 min 30 s`
    Time(Vec<(u64, TimeUnit)>),
    /// `5 of attr`
    Of {
        /// The number, an integer or a float literal.
        amount: proc_macro2::Literal,
        /// The clock attribute.
        attribute: Ident,
    },
    /// `window Trip`
    Window(Ident),
}

/// Units of time, largest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TimeUnit {
    /// `d`
    Day,
    /// `h`
    Hour,
    /// `min`
    Minute,
    /// `s`
    Second,
    /// `ms`
    Millisecond,
    /// `us`
    Microsecond,
    /// `ns`
    Nanosecond,
}

/// `id`, or `T.id = H.sensor`
#[cfg_attr(feature = "theory", derive(Clone))]
pub enum PartitionKey {
    /// One attribute of every type that has it.
    Attribute(Ident),
    /// An attribute per type.
    PerType(Vec<(Ident, Ident)>),
}

/// `skip …`
#[cfg_attr(feature = "theory", derive(Clone))]
pub enum Skip {
    /// `to next`
    ToNext,
    /// `past last`
    PastLast,
    /// `to first x`
    ToFirst(Ident),
    /// `to last x`
    ToLast(Ident),
}

/// `consume …`
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Consume {
    /// `none`
    None,
    /// `any`
    Any,
    /// `partition`
    Partition,
}

/// `capacity N events, M keys, K runs or error`
#[derive(Default)]
#[cfg_attr(feature = "theory", derive(Clone))]
pub struct Capacity {
    /// `N events`
    pub events: Option<u64>,
    /// `M keys`
    pub keys: Option<u64>,
    /// `K runs`
    pub runs: Option<u64>,
    /// `or evict` instead of `or error`
    pub evict: bool,
}

/// `storage …`
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    /// Inside the machine.
    Inline,
    /// On the heap, allocated once.
    Boxed,
    /// In memory that the user gives.
    Borrowed,
}

/// What comes out.
#[cfg_attr(feature = "theory", derive(Clone))]
pub enum Output {
    /// `select x, y.price`
    Select(Vec<SelectItem>),
    /// `select none`
    SelectNone,
    /// `detect`
    Detect,
    /// `summarize { name: aggregate, … }`
    Summarize(Vec<Aggregate>),
}

/// `x` or `y.price`
#[cfg_attr(feature = "theory", derive(Clone))]
pub struct SelectItem {
    /// The variable.
    pub variable: Ident,
    /// Only this attribute of it.
    pub attribute: Option<Ident>,
}

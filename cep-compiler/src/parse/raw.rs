//! What the grammar reads, before precedence and the rules about missing parentheses: one level of parentheses is a flat list.
//!
//! The grammar is generous (any name, any order of clauses) because only the stage behind it, which sees the whole list, can say what
//! is wrong and what to write instead.
use super::{rust::Embedded, token::Group};
use crate::{
    ast::{Operator, PartitionKey, SelectItem, Skip},
    lex::Range,
};
use proc_macro2::{Ident, Literal};

/// A level: what stands between two parentheses, or an item's formula.
pub(super) struct Level<'s> {
    pub(super) first: Operand<'s>,
    pub(super) rest: Vec<Continuation<'s>>,
}

/// An element with what is bound tightest to it.
pub(super) struct Operand<'s> {
    /// The word `not` in front.
    pub(super) not: Option<Range>,
    pub(super) element: Element<'s>,
    pub(super) postfixes: Vec<(Postfix<'s>, Range)>,
    pub(super) range: Range,
}

pub(super) enum Element<'s> {
    Type(Ident),
    Group(Group<'s>),
    All(Range, Group<'s>),
    /// Reported already.
    Broken,
}

pub(super) enum Postfix<'s> {
    As(Ident),
    Optional,
    Plus(Operator),
    Star(Operator),
    Count(Operator, Group<'s>),
}

pub(super) enum Continuation<'s> {
    Sequence(Operator, Range, Operand<'s>),
    Or(Range, Operand<'s>),
    Suffix(Suffix<'s>),
    /// Tokens that continue nothing.
    Junk(Range),
}

pub(super) struct Suffix<'s> {
    pub(super) kind: SuffixKind<'s>,
    pub(super) word: Range,
    pub(super) range: Range,
}

pub(super) enum SuffixKind<'s> {
    Filter(Embedded<syn::Expr>),
    Aggregate(Ident, Group<'s>),
    Project(Ident, Group<'s>),
    Without(Operand<'s>),
    Select(Vec<Ident>),
    Within(Bound),
    /// Reported already.
    Broken,
}

/// `window Trip`, or amounts each with its unit.
pub(super) enum Bound {
    Window(Ident),
    Amounts(Vec<Amount>),
}

/// `-5 sec`, to be judged.
pub(super) struct Amount {
    pub(super) negative: bool,
    pub(super) number: Literal,
    pub(super) unit: Unit,
    pub(super) range: Range,
}

pub(super) enum Unit {
    Events { of_partition: bool },
    Of(Ident),
    Word(Ident),
    Missing,
}

/// A clause, whatever its place.
pub(super) struct Clause<'s> {
    pub(super) kind: ClauseKind<'s>,
    pub(super) range: Range,
}

pub(super) enum ClauseKind<'s> {
    Within(Bound),
    Partition {
        keys: Vec<PartitionKey>,
        /// How many there are that are none.
        wrong: usize,
    },
    Strategy(Ident),
    Skip(Skip),
    Consume(Ident),
    Limit(Literal),
    Timeouts,
    /// Each amount's unit is a word.
    Capacity(Vec<Amount>, Option<Ident>),
    Storage(Ident),
    Select(Vec<SelectItem>),
    Detect,
    Summarize(Group<'s>),
    Unknown(Ident),
    /// Reported already.
    Broken,
}

/// `pattern Name(…) on R = level clauses rest`
pub(super) struct Pattern<'s> {
    pub(super) name: Ident,
    pub(super) parameters: Option<Group<'s>>,
    pub(super) on: Option<Embedded<syn::Type>>,
    pub(super) equals: Option<Range>,
    /// Where `on` or `=` is missing, if it is.
    pub(super) head_end: Range,
    pub(super) level: Level<'s>,
    pub(super) clauses: Vec<Clause<'s>>,
    /// Tokens behind the clauses.
    pub(super) rest: Option<Range>,
}

/// An item's front and the item itself.
pub(super) struct Item<'s> {
    pub(super) attributes: Vec<Group<'s>>,
    pub(super) visibility: Option<Range>,
    pub(super) keyword: Range,
    pub(super) body: Body<'s>,
}

pub(super) enum Body<'s> {
    Pattern(Box<Pattern<'s>>),
    Window(Ident),
}

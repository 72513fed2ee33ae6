//! Conditions with their names resolved.
use crate::aggregate::Aggregate;
use crate::model::Ty;
use crate::number::V;

/// A variable by its number, at most 64 of them.
pub(crate) type Var = usize;

/// The event that an attribute is read from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    /// Each event of the variable in turn.
    Each(Var),
    /// `prev(b)`
    Prev(Var),
    /// `first(b)`
    First(Var),
    /// `last(b)`
    Last(Var),
}

impl Source {
    pub(crate) fn var(self) -> Var {
        match self {
            Source::Each(v) | Source::Prev(v) | Source::First(v) | Source::Last(v) => v,
        }
    }
}

/// An attribute: where each event type has it, and its type.
#[derive(Clone, Debug)]
pub(crate) struct Attr {
    pub(crate) index: Vec<Option<usize>>,
    /// Where each `agg` has it.
    pub(crate) made: Vec<Option<usize>>,
    pub(crate) ty: Ty,
}

/// `x.attr`
#[derive(Clone, Debug)]
pub(crate) struct Read {
    pub(crate) source: Source,
    pub(crate) attr: Attr,
}

/// A pattern of `matches!`.
#[derive(Clone, Debug)]
pub(crate) enum Pat {
    Any,
    Is(Expr),
    /// From, to, with the end.
    Within(Option<Expr>, Option<Expr>, bool),
}

/// An expression.
#[derive(Clone, Debug)]
pub(crate) enum Expr {
    /// A literal or a parameter.
    Value(V),
    /// The parameter of a closure.
    Local(String),
    Attr(Read),
    Position(Source),
    Time(Read),
    /// An aggregate, of a variable's events or of an attribute of them.
    Fold(Aggregate, Var, Option<Attr>),
    /// `x.attr.is_none()` and the like: the method, a default, a closure.
    Optional(Read, String, Option<Box<Expr>>, Option<(String, Box<Expr>)>),
    Unary(char, Box<Expr>),
    Binary(String, Box<Expr>, Box<Expr>),
    Cast(Box<Expr>, Option<Ty>),
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    Matches(Box<Expr>, Vec<Pat>),
    Method(String, Box<Expr>, Vec<Expr>),
}

impl Expr {
    /// Calls `f` on this expression and everything in it.
    pub(crate) fn walk(&self, f: &mut impl FnMut(&Expr)) {
        f(self);
        match self {
            Expr::Value(_) | Expr::Local(_) | Expr::Attr(_) | Expr::Position(_) | Expr::Time(_) => {}
            Expr::Fold(..) => {}
            Expr::Optional(_, _, d, c) => {
                if let Some(d) = d {
                    d.walk(f);
                }
                if let Some((_, c)) = c {
                    c.walk(f);
                }
            }
            Expr::Unary(_, a) | Expr::Cast(a, _) => a.walk(f),
            Expr::Binary(_, a, b) => {
                a.walk(f);
                b.walk(f);
            }
            Expr::If(a, b, c) => {
                a.walk(f);
                b.walk(f);
                c.walk(f);
            }
            Expr::Matches(a, _) => a.walk(f),
            Expr::Method(_, a, args) => {
                a.walk(f);
                args.iter().for_each(|x| x.walk(f));
            }
        }
    }
}

//! The fields of `agg` and of `summarize`.
use crate::code::{Piece, Scope, code};
use crate::diagnostic::Loc;
use proc_macro2::{Ident, TokenStream};

/// `total: sum(b.qty) saturating`
#[derive(Clone)]
pub struct Aggregate {
    /// The attribute that it becomes.
    pub name: Ident,
    /// `sum`, `count`, `max_some`, `fold` and so on, as written: the checks know which there are.
    pub function: Ident,
    /// The user's own monoid behind `fold`: the tokens of a type's path.
    pub monoid: Option<TokenStream>,
    /// What is folded.
    pub argument: Argument,
    /// Where the argument stands, its parentheses included.
    pub argument_loc: Loc,
    /// What happens where the value does not fit; `None`: the compiler has to prove that it does.
    pub overflow: Option<(Overflow, Loc)>,
    /// From the name to the end.
    pub loc: Loc,
}

/// What stands between the parentheses of an aggregate.
#[derive(Clone)]
pub enum Argument {
    /// `*`: the results themselves.
    Results,
    /// `x`: the events of a variable.
    Variable(Ident),
    /// `x.attr`: an attribute of them.
    Attribute {
        /// x
        variable: Ident,
        /// attr
        attribute: Ident,
    },
}

/// A choice about numbers that grow without a bound known to the compiler.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Overflow {
    /// `saturating`: the largest or smallest value stands for everything beyond it.
    Saturating,
    /// `wrapping`: modulo the width of the type.
    Wrapping,
    /// `as f64`: exact up to 2^53, rounded beyond.
    Float,
}

impl Aggregate {
    /// The call without the attribute's name, for messages and tests.
    #[must_use]
    pub fn call(&self) -> TokenStream {
        let (function, monoid) = (&self.function, &self.monoid);
        let _scope = Scope::open();
        let argument = match &self.argument {
            Argument::Results => code!([] *),
            Argument::Variable(x) => code!([| x] #x),
            Argument::Attribute { variable, attribute } => {
                code!([| variable, attribute] #variable.#attribute)
            }
        };
        let overflow = match self.overflow {
            None => Piece::EMPTY,
            Some((Overflow::Saturating, _)) => code!([] saturating),
            Some((Overflow::Wrapping, _)) => code!([] wrapping),
            Some((Overflow::Float, _)) => code!([] as f64),
        };
        code!([argument | function, monoid, overflow] #function #monoid(#argument) #overflow).tokens()
    }
}

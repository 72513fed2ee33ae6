//! The types of the folds' monoids.
use crate::code::{Piece, code};
use crate::hir::Function;
use proc_macro2::TokenStream;

/// The monoid of a function over values of type `value` that are all there; `own` is the user's, behind `fold`.
pub(super) fn of(function: Function, own: Option<&TokenStream>, value: Piece, p: Piece) -> Piece {
    match function {
        Function::Count => code!([p, value] #p::Count<#value>),
        Function::Sum => code!([p, value] #p::Sum<#value>),
        Function::Avg => code!([p, value] #p::Avg<#value>),
        Function::Product => code!([p, value] #p::Product<#value>),
        Function::Min => code!([p, value] #p::Min<#value>),
        Function::Max => code!([p, value] #p::Max<#value>),
        Function::Range => code!([p, value] #p::Range<#value>),
        Function::First => code!([p, value] #p::First<#value>),
        Function::Last => code!([p, value] #p::Last<#value>),
        Function::Var => code!([p, value] #p::Var<#value>),
        Function::Stddev => code!([p, value] #p::Stddev<#value>),
        Function::Any => code!([p] #p::Any),
        Function::Every => code!([p] #p::Every),
        Function::User => Piece::of(&own),
    }
}

/// The same where values may be NULL: passed over (`some`), or making the result NULL. `optional`: the plain monoid gives an `Option`.
pub(super) fn over_null(plain: Piece, some: bool, optional: bool, p: Piece) -> Piece {
    if some {
        code!([p, plain] #p::Skip<#plain>)
    } else if optional {
        code!([p, plain] #p::AbsorbFlat<#plain>)
    } else {
        code!([p, plain] #p::Absorb<#plain>)
    }
}

//! The types of the folds' monoids.
use crate::hir::Function;
use proc_macro2::TokenStream;
use quote::quote;

/// The monoid of a function over values of type `value` that are all there; `own` is the user's, behind `fold`.
pub(super) fn of(
    function: Function,
    own: Option<&TokenStream>,
    value: &TokenStream,
    p: &TokenStream,
) -> TokenStream {
    match function {
        Function::Count => quote!(#p::Count<#value>),
        Function::Sum => quote!(#p::Sum<#value>),
        Function::Avg => quote!(#p::Avg<#value>),
        Function::Product => quote!(#p::Product<#value>),
        Function::Min => quote!(#p::Min<#value>),
        Function::Max => quote!(#p::Max<#value>),
        Function::Range => quote!(#p::Range<#value>),
        Function::First => quote!(#p::First<#value>),
        Function::Last => quote!(#p::Last<#value>),
        Function::Var => quote!(#p::Var<#value>),
        Function::Stddev => quote!(#p::Stddev<#value>),
        Function::Any => quote!(#p::Any),
        Function::Every => quote!(#p::Every),
        Function::User => own.cloned().unwrap_or_default(),
    }
}

/// The same where values may be NULL: passed over (`some`), or making the result NULL. `optional`: the plain monoid gives an `Option`.
pub(super) fn over_null(plain: TokenStream, some: bool, optional: bool, p: &TokenStream) -> TokenStream {
    if some {
        quote!(#p::Skip<#plain>)
    } else if optional {
        quote!(#p::AbsorbFlat<#plain>)
    } else {
        quote!(#p::Absorb<#plain>)
    }
}

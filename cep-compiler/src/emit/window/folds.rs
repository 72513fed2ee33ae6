//! The folds of a window: their monoids, nested into one, and what comes out.
use super::{Field, Names, primitive};
use crate::emit::names::ours;
use crate::hir::window::{Fold, Function};
use crate::slices::{all, each, times};
use proc_macro2::TokenStream;
use quote::quote;

/// The monoid of one fold over values of type `value` (without `Option`).
pub(super) fn monoid(f: &Fold, value: &TokenStream, names: &Names) -> TokenStream {
    let p = &names.p;
    let plain = match f.function {
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
        Function::Own => {
            // a monoid over `Option` takes it as it is
            let own = f.monoid.clone().unwrap_or_default();
            return own;
        }
    };
    if !f.nullable {
        plain
    } else if f.some {
        quote!(#p::Skip<#plain>)
    } else if f.function.gives_option(&f.input) {
        quote!(#p::AbsorbFlat<#plain>)
    } else {
        quote!(#p::Absorb<#plain>)
    }
}

/// All of them as one monoid.
pub(super) fn nested(monoids: &[TokenStream], names: &Names) -> TokenStream {
    let p = &names.p;
    match monoids {
        [] => quote!(#p::Count<()>),
        [one] => one.clone(),
        [first, rest @ ..] => {
            let rest = nested(rest, names);
            quote!(#p::Pair<#first, #rest>)
        }
    }
}

/// The input of the nested monoid, from one expression for each.
pub(super) fn input(values: &[TokenStream]) -> TokenStream {
    match values {
        [] => quote!(()),
        [one] => one.clone(),
        [first, rest @ ..] => {
            let rest = input(rest);
            quote!((#first, #rest))
        }
    }
}

/// A pattern that binds the results of the nested monoid, and a local for each.
pub(super) fn results(n: usize) -> (TokenStream, Vec<proc_macro2::Ident>) {
    let locals = times(n, |i| ours(&format!("fold_{i}")));
    let each = each(&locals, |l| quote!(#l));
    (input(&each), locals)
}

/// A fold's value as the record shows it.
pub(super) fn shown(f: &Fold, result: &proc_macro2::Ident) -> TokenStream {
    let gives_option =
        f.function != Function::Own && (f.nullable && !f.some || f.function.gives_option(&f.input));
    if gives_option && !f.output_nullable {
        quote!(match #result {
            ::core::option::Option::Some(value) => value,
            ::core::option::Option::None => ::core::unreachable!("a window is never empty"),
        })
    } else {
        quote!(#result)
    }
}

/// The field that a fold becomes.
pub(super) fn field(f: &Fold, value: &TokenStream, names: &Names) -> Field {
    let p = &names.p;
    let ty = match (&f.output, f.function) {
        (_, Function::Own) => {
            let own = monoid(f, value, names);
            quote!(<#own as #p::Monoid>::Output)
        }
        (kind, _) => primitive(kind).unwrap_or_else(|| value.clone()),
    };
    let ty = if f.output_nullable { quote!(::core::option::Option<#ty>) } else { ty };
    let name = if f.function == Function::Own {
        f.monoid.as_ref().map_or_else(String::new, |m| format!("fold {}", crate::check::text(m)))
    } else {
        function_name(f)
    };
    Field {
        name: f.name.clone(),
        ty,
        doc: format!("`{name}`{}", if f.output_nullable { ", if it has a value." } else { "." }),
        kind: f.output.clone(),
        nullable: f.output_nullable,
        length: None,
        null_elements: false,
        time: None,
    }
}

/// As written.
pub(super) fn function_name(f: &Fold) -> String {
    let name = match f.function {
        Function::Count => "count",
        Function::Sum => "sum",
        Function::Avg => "avg",
        Function::Product => "product",
        Function::Min => "min",
        Function::Max => "max",
        Function::Range => "range",
        Function::First => "first",
        Function::Last => "last",
        Function::Var => "var",
        Function::Stddev => "stddev",
        Function::Any => "any",
        Function::Every => "every",
        Function::Own => "fold",
    };
    if f.some { format!("{name}_some") } else { name.into() }
}

/// Every one can take its oldest value back.
pub(super) fn all_have_inverses(folds: &[Fold]) -> bool {
    all(folds, |f| f.function.has_inverse(&f.input))
}

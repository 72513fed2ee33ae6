//! What the machine keeps of an event: an enum with a variant per event type, each a struct of attributes or the whole record.
use super::guards::kept_field;
use super::names::{Names, ours};
use super::rewrite::field;
use crate::hir::{Pattern, TypeId};
use crate::plan::{Kept, Plan};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

/// The types, to stand beside the machine (a field's type cannot be inside a `const _`).
pub(super) fn types(plan: &Plan, names: &Names) -> TokenStream {
    let kept = &names.kept;
    let (variants, structs): (Vec<Ident>, Vec<Ident>) =
        plan.kept.keys().map(|t| (Names::variant(*t), names.kept_type(*t))).unzip();
    let definitions = plan.kept.iter().map(|(t, k)| {
        let name = names.kept_type(*t);
        match k {
            Kept::Record => {
                let record = names.record(*t);
                quote!(#[doc(hidden)] #[derive(::core::clone::Clone, ::core::marker::Copy)] struct #name(#record);)
            }
            Kept::Attributes(all) => {
                let (fields, types): (Vec<_>, Vec<_>) =
                    all.iter().map(|a| (kept_field(*a), names.attribute(*t, *a))).unzip();
                quote!(#[doc(hidden)] #[derive(::core::clone::Clone, ::core::marker::Copy)] struct #name { #(#fields: #types),* })
            }
        }
    });
    quote! {
        #(#definitions)*
        #[doc(hidden)] #[derive(::core::clone::Clone, ::core::marker::Copy)]
        enum #kept { #(#variants(#structs)),* }
    }
}

/// The expression that keeps an event of type `ty`: an `Option`.
pub(super) fn keep(pattern: &Pattern, plan: &Plan, names: &Names, ty: TypeId, event: &Ident) -> TokenStream {
    let (p, kept, variant, name, of) =
        (&names.p, &names.kept, Names::variant(ty), names.kept_type(ty), names.event_type(ty));
    match plan.kept.get(&ty) {
        Some(Kept::Record) => {
            quote!(::core::option::Option::map(#of::record(#event), |record| #kept::#variant(#name(record))))
        }
        Some(Kept::Attributes(all)) if !all.is_empty() => {
            let view = ours("view");
            let from =
                all.iter().map(|a| field(&pattern.schema.types[ty.0].attributes[a.0], Span::call_site()));
            let to = all.iter().map(|a| kept_field(*a));
            quote!(::core::option::Option::map(#of::view(#event), |#view| #kept::#variant(#name { #(#to: #p::keep(#view.#from)),* })))
        }
        _ => quote!(::core::option::Option::Some(#kept::#variant(#name {}))),
    }
}

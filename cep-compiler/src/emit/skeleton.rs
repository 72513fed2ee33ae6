//! What stands for a machine whose pattern has an error: its name and the shape of its methods, so that the error does not breed
//! "cannot find type `FireRisk`" wherever it is used, and an editor goes on completing.
use crate::ast::{Output, Pattern, Storage};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// The skeleton of one pattern.
#[must_use]
pub fn skeleton(pattern: &Pattern, root: &TokenStream) -> TokenStream {
    let p = quote!(#root::__private);
    let (name, vis) = (&pattern.name, &pattern.visibility);
    let (parameters, types): (Vec<&Ident>, Vec<&syn::Type>) =
        pattern.parameters.iter().map(|p| (&p.name, &p.ty)).unzip();
    let output = match pattern.clauses.output.as_ref().map(|o| &o.value) {
        Some(Output::Detect) => quote!(::core::primitive::bool),
        _ => quote!(::core::iter::Empty<::core::convert::Infallible>),
    };
    let borrowed = pattern.clauses.storage.as_ref().is_some_and(|s| s.value == Storage::Borrowed);
    let rings =
        quote::format_ident!("{}Rings", name.to_string().trim_start_matches("r#"), span = name.span());
    let (lifetime, new, more) = if borrowed {
        let make = quote! {
            #vis fn over(_rings: &'rings mut #rings, #(#parameters: #types),*) -> Self { let _ = (#(#parameters,)*); Self(::core::marker::PhantomData) }
        };
        let more = quote! {
            #[doc(hidden)] #vis struct #rings;
            #[allow(dead_code)]
            impl #rings { #[doc(hidden)] #vis const fn new() -> Self { Self } }
        };
        (quote!(<'rings>), make, more)
    } else {
        let make = quote! {
            #vis const fn new(#(#parameters: #types),*) -> Self { let _ = (#(#parameters,)*); Self(::core::marker::PhantomData) }
        };
        (TokenStream::new(), make, TokenStream::new())
    };
    let inside = if borrowed { quote!(&'rings ()) } else { quote!(()) };
    quote! {
        #[doc(hidden)]
        #vis struct #name #lifetime(::core::marker::PhantomData<#inside>);
        #more
        #[allow(dead_code, unused_variables, non_local_definitions, clippy::all, clippy::pedantic)]
        const _: () = {
            impl #lifetime #name #lifetime {
                #[doc(hidden)] #new
                #[doc(hidden)] #vis fn push<Event>(&mut self, event: &Event) -> #output { ::core::unimplemented!("the pattern has an error") }
                #[doc(hidden)] #vis fn next_match(&mut self) -> ::core::option::Option<::core::convert::Infallible> { ::core::option::Option::None }
                #[doc(hidden)] #vis fn reset(&mut self) {}
                #[doc(hidden)] #vis fn position(&self) -> ::core::primitive::u64 { 0 }
                #[doc(hidden)] #vis fn stats(&self) -> #p::Stats { #p::Stats::NEW }
            }
        };
    }
}

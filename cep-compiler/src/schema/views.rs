//! What the derive emits for a type: its trait impls, a view and a record for each event type.
//!
//! Views are unnameable (in a `const _`) and hold every attribute by reference. Records stand beside the type, as visible as it is,
//! because a user names them; they hold what can outlive an event. That an attribute is `Copy` is asked in `where` clauses, at the
//! field's type: one error in our words for a wrong guess, instead of E0204 on the record and E0507 in the code that fills it.
use super::Kind;
use super::classify::{mentions, mentions_lifetime};
use super::definition::{Body, Definition, Field};
use crate::diagnostic::Loc;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{GenericParam, Generics, Lifetime, LifetimeParam, TypeParamBound, WhereClause, WherePredicate};

/// Everything but the schema macro.
pub(super) fn emit(d: &Definition) -> TokenStream {
    let root = &d.root;
    let runtime = quote!(#root::__private);
    let (name, types) = (&d.name, d.types.len());
    let (generics, arguments, clause) = d.generics.split_for_impl();
    let kind = if d.is_enum && types > 0 {
        let arms = d.types.iter().enumerate().map(|(number, t)| {
            let variant = &t.ident;
            quote!(#name::#variant { .. } => #number,)
        });
        quote!(match self { #(#arms)* })
    } else {
        quote!(0)
    };
    let mut hidden = quote! {
        impl #generics #runtime::Event for #name #arguments #clause {
            const NAME: &'static ::core::primitive::str = ::core::stringify!(#name);
            const TYPES: ::core::primitive::usize = #types;
            #[inline]
            fn kind(&self) -> ::core::primitive::usize { #kind }
        }
        impl #generics #runtime::Stream for #name #arguments #clause { type Event = Self; }
    };
    let mut records = TokenStream::new();
    for (number, t) in d.types.iter().enumerate() {
        match &t.body {
            Body::Fields { fields, record } => {
                let one = OneType { d, runtime: &runtime, number, variant: &t.ident, fields };
                let record = one.record(record);
                records.extend(record.beside);
                hidden.extend(record.hidden);
                hidden.extend(one.view());
                hidden.extend(one.event_type(&record.ty, &record.fill));
            }
            Body::Payload { ty, .. } => hidden.extend(payload(d, &runtime, number, &t.ident, ty)),
        }
    }
    quote! {
        #records
        #[allow(
            missing_docs, missing_debug_implementations, non_local_definitions, trivial_bounds, unreachable_patterns, unreachable_pub,
            private_interfaces, private_bounds, dead_code, deprecated, single_use_lifetimes, unused_qualifications, unused_lifetimes,
            clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction
        )]
        const _: () = { #hidden };
    }
}

/// An event type that a struct or a variant with its own fields is.
struct OneType<'a> {
    d: &'a Definition,
    runtime: &'a TokenStream,
    number: usize,
    variant: &'a Ident,
    fields: &'a [Field],
}

/// What there is about a record.
struct Record {
    /// Its definition, if it has one.
    beside: TokenStream,
    /// Its impls.
    hidden: TokenStream,
    /// Its type with arguments.
    ty: TokenStream,
    /// The expression that makes one, from the bindings of its fields.
    fill: TokenStream,
}

impl OneType<'_> {
    fn kept(&self) -> impl Iterator<Item = (usize, &Field)> {
        self.fields.iter().enumerate().filter(|f| f.1.attribute.kept)
    }

    /// The local that a field is bound to: hygienic, so no name of the user's is in its way.
    fn local(number: usize) -> Ident {
        format_ident!("f{number}", span = Span::mixed_site())
    }

    /// A pattern that binds some fields.
    fn pattern<'a>(&self, fields: impl Iterator<Item = (usize, &'a Field)>) -> TokenStream {
        let (name, variant) = (&self.d.name, self.variant);
        let path = if self.d.is_enum { quote!(#name::#variant) } else { quote!(#name) };
        let bind = fields.map(|(number, f)| {
            let (field, local) = (&f.attribute.field, Self::local(number));
            quote!(#field: #local,)
        });
        quote!(#path { #(#bind)* .. })
    }

    fn view_name(&self) -> Ident {
        format_ident!("View{}", self.number)
    }

    fn view(&self) -> TokenStream {
        let (view, name) = (self.view_name(), &self.d.name);
        let with = with_lifetime(&self.d.generics);
        let (generics, arguments, clause) = with.split_for_impl();
        let (_, own, _) = self.d.generics.split_for_impl();
        let fields = self.fields.iter().map(|f| {
            let (field, ty) = (&f.attribute.field, &f.ty);
            quote!(pub #field: &'__cep #ty,)
        });
        quote! {
            pub struct #view #generics #clause {
                #(#fields)*
                pub __cep: ::core::marker::PhantomData<&'__cep #name #own>,
            }
            // by hand: a derive would ask for `T: Copy`
            impl #generics ::core::clone::Clone for #view #arguments #clause {
                #[inline]
                fn clone(&self) -> Self { *self }
            }
            impl #generics ::core::marker::Copy for #view #arguments #clause {}
        }
    }

    fn event_type(&self, record: &TokenStream, fill: &TokenStream) -> TokenStream {
        let OneType { d, runtime, number, .. } = self;
        let (view, name) = (self.view_name(), &d.name);
        let with = with_lifetime(&d.generics);
        let (_, view_arguments, _) = with.split_for_impl();
        let (generics, arguments, clause) = d.generics.split_for_impl();
        let mut asked = self.asked();
        if d.whole {
            asked.push(bound(name, &quote!(#name #arguments), runtime, "Fixed"));
        }
        let clause = extended(clause, &asked);
        let (all, kept) = (self.pattern(self.fields.iter().enumerate()), self.pattern(self.kept()));
        let kept = if d.whole { quote!(_) } else { kept };
        let fields = self.fields.iter().enumerate().map(|(number, f)| {
            let (field, local) = (&f.attribute.field, Self::local(number));
            quote!(#field: #local,)
        });
        quote! {
            impl #generics #runtime::EventType<#number> for #name #arguments #clause {
                type View<'__cep> = #view #view_arguments where Self: '__cep;
                type Record = #record;
                #[inline]
                fn view(&self) -> ::core::option::Option<Self::View<'_>> {
                    match self {
                        #all => ::core::option::Option::Some(#view { #(#fields)* __cep: ::core::marker::PhantomData }),
                        _ => ::core::option::Option::None,
                    }
                }
                #[inline]
                fn record(&self) -> ::core::option::Option<#record> {
                    match self {
                        #kept => ::core::option::Option::Some(#fill),
                        _ => ::core::option::Option::None,
                    }
                }
            }
        }
    }

    /// The bounds that keeping the attributes needs, where their spelling does not tell.
    fn asked(&self) -> Vec<TokenStream> {
        let mut asked = Vec::new();
        for (_, f) in self.kept() {
            let a = &f.attribute;
            let opaque = matches!(a.kind, Kind::Opaque | Kind::Text | Kind::String);
            let bounds = [(!a.key && !a.ord && opaque, "Fixed"), (a.key, "FixedKey"), (a.ord, "FixedOrd")];
            for (_, word) in bounds.iter().filter(|b| b.0) {
                asked.push(bound(&f.ty, &f.ty, self.runtime, word));
            }
        }
        asked
    }

    fn record(&self, record: &Ident) -> Record {
        let OneType { d, runtime, .. } = self;
        let whole = d.whole;
        let narrow = if whole { d.generics.clone() } else { self.narrow() };
        let (generics, arguments, own_clause) = narrow.split_for_impl();
        let record = if whole { &d.name } else { record };
        let ty = quote!(#record #arguments);
        let clause = extended(own_clause, &self.asked());
        let mut hidden: TokenStream = self
            .kept()
            .map(|(number, f)| {
                let (field, ty) = (&f.attribute.field, &f.ty);
                // here rustc reports a type that is more private than the record
                let named = quote_spanned!(Loc::of(ty).first=> type Type = #ty;);
                quote! {
                    impl #generics #runtime::Attr<#number> for #record #arguments #clause {
                        #named
                        #[inline]
                        fn get(&self) -> &#ty { &self.#field }
                    }
                }
            })
            .collect();
        if whole {
            return Record { beside: TokenStream::new(), hidden, ty, fill: quote!(*self) };
        }
        hidden.extend(quote! {
            impl #generics ::core::clone::Clone for #record #arguments #clause {
                #[inline]
                fn clone(&self) -> Self { *self }
            }
            impl #generics ::core::marker::Copy for #record #arguments #clause {}
        });
        let known = self.kept().all(|(_, f)| f.attribute.kind != Kind::Opaque);
        let derive = known.then(|| quote!(#[derive(::core::fmt::Debug, ::core::cmp::PartialEq)]));
        let doc = format!("What is kept of a `{}`.", self.variant);
        let visibility = &d.visibility;
        let (mut fields, mut fill) = (TokenStream::new(), TokenStream::new());
        for (number, f) in self.kept() {
            let (field, ty, visibility, docs) = (&f.attribute.field, &f.ty, &f.visibility, &f.docs);
            let doc = docs.is_empty().then(|| {
                let doc = format!("`{field}`");
                quote!(#[doc = #doc])
            });
            fields.extend(quote!(#doc #(#docs)* #visibility #field: #ty,));
            let local = Self::local(number);
            fill.extend(quote!(#field: #runtime::keep(#local),));
        }
        let beside = quote! {
            #[doc = #doc]
            #derive
            #[allow(
                dead_code, deprecated, missing_copy_implementations, missing_debug_implementations, private_interfaces,
                unreachable_pub, unused_qualifications, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction
            )]
            #visibility struct #record #generics #own_clause { #fields }
        };
        Record { beside, hidden, ty, fill: quote!(#record { #fill }) }
    }

    /// The parameters that the kept attributes mention, without the bounds that mention others.
    fn narrow(&self) -> Generics {
        let all = &self.d.generics;
        let (used, others): (Vec<_>, Vec<_>) = all.params.iter().partition(|p| match p {
            GenericParam::Lifetime(_) => false,
            GenericParam::Type(t) => self.kept().any(|(_, f)| mentions(&f.ty, &t.ident)),
            GenericParam::Const(c) => self.kept().any(|(_, f)| mentions(&f.ty, &c.ident)),
        });
        let foreign = |syntax: &TokenStream| {
            others.iter().any(|p| match p {
                GenericParam::Lifetime(l) => mentions_lifetime(syntax, &l.lifetime.ident),
                GenericParam::Type(t) => mentions(syntax, &t.ident),
                GenericParam::Const(c) => mentions(syntax, &c.ident),
            })
        };
        let mut narrow = Generics::default();
        for p in used {
            let mut p = p.clone();
            if let GenericParam::Type(t) = &mut p {
                t.bounds = t.bounds.iter().filter(|b: &&TypeParamBound| !foreign(&b.to_token_stream())).cloned().collect();
            }
            narrow.params.push(p);
        }
        if !narrow.params.is_empty()
            && let Some(clause) = &all.where_clause
        {
            let mut clause = clause.clone();
            clause.predicates =
                clause.predicates.iter().filter(|p: &&WherePredicate| !foreign(&p.to_token_stream())).cloned().collect();
            narrow.where_clause = Some(clause);
        }
        narrow
    }
}

/// A variant that holds a struct has that struct's view and record. `Box`, `Rc`, `Arc` and `&` deref by themselves in a call's argument.
fn payload(d: &Definition, runtime: &TokenStream, number: usize, variant: &Ident, ty: &syn::Type) -> TokenStream {
    let name = &d.name;
    let (generics, arguments, clause) = d.generics.split_for_impl();
    let clause = extended(clause, &[bound(ty, ty, runtime, "EventType<0>")]);
    let held = OneType::local(0);
    quote! {
        impl #generics #runtime::EventType<#number> for #name #arguments #clause {
            type View<'__cep> = <#ty as #runtime::EventType<0>>::View<'__cep> where Self: '__cep;
            type Record = <#ty as #runtime::EventType<0>>::Record;
            #[inline]
            fn view(&self) -> ::core::option::Option<Self::View<'_>> {
                match self {
                    #name::#variant(#held) => <#ty as #runtime::EventType<0>>::view(#held),
                    _ => ::core::option::Option::None,
                }
            }
            #[inline]
            fn record(&self) -> ::core::option::Option<Self::Record> {
                match self {
                    #name::#variant(#held) => <#ty as #runtime::EventType<0>>::record(#held),
                    _ => ::core::option::Option::None,
                }
            }
        }
    }
}

/// With `'__cep` in front: the lifetime of a view.
fn with_lifetime(generics: &Generics) -> Generics {
    let mut generics = generics.clone();
    let lifetime = Lifetime::new("'__cep", Span::mixed_site());
    generics.params.insert(0, GenericParam::Lifetime(LifetimeParam::new(lifetime)));
    generics
}

/// `ty: runtime::Trait`, all of it at the place of `at`, where rustc then points.
fn bound(at: &impl ToTokens, ty: &impl ToTokens, runtime: &TokenStream, word: &str) -> TokenStream {
    let loc = Loc::of(at);
    let to = |t: TokenTree, place: Span| {
        let mut t = t;
        t.set_span(t.span().located_at(place));
        t
    };
    let path: TokenStream = runtime.clone().into_iter().map(|t| to(t, loc.first)).collect();
    let name: TokenStream = word.parse::<TokenStream>().into_iter().flatten().map(|t| to(t, loc.last)).collect();
    let colons = quote_spanned!(Span::mixed_site().located_at(loc.first)=> ::);
    quote!(#ty: #path #colons #name)
}

/// The `where` clause with more bounds.
fn extended(clause: Option<&WhereClause>, more: &[TokenStream]) -> TokenStream {
    let own = clause.into_iter().flat_map(|c| c.predicates.iter().map(ToTokens::to_token_stream));
    let all: Vec<TokenStream> = own.chain(more.iter().cloned()).collect();
    if all.is_empty() { TokenStream::new() } else { quote!(where #(#all),*) }
}

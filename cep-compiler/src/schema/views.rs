//! What the derive emits for a type: its trait impls, a view and a record for each event type.
//!
//! Views are unnameable (in a `const _`) and hold every attribute by reference. Records stand beside the type, as visible as it is,
//! because a user names them; they hold what can outlive an event. That an attribute is `Copy` is asked in `where` clauses, at the
//! field's type, which saves the reader E0204 on the record and E0507 in the code that fills it. rustc reports such a clause by the bare
//! trait that is missing; the words of `Fixed` come from a call beside it.
use super::definition::{Body, Definition, Field};
use crate::code::{Hole, Piece, code};
use crate::diagnostic::Loc;
use crate::slices::{each, each_indexed};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote_spanned};
use syn::{GenericParam, Generics, Lifetime, LifetimeParam, Type, WhereClause};

/// Everything but the schema macro.
pub(super) fn emit(d: &Definition) -> Piece {
    let root = &d.root;
    let runtime = code!([| root] #root::__private);
    let (name, types) = (&d.name, d.types.len());
    let (generics, arguments, clause) = d.generics.split_for_impl();
    let kind = if d.is_enum && types > 0 {
        let arms = each_indexed(&d.types, |number, t| {
            let variant = &t.ident;
            code!([| number, variant, name] #name::#variant { .. } => #number,)
        });
        code!([; arms] match self { #(#arms)* })
    } else {
        code!([] 0)
    };
    let mut hidden = code! { [runtime, kind | types, clause, arguments, name, generics]
        impl #generics #runtime::Event for #name #arguments #clause {
            const NAME: &'static ::core::primitive::str = ::core::stringify!(#name);
            const TYPES: ::core::primitive::usize = #types;
            #[inline]
            fn kind(&self) -> ::core::primitive::usize { #kind }
        }
        impl #generics #runtime::Stream for #name #arguments #clause { type Event = Self; }
    };
    let mut records = Piece::EMPTY;
    for (number, t) in d.types.iter().enumerate() {
        match &t.body {
            Body::Fields { fields, record } => {
                let one = OneType { d, runtime: &runtime, number, variant: &t.ident, fields };
                let record = one.record(record);
                records.extend(record.beside);
                hidden.extend(record.hidden);
                hidden.extend(one.view());
                hidden.extend(one.event_type(record.ty, record.fill));
                hidden.extend(one.checks());
            }
            Body::Payload { ty, .. } => hidden.extend(payload(d, runtime, number, &t.ident, ty)),
        }
    }
    code! { [records, hidden]
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
pub(super) struct OneType<'a> {
    pub(super) d: &'a Definition,
    pub(super) runtime: &'a Piece,
    pub(super) number: usize,
    pub(super) variant: &'a Ident,
    pub(super) fields: &'a [Field],
}

impl OneType<'_> {
    /// The attributes that are kept, each with its number.
    pub(super) fn kept(&self) -> Vec<(usize, &Field)> {
        let mut kept = Vec::new();
        for &(number, f) in &self.all() {
            if f.attribute.kept {
                kept.push((number, f));
            }
        }
        kept
    }

    fn all(&self) -> Vec<(usize, &Field)> {
        each_indexed(self.fields, |number, f| (number, f))
    }

    /// The local that a field is bound to: hygienic, so no name of the user's is in its way.
    pub(super) fn local(number: usize) -> Ident {
        format_ident!("f{number}", span = Span::mixed_site())
    }

    /// A pattern that binds some fields.
    fn pattern(&self, fields: &[(usize, &Field)]) -> Piece {
        let (name, variant) = (&self.d.name, self.variant);
        let path = if self.d.is_enum { code!([| variant, name] #name::#variant) } else { Piece::of(&name) };
        let bind = filled(fields);
        code!([path, bind] #path { #bind .. })
    }

    fn view_name(&self) -> Ident {
        format_ident!("View{}", self.number)
    }

    fn view(&self) -> Piece {
        let (view, name) = (self.view_name(), &self.d.name);
        let with = with_lifetime(&self.d.generics);
        let (generics, arguments, clause) = with.split_for_impl();
        let (_, own, _) = self.d.generics.split_for_impl();
        let fields = each(self.fields, |f| {
            let (field, ty) = (&f.attribute.field, &f.ty);
            code!([| ty, field] pub #field: &'__cep #ty,)
        });
        code! { [| arguments, own, name, clause, generics, view; fields]
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

    fn event_type(&self, record: Piece, fill: Piece) -> Piece {
        let OneType { d, runtime, number, .. } = self;
        let (view, name) = (self.view_name(), &d.name);
        let with = with_lifetime(&d.generics);
        let (_, view_arguments, _) = with.split_for_impl();
        let (generics, arguments, clause) = d.generics.split_for_impl();
        let mut asked = self.asked();
        if d.whole {
            asked.push(bound(name, &code!([| arguments, name] #name #arguments), **runtime, "Fixed"));
        }
        let clause = extended(clause, &asked);
        let (all, kept) = (self.pattern(&self.all()), self.pattern(&self.kept()));
        let kept = if d.whole { code!([] _) } else { kept };
        let fields = filled(&self.all());
        code! { [clause, record, all, fields, kept, fill | view_arguments, view, arguments, name, number, runtime, generics]
            impl #generics #runtime::EventType<#number> for #name #arguments #clause {
                type View<'__cep> = #view #view_arguments where Self: '__cep;
                type Record = #record;
                #[inline]
                fn view(&self) -> ::core::option::Option<<Self as #runtime::EventType<#number>>::View<'_>> {
                    match self {
                        #all => ::core::option::Option::Some(#view { #fields __cep: ::core::marker::PhantomData }),
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
}

/// `field: local,` for each.
fn filled(fields: &[(usize, &Field)]) -> Piece {
    let mut out = Piece::EMPTY;
    for (number, f) in fields {
        let (field, local) = (&f.attribute.field, OneType::local(*number));
        out.extend(code!([| local, field] #field: #local,));
    }
    out
}

/// A variant that holds a struct has that struct's view and record. `Box`, `Rc`, `Arc` and `&` deref by themselves in a call's argument.
fn payload(d: &Definition, runtime: Piece, number: usize, variant: &Ident, ty: &Type) -> Piece {
    let name = &d.name;
    let (generics, arguments, clause) = d.generics.split_for_impl();
    let clause = extended(clause, &[bound(ty, ty, runtime, "EventType<0>")]);
    let held = OneType::local(0);
    code! { [runtime, clause | held, variant, ty, arguments, name, number, generics]
        impl #generics #runtime::EventType<#number> for #name #arguments #clause {
            type View<'__cep> = <#ty as #runtime::EventType<0>>::View<'__cep> where Self: '__cep;
            type Record = <#ty as #runtime::EventType<0>>::Record;
            #[inline]
            fn view(&self) -> ::core::option::Option<<Self as #runtime::EventType<#number>>::View<'_>> {
                match self {
                    #name::#variant(#held) => <#ty as #runtime::EventType<0>>::view(#held),
                    _ => ::core::option::Option::None,
                }
            }
            #[inline]
            fn record(&self) -> ::core::option::Option<<Self as #runtime::EventType<#number>>::Record> {
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
pub(super) fn bound(at: &dyn ToTokens, ty: &dyn Hole, runtime: Piece, word: &str) -> Piece {
    let loc = Loc::of(at);
    let path = placed(runtime.tokens(), loc.first);
    let name = placed(word.parse().unwrap_or_default(), loc.last);
    let colons = quote_spanned!(Span::mixed_site().located_at(loc.first)=> ::);
    code!([path, name | colons, ty] #ty: #path #colons #name)
}

/// The tokens at another place, where an error then points.
fn placed(tokens: TokenStream, place: Span) -> Piece {
    let mut out = Piece::EMPTY;
    for mut t in tokens {
        t.set_span(t.span().located_at(place));
        out.extend(Piece::of(&t));
    }
    out
}

/// The `where` clause with more bounds.
pub(super) fn extended(clause: Option<&WhereClause>, more: &[Piece]) -> Piece {
    let mut all: Vec<Piece> = Vec::new();
    if let Some(clause) = clause {
        for predicate in &clause.predicates {
            all.push(Piece::of(predicate));
        }
    }
    all.extend_from_slice(more);
    if all.is_empty() { Piece::EMPTY } else { code!([; all] where #(#all),*) }
}

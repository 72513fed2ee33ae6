//! What the derive emits for a type: its trait impls, a view and a record for each event type.
//!
//! Views are unnameable (in a `const _`) and hold every attribute by reference. Records stand beside the type, as visible as it is,
//! because a user names them; they hold what can outlive an event. That an attribute is `Copy` is asked in `where` clauses, at the
//! field's type, which saves the reader E0204 on the record and E0507 in the code that fills it. rustc reports such a clause by the bare
//! trait that is missing; the words of `Fixed` come from a call beside it.
use super::definition::{Body, Definition, Field};
use crate::code::{Piece, Pieces, code, pieces, pieces_of};
use crate::diagnostic::Loc;
use crate::slices::each_indexed;
use crate::syntax::{made, trees};
use proc_macro2::{Ident, Span};
use syn::{Generics, Type};

/// Everything but the schema macro.
pub(super) fn emit(d: &Definition<'_>) -> Piece {
    let root = &d.root;
    let runtime = code!([| root] #root::__private);
    let (name, types) = (Piece::of(d.name), d.types.len());
    let parameters = Parameters::of(d.generics);
    let clause = parameters.clause(&[]);
    let Parameters { generics, arguments, .. } = parameters;
    let mut kind = code!([] 0);
    if d.is_enum && types > 0 {
        let mut arms = Piece::EMPTY;
        for (number, t) in d.types.iter().enumerate() {
            let variant = t.ident;
            arms.extend(code!([name | variant, number] #name::#variant { .. } => #number,));
        }
        kind = code!([arms] match self { #arms });
    }
    let mut hidden = code! { [generics, runtime, name, arguments, clause, kind | types]
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
        let variant = t.ident;
        match &t.body {
            Body::Fields { fields, record } => {
                let one = OneType { d, runtime, number, variant, fields, parameters: &parameters };
                let record = one.record(record);
                records.extend(record.beside);
                hidden.extend(record.hidden);
                hidden.extend(one.view());
                hidden.extend(one.event_type(record.ty, record.fill));
                hidden.extend(one.checks());
            }
            Body::Payload { ty, .. } => {
                hidden.extend(payload(d, runtime, number, variant, ty, &parameters));
            }
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

/// The parameters of a type, as an impl of it writes them.
pub(super) struct Parameters {
    /// `<'a, T: Bound>`
    pub(super) generics: Piece,
    /// `<'a, T>`
    pub(super) arguments: Piece,
    /// What stands in the `where` clause.
    pub(super) predicates: Pieces,
}

impl Parameters {
    fn of(generics: &Generics) -> Parameters {
        let predicates = Pieces::new();
        if let Some(clause) = &generics.where_clause {
            for i in 0..clause.predicates.len() {
                predicates.add(Piece::of(&clause.predicates[i]));
            }
        }
        let (generics, arguments, _) = generics.split_for_impl();
        Parameters { generics: Piece::of(&generics), arguments: Piece::of(&arguments), predicates }
    }

    /// The `where` clause with more bounds.
    pub(super) fn clause(&self, more: &[Piece]) -> Piece {
        let all = Pieces::new();
        for i in 0..self.predicates.len() {
            all.add(self.predicates.get(i));
        }
        for bound in more {
            all.add(*bound);
        }
        if all.is_empty() { Piece::EMPTY } else { code!([; all] where #(#all),*) }
    }
}

/// An event type that a struct or a variant with its own fields is.
pub(super) struct OneType<'a> {
    pub(super) d: &'a Definition<'a>,
    pub(super) runtime: Piece,
    pub(super) number: usize,
    pub(super) variant: &'a Ident,
    pub(super) fields: &'a [Field<'a>],
    pub(super) parameters: &'a Parameters,
}

impl OneType<'_> {
    /// The attributes that are kept, each with its number.
    pub(super) fn kept(&self) -> Vec<(usize, &Field<'_>)> {
        let mut kept = Vec::new();
        for &(number, f) in &self.all() {
            if f.attribute.kept {
                kept.push((number, f));
            }
        }
        kept
    }

    fn all(&self) -> Vec<(usize, &Field<'_>)> {
        each_indexed(self.fields, |number, f| (number, f))
    }

    /// The local that a field is bound to: hygienic, so no name of the user's is in its way.
    pub(super) fn local(number: usize) -> Piece {
        Piece::of(&made(format_args!("f{number}"), Span::mixed_site()))
    }

    /// A pattern that binds some fields.
    fn pattern(&self, fields: &[(usize, &Field<'_>)]) -> Piece {
        let (name, variant, bind) = (Piece::of(self.d.name), self.variant, filled(fields));
        if self.d.is_enum {
            code!([name, bind | variant] #name::#variant { #bind .. })
        } else {
            code!([name, bind] #name { #bind .. })
        }
    }

    fn view_name(&self) -> Piece {
        Piece::of(&made(format_args!("View{}", self.number), Span::call_site()))
    }

    fn view(&self) -> Piece {
        let (view, name) = (self.view_name(), Piece::of(self.d.name));
        let Parameters { generics, arguments: own, .. } = *self.parameters;
        let (generics, arguments) = (with_lifetime(generics), with_lifetime(own));
        let clause = self.parameters.clause(&[]);
        let fields = pieces(self.fields, |f| {
            let (field, ty) = (&f.attribute.field, &f.ty);
            code!([| field, ty] pub #field: &'__cep #ty,)
        });
        code! { [view, generics, clause, name, own, arguments; fields]
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
        let OneType { d, runtime, number, parameters, .. } = *self;
        let (view, name) = (self.view_name(), Piece::of(d.name));
        let Parameters { generics, arguments, .. } = *parameters;
        let view_arguments = with_lifetime(arguments);
        let mut asked = self.asked();
        if d.whole {
            asked.push(bound(Loc::of(d.name), code!([name, arguments] #name #arguments), runtime, "Fixed"));
        }
        let clause = parameters.clause(&asked);
        let all = self.pattern(&self.all());
        let kept = if d.whole { code!([] _) } else { self.pattern(&self.kept()) };
        let fields = filled(&self.all());
        code! { [generics, runtime, name, arguments, clause, view, view_arguments, record, all, fields, kept, fill | number]
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
fn filled(fields: &[(usize, &Field<'_>)]) -> Piece {
    let mut out = Piece::EMPTY;
    for (number, f) in fields {
        let (field, local) = (&f.attribute.field, OneType::local(*number));
        out.extend(code!([local | field] #field: #local,));
    }
    out
}

/// A variant that holds a struct has that struct's view and record. `Box`, `Rc`, `Arc` and `&` deref by themselves in a call's argument.
fn payload(
    d: &Definition<'_>,
    runtime: Piece,
    number: usize,
    variant: &Ident,
    ty: &Type,
    parameters: &Parameters,
) -> Piece {
    let Parameters { generics, arguments, .. } = *parameters;
    let (name, at, ty) = (Piece::of(d.name), Loc::of(ty), Piece::of(ty));
    let clause = parameters.clause(&[bound(at, ty, runtime, "EventType<0>")]);
    let held = OneType::local(0);
    code! { [generics, runtime, name, arguments, clause, ty, held | number, variant]
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

/// Parameters or arguments with `'__cep` in front: the lifetime of a view.
fn with_lifetime(list: Piece) -> Piece {
    match trees(list.tokens()).as_slice() {
        [_, rest @ ..] => {
            let rest = pieces_of(rest);
            code!([; rest] <'__cep, #(#rest)*)
        }
        [] => code!([] <'__cep>),
    }
}

/// `ty: runtime::Trait`, all but the type at a place, where rustc then points.
pub(super) fn bound(at: Loc, ty: Piece, runtime: Piece, word: &str) -> Piece {
    let path = placed(runtime, at.first);
    let name = Piece::words(word).at(Span::call_site().located_at(at.last));
    let colons = code!([] ::).at(Span::mixed_site().located_at(at.first));
    code!([ty, path, colons, name] #ty: #path #colons #name)
}

/// The tokens at another place, where an error then points.
fn placed(tokens: Piece, place: Span) -> Piece {
    let mut out = Piece::EMPTY;
    for mut t in tokens.tokens() {
        t.set_span(t.span().located_at(place));
        out.extend(Piece::of(&t));
    }
    out
}

//! What is kept of an event type: the record, and the proof that it can be.
use super::Kind;
use super::classify::{mentions, mentions_lifetime, option};
use super::definition::Field;
use super::views::{OneType, bound, extended};
use crate::code::{Piece, code};
use crate::diagnostic::Loc;
use crate::slices::{all, any};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::{GenericParam, Generics, Type};

/// What there is about a record.
pub(super) struct Record {
    /// Its definition, if it has one.
    pub(super) beside: Piece,
    /// Its impls.
    pub(super) hidden: Piece,
    /// Its type with arguments.
    pub(super) ty: Piece,
    /// The expression that makes one, from the bindings of its fields.
    pub(super) fill: Piece,
}

impl OneType<'_> {
    /// The bounds that keeping the attributes needs, where their spelling does not tell.
    fn needs(&self) -> Vec<(&Field, &'static str)> {
        let mut needs = Vec::new();
        for &(_, f) in &self.kept() {
            let a = &f.attribute;
            if !a.key && !a.ord && matches!(a.kind, Kind::Opaque | Kind::Text | Kind::String) {
                needs.push((f, "Fixed"));
            }
            if a.key {
                needs.push((f, "FixedKey"));
            }
            if a.ord {
                needs.push((f, "FixedOrd"));
            }
        }
        needs
    }

    /// The bounds as `where` clauses. That a key can be hashed is the calls' business, where there is one.
    pub(super) fn asked(&self) -> Vec<Piece> {
        let mut asked: Vec<Piece> = Vec::new();
        for &(f, word) in &self.needs() {
            let word = if self.generic(&f.ty) { word } else { "Fixed" };
            let bound = bound(&f.ty, &f.ty, *self.runtime, word);
            if asked.last().is_none_or(|last| last.tokens().to_string() != bound.tokens().to_string()) {
                asked.push(bound);
            }
        }
        asked
    }

    /// Does the type mention a type or const parameter?
    fn generic(&self, ty: &Type) -> bool {
        for p in &self.d.generics.params {
            let mentioned = match p {
                GenericParam::Lifetime(_) => false,
                GenericParam::Type(t) => mentions(ty, &t.ident),
                GenericParam::Const(c) => mentions(ty, &c.ident),
            };
            if mentioned {
                return true;
            }
        }
        false
    }

    /// The same bounds as calls; where a type parameter is involved, the call cannot stand alone.
    pub(super) fn checks(&self) -> Piece {
        let runtime = self.runtime;
        let (_, own, _) = self.d.generics.split_for_impl();
        let own = own.to_token_stream();
        let call = |at: Span, ty: &dyn ToTokens, word: &str| {
            let word = Ident::new(word, Span::mixed_site());
            quote_spanned! {at=>
                const _: fn() = || { fn kept<T: #runtime::#word>() {} kept::<#ty>() };
            }
        };
        let mut calls = Piece::EMPTY;
        for &(f, word) in &self.needs() {
            if !self.generic(&f.ty) {
                let ty = option(&f.ty).unwrap_or(&f.ty);
                calls.extend(Piece::of(&call(Loc::of(ty).first, ty, word)));
            }
        }
        if self.d.whole && own.is_empty() {
            calls.extend(Piece::of(&call(self.d.name.span(), &self.d.name, "Fixed")));
        }
        calls
    }

    pub(super) fn record(&self, record: &Ident) -> Record {
        let OneType { d, runtime, .. } = self;
        let whole = d.whole;
        let narrow = if whole { d.generics.clone() } else { self.narrow() };
        let (generics, arguments, own_clause) = narrow.split_for_impl();
        let record = if whole { &d.name } else { record };
        let ty = code!([| arguments, record] #record #arguments);
        let clause = extended(own_clause, &self.asked());
        let kept = self.kept();
        let mut hidden = Piece::EMPTY;
        for (number, f) in &kept {
            let (field, ty) = (&f.attribute.field, &f.ty);
            // here rustc reports a type that is more private than the record
            let named = quote_spanned!(Loc::of(ty).first=> type Type = #ty;);
            hidden.extend(code! { [clause | field, ty, named, arguments, record, number, runtime, generics]
                impl #generics #runtime::Attr<#number> for #record #arguments #clause {
                    #named
                    #[inline]
                    fn get(&self) -> &#ty { &self.#field }
                }
            });
        }
        if whole {
            return Record { beside: Piece::EMPTY, hidden, ty, fill: code!([] * self) };
        }
        hidden.extend(code! { [clause | arguments, record, generics]
            impl #generics ::core::clone::Clone for #record #arguments #clause {
                #[inline]
                fn clone(&self) -> Self { *self }
            }
            impl #generics ::core::marker::Copy for #record #arguments #clause {}
        });
        let known = all(&kept, |(_, f)| f.attribute.kind != Kind::Opaque);
        let derive = known.then(|| code!([] #[derive(::core::fmt::Debug, ::core::cmp::PartialEq)]));
        let doc = format!("What is kept of a `{}`.", self.variant);
        let visibility = &d.visibility;
        let (mut fields, mut fill) = (Piece::EMPTY, Piece::EMPTY);
        for &(number, f) in &kept {
            let (field, ty, visibility, docs) = (&f.attribute.field, &f.ty, &f.visibility, &f.docs);
            let doc = docs.is_empty().then(|| {
                let doc = format!("`{field}`");
                code!([| doc] #[doc = #doc])
            });
            fields
                .extend(code!([| ty, field, visibility, doc; docs] #doc #(#docs)* #visibility #field: #ty,));
            let local = Self::local(number);
            fill.extend(code!([| local, runtime, field] #field: #runtime::keep(#local),));
        }
        let beside = code! { [fields | own_clause, generics, record, visibility, derive, doc]
            #[doc = #doc]
            #derive
            #[allow(
                dead_code, deprecated, non_camel_case_types, missing_copy_implementations, missing_debug_implementations, private_interfaces,
                unreachable_pub, unused_qualifications, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction
            )]
            #visibility struct #record #generics #own_clause { #fields }
        };
        Record { beside, hidden, ty, fill: code!([fill | record] #record { #fill }) }
    }

    /// The parameters that the kept attributes mention, without the bounds that mention others.
    fn narrow(&self) -> Generics {
        let generics = &self.d.generics;
        let kept = self.kept();
        let mut others: Vec<&GenericParam> = Vec::new();
        let mut narrow = Generics::default();
        for p in &generics.params {
            let used = match p {
                GenericParam::Lifetime(_) => false,
                GenericParam::Type(t) => any(&kept, |(_, f)| mentions(&f.ty, &t.ident)),
                GenericParam::Const(c) => any(&kept, |(_, f)| mentions(&f.ty, &c.ident)),
            };
            if used {
                narrow.params.push(p.clone());
            } else {
                others.push(p);
            }
        }
        let foreign = |syntax: TokenStream| {
            any(&others, |p| match p {
                GenericParam::Lifetime(l) => mentions_lifetime(&syntax, &l.lifetime.ident),
                GenericParam::Type(t) => mentions(&syntax, &t.ident),
                GenericParam::Const(c) => mentions(&syntax, &c.ident),
            })
        };
        for p in &mut narrow.params {
            if let GenericParam::Type(t) = p {
                for bound in std::mem::take(&mut t.bounds) {
                    if !foreign(bound.to_token_stream()) {
                        t.bounds.push(bound);
                    }
                }
            }
        }
        if !narrow.params.is_empty()
            && let Some(clause) = &generics.where_clause
        {
            let mut clause = clause.clone();
            for predicate in std::mem::take(&mut clause.predicates) {
                if !foreign(predicate.to_token_stream()) {
                    clause.predicates.push(predicate);
                }
            }
            narrow.where_clause = Some(clause);
        }
        narrow
    }
}

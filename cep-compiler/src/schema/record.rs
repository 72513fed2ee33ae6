//! What is kept of an event type: the record, and the proof that it can be.
use super::Kind;
use super::classify::{mentions_parameter, option};
use super::definition::Field;
use super::views::{OneType, Parameters, bound};
use crate::code::{Piece, Pieces, code, pieces_of};
use crate::diagnostic::Loc;
use crate::slices::{all, any};
use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::{GenericParam, Type};

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
    fn needs(&self) -> Vec<(&Field<'_>, &'static str)> {
        let mut needs = Vec::new();
        for &(_, f) in &self.kept() {
            let a = &f.attribute;
            let told = a.key || a.ord || !matches!(a.kind, Kind::Opaque | Kind::Text | Kind::String);
            for &(asked, word) in &[(!told, "Fixed"), (a.key, "FixedKey"), (a.ord, "FixedOrd")] {
                if asked {
                    needs.push((f, word));
                }
            }
        }
        needs
    }

    /// The bounds as `where` clauses. That a key can be hashed is the calls' business, where there is one.
    pub(super) fn asked(&self) -> Vec<Piece> {
        let mut asked: Vec<Piece> = Vec::new();
        for &(f, word) in &self.needs() {
            let word = if self.generic(&f.ty) { word } else { "Fixed" };
            let bound = bound(Loc::of(&f.ty), Piece::of(&f.ty), self.runtime, word);
            if asked.last().is_none_or(|last| last.tokens().to_string() != bound.tokens().to_string()) {
                asked.push(bound);
            }
        }
        asked
    }

    /// Does the type mention a type or const parameter?
    fn generic(&self, ty: &Type) -> bool {
        let params = &self.d.generics.params;
        for i in 0..params.len() {
            if !matches!(params[i], GenericParam::Lifetime(_)) && mentions_parameter(ty, &params[i]) {
                return true;
            }
        }
        false
    }

    /// The same bounds as calls; where a type parameter is involved, the call cannot stand alone.
    pub(super) fn checks(&self) -> Piece {
        let mut calls = Piece::EMPTY;
        for &(f, word) in &self.needs() {
            if !self.generic(&f.ty) {
                let ty = option(&f.ty).unwrap_or(&f.ty);
                calls.extend(self.check(Loc::of(ty).first, Piece::of(ty), word));
            }
        }
        if self.d.whole && self.parameters.arguments.is_empty() {
            calls.extend(self.check(self.d.name.span(), Piece::of(self.d.name), "Fixed"));
        }
        calls
    }

    fn check(&self, at: Span, ty: Piece, word: &str) -> Piece {
        let (runtime, word) = (self.runtime, Piece::words(word).at(Span::mixed_site()));
        let check = code! { [runtime, word, ty]
            const _: fn() = || { fn kept<T: #runtime::#word>() {} kept::<#ty>() };
        };
        check.at(at)
    }

    pub(super) fn record(&self, record: &Ident) -> Record {
        let (d, runtime, whole) = (self.d, self.runtime, self.d.whole);
        let narrow = if whole { None } else { Some(self.narrow()) };
        let parameters = narrow.as_ref().unwrap_or(self.parameters);
        let Parameters { generics, arguments, .. } = *parameters;
        let record = Piece::of(if whole { d.name } else { record });
        let ty = code!([record, arguments] #record #arguments);
        let clause = parameters.clause(&self.asked());
        let kept = self.kept();
        let mut hidden = Piece::EMPTY;
        for &(number, f) in &kept {
            let (field, ty) = (&f.attribute.field, Piece::of(&f.ty));
            // here rustc reports a type that is more private than the record
            let named = code!([ty] type Type = #ty;).at(Loc::of(&f.ty).first);
            hidden.extend(code! { [generics, runtime, record, arguments, clause, named, ty | number, field]
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
        hidden.extend(code! { [generics, record, arguments, clause]
            impl #generics ::core::clone::Clone for #record #arguments #clause {
                #[inline]
                fn clone(&self) -> Self { *self }
            }
            impl #generics ::core::marker::Copy for #record #arguments #clause {}
        });
        let known = all(&kept, |(_, f)| f.attribute.kind != Kind::Opaque);
        let derive = if known {
            code!([] #[derive(::core::fmt::Debug, ::core::cmp::PartialEq)])
        } else {
            Piece::EMPTY
        };
        let (visibility, clause) = (d.visibility, parameters.clause(&[]));
        let (mut fields, mut fill) = (Piece::EMPTY, Piece::EMPTY);
        for &(number, f) in &kept {
            let field = &f.attribute.field;
            fields.extend(described(f));
            let local = Self::local(number);
            fill.extend(code!([runtime, local | field] #field: #runtime::keep(#local),));
        }
        let doc = format!("What is kept of a `{}`.", self.variant);
        let beside = code! { [derive, record, generics, clause, fields | doc, visibility]
            #[doc = #doc]
            #derive
            #[allow(
                dead_code, deprecated, non_camel_case_types, missing_copy_implementations, missing_debug_implementations, private_interfaces,
                unreachable_pub, unused_qualifications, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction
            )]
            #visibility struct #record #generics #clause { #fields }
        };
        Record { beside, hidden, ty, fill: code!([record, fill] #record { #fill }) }
    }

    /// The parameters that the kept attributes mention, without the bounds that mention others.
    fn narrow(&self) -> Parameters {
        let (kept, params) = (self.kept(), &self.d.generics.params);
        let (mut mine, mut others) = (Vec::new(), Vec::new());
        for i in 0..params.len() {
            let p = &params[i];
            let used =
                !matches!(p, GenericParam::Lifetime(_)) && any(&kept, |(_, f)| mentions_parameter(&f.ty, p));
            if used { mine.push(p) } else { others.push(p) }
        }
        let ours = |syntax: &dyn ToTokens| !any(&others, |p| mentions_parameter(syntax, p));
        let (mut generics, mut arguments, predicates) = (Piece::EMPTY, Piece::EMPTY, Pieces::new());
        for p in &mine {
            let (name, declared) = match p {
                GenericParam::Type(t) => {
                    let (name, bounds) = (Piece::of(&t.ident), Pieces::new());
                    for i in 0..t.bounds.len() {
                        if ours(&t.bounds[i]) {
                            bounds.add(Piece::of(&t.bounds[i].to_token_stream()));
                        }
                    }
                    (name, code!([name; bounds] #name: #(#bounds)+*))
                }
                GenericParam::Const(c) => {
                    let (name, ty) = (Piece::of(&c.ident), &c.ty);
                    (name, code!([name | ty] const #name: #ty))
                }
                GenericParam::Lifetime(_) => continue,
            };
            generics.extend(code!([declared] #declared,));
            arguments.extend(code!([name] #name,));
        }
        if let Some(clause) = &self.d.generics.where_clause
            && !mine.is_empty()
        {
            for i in 0..clause.predicates.len() {
                if ours(&clause.predicates[i]) {
                    predicates.add(Piece::of(&clause.predicates[i]));
                }
            }
        }
        if !mine.is_empty() {
            (generics, arguments) = (code!([generics] <#generics>), code!([arguments] <#arguments>));
        }
        Parameters { generics, arguments, predicates }
    }
}

/// A field of a record.
fn described(f: &Field<'_>) -> Piece {
    let (field, ty, visibility, docs) = (&f.attribute.field, &f.ty, f.visibility, &f.docs);
    if docs.is_empty() {
        let doc = format!("`{field}`");
        return code!([| doc, visibility, field, ty] #[doc = #doc] #visibility #field: #ty,);
    }
    let docs = pieces_of(docs);
    code!([| visibility, field, ty; docs] #(#docs)* #visibility #field: #ty,)
}

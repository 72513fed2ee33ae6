//! What the machine keeps of an event: attributes by event type, or the whole record; and beside it the time, the key and the link to the event of
//! the same key before it, where the pattern needs them.
use super::guards::kept_field;
use super::names::{Names, member, ours};
use crate::code::{Piece, code, indexed_pieces, picked_pieces, pieces};
use crate::hir::{AttributeId, Pattern, TypeId};
use crate::plan::{Kept, Plan};
use crate::slices::{any, find};

/// The types, to stand beside the machine (a field's type cannot be inside a `const _`).
pub(super) fn types(pattern: &Pattern, plan: &Plan, names: &Names) -> Piece {
    let (kept, kept_of, spelling) = (names.kept, names.kept_of, names.spelling);
    let variants = pieces(plan.kept.as_slice(), |(t, _)| Piece::of(&Names::variant(*t)));
    let structs = pieces(plan.kept.as_slice(), |(t, _)| Piece::of(&names.kept_type(*t)));
    let definitions = pieces(plan.kept.as_slice(), |(t, k)| {
        let name = names.kept_type(*t);
        match k {
            Kept::Record => {
                let record = names.record(*t);
                code!([record, name, spelling] #spelling #[doc(hidden)] #[derive(::core::clone::Clone, ::core::marker::Copy)] struct #name(#record);)
            }
            Kept::Attributes(all) => {
                let fields = pieces(all, |a| kept_field(*a));
                let types = pieces(all, |a| names.attribute(*t, *a));
                code!([name, spelling; fields, types] #spelling #[doc(hidden)] #[derive(::core::clone::Clone, ::core::marker::Copy)] struct #name { #(#fields: #types),* })
            }
        }
    });
    let time = match time_type(pattern, names) {
        Some(t) => code!([t] time: #t,),
        None => Piece::EMPTY,
    };
    let key = match key_type(pattern, names) {
        Some(t) => code!([t] key: #t,),
        None => Piece::EMPTY,
    };
    let previous = if plan.linked { code!([] previous: ::core::primitive::u64,) } else { Piece::EMPTY };
    let rank = if plan.lanes.is_some() { code!([] rank: ::core::primitive::u64,) } else { Piece::EMPTY };
    code! { [rank, previous, key, time, kept, kept_of, spelling; definitions, variants, structs]
        #(#definitions)*
        #spelling #[doc(hidden)] #[derive(::core::clone::Clone, ::core::marker::Copy)]
        enum #kept_of { #(#variants(#structs)),* }
        #spelling #[doc(hidden)] #[derive(::core::clone::Clone, ::core::marker::Copy)]
        struct #kept { of: #kept_of, #time #key #previous #rank }
    }
}

/// The type of the clock.
pub(super) fn time_type(pattern: &Pattern, names: &Names) -> Option<Piece> {
    let c = pattern.clock.as_ref()?;
    Some(names.attribute(TypeId(0), *c.attributes.first()?))
}

/// The type of the key: a tuple. Where some event type has an attribute that is no `Option`, that type; else the `Option`.
pub(super) fn key_type(pattern: &Pattern, names: &Names) -> Option<Piece> {
    if pattern.partition.is_empty() {
        return None;
    }
    let each = pieces(&pattern.partition, |of| {
        let plain = find(of, |(t, a)| !pattern.schema.types[t.0].attributes[a.0].nullable);
        let (t, a) = plain.or(of.first()).copied().unwrap_or((TypeId(0), crate::hir::AttributeId(0)));
        names.attribute(t, a)
    });
    Some(code!([; each] (#(#each,)*)))
}

/// `match kind { 0 => …, }`: the key of an event, `None` where it has none.
pub(super) fn key(pattern: &Pattern, names: &Names, event: Piece) -> Piece {
    let p = names.p;
    let view = ours("view");
    let mut arms = Piece::EMPTY;
    for t in 0..pattern.schema.types.len() {
        let ty = TypeId(t);
        let of = names.event_type(ty);
        let each = picked_pieces(&pattern.partition, |keys| {
            let (_, a) = find(keys, |(k, _)| *k == ty)?;
            let attribute = &pattern.schema.types[t].attributes[a.0];
            let f = member(attribute);
            let plain = any(keys, |(k, x)| !pattern.schema.types[k.0].attributes[x.0].nullable);
            Some(match (attribute.nullable, plain) {
                (true, true) => code!([p, view, f] #p::keep(#view.#f)?),
                (true, false) => {
                    code!([p, view, f] { let value = #p::keep(#view.#f); value.as_ref()?; value })
                }
                _ => code!([p, view, f] #p::keep(#view.#f)),
            })
        });
        // a type that lacks one of the attributes has no key
        if each.len() == pattern.partition.len() {
            arms.extend(
                code!([view, of, event | t; each] #t => { let #view = #of::view(#event)?; ::core::option::Option::Some((#(#each,)*)) }),
            );
        }
    }
    code!([p, event, arms] (|| match #p::Event::kind(#event) { #arms _ => ::core::option::Option::None })())
}

/// The time of an event: an `Option`, which is always there. Nothing without a clock.
pub(super) fn time(pattern: &Pattern, names: &Names, event: Piece) -> Piece {
    match &pattern.clock {
        Some(c) => time_of(pattern, names, event, &c.attributes),
        None => Piece::EMPTY,
    }
}

/// The attribute of an event that its type has in `attributes`: an `Option`, which is always there.
pub(super) fn time_of(pattern: &Pattern, names: &Names, event: Piece, attributes: &[AttributeId]) -> Piece {
    let p = names.p;
    let arms = indexed_pieces(attributes, |t, a| {
        let of = names.event_type(TypeId(t));
        let f = member(&pattern.schema.types[t].attributes[a.0]);
        code!([of, event, p, f | t] #t => ::core::option::Option::map(#of::view(#event), |view| #p::keep(view.#f)),)
    });
    code!([p, event; arms] match #p::Event::kind(#event) { #(#arms)* _ => ::core::option::Option::None })
}

/// The expression that keeps an event of type `ty`: an `Option`.
pub(super) fn keep(pattern: &Pattern, plan: &Plan, names: &Names, ty: TypeId, event: Piece) -> Piece {
    let (p, kept, kept_of, variant, name, of) =
        (names.p, names.kept, names.kept_of, Names::variant(ty), names.kept_type(ty), names.event_type(ty));
    let (time, key, previous, rank) = (ours("time"), ours("key"), ours("previous"), ours("rank"));
    let time = match &pattern.clock {
        Some(_) => code!([time] time: #time,),
        None => Piece::EMPTY,
    };
    let key = if !pattern.partition.is_empty() { code!([key] key: #key,) } else { Piece::EMPTY };
    let previous = if plan.linked { code!([previous] previous: #previous,) } else { Piece::EMPTY };
    let rank = if plan.lanes.is_some() { code!([rank] rank: #rank,) } else { Piece::EMPTY };
    let rest = code!([rank, previous, key, time] #time #key #previous #rank);
    match plan.kept.get(&ty) {
        Some(Kept::Record) => {
            code!([of, event, rest, name, variant, kept_of, kept] ::core::option::Option::map(#of::record(#event), |record| #kept { of: #kept_of::#variant(#name(record)), #rest }))
        }
        Some(Kept::Attributes(all)) if !all.is_empty() => {
            let view = ours("view");
            let from = pieces(all, |a| member(&pattern.schema.types[ty.0].attributes[a.0]));
            let to = pieces(all, |a| kept_field(*a));
            code!([of, event, view, p, rest, name, variant, kept_of, kept; to, from] ::core::option::Option::map(#of::view(#event), |#view| #kept { of: #kept_of::#variant(#name { #(#to: #p::keep(#view.#from)),* }), #rest }))
        }
        _ => {
            code!([rest, name, variant, kept_of, kept] ::core::option::Option::Some(#kept { of: #kept_of::#variant(#name {}), #rest }))
        }
    }
}

//! The fields of a match that hold computed events: their struct, its documentation, and how one is read from the registers.
use super::names::{Names, ours};
use super::registers;
use crate::code::{Piece, code, pieces};
use crate::hir::{Field, FoldId, Pattern, ReadAttribute, Shape};
use crate::plan::Plan;
use crate::schema::Kind;
use crate::slices::{all, each, position};
use proc_macro2::Ident;

/// An attribute of a field, as the aggregates that the field may hold have it.
struct Shown {
    attribute: ReadAttribute,
    fold: FoldId,
}

/// The attributes that a field shows, each once.
fn shown(pattern: &Pattern, f: &Field) -> Vec<Shown> {
    let mut out: Vec<Shown> = Vec::new();
    for g in &f.aggregates {
        for (i, field) in pattern.aggregates[g.0].fields.iter().enumerate() {
            if f.attributes.as_ref().is_some_and(|all| !all.contains(&field.name)) {
                continue;
            }
            let result = &pattern.fold(field.fold).result;
            if let Some(known) = position(&out, |s| s.attribute.name == field.name) {
                let known = &mut out[known];
                known.attribute.computed.push((*g, i));
                known.attribute.nullable |= result.nullable;
                continue;
            }
            out.push(Shown {
                attribute: ReadAttribute {
                    name: field.name.clone(),
                    of: Vec::new(),
                    computed: vec![(*g, i)],
                    nullable: result.nullable,
                    kind: result.kind.clone(),
                    loc: field.name.span().into(),
                },
                fold: field.fold,
            });
        }
    }
    for s in &mut out {
        // an aggregate of another branch may lack it
        s.attribute.nullable |= s.attribute.computed.len() < f.aggregates.len();
    }
    out
}

/// All its attributes have a `Debug` and a `PartialEq` for sure.
pub(super) fn is_known(pattern: &Pattern, f: &Field) -> bool {
    all(&shown(pattern, f), |s| !matches!(s.attribute.kind, Kind::Opaque | Kind::Array(_)))
}

/// The struct of its attributes.
pub(super) fn part(pattern: &Pattern, names: &Names, f: &Field, derives: Piece) -> Piece {
    let (vis, machine, part) = (names.vis, names.machine, names.part(&f.name));
    let spelling = names.spelling;
    let doc = Piece::text(format_args!("What `{}` computes for a match of [`{machine}`].", f.name));
    let all = shown(pattern, f);
    let fields = pieces(&all, |s| Piece::of(&s.attribute.name));
    let docs = pieces(&all, |s| attribute_doc(pattern, s));
    let types = pieces(&all, |s| {
        let value = registers::result_value(pattern, names, s.fold);
        if s.attribute.nullable { code!([value] ::core::option::Option<#value>) } else { value }
    });
    code! { [derives, part, vis, spelling, doc; docs, fields, types]
        #[doc = #doc]
        #spelling
        #derives
        #vis struct #part { #(#[doc = #docs] pub #fields: #types),* }
    }
}

/// Each attribute of the field's struct: its name, what is known of its type, whether it may be NULL, and its type.
pub(super) fn attributes(pattern: &Pattern, names: &Names, f: &Field) -> Vec<(Ident, Kind, bool, Piece)> {
    each(&shown(pattern, f), |s| {
        let a = &s.attribute;
        let value = registers::result_value(pattern, names, s.fold);
        let ty = if a.nullable { code!([value] ::core::option::Option<#value>) } else { value };
        (a.name.clone(), a.kind.clone(), a.nullable, ty)
    })
}

fn attribute_doc(pattern: &Pattern, s: &Shown) -> Piece {
    let text = &pattern.fold(s.fold).text;
    let null = if s.attribute.nullable { "; `None` where that is NULL" } else { "" };
    Piece::text(format_args!("`{text}`{null}."))
}

/// What the field is.
pub(super) fn doc(pattern: &Pattern, f: &Field) -> String {
    let all = each(&shown(pattern, f), |s| format!("`{}`", pattern.fold(s.fold).text));
    let what = match f.shape {
        Shape::One => "The computed event",
        Shape::Optional => "The computed event, if its part is there",
        Shape::Bag => "The computed events, in stream order",
    };
    format!("{what}: {}.", all.join(", "))
}

/// `fn __cep_shown_0(path, k) -> Option<FooM>`: the computed event that is complete with event `k`.
pub(super) fn getter(pattern: &Pattern, plan: &Plan, names: &Names, f: &Field, name: Piece) -> Piece {
    let (p, kept, n, d, part) = (names.p, names.kept, plan.slots, plan.depth, names.part(&f.name));
    let more = if plan.registers.is_empty() { code!([], ()) } else { registers::argument(plan, names) };
    let (path, registers) = (ours("path"), ours("registers"));
    let none = code!([] return ::core::option::Option::None);
    let test = registers::completes(pattern, &f.aggregates, path, code!([] k), code!([path] #path.newest()));
    let position = code!([] position);
    let all = shown(pattern, f);
    let fields = pieces(&all, |s| Piece::of(&s.attribute.name));
    let values = pieces(&all, |s| {
        registers::attribute(pattern, names, &f.aggregates, &s.attribute, registers, position, none)
    });
    let take = if all.is_empty() { Piece::EMPTY } else { registers::at(path, code!([] k), registers, none) };
    code! { [p, path, more, test, part, kept, name, take | d, n; fields, values]
        #[inline]
        #[allow(unused_variables)]
        fn #name<__CepRing: #p::Storage, __CepWalk: #p::Storage>(#path: &#p::Path<'_, #kept, #n, #d, __CepRing, __CepWalk #more>, k: ::core::primitive::usize) -> ::core::option::Option<#part> {
            if !#test { return ::core::option::Option::None; }
            let position = #path.position(k);
            #take
            ::core::option::Option::Some(#part { #(#fields: #values),* })
        }
    }
}

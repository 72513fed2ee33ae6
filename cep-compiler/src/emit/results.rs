//! What makes the results of an item events: trait impls for their record, and the schema macro of the item's name.
//!
//! The record of a result is the result itself, which is `Copy`. Its attributes are its fields, and beside each field that holds one event
//! in every match that event's own attributes (`hot.value`), so that conditions, keys and windows over matches find them as they find
//! those of any event. Rejected: the derive's work on the struct's tokens, because it knows no attributes of attributes, and nothing of
//! clocks; and fetching the inner schemas where they are used, because what is used there may be private here.
use super::computed;
use super::matches::{field_type, types_of};
use super::names::{Names, our};
use crate::code::{Piece, code, pieces};
use crate::hir::{AttributeId, Field, Output, Pattern, Shape, Summary, TypeId};
use crate::plan::Plan;
use crate::schema::joined::joined;
use crate::schema::{self, Attribute, EventType, Int, Kind, Refused, Schema};
use crate::slices::{any, each, find};
use proc_macro2::{Ident, Span};
use quote::ToTokens;

/// An item's source, and what the items that run on it have to know.
pub(crate) struct Emitted {
    /// The machine.
    pub(crate) tokens: Piece,
    /// The schema of its results.
    pub(crate) schema: Schema,
}

/// An attribute of a result.
struct Shown {
    attribute: Attribute,
    /// Its declared type.
    ty: Piece,
    /// A reference to it, from `self`.
    get: Piece,
}

/// The clock of the results: where the time of an event stands, by event type, its type and its unit.
pub(super) struct EndTime {
    pub(super) attributes: Vec<AttributeId>,
    pub(super) kind: Kind,
    unit: u64,
}

/// When a result happened, as far as the stream tells: the clock of the machine, else what is marked as time on every event type.
pub(super) fn end_time(pattern: &Pattern) -> Option<EndTime> {
    const MS: u64 = 1_000_000;
    let types = &pattern.schema.types;
    if let Some(clock) = &pattern.clock {
        let unit = types.first().zip(clock.attributes.first()).and_then(|(t, a)| t.attributes[a.0].time);
        let (attributes, kind) = (clock.attributes.clone(), clock.kind.clone());
        return Some(EndTime { attributes, kind, unit: unit.unwrap_or(MS) });
    }
    let mut found: Option<EndTime> = None;
    for t in types {
        let n = crate::slices::position(&t.attributes, |a| a.time.is_some())?;
        let a = &t.attributes[n];
        let unit = a.time.filter(|_| !a.nullable && matches!(a.kind, Kind::Int(_)))?;
        match &mut found {
            None => found = Some(EndTime { attributes: vec![AttributeId(n)], kind: a.kind.clone(), unit }),
            Some(f) if f.kind == a.kind && f.unit == unit => f.attributes.push(AttributeId(n)),
            Some(_) => return None,
        }
    }
    found
}

/// The type of that time.
pub(super) fn time_type(pattern: &Pattern, names: &Names) -> Option<Piece> {
    let first = *end_time(pattern)?.attributes.first()?;
    has_matches(pattern).then(|| names.attribute(TypeId(0), first))
}

/// The time has to be remembered with the event that completes matches: the machine has no clock.
pub(super) fn has_moment(pattern: &Pattern) -> bool {
    pattern.clock.is_none() && has_matches(pattern) && end_time(pattern).is_some()
}

/// Matches are owned.
fn has_matches(pattern: &Pattern) -> bool {
    match &pattern.output {
        Output::Select(fields) => !any(fields, |f| f.shape == Shape::Bag),
        Output::SelectNone => true,
        Output::Detect | Output::Summarize(_) => false,
    }
}

/// Why results are no events, and what to write instead; nothing where they are.
fn refused(pattern: &Pattern) -> Option<Refused> {
    let name = &pattern.name;
    let (why, help) = if let Output::Detect = pattern.output {
        (
            format!("`{name}` says only yes or no (`detect`)"),
            "leave `detect` out, or `select` what the next item reads".to_string(),
        )
    } else if let (false, Some(bag)) =
        (has_matches(pattern), find(pattern.output.fields(), |f| f.shape == Shape::Bag))
        && !matches!(pattern.output, Output::Summarize(_))
    {
        (
            format!(
                "a match of `{name}` borrows the machine, because `{}` holds any number of events",
                bag.name
            ),
            format!(
                "`select` the variables that hold one event, and of `{0}` an aggregate: `agg m {{ n: count({0}) }}`",
                bag.name
            ),
        )
    } else if !pattern.schema.covers(&pattern.visibility) {
        (
            format!(
                "`{}` is less visible than `{name}`, and so would be what its results hold",
                pattern.schema.name
            ),
            format!("give `{name}` the visibility of `{}`", pattern.schema.name),
        )
    } else {
        return None;
    };
    Some(Refused { why, help })
}

fn plain(name: Ident, kind: Kind, nullable: bool) -> Attribute {
    Attribute {
        field: name.clone(),
        name,
        kind,
        nullable,
        length: None,
        null_elements: false,
        kept: true,
        time: None,
        key: false,
        ord: false,
    }
}

/// The attributes of an event that a match holds in `field`.
fn inner(pattern: &Pattern, names: &Names, f: &Field) -> Vec<Shown> {
    let (p, field) = (names.p, &f.name);
    let mut out = Vec::new();
    if !f.aggregates.is_empty() {
        for (name, kind, nullable, ty) in computed::attributes(pattern, names, f) {
            if let Some(whole) = joined(&[field.clone(), name.clone()]) {
                let get = code!([| name, field] &(*self.#field).#name);
                out.push(Shown { attribute: plain(whole, kind, nullable), ty, get });
            }
        }
        return out;
    }
    let types = types_of(pattern, f);
    let first = match types.first() {
        Some(t) if types.len() == 1 || f.attributes.is_some() => *t,
        // an enum: its methods are its attributes
        _ => return out,
    };
    let (event, record) = (&pattern.schema.types[first.0], names.record(first));
    for (n, a) in event.attributes.iter().enumerate() {
        let shown = match &f.attributes {
            Some(some) => some.contains(&a.name),
            None => a.kept,
        };
        let Some(whole) = joined(&[field.clone(), a.name.clone()]).filter(|_| shown && !a.is_ours()) else {
            continue;
        };
        let get = if f.attributes.is_some() {
            let name = &a.name;
            code!([| name, field] &(*self.#field).#name)
        } else {
            code!([record, p | field, n] <#record as #p::Attr<#n>>::get(&*self.#field))
        };
        let ty = names.attribute(first, AttributeId(n));
        let attribute = Attribute { name: whole.clone(), field: whole, time: None, kept: true, ..a.clone() };
        out.push(Shown { attribute, ty, get });
    }
    out
}

/// Every attribute of a match.
fn attributes(pattern: &Pattern, plan: &Plan, names: &Names, fields: &[Field]) -> Vec<Shown> {
    let mut out = Vec::new();
    for f in fields {
        let name = &f.name;
        let ty = field_type(pattern, plan, names, f);
        let get = code!([| name] &self.#name);
        out.push(Shown { attribute: plain(name.clone(), Kind::Opaque, f.shape == Shape::Optional), ty, get });
        if f.shape == Shape::One {
            out.extend(inner(pattern, names, f));
        }
    }
    let (start, end, time) = super::matches::interval(fields);
    let position = Kind::Int(Int { signed: false, bits: 64, size: false });
    // a variable of that name is read as what it is
    let free = |name: &str| !any(fields, |f| f.name == name);
    for (name, field) in [("__start", start), ("__end", end)] {
        if !free(name) {
            continue;
        }
        let attribute = plain(Ident::new(name, Span::call_site()), position.clone(), false);
        let get = code!([field] &self.#field);
        out.push(Shown { attribute, ty: code!([] ::core::primitive::u64), get });
    }
    if let (Some(clock), Some(ty), true) = (end_time(pattern), time_type(pattern, names), free("__time")) {
        let mut attribute = plain(Ident::new("__time", Span::call_site()), clock.kind, false);
        attribute.time = Some(clock.unit);
        out.push(Shown { attribute, ty, get: code!([time] &self.#time) });
    }
    out
}

/// Every attribute of the record of a `summarize`. It has no time: it says nothing of one event.
fn columns(pattern: &Pattern, names: &Names, summary: &Summary) -> Vec<Shown> {
    each(&summary.columns, |c| {
        let (name, value) = (&c.name, super::summarize::column_type(pattern, names, c));
        let ty = if c.nullable { code!([value] ::core::option::Option<#value>) } else { value };
        Shown {
            attribute: plain(name.clone(), c.kind.clone(), c.nullable),
            ty,
            get: code!([| name] &self.#name),
        }
    })
}

/// The schema macro, the impls and the schema.
pub(super) fn results(pattern: &Pattern, plan: &Plan, names: &Names) -> (Piece, Piece, Schema) {
    let (p, name, lifetime) = (names.p, &pattern.name, super::machine::lifetime(plan));
    let visibility = pattern.visibility.to_token_stream();
    let mut schema =
        Schema { visibility, name: name.clone(), types: Vec::new(), timing: None, refused: None, held: None };
    schema.refused = refused(pattern);
    if schema.refused.is_some() {
        return (carried(&schema, &[]), no_event(name, lifetime, p), schema);
    }
    let (fields, record) = (pattern.output.fields(), names.a_match);
    let (shown, record) = match &pattern.output {
        Output::Summarize(summary) => (columns(pattern, names, summary), names.summary),
        _ => (attributes(pattern, plan, names, fields), record),
    };
    schema.types = vec![EventType {
        name: name.clone(),
        attributes: each(&shown, |s| s.attribute.clone()),
        own_record: !fields.is_empty(),
    }];
    let mut impls = event(record, &shown, p);
    impls.extend(code!([lifetime, p, record | name] impl #lifetime #p::Stream for #name #lifetime { type Event = #record; }));
    (carried(&schema, &[record]), impls, schema)
}

/// The item stands after `on` for nothing: only our own words shall say so.
pub(super) fn no_event(name: &Ident, lifetime: Piece, p: Piece) -> Piece {
    code!([lifetime, p | name] impl #lifetime #p::Stream for #name #lifetime { type Event = #p::NoEvent; })
}

/// The schema macro of the item's name, and of others that mean the same.
pub(super) fn carried(schema: &Schema, others: &[Piece]) -> Piece {
    let written = schema::read::write(schema);
    let (visibility, mangled) = (&schema.visibility, schema::carry::mangled(&schema.name, &written));
    let mut out = schema::carry::carry(visibility, &schema.name, &mangled, Piece::of(&written));
    for &other in others {
        out.extend(code! { [other | mangled, visibility]
            #[doc(hidden)]
            #[allow(unused_imports, unreachable_pub, clippy::all, clippy::pedantic)]
            #visibility use #mangled as #other;
        });
    }
    out
}

/// The impls that make a record an event of one type, which is its own record.
fn event(record: Piece, shown: &[Shown], p: Piece) -> Piece {
    let view = our(format_args!("__CepResult"));
    let fields = pieces(shown, |s| Piece::of(&s.attribute.field));
    let types = pieces(shown, |s| s.ty);
    let gets = pieces(shown, |s| s.get);
    let text = record.to_string();
    let mut attributes = Piece::EMPTY;
    for (n, s) in shown.iter().enumerate() {
        let (ty, get) = (s.ty, s.get);
        attributes.extend(code! { [p, record, ty, get | n]
            impl #p::Attr<#n> for #record {
                type Type = #ty;
                #[inline]
                fn get(&self) -> &#ty { #get }
            }
        });
    }
    code! { [p, attributes, view, record | text; fields, types, gets]
        #[derive(::core::clone::Clone, ::core::marker::Copy)]
        #[allow(non_snake_case, missing_debug_implementations)]
        pub struct #view<'v> { #(pub #fields: &'v #types),* }
        impl #p::Event for #record {
            const NAME: &'static ::core::primitive::str = #text;
            const TYPES: ::core::primitive::usize = 1;
            #[inline]
            fn kind(&self) -> ::core::primitive::usize { 0 }
        }
        impl #p::Stream for #record { type Event = Self; }
        impl #p::EventType<0> for #record {
            type View<'v> = #view<'v>;
            type Record = Self;
            #[inline]
            fn view(&self) -> ::core::option::Option<#view<'_>> { ::core::option::Option::Some(#view { #(#fields: #gets),* }) }
            #[inline]
            fn record(&self) -> ::core::option::Option<Self> { ::core::option::Option::Some(*self) }
        }
        #attributes
    }
}

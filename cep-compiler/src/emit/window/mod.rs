//! The source of a `window` item's machine.
//!
//! In: a [`Window`]. Out: a struct with its methods, its record (which is an event of its own), the iterator of its records, and a schema
//! macro of the item's name, so that other items can run on it.
mod agse;
mod bare;
mod elements;
mod folds;
mod frame;
mod outputs;
mod predicate;
mod spans;
mod zip;

use super::names::without_elided;
use super::results::{Emitted, carried, no_event};
use crate::code::{Piece, code};
use crate::hir::window::{Window, WindowKind};
use crate::schema::{self, Attribute, EventType, Held, Kind, Schema, Timing};
use crate::slices::all;
use proc_macro2::Ident;
use quote::ToTokens;

pub(crate) use bare::bare;

/// Emits one window. `root` is the facade's path.
pub(crate) fn emit(window: &Window, root: Piece) -> Emitted {
    let names = Names::new(root, window);
    match &window.kind {
        WindowKind::Agse(a) => agse::emit(window, a, &names),
        WindowKind::Zip(z) => zip::emit(window, z, &names),
        WindowKind::Predicate(p) => predicate::emit(window, p, &names),
    }
}

/// The names of one window's source.
struct Names {
    root: Piece,
    /// `$crate::__private`
    p: Piece,
    /// The stream's event type, where lifetimes can be left to rustc.
    on: Piece,
    /// The same with `'static` for `'_`.
    on_static: Piece,
    /// The visibility of the item, and so of all that comes of it.
    vis: Piece,
    machine: Piece,
    record: Piece,
    records: Piece,
    /// The traits for adaptors can be implemented.
    is_generic: bool,
}

impl Names {
    fn new(root: Piece, window: &Window) -> Self {
        let name = &window.name;
        let plain = name.to_string().trim_start_matches("r#").to_string();
        let (fixed, borrows) = without_elided(window.on.clone());
        let (p, on) = (code!([root] #root::__private), &window.on);
        Names {
            root,
            on: code!([p | on] <#on as #p::Stream>::Event),
            on_static: code!([p | fixed] <#fixed as #p::Stream>::Event),
            vis: Piece::of(&window.visibility),
            machine: Piece::of(name),
            record: Piece::name(format_args!("{plain}Record"), name.span()),
            records: Piece::name(format_args!("{plain}Windows"), name.span()),
            is_generic: !borrows && window.schema.covers(&window.visibility),
            p,
        }
    }

    /// The declared type of an attribute.
    fn attribute(&self, ty: usize, attribute: usize) -> Piece {
        let (p, on) = (self.p, self.on_static);
        code!([on, p | attribute, ty] <<#on as #p::EventType<#ty>>::Record as #p::Attr<#attribute>>::Type)
    }
}

/// Where the rings of a window over records live: the storage family, and the name of the function that makes one.
fn memory(window: &Window, names: &Names) -> (Piece, Piece) {
    let p = names.p;
    match window.boxed {
        Some(_) => (code!([p] #p::Boxed), code!([] boxed)),
        None => (code!([p] #p::Inline), code!([] new)),
    }
}

/// The schema macro, by which others see what comes out.
fn seen(window: &Window, schema: &Schema) -> Piece {
    if window.stand_in {
        carried(&super::skeleton::silent(&window.name, &window.visibility), &[])
    } else {
        carried(schema, &[])
    }
}

/// A field of a record.
struct Field {
    name: Ident,
    ty: Piece,
    doc: String,
    kind: Kind,
    nullable: bool,
    length: Option<u64>,
    null_elements: bool,
    time: Option<u64>,
}

/// A primitive type; nothing for what is none.
fn primitive(kind: &Kind) -> Option<Piece> {
    kind.primitive().map(super::summarize::primitive)
}

/// The record as a type and an event: its definition and impls, the schema macros of its own and of the item's name.
///
/// `hidden` are further fields, which are no attributes.
fn record(
    window: &Window,
    names: &Names,
    fields: &[Field],
    hidden: Piece,
    timing: Option<Timing>,
    held: Option<Held>,
) -> (Piece, Schema) {
    let &Names { root, p, machine, record, .. } = names;
    let visibility = names.vis;
    let known = all(fields, |f| f.kind != Kind::Opaque);
    let debug = if known { code!([], ::core::fmt::Debug, ::core::cmp::PartialEq) } else { Piece::EMPTY };
    let doc = Piece::text(format_args!("A window of [`{machine}`]."));
    let (mut documented, mut bare) = (Piece::EMPTY, Piece::EMPTY);
    for f in fields {
        let (name, ty, doc) = (&f.name, f.ty, &f.doc);
        // what is ours is read by a method
        let public = if name.to_string().starts_with("__") { Piece::EMPTY } else { code!([] pub) };
        documented.extend(code!([public, ty | name, doc] #[doc = #doc] #public #name: #ty,));
        bare.extend(code!([ty | name] pub #name: #ty,));
    }
    // the derive's work, done here: in a scope where its macro may not be
    let definition = code! { [bare, root, visibility, record]
        #[event(copy, crate = #root)]
        #visibility struct #record { #bare }
    };
    let derived = schema::derive::derive(definition.tokens());
    let attribute = |f: &Field| Attribute {
        name: f.name.clone(),
        field: f.name.clone(),
        kind: f.kind.clone(),
        nullable: f.nullable,
        length: f.length,
        null_elements: f.null_elements,
        kept: true,
        time: f.time,
        key: false,
        ord: false,
    };
    let types = vec![EventType {
        name: window.name.clone(),
        attributes: crate::slices::each(fields, attribute),
        own_record: !known,
    }];
    let name = window.name.clone();
    let schema =
        Schema { visibility: window.visibility.to_token_stream(), name, types, timing, refused: None, held };
    let carried = seen(window, &schema);
    let tokens = code! { [documented, hidden, carried, debug, doc, visibility, record, p, machine | derived]
        #[doc = #doc]
        #[derive(::core::clone::Clone, ::core::marker::Copy #debug)]
        #visibility struct #record { #documented #hidden }
        #derived
        #carried
        #[allow(non_local_definitions, clippy::all, clippy::pedantic)]
        const _: () = { impl #p::Stream for #machine { type Event = #record; } };
    };
    (tokens, schema)
}

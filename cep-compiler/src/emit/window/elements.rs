//! From an event to its elements.
use super::{Field, Names, primitive};
use crate::code::{Piece, code};
use crate::emit::names::{member, ours};
use crate::hir::window::{Elements, Source, Window};
use crate::schema::{Attribute, Kind};
use proc_macro2::Ident;

/// The type of an element, `Option` included.
pub(super) fn element_type(window: &Window, e: &Elements, names: &Names) -> Piece {
    let ty = value_type(window, e, names);
    if e.nullable { code!([ty] ::core::option::Option<#ty>) } else { ty }
}

/// The type of an element that is there.
pub(super) fn value_type(window: &Window, e: &Elements, names: &Names) -> Piece {
    if let Some(ty) = primitive(&e.kind) {
        return ty;
    }
    if e.kind == Kind::Str {
        return code!([] &'static ::core::primitive::str);
    }
    let p = names.p;
    let first = e.sources.first();
    let ty = names.attribute(window.types[0], first.map_or(0, |s| s.attribute));
    if first.is_some_and(|s| s.nullable) { code!([ty, p] <#ty as #p::Nullable>::Value) } else { ty }
}

/// What fills a ring before elements come: a constant.
pub(super) fn fill(e: &Elements, names: &Names) -> Piece {
    let p = names.p;
    match &e.kind {
        _ if e.nullable => code!([] ::core::option::Option::None),
        Kind::Int(_) => code!([] 0),
        Kind::Float(_) => code!([] 0.0),
        Kind::Str => code!([] ""),
        _ => code!([p] #p::Text::truncated("")),
    }
}

/// `fn flatten(event: &On, out: &mut [T; F]) -> bool`: whether the event is of the type that is looked at.
pub(super) fn flatten(window: &Window, e: &Elements, name: Piece, names: &Names) -> Piece {
    let (p, on, ty) = (names.p, names.on, window.types[0]);
    let (event, view, out, at) = (ours("event"), ours("view"), ours("out"), ours("at"));
    let element = element_type(window, e, names);
    let count = usize::try_from(e.count).unwrap_or(usize::MAX);
    let attributes = &window.schema.types[ty].attributes;
    let mut each = Piece::EMPTY;
    for s in &e.sources {
        each.extend(source(e, s, &attributes[s.attribute], view, out, at));
    }
    code! { [event, on, out, element, view, p, at, each, name | ty, count]
        #[inline]
        #[allow(unused_assignments, unused_mut, clippy::all, clippy::pedantic)]
        fn #name(#event: &#on, #out: &mut [#element; #count]) -> ::core::primitive::bool {
            let ::core::option::Option::Some(#view) = <#on as #p::EventType<#ty>>::view(#event) else { return false };
            let mut #at = 0usize;
            #each
            true
        }
    }
}

/// Writes the elements of one attribute.
fn source(e: &Elements, s: &Source, a: &Attribute, view: Piece, out: Piece, at: Piece) -> Piece {
    let field = member(a);
    let (value, whole) = (ours("value"), ours("whole"));
    let to = primitive(&e.kind);
    let convert = |x: Piece| match to {
        Some(to) if s.cast => code!([x, to] #x as #to),
        Some(to) if s.from != e.kind => code!([x, to] <#to as ::core::convert::From<_>>::from(#x)),
        _ => x,
    };
    let plain = convert(Piece::of(&value));
    // one element, which may be NULL by itself
    let one = |x: Piece, null: bool| match (null, e.nullable) {
        (true, _) => {
            code!([x, value, plain] match #x { ::core::option::Option::Some(#value) => ::core::option::Option::Some(#plain), ::core::option::Option::None => ::core::option::Option::None })
        }
        (false, true) => code!([value, x, plain] { let #value = #x; ::core::option::Option::Some(#plain) }),
        (false, false) => code!([value, x, plain] { let #value = #x; #plain }),
    };
    let store = |x: Piece| code!([out, at, x] #out[#at] = #x; #at += 1;);
    let Some(length) = s.length else { return store(one(code!([view, field] *#view.#field), s.nullable)) };
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    if let Some(i) = s.index {
        let i = usize::try_from(i).unwrap_or(usize::MAX);
        let there = one(code!([whole | i] #whole[#i]), s.null_elements);
        return if s.nullable {
            store(
                code!([view, whole, there, field] match #view.#field { ::core::option::Option::Some(#whole) => #there, ::core::option::Option::None => ::core::option::Option::None }),
            )
        } else {
            store(code!([whole, view, there, field] { let #whole = #view.#field; #there }))
        };
    }
    let i = ours("i");
    let there = one(code!([whole, i] #whole[#i]), s.null_elements);
    let there = if s.nullable {
        code!([view, whole, there, field] match #view.#field { ::core::option::Option::Some(#whole) => #there, ::core::option::Option::None => ::core::option::Option::None })
    } else {
        code!([whole, view, there, field] { let #whole = #view.#field; #there })
    };
    let store = store(there);
    code! { [i, store | length]
        let mut #i = 0usize;
        while #i < #length { #store #i += 1; }
    }
}

/// The field that holds the elements of a window.
pub(super) fn field(
    window: &Window,
    e: &Elements,
    width: u64,
    newest_first: bool,
    name: &Ident,
    names: &Names,
) -> Field {
    let element = element_type(window, e, names);
    let n = usize::try_from(width).unwrap_or(usize::MAX);
    let order = if newest_first { "newest first" } else { "in the order of arrival" };
    let number = matches!(e.kind, Kind::Int(_) | Kind::Float(_));
    Field {
        name: name.clone(),
        ty: code!([element | n] [#element; #n]),
        doc: format!("The elements, {order}."),
        kind: if number { Kind::Array(Box::new(e.kind.clone())) } else { Kind::Opaque },
        nullable: false,
        length: Some(width),
        null_elements: e.nullable,
        time: None,
    }
}

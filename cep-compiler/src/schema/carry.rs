//! The schema macro: a `macro_rules!` named as the type it describes. Macros have a namespace of their own, so `use events::Reading`
//! imports both, and a path that finds the type finds the schema.
//!
//! Protocol: `Reading! { (callback path) rest… }` expands to `callback path! { { schema } rest… }`.
//!
//! A `pub` macro has to be `#[macro_export]`ed, which puts it at the root of its crate: hence the mangled name and the `use … as`.
//! Rejected: one macro that is exported under the type's own name, because two modules may each have a `Reading`.
use crate::code::{Hole, Piece, code};
use proc_macro2::{Ident, Span, TokenStream};
use std::fmt::Write;

/// The name under which a schema macro is really defined. It is unique in its crate: the text of the item tells two types of one name
/// apart, and the debug form of the call site, which holds the expansion's number, two expansions of one item. (Line and column would
/// not: two calls of a user's own macro share them.)
#[must_use]
pub fn mangled(name: &Ident, item: &TokenStream) -> Ident {
    let mut text = item.to_string();
    // writing to a `String` cannot fail
    let _ = write!(text, "|{:?}", Span::call_site());
    let hash = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325, |h: u64, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3));
    let plain = name.to_string();
    let plain = plain.strip_prefix("r#").unwrap_or(&plain);
    Ident::new(&format!("__cep_{plain}_{hash:016x}"), Span::call_site())
}

/// Defines the schema macro of `name`: `schema` is what `read::write` wrote, `visibility` the type's own.
#[must_use]
pub(crate) fn carry(visibility: &dyn Hole, name: &Ident, mangled: &Ident, schema: Piece) -> Piece {
    let text = name.to_string();
    let misuse = format!("`{text}!` only carries the schema of `{text}` to `cep!`");
    let arms = code! { [schema | misuse]
        ( ($($callback:tt)*) $($rest:tt)* ) => { $($callback)*! { { #schema } $($rest)* } };
        ( $($rest:tt)* ) => { ::core::compile_error! { #misuse } };
    };
    define(visibility, name, mangled, arms)
}

/// The schema macro of a type whose derive failed: it swallows every call, so that the errors of the derive stay alone.
#[must_use]
pub(crate) fn carry_nothing(visibility: &dyn Hole, name: &Ident, mangled: &Ident) -> Piece {
    define(visibility, name, mangled, code!([] ( $($rest:tt)* ) => {}; ))
}

fn define(visibility: &dyn Hole, name: &Ident, mangled: &Ident, arms: Piece) -> Piece {
    let public = Piece::of(visibility).tokens().to_string() == "pub";
    let export = public.then(|| code!([] #[macro_export]));
    code! { [arms | name, visibility, mangled, export]
        #[doc(hidden)]
        #export
        #[allow(unused_macros, unused_macro_rules, non_local_definitions, clippy::all, clippy::pedantic)]
        macro_rules! #mangled { #arms }
        #[doc(hidden)]
        #[allow(unused_imports, unreachable_pub, clippy::all, clippy::pedantic)]
        #visibility use #mangled as #name;
    }
}

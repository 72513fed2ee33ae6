//! The schema macro: a `macro_rules!` named as the type it describes. Macros have a namespace of their own, so `use events::Reading`
//! imports both, and a path that finds the type finds the schema.
//!
//! Protocol: `Reading! { (callback path) rest… }` expands to `callback path! { { schema } rest… }`.
//!
//! A `pub` macro has to be `#[macro_export]`ed, which puts it at the root of its crate: hence the mangled name and the `use … as`.
//! Rejected: one macro that is exported under the type's own name, because two modules may each have a `Reading`.
use crate::code::{Hole, Piece, code};
use crate::syntax::made;
use proc_macro2::{Ident, Span, TokenStream};
use syn::ext::IdentExt as _;

/// The name under which a schema macro is really defined. It is unique in its crate: the text of the item tells two types of one name
/// apart, and the debug form of the call site, which holds the expansion's number, two expansions of one item. (Line and column would
/// not: two calls of a user's own macro share them.)
#[must_use]
pub fn mangled(name: &Ident, item: &TokenStream) -> Ident {
    let hash = hash(&format!("{item}|{:?}", Span::call_site()));
    made(format_args!("__cep_{}_{hash:016x}", name.unraw()), Span::call_site())
}

/// FNV-1a.
fn hash(text: &str) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325;
    for &byte in text.as_bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    }
    hash
}

/// Defines the schema macro of `name`: `schema` is what `read::write` wrote, `visibility` the type's own.
#[must_use]
pub(crate) fn carry(visibility: &dyn Hole, name: &dyn Hole, mangled: &dyn Hole, schema: Piece) -> Piece {
    let text = Piece::of(name).tokens().to_string();
    let misuse = format!("`{text}!` only carries the schema of `{text}` to `cep!`");
    let arms = code! { [schema | misuse]
        ( ($($callback:tt)*) $($rest:tt)* ) => { $($callback)*! { { #schema } $($rest)* } };
        ( $($rest:tt)* ) => { ::core::compile_error! { #misuse } };
    };
    define(visibility, name, mangled, arms)
}

/// The schema macro of a type whose derive failed: it swallows every call, so that the errors of the derive stay alone.
#[must_use]
pub(crate) fn carry_nothing(visibility: &dyn Hole, name: &dyn Hole, mangled: &dyn Hole) -> Piece {
    define(visibility, name, mangled, code!([] ( $($rest:tt)* ) => {}; ))
}

fn define(visibility: &dyn Hole, name: &dyn Hole, mangled: &dyn Hole, arms: Piece) -> Piece {
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

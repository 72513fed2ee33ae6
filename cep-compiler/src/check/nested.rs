//! `m.hot.value`: an attribute of an attribute, in a condition.
//!
//! In a schema it is one attribute (see `schema::joined`); here the expression becomes `m.` that attribute, so that every rule about
//! attributes holds for it.
use super::walk::{bare, single};
use crate::schema::joined::{head, is_joined, joined};
use crate::schema::{EventType, Schema};
use crate::slices::any;
use proc_macro2::{Ident, TokenStream};
use syn::{Expr, Member};

/// Some attribute of the stream is one of an attribute.
pub(super) fn has_joined(schema: &Schema) -> bool {
    any(&schema.types, |t| any(&t.attributes, |a| is_joined(&a.name)))
}

/// An event type has an attribute of this name.
fn is_attribute(schema: &Schema, name: &Ident) -> bool {
    any(&schema.types, |t| any(&t.attributes, |a| a.name == *name))
}

/// How many names of a path are one attribute, and its name. Where `hot` has attributes, `hot.x` is one of them, if a wrong one.
pub(crate) fn longest(schema: &Schema, path: &[Ident]) -> (usize, Option<Ident>) {
    let mut n = path.len();
    while n > 1 {
        if let Some(name) = joined(&path[..n]).filter(|name| is_attribute(schema, name)) {
            return (n, Some(name));
        }
        n -= 1;
    }
    if let [first, _, ..] = path {
        let front = format!("__in__{first}__");
        let has = any(&schema.types, |t| any(&t.attributes, |a| a.name.to_string().starts_with(&front)));
        if has {
            return (2, joined(&path[..2]));
        }
    }
    (path.len().min(1), path.first().cloned())
}

/// Why an attribute of an attribute is none: what it would be of may be absent.
pub(crate) fn absent(of: &EventType, name: &Ident) -> Option<String> {
    let whole = head(name);
    if !is_joined(name) || !any(&of.attributes, |a| a.name == whole && a.nullable) {
        return None;
    }
    Some(format!(
        "`{whole}` may be absent, so what it holds is no attribute; a pattern's filter can read `x.{whole}` as an `Option`"
    ))
}

/// `m.hot.value` as `m.` one attribute, where it is one.
pub(super) fn join(e: &mut Expr, schema: &Schema) {
    let mut path: Vec<Ident> = Vec::new();
    let mut at = &*e;
    while let Expr::Field(f) = at {
        let Member::Named(name) = &f.member else { break };
        path.insert(0, name.clone());
        at = &f.base;
    }
    let of_iteration =
        |c: &syn::ExprCall| single(&c.func).is_some_and(|f| any(&["prev", "first", "last"], |w| f == w));
    let root = match at {
        Expr::Call(c) => of_iteration(c),
        at => bare(at).is_some(),
    };
    if !root || path.len() < 2 || !has_joined(schema) {
        return;
    }
    let (taken, Some(name)) = longest(schema, &path) else { return };
    if taken < 2 {
        return;
    }
    let mut at = e;
    for _ in taken..path.len() {
        let Expr::Field(f) = at else { return };
        at = &mut f.base;
    }
    let Expr::Field(whole) = at else { return };
    for _ in 1..taken {
        let base = std::mem::replace(&mut *whole.base, Expr::Verbatim(TokenStream::new()));
        let Expr::Field(inner) = base else { return };
        whole.base = inner.base;
    }
    whole.member = Member::Named(name);
}

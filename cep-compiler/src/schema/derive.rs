//! `#[derive(Event)]`: trait impls, views, records, and the schema macro.
//!
//! In: the item's tokens. Out: the item's impls, and errors at the user's own tokens, several at once.
//!
//! A variant that holds a struct needs that struct's schema. The derive asks for it *where the enum stands*: its output calls
//! `Payload! { … }`, whose path resolves there as the payload's type does; [`step`] is called back, and the schema macro that results
//! is complete in itself. So `cep!` never has to find a payload. Rejected: re-exporting the payload's macro beside the enum; a macro's
//! body is resolved where it is used, and after `use events::Reading` the neighbour is not in scope.
use super::carry;
use super::definition::{Body, definition};
use super::read::{open, refused, write_attributes, write_types};
use super::views;
use crate::code::{Piece, Scope, code, pieces_of};
use crate::diagnostic::{Code, Diagnostics, Loc};
use crate::slices::each;
use crate::syntax::{self, groups, trees};
use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::Item;

/// The derive. It never panics.
#[must_use]
pub fn derive(tokens: TokenStream) -> TokenStream {
    let _scope = Scope::open();
    let mut report = Diagnostics::default();
    match syntax::item(tokens.clone()) {
        Ok(item) => {
            let items = item_with_schema(&item, &tokens, &mut report);
            let errors = report.into_tokens();
            code!([items | errors] #items #errors).tokens()
        }
        Err(e) => {
            report.error(Code::Derive, e.span(), e.to_string());
            report.into_tokens()
        }
    }
}

/// What the derive writes besides errors.
fn item_with_schema(item: &Item, tokens: &TokenStream, report: &mut Diagnostics) -> Piece {
    let Some(d) = definition(item, report) else {
        return match item {
            Item::Union(u) => carry::carry_nothing(&u.vis, &u.ident, &carry::mangled(&u.ident, tokens)),
            _ => Piece::EMPTY,
        };
    };
    let mut types = Piece::EMPTY;
    for t in &d.types {
        let name = &t.name;
        types.extend(match &t.body {
            Body::Fields { fields, .. } => {
                let attributes = write_attributes(&each(fields, |f| &f.attribute), d.whole);
                code!([attributes | name] #name #attributes)
            }
            Body::Payload { path, .. } => code!([| name, path] #name (#path)),
        });
    }
    let items = views::emit(&d);
    let names = Names {
        root: &d.root,
        visibility: &d.visibility.to_token_stream(),
        name: &d.name.to_token_stream(),
        mangled: &carry::mangled(d.name, tokens).to_token_stream(),
    };
    let schema = names.proceed(Piece::EMPTY, &trees(types.tokens()));
    code!([items, schema] #items #schema)
}

/// Of a schema on its way, between two calls: `(root) (visibility) (name) (mangled) { done } { left }`. `done` are `Name { attributes }`
/// for each event type, `left` the same or `Name (path of the payload)`.
struct Names<'a> {
    root: &'a TokenStream,
    visibility: &'a TokenStream,
    name: &'a TokenStream,
    mangled: &'a TokenStream,
}

impl Names<'_> {
    /// Asks for the schema of the next payload, or defines the schema macro.
    fn proceed(&self, mut done: Piece, mut left: &[TokenTree]) -> Piece {
        let Names { root, visibility, name: of, mangled } = self;
        while let [name, held, rest @ ..] = left {
            if let TokenTree::Group(path) = held
                && path.delimiter() == Delimiter::Parenthesis
            {
                let (path, rest) = (path.stream(), pieces_of(rest));
                return code! { [done | path, root, name, visibility, of, mangled; rest]
                    #path! { (#root::__private::derive_step) (#name) (#path) (#root) (#visibility) (#of) (#mangled) { #done } { #(#rest)* } }
                };
            }
            done.extend(code!([| name, held] #name #held));
            left = rest;
        }
        carry::carry(visibility, of, mangled, write_types(visibility, of, done))
    }

    /// Where something failed.
    fn nothing(&self) -> Piece {
        carry::carry_nothing(self.visibility, self.name, self.mangled)
    }
}

/// Called back by a payload's schema macro: `{ schema } (event type) (path) state…`.
#[must_use]
pub fn step(tokens: TokenStream) -> TokenStream {
    let _scope = Scope::open();
    let mut report = Diagnostics::default();
    let items = match groups(&mut tokens.into_iter(), "{(((((({{").as_slice() {
        [schema, name, path, root, visibility, of, mangled, done, left] => {
            let names = Names { root, visibility, name: of, mangled };
            match attributes(schema, name, path, &mut report) {
                Some(attributes) => names
                    .proceed(code!([| done, name, attributes] #done #name #attributes), &trees(left.clone())),
                None => names.nothing(),
            }
        }
        _ => {
            report
                .error(Code::Derive, Span::call_site(), "this macro is a step of `#[derive(Event)]`")
                .help("write `#[derive(Event)]` on an enum or a struct");
            Piece::EMPTY
        }
    };
    let errors = report.into_tokens();
    code!([items | errors] #errors #items).tokens()
}

/// The attributes in the schema of the payload of `name`.
fn attributes(
    schema: &TokenStream,
    name: &TokenStream,
    path: &TokenStream,
    report: &mut Diagnostics,
) -> Option<TokenTree> {
    let (schema, text, loc) = (trees(schema.clone()), syntax::tight(path), Loc::of(path));
    if let Some(refused) = refused(&schema) {
        if !refused.why.is_empty() {
            report
                .error(
                    Code::Derive,
                    loc,
                    format!("`{name}` cannot hold results of `{text}`: {}", refused.why),
                )
                .help(refused.help);
        }
        return None;
    }
    match open(&schema) {
        Ok(head) => {
            if let [TokenTree::Ident(_), attributes @ TokenTree::Group(_)] = trees(head.types).as_slice() {
                return Some(attributes.clone());
            }
            report
                .error(Code::Derive, loc, format!("`{text}` has several event types, so `{name}` cannot hold it"))
                .help("a variant holds a struct that derives `Event`; repeat the variants of the other enum instead");
        }
        Err(unreadable) => {
            let (message, help) = unreadable.explain(&text);
            report.error(Code::Derive, loc, message).help(help);
        }
    }
    None
}

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
use super::read::{group, open, refused, write_attributes, write_types};
use super::views;
use crate::code::{Piece, Scope, code};
use crate::diagnostic::{Code, Diagnostics, Loc};
use crate::slices::each;
use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree, token_stream};
use quote::ToTokens;
use syn::Item;

/// The derive. It never panics.
#[must_use]
pub fn derive(tokens: TokenStream) -> TokenStream {
    let _scope = Scope::open();
    let mut report = Diagnostics::default();
    let item = match syn::parse2::<Item>(tokens.clone()) {
        Ok(item) => item,
        Err(e) => {
            report.error(Code::Derive, e.span(), e.to_string());
            return report.into_tokens();
        }
    };
    let union = match &item {
        Item::Union(u) => Some((u.vis.clone(), u.ident.clone())),
        _ => None,
    };
    let Some(d) = definition(item, &mut report) else {
        let errors = report.into_tokens();
        let silent = union.map(|(visibility, name)| {
            carry::carry_nothing(&visibility, &name, &carry::mangled(&name, &tokens))
        });
        return code!([| silent, errors] #errors #silent).tokens();
    };
    let mut types = Piece::EMPTY;
    for t in &d.types {
        let name = &t.name;
        types.extend(match &t.body {
            Body::Fields { fields, .. } => {
                let attributes = write_attributes(&each(fields, |f| f.attribute.clone()), d.whole);
                code!([attributes | name] #name #attributes)
            }
            Body::Payload { path, .. } => code!([| path, name] #name (#path)),
        });
    }
    let schema = State {
        root: d.root.clone(),
        visibility: d.visibility.to_token_stream(),
        name: d.name.clone(),
        mangled: carry::mangled(&d.name, &tokens),
        done: TokenStream::new(),
        left: types.tokens(),
    }
    .proceed();
    let (items, errors) = (views::emit(&d), report.into_tokens());
    code!([items | errors, schema] #items #schema #errors).tokens()
}

/// A schema on its way, between two calls: `(root) (visibility) (name) (mangled) { done } { left }`.
struct State {
    root: TokenStream,
    visibility: TokenStream,
    name: Ident,
    mangled: Ident,
    /// `Name { attributes }` for each event type.
    done: TokenStream,
    /// The same, or `Name (path of the payload)`.
    left: TokenStream,
}

impl State {
    fn read(from: &mut token_stream::IntoIter) -> Option<State> {
        Some(State {
            root: group(from, Delimiter::Parenthesis)?,
            visibility: group(from, Delimiter::Parenthesis)?,
            name: syn::parse2(group(from, Delimiter::Parenthesis)?).ok()?,
            mangled: syn::parse2(group(from, Delimiter::Parenthesis)?).ok()?,
            done: group(from, Delimiter::Brace)?,
            left: group(from, Delimiter::Brace)?,
        })
    }

    /// Asks for the schema of the next payload, or defines the schema macro.
    fn proceed(mut self) -> TokenStream {
        let mut left = std::mem::take(&mut self.left).into_iter();
        while let Some(name) = left.next() {
            let held = left.next();
            if let Some(TokenTree::Group(g)) = &held
                && g.delimiter() == Delimiter::Parenthesis
            {
                let (path, left) = (g.stream(), left.collect::<TokenStream>());
                let State { root, visibility, name: of, mangled, done, .. } = self;
                return code! { [| left, done, mangled, of, visibility, name, root, path]
                    #path! { (#root::__private::derive_step) (#name) (#path) (#root) (#visibility) (#of) (#mangled) { #done } { #left } }
                }
                .tokens();
            }
            self.done.extend([name]);
            self.done.extend(held);
        }
        carry::carry(
            &self.visibility,
            &self.name,
            &self.mangled,
            write_types(&self.visibility, &self.name, Piece::of(&self.done)),
        )
        .tokens()
    }
}

/// Called back by a payload's schema macro: `{ schema } (event type) (path) state…`.
#[must_use]
pub fn step(tokens: TokenStream) -> TokenStream {
    let _scope = Scope::open();
    let mut report = Diagnostics::default();
    let mut from = tokens.into_iter();
    let parts = (|| {
        let schema = group(&mut from, Delimiter::Brace)?;
        let name: Ident = syn::parse2(group(&mut from, Delimiter::Parenthesis)?).ok()?;
        let path = group(&mut from, Delimiter::Parenthesis)?;
        Some((schema, name, path, State::read(&mut from)?))
    })();
    let Some((schema, name, path, mut state)) = parts else {
        report
            .error(Code::Derive, Span::call_site(), "this macro is a step of `#[derive(Event)]`")
            .help("write `#[derive(Event)]` on an enum or a struct");
        return report.into_tokens();
    };
    let text = path.to_string().replace(' ', "");
    let loc = Loc::of(&path);
    if let Some(refused) = refused(schema.clone()) {
        if !refused.why.is_empty() {
            report
                .error(
                    Code::Derive,
                    loc,
                    format!("`{name}` cannot hold results of `{text}`: {}", refused.why),
                )
                .help(refused.help);
        }
        let errors = report.into_tokens();
        let silent = carry::carry_nothing(&state.visibility, &state.name, &state.mangled);
        return code!([silent | errors] #errors #silent).tokens();
    }
    let attributes = match open(schema) {
        Ok((_, _, types)) => {
            let types: Vec<TokenTree> = types.into_iter().collect();
            if let [TokenTree::Ident(_), attributes @ TokenTree::Group(_)] = types.as_slice() {
                Some(attributes.clone())
            } else {
                report
                    .error(Code::Derive, loc, format!("`{text}` has several event types, so `{name}` cannot hold it"))
                    .help("a variant holds a struct that derives `Event`; repeat the variants of the other enum instead");
                None
            }
        }
        Err(unreadable) => {
            let (message, help) = unreadable.explain(&text);
            report.error(Code::Derive, loc, message).help(help);
            None
        }
    };
    let Some(attributes) = attributes else {
        let errors = report.into_tokens();
        let silent = carry::carry_nothing(&state.visibility, &state.name, &state.mangled);
        return code!([silent | errors] #errors #silent).tokens();
    };
    let done = state.done;
    state.done = code!([| attributes, name, done] #done #name #attributes).tokens();
    state.proceed()
}

//! Filter expressions as the generated guards hold them.
//!
//! `x.attr` becomes `(*x.attr)`, a place of the declared type, because views and kept attributes hold references; a nullable attribute that
//! is used by value becomes the variable that opens it. Done on tokens, so it reaches into the arguments of `matches!`, and every token of
//! the user's stays where it is.
use crate::check::ON_OPTION;
use crate::slices::{any, find};
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::quote_spanned;

/// A variable in scope of an expression.
pub(super) struct Variable<'a> {
    pub(super) name: &'a Ident,
    pub(super) attributes: Vec<Attribute<'a>>,
}

/// An attribute of it.
pub(super) struct Attribute<'a> {
    pub(super) name: &'a Ident,
    /// The field that holds a reference to it.
    pub(super) field: &'a Ident,
    /// It is an `Option`, and opened where it is used by value.
    pub(super) nullable: bool,
}

/// The name under which a nullable attribute is opened.
pub(super) fn opened(variable: &Ident, attribute: &Ident) -> Ident {
    let plain = |i: &Ident| i.to_string().trim_start_matches("r#").to_string();
    Ident::new(&format!("{}_{}_value", plain(variable), plain(attribute)), Span::mixed_site())
}

/// Rewrites the attribute reads of an expression.
pub(super) fn rewrite(tokens: TokenStream, variables: &[Variable<'_>]) -> TokenStream {
    let all: Vec<TokenTree> = tokens.into_iter().collect();
    let mut out = TokenStream::new();
    let mut i = 0;
    while i < all.len() {
        if let Some((read, used)) = read(&all, i, variables) {
            out.extend(read);
            i += used;
            continue;
        }
        match &all[i] {
            TokenTree::Group(g) => {
                let mut h = Group::new(g.delimiter(), rewrite(g.stream(), variables));
                h.set_span(g.span());
                out.extend([TokenTree::Group(h)]);
            }
            t => out.extend([t.clone()]),
        }
        i += 1;
    }
    out
}

fn is_punct(t: Option<&TokenTree>, c: char) -> bool {
    matches!(t, Some(TokenTree::Punct(p)) if p.as_char() == c)
}

/// `x.attr` at token `i`, and how many tokens it takes.
fn read(all: &[TokenTree], i: usize, variables: &[Variable<'_>]) -> Option<(TokenStream, usize)> {
    let TokenTree::Ident(x) = &all[i] else { return None };
    let TokenTree::Ident(member) = all.get(i + 2)? else { return None };
    if !is_punct(all.get(i + 1), '.')
        || (i > 0
            && is_punct(all.get(i - 1), '.')
            && !is_punct(i.checked_sub(2).and_then(|k| all.get(k)), '.'))
    {
        return None;
    }
    let v = find(variables, |v| v.name == x)?;
    let dot = &all[i + 1];
    let called = matches!(all.get(i + 3), Some(TokenTree::Group(g)) if g.delimiter() == proc_macro2::Delimiter::Parenthesis);
    if called {
        return None;
    }
    let attribute = find(&v.attributes, |a| a.name == member)?;
    let on_option = is_punct(all.get(i + 3), '.')
        && matches!(all.get(i + 4), Some(TokenTree::Ident(m)) if any(&ON_OPTION, |n| m == n));
    if attribute.nullable && !on_option {
        let mut value = opened(x, attribute.name);
        let span = Span::mixed_site().located_at(member.span());
        value.set_span(span);
        return Some((quote_spanned!(span=> (*#value)), 3));
    }
    let mut field = attribute.field.clone();
    field.set_span(member.span());
    Some((quote_spanned!(Span::mixed_site().located_at(x.span())=> (*#x #dot #field)), 3))
}

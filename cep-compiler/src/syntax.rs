//! Reading tokens, and making names.
//!
//! `syn::parse2` is compiled anew for each type that is read, some 300 lines of LLVM's language each time; here it is compiled once.
//! The iterators of `syn::punctuated` are boxed and come with every method that an iterator can have, for each type of element: what
//! stands in such a list is reached by its index.
use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree, token_stream};
use quote::ToTokens;
use std::fmt::Arguments;
use syn::meta::ParseNestedMeta;
use syn::parse::{Parse, ParseStream, Parser as _};
use syn::{Attribute, Path};

/// All of the tokens as one piece of syntax.
///
/// # Errors
///
/// If they are none, or if there are more.
pub(crate) fn read<T: Parse>(tokens: TokenStream) -> syn::Result<T> {
    let mut found = None;
    let read = whole(tokens, &mut |input| {
        found = Some(T::parse(input)?);
        Ok(())
    });
    match found {
        Some(found) if read.is_ok() => Ok(found),
        // without an error there is something
        _ => Err(read.err().unwrap_or_else(|| syn::Error::new(Span::call_site(), "nothing was read"))),
    }
}

/// Lets `rule` read the tokens.
///
/// # Errors
///
/// Those of the rule; and if it leaves tokens over.
pub(crate) fn whole(
    tokens: TokenStream,
    rule: &mut dyn FnMut(ParseStream<'_>) -> syn::Result<()>,
) -> syn::Result<()> {
    (|input: ParseStream<'_>| rule(input)).parse2(tokens)
}

/// Whether the tokens are a path without arguments: `a::b`.
pub(crate) fn is_path(tokens: TokenStream) -> bool {
    whole(tokens, &mut |input| Path::parse_mod_style(input).map(drop)).is_ok()
}

/// Reads what stands in an attribute's parentheses, one option after the other.
///
/// # Errors
///
/// Those of `one`; and if there are no parentheses, or no commas between.
pub(crate) fn options(
    attribute: &Attribute,
    one: &mut dyn FnMut(&ParseNestedMeta<'_>) -> syn::Result<()>,
) -> syn::Result<()> {
    attribute.parse_nested_meta(|meta| one(&meta))
}

/// The tokens as text without blanks.
pub(crate) fn tight(tokens: &dyn ToTokens) -> String {
    let mut tight = String::new();
    for part in tokens.to_token_stream().to_string().split_whitespace() {
        tight.push_str(part);
    }
    tight
}

/// The text as a name, unless it is none or a word of Rust.
pub(crate) fn name(text: &str) -> Option<Ident> {
    syn::parse_str(text).ok()
}

/// A name that is made up. It can be no word of Rust.
pub(crate) fn made(name: Arguments<'_>, at: Span) -> Ident {
    Ident::new(&name.to_string(), at)
}

/// One after the other.
pub(crate) fn trees(tokens: TokenStream) -> Vec<TokenTree> {
    tokens.into_iter().collect()
}

/// What stands inside the groups that come next, one for each of the opening brackets in `open`; nothing unless they all come.
pub(crate) fn groups(from: &mut token_stream::IntoIter, open: &str) -> Vec<TokenStream> {
    let mut all = Vec::new();
    for bracket in open.bytes() {
        let delimiter = match bracket {
            b'(' => Delimiter::Parenthesis,
            b'[' => Delimiter::Bracket,
            _ => Delimiter::Brace,
        };
        match from.next() {
            Some(TokenTree::Group(g)) if g.delimiter() == delimiter => all.push(g.stream()),
            _ => return Vec::new(),
        }
    }
    all
}

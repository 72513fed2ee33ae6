//! Reading tokens, and making names.
//!
//! `syn::parse2` is compiled anew for each type that is read, some 300 lines of LLVM's language each time, and so would be a generic
//! function around it; here all types that are read are variants of one.
//! The iterators of `syn::punctuated` are boxed and come with every method that an iterator can have, for each type of element: what
//! stands in such a list is reached by its index.
use crate::lex::is_keyword;
use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree, token_stream};
use quote::ToTokens;
use std::fmt::Arguments;
use syn::meta::ParseNestedMeta;
use syn::parse::{Parse as _, ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Item, Path, Result, Token, Type, Visibility};

/// The paths of a list.
pub(crate) type Paths = Punctuated<Path, Token![,]>;
/// A piece at the front, and how many tokens are left behind it.
type Front<T> = (T, usize);

macro_rules! syntaxes {
    ($($(#[$doc:meta])* $function:ident, $variant:ident($content:ty) = |$input:ident| $read:expr;)*) => {
        enum Syntax {
            $($variant($content),)*
        }
        $($(#[$doc])*
        pub(crate) fn $function(tokens: TokenStream) -> Result<$content> {
            match read(tokens, |$input| Ok(Syntax::$variant($read)))? {
                Syntax::$variant(content) => Ok(content),
                other => mixed_up(other),
            }
        })*
    };
}
syntaxes! {
    /// An expression.
    expr, Expr(Expr) = |input| Expr::parse(input)?;
    /// The longest expression that these begin with.
    expr_in_front, ExprFront(Front<Expr>) = |input| (Expr::parse(input)?, left(input)?);
    /// A type.
    ty, Type(Type) = |input| Type::parse(input)?;
    /// The longest type that these begin with.
    type_in_front, TypeFront(Front<Type>) = |input| (Type::parse(input)?, left(input)?);
    /// `pub` and the like, or nothing.
    visibility, Visibility(Visibility) = |input| Visibility::parse(input)?;
    /// `#[…]`
    attributes, Attributes(Vec<Attribute>) = |input| Attribute::parse_outer(input)?;
    /// Paths with commas between them.
    paths, Paths(Paths) = |input| Paths::parse_terminated(input)?;
    /// A path without generic arguments.
    plain_path, Path(Path) = |input| Path::parse_mod_style(input)?;
    /// A struct, an enum or the like.
    item, Item(Item) = |input| Item::parse(input)?;
}

fn left(input: ParseStream<'_>) -> Result<usize> {
    let rest = TokenStream::parse(input)?;
    Ok(rest.into_iter().count())
}

fn read(tokens: TokenStream, parse: fn(ParseStream<'_>) -> Result<Syntax>) -> Result<Syntax> {
    parse.parse2(tokens)
}

fn mixed_up(_: Syntax) -> ! {
    unreachable!("what is read is what was asked for")
}

/// Whether the tokens are a path without arguments: `a::b`.
pub(crate) fn is_path(tokens: TokenStream) -> bool {
    plain_path(tokens).is_ok()
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

/// The identifier that these tokens are, if they are one and no keyword. (syn's parser for it would be compiled once more here.)
pub(crate) fn identifier(tokens: TokenStream) -> Option<Ident> {
    let mut tokens = tokens.into_iter();
    let only = tokens.next()?;
    if tokens.next().is_some() {
        return None;
    }
    match only {
        TokenTree::Ident(i) if !is_keyword(&i.to_string()) => Some(i),
        // what a macro puts around a fragment
        TokenTree::Group(g) if g.delimiter() == Delimiter::None => identifier(g.stream()),
        _ => None,
    }
}

/// The only element of a list.
pub(crate) fn only<T, P>(list: &Punctuated<T, P>) -> Option<&T> {
    if list.len() == 1 { list.get(0) } else { None }
}

/// The text as a name, unless it is none or a word of Rust.
pub(crate) fn name(text: &str) -> Option<Ident> {
    identifier(text.parse().ok()?)
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

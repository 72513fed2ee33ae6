//! `code!`: source with holes, for what the compiler writes.
//!
//! It does what `quote!` does, but keeps its text as text until it is asked for. `quote!` turns every token into a call, which the
//! compiler of the user has to check and generate before the first pattern is compiled; a template is one call and one string.
//! The price is the list of holes in front: `code!([name, ty] #name: #ty)`. Holes behind a semicolon are slices, one element for
//! each turn of the `#( … ) *` they stand in: `code!([name; fields] #name { #(#fields,)* })`. `tests/templates.rs` holds every
//! list against its text. Where spans of the user's are wanted on fixed tokens, `quote_spanned!` is the means.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::ToTokens;

/// A template with its holes filled. See the module.
macro_rules! code {
    ([$($one:ident),* $(; $($each:ident),+)?] $($text:tt)*) => {
        $crate::code::fill(
            stringify!($($text)*),
            stringify!($($one)* $($($each)+)?),
            &[$(&$one),*],
            &[$($($crate::code::each(&$each)),+)?],
        )
    };
}
pub(crate) use code;

/// The elements of a repeated hole.
pub(crate) fn each<T: ToTokens>(elements: &[T]) -> Vec<&dyn ToTokens> {
    let mut all: Vec<&dyn ToTokens> = Vec::with_capacity(elements.len());
    for element in elements {
        all.push(element);
    }
    all
}

/// The holes of a template, by the order of their names.
struct Holes<'a> {
    names: &'a str,
    one: &'a [&'a dyn ToTokens],
    each: &'a [Vec<&'a dyn ToTokens>],
}

impl Holes<'_> {
    fn index(&self, name: &TokenTree) -> Option<usize> {
        let TokenTree::Ident(name) = name else { return None };
        self.names.split_ascii_whitespace().position(|hole| name == hole)
    }

    /// How often a repeated part is taken: as often as its shortest hole has elements.
    fn turns(&self, part: TokenStream) -> usize {
        let mut least = usize::MAX;
        let mut hole = false;
        for token in part {
            match &token {
                TokenTree::Group(group) => least = least.min(self.turns(group.stream())),
                TokenTree::Ident(_) if hole => {
                    let repeated = self.index(&token).and_then(|i| i.checked_sub(self.one.len()));
                    if let Some(elements) = repeated.and_then(|i| self.each.get(i)) {
                        least = least.min(elements.len());
                    }
                }
                _ => {}
            }
            hole = is(&token, '#');
        }
        least
    }

    /// `text` with the holes filled; in a repeated part, with the elements of its `turn`.
    fn put(&self, text: TokenStream, turn: Option<usize>, out: &mut Vec<TokenTree>) {
        let mut tokens = text.into_iter();
        let mut next = tokens.next();
        while let Some(token) = next {
            next = tokens.next();
            if is(&token, '#') {
                if let Some(i) = next.as_ref().and_then(|name| self.index(name)) {
                    self.hole(i, turn, out);
                    next = tokens.next();
                    continue;
                }
                if let Some(TokenTree::Group(part)) = &next
                    && part.delimiter() == Delimiter::Parenthesis
                {
                    let part = part.stream();
                    // `#( … ) separator? *`
                    let mut separator = Vec::new();
                    loop {
                        match tokens.next() {
                            Some(token) if !is(&token, '*') => separator.push(token),
                            _ => break,
                        }
                    }
                    for turn in 0..self.turns(part.clone()) {
                        if turn > 0 {
                            out.extend_from_slice(&separator);
                        }
                        self.put(part.clone(), Some(turn), out);
                    }
                    next = tokens.next();
                    continue;
                }
            }
            out.push(match token {
                TokenTree::Group(group) => {
                    let mut inner = Vec::new();
                    self.put(group.stream(), turn, &mut inner);
                    Group::new(group.delimiter(), inner.into_iter().collect()).into()
                }
                token => token,
            });
        }
    }

    fn hole(&self, i: usize, turn: Option<usize>, out: &mut Vec<TokenTree>) {
        let value = match self.one.get(i) {
            Some(value) => Some(value),
            None => {
                self.each.get(i - self.one.len()).zip(turn).and_then(|(elements, turn)| elements.get(turn))
            }
        };
        if let Some(value) = value {
            out.extend(value.to_token_stream());
        }
    }
}

fn is(token: &TokenTree, mark: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == mark)
}

/// What `code!` stands for: `names` are the holes of `one`, then those of `each`.
pub(crate) fn fill(
    text: &str,
    names: &str,
    one: &[&dyn ToTokens],
    each: &[Vec<&dyn ToTokens>],
) -> TokenStream {
    // a template is Rust tokens, which the compiler has seen as such before it made a string of them
    let Ok(text) = text.parse::<TokenStream>() else { return TokenStream::new() };
    let mut out = Vec::new();
    Holes { names, one, each }.put(text, None, &mut out);
    out.into_iter().collect()
}

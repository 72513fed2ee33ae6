//! `code!`: source with holes, for what the compiler writes.
//!
//! It does what `quote!` does, but keeps its text as text until it is asked for. `quote!` turns every token into a call, which the
//! compiler of the user has to check and generate before the first pattern is compiled; a template is one call and one string.
//! The price is the list of holes in front: `code!([name, ty] #name: #ty)`. Holes behind a semicolon are slices, one element for
//! each turn of the `#( … ) *` they stand in: `code!([name; fields] #name { #(#fields,)* })`. `tests/templates.rs` holds every
//! list against its text. Where spans of the user's are wanted on fixed tokens, `quote_spanned!` is the means.
//!
//! The text is read here and not by `TokenStream::from_str`: in a macro that is a round trip to the compiler, which keeps every
//! text as a source file of its own; it made an expansion three times as slow.

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::ToTokens;

/// A template with its holes filled. See the module.
macro_rules! code {
    ([$($one:ident),* $(; $($each:ident),+)?] $($text:tt)*) => {
        $crate::code::fill(
            concat!(stringify!($($text)*), "\0"),
            stringify!($($one)* $($($each)+)?),
            &[$(&$one),*],
            &[$($(&$each),+)?],
        )
    };
}
pub(crate) use code;

/// The elements of a repeated hole.
pub(crate) trait Elements {
    fn number(&self) -> usize;
    /// The element at an index below `number`.
    fn element(&self, i: usize) -> &dyn ToTokens;
}

impl<T: ToTokens> Elements for [T] {
    fn number(&self) -> usize {
        self.len()
    }
    fn element(&self, i: usize) -> &dyn ToTokens {
        &self[i]
    }
}

impl<T: ToTokens> Elements for Vec<T> {
    fn number(&self) -> usize {
        self.len()
    }
    fn element(&self, i: usize) -> &dyn ToTokens {
        &self[i]
    }
}

impl<E: Elements + ?Sized> Elements for &E {
    fn number(&self) -> usize {
        (**self).number()
    }
    fn element(&self, i: usize) -> &dyn ToTokens {
        (**self).element(i)
    }
}

/// What `code!` stands for: `names` are the holes of `one`, then those of `each`.
///
/// The text is what `stringify!` made of tokens (well formed, without comments), with a zero as its end.
pub(crate) fn fill(text: &str, names: &str, one: &[&dyn ToTokens], each: &[&dyn Elements]) -> TokenStream {
    let mut out = TokenStream::new();
    Template { text, bytes: text.as_bytes(), at: 0, names, one, each }.tokens(None, Some(&mut out));
    out
}

struct Template<'a> {
    text: &'a str,
    bytes: &'a [u8],
    /// The next byte to read.
    at: usize,
    /// The names of the holes.
    names: &'a str,
    one: &'a [&'a dyn ToTokens],
    each: &'a [&'a dyn Elements],
}

impl<'a> Template<'a> {
    /// The byte `ahead` of the next one, which is not behind the end.
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes[self.at + ahead]
    }

    /// Reads an identifier or a number.
    fn word(&mut self) -> &'a str {
        let start = self.at;
        // no calls in here: this is most of what reading a template costs in a build without optimisation
        while CLASSES[self.bytes[self.at] as usize] as u8 == Class::Word as u8 {
            self.at += 1;
        }
        &self.text[start..self.at]
    }

    /// Reads up to the end of the group, which is passed, or of the text. Without `out` nothing is written; the result is how many
    /// turns the repeated holes there have elements for.
    fn tokens(&mut self, turn: Option<usize>, mut out: Option<&mut TokenStream>) -> usize {
        let mut turns = usize::MAX;
        loop {
            while CLASSES[self.bytes[self.at] as usize] as u8 == Class::Space as u8 {
                self.at += 1;
            }
            let byte = self.bytes[self.at];
            match byte {
                0 => return turns,
                b')' | b']' | b'}' => {
                    self.at += 1;
                    return turns;
                }
                b'(' | b'[' | b'{' => {
                    self.at += 1;
                    let delimiter = match byte {
                        b'(' => Delimiter::Parenthesis,
                        b'[' => Delimiter::Bracket,
                        _ => Delimiter::Brace,
                    };
                    let mut inner = TokenStream::new();
                    let within = self.tokens(turn, out.is_some().then_some(&mut inner));
                    turns = turns.min(within);
                    put(&mut out, Group::new(delimiter, inner));
                }
                b'#' => {
                    self.at += 1;
                    if self.peek(0) == b'(' {
                        self.at += 1;
                        self.repeated(&mut out);
                    } else if in_word(self.peek(0)) {
                        let least = self.hole(turn, &mut out);
                        turns = turns.min(least);
                    } else {
                        put(&mut out, Punct::new('#', Spacing::Alone));
                    }
                }
                b'"' => self.literal(1, 0, &mut out),
                b'\'' => self.quote(&mut out),
                b'0'..=b'9' => {
                    let start = self.at;
                    self.word();
                    if self.peek(0) == b'.' && self.peek(1).is_ascii_digit() {
                        self.at += 1;
                        self.word();
                    }
                    self.put_literal(start, &mut out);
                }
                b'r' if self.peek(1) == b'"' => self.literal(2, 0, &mut out),
                b'r' if self.peek(1) == b'#' && self.peek(2) == b'"' => self.literal(3, 1, &mut out),
                b'r' if self.peek(1) == b'#' => {
                    self.at += 2;
                    let name = self.word();
                    put(&mut out, Ident::new_raw(name, Span::call_site()));
                }
                _ if in_word(byte) => {
                    let name = self.word();
                    put(&mut out, Ident::new(name, Span::call_site()));
                }
                _ => {
                    self.at += 1;
                    put(&mut out, Punct::new(char::from(byte), self.spacing()));
                }
            }
        }
    }

    /// Of the mark that was just read.
    fn spacing(&self) -> Spacing {
        let next = self.peek(0);
        if next.is_ascii_punctuation()
            && !matches!(next, b'#' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'"' | b'_' | b'\'')
        {
            Spacing::Joint
        } else {
            Spacing::Alone
        }
    }

    /// A lifetime or a character, at its quote.
    fn quote(&mut self, out: &mut Option<&mut TokenStream>) {
        if self.peek(1) == b'\\' || self.peek(2) == b'\'' {
            let start = self.at;
            self.at += if self.peek(1) == b'\\' { 3 } else { 2 };
            while self.peek(0) != b'\'' {
                self.at += 1;
            }
            self.at += 1;
            self.put_literal(start, out);
        } else {
            self.at += 1;
            put(out, Punct::new('\'', Spacing::Joint));
            let name = self.word();
            put(out, Ident::new(name, Span::call_site()));
        }
    }

    /// A text of which `opening` bytes stand up to and with its quote, with `hashes` behind the closing one. A raw one has no escapes.
    fn literal(&mut self, opening: usize, hashes: usize, out: &mut Option<&mut TokenStream>) {
        let start = self.at;
        self.at += opening;
        loop {
            match self.peek(0) {
                0 => break,
                b'\\' if opening == 1 => self.at += 2,
                b'"' if hashes == 0 || self.peek(1) == b'#' => {
                    self.at += 1 + hashes;
                    break;
                }
                _ => self.at += 1,
            }
        }
        self.put_literal(start, out);
    }

    fn put_literal(&self, start: usize, out: &mut Option<&mut TokenStream>) {
        if out.is_some()
            && let Ok(literal) = self.text[start..self.at].parse::<Literal>()
        {
            put(out, literal);
        }
    }

    /// A hole, at its name; how many elements it has where it is repeated.
    fn hole(&mut self, turn: Option<usize>, out: &mut Option<&mut TokenStream>) -> usize {
        let name = self.word();
        let Some(i) = self.index(name) else {
            return usize::MAX;
        };
        let value = if i < self.one.len() {
            self.one[i]
        } else {
            let elements = self.each[i - self.one.len()];
            match turn {
                Some(turn) if turn < elements.number() => elements.element(turn),
                _ => return elements.number(),
            }
        };
        if let Some(out) = out {
            value.to_tokens(out);
        }
        usize::MAX
    }

    /// Which hole has this name. The names stand with spaces between, in any number. (No calls in here either.)
    fn index(&self, name: &str) -> Option<usize> {
        let (names, name) = (self.names.as_bytes(), name.as_bytes());
        let (mut i, mut at) = (0, 0);
        while at < names.len() {
            if CLASSES[names[at] as usize] as u8 != Class::Word as u8 {
                at += 1;
                continue;
            }
            let start = at;
            let mut same = true;
            while at < names.len() && CLASSES[names[at] as usize] as u8 == Class::Word as u8 {
                same = same && at - start < name.len() && names[at] == name[at - start];
                at += 1;
            }
            if same && at - start == name.len() {
                return Some(i);
            }
            i += 1;
        }
        None
    }

    /// `#( … ) separator? *`, behind its parenthesis.
    fn repeated(&mut self, out: &mut Option<&mut TokenStream>) {
        let start = self.at;
        let turns = self.tokens(None, None);
        let end = self.at;
        let mut separator = end;
        while self.bytes[separator] != b'*' {
            separator += 1;
        }
        if let Some(out) = out {
            for turn in 0..turns {
                if turn > 0 {
                    self.at = end;
                    while self.at < separator {
                        let mark = self.peek(0);
                        self.at += 1;
                        if mark.is_ascii_punctuation() {
                            put(&mut Some(out), Punct::new(char::from(mark), self.spacing()));
                        }
                    }
                }
                self.at = start;
                self.tokens(Some(turn), Some(out));
            }
        }
        self.at = separator + 1;
    }
}

#[derive(Clone, Copy)]
enum Class {
    Space,
    Word,
    Other,
}

/// What a byte is part of.
static CLASSES: [Class; 256] = {
    let mut classes = [Class::Other; 256];
    let mut byte: u8 = 0;
    while byte < 128 {
        classes[byte as usize] = match byte {
            b' ' | b'\n' | b'\t' | b'\r' => Class::Space,
            b'_' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => Class::Word,
            _ => Class::Other,
        };
        byte += 1;
    }
    classes
};

fn in_word(byte: u8) -> bool {
    matches!(CLASSES[byte as usize], Class::Word)
}

fn put(out: &mut Option<&mut TokenStream>, token: impl Into<TokenTree>) {
    if let Some(out) = out {
        out.extend(Some(token.into()));
    }
}

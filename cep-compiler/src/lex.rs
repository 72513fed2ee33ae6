//! From a [`TokenStream`] to numbered lexemes.
//!
//! In: what stands between the braces of `cep! { … }`. Out: lexemes whose spans are token numbers (opening and closing delimiters have
//! numbers of their own), and a [`SpanTable`] from numbers back to the user's source. chumsky's spans must be cheap to copy, to compare
//! and to join; the compiler's own spans can do none of these on stable Rust.
//!
//! Groups without delimiters come from a user's own `macro_rules!`. The language looks through them; tokens for syn keep them, because
//! there they are what holds `$a + $b` together: see [`Fragment`].
use crate::diagnostic::{Code, Diagnostics, Loc};
use crate::slices::any;
use chumsky::span::{SimpleSpan, Span as _};
use proc_macro2::{Delimiter, Ident, Literal, Punct, Span, TokenStream, TokenTree};
use std::fmt;

/// Deepest nesting of delimiters: every stage may recurse over it.
pub const MOST_NESTING: usize = 48;

/// A range of token numbers.
pub type Range = SimpleSpan;

/// A token and its number.
pub type Lexeme = (Token, Range);

/// A token, or a group with its own lexemes.
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Set on the first token of a macro fragment.
    pub fragment: Option<Box<Fragment>>,
}

/// What a token is.
pub enum Kind {
    /// An identifier or keyword.
    Ident(Ident),
    /// One character of punctuation.
    Punct(Punct),
    /// A literal.
    Literal(Literal),
    /// `(…)`, `[…]`, `{…}`
    Group(Delimiter, Vec<Lexeme>, TokenTree),
}

/// A group without delimiters that begins at a token.
pub struct Fragment {
    /// The whole group, for syn.
    pub tree: TokenTree,
    /// How many lexemes it stands for.
    pub length: usize,
}

/// Where each numbered token stands.
#[derive(Default)]
pub struct SpanTable(Vec<Span>);

impl SpanTable {
    fn add(&mut self, span: Span) -> usize {
        self.0.push(span);
        self.0.len() - 1
    }

    /// The source of a range; of an empty range, the token at its start.
    #[must_use]
    pub fn loc(&self, range: Range) -> Loc {
        let at = |n: usize| self.0.get(n).or(self.0.last()).copied().unwrap_or_else(Span::call_site);
        Loc { first: at(range.start), last: at(range.end.saturating_sub(1).max(range.start)) }
    }
}

/// The lexemes of one call.
pub struct Lexed {
    /// The top level.
    pub lexemes: Vec<Lexeme>,
    /// From numbers to source.
    pub table: SpanTable,
}

/// Numbers all tokens; `None` if they nest too deep, which has then been reported.
pub fn lex(input: TokenStream, diagnostics: &mut Diagnostics) -> Option<Lexed> {
    let mut table = SpanTable::default();
    let mut lexemes = Vec::new();
    match read(input, 0, &mut table, &mut lexemes) {
        Ok(()) => Some(Lexed { lexemes, table }),
        Err(at) => {
            diagnostics
                .error(
                    Code::TooDeep,
                    at,
                    format!("delimiters nest deeper than the {MOST_NESTING} levels that are followed"),
                )
                .help("move the inner part into a function, or name a part of the pattern as a pattern of its own and use it with `on`");
            None
        }
    }
}

/// `Loop` for `r#Loop`, since Rust takes the two for one identifier. Words of Rust and of the language stay as they are: `r#type`.
pub(crate) fn plain(ident: Ident) -> Ident {
    let text = ident.to_string();
    match text.strip_prefix("r#") {
        Some(word) if !crate::parse::is_reserved(word) && !is_keyword(word) => Ident::new(word, ident.span()),
        _ => ident,
    }
}

/// Rust's keywords of all editions, as syn knows them, and `_`: nothing can be called so.
const KEYWORDS: &[&str] = &[
    "_", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do",
    "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "if", "impl", "in", "let", "loop",
    "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "Self", "self",
    "static", "struct", "super", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
    "virtual", "where", "while", "yield",
];

/// A word that nothing can be called by.
pub(crate) fn is_keyword(word: &str) -> bool {
    any(KEYWORDS, |k| *k == word)
}

fn read(input: TokenStream, depth: usize, table: &mut SpanTable, out: &mut Vec<Lexeme>) -> Result<(), Span> {
    for tree in input {
        let (kind, range) = match tree {
            TokenTree::Ident(i) => {
                let n = table.add(i.span());
                (Kind::Ident(plain(i)), n..n + 1)
            }
            TokenTree::Punct(p) => {
                let n = table.add(p.span());
                (Kind::Punct(p), n..n + 1)
            }
            TokenTree::Literal(l) => {
                let n = table.add(l.span());
                (Kind::Literal(l), n..n + 1)
            }
            TokenTree::Group(g) if depth >= MOST_NESTING => return Err(g.span_open()),
            TokenTree::Group(g) if g.delimiter() == Delimiter::None => {
                let before = out.len();
                read(g.stream(), depth + 1, table, out)?;
                let length = out.len() - before;
                if let Some((first, _)) = out.get_mut(before) {
                    first.fragment = Some(Box::new(Fragment { tree: g.into(), length }));
                }
                continue;
            }
            TokenTree::Group(g) => {
                let open = table.add(g.span_open());
                let mut inside = Vec::new();
                read(g.stream(), depth + 1, table, &mut inside)?;
                let close = table.add(g.span_close());
                (Kind::Group(g.delimiter(), inside, g.into()), open..close + 1)
            }
        };
        out.push((Token { kind, fragment: None }, Range::new((), range)));
    }
    Ok(())
}

impl Token {
    /// Back to what syn reads; a fragment is not looked at.
    #[must_use]
    pub fn tree(&self) -> TokenTree {
        match &self.kind {
            Kind::Ident(i) => i.clone().into(),
            Kind::Punct(p) => p.clone().into(),
            Kind::Literal(l) => l.clone().into(),
            Kind::Group(_, _, tree) => tree.clone(),
        }
    }

    /// It is this character.
    #[must_use]
    pub fn is(&self, character: char) -> bool {
        matches!(&self.kind, Kind::Punct(p) if p.as_char() == character)
    }

    /// The identifier, if it is one.
    #[must_use]
    pub fn ident(&self) -> Option<&Ident> {
        match &self.kind {
            Kind::Ident(i) => Some(i),
            _ => None,
        }
    }

    /// It is this word.
    #[must_use]
    pub fn is_word(&self, word: &str) -> bool {
        self.ident().is_some_and(|i| i == word)
    }
}

/// As an error message calls it.
impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Ident(i) => write!(f, "`{i}`"),
            Kind::Punct(p) => write!(f, "`{}`", p.as_char()),
            Kind::Literal(l) => write!(f, "`{l}`"),
            Kind::Group(Delimiter::Parenthesis, ..) => f.write_str("`(`"),
            Kind::Group(Delimiter::Bracket, ..) => f.write_str("`[`"),
            Kind::Group(..) => f.write_str("`{`"),
        }
    }
}

//! Rust inside a pattern: syn reads as far as it can, and the grammar goes on behind that.
use super::{
    raw::SuffixKind,
    rule::Reading,
    token::{CLAUSES, SUFFIXES, among},
    value::Value,
};
use crate::lex::{Kind, Lexeme, Range, Token};
use crate::slices::any;
use crate::syntax;
use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// syn recurses over its input (and so does the drop of what it makes), so what it is given has an end.
const MOST_TOKENS: usize = 512;
/// Tokens over which syn may recurse, counted over the whole piece.
const MOST_DEEP: usize = 80;

/// A piece of Rust.
pub(super) struct Embedded<T> {
    pub(super) outcome: Outcome<T>,
    /// What it took; of an error, up to where the grammar can go on.
    pub(super) range: Range,
}

pub(super) enum Outcome<T> {
    Read(Box<T>),
    /// There are no tokens for it.
    Missing,
    TooLong,
    Failed {
        error: syn::Error,
        /// `Name { 2 }` among the tokens: an iteration that was read as a struct literal.
        struct_literal: bool,
    },
}

/// The condition of a filter: the longest Rust expression from here.
pub(super) fn condition<'s>(rest: &'s [Lexeme]) -> Reading<'s> {
    let (condition, length) = Given::take(rest, false).read(rest, syntax::expr_in_front);
    Reading { value: Some(Value::SuffixKind(SuffixKind::Filter(condition))), length }
}

/// The type behind `on`.
pub(super) fn stream_type<'s>(rest: &'s [Lexeme]) -> Reading<'s> {
    let (stream, length) = Given::take(rest, true).read(rest, syntax::type_in_front);
    Reading { value: Some(Value::Stream(stream)), length }
}

/// syn's words for an error, without its long list of the beginnings of a type.
pub(super) fn reason(error: &syn::Error) -> String {
    let text = error.to_string();
    match text.split_once("expected one of: `for`") {
        Some((front, _)) => format!("{front}expected a type"),
        None => text,
    }
}

/// Too long or too deep for syn.
pub(super) fn too_much(lexemes: &[Lexeme]) -> bool {
    let mut load = Load::default();
    for (token, _) in lexemes {
        load.add(token);
    }
    load.too_much()
}

/// Tokens for syn, each with the number of lexemes it stands for.
#[derive(Default)]
struct Given {
    trees: Vec<TokenTree>,
    lengths: Vec<usize>,
    load: Load,
    /// Between the bars of a closure, as far as counting them tells.
    in_bars: bool,
    struct_literal: bool,
    /// `if` and the like were among the tokens: a brace behind a name may be their block.
    keywords: bool,
    /// A type ends at `=`, unless that is between `<` and `>`.
    is_type: bool,
    angles: bool,
    before: Before,
}

/// What the token in front was, as far as the end of an expression depends on it.
#[derive(Default, PartialEq, Eq, Clone, Copy)]
enum Before {
    #[default]
    Operator,
    Bar,
    /// Behind an operand: with a `>` it is the language's arrow, not a closure's.
    Minus,
    Tick,
    Name,
    Operand,
}

impl Given {
    /// The tokens up to where no Rust goes on.
    fn take(lexemes: &[Lexeme], is_type: bool) -> Self {
        let mut given = Given { is_type, ..Given::default() };
        let mut at = 0;
        while let Some((token, _)) = lexemes.get(at) {
            if given.ends_at(token) {
                break;
            }
            at += given.push(token);
        }
        given
    }

    /// No Rust expression goes beyond this token. (syn would find most of these ends itself; but what it is handed is copied, and it
    /// should not be handed the whole rest for every filter of a long chain.)
    fn ends_at(&mut self, token: &Token) -> bool {
        let operand = matches!(self.before, Before::Operand | Before::Name);
        match &token.kind {
            Kind::Punct(p) if p.as_char() == ';' => true,
            Kind::Punct(p) if p.as_char() == '=' && self.is_type => !self.angles,
            Kind::Punct(p) if p.as_char() == '>' && self.before == Before::Minus => {
                self.trees.pop();
                self.lengths.pop();
                true
            }
            Kind::Punct(p) if p.as_char() == ':' && p.spacing() == Spacing::Alone => operand && !self.in_bars,
            Kind::Ident(i) if operand => among(i, CLAUSES) || among(i, SUFFIXES) || i == "or" || i == "not",
            _ => false,
        }
    }

    /// How many lexemes the token stands for.
    fn push(&mut self, token: &Token) -> usize {
        let (tree, length) = match &token.fragment {
            Some(f) => (f.tree.clone(), f.length.max(1)),
            None => (token.tree(), 1),
        };
        self.load.add(token);
        let mut before = Before::Operand;
        match &token.kind {
            Kind::Punct(p) => {
                self.angles |= p.as_char() == '<';
                before = match p.as_char() {
                    '|' => {
                        self.in_bars = !self.in_bars;
                        Before::Bar
                    }
                    '-' if matches!(self.before, Before::Operand | Before::Name) => Before::Minus,
                    '\'' => Before::Tick,
                    '?' => Before::Operand,
                    _ => Before::Operator,
                };
            }
            Kind::Ident(i) if any(RUST_WORDS, |w| i == w) => {
                self.keywords |= i != "as";
                before = Before::Operator;
            }
            Kind::Ident(_) => {
                before = if self.before == Before::Tick { Before::Operator } else { Before::Name };
            }
            Kind::Group(delimiter, inside, _) => {
                self.struct_literal |= *delimiter == Delimiter::Brace
                    && !self.keywords
                    && self.before == Before::Name
                    && matches!(inside.first(), Some((Token { kind: Kind::Literal(_), .. }, _)))
                    && inside.len() <= 3;
            }
            Kind::Literal(_) => {}
        }
        self.before = before;
        self.trees.push(tree);
        self.lengths.push(length);
        length
    }

    /// Reads with syn; the other is how many of the lexemes that takes.
    fn read<T>(
        self,
        lexemes: &[Lexeme],
        read: fn(TokenStream) -> syn::Result<(T, usize)>,
    ) -> (Embedded<T>, usize) {
        let mut length: usize = self.lengths.iter().sum();
        let outcome = if self.trees.is_empty() {
            Outcome::Missing
        } else if self.load.too_much() {
            Outcome::TooLong
        } else {
            let stream: TokenStream = self.trees.into_iter().collect();
            match read(stream) {
                Ok((read, rest)) => {
                    let trees = self.lengths.len().saturating_sub(rest);
                    length = self.lengths.iter().take(trees).sum();
                    Outcome::Read(Box::new(read))
                }
                Err(error) => Outcome::Failed { error, struct_literal: self.struct_literal },
            }
        };
        let start = lexemes.first().map_or(0, |(_, r)| r.start);
        // an item can end within a fragment
        let taken = lexemes.get(..length).unwrap_or(lexemes);
        let end = taken.last().map_or(start, |(_, r)| r.end);
        (Embedded { outcome, range: (start..end).into() }, length)
    }
}

/// A type that is a path; in `qualified` ones, `<A as B>::C` is one too.
pub(super) fn is_path(mut ty: &syn::Type, qualified: bool) -> bool {
    // a type from a user's own macro_rules comes in a group
    while let syn::Type::Group(g) = ty {
        ty = &g.elem;
    }
    matches!(ty, syn::Type::Path(p) if qualified || p.qself.is_none())
}

/// The path of a type, if these are one.
pub(super) fn type_path(path: &[Lexeme]) -> Option<TokenStream> {
    if path.is_empty() || too_much(path) {
        return None;
    }
    let found = super::splits::tokens(path);
    let ty = syntax::ty(found.clone()).ok()?;
    is_path(&ty, true).then_some(found)
}

const RUST_WORDS: &[&str] = &[
    "return", "break", "if", "else", "match", "move", "unsafe", "let", "in", "while", "for", "loop", "async",
    "static", "const", "yield", "become", "box", "dyn", "impl", "mut", "ref", "as",
];

/// How much there is to read, and how deep syn could have to go for it.
#[derive(Default)]
struct Load {
    tokens: usize,
    deep: usize,
    /// Punctuation since the last operand; at the start, as if there had been much.
    run: Option<usize>,
    joint: bool,
}

impl Load {
    fn too_much(&self) -> bool {
        self.tokens > MOST_TOKENS || self.deep > MOST_DEEP
    }

    fn add(&mut self, token: &Token) {
        self.tokens += 1;
        let joint = std::mem::take(&mut self.joint);
        match &token.kind {
            // Stays behind its operand.
            Kind::Punct(p) if p.as_char() == '?' => {}
            Kind::Punct(p) => {
                let c = p.as_char();
                self.joint = p.spacing() == Spacing::Joint;
                // After an operator of two characters, or at a start, it is a prefix; assignments, closures and generic
                // arguments nest to the right.
                let prefix = self.run.is_none_or(|n| n >= 2);
                let nests = match c {
                    '<' => true,
                    '=' => !joint && !self.joint,
                    '|' => !joint,
                    _ => false,
                };
                self.deep += usize::from(prefix || nests);
                self.run = self.run.map(|n| n + 1);
            }
            Kind::Ident(i) if i == "as" => self.run = Some(0),
            Kind::Ident(i) if any(RUST_WORDS, |w| i == w) => {
                self.deep += 1;
                self.run = None;
            }
            Kind::Ident(_) | Kind::Literal(_) => self.run = Some(0),
            Kind::Group(delimiter, inside, _) => {
                self.run = None;
                for (t, _) in inside {
                    self.add(t);
                }
                self.joint = false;
                self.run = (*delimiter != Delimiter::Brace).then_some(0);
            }
        }
    }
}

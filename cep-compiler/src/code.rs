//! `code!`: source with holes, for what the compiler writes.
//!
//! It does what `quote!` does, but keeps its text as text until it is asked for. `quote!` turns every token into a call, which the
//! compiler of the user has to check and generate before the first pattern is compiled; a template is one call and one string.
//! The price is the list of holes in front: `code!([name, ty] #name: #ty)`. Holes behind a semicolon are slices, one element for
//! each turn of the `#( … ) *` they stand in: `code!([name; fields] #name { #(#fields,)* })`. `tests/templates.rs` holds every
//! list against its text. Where spans of the user's are wanted on fixed tokens, [`Piece::at`] is the means.
//!
//! The text is read here and not by `TokenStream::from_str`: in a macro that is a round trip to the compiler, which keeps every
//! text as a source file of its own; it made an expansion three times as slow.
//!
//! A template gives a [`Piece`] and no `TokenStream`: a number or two that say where its tokens lie among all that was written so far
//! on this thread. A `TokenStream` has a destructor, so each one that a function holds makes rustc generate a way out of every call
//! behind it, for the panic that never comes; in a crate whose work is to put pieces together that was a good part of its build time. A
//! `Piece` is `Copy` and drops nothing. It also makes expansions faster: a hole is filled with where the piece is, not with its tokens,
//! and the tokens go to the compiler once, group by group, when [`Piece::tokens`] asks for them.
//!
//! What was written is given up when the [`Scope`] ends under which it was, so nothing is left behind, whatever happens in between. Each
//! function through which this crate is entered, and which writes, opens one. They nest: what is older stays.

mod pieces;
mod template;

pub(crate) use pieces::{Pieces, indexed_pieces, numbered_pieces, picked_pieces, pieces, pieces_of};
use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};
use quote::ToTokens;
use std::cell::RefCell;
use std::fmt;
use template::Template;

thread_local! {
    /// All that the open scopes have written.
    static WRITTEN: RefCell<Written> = const { RefCell::new(Written { entries: Vec::new(), pieces: Vec::new(), lists: Vec::new() }) };
}

struct Written {
    entries: Vec<Entry>,
    /// Where each piece lies: from the first entry to before the second.
    pieces: Vec<(usize, usize)>,
    /// What fills repeated holes.
    lists: Vec<Vec<Piece>>,
}

impl Written {
    /// What was written since there were `start` entries.
    fn since(&mut self, start: usize) -> Piece {
        if start == self.entries.len() { Piece::EMPTY } else { self.piece(start, self.entries.len()) }
    }

    fn piece(&mut self, start: usize, end: usize) -> Piece {
        self.pieces.push((start, end));
        // four billion pieces do not fit into memory
        Piece(u32::try_from(self.pieces.len()).unwrap_or(0))
    }

    /// Where a piece lies, nowhere if the scope is gone under which it was made.
    fn range(&self, piece: Piece) -> (usize, usize) {
        let at = (piece.0 as usize).wrapping_sub(1);
        if at < self.pieces.len() { self.pieces[at] } else { (0, 0) }
    }
}

/// Of what was written. A group is what stands between `Open` and `Close`.
pub(crate) enum Entry {
    Token(TokenTree),
    /// Where the group stands in the source, if anywhere.
    Open(Delimiter, Option<Span>),
    Close,
    /// What an earlier piece holds.
    Piece(Piece),
}

/// How long what is written is kept. See the module.
pub(crate) struct Scope {
    entries: usize,
    pieces: usize,
    lists: usize,
}

impl Scope {
    pub(crate) fn open() -> Scope {
        WRITTEN.with_borrow(|w| Scope {
            entries: w.entries.len(),
            pieces: w.pieces.len(),
            lists: w.lists.len(),
        })
    }
}

impl Drop for Scope {
    fn drop(&mut self) {
        WRITTEN.with_borrow_mut(|written| {
            written.entries.truncate(self.entries);
            written.pieces.truncate(self.pieces);
            written.lists.truncate(self.lists);
        });
    }
}

/// Generated source, by its number among all pieces. Means something as long as the scope is open under which it was made.
#[derive(Clone, Copy)]
pub(crate) struct Piece(u32);

impl Piece {
    /// No token.
    pub(crate) const EMPTY: Piece = Piece(0);

    /// What fills a hole, as a piece.
    pub(crate) fn of(hole: &dyn Hole) -> Piece {
        WRITTEN.with_borrow_mut(|written| {
            let start = written.entries.len();
            hole.write(&mut written.entries);
            written.since(start)
        })
    }

    /// Words, whole numbers and single marks, as written in `text`.
    pub(crate) fn words(text: &str) -> Piece {
        let mut text = String::from(text);
        text.push('\0');
        plain(&text, "", &[])
    }

    /// A text as a literal.
    pub(crate) fn text(text: fmt::Arguments<'_>) -> Piece {
        Piece::of(&text.to_string())
    }

    /// An identifier.
    pub(crate) fn name(name: fmt::Arguments<'_>, span: Span) -> Piece {
        Piece::of(&crate::syntax::made(name, span))
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Puts `more` behind.
    pub(crate) fn extend(&mut self, more: Piece) {
        if self.is_empty() {
            *self = more;
        } else if !more.is_empty() {
            *self = self.and(more);
        }
    }

    fn and(self, more: Piece) -> Piece {
        WRITTEN.with_borrow_mut(|written| {
            let ((start, end), (next, last)) = (written.range(self), written.range(more));
            if end == next {
                return written.piece(start, last);
            }
            let start = written.entries.len();
            written.entries.push(Entry::Piece(self));
            written.entries.push(Entry::Piece(more));
            written.since(start)
        })
    }

    /// The same at a place in the source, where rustc then points: for the `code!` in front of it. What fills a hole as a piece stays
    /// where it is.
    pub(crate) fn at(self, place: Span) -> Piece {
        WRITTEN.with_borrow_mut(|written| {
            let (mut i, end) = written.range(self);
            while i < end && i < written.entries.len() {
                match &mut written.entries[i] {
                    Entry::Token(token) => token.set_span(place),
                    Entry::Open(_, span) => *span = Some(place),
                    Entry::Close | Entry::Piece(_) => {}
                }
                i += 1;
            }
        });
        self
    }

    /// The tokens.
    pub(crate) fn tokens(self) -> TokenStream {
        WRITTEN.with_borrow(|written| {
            let mut tokens = Vec::new();
            self.read(written, &mut tokens, &mut Vec::new());
            tokens.into_iter().collect()
        })
    }

    /// Appends the tokens; `open` are the groups around, each with where it begins.
    fn read(
        self,
        written: &Written,
        tokens: &mut Vec<TokenTree>,
        open: &mut Vec<(Delimiter, Option<Span>, usize)>,
    ) {
        let (mut i, end) = written.range(self);
        while i < end && i < written.entries.len() {
            match &written.entries[i] {
                Entry::Token(token) => tokens.push(token.clone()),
                Entry::Open(delimiter, span) => open.push((*delimiter, *span, tokens.len())),
                Entry::Close => {
                    if let Some((delimiter, span, start)) = open.pop() {
                        let inside = tokens.split_off(start).into_iter().collect();
                        let mut group = Group::new(delimiter, inside);
                        if let Some(span) = span {
                            group.set_span(span);
                        }
                        tokens.push(group.into());
                    }
                }
                Entry::Piece(piece) => piece.read(written, tokens, open),
            }
            i += 1;
        }
    }
}

/// As source, for names in texts.
impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.tokens().to_string())
    }
}

impl ToTokens for Piece {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(self.tokens());
    }
}

/// What a hole can be filled with. None of them writes pieces itself.
pub(crate) trait Hole {
    fn write(&self, written: &mut Vec<Entry>);
}

impl Hole for Piece {
    fn write(&self, written: &mut Vec<Entry>) {
        if !self.is_empty() {
            written.push(Entry::Piece(*self));
        }
    }
}

impl Hole for Ident {
    fn write(&self, written: &mut Vec<Entry>) {
        written.push(Entry::Token(self.clone().into()));
    }
}

impl Hole for str {
    fn write(&self, written: &mut Vec<Entry>) {
        written.push(Entry::Token(Literal::string(self).into()));
    }
}

impl Hole for String {
    fn write(&self, written: &mut Vec<Entry>) {
        self.as_str().write(written);
    }
}

impl Hole for Literal {
    fn write(&self, written: &mut Vec<Entry>) {
        written.push(Entry::Token(self.clone().into()));
    }
}

impl<T: Hole + ?Sized> Hole for &T {
    fn write(&self, written: &mut Vec<Entry>) {
        (**self).write(written);
    }
}

impl<T: Hole> Hole for Option<T> {
    fn write(&self, written: &mut Vec<Entry>) {
        if let Some(hole) = self {
            hole.write(written);
        }
    }
}

fn write_tokens(hole: &dyn ToTokens, written: &mut Vec<Entry>) {
    for token in hole.to_token_stream() {
        written.push(Entry::Token(token));
    }
}

macro_rules! holes {
    ($($ty:ty),*) => {
        $(impl Hole for $ty {
            fn write(&self, written: &mut Vec<Entry>) {
                write_tokens(self, written);
            }
        })*
    };
}
holes!(
    TokenStream,
    TokenTree,
    u8,
    u64,
    i128,
    usize,
    f64,
    bool,
    syn::Type,
    syn::Visibility,
    syn::ImplGenerics<'_>,
    syn::TypeGenerics<'_>,
    syn::WhereClause,
    syn::Path,
    syn::WherePredicate,
    syn::Attribute,
    syn::Expr,
    syn::BinOp,
    syn::Pat,
    i64
);

/// A template with its holes filled. See the module.
macro_rules! code {
    ([$($one:ident),*] $($text:tt)*) => {
        $crate::code::plain(concat!(stringify!($($text)*), "\0"), stringify!($($one)*), &[$($one),*])
    };
    ([$($one:ident),* $(| $($any:ident),+)? $(; $($each:ident),+)?] $($text:tt)*) => {
        $crate::code::fill(
            concat!(stringify!($($text)*), "\0"),
            stringify!($($one)* $($($any)+)? $($($each)+)?),
            &[$($one),*],
            &[$($(&$any),+)?],
            &[$($($each),+)?],
        )
    };
}
pub(crate) use code;

/// What `code!` stands for: `names` are the holes of `one`, then those of `any`, then those of `each`.
///
/// The text is what `stringify!` made of tokens (well formed, without comments), with a zero as its end.
pub(crate) fn fill(text: &str, names: &str, one: &[Piece], any: &[&dyn Hole], each: &[Pieces]) -> Piece {
    WRITTEN.with_borrow_mut(|all| {
        let start = all.entries.len();
        let (span, written, lists) = (Span::call_site(), &mut all.entries, &all.lists[..]);
        Template { text, bytes: text.as_bytes(), at: 0, names, one, any, each, span, written, lists }
            .tokens(None, true);
        all.since(start)
    })
}

/// The same where all holes are pieces.
pub(crate) fn plain(text: &str, names: &str, one: &[Piece]) -> Piece {
    fill(text, names, one, &[], &[])
}

#[cfg(test)]
mod tests {
    use super::{Piece, Scope, WRITTEN};
    use std::panic::catch_unwind;

    fn written() -> usize {
        WRITTEN.with_borrow(|w| w.entries.len() + w.pieces.len() + w.lists.len())
    }

    #[test]
    fn a_piece_is_read_where_it_is_used() {
        let _scope = Scope::open();
        let name = proc_macro2::Ident::new("a", proc_macro2::Span::call_site());
        let field = code!([| name] #name: (0, "it's", "\n", 1.5, 'x', &'static u8));
        let mut fields = Piece::EMPTY;
        for _ in 0..3 {
            // not side by side
            let _ = code!([] unused);
            fields.extend(code!([field] { #field },));
        }
        let all = super::pieces_of(&[field, Piece::EMPTY, field]);
        let whole = code!([fields; all] struct S [#fields] #((#all))* #);
        let expected = quote::quote! {
            struct S [
                { a: (0, "it's", "\n", 1.5, 'x', &'static u8) }, { a: (0, "it's", "\n", 1.5, 'x', &'static u8) },
                { a: (0, "it's", "\n", 1.5, 'x', &'static u8) },
            ] (a: (0, "it's", "\n", 1.5, 'x', &'static u8)) () (a: (0, "it's", "\n", 1.5, 'x', &'static u8)) #
        };
        assert_eq!(whole.tokens().to_string(), expected.to_string());
    }

    #[test]
    fn scopes_nest_and_leave_nothing() {
        let outer = Scope::open();
        let older = code!([] older);
        {
            let _inner = Scope::open();
            let (younger, of_both) = (code!([] younger), code!([older] #older and));
            assert_eq!(code!([of_both, younger] #of_both #younger).tokens().to_string(), "older and younger");
        }
        assert_eq!(older.tokens().to_string(), "older");
        drop(outer);
        assert_eq!(written(), 0);
    }

    #[test]
    fn a_panic_leaves_nothing() {
        let caught = catch_unwind(|| {
            let _scope = Scope::open();
            let _ = code!([] lost);
            panic!("on the way");
        });
        assert!(caught.is_err());
        assert_eq!(written(), 0);
    }
}

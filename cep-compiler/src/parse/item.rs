//! Items: where they end, their fronts, and the grammar of a whole one.
use super::{
    clauses, formula,
    raw::{Body, Item, Pattern},
    rule::{
        Rule::{self, All, First, Group, Here, Make, Many, Maybe, Name, Punct, Read, Until},
        punct, word,
    },
    rust::stream_type,
    value::{Value, range},
};
use crate::lex::{Kind, Lexeme, Range, Token};
use crate::slices::{all, any};
use proc_macro2::Delimiter;

/// One item's lexemes, without the `;`.
pub(super) struct Slice<'s> {
    pub(super) lexemes: &'s [Lexeme],
    /// Where its input ends.
    pub(super) end: Range,
    /// It ends because the next item begins, without a `;`.
    pub(super) unfinished: bool,
}

/// Cuts a call into items, so that a broken one hides no error of the next. A `;` ends an item when what follows begins one, or nothing
/// does: inside a formula an element follows, and no event type is called `pattern`.
pub(super) fn items(all: &[Lexeme]) -> Vec<Slice<'_>> {
    let mut out = Vec::new();
    let mut rest = all;
    while !rest.is_empty() {
        let cut = (0..rest.len()).find_map(|i| match rest.get(i..)? {
            [(semicolon, at), behind @ ..] if semicolon.is(';') && (behind.is_empty() || begins(behind)) => {
                Some((i, *at, false, behind))
            }
            behind @ [(_, at), ..]
                if i > 0 && begins_surely(behind) && !rest.get(..i).is_some_and(is_front) =>
            {
                Some((i, *at, true, behind))
            }
            _ => None,
        });
        let (length, end, unfinished, behind) = cut.unwrap_or_else(|| {
            let end = rest.last().map_or(0, |(_, r)| r.end);
            (rest.len(), (end.saturating_sub(1)..end).into(), false, &[])
        });
        if let Some(lexemes) = rest.get(..length).filter(|l| !l.is_empty()) {
            out.push(Slice { lexemes, end, unfinished });
        }
        rest = behind;
    }
    out
}

fn begins(behind: &[Lexeme]) -> bool {
    matches!(behind.first(), Some((t, _)) if t.is('#') || any(&["pub", "pattern", "window"], |w| t.is_word(w)))
}

/// `pattern Name on`, `pattern Name(…)` or `window Name on`: an item even without a `;` in front.
fn begins_surely(behind: &[Lexeme]) -> bool {
    let on = |t: &Token| t.is_word("on") || matches!(&t.kind, Kind::Group(Delimiter::Parenthesis, ..));
    match behind {
        [(p, _), (n, _), (o, _), ..] if p.is_word("pub") => {
            n.is_word("pattern") && o.ident().is_some()
                || matches!(&n.kind, Kind::Group(..)) && o.is_word("pattern")
        }
        [(p, _), (n, _), (o, _), ..] => {
            p.is_word("pattern") && n.ident().is_some() && on(o)
                || p.is_word("window") && n.ident().is_some() && o.is_word("on")
        }
        _ => false,
    }
}

/// Nothing but attributes and a visibility.
fn is_front(lexemes: &[Lexeme]) -> bool {
    let front = |t: &Token| t.is('#') || t.is_word("pub") || matches!(&t.kind, Kind::Group(..));
    all(lexemes, |(t, _)| front(t))
}

/// The grammar of an item.
pub(super) const ITEM: Rule = Make(
    &[
        Many(&[Punct('#', "`#[…]`"), Group(Delimiter::Bracket, "`[…]`")]),
        Maybe(&[Make(&[word!("pub"), Maybe(&[Group(Delimiter::Parenthesis, "`(`")])], range)]),
        First(&[
            All(&[Make(&[word!("pattern")], range), PATTERN]),
            All(&[
                Make(&[word!("window")], range),
                Make(&[Name("a name")], |parts, _| Value::Body(Body::Window(parts.one()))),
                Until(|_| false),
            ]),
        ]),
    ],
    |parts, _| {
        let (attributes, visibility) = (parts.all(), parts.maybe());
        let (keyword, body) = (parts.one(), parts.one());
        Value::Item(Item { attributes, visibility, keyword, body })
    },
);

const PATTERN: Rule = Make(
    &[
        Name("a name"),
        Maybe(&[Group(Delimiter::Parenthesis, "`(`")]),
        Maybe(&[word!("on"), Read(stream_type)]),
        Here,
        Maybe(&[Make(&[punct!('=')], range)]),
        formula::TOP,
        clauses::CLAUSES,
        formula::REST,
    ],
    |parts, _| {
        let (name, parameters, on, head_end) = (parts.one(), parts.maybe(), parts.maybe(), parts.one());
        let (equals, level, clauses, rest) = (parts.maybe(), parts.one(), parts.all(), parts.maybe());
        let pattern = Pattern { name, parameters, on, equals, head_end, level, clauses, rest };
        Value::Body(Body::Pattern(Box::new(pattern)))
    },
);

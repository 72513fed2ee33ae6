//! The user's own tokens as text, for the readings that an error shows.
use crate::lex::{Kind, Lexeme, Range};
use proc_macro2::{Delimiter, Spacing};

/// More than this is cut short: a help line should stay one.
const MOST: usize = 120;

/// The lexemes of one level that lie in `range`, spaced as people write them.
pub(super) fn text(level: &[Lexeme], range: Range) -> String {
    let mut out = String::new();
    // Lexemes stand in the order of their numbers.
    let from = level.partition_point(|(_, r)| r.start < range.start);
    let to = level.partition_point(|(_, r)| r.end <= range.end);
    write(level.get(from..to).unwrap_or_default(), &mut out);
    if out.chars().count() > MOST {
        out = out.chars().take(MOST - 1).collect();
        out.push('…');
    }
    out
}

fn write(lexemes: &[Lexeme], out: &mut String) {
    // Whether the token in front wants no space behind it.
    let mut tight = true;
    let mut callee = false;
    for (token, _) in lexemes {
        if out.len() > 4 * MOST {
            return;
        }
        let sticks = match &token.kind {
            Kind::Punct(p) => matches!(p.as_char(), '.' | ',' | '?' | '+' | '*'),
            Kind::Group(Delimiter::Parenthesis | Delimiter::Bracket, ..) => callee,
            _ => false,
        };
        // `*` and `+` stand close behind an element and apart in arithmetic; close is never wrong to read.
        if !tight && !sticks {
            out.push(' ');
        }
        tight = false;
        callee = false;
        match &token.kind {
            Kind::Group(delimiter, inside, _) => {
                let (open, close) = match delimiter {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Bracket => ("[", "]"),
                    _ => ("{ ", " }"),
                };
                out.push_str(open);
                write(inside, out);
                out.push_str(close);
            }
            Kind::Ident(i) => {
                let word = i.to_string();
                callee = !super::token::among(i, super::token::RESERVED);
                out.push_str(&word);
            }
            Kind::Punct(p) => {
                out.push(p.as_char());
                tight = matches!(p.as_char(), '.' | '&' | '!') || p.spacing() == Spacing::Joint;
            }
            Kind::Literal(l) => out.push_str(&l.to_string()),
        }
    }
}

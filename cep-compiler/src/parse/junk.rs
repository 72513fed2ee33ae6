//! Tokens that continue nothing, and what was probably meant.
use super::{
    report::Reporter,
    token::{CLAUSES, RESERVED, SUFFIXES, among},
};
use crate::{
    diagnostic::Code,
    lex::{Kind, Lexeme, Range},
    nearest::nearest,
};

/// Tokens where an operator, a suffix or the end belongs.
pub(super) fn report(at: Range, lexemes: &[Lexeme], top: bool, reporter: &mut Reporter<'_>) {
    let start = lexemes.partition_point(|(_, r)| r.start < at.start);
    let mut from = lexemes.iter().skip(start).map(|(t, _)| t);
    let (Some(found), behind) = (from.next(), from.next()) else { return };
    let first = (at.start..at.start + 1).into();
    if found.is_word("as") {
        let what = if behind.is_some() { "one name, directly behind an element" } else { "a name behind it" };
        reporter
            .error(Code::Syntax, first, format!("`as` needs {what}"))
            .help("write `A as a`; in front of a `filter`, not behind it");
        return;
    }
    let end = if top { "a clause" } else { "`)`" };
    let d = reporter.error(
        Code::Syntax,
        first,
        format!("expected `;`, `:`, `->`, `or`, a suffix or {end}, found {found}"),
    );
    match &found.kind {
        Kind::Ident(i) if i == "not" => {
            d.help("an operator stands in front of `not`: `A ; not B ; C`");
        }
        Kind::Ident(i) if !top && among(i, CLAUSES) => {
            d.help(format!(
                "`{i}` is a clause of the whole pattern: write it behind the formula, outside the parentheses"
            ));
        }
        Kind::Ident(i) if !among(i, RESERVED) => {
            let word = i.to_string();
            let mut known = SUFFIXES.to_vec();
            known.extend_from_slice(&["as", "or"]);
            let near = nearest(&word, &known).filter(|_| word.starts_with(char::is_lowercase));
            match near {
                    Some(near) => d.help(format!("did you mean `{near}`?")),
                    None => d.help(format!("write an operator in front of it: `; {word}` (any gap), `: {word}` (no gap), `-> {word}` (the next one)")),
                };
        }
        Kind::Ident(i) => {
            d.help(format!("`{i}` is a word of the language that cannot stand here; a formula is `A as a ; B as b filter b.v > a.v`"));
        }
        Kind::Group(proc_macro2::Delimiter::Brace, ..) => {
            d.help(
                "a count stands directly behind an event type or a group: `A{2}`, `(A filter a.v > 3){2}`",
            );
        }
        Kind::Punct(p) if p.as_char() == '?' => {
            d.help("`?` stands directly behind an event type or a group: `B? ; C`");
        }
        Kind::Punct(p) if p.as_char() == '|' => {
            d.help("alternatives are written with `or`: `(A or B)`");
        }
        Kind::Punct(p) if p.as_char() == ',' => {
            d.help("write `;` for this order, or `all(A, B)` for any order");
        }
        Kind::Punct(p) if p.as_char() == '-' && behind.is_some() => {
            d.help("the operator is `->`: `A -> B`");
        }
        _ => {
            d.help("write an operator and an element, `A ; B`, or end the formula here");
        }
    }
}

//! The head of a pattern, read from its tokens alone: what is there even if nothing else of the item can be read.
//!
//! Nothing is reported here; what is wrong with these tokens is what the grammar says of them.
use super::{
    item::Slice,
    report::Reporter,
    splits,
    token::{CLAUSES, Group, among},
};
use crate::{
    ast::{Head, HeadAtom, Number, Parameter, SelectItem, WindowHead},
    lex::{Kind, Lexeme, SpanTable, Token, is_keyword},
    schema::bounce,
    slices::position,
    syntax,
};
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The head of an item that begins as a pattern, if its name can be that of a struct.
pub(super) fn head(slice: &Slice<'_>, table: &SpanTable) -> Option<Head> {
    let all = slice.lexemes;
    let at = position(all, |(t, _)| t.is_word("pattern"))?;
    let name = all.get(at + 1)?.0.ident()?.clone();
    if is_keyword(&name.to_string()) {
        return None;
    }
    let mut behind = all.get(at + 2..).unwrap_or_default();
    let mut parameters = Vec::new();
    if let Some((Token { kind: Kind::Group(Delimiter::Parenthesis, inside, _), .. }, range)) = behind.first()
    {
        parameters = self::parameters(Group { inside, range: *range }, table);
        behind = behind.get(1..).unwrap_or_default();
    }
    let equals = position(behind, |(t, _)| t.is('='));
    let on = match behind.get(..equals.unwrap_or(behind.len())) {
        Some([(word, _), path @ ..]) if word.is_word("on") && !super::rust::too_much(path) => stream(path),
        _ => None,
    };
    let body = equals.map_or(behind, |n| behind.get(n + 1..).unwrap_or_default());
    let mut atoms = Vec::new();
    self::atoms(body, Number::One, &mut atoms);
    let clause =
        |word| body.iter().rposition(|(t, _)| t.is_word(word)).map(|n| body.get(n + 1..).unwrap_or_default());
    Some(Head {
        visibility: visibility(all.get(..at).unwrap_or_default()),
        name,
        parameters,
        on,
        atoms,
        selected: clause("select").map_or_else(Vec::new, selected),
        detect: clause("detect").is_some(),
        fallible: clause("within").is_some_and(|c| {
            let unit = |w: &str| c.get(1).is_some_and(|(t, _)| t.is_word(w));
            ["d", "h", "min", "s", "ms", "us", "ns", "of"].iter().any(|u| unit(u))
                || c.get(2).is_some_and(|(t, _)| t.is_word("of"))
                || c.first().is_some_and(|(t, _)| t.is_word("window"))
        }),
        borrowed: clause("storage").is_some_and(|c| c.first().is_some_and(|(t, _)| t.is_word("borrowed"))),
    })
}

/// The head of an item that begins as a window.
pub(super) fn window(slice: &Slice<'_>) -> Option<WindowHead> {
    let all = slice.lexemes;
    let at = position(all, |(t, _)| t.is_word("window"))?;
    // `within window Trip` of a pattern is no item
    if crate::slices::any(&all[..at], |(t, _)| t.is_word("pattern")) {
        return None;
    }
    let name = all.get(at + 1)?.0.ident()?.clone();
    if is_keyword(&name.to_string()) {
        return None;
    }
    Some(WindowHead {
        visibility: visibility(&all[..at]),
        name,
        fallible: crate::slices::any(&all[at..], |(t, _)| t.is_word("predicate")),
    })
}

/// The path behind `on`, if it is a type's.
fn stream(lexemes: &[Lexeme]) -> Option<TokenStream> {
    let tokens: Vec<TokenTree> = splits::tokens(lexemes).into_iter().collect();
    let path: TokenStream = bounce::path(&tokens).iter().cloned().collect();
    syntax::ty(path.clone()).is_ok().then_some(path)
}

/// `pub`, `pub(crate)` and the like, directly in front of `pattern`.
fn visibility(front: &[Lexeme]) -> syn::Visibility {
    let tokens = front.iter().rposition(|(t, _)| t.is_word("pub")).and_then(|n| front.get(n..));
    tokens.and_then(|t| syntax::visibility(splits::tokens(t)).ok()).unwrap_or(syn::Visibility::Inherited)
}

/// The parameters that can be read.
fn parameters(group: Group<'_>, table: &SpanTable) -> Vec<Parameter> {
    // what it finds has been or will be said by the parse of the item
    let mut silent = Reporter::new(table);
    splits::parameters(group, &mut silent)
}

/// The names that begin with a capital, each with what `as` calls it. Also in conditions: a name too many does no harm.
fn atoms(lexemes: &[Lexeme], around: Number, out: &mut Vec<HeadAtom>) {
    let mut around = around;
    for (i, (token, _)) in lexemes.iter().enumerate() {
        // not the one of `capacity … or evict`
        if token.is_word("or")
            && !matches!(lexemes.get(i + 1), Some((t, _)) if t.is_word("error") || t.is_word("evict"))
        {
            around = around.max(Number::AtMostOne);
        }
    }
    for (i, (token, _)) in lexemes.iter().enumerate() {
        match &token.kind {
            // `T+ as x`, `(T filter …) as x`, and the slip `T filter … as x`
            Kind::Ident(word) if word == "as" => {
                let variable = lexemes.get(i + 1).and_then(|(t, _)| t.ident());
                if let (Some(variable), Some(HeadAtom { variable: bound @ None, .. })) =
                    (variable, out.last_mut())
                    && variable.to_string().starts_with(char::is_lowercase)
                    && crate::check::primitive(&variable.to_string()).is_none()
                {
                    *bound = Some(variable.clone());
                }
            }
            Kind::Ident(name) if name.to_string().starts_with(char::is_uppercase) => {
                let variable = match lexemes.get(i + 1..i + 3) {
                    Some([(word, _), (variable, _)]) if word.is_word("as") => variable.ident().cloned(),
                    _ => None,
                };
                let mut number = around.max(sign(lexemes.get(i + 1)));
                if variable.is_some() {
                    number = number.max(sign(lexemes.get(i + 3)));
                }
                out.push(HeadAtom { name: name.clone(), variable, number });
            }
            Kind::Group(_, inside, _) => atoms(inside, around.max(sign(lexemes.get(i + 1))), out),
            _ => {}
        }
    }
}

/// What stands behind an atom or a group.
fn sign(next: Option<&Lexeme>) -> Number {
    match next {
        Some((t, _)) if t.is('+') || t.is('*') => Number::Many,
        Some((Token { kind: Kind::Group(Delimiter::Brace, ..), .. }, _)) => Number::Many,
        Some((t, _)) if t.is('?') => Number::AtMostOne,
        _ => Number::One,
    }
}

/// `x, y.price`
fn selected(clause: &[Lexeme]) -> Vec<SelectItem> {
    let mut items = Vec::new();
    let mut rest = clause;
    loop {
        let (variable, attribute) = match rest {
            [(x, _), (dot, _), (a, _), ..] if dot.is('.') => (x.ident(), a.ident()),
            [(x, _), ..] => (x.ident().filter(|i| !among(i, CLAUSES)), None),
            [] => break,
        };
        let Some(variable) = variable else { break };
        items.push(SelectItem { variable: variable.clone(), attribute: attribute.cloned() });
        let Some(comma) = position(rest, |(t, _)| t.is(',')) else { break };
        rest = &rest[comma + 1..];
    }
    items
}

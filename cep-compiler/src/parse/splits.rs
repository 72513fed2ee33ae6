//! The small groups: counts, lists of names, fields, parameters.
use super::{report::Reporter, token::Group};
use crate::syntax;
use crate::{
    diagnostic::Code,
    lex::{Kind, Lexeme, Range, Token},
};
use proc_macro2::{Ident, Literal, TokenStream};

/// A whole number without suffix.
pub(super) fn whole(literal: &Literal) -> Option<u64> {
    match syn::Lit::new(literal.clone()) {
        syn::Lit::Int(l) if l.suffix().is_empty() => l.base10_digits().parse().ok(),
        _ => None,
    }
}

/// `{n}`, `{n,}`, `{n,m}`
pub(super) fn count(group: Group<'_>, reporter: &mut Reporter<'_>) -> Option<(u32, Option<u32>)> {
    let number = |t: &Token| match &t.kind {
        Kind::Literal(l) => whole(l).and_then(|n| u32::try_from(n).ok()),
        _ => None,
    };
    let kinds = match group.inside {
        [(n, _)] => number(n).map(|n| (n, Some(n))),
        [(n, _), (comma, _)] if comma.is(',') => number(n).map(|n| (n, None)),
        [(n, _), (comma, _), (m, _)] if comma.is(',') => number(n).zip(number(m).map(Some)),
        _ => None,
    };
    let help = "write `{3}`, `{3,}` (at least 3) or `{3,5}` (3 to 5)";
    match kinds {
        None => {
            reporter.error(Code::Syntax, group.range, "expected a count").help(help);
            None
        }
        Some((_, Some(0))) => {
            reporter.error(Code::Syntax, group.range, "a count of 0 leaves nothing of the element").help(
                "leave the element out, or write `not` for an event that must not come; `{0,3}` is none to 3",
            );
            None
        }
        Some((n, Some(m))) if n > m => {
            reporter
                .error(Code::Syntax, group.range, format!("at least {n} but at most {m}: no number is both"))
                .help(format!("write the smaller one first: `{{{m},{n}}}`"));
            None
        }
        ok => ok,
    }
}

/// The pieces between top-level commas; a last empty piece is not one. In `types`, commas between `<` and `>` do not count.
pub(super) fn pieces(group: Group<'_>, types: bool) -> Vec<&[Lexeme]> {
    let mut angles = 0usize;
    let mut arrow = false;
    let mut out: Vec<&[Lexeme]> = Vec::new();
    let mut begun = 0;
    for (i, (t, _)) in group.inside.iter().enumerate() {
        let (open, close) = (t.is('<'), t.is('>') && !arrow);
        arrow = t.is('-') || t.is('=');
        angles = if close { angles.saturating_sub(1) } else { angles + usize::from(open) };
        if (angles == 0 || !types) && t.is(',') {
            out.push(&group.inside[begun..i]);
            begun = i + 1;
        }
    }
    if begun < group.inside.len() {
        out.push(&group.inside[begun..]);
    }
    out
}

/// Where a piece stands; an empty one at the group's end.
pub(super) fn range(piece: &[Lexeme], group: Group<'_>) -> Range {
    match (piece.first(), piece.last()) {
        (Some((_, a)), Some((_, b))) => (a.start..b.end).into(),
        _ => group.end(),
    }
}

/// The tokens of lexemes, macro fragments whole.
pub(super) fn tokens(lexemes: &[Lexeme]) -> TokenStream {
    let mut skip = 0usize;
    let mut out = TokenStream::new();
    for (t, _) in lexemes {
        if skip > 0 {
            skip -= 1;
            continue;
        }
        let tree = match &t.fragment {
            Some(f) => {
                skip = f.length.saturating_sub(1);
                f.tree.clone()
            }
            None => t.tree(),
        };
        out.extend([tree]);
    }
    out
}

/// `(a, b)`
pub(super) fn names(group: Group<'_>, reporter: &mut Reporter<'_>) -> Option<Vec<Ident>> {
    let before = reporter.count();
    let mut out = Vec::new();
    for &piece in &pieces(group, false) {
        match piece {
            [(t, _)] if t.ident().is_some() => out.extend(t.ident().cloned()),
            _ => {
                reporter
                    .error(Code::Syntax, range(piece, group), "expected the name of an attribute")
                    .help("write `project x(a, b)`");
            }
        }
    }
    if out.is_empty() && reporter.count() == before {
        reporter
            .error(Code::Syntax, group.range, "no attributes between the parentheses")
            .help("write the attributes that stay: `project x(a, b)`");
    }
    (reporter.count() == before).then_some(out)
}

/// `(hottest: f64, …)`
pub(super) fn parameters(group: Group<'_>, reporter: &mut Reporter<'_>) -> Vec<crate::ast::Parameter> {
    let mut out = Vec::new();
    for &piece in &pieces(group, true) {
        let at = range(piece, group);
        let read = match piece {
            [(name, at), (colon, _), ty @ ..] if colon.is(':') && !super::rust::too_much(ty) => {
                name.ident().map(|i| (i, *at, syntax::ty(tokens(ty))))
            }
            _ => None,
        };
        match read {
            Some((name, at, Ok(ty))) => {
                reporter.check_name(name, at.start, "a parameter");
                out.push(crate::ast::Parameter { name: name.clone(), ty });
            }
            Some((name, _, Err(e))) => {
                reporter
                    .error(Code::Syntax, at, format!("in the type of `{name}`: {}", super::rust::reason(&e)))
                    .help(format!("write `{name}: f64` or another `Copy` type"));
            }
            None => {
                reporter
                    .error(Code::Syntax, at, "expected a parameter, `name: type`")
                    .help("write `pattern Name(limit: f64) on Stream = …`");
            }
        }
    }
    out
}

//! Attributes and visibility of an item: they go to the generated struct, so only what makes sense there may stand here.
use super::{report::Reporter, token::Group};
use crate::syntax;
use crate::{
    diagnostic::Code,
    lex::{Lexeme, Range},
    slices::any,
};
use proc_macro2::{Punct, Spacing, TokenStream, TokenTree};
use syn::{Attribute, Meta};

const KEPT: &[&str] = &["doc", "must_use", "deprecated", "allow", "warn", "deny", "forbid", "expect", "cep"];

/// The attributes that may stand there.
pub(super) fn read(raw: &[Group<'_>], reporter: &mut Reporter<'_>) -> Vec<Attribute> {
    let mut out = Vec::new();
    for group in raw {
        let mut bracket =
            proc_macro2::Group::new(proc_macro2::Delimiter::Bracket, super::splits::tokens(group.inside));
        let loc = reporter.loc(group.range);
        bracket.set_span(loc.first);
        let hash = Punct::new('#', Spacing::Alone);
        let tokens: TokenStream = [TokenTree::Punct(hash), TokenTree::Group(bracket)].into_iter().collect();
        match syntax::attributes(tokens) {
            Ok(attributes) => {
                for a in attributes {
                    if allowed(&a, group.range, reporter) {
                        out.push(a);
                    }
                }
            }
            Err(e) => {
                reporter
                    .error(Code::Syntax, group.range, format!("in this attribute: {e}"))
                    .help("write an attribute as in front of a struct, `#[must_use]`");
            }
        }
    }
    out
}

fn allowed(attribute: &Attribute, at: Range, reporter: &mut Reporter<'_>) -> bool {
    let path = attribute.path();
    if path.is_ident("cfg") || path.is_ident("cfg_attr") {
        let name = path.get_ident().map(ToString::to_string).unwrap_or_default();
        reporter
            .error(Code::ItemAttribute, at, format!("`#[{name}]` cannot stand on an item of `cep!`"))
            .note("the compiler has to know which items there are before `cfg` is decided")
            .help("put `#[cfg]` on the `cep!` call");
        return false;
    }
    if path.is_ident("derive") {
        return derives(attribute, at, reporter);
    }
    if any(KEPT, |k| path.is_ident(k)) {
        return true;
    }
    reporter
        .error(Code::ItemAttribute, at, "this attribute cannot stand on an item of `cep!`")
        .help("doc comments, `must_use`, `deprecated`, lint levels, `derive(Clone, Debug)` and `cep(…)` can");
    false
}

fn derives(attribute: &Attribute, at: Range, reporter: &mut Reporter<'_>) -> bool {
    let help = "a machine can derive `Clone` and `Debug`: write `#[derive(Clone, Debug)]`";
    let Meta::List(list) = &attribute.meta else {
        reporter.error(Code::ItemAttribute, at, "expected a list of traits, `#[derive(…)]`").help(help);
        return false;
    };
    match syntax::paths(list.tokens.clone()) {
        Ok(paths) => {
            let before = reporter.count();
            for path in paths.iter().filter(|p| !p.is_ident("Clone") && !p.is_ident("Debug")) {
                let name = path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
                reporter
                    .error_at(
                        Code::ItemAttribute,
                        at.start,
                        crate::diagnostic::Loc::of(path),
                        format!("`{name}` cannot be derived for a machine"),
                    )
                    .help(help);
            }
            reporter.count() == before
        }
        Err(e) => {
            reporter.error(Code::ItemAttribute, at, format!("in this `derive`: {e}")).help(help);
            false
        }
    }
}

/// `pub`, `pub(crate)` and the like.
pub(super) fn visibility(
    range: Option<Range>,
    lexemes: &[Lexeme],
    reporter: &mut Reporter<'_>,
) -> syn::Visibility {
    let Some(range) = range else { return syn::Visibility::Inherited };
    let mut tokens = TokenStream::new();
    for (t, r) in lexemes {
        if r.start >= range.start && r.end <= range.end {
            tokens.extend([t.tree()]);
        }
    }
    syntax::visibility(tokens).unwrap_or_else(|_| {
        reporter
            .error(Code::Syntax, range, "expected a visibility")
            .help("write `pub`, `pub(crate)` or nothing");
        syn::Visibility::Inherited
    })
}

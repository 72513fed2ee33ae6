//! From the syntax tree to the resolved pattern, one function per rule of the language.
//!
//! In: an [`ast::Pattern`] and the [`Schema`] of its stream. Out: a [`hir::Pattern`], or `None` and at least one diagnostic. The
//! order matters only where a mistake would breed others: names come before filters, filters before the output.
mod bounds;
mod filter;
mod names;
mod output;
mod support;
mod types;
mod walk;

pub(crate) use output::field_name;
pub(crate) use types::{parameter_kind, primitive};
pub(crate) use walk::{Matches, ON_OPTION};

use crate::ast::{self, FormulaKind};
use crate::diagnostic::{Code, Diagnostics, Loc};
use crate::hir::{self, AtomId, ConjunctId};
use crate::schema::{self, Schema};
use filter::Scope;
use names::Names;
use quote::ToTokens;

/// Resolves and checks one pattern.
pub fn check(pattern: &ast::Pattern, schema: &Schema, diagnostics: &mut Diagnostics) -> Option<hir::Pattern> {
    let before = diagnostics.list().len();
    support::formula(&pattern.formula, diagnostics);
    support::clauses(&pattern.clauses, diagnostics);
    if diagnostics.list().len() > before {
        return None;
    }
    parameters(&pattern.parameters, diagnostics);
    let names = Names::collect(&pattern.formula, schema, &pattern.parameters, diagnostics)?;
    let mut lowering = Lowering { names: &names, next: 0, conjuncts: Vec::new() };
    let formula = lowering.formula(&pattern.formula, diagnostics);
    let conjuncts = lowering.conjuncts;
    let output = output::output(pattern, &names, diagnostics);
    bounds::window(pattern, &names, &conjuncts, diagnostics);
    bounds::satisfiable(&names, &conjuncts, diagnostics);
    let force_ring = item_options(&pattern.attributes, diagnostics);
    if diagnostics.list().len() > before {
        return None;
    }
    let window = pattern.clauses.within.as_ref();
    Some(hir::Pattern {
        attributes: pattern.attributes.iter().filter(|a| !a.path().is_ident("cep")).cloned().collect(),
        visibility: pattern.visibility.clone(),
        name: pattern.name.clone(),
        parameters: pattern.parameters.clone(),
        parameter_kinds: pattern.parameters.iter().map(|p| parameter_kind(&p.ty)).collect(),
        on: pattern.on.tokens.clone(),
        schema: schema.clone(),
        variables: names.variables,
        atoms: names.atoms,
        formula: formula?,
        conjuncts,
        window: window.and_then(|w| match w.value {
            ast::Within::Events { count, .. } => Some(count),
            _ => None,
        }),
        window_loc: window.map_or(Loc::from(pattern.name.span()), |w| w.loc),
        output: output?,
        storage: pattern.clauses.storage.as_ref().map(|s| s.value),
        force_ring,
    })
}

/// The formula with atoms numbered as [`Names`] numbered them, and its filters as conjuncts.
struct Lowering<'a> {
    names: &'a Names<'a>,
    next: usize,
    conjuncts: Vec<hir::Conjunct>,
}

impl Lowering<'_> {
    fn formula(&mut self, f: &ast::Formula, diagnostics: &mut Diagnostics) -> Option<hir::Formula> {
        match &f.kind {
            FormulaKind::Type(_) => {
                self.next += 1;
                Some(hir::Formula::Atom(AtomId(self.next - 1)))
            }
            FormulaKind::As { inner, .. } => self.formula(inner, diagnostics),
            FormulaKind::Sequence { left, right, .. } => {
                let left = self.formula(left, diagnostics);
                let right = self.formula(right, diagnostics);
                Some(hir::Formula::Sequence { left: Box::new(left?), right: Box::new(right?) })
            }
            FormulaKind::Filter { inner, condition } => {
                let first = self.next;
                let inner = self.formula(inner, diagnostics);
                let scope = Scope { names: self.names, inside: first..self.next };
                let new = filter::conjuncts(condition, &scope, diagnostics);
                let ids = (self.conjuncts.len()..self.conjuncts.len() + new.len()).map(ConjunctId).collect();
                self.conjuncts.extend(new);
                Some(hir::Formula::Filter { inner: Box::new(inner?), conjuncts: ids })
            }
            // refused by `support`
            _ => None,
        }
    }
}

/// Conditions take parameters by value, as often as they are asked. What is behind a name of the user's own, rustc checks.
fn parameters(parameters: &[ast::Parameter], diagnostics: &mut Diagnostics) {
    for p in parameters {
        if schema::is_never_copy(&p.ty) {
            diagnostics
                .error(Code::NotCopy, Loc::of(&p.ty), format!("the parameter `{}` is not `Copy`", p.name))
                .note("conditions take parameters by value, as often as they are asked")
                .help(
                    "use a number, an id or another `Copy` type; for a text `&'static str` or `cep::Text<N>`",
                );
        }
    }
}

/// `#[cep(kernel = ring)]`
fn item_options(attributes: &[syn::Attribute], diagnostics: &mut Diagnostics) -> bool {
    let mut ring = false;
    for a in attributes.iter().filter(|a| a.path().is_ident("cep")) {
        let read = a.parse_nested_meta(|m| {
            if m.path.is_ident("kernel") {
                let name: syn::Ident = m.value()?.parse()?;
                if name == "ring" {
                    ring = true;
                    return Ok(());
                }
                return Err(syn::Error::new(
                    name.span(),
                    format!("there is no kernel `{name}` to ask for, only `ring`"),
                ));
            }
            Err(m.error("expected `kernel = ring`"))
        });
        if let Err(e) = read {
            diagnostics
                .error(Code::ItemAttribute, e.span(), e.to_string())
                .help("`#[cep(kernel = ring)]` asks for the universal kernel; leave it out for the best one");
        }
    }
    ring
}

/// Tokens as a person would write them, for messages.
pub(crate) fn text(tokens: impl ToTokens) -> String {
    let mut out = String::new();
    print(tokens.into_token_stream(), &mut out);
    out.trim().to_string()
}

fn print(tokens: proc_macro2::TokenStream, out: &mut String) {
    use proc_macro2::{Delimiter, Spacing, TokenTree};
    let (mut glue, mut previous_is_dot) = (true, false);
    for t in tokens {
        let tight = glue
            || previous_is_dot
            || matches!(&t, TokenTree::Punct(p) if matches!(p.as_char(), '.' | ',' | ';' | '?'))
            || matches!(&t, TokenTree::Group(g) if matches!(g.delimiter(), Delimiter::Parenthesis | Delimiter::Bracket));
        if !tight {
            out.push(' ');
        }
        (glue, previous_is_dot) = (false, false);
        match t {
            TokenTree::Group(g) => {
                let (open, close) = match g.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Brace => ("{ ", " }"),
                    Delimiter::None => ("", ""),
                };
                out.push_str(open);
                print(g.stream(), out);
                out.push_str(close);
            }
            TokenTree::Punct(p) => {
                out.push(p.as_char());
                glue = p.spacing() == Spacing::Joint
                    || matches!(p.as_char(), '!' | '&' | '*' | '-') && out.len() == 1;
                previous_is_dot = p.as_char() == '.';
            }
            t => out.push_str(&t.to_string()),
        }
    }
}

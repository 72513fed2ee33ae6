//! From the syntax tree to the resolved pattern, one function per rule of the language.
//!
//! In: an [`ast::Pattern`] and the [`Schema`] of its stream. Out: a [`hir::Pattern`], or `None` and at least one diagnostic. The
//! order matters only where a mistake would breed others: names come before filters, filters before the output.
mod absent;
mod aggregate;
mod bounds;
mod clauses;
mod extent;
mod filter;
mod hints;
mod implied;
mod inside;
mod lower;
mod names;
mod nested;
mod output;
mod resolve;
mod summarize;
mod support;
mod types;
mod walk;
mod widen;
pub mod window;

pub(crate) use crate::schema::primitive;
pub(crate) use output::field_name;
pub(crate) use summarize::{too_many, type_name};
pub(crate) use types::parameter_kind;
#[cfg(feature = "theory")]
pub(crate) use walk::Matches;
pub(crate) use walk::ON_OPTION;

use crate::ast::{self, Consume, Within};
use crate::code::{Piece, Scope};
use crate::diagnostic::{Code, Diagnostics, Loc};
use crate::hir::{self, Window};
use crate::schema::{self, Schema};
use crate::slices::{each, find, pick};
use lower::{Lowering, Part};
use names::Names;
use quote::ToTokens;

/// Resolves and checks one pattern.
pub fn check(pattern: &ast::Pattern, schema: &Schema, diagnostics: &mut Diagnostics) -> Option<hir::Pattern> {
    check_within(pattern, schema, None, diagnostics)
}

/// The same; `item` is the schema of the window that the pattern runs inside of.
pub fn check_within(
    pattern: &ast::Pattern,
    schema: &Schema,
    item: Option<&Schema>,
    diagnostics: &mut Diagnostics,
) -> Option<hir::Pattern> {
    let _scope = Scope::open();
    let before = diagnostics.list().len();
    support::formula(&pattern.formula, diagnostics);
    support::clauses(&pattern.clauses, diagnostics);
    if diagnostics.list().len() > before {
        return None;
    }
    parameters(&pattern.parameters, diagnostics);
    let names = Names::collect(&pattern.formula, schema, &pattern.parameters, diagnostics)?;
    let mut pass = Lowering::new(&names, &pattern.formula);
    let part = pass.part(&pattern.formula, diagnostics)?;
    if part.is_nullable() {
        diagnostics
            .error(
                Code::Unsatisfiable,
                pattern.formula.loc,
                "this pattern may match no event at all: nothing in it has to be there",
            )
            .help("a pattern needs a part that is always there: leave out a `?` or a `*`");
    }
    let mut output = output::output(pattern, &pass, &part.binds, diagnostics);
    let (clock, window, inner_windows) = windows(pattern, &pass, &part, schema, diagnostics);
    let (spans, open) = inside::item(pattern, schema, item, diagnostics);
    clauses::bounds(
        pattern,
        &pass,
        &part,
        window.as_ref(),
        inner_windows.is_some(),
        output.as_ref(),
        diagnostics,
    );
    if let Some(hir::Output::Summarize(summary)) = &mut output {
        summarize::types(pattern, &pass, &part, window.as_ref(), summary, diagnostics);
    }
    clauses::kept(&pass, diagnostics);
    let partition = clauses::partition(pattern, &pass, diagnostics);
    combinations(pattern, diagnostics);
    bounds::satisfiable(&pass, &part.mandatory, diagnostics);
    let force_ring = item_options(&pattern.attributes, diagnostics);
    if diagnostics.list().len() > before {
        return None;
    }
    let c = &pattern.clauses;
    let capacity = c.capacity.as_ref().map(|c| &c.value);
    let Lowering { atoms, loops, conjuncts, aggregates, folds, .. } = pass;
    Some(hir::Pattern {
        attributes: pick(&pattern.attributes, |a| (!a.path().is_ident("cep")).then(|| a.clone())),
        visibility: pattern.visibility.clone(),
        name: pattern.name.clone(),
        parameters: pattern.parameters.clone(),
        parameter_kinds: each(&pattern.parameters, |p| parameter_kind(&p.ty)),
        on: pattern.on.tokens.clone(),
        schema: schema.clone(),
        variables: names.variables,
        atoms,
        loops,
        formula: part.formula,
        conjuncts,
        folds: folds.into_inner(),
        aggregates,
        capacity_loc: (c.capacity.as_ref().map(|c| c.loc))
            .or(c.within.as_ref().map(|w| w.loc))
            .unwrap_or(Loc::from(pattern.name.span())),
        window_loc: c.within.as_ref().map_or(Loc::from(pattern.name.span()), |w| w.loc),
        reach: window.as_ref().and_then(|w| extent::reach(w, &pattern.formula, c.partition.is_some())),
        // how many events of another item's window are kept was said by `capacity`
        window: match window {
            Some(w) if spans.is_none() => Some(extent::shortened(w, &pattern.formula, c.partition.is_some())),
            w => w,
        },
        clock,
        inner_windows: inner_windows?,
        partition,
        consume: c.consume.as_ref().map_or(Consume::None, |c| c.value),
        limit: c.limit.as_ref().map(|l| l.value),
        capacity: capacity.and_then(|c| c.events),
        spans,
        keys: open.or(capacity.and_then(|c| c.keys)),
        runs: capacity.and_then(|c| c.runs),
        evict: capacity.is_some_and(|c| c.evict),
        output: output?,
        storage: c.storage.as_ref().map(|s| s.value),
        force_ring,
    })
}

/// An expression that the checks write in place of the user's.
fn parsed(written: Piece) -> syn::Expr {
    let tokens = written.tokens();
    crate::syntax::expr(tokens.clone()).unwrap_or(syn::Expr::Verbatim(tokens))
}

type Windows = (Option<hir::Clock>, Option<Window>, Option<Vec<hir::InnerWindow>>);

/// The clock, the window of the whole and those inside. Parentheses around everything are the whole.
fn windows(
    pattern: &ast::Pattern,
    pass: &Lowering<'_>,
    part: &Part,
    schema: &Schema,
    d: &mut Diagnostics,
) -> Windows {
    let outer = pattern.clauses.within.as_ref().map(|w| (&w.value, w.loc));
    let mut all: Vec<(&Within, Loc)> = Vec::new();
    all.extend(outer);
    for (w, _, loc) in &pass.inner_windows {
        all.push((w, *loc));
    }
    let before = d.list().len();
    for (w, loc) in &all {
        clauses::of_partition(w, *loc, pattern, d);
    }
    let clock = clauses::clock(&all, schema, d);
    if d.list().len() > before {
        return (None, None, None);
    }
    let whole = find(&pass.inner_windows, |(_, s, _)| s.atoms == part.scope.atoms && s.loops.is_empty());
    let outer = outer.or(whole.map(|(w, _, loc)| (w, *loc)));
    let mut window = outer.and_then(|(w, loc)| match w {
        // the window is the item's; what counts is how many of its events have to be kept
        Within::Window(_) => {
            let events = pattern.clauses.capacity.as_ref().and_then(|c| c.value.events);
            Some(Window::Partition(events.unwrap_or(1)))
        }
        w => clauses::window(w, loc, clock.as_ref(), schema, d),
    });
    let mut inner = Vec::new();
    for (w, scope, loc) in &pass.inner_windows {
        match clauses::window(w, *loc, clock.as_ref(), schema, d) {
            Some(window) => inner.push(hir::InnerWindow { window, scope: scope.clone() }),
            None => return (clock, window, None),
        }
    }
    if pattern.clauses.within.is_none() && window.is_none() {
        window = extent::extent(&pattern.formula, clock.as_ref(), schema, d);
    }
    (clock, window, Some(inner))
}

/// Clauses that exclude each other.
fn combinations(pattern: &ast::Pattern, d: &mut Diagnostics) {
    let c = &pattern.clauses;
    let detect = matches!(c.output.as_ref().map(|o| &o.value), Some(ast::Output::Detect));
    let summarize = matches!(c.output.as_ref().map(|o| &o.value), Some(ast::Output::Summarize(_)));
    if let Some(l) = &c.limit
        && (detect || summarize)
    {
        let says = if detect { "`detect` says only yes or no" } else { "`summarize` gives one record" };
        d.error(Code::ClauseOrder, l.loc, format!("`limit` has nothing to limit: {says}"))
            .help("leave `limit` out, or `select` something");
    }
    if let Some(k) = &c.consume
        && k.value == Consume::Partition
        && c.partition.is_none()
    {
        d.error(Code::MissingBound, k.loc, "`consume partition` needs `partition by`")
            .help("add `partition by key` in front of it, or write `consume any`");
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
    for a in attributes {
        if !a.path().is_ident("cep") {
            continue;
        }
        let read = crate::syntax::options(a, &mut |m| {
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

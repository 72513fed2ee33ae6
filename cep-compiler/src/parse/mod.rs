//! From tokens to the syntax tree.
//!
//! In: what stands in `cep! { … }`. Out: a [`File`] with the items that are right, and an error for everything else. Never a panic.
//! The way of an item: `item` cuts the call into items; `formula`, `clauses` and `item` hold the grammar, of which `rule` makes chumsky's
//! parsers; they read one level of parentheses into the flat and generous lists of `raw`, by way of the parts of `value`; `rust` hands
//! filters and types to syn; `shape`, `ambiguity`, `condition`, `bound`, `junk`, `clauses_of` and `splits` make the tree and say what is
//! wrong.
//!
//! Recovery: at item ends, at every parenthesis (each is a parse of its own), at every `;` inside one, and at every clause.
//! Cost: linear in the tokens; the grammar is built once per call. Depth is bounded (`lex::MOST_NESTING`, chains of 256 elements), so
//! that no later stage has to fear for its stack.
//! Rejected: a grammar that is recursive inside chumsky. It reads as nicely, but its stack grows by kilobytes per parenthesis, an error
//! in a group hides the ones behind it, and "shows both readings" needs the whole level at hand anyway.
mod aggregate;
mod ambiguity;
mod attributes;
mod bound;
mod clauses;
mod clauses_of;
mod condition;
mod formula;
mod head;
mod item;
mod junk;
mod predicate;
mod raw;
mod report;
mod rule;
mod rust;
mod shape;
mod splits;
mod text;
mod token;
mod value;
mod window;

use crate::{
    ast::{File, Item, Pattern, StreamPath},
    diagnostic::{Code, Diagnostics},
    lex::{Range, lex},
    slices::find,
};
use item::Slice;
use proc_macro2::TokenStream;
use raw::Body;
use report::Reporter;
use rule::Grammar;
use rust::{Embedded, Outcome};
use shape::Shaper;

/// Reads a `cep!` call. What comes back is complete if `diagnostics` got no error, else it lacks the items at fault.
pub fn parse(input: TokenStream, diagnostics: &mut Diagnostics) -> File {
    let mut file = File { items: Vec::new(), heads: Vec::new(), broken: Vec::new(), windows: Vec::new() };
    let Some(lexed) = lex(input, diagnostics) else { return file };
    let mut reporter = Reporter::new(&lexed.table);
    let slices = item::items(&lexed.lexemes);
    // A call may have no items: a macro's repetition may give none.
    if let Some((_, at)) = lexed.lexemes.first()
        && slices.is_empty()
    {
        reporter
            .error(Code::Syntax, *at, "expected an item, found nothing")
            .help("write `cep! { pattern Name on Stream = A ; B within 10 events; }`");
    }
    let grammar = Grammar::new(&item::ITEM);
    let inside = Grammar::new(&formula::INSIDE);
    let mut shaper = Shaper { reporter: &mut reporter, inside, nodes: 0, depth: 0 };
    for slice in &slices {
        let before = shaper.reporter.count();
        file.heads.extend(head::head(slice, &lexed.table));
        file.windows.extend(head::window(slice));
        let (parts, mistakes) = grammar.parse(slice.lexemes, slice.end);
        shaper.reporter.grammar(mistakes, slice.end, "the item");
        if slice.unfinished {
            shaper
                .reporter
                .error(Code::Syntax, slice.end, "expected `;` between two items")
                .help("end the item in front with `;`");
        }
        let item = parts.and_then(|mut parts| build(parts.one(), slice, &mut shaper));
        if shaper.reporter.count() == before {
            file.items.extend(item);
        } else if let Some(Item::Window(w)) = item {
            file.broken.push(w);
        }
    }
    reporter.flush(diagnostics);
    file
}

/// A word that cannot name a variable or parameter.
pub(crate) fn is_reserved(word: &str) -> bool {
    token::RESERVED.contains(&word)
}

/// The tree of an item.
fn build<'s>(raw: raw::Item<'s>, slice: &Slice<'s>, shaper: &mut Shaper<'s, '_>) -> Option<Item> {
    let before = shaper.reporter.count();
    let pattern = match raw.body {
        Body::Window(name) => {
            let front = window::front(&raw.attributes, raw.visibility, slice, shaper.reporter);
            let window = window::window(name, front, shaper.reporter)?;
            return Some(Item::Window(Box::new(window)));
        }
        Body::Pattern(pattern) => *pattern,
    };
    let attributes = attributes::read(&raw.attributes, shaper.reporter);
    let visibility = attributes::visibility(raw.visibility, slice.lexemes, shaper.reporter);
    shaper.reporter.check_name(&pattern.name, raw.keyword.end, "an item");
    let parameters = pattern.parameters.map_or_else(Vec::new, |g| splits::parameters(g, shaper.reporter));
    let name = pattern.name.to_string();
    let headless = pattern.on.is_none() || pattern.equals.is_none();
    let on = stream(pattern.on, pattern.head_end, &name, slice, shaper.reporter);
    if pattern.equals.is_none() && on.is_some() {
        let found = found(pattern.head_end, slice);
        shaper
            .reporter
            .error(Code::Syntax, pattern.head_end, format!("expected `=`, found {found}"))
            .help(format!("write `pattern {name} on Stream = A ; B`"));
    }
    shaper.nodes = 0;
    let formula = if headless && on.is_none() && pattern.equals.is_none() {
        // Where the formula would begin is anyone's guess.
        None
    } else {
        shaper.level(pattern.level, slice.lexemes, true)
    };
    let clauses = clauses_of::clauses_of(pattern.clauses, slice.lexemes, shaper.reporter);
    // Behind another mistake this would most often be its echo.
    if let Some(rest) = pattern.rest
        && shaper.reporter.count() == before
    {
        behind(rest, slice, shaper.reporter);
    }
    let first = slice.lexemes.first().map_or(0, |(_, r)| r.start);
    let last = slice.lexemes.last().map_or(0, |(_, r)| r.end);
    let loc = shaper.reporter.loc((first..last).into());
    let (name, on, formula) = (pattern.name, on?, formula?);
    Some(Item::Pattern(Box::new(Pattern {
        attributes,
        visibility,
        name,
        parameters,
        on,
        formula,
        clauses,
        loc,
    })))
}

/// The token that begins at a number, for a message.
fn found(at: Range, slice: &Slice<'_>) -> String {
    let token = find(slice.lexemes, |(_, r)| r.start == at.start && r.end >= at.end);
    token.map_or_else(|| "the end of the item".into(), |(t, _)| t.to_string())
}

/// The type behind `on`.
fn stream(
    on: Option<Embedded<syn::Type>>,
    end: Range,
    name: &str,
    slice: &Slice<'_>,
    reporter: &mut Reporter<'_>,
) -> Option<StreamPath> {
    let help = format!("write `pattern {name} on Stream = A ; B`, where `Stream` derives `Event`");
    let Some(on) = on else {
        let found = found(end, slice);
        reporter
            .error(Code::Syntax, end, format!("expected `on` and the type of the stream, found {found}"))
            .help(help);
        return None;
    };
    match on.outcome {
        Outcome::Read(ty) if rust::is_path(&ty, false) => {
            Some(StreamPath { tokens: quote::ToTokens::into_token_stream(*ty), loc: reporter.loc(on.range) })
        }
        Outcome::Read(_) => {
            reporter
                .error(Code::Syntax, on.range, "expected the path of a type that derives `Event`")
                .help(help);
            None
        }
        Outcome::Missing => {
            reporter.error(Code::Syntax, end, "expected the type of the stream behind `on`").help(help);
            None
        }
        Outcome::TooLong => {
            reporter
                .error(Code::TooDeep, on.range, "this type is longer than the compiler follows")
                .help(help);
            None
        }
        Outcome::Failed { error, .. } => {
            let first = (on.range.start..on.range.start + 1).into();
            reporter
                .error(Code::Syntax, first, format!("in the type behind `on`: {}", rust::reason(&error)))
                .help(help);
            None
        }
    }
}

/// Tokens behind the clauses.
fn behind(rest: Range, slice: &Slice<'_>, reporter: &mut Reporter<'_>) {
    let first = (rest.start..rest.start + 1).into();
    let token = find(slice.lexemes, |(_, r)| r.start == rest.start).map(|(t, _)| t);
    let found = token.map_or_else(String::new, ToString::to_string);
    let d = reporter.error(Code::Syntax, first, format!("expected the end of the item, found {found}"));
    if token.is_some_and(|t| t.is(';')) {
        d.note("a formula ends where its clauses begin");
        d.help("write the clauses behind the whole formula; a part with a window of its own stands in parentheses, `(A ; B within 10 events) ; C`");
    } else if token.is_some_and(|t| t.is(',')) {
        d.help("write `;` for this order, or `all(A, B)` for any order");
    } else {
        d.help("end the item with `;` in front of it");
    }
}

//! From `cep!` to the compiler: the schema of every stream is fetched on the way.
//!
//! ```text
//! cep! { items }                                      macro_rules of the facade, hands its `$crate` on
//! → cep_entry! { ($crate) items }                     [`entry`]: the paths after `on`, except the items of the same call
//! → Reading! { ($crate::__private::cep_step) ($crate) [paths left, this one first] { schemas so far } { items } }
//! → cep_step! { { schema } ($crate) [paths] { schemas } { items } }           [`step`]: the next path, or `crate::finish`
//! ```
//!
//! Invariant: the tokens of the items pass untouched, each at its own span. Cost: one expansion per distinct stream. Nothing is parsed
//! here but the heads of items, and those only as far as needed: what makes no sense is left to the parser's errors.
use super::Schema;
use super::read::read;
use crate::code::{Piece, Scope, code, pieces_of};
use crate::diagnostic::{Code, Diagnostics, Loc};
use crate::slices::{any, position};
use crate::syntax::{groups, is_path, tight, trees};
use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};

/// `($crate) items…`
#[must_use]
pub fn entry(input: TokenStream) -> TokenStream {
    let _scope = Scope::open();
    let tokens = trees(input);
    let [TokenTree::Group(root), items @ ..] = tokens.as_slice() else { return misuse() };
    let (root, (names, all)) = (root.stream(), heads(items));
    // where the type derives nothing, rustc's "cannot find macro" comes with the words of `Stream`
    let (mut checks, mut paths, mut keys) = (Piece::EMPTY, Vec::new(), Vec::new());
    for path in &all {
        if let Some(key) = key(path)
            && !any(&names, |n| key.strip_prefix("self::").unwrap_or(&key) == n)
            && !keys.contains(&key)
        {
            checks.extend(check(&root, path));
            paths.push(path.clone());
            keys.push(key);
        }
    }
    let next = proceed(&root, &paths, &TokenStream::new(), items.iter().cloned().collect());
    code!([checks | next] #checks #next).tokens()
}

/// A schema macro's answer: `{ schema } (root) [paths] { schemas } { items }`.
#[must_use]
pub fn step(input: TokenStream) -> TokenStream {
    let _scope = Scope::open();
    match groups(&mut input.into_iter(), "{([{{").as_slice() {
        [schema, root, paths, have, items] => answered(schema, root, &trees(paths.clone()), have, items),
        _ => misuse(),
    }
}

fn answered(
    schema: &TokenStream,
    root: &TokenStream,
    paths: &[TokenTree],
    have: &TokenStream,
    items: &TokenStream,
) -> TokenStream {
    let mut left = Vec::new();
    for path in paths {
        if let TokenTree::Group(path) = path {
            left.push(path.stream());
        }
    }
    let [first, left @ ..] = left.as_slice() else { return misuse() };
    let have = code!([| have, first, schema] #have (#first) { #schema }).tokens();
    proceed(root, left, &have, items.clone())
}

fn misuse() -> TokenStream {
    let mut report = Diagnostics::default();
    report
        .error(Code::Syntax, Span::call_site(), "this macro is a step of `cep!`")
        .help("write `cep! { … }`");
    report.into_tokens()
}

/// Asks for the next schema, or compiles the items where all are there.
///
/// `left` are paths as written after `on`, whose schemas are still to be asked for; `have` is `(path) { schema }` for each that was.
fn proceed(root: &TokenStream, left: &[TokenStream], have: &TokenStream, items: TokenStream) -> TokenStream {
    if let [path, ..] = left
        && let Some(path) = macro_path(path)
    {
        let rest = pieces_of(left);
        return code!([| path, root, have, items; rest] #path! { (#root::__private::cep_step) (#root) [#((#rest))*] { #have } { #items } }).tokens();
    }
    let mut report = Diagnostics::default();
    let schemas = schemas(&trees(have.clone()), &mut report);
    if report.is_empty() { crate::finish(root, &schemas, items) } else { report.into_tokens() }
}

/// Reads what came back.
fn schemas(mut have: &[TokenTree], report: &mut Diagnostics) -> Vec<(String, Schema)> {
    let mut schemas = Vec::new();
    while let [TokenTree::Group(path), TokenTree::Group(schema), rest @ ..] = have {
        let key = key(&path.stream()).unwrap_or_default();
        match read(schema.stream()) {
            Ok(schema) => schemas.push((key, schema)),
            Err(unreadable) => {
                let (message, help) = unreadable.explain(&key);
                report.error(Code::Derive, Loc::of(path.stream()), message).help(help);
            }
        }
        have = rest;
    }
    schemas
}

/// `path: Stream`, asked at the path.
fn check(root: &TokenStream, path: &TokenStream) -> Piece {
    let here = Span::mixed_site().located_at(Loc::of(path).first);
    let (root, path) = (Piece::of(root), Piece::of(path));
    let check = code! { [root, path]
        #[allow(clippy::all, clippy::pedantic)]
        const _: fn() = || {
            fn stream<T: #root::__private::Stream>() {}
            stream::<#path>();
        };
    };
    check.at(here)
}

/// The names of the items, and the path after each `on`.
#[must_use]
pub fn heads(tokens: &[TokenTree]) -> (Vec<String>, Vec<TokenStream>) {
    let (mut names, mut paths) = (Vec::new(), Vec::new());
    let mut i = 0;
    while let Some(token) = tokens.get(i) {
        let window = is(token, "window");
        if window
            && i > 0
            && is(&tokens[i - 1], "within")
            && let Some(name @ TokenTree::Ident(_)) = tokens.get(i + 1)
        {
            paths.push(name.clone().into());
            i += 2;
            continue;
        }
        let item = is(token, "pattern") || window;
        i += 1;
        if !item {
            continue;
        }
        // up to `on`, past whatever stands between; the next item or `=` ends the search
        let stop = |t: &TokenTree| any(&["on", "=", ";", "pattern", "window"], |w| is(t, w));
        let Some(end) = position(&tokens[i..], stop).map(|n| i + n) else { break };
        let on = is(&tokens[end], "on");
        if let Some(TokenTree::Ident(name)) = tokens.get(i)
            && (on || is(&tokens[end], "="))
        {
            names.push(name.to_string());
        }
        i = end;
        if on {
            let mut path = path(&tokens[end + 1..]);
            i += 1 + path.len();
            if window {
                path = event_type(path).0;
            }
            if !path.is_empty() {
                paths.push(path.iter().cloned().collect());
            }
        }
    }
    (names, paths)
}

fn is(token: &TokenTree, text: &str) -> bool {
    match token {
        TokenTree::Ident(i) => i == text,
        TokenTree::Punct(p) => text.len() == 1 && text.starts_with(p.as_char()),
        _ => false,
    }
}

/// The stretch of a type's path with which `tokens` begin; generic arguments belong to it.
pub(crate) fn path(tokens: &[TokenTree]) -> &[TokenTree] {
    if let Some(TokenTree::Group(g)) = tokens.first()
        && g.delimiter() == Delimiter::None
    {
        return &tokens[..1];
    }
    let colons = |i: usize| match tokens.get(i..i + 2) {
        Some([a, b]) => is(a, ":") && is(b, ":"),
        _ => false,
    };
    let mut end = if colons(0) { 2 } else { 0 };
    let mut complete = 0;
    while let Some(TokenTree::Ident(_)) = tokens.get(end) {
        end += 1;
        complete = end;
        let open = if colons(end) { end + 2 } else { end };
        if tokens.get(open).is_some_and(|t| is(t, "<")) {
            let Some(close) = closing(tokens, open) else { break };
            end = close + 1;
            complete = end;
        }
        if !colons(end) {
            break;
        }
        end += 2;
    }
    &tokens[..complete]
}

/// The path behind a window's `on`, which may go on to one event type of the stream: `Reading::T`. Only case tells `Reading::T` from
/// `events::Reading`, which is why neither a module with a capital nor an event type without one can be named there.
pub(crate) fn event_type(path: &[TokenTree]) -> (&[TokenTree], Option<Ident>) {
    let upper = |i: &Ident| i.to_string().starts_with(char::is_uppercase);
    if let [stream @ .., a, b, TokenTree::Ident(name)] = path
        && is(a, ":")
        && is(b, ":")
        && upper(name)
    {
        let holds = match stream.last() {
            Some(TokenTree::Ident(of)) => upper(of),
            Some(TokenTree::Punct(p)) => p.as_char() == '>',
            Some(TokenTree::Group(_)) => true,
            _ => false,
        };
        if holds {
            return (stream, Some(name.clone()));
        }
    }
    (path, None)
}

/// The `>` that closes the `<` at `open`. An item's end is not passed.
fn closing(tokens: &[TokenTree], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (i, t) in tokens.iter().enumerate().skip(open) {
        if is(t, ";") {
            return None;
        }
        let arrow = i > 0 && (is(&tokens[i - 1], "-") || is(&tokens[i - 1], "="));
        if is(t, "<") {
            depth += 1;
        } else if is(t, ">") && !arrow {
            depth -= 1;
            if depth == 0 {
                return Some(i);
            }
        }
    }
    None
}

/// The path without generic arguments and invisible groups: the type's schema macro. `None` where the tokens are no such path.
pub(super) fn macro_path(path: &TokenStream) -> Option<TokenStream> {
    let mut tokens = Vec::new();
    flatten(path, &mut tokens);
    let mut out: Vec<TokenTree> = Vec::new();
    let mut i = 0;
    while let Some(token) = tokens.get(i) {
        if is(token, "<") {
            i = closing(&tokens, i)? + 1;
            // `Gauge::<f32>`
            if out.len() > 2 && is(&out[out.len() - 1], ":") {
                out.truncate(out.len() - 2);
            }
            continue;
        }
        out.push(token.clone());
        i += 1;
    }
    let last = out.last()?;
    if any(&["self", "super", "crate", "Self", "_"], |w| is(last, w)) {
        return None;
    }
    let out: TokenStream = out.into_iter().collect();
    is_path(out.clone()).then_some(out)
}

/// Without the invisible groups that a user's own macro leaves around `$ty:path`.
fn flatten(tokens: &TokenStream, out: &mut Vec<TokenTree>) {
    for t in tokens.clone() {
        match t {
            TokenTree::Group(g) if g.delimiter() == Delimiter::None => flatten(&g.stream(), out),
            t => out.push(t),
        }
    }
}

/// What a path after `on` is called among the schemas: its tokens without generic arguments and blanks, `events::Reading`. `None` where
/// the tokens are no path of a type.
#[must_use]
pub fn key(path: &TokenStream) -> Option<String> {
    macro_path(path).map(|path| tight(&path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(source: &str) -> (Vec<String>, Vec<String>) {
        let tokens: TokenStream = source.parse().expect("tokens");
        let (names, paths) = heads(&tokens.into_iter().collect::<Vec<_>>());
        (names, paths.iter().map(|p| key(p).unwrap_or_else(|| format!("?{p}"))).collect())
    }

    #[test]
    fn paths_after_on() {
        let (names, paths) = found(
            "/// doc\n pub pattern A(l: f64) on Reading = T; pattern B on ::ev::Packet<'_> = P; window C on a::Gauge::<Vec<f32>> = x; \
             pub(crate) pattern D on G<fn(u8) -> u8> = G as on filter on.on > 1 within window Trip; pattern E on crate::x::Y = Y",
        );
        assert_eq!(names, ["A", "B", "C", "D", "E"]);
        assert_eq!(paths, ["Reading", "::ev::Packet", "a::Gauge", "G", "Trip", "crate::x::Y"]);
    }

    #[test]
    fn a_window_may_name_an_event_type() {
        let (_, paths) = found(
            "window A on ev::Reading = x; window B on Reading::T = x; window C on ev::Gauge::<f32>::T = x; pattern D on M::T = T",
        );
        assert_eq!(paths, ["ev::Reading", "Reading", "ev::Gauge", "M::T"]);
    }

    #[test]
    fn garbage_is_survived() {
        for source in [
            "",
            "pattern",
            "pattern on",
            "pattern P on",
            "pattern P on =",
            "on on on",
            "pattern P on ::",
            "pattern P on a::",
            "pattern P on a::<",
            "pattern P on A<; pattern",
            "pattern P on A<B = C",
            "window window pattern on",
            "pattern P on 3 = x",
            "pattern P on & A = x",
            "pattern P on self = x",
            "pattern P on crate::super = x",
            "pattern P on fn = x",
            "# ! [ pattern ]",
            "pattern P on > = x",
            "pattern P on A<>> = x",
            "pattern P on a:::b = x",
        ] {
            let _ = found(source);
            let tokens: TokenStream = format!("(root) {source}").parse().expect("tokens");
            let _ = entry(tokens);
        }
        assert_eq!(found("pattern P on A::<B = x; pattern Q on C = C;").1, ["A", "C"]);
        assert_eq!(found("pattern P on fn = x; pattern on C = C;").1, ["?fn", "C"]);
    }
}

//! Errors on their way from token numbers to the user's source, sorted by position at the end.
use super::{
    rule::Mistake,
    token::{CLAUSES, RESERVED, among},
};
use crate::{
    diagnostic::{Code, Diagnostic, Diagnostics, Loc},
    lex::{Kind, Range, SpanTable, Token, is_keyword},
    slices::{any, each},
    sorted::sort_by_key,
};
use proc_macro2::{Delimiter, Ident};

/// Collects errors. Groups are parsed after what surrounds them, so they come in out of order.
pub(super) struct Reporter<'s> {
    pub(super) table: &'s SpanTable,
    found: Vec<(usize, Diagnostic)>,
}

impl<'s> Reporter<'s> {
    pub(super) fn new(table: &'s SpanTable) -> Self {
        Reporter { table, found: Vec::new() }
    }

    /// How many errors there are.
    pub(super) fn count(&self) -> usize {
        self.found.len()
    }

    pub(super) fn loc(&self, range: Range) -> Loc {
        self.table.loc(range)
    }

    pub(super) fn error(&mut self, code: Code, at: Range, message: impl Into<String>) -> &mut Diagnostic {
        self.push(code, at.start, self.table.loc(at), message.into())
    }

    /// At source that has no number of its own, sorted as token `key`.
    pub(super) fn error_at(
        &mut self,
        code: Code,
        key: usize,
        at: Loc,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.push(code, key, at, message.into())
    }

    fn push(&mut self, code: Code, key: usize, at: Loc, message: String) -> &mut Diagnostic {
        self.found.push((key, Diagnostic { code, primary: at, message, notes: Vec::new() }));
        let last = self.found.len() - 1;
        &mut self.found[last].1
    }

    /// What the grammar expected instead of what is there; `end` is where its input ends, which errors call the end of `whole`.
    pub(super) fn grammar(&mut self, mistakes: Vec<Mistake<'_>>, end: Range, whole: &str) {
        for m in &mistakes {
            let (at, found) = match m.found {
                Some((token, at)) => (*at, Some(token)),
                // the end is a place without tokens: the last one there is shown, a closing parenthesis or the `;`
                None => ((end.end.saturating_sub(1)..end.end).into(), None),
            };
            self.expected(at, m.expected.clone(), found, whole);
        }
    }

    fn expected(&mut self, at: Range, mut expected: Vec<&'static str>, found: Option<&Token>, whole: &str) {
        // Where an element belongs, the postfixes that a `:` or `->` in front might also have begun are noise.
        let element = any(&expected, |e| *e == "an event type");
        if element {
            expected = vec!["an event type", "`(`", "`all(…)`"];
        }
        if any(&expected, |e| *e == "a number") {
            expected.retain(|e| *e != "`-`");
        }
        sort_by_key(&mut expected, |e| *e);
        expected.dedup();
        let wanted = if expected.is_empty() { "something else".to_string() } else { list(&expected, "or") };
        let got = found.map_or_else(|| format!("the end of {whole}"), ToString::to_string);
        let help = help(&expected, element, found);
        let d = self.error(Code::Syntax, at, format!("expected {wanted}, found {got}"));
        if let Some(i) = found.and_then(Token::ident).filter(|i| element && among(i, RESERVED)) {
            d.note(format!("`{i}` is a word of the language; an event type of that name is renamed by `#[event(name = \"…\")]`"));
        }
        d.help(help);
    }

    /// A variable's or parameter's name that cannot be one.
    pub(super) fn check_name(&mut self, name: &Ident, key: usize, what: &str) {
        let loc = Loc::from(name.span());
        if among(name, RESERVED) {
            self.error_at(
                Code::Reserved,
                key,
                loc,
                format!("`{name}` cannot name {what}: it is a word of the language"),
            )
            .help(format!("choose another name, for instance `{name}_` or `{name}1`"));
        } else if name == "_" {
            self.error_at(Code::Reserved, key, loc, format!("`_` cannot name {what}"))
                .help("choose a name, or leave the `as` out: the type's name is a variable too");
        } else if is_keyword(&name.to_string()) {
            let raw = match name.to_string().as_str() {
                "self" | "Self" | "super" | "crate" => format!("choose another name, for instance `{name}_`"),
                n => format!("write `r#{n}`, or choose another name"),
            };
            self.error_at(
                Code::Reserved,
                key,
                loc,
                format!("`{name}` cannot name {what}: it is a keyword of Rust"),
            )
            .help(raw);
        }
    }

    /// Hands everything over, in the order of the source.
    pub(super) fn flush(mut self, diagnostics: &mut Diagnostics) {
        sort_by_key(&mut self.found, |(key, _)| *key);
        for (_, d) in self.found {
            diagnostics.error(d.code, d.primary, d.message).notes = d.notes;
        }
    }
}

/// `a, b or c`
pub(super) fn list(words: &[impl AsRef<str>], last: &str) -> String {
    match words {
        [] => String::new(),
        [one] => one.as_ref().to_string(),
        [all @ .., end] => {
            let front = each(all, AsRef::as_ref);
            format!("{} {last} {}", front.join(", "), end.as_ref())
        }
    }
}

/// What to write where the grammar expected one of these.
fn help(expected: &[&str], element: bool, found: Option<&Token>) -> String {
    let has = |w: &str| any(expected, |e| *e == w);
    if element {
        return match found.map(|t| &t.kind) {
            None => "write an event type here, as in `A ; B`; an operator needs one on both sides".into(),
            Some(Kind::Punct(p)) if matches!(p.as_char(), ';' | ':' | '-') => {
                "one operator stands between two elements: `A ; B`".into()
            }
            Some(Kind::Group(Delimiter::Brace, ..)) => "group parts of a formula with `(…)`".into(),
            Some(Kind::Ident(i)) if i == "not" => "one `not` is enough: `A ; not B ; C`".into(),
            Some(Kind::Ident(i)) if among(i, CLAUSES) => {
                format!("write an event type in front of `{i}`: `A ; B {i} …`")
            }
            _ => "write the name of an event type, as in `A as a ; B as b`, or a group `(A ; B)`".into(),
        };
    }
    if has("a variable's name") {
        return "write a name, as in `A as a`".into();
    }
    if has("a name") {
        return "write `pattern Name on Stream = A ; B;`".into();
    }
    if has("a number") {
        return "write a whole number, as in `within 100 events`, `limit 5`, `capacity 64 events`".into();
    }
    if has("`pattern`") {
        return "an item is `pattern Name on Stream = A ; B within 10 events;` or `window Name on Stream = …;`".into();
    }
    if has("`by`") {
        return "write `partition by attribute`".into();
    }
    if has("an attribute") {
        return "write the name of an attribute, as in `partition by id` or `within 5 of value`".into();
    }
    if has("`past`") || has("`next`") || has("`last`") {
        return "write `skip to next`, `skip past last`, `skip to first x` or `skip to last x`".into();
    }
    if has("a strategy") {
        return "write `strategy all`, `one`, `last`, `next`, `max` or `strict`".into();
    }
    if has("`events`, `keys` or `runs`") || has("`error` or `evict`") {
        return "write `capacity 64 events, 16 keys or evict`".into();
    }
    if has("a variable") {
        return "write the variables that come out, as in `select a, b.price`, or `select none`".into();
    }
    if has("a condition") {
        return "write a condition behind `filter`, as in `A as a filter a.value > 3`".into();
    }
    if has("`{ name: aggregate }`") || has("the aggregate's name") {
        return "write `agg m { total: sum(x.value) }` or `summarize { n: count(*) }`".into();
    }
    if has("`(attribute, …)`") {
        return "write `project x(a, b)`".into();
    }
    format!("write {} here", list(expected, "or"))
}

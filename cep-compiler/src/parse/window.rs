//! `window` items: their head, `agse`, `zip`, and the folds of `agg`. The parameters of `predicate` are read in [`super::predicate`].
//!
//! Everything behind the name stands in a fixed order with words of its own, and each group is read for itself, so a cursor over the
//! lexemes is all the grammar there is: what comes next decides.
use super::{
    attributes,
    item::Slice,
    predicate,
    report::Reporter,
    rust::type_path,
    splits::{pieces, range, tokens, whole},
    text::text,
    token::Group,
};
use crate::{
    ast::{Agse, Branch, Element, FoldArgument, Folds, Interval, StreamPath, Window, WindowBody, WindowFold},
    diagnostic::{Code, Loc},
    lex::{Kind, Lexeme, Range, Token},
    schema::{bounce, joined::joined},
    slices::position,
};
use proc_macro2::{Delimiter, Ident, Literal, TokenTree};

const HELP: &str = "write `window Name on Stream = agse(value) @ (1, 5);` or `window Name on Stream = predicate { start: … };`";
const AGSE: &str = "write `agse(value) @ (1, 5)`: the attributes, the hop and the width";

/// A place in a list of lexemes.
pub(super) struct Cursor<'s> {
    pub(super) rest: &'s [Lexeme],
    end: Range,
}

impl<'s> Cursor<'s> {
    pub(super) fn new(rest: &'s [Lexeme], end: Range) -> Self {
        Cursor { rest, end }
    }

    pub(super) fn here(&self) -> Range {
        self.rest.first().map_or(self.end, |(_, r)| *r)
    }

    pub(super) fn peek(&self) -> Option<&'s Token> {
        self.rest.first().map(|(t, _)| t)
    }

    fn step(&mut self) -> Range {
        let here = self.here();
        self.rest = self.rest.get(1..).unwrap_or_default();
        here
    }

    pub(super) fn word(&mut self, word: &str) -> Option<Range> {
        if self.peek()?.is_word(word) { Some(self.step()) } else { None }
    }

    pub(super) fn punct(&mut self, c: char) -> Option<Range> {
        if self.peek()?.is(c) { Some(self.step()) } else { None }
    }

    pub(super) fn ident(&mut self) -> Option<Ident> {
        let ident = self.peek()?.ident()?.clone();
        self.step();
        Some(ident)
    }

    /// An attribute, or one of an attribute: `value`, `hot.value`.
    pub(super) fn path(&mut self) -> Option<Ident> {
        let mut path = vec![self.ident()?];
        while let [(dot, _), (next, _), ..] = self.rest
            && dot.is('.')
            && let Some(next) = next.ident()
        {
            path.push(next.clone());
            self.step();
            self.step();
        }
        joined(&path)
    }

    pub(super) fn literal(&mut self) -> Option<(&'s Literal, Range)> {
        match &self.peek()?.kind {
            Kind::Literal(l) => Some((l, self.step())),
            _ => None,
        }
    }

    pub(super) fn group(&mut self, delimiter: Delimiter) -> Option<Group<'s>> {
        match &self.peek()?.kind {
            Kind::Group(d, inside, _) if *d == delimiter => Some(Group { inside, range: self.step() }),
            _ => None,
        }
    }

    /// Says what was expected here; gives `None`, for `?`.
    pub(super) fn expected<T>(&self, what: &str, help: &str, reporter: &mut Reporter<'_>) -> Option<T> {
        let found = self.peek().map_or_else(|| "the end".to_string(), ToString::to_string);
        reporter.error(Code::Syntax, self.here(), format!("expected {what}, found {found}")).help(help);
        None
    }
}

/// What stands in front of the item's keyword.
pub(super) struct Front<'s> {
    pub(super) attributes: Vec<syn::Attribute>,
    pub(super) visibility: syn::Visibility,
    pub(super) slice: &'s Slice<'s>,
}

/// Reads a window item; `None`: reported.
pub(super) fn window(name: Ident, front: Front<'_>, reporter: &mut Reporter<'_>) -> Option<Window> {
    let all = front.slice.lexemes;
    let at = position(all, |(t, _)| t.is_word("window"))?;
    reporter.check_name(&name, all.get(at + 1)?.1.start, "an item");
    let mut cursor = Cursor::new(all.get(at + 2..).unwrap_or_default(), front.slice.end);
    let (on, event_type) = stream(&mut cursor, reporter)?;
    let interval = match cursor.word("interval") {
        Some(_) => Some(interval(&mut cursor, reporter)?),
        None => None,
    };
    if cursor.punct('=').is_none() {
        return cursor.expected("`=`", HELP, reporter);
    }
    let body = body(&mut cursor, reporter)?;
    let folds = match cursor.word("agg") {
        Some(word) => Some(folds(&mut cursor, word, &body, reporter)?),
        None => None,
    };
    let mut boxed = None;
    if let Some(word) = cursor.word("storage") {
        let help = "write `storage boxed` for a window on the heap; without it, it is inside the machine";
        match cursor.word("boxed") {
            Some(end) => boxed = Some(reporter.loc((word.start..end.end).into())),
            None if cursor.word("inline").is_some() => {}
            None => return cursor.expected("`boxed` or `inline`", help, reporter),
        }
    }
    if let Some(token) = cursor.peek() {
        let help = match token {
            t if t.is_word("agg") || folds.is_some() => {
                "a window ends behind `agg { … }` and `latency worst_case`"
            }
            _ => "a window ends here, or goes on with `agg { … }`",
        };
        return cursor.expected("the end of the item", help, reporter);
    }
    let loc = reporter.loc((all.first()?.1.start..all.last()?.1.end).into());
    let (attributes, visibility) = (front.attributes, front.visibility);
    Some(Window { attributes, visibility, name, on, event_type, interval, body, folds, boxed, loc })
}

/// `on Sample`, `on Reading::T`
fn stream(cursor: &mut Cursor<'_>, reporter: &mut Reporter<'_>) -> Option<(StreamPath, Option<Ident>)> {
    if cursor.word("on").is_none() {
        return cursor.expected("`on` and the type of the stream", HELP, reporter);
    }
    let trees: Vec<TokenTree> = tokens(cursor.rest).into_iter().collect();
    let path = bounce::path(&trees);
    let (stream, event_type) = bounce::event_type(path);
    let stream: proc_macro2::TokenStream = stream.iter().cloned().collect();
    if stream.is_empty() || bounce::key(&stream).is_none() {
        return cursor.expected("the path of a type that derives `Event`", HELP, reporter);
    }
    // fragments of macros count as they are written
    let mut left = path.len();
    while left > 0 {
        left -= 1;
        let skip = cursor.rest.first().and_then(|(t, _)| t.fragment.as_ref()).map_or(1, |f| f.length.max(1));
        cursor.rest = cursor.rest.get(skip..).unwrap_or_default();
    }
    let loc = Loc::of(&stream);
    Some((StreamPath { tokens: stream, loc }, event_type))
}

/// `1/10 s`
fn interval(cursor: &mut Cursor<'_>, reporter: &mut Reporter<'_>) -> Option<Interval> {
    let help = "write `interval 1/10 s`: a whole number or a fraction, and a unit if you like";
    let from = cursor.here();
    let Some(numerator) = number(cursor) else { return cursor.expected("a whole number", help, reporter) };
    let mut denominator = 1;
    if cursor.punct('/').is_some() {
        let Some(n) = number(cursor) else { return cursor.expected("a whole number", help, reporter) };
        denominator = n;
    }
    let mut to = from;
    let unit = match cursor.peek().and_then(Token::ident) {
        Some(unit) => {
            let Some(unit) = crate::schema::nanoseconds(&unit.to_string()) else {
                return cursor.expected(
                    "a unit of time",
                    "the units are d, h, min, s, ms, us and ns",
                    reporter,
                );
            };
            to = cursor.step();
            Some(unit)
        }
        None => None,
    };
    let range: Range = (from.start..to.end.max(from.end)).into();
    if numerator == 0 || denominator == 0 {
        reporter.error(Code::EmptyWindow, range, "an interval of nothing").help(help);
        return None;
    }
    let second = 1_000_000_000u64;
    let fraction = match unit {
        None => Some((numerator, denominator)),
        // a second has so many of it, or it has so many seconds
        Some(ns) if ns <= second => denominator.checked_mul(second / ns).map(|d| (numerator, d)),
        Some(ns) => numerator.checked_mul(ns / second).map(|n| (n, denominator)),
    };
    let Some((numerator, denominator)) = fraction else {
        reporter.error(Code::TooLarge, range, "this interval is beyond 64 bits").help(help);
        return None;
    };
    Some(Interval { numerator, denominator, loc: reporter.loc(range) })
}

fn number(cursor: &mut Cursor<'_>) -> Option<u64> {
    match &cursor.peek()?.kind {
        Kind::Literal(l) => {
            let n = whole(l)?;
            cursor.step();
            Some(n)
        }
        _ => None,
    }
}

fn body(cursor: &mut Cursor<'_>, reporter: &mut Reporter<'_>) -> Option<WindowBody> {
    if let Some(word) = cursor.word("predicate") {
        let Some(group) = cursor.group(Delimiter::Brace) else {
            return cursor.expected("`{ start: … }`", HELP, reporter);
        };
        let predicate = predicate::predicate(group, word, reporter);
        return Some(WindowBody::Predicate(Box::new(predicate)));
    }
    if let Some(word) = cursor.word("zip") {
        let Some(group) = cursor.group(Delimiter::Parenthesis) else {
            return cursor.expected("`(…)`", "write `zip(agse(value) @ (1, 3), value)`", reporter);
        };
        let before = reporter.count();
        let mut branches = Vec::new();
        for &piece in &pieces(group, false) {
            branches.extend(branch(Cursor::new(piece, range(piece, group)), reporter));
        }
        if branches.is_empty() && reporter.count() == before {
            reporter
                .error(Code::Syntax, group.range, "nothing to join between the parentheses")
                .help("write `zip(agse(value) @ (1, 3), value)`");
        }
        let loc = reporter.loc((word.start..group.range.end).into());
        return Some(WindowBody::Zip(branches, loc));
    }
    if cursor.peek().is_some_and(|t| t.is_word("agse")) {
        return Some(WindowBody::Agse(agse(cursor, reporter)?));
    }
    cursor.expected("`agse`, `zip` or `predicate`", HELP, reporter)
}

/// `agse(value) @ (1, 3) as taps`, `value as now`
fn branch(mut cursor: Cursor<'_>, reporter: &mut Reporter<'_>) -> Option<Branch> {
    let help = "write a window, `agse(value) @ (1, 3)`, or an attribute; `as name` names its field";
    let window = if cursor.peek().is_some_and(|t| t.is_word("agse")) {
        Some(agse(&mut cursor, reporter)?)
    } else {
        None
    };
    let attribute = match &window {
        Some(_) => None,
        None => match cursor.path() {
            Some(attribute) => Some(attribute),
            None => return cursor.expected("a window or an attribute", help, reporter),
        },
    };
    let mut name = None;
    if cursor.word("as").is_some() {
        let at = cursor.here().start;
        name = cursor.ident();
        let Some(name) = &name else { return cursor.expected("a name", help, reporter) };
        reporter.check_name(name, at, "a field");
    }
    if cursor.peek().is_some() {
        return cursor.expected("`,`", help, reporter);
    }
    match (window, attribute) {
        (Some(window), _) => Some(Branch::Window(window, name)),
        (None, Some(attribute)) => Some(Branch::Field(attribute, name)),
        (None, None) => None,
    }
}

/// `agse(a, b) as f64 delay 1 @ (k, w) delay 2`
fn agse(cursor: &mut Cursor<'_>, reporter: &mut Reporter<'_>) -> Option<Agse> {
    let word = cursor.step();
    let elements = cursor.group(Delimiter::Parenthesis).map(|group| elements(group, reporter));
    let cast = if cursor.word("as").is_some() {
        let Some(ty) = cursor.ident() else { return cursor.expected("a type", AGSE, reporter) };
        Some(ty)
    } else {
        None
    };
    let source_delay = delay(cursor, reporter)?;
    if cursor.punct('@').is_none() {
        return cursor.expected("`@ (hop, width)`", AGSE, reporter);
    }
    let Some(size) = cursor.group(Delimiter::Parenthesis) else {
        return cursor.expected("`(hop, width)`", AGSE, reporter);
    };
    let (hop, width) = self::size(size, reporter)?;
    let delay = delay(cursor, reporter)?;
    Some(Agse {
        elements,
        cast,
        source_delay,
        hop,
        width,
        delay,
        word: reporter.loc(word),
        size: reporter.loc(size.range),
    })
}

/// `delay 2`, or nothing.
fn delay(cursor: &mut Cursor<'_>, reporter: &mut Reporter<'_>) -> Option<u64> {
    if cursor.word("delay").is_none() {
        return Some(0);
    }
    match number(cursor) {
        Some(n) => Some(n),
        None => cursor.expected("a whole number of records", "write `delay 1`", reporter),
    }
}

/// `(k, w)`
fn size(group: Group<'_>, reporter: &mut Reporter<'_>) -> Option<(u64, i64)> {
    let mut cursor = Cursor::new(group.inside, group.end());
    let minus = cursor.punct('-');
    let Some((hop, hop_at)) = cursor.literal() else { return cursor.expected("the hop", AGSE, reporter) };
    let hop = match (whole(hop), minus) {
        (Some(hop), None) => hop,
        (Some(_), Some(at)) => {
            let at = (at.start..hop_at.end).into();
            reporter
                .error(Code::EmptyWindow, at, "a hop is a number of elements, at least 1")
                .help("a negative width turns the order round: `@ (2, -2)`");
            return None;
        }
        (None, _) => {
            reporter.error(Code::Syntax, hop_at, "expected a whole number").help(AGSE);
            return None;
        }
    };
    if cursor.punct(',').is_none() {
        return cursor.expected("`,`", AGSE, reporter);
    }
    let negative = cursor.punct('-').is_some();
    let Some((width, width_at)) = cursor.literal() else {
        return cursor.expected("the width", AGSE, reporter);
    };
    let width = whole(width).and_then(|w| i64::try_from(w).ok());
    let Some(width) = width else {
        reporter.error(Code::Syntax, width_at, "expected a whole number").help(AGSE);
        return None;
    };
    cursor.punct(',');
    if cursor.peek().is_some() {
        return cursor.expected("`)`", AGSE, reporter);
    }
    if hop == 0 {
        reporter
            .error(Code::EmptyWindow, hop_at, "the hop must be a positive number of elements")
            .note("a window that does not move would come again and again")
            .help("write `@ (1, w)` for a window at every element");
    }
    if width == 0 {
        reporter
            .error(Code::EmptyWindow, width_at, "the width of a window must not be zero")
            .help("write `@ (k, 5)` for the newest element first, `@ (k, -5)` for the order of arrival");
    }
    Some((hop, if negative { -width } else { width }))
}

/// `value, taps[0], count as f64`
fn elements(group: Group<'_>, reporter: &mut Reporter<'_>) -> Vec<Element> {
    let help = "write the attributes to be flattened: `agse(a, b)`, or `agse` for all of them";
    let mut out = Vec::new();
    for &piece in &pieces(group, true) {
        let at = range(piece, group);
        let mut cursor = Cursor::new(piece, at);
        let Some(attribute) = cursor.path() else {
            let _: Option<()> = cursor.expected("an attribute", help, reporter);
            continue;
        };
        let index = cursor.group(Delimiter::Bracket).map(|g| match g.inside {
            [(Token { kind: Kind::Literal(l), .. }, _)] => whole(l),
            _ => None,
        });
        if index == Some(None) {
            reporter
                .error(Code::Syntax, at, "an element of an array is named by a number")
                .help("write `agse(values[0])`");
            continue;
        }
        let mut cast = None;
        if cursor.word("as").is_some() {
            cast = cursor.ident();
            if cast.is_none() {
                let _: Option<()> = cursor.expected("a type", help, reporter);
                continue;
            }
        }
        if cursor.peek().is_some() {
            let _: Option<()> = cursor.expected("`,`", help, reporter);
            continue;
        }
        out.push(Element { attribute, index: index.flatten(), cast, loc: reporter.loc(at) });
    }
    if out.is_empty() && group.inside.is_empty() {
        reporter.error(Code::Syntax, group.range, "no attributes between the parentheses").help(help);
    }
    out
}

/// `{ mean: avg, … } latency worst_case`
fn folds(
    cursor: &mut Cursor<'_>,
    word: Range,
    body: &WindowBody,
    reporter: &mut Reporter<'_>,
) -> Option<Folds> {
    let predicate = matches!(body, WindowBody::Predicate(_));
    let help = if predicate {
        "write `agg { n: count(*), total: sum(value) }`"
    } else {
        "write `agg { mean: avg, peak: max }`"
    };
    let Some(group) = cursor.group(Delimiter::Brace) else {
        return cursor.expected("`{ name: function }`", help, reporter);
    };
    let before = reporter.count();
    let mut fields = Vec::new();
    for &piece in &pieces(group, true) {
        let at = range(piece, group);
        fields.extend(fold(Cursor::new(piece, at), at, predicate, help, reporter));
    }
    if fields.is_empty() && reporter.count() == before {
        reporter.error(Code::Syntax, group.range, "no aggregates between the braces").help(help);
    }
    let mut worst_case = None;
    if let Some(latency) = cursor.word("latency") {
        let Some(end) = cursor.word("worst_case") else {
            return cursor.expected("`worst_case`", "write `latency worst_case`", reporter);
        };
        worst_case = Some(reporter.loc((latency.start..end.end).into()));
    }
    (reporter.count() == before).then(|| Folds { fields, worst_case, word: reporter.loc(word) })
}

fn fold(
    mut cursor: Cursor<'_>,
    at: Range,
    predicate: bool,
    help: &str,
    reporter: &mut Reporter<'_>,
) -> Option<WindowFold> {
    let Some(name) = cursor.ident() else { return cursor.expected("`name: function`", help, reporter) };
    reporter.check_name(&name, at.start, "an attribute");
    if cursor.punct(':').is_none() {
        return cursor.expected("`:`", help, reporter);
    }
    let Some(function) = cursor.ident() else { return cursor.expected("a function", help, reporter) };
    let mut monoid = None;
    if function == "fold" {
        let round = |t: &Token| matches!(t.kind, Kind::Group(Delimiter::Parenthesis, ..));
        let n = position(cursor.rest, |(t, _)| round(t)).unwrap_or(cursor.rest.len());
        let path = cursor.rest.get(..n).unwrap_or_default();
        let Some(path) = type_path(path) else {
            return cursor.expected("a type that implements `Monoid`", "write `fold MyMonoid`", reporter);
        };
        cursor.rest = cursor.rest.get(n..).unwrap_or_default();
        monoid = Some(path);
    }
    let argument = match cursor.group(Delimiter::Parenthesis) {
        None if predicate => {
            return cursor.expected(
                &format!("what `{function}` folds"),
                &format!("write `{function}(attribute)`; `count(*)` counts the events"),
                reporter,
            );
        }
        None => FoldArgument::Elements,
        Some(group) if !predicate => {
            reporter
                .error(
                    Code::Syntax,
                    group.range,
                    format!("here `{function}` folds all elements of the window"),
                )
                .note("which elements there are is said by `agse(…)`")
                .help(format!("write `{name}: {function}`"));
            return None;
        }
        Some(group) => match group.inside {
            [(t, _)] if t.is('*') => FoldArgument::Events,
            inside if is_path(inside) => FoldArgument::Attribute(Cursor::new(inside, group.end()).path()?),
            _ => {
                let inside = text(group.inside, group.range);
                reporter
                    .error(
                        Code::Syntax,
                        group.range,
                        format!("`{function}` folds an attribute, and `{inside}` is none"),
                    )
                    .help(format!("write `{function}(attribute)`"));
                return None;
            }
        },
    };
    if cursor.peek().is_some() {
        return cursor.expected("`,`", help, reporter);
    }
    Some(WindowFold { name, function, monoid, argument, loc: reporter.loc(at) })
}

/// `value`, `hot.value`
pub(super) fn is_path(lexemes: &[Lexeme]) -> bool {
    let mut cursor = Cursor::new(lexemes, (0..0).into());
    cursor.path().is_some() && cursor.peek().is_none()
}

/// What stands in front of `window`.
pub(super) fn front<'s>(
    raw: &[Group<'_>],
    visibility: Option<Range>,
    slice: &'s Slice<'s>,
    reporter: &mut Reporter<'_>,
) -> Front<'s> {
    let attributes = attributes::read(raw, reporter);
    let visibility = attributes::visibility(visibility, slice.lexemes, reporter);
    Front { attributes, visibility, slice }
}

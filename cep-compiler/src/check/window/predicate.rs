//! `predicate { … }`: which parameters go together, and what has to be bounded.
use super::conditions::Scope;
use super::folds;
use crate::ast::{self, FoldArgument, Folds, Span};
use crate::check::clauses::nanoseconds;
use crate::diagnostic::{Code, Diagnostics, Loc};
use crate::hir::predicate::Predicate;
use crate::hir::window::Fold;
use crate::schema::{EventType, Kind, Schema};
use crate::slices::{any, each_indexed, position};

/// More elements or keys than this are not counted.
const MOST: u64 = 1 << 24;

/// Checks a predicate window over these event types.
pub(super) fn predicate(
    p: &ast::Predicate,
    given: Option<&Folds>,
    schema: &Schema,
    types: &[usize],
    on: Loc,
    d: &mut Diagnostics,
) -> Option<Predicate> {
    let before = d.list().len();
    let mut scope = scope(schema, types);
    let (clock, clock_kind, clock_unit) = clock(schema, types, on, d)?;
    if p.start.is_none() {
        d.error(Code::MissingBound, p.word, "a predicate window needs `start`")
            .note("without it no window would ever open")
            .help("write `start: true` for a window that opens with the first element");
    }
    let beside = beside(schema, types, &clock_kind, clock_unit, on, d);
    let mut conditions = [None, None, None, None];
    for (place, clause) in conditions.iter_mut().zip([&p.start, &p.end, &p.clear, &p.advance_when]) {
        *place = clause.as_ref().and_then(|c| scope.condition(&c.value, d));
    }
    pairs(p, given, d);
    let key = key(p, &scope, d);
    let max = p.max_time.as_ref().and_then(|c| span(&c.value, c.loc, clock_unit, d));
    let idle = p.idle.as_ref().and_then(|c| span(&c.value, c.loc, clock_unit, d));
    let (fields, fold_attributes) = given.map_or_else(Default::default, |f| of_events(f, &scope, d));
    for name in p.partition.as_ref().map_or(&[] as &[_], |c| &c.value) {
        if let Some(f) = crate::slices::find(&fields, |f| f.name == *name) {
            d.error(Code::FieldClash, f.name.span(), format!("`{name}` is the key of this window already"))
                .note("an output has the attributes of its key beside the aggregates")
                .help("give the aggregate another name");
        }
    }
    if let Some(at) = given.and_then(|f| f.worst_case) {
        d.error(
            Code::NotSupported,
            at,
            "a predicate window folds as elements come: no step takes more than one combine",
        )
        .help("leave `latency worst_case` out");
    }
    let flag = |c: &Option<ast::Clause<bool>>, default: bool| c.as_ref().map_or(default, |c| c.value);
    let keep_order = flag(&p.keep_time_order, true);
    let stores = given.is_none() || p.advance_when.is_some();
    let (most, keys) = bounds(p, stores, keep_order, d);
    if d.list().len() > before {
        return None;
    }
    let port =
        |c: &Option<ast::Clause<u64>>| c.as_ref().and_then(|c| u8::try_from(c.value).ok()).unwrap_or(0);
    Some(Predicate {
        conditions,
        advance_size: p.advance_when.as_ref().and(p.advance_size.as_ref()).map(|c| c.value),
        same_start: flag(&p.same_start_time, false),
        keep_end: flag(&p.keep_ending_element, false),
        one_role: flag(&p.one_role, false),
        keep_order,
        heartbeat: flag(&p.heartbeat, false),
        output_max: flag(&p.output_if_max_time, true),
        flush: flag(&p.flush_on_end, true),
        nested: flag(&p.nesting, false) && given.is_none(),
        max,
        idle,
        max_port: port(&p.max_time_port),
        idle_port: port(&p.idle_port),
        key,
        clock,
        beside,
        clock_kind,
        clock_unit,
        folds: fields,
        fold_attributes,
        kept: scope.kept,
        remembers: scope.remembers,
        most,
        keys,
        evict: p.capacity.as_ref().is_some_and(|c| c.value.evict),
    })
}

/// Where names are looked up.
pub(super) fn scope<'a>(schema: &'a Schema, types: &'a [usize]) -> Scope<'a> {
    Scope { schema, types, kept: Vec::new(), remembers: false }
}

/// Which attribute of an event type is its time, of what type and in what unit.
fn time_of(of: &EventType) -> Option<(usize, &Kind, u64)> {
    let n = position(&of.attributes, |a| a.time.is_some())?;
    let a = &of.attributes[n];
    Some((n, &a.kind, a.time?))
}

/// The clock: of one type and unit in every event type.
fn clock(schema: &Schema, types: &[usize], on: Loc, d: &mut Diagnostics) -> Option<(Vec<usize>, Kind, u64)> {
    let mut out = Vec::new();
    let mut found: Option<(&Kind, u64)> = None;
    for t in types {
        let of = &schema.types[*t];
        let Some((n, kind, unit)) = time_of(of) else {
            d.error(Code::NoClock, on, format!("`{}` has no time, and a predicate window orders its elements by it", of.name))
                .help("put `#[event(time)]` on the attribute that is the time (an integer; ms unless another unit is given)");
            return None;
        };
        if found.is_some_and(|f| f != (kind, unit)) {
            d.error(Code::NoClock, on, "the clock has different types or units on different event types")
                .help("give it one type and one unit everywhere, or name one event type");
            return None;
        }
        found = Some((kind, unit));
        out.push(n);
    }
    let (kind, unit) = found?;
    match kind {
        Kind::Int(i) if i.bits <= 64 && !i.size => Some((out, kind.clone(), unit)),
        _ => {
            d.error(
                Code::NotSupported,
                on,
                "a clock of this type is not supported yet in a predicate window",
            )
            .help("use `u64` or `i64`");
            None
        }
    }
}

/// The event types that the window does not look at but for their time, which closes windows as that of an element does.
fn beside(
    schema: &Schema,
    types: &[usize],
    kind: &Kind,
    unit: u64,
    on: Loc,
    d: &mut Diagnostics,
) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    for (t, of) in schema.types.iter().enumerate() {
        let Some((n, its_kind, its_unit)) = time_of(of).filter(|_| !types.contains(&t)) else { continue };
        if (its_kind, its_unit) != (kind, unit) {
            d.error(Code::NoClock, on, format!("the clock has another type or unit on `{}`", of.name))
                .note("the window does not look at its events, but their time closes windows")
                .help("give it one type and one unit everywhere");
            return Vec::new();
        }
        out.push((t, n));
    }
    out
}

/// Parameters that need, or exclude, one another.
fn pairs(p: &ast::Predicate, given: Option<&Folds>, d: &mut Diagnostics) {
    match (&p.advance_when, &p.advance_size) {
        (Some(when), None) => {
            d.error(Code::MissingBound, when.loc, "`advance_when` needs `advance_size`")
                .help("write `advance_size: 1`, or `-1` to drop all");
        }
        (None, Some(size)) => {
            d.error(Code::MissingBound, size.loc, "`advance_size` needs `advance_when`")
                .help("write `advance_when: true` to advance after every output");
        }
        _ => {}
    }
    let needs = [
        (
            p.max_time_port.as_ref().map(|c| c.loc),
            p.max_time.is_some(),
            "max_window_time_output_port",
            "max_window_time",
        ),
        (
            p.output_if_max_time.as_ref().map(|c| c.loc),
            p.max_time.is_some(),
            "output_if_max_window_time",
            "max_window_time",
        ),
        (
            p.idle_port.as_ref().map(|c| c.loc),
            p.idle.is_some(),
            "close_window_after_no_updates_port",
            "close_window_after_no_updates_for",
        ),
    ];
    for (at, there, name, other) in needs {
        if let (Some(at), false) = (at, there) {
            d.error(Code::MissingBound, at, format!("`{name}` needs `{other}`"))
                .help(format!("add `{other}`, or leave it out"));
        }
    }
    if let (Some(nesting), Some(folds)) = (p.nesting.as_ref().filter(|n| n.value), given) {
        d.error(
            Code::ClauseOrder,
            nesting.loc,
            "`nesting` gives the members of a window, and `agg` their fold",
        )
        .note(format!("there are {} aggregates", folds.fields.len()))
        .help("leave one of the two out");
    }
}

/// The attributes of the key.
fn key(p: &ast::Predicate, scope: &Scope<'_>, d: &mut Diagnostics) -> Vec<Vec<usize>> {
    let mut out = Vec::new();
    let names = p.partition.as_ref().map_or(&[] as &[_], |c| &c.value);
    for (i, name) in names.iter().enumerate() {
        if names[..i].contains(name) {
            d.error(Code::FieldClash, name.span(), format!("`{name}` is in the key twice"))
                .help("name each attribute once");
            continue;
        }
        if let Some(number) = key_of(name, scope, d) {
            out.push(number);
        }
    }
    out
}

/// An attribute of the key, by its number in each event type.
pub(super) fn key_of(
    name: &proc_macro2::Ident,
    scope: &Scope<'_>,
    d: &mut Diagnostics,
) -> Option<Vec<usize>> {
    let number = scope.attribute(name, d)?;
    let kinds = each_indexed(scope.types, |i, t| &scope.schema.types[*t].attributes[number[i]].kind);
    let why = if any(&kinds, |k| matches!(k, Kind::Float(_) | Kind::Array(_))) {
        Some(("it is a float", "a key has an equality that is an equivalence; use an integer"))
    } else if any(&kinds, |k| matches!(k, Kind::String)) || !scope.is_kept(&number) {
        Some(("it cannot be kept", "use an id, a `&'static str` or a `cep::Text<N>`"))
    } else if scope.nullable(&number) {
        Some(("it may be NULL", "partition by an attribute that is always there"))
    } else if any(&kinds, |k| *k != kinds[0]) {
        Some(("it has different types on different event types", "give it one type everywhere"))
    } else {
        None
    };
    match why {
        Some((why, help)) => {
            d.error(Code::UnlikeTypes, name.span(), format!("`{name}` cannot be a key: {why}")).help(help);
        }
        None => return Some(number),
    }
    None
}

/// An amount of time in the clock's unit.
fn span(span: &Span, at: Loc, unit: u64, d: &mut Diagnostics) -> Option<u64> {
    let amounts = match span {
        Span::Units(n) => return Some(*n),
        Span::Time(amounts) => amounts,
    };
    let mut total = 0u128;
    for (n, u) in amounts {
        total += u128::from(*n) * u128::from(nanoseconds(*u));
    }
    let in_units = total / u128::from(unit.max(1));
    if in_units == 0 {
        d.error(Code::EmptyWindow, at, "this is shorter than one tick of the clock")
            .note("the unit of `#[event(time)]` is `ms` unless it is given: `#[event(time = \"us\")]`")
            .help("choose a longer time, or a finer unit");
        return None;
    }
    let found = u64::try_from(in_units).ok();
    if found.is_none() {
        d.error(Code::TooLarge, at, "this is longer than the clock can tell").help("choose a shorter time");
    }
    found
}

/// The folds, each with its attribute in every event type.
fn of_events(given: &Folds, scope: &Scope<'_>, d: &mut Diagnostics) -> (Vec<Fold>, Vec<Vec<usize>>) {
    let (mut out, mut numbers): (Vec<Fold>, Vec<Vec<usize>>) = (Vec::new(), Vec::new());
    for f in &given.fields {
        if folds::clashes(f, &out, d) {
            continue;
        }
        if let Some((fold, number)) = fold_of(f, scope, d) {
            out.push(fold);
            numbers.push(number);
        }
    }
    (out, numbers)
}

/// One fold, with its attribute in every event type.
pub(super) fn fold_of(
    f: &ast::WindowFold,
    scope: &Scope<'_>,
    d: &mut Diagnostics,
) -> Option<(Fold, Vec<usize>)> {
    let (number, kind, nullable, what) = match &f.argument {
        FoldArgument::Attribute(name) => {
            let number = scope.attribute(name, d)?;
            if !scope.is_kept(&number) {
                d.error(Code::NotKept, name.span(), format!("`{name}` cannot be copied out of its event"))
                    .help("fold an attribute that is `Copy`");
                return None;
            }
            let of = |n: usize| &scope.schema.types[scope.types[n]].attributes[number[n]];
            if (1..number.len()).any(|n| of(n).kind != of(0).kind || of(n).nullable != of(0).nullable) {
                d.error(
                    Code::UnlikeTypes,
                    name.span(),
                    format!("`{name}` has different types on different event types"),
                )
                .help("give it one type everywhere, or name one event type");
                return None;
            }
            let (kind, nullable) = (of(0).kind.clone(), of(0).nullable);
            (number, kind, nullable, format!("the values of `{name}`"))
        }
        _ if f.function == "count" => (Vec::new(), Kind::Opaque, false, String::new()),
        _ => {
            d.error(
                Code::UnlikeTypes,
                f.loc,
                format!("`{}` folds an attribute; only `count` counts events", f.function),
            )
            .help(format!("write `{}(attribute)`", f.function));
            return None;
        }
    };
    let fold = folds::fold(f, number.first().copied(), &kind, nullable, &what, d)?;
    Some((fold, number))
}

/// The capacities, where they are needed.
fn bounds(p: &ast::Predicate, stores: bool, keep_order: bool, d: &mut Diagnostics) -> (u64, u64) {
    let capacity = p.capacity.as_ref().map(|c| &c.value);
    let elements = capacity.and_then(|c| c.events);
    let keys = capacity.and_then(|c| c.keys);
    let waits = !stores && keep_order && (p.partition.is_some() || p.clear.is_some());
    if elements.is_none() && (stores || waits) {
        let why = if stores {
            "a window may be of any length, and its elements are kept until it closes"
        } else {
            "an output waits until no open window begins before it (`keep_time_order`)"
        };
        d.error(Code::MissingBound, p.word, "this window needs a `capacity` in elements")
            .note(why)
            .help("add `capacity: 512 elements`");
    }
    if keys.is_none() && p.partition.is_some() {
        d.error(Code::MissingBound, p.word, "this window needs a `capacity` in keys")
            .note("each key has a window of its own")
            .help("add `capacity: 512 elements, 64 keys`");
    }
    for (n, what) in [(elements, "elements"), (keys, "keys")] {
        if let (Some(n), Some(c)) = (n, &p.capacity)
            && n > MOST
        {
            d.error(Code::TooLarge, c.loc, format!("{n} {what} are more than the {MOST} that can be"))
                .help("choose a smaller capacity");
        }
    }
    (elements.unwrap_or(0), if p.partition.is_some() { keys.unwrap_or(1) } else { 1 })
}

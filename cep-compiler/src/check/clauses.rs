//! The clauses behind the formula: windows and their clock, keys, capacities.
use super::lower::{Lowering, Part};
use super::output::not_kept;
use super::types::Ty;
use crate::ast::{self, PartitionKey, TimeUnit, Within};
use crate::diagnostic::{Code, Diagnostics, Loc};
use crate::hir::{Amount, AttributeId, Clock, LoopId, Output, Region, TypeId, Window};
use crate::nearest::{list, nearest};
use crate::schema::{Kind, Schema};
use proc_macro2::Ident;

/// The longest window the numbers of the engine are made for.
const LONGEST: u64 = 1 << 40;

/// The clock of the whole machine, from all its windows; two are an error.
pub(crate) fn clock(windows: &[(&Within, Loc)], schema: &Schema, d: &mut Diagnostics) -> Option<Clock> {
    let mut clock: Option<(Clock, String)> = None;
    for (w, loc) in windows {
        let (found, name) = match w {
            Within::Time(_) => (event_time(schema, *loc, d), "#[event(time)]".to_string()),
            Within::Of { attribute, .. } => (of(schema, attribute, d), format!("`{attribute}`")),
            _ => continue,
        };
        let found = found?;
        match &clock {
            Some((_, other)) if *other != name => {
                d.error(
                    Code::NoClock,
                    *loc,
                    format!("this window has another clock ({name}) than the one before ({other})"),
                )
                .note("a machine has one clock: it decides what is out of order")
                .help("measure both windows on one attribute");
                return None;
            }
            _ => clock = Some((found, name)),
        }
    }
    clock.map(|c| c.0)
}

fn event_time(schema: &Schema, loc: Loc, d: &mut Diagnostics) -> Option<Clock> {
    let mut attributes = Vec::new();
    for t in &schema.types {
        let Some(i) = t.attributes.iter().position(|a| a.time.is_some()) else {
            d.error(
                Code::NoClock,
                loc,
                format!(
                    "a window in time needs the time of every event, and the event type `{}` has none",
                    t.name
                ),
            )
            .help(
                "mark the attribute that carries the timestamp: `#[event(time)]`, or use `within n events`",
            );
            return None;
        };
        attributes.push(AttributeId(i));
    }
    one_clock(schema, attributes, loc, d)
}

fn of(schema: &Schema, attribute: &Ident, d: &mut Diagnostics) -> Option<Clock> {
    let mut attributes = Vec::new();
    for t in &schema.types {
        let Some(i) = t.attributes.iter().position(|a| a.name == *attribute) else {
            d.error(
                Code::NoClock,
                attribute.span(),
                format!("a clock is an attribute of every event type, and `{}` has no `{attribute}`", t.name),
            )
            .help("choose another attribute, or use `within n events`");
            return None;
        };
        let a = &t.attributes[i];
        if a.nullable || !matches!(a.kind, Kind::Int(_) | Kind::Float(_)) {
            d.error(
                Code::NoClock,
                attribute.span(),
                format!("`{attribute}` of `{}` cannot be a clock: it is no number, or may be NULL", t.name),
            )
            .help("choose a numeric attribute that is no `Option`");
            return None;
        }
        attributes.push(AttributeId(i));
    }
    one_clock(schema, attributes, attribute.span().into(), d)
}

fn one_clock(schema: &Schema, attributes: Vec<AttributeId>, loc: Loc, d: &mut Diagnostics) -> Option<Clock> {
    let each: Vec<_> = schema.types.iter().zip(&attributes).map(|(t, a)| &t.attributes[a.0]).collect();
    let first = *each.first()?;
    if each.iter().any(|a| a.kind != first.kind || a.time != first.time) {
        d.error(Code::NoClock, loc, "the clock has different types or units on different event types")
            .help("give it one type and one unit everywhere");
        return None;
    }
    Some(Clock { kind: first.kind.clone(), attributes })
}

/// Nanoseconds of a unit.
fn nanoseconds(unit: TimeUnit) -> u64 {
    match unit {
        TimeUnit::Day => 86_400_000_000_000,
        TimeUnit::Hour => 3_600_000_000_000,
        TimeUnit::Minute => 60_000_000_000,
        TimeUnit::Second => 1_000_000_000,
        TimeUnit::Millisecond => 1_000_000,
        TimeUnit::Microsecond => 1_000,
        TimeUnit::Nanosecond => 1,
    }
}

/// A window in the clock's unit.
pub(crate) fn window(
    w: &Within,
    loc: Loc,
    clock: Option<&Clock>,
    schema: &Schema,
    d: &mut Diagnostics,
) -> Option<Window> {
    match w {
        Within::Events { count, .. } if *count > LONGEST => {
            d.error(Code::TooLarge, loc, format!("a window of more than {LONGEST} events is not possible"))
                .help("choose a shorter window");
            None
        }
        Within::Events { count, .. } => Some(Window::Events(*count)),
        Within::Time(amounts) => {
            let clock = clock?;
            let unit = schema.types.first()?.attributes[clock.attributes.first()?.0].time?;
            let total: u128 = amounts.iter().map(|(n, u)| u128::from(*n) * u128::from(nanoseconds(*u))).sum();
            let in_units = total / u128::from(unit);
            if in_units == 0 {
                d.error(Code::EmptyWindow, loc, "this window is shorter than one tick of the clock")
                    .note(
                        "the unit of `#[event(time)]` is `ms` unless it is given: `#[event(time = \"us\")]`",
                    )
                    .help("choose a longer window, or a finer unit");
                return None;
            }
            match u64::try_from(in_units) {
                Ok(n) => Some(Window::Clock(Amount::Int(n))),
                Err(_) => {
                    d.error(Code::TooLarge, loc, "this window is longer than the clock can tell")
                        .help("choose a shorter window");
                    None
                }
            }
        }
        Within::Of { amount, .. } => of_amount(amount, clock?, loc, d),
        // refused by `support`
        Within::Window(_) => None,
    }
}

fn of_amount(amount: &proc_macro2::Literal, clock: &Clock, loc: Loc, d: &mut Diagnostics) -> Option<Window> {
    let text = amount.to_string().replace('_', "");
    let found = match clock.kind {
        Kind::Float(_) => text.parse().ok().map(Amount::Float),
        _ => text.parse().ok().map(Amount::Int),
    };
    match found {
        Some(Amount::Float(f)) if !(f.is_finite() && f > 0.0) => {
            d.error(Code::EmptyWindow, loc, "a window of no length").help("give a positive amount");
            None
        }
        Some(Amount::Int(0)) => {
            d.error(Code::EmptyWindow, loc, "a window of no length").help("give a positive amount");
            None
        }
        Some(a) => Some(Window::Clock(a)),
        None => {
            d.error(
                Code::UnlikeTypes,
                loc,
                format!("the clock is {}, and `{text}` is none", Ty::of(&clock.kind).describe()),
            )
            .help("write a plain number of the clock's type");
            None
        }
    }
}

/// A window that is missing, or shorter than the pattern; a capacity that is missing.
pub(crate) fn bounds(
    pattern: &ast::Pattern,
    pass: &Lowering<'_>,
    part: &Part,
    window: Option<&Window>,
    output: Option<&Output>,
    d: &mut Diagnostics,
) {
    let steps = part.shortest;
    let loc = pattern.clauses.within.as_ref().map_or(pattern.formula.loc, |w| w.loc);
    let detect = matches!(output, Some(Output::Detect));
    let joined = pass.conjuncts.iter().find(|c| !c.is_unary());
    let keyed = pattern.clauses.partition.as_ref().map(|p| p.loc);
    match window {
        Some(Window::Events(n)) if *n < steps => {
            d.error(
                Code::Unsatisfiable,
                loc,
                format!("this pattern can match nothing: it has {steps} events, and its window holds {n}"),
            )
            .help(format!("write `within {steps} events` or more"));
        }
        Some(Window::Events(_)) => {}
        Some(Window::Clock(_)) => {
            let simple = detect && joined.is_none() && keyed.is_none() && pass.inner_windows.is_empty();
            let has = pattern.clauses.capacity.as_ref().is_some_and(|c| c.value.events.is_some());
            if !simple && !has {
                d.error(Code::MissingBound, loc, "a window in time does not tell how many events it holds")
                    .note("the machine allocates nothing, so it has to know how many of the events that the pattern accepts can be inside the window at once")
                    .help("add `capacity 1000 events` with the number that fits your stream; one more is refused with `Full`, or evicts the oldest with `or evict`");
            }
        }
        None => missing(pattern, part, detect, joined.map(|c| c.loc).or(keyed), d),
    }
    if let Some(c) = &pattern.clauses.capacity {
        for (n, what) in [(c.value.events, "events"), (c.value.keys, "keys"), (c.value.runs, "runs")] {
            if n == Some(0) {
                d.error(Code::MissingBound, c.loc, format!("a capacity of no {what}"))
                    .help("write the number that can be there at once");
            }
        }
    }
    iterated_reads(pattern, pass, window, d);
}

/// An iterated variable read after its iteration in a way that no bounded summary decides.
fn iterated_reads(pattern: &ast::Pattern, pass: &Lowering<'_>, window: Option<&Window>, d: &mut Diagnostics) {
    const KEPT: u64 = 4096;
    let bounded = pattern.clauses.capacity.as_ref().is_some_and(|c| c.value.events.is_some())
        || matches!(window, Some(Window::Events(n)) if *n <= KEPT);
    if bounded {
        return;
    }
    for c in pass.conjuncts.iter().filter(|c| !c.is_unary()) {
        // iterated by something whose repetitions the read does not keep apart
        let many = c.reads.iter().filter(|r| {
            let Region::All(apart) = &r.region else { return false };
            pass.loops
                .iter()
                .enumerate()
                .any(|(i, l)| r.atoms.iter().any(|a| l.atoms.contains(&a.0)) && !apart.contains(&LoopId(i)))
        });
        let many: Vec<_> = many.collect();
        let separable = c.disjuncts.len() == 1
            && matches!(&c.disjuncts[0].expr, syn::Expr::Binary(b) if super::types::is_comparison(&b.op) && !matches!(b.op, syn::BinOp::Ne(_)));
        if many.len() > 1 || (many.len() == 1 && !separable) {
            d.error(Code::MissingBound, c.loc, format!("`{}` is read after its iteration, so all its events have to be kept", many[0].name))
                .note(format!("that takes a window of at most {KEPT} events, or a `capacity`"))
                .help("compare `first(…)`, `last(…)`, `min(…)`, `max(…)` or `count(…)` of it, or shorten the window");
        }
    }
}

fn missing(pattern: &ast::Pattern, part: &Part, detect: bool, joined: Option<Loc>, d: &mut Diagnostics) {
    if part.is_one_event() {
        return;
    }
    let (at, why) = match (detect, joined) {
        (true, None) => return,
        (true, Some(loc)) => (
            loc,
            "this compares an event with earlier ones, which have to be kept until they are too old"
                .to_string(),
        ),
        (false, _) => {
            let at = pattern.clauses.output.as_ref().map_or(pattern.formula.loc, |o| o.loc);
            (
                at,
                format!(
                    "matches are made of {} events or more, and the earlier ones have to be kept until they are too old",
                    part.shortest.max(2)
                ),
            )
        }
    };
    d.error(Code::MissingBound, at, "this pattern needs a window").note(why).help(format!(
        "add a clause behind the formula: `within 100 events` (at least {}); `detect` of conditions on single events needs none",
        part.shortest.max(1)
    ));
}

/// Attributes that conditions over several events read but that cannot be kept.
pub(crate) fn kept(pass: &Lowering<'_>, d: &mut Diagnostics) {
    let schema = pass.names.schema;
    for c in pass.conjuncts.iter().filter(|c| !c.is_unary()) {
        let reads = c.reads.iter().flat_map(|r| r.attributes.iter().map(move |a| (r.name.to_string(), a)));
        let folds = c.folds.iter().filter_map(|f| Some((f.text.clone(), f.attribute.as_ref()?)));
        for (of, a) in reads.chain(folds) {
            if a.of.iter().any(|(t, i)| !schema.types[t.0].attributes[i.0].kept) {
                let why =
                    "this condition reads several events, so each is compared when the others are there";
                not_kept(a.loc, &format!("{of}.{}", a.name), why, d);
            }
        }
    }
}

/// The key attributes by event type.
pub(crate) fn partition(
    pattern: &ast::Pattern,
    pass: &Lowering<'_>,
    d: &mut Diagnostics,
) -> Vec<Vec<(TypeId, AttributeId)>> {
    let Some(clause) = &pattern.clauses.partition else { return Vec::new() };
    let schema = pass.names.schema;
    let mut keys = Vec::new();
    for key in &clause.value {
        let (named, of) = match key {
            PartitionKey::Attribute(name) => {
                let of: Vec<_> = schema
                    .types
                    .iter()
                    .enumerate()
                    .filter_map(|(t, e)| {
                        Some((TypeId(t), AttributeId(e.attributes.iter().position(|a| a.name == *name)?)))
                    })
                    .collect();
                if of.is_empty() {
                    let all: Vec<String> =
                        schema.types.iter().flat_map(|t| &t.attributes).map(|a| a.name.to_string()).collect();
                    let e = d.error(
                        Code::UnknownAttribute,
                        name.span(),
                        format!("no event type of `{}` has an attribute `{name}`", schema.name),
                    );
                    match nearest(&name.to_string(), all.iter().map(String::as_str)) {
                        Some(near) => e.help(format!("did you mean `{near}`?")),
                        None => e.help("partition by an attribute that the event types have"),
                    };
                    continue;
                }
                (name.clone(), of)
            }
            PartitionKey::PerType(pairs) => {
                let mut of = Vec::new();
                for (ty, name) in pairs {
                    let Some(t) = pass.names.find_type(ty) else {
                        super::names::unknown_type(ty, schema, d);
                        continue;
                    };
                    match schema.types[t.0].attributes.iter().position(|a| a.name == *name) {
                        Some(a) => of.push((t, AttributeId(a))),
                        None => {
                            d.error(
                                Code::UnknownAttribute,
                                name.span(),
                                format!("the event type `{ty}` has no attribute `{name}`"),
                            )
                            .help(format!(
                                "its attributes: {}",
                                list(
                                    schema.types[t.0]
                                        .attributes
                                        .iter()
                                        .map(|a| a.name.to_string())
                                        .collect::<Vec<_>>()
                                        .iter()
                                        .map(String::as_str)
                                )
                            ));
                        }
                    }
                }
                match pairs.first() {
                    Some((_, name)) => (name.clone(), of),
                    None => continue,
                }
            }
        };
        key_types(&named, &of, pass, d);
        keys.push(of);
    }
    keys
}

/// A key has one type, is compared exactly, and every atom has it.
fn key_types(name: &Ident, of: &[(TypeId, AttributeId)], pass: &Lowering<'_>, d: &mut Diagnostics) {
    let schema = pass.names.schema;
    let at = |(t, a): &(TypeId, AttributeId)| &schema.types[t.0].attributes[a.0];
    let Some(first) = of.first().map(&at) else { return };
    if of.iter().map(&at).any(|a| a.kind != first.kind) {
        d.error(
            Code::UnlikeTypes,
            name.span(),
            format!("the key `{name}` has different types on different event types"),
        )
        .help("give it one type everywhere");
    }
    match &first.kind {
        Kind::Float(_) => {
            d.error(Code::UnlikeTypes, name.span(), format!("`{name}` is a float and cannot be a key"))
                .note("NaN equals nothing, and rounding tells equal values apart")
                .help("use an integer: cents, ticks, an id");
        }
        Kind::String => {
            d.error(
                Code::NotKept,
                name.span(),
                format!("`{name}` is a `String` and cannot be kept as a key"),
            )
            .help("use an id, or `cep::Text<N>`");
        }
        _ if of.iter().map(&at).any(|a| !a.kept) => {
            d.error(Code::NotKept, name.span(), format!("`{name}` cannot be kept as a key"))
                .help("use an id, or mark the field `#[event(copy)]` if its type is `Copy`");
        }
        _ => {}
    }
    for atom in &pass.atoms {
        if !of.iter().any(|(t, _)| *t == atom.ty) {
            d.error(
                Code::UnknownAttribute,
                atom.loc,
                format!(
                    "the event type `{}` has no key `{name}` to be partitioned by",
                    schema.types[atom.ty.0].name
                ),
            )
            .note("an event without the key is in no partition, so this pattern could never match")
            .help("name the key per type: `partition by T.id = H.sensor`");
            return;
        }
    }
}

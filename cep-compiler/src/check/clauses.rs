//! The clauses behind the formula: windows and their clock, keys, capacities.
use super::extent::too_short;
use super::lower::{Lowering, Part};
use super::output::not_kept;
use super::types::Ty;
use crate::ast::{self, PartitionKey, TimeUnit, Within};
use crate::diagnostic::{Code, Diagnostics, Loc};
use crate::hir::{Amount, AttributeId, Clock, LoopId, Output, ReadAttribute, Region, TypeId, Window};
use crate::schema::{Kind, Schema};
use crate::slices::{all, any, each, each_indexed, find, pick, position};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;

/// The longest window the numbers of the engine are made for.
const LONGEST: u64 = 1 << 40;

/// The clock of the whole machine, from all its windows; two are an error.
pub(crate) fn clock(windows: &[(&Within, Loc)], schema: &Schema, d: &mut Diagnostics) -> Option<Clock> {
    let mut clock: Option<(Clock, String)> = None;
    for (w, loc) in windows {
        let (found, name) = match w {
            Within::Time(_) | Within::Window(_) => {
                (event_time(schema, *loc, d), "`#[event(time)]`".to_string())
            }
            Within::Of { attribute, .. } => (of(schema, attribute, d), format!("`{attribute}`")),
            _ => continue,
        };
        let found = found?;
        match &clock {
            Some((c, other)) if *other != name && c.attributes != found.attributes => {
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
        let Some(i) = position(&t.attributes, |a| a.time.is_some()) else {
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
        let Some(AttributeId(i)) = t.attribute(attribute) else {
            d.error(
                Code::NoClock,
                attribute.span(),
                format!("a clock is an attribute of every event type, and `{}` has no `{attribute}`", t.name),
            )
            .help_among(
                attribute,
                pick(&schema.types[0].attributes, |a| {
                    all(&schema.types, |t| t.attribute(&a.name).is_some()).then(|| a.name.to_string())
                }),
                "choose another attribute, or use `within n events`",
            );
            return None;
        };
        let a = &t.attributes[i];
        let number = matches!(a.kind, Kind::Int(_) | Kind::Float(_));
        if a.nullable || !number {
            let why = if number { "it may be NULL" } else { "it is no number" };
            d.error(
                Code::NoClock,
                attribute.span(),
                format!("`{attribute}` of `{}` cannot be a clock: {why}", t.name),
            )
            .help("choose a numeric attribute that is no `Option`");
            return None;
        }
        attributes.push(AttributeId(i));
    }
    one_clock(schema, attributes, attribute.span().into(), d)
}

fn one_clock(schema: &Schema, attributes: Vec<AttributeId>, loc: Loc, d: &mut Diagnostics) -> Option<Clock> {
    let each = each_indexed(&attributes, |t, a| &schema.types[t].attributes[a.0]);
    let first = *each.first()?;
    if any(&each, |a| a.kind != first.kind || a.time != first.time) {
        d.error(Code::NoClock, loc, "the clock has different types or units on different event types")
            .help("give it one type and one unit everywhere");
        return None;
    }
    Some(Clock { kind: first.kind.clone(), attributes })
}

/// A window that counts the events of a partition needs one; inside another window it is not there yet.
pub(crate) fn of_partition(w: &Within, loc: Loc, pattern: &ast::Pattern, d: &mut Diagnostics) {
    let Within::Events { of_partition: true, count } = w else { return };
    if pattern.clauses.partition.is_none() {
        d.error(Code::MissingBound, loc, "`of its partition` needs `partition by`")
            .help(format!("add `partition by key`, or count the whole stream: `within {count} events`"));
        return;
    }
    let outer = pattern.clauses.within.as_ref().map(|w| &w.value);
    if outer.is_some_and(|o| !matches!(o, Within::Events { of_partition: true, .. })) {
        d.error(
            Code::NotSupported,
            loc,
            "a part `within … events of its partition` inside another kind of window is not supported yet",
        )
        .help("count the events of the partition in the window of the whole pattern too");
    }
}

/// Nanoseconds of a unit.
pub(crate) fn nanoseconds(unit: TimeUnit) -> u64 {
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
        Within::Events { count, of_partition: true } => Some(Window::Partition(*count)),
        Within::Events { count, .. } => Some(Window::Events(*count)),
        Within::Time(amounts) => {
            let clock = clock?;
            let unit = schema.types.first()?.attributes[clock.attributes.first()?.0].time?;
            let mut total = 0u128;
            for (n, u) in amounts {
                total += u128::from(*n) * u128::from(nanoseconds(*u));
            }
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
        // the clause is not asked here, and inside the pattern it was refused
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
    windows_sound: bool,
    output: Option<&Output>,
    d: &mut Diagnostics,
) {
    let steps = part.shortest;
    let loc = pattern.clauses.within.as_ref().map_or(pattern.formula.loc, |w| w.loc);
    let detect = matches!(output, Some(Output::Detect));
    let joined = find(&pass.conjuncts, |c| !c.is_unary());
    let keyed = pattern.clauses.partition.as_ref().map(|p| p.loc);
    match window {
        Some(Window::Partition(_)) if pattern.is_inside() => {
            let has = pattern.clauses.capacity.as_ref().is_some_and(|c| c.value.events.is_some());
            if !has && !part.is_one_event() {
                d.error(Code::MissingBound, loc, "a window of another item does not tell how many events it holds")
                    .note("the machine allocates nothing, so it has to know how many of the events that the pattern accepts can be in one window at once")
                    .help("add `capacity 100 events` with the number that fits your stream, for each window; one more is refused with `Full`, or evicts the oldest with `or evict`");
            }
        }
        // one in parentheses was reported there
        Some(Window::Events(n) | Window::Partition(n)) if *n < steps => {
            if pattern.clauses.within.is_some() {
                too_short(loc, steps, *n, d);
            }
        }
        Some(Window::Events(_)) => {}
        Some(Window::Partition(n)) => {
            let has = pattern.clauses.capacity.as_ref().is_some_and(|c| c.value.keys.is_some());
            if !has && !part.is_one_event() {
                d.error(
                    Code::MissingBound,
                    loc,
                    "a window that counts the events of each key does not tell how many keys there are",
                )
                .note(format!("the machine allocates nothing, so it has to know for how many keys at once it keeps up to {n} events: an event stays until its own key had {n} more"))
                .help("add `capacity 1000 keys` with the number that fits your stream; one more is refused with `Full`, or takes the place of the one that waits longest with `or evict`");
            }
        }
        Some(Window::Clock(_)) => {
            let keys = pattern.clauses.capacity.as_ref().is_some_and(|c| c.value.keys.is_some());
            let simple =
                detect && joined.is_none() && (keyed.is_none() || keys) && pass.inner_windows.is_empty();
            let has = pattern.clauses.capacity.as_ref().is_some_and(|c| c.value.events.is_some());
            if !simple && !has {
                d.error(Code::MissingBound, loc, "a window in time does not tell how many events it holds")
                    .note("the machine allocates nothing, so it has to know how many of the events that the pattern accepts can be inside the window at once")
                    .help("add `capacity 1000 events` with the number that fits your stream; one more is refused with `Full`, or evicts the oldest with `or evict`");
            }
        }
        // a window that is wrong was reported
        None if pattern.clauses.within.is_some() || !windows_sound => {}
        None => missing(pattern, pass, part, detect, joined.map(|c| c.loc), keyed, d),
    }
    iterated_reads(pattern, pass, window, d);
}

/// `f(x) op g(others)`, either way round.
fn is_separable(e: &syn::Expr, x: &Ident) -> bool {
    match e {
        syn::Expr::Paren(p) => is_separable(&p.expr, x),
        syn::Expr::Group(g) => is_separable(&g.expr, x),
        syn::Expr::Binary(b) if super::types::is_comparison(&b.op) && !matches!(b.op, syn::BinOp::Ne(_)) => {
            // variables are read as `y.attribute`
            let (l, r) = (variables(b.left.to_token_stream()), variables(b.right.to_token_stream()));
            let name = x.to_string();
            let only = |side: &[String]| all(side, |n| *n == name);
            (only(&l) && !r.contains(&name)) || (only(&r) && !l.contains(&name))
        }
        _ => false,
    }
}

/// The names in front of a dot.
fn variables(tokens: TokenStream) -> Vec<String> {
    let mut out = Vec::new();
    let mut last: Option<Ident> = None;
    for t in tokens {
        match t {
            TokenTree::Group(g) => {
                out.extend(variables(g.stream()));
                last = None;
            }
            TokenTree::Ident(i) => last = Some(i),
            TokenTree::Punct(p) if p.as_char() == '.' => out.extend(last.take().map(|i| i.to_string())),
            _ => last = None,
        }
    }
    out
}

/// An iterated variable read after its iteration in a way that no bounded summary decides.
fn iterated_reads(pattern: &ast::Pattern, pass: &Lowering<'_>, window: Option<&Window>, d: &mut Diagnostics) {
    const KEPT: u64 = 4096;
    let bounded = pattern.clauses.capacity.as_ref().is_some_and(|c| c.value.events.is_some())
        || matches!(window, Some(Window::Events(n) | Window::Partition(n)) if *n <= KEPT);
    if bounded {
        return;
    }
    for c in &pass.conjuncts {
        if c.is_unary() {
            continue;
        }
        // iterated by something whose repetitions the read does not keep apart
        let many = pick(&c.reads, |r| {
            let Region::All(apart) = &r.region else { return None };
            for (i, l) in pass.loops.iter().enumerate() {
                if any(&r.atoms, |a| l.atoms.contains(&a.0)) && !apart.contains(&LoopId(i)) {
                    return Some(r);
                }
            }
            None
        });
        let separable = match &c.disjuncts[..] {
            [one] if many.len() == 1 => is_separable(&one.expr, &many[0].name),
            _ => false,
        };
        if !many.is_empty() && !separable {
            d.error(Code::MissingBound, c.loc, format!("`{}` is read after its iteration, so all its events have to be kept", many[0].name))
                .note(format!("that takes a window of at most {KEPT} events, or a `capacity`"))
                .help("compare `first(…)`, `last(…)`, `min(…)`, `max(…)` or `count(…)` of it, or shorten the window");
        }
    }
}

fn missing(
    pattern: &ast::Pattern,
    pass: &Lowering<'_>,
    part: &Part,
    detect: bool,
    joined: Option<Loc>,
    keyed: Option<Loc>,
    d: &mut Diagnostics,
) {
    if part.is_one_event() {
        return;
    }
    const KEPT: &str = "the earlier ones have to be kept until they are too old";
    // every match has the same number of events
    let fixed = pass.loops.is_empty() && part.mandatory.len() == pass.atoms.len();
    let (at, why) = match (detect, joined, keyed) {
        (true, None, None) => return,
        (true, None, Some(_)) if pattern.clauses.capacity.as_ref().is_some_and(|c| c.value.keys.is_some()) => {
            return;
        }
        (true, None, Some(loc)) => {
            d.error(Code::MissingBound, loc, "keys need a bound: a window, or how many there are")
                .note("what has begun is kept apart for each key, and without a window it waits for ever")
                .help("add `capacity 1000 keys` with the number that fits your stream (one more is refused with `Full`, or takes the place of the one that waits longest with `or evict`), or a window: `within 100 events`");
            return;
        }
        (true, Some(loc), _) => (
            loc,
            "this condition compares an event with earlier ones, which have to be kept until they are too old"
                .to_string(),
        ),
        (false, ..) => {
            let at = pattern.clauses.output.as_ref().map_or(pattern.formula.loc, |o| o.loc);
            (
                at,
                match (fixed, part.shortest) {
                    (true, n) => format!("matches are made of {n} events, and {KEPT}"),
                    (false, 0 | 1) => format!("matches may be made of several events, and {KEPT}"),
                    (false, n) => format!("matches are made of {n} events or more, and {KEPT}"),
                },
            )
        }
    };
    d.error(Code::MissingBound, at, "this pattern needs a window").note(why).help(format!(
        "add a clause behind the formula: `within 100 events` (at least {}); `detect` of conditions on single events needs none",
        part.shortest.max(1)
    ));
}

/// Attributes that conditions over several events read, or aggregates fold, but that cannot be kept.
pub(crate) fn kept(pass: &Lowering<'_>, d: &mut Diagnostics) {
    let schema = pass.names.schema;
    let lost = |a: &ReadAttribute| any(&a.of, |(t, i)| !schema.types[t.0].attributes[i.0].kept);
    for c in &pass.conjuncts {
        if c.is_unary() {
            continue;
        }
        for r in &c.reads {
            for a in &r.attributes {
                if !lost(a) {
                    continue;
                }
                let why =
                    "this condition reads several events, so each is compared when the others are there";
                not_kept(a.loc, &format!("{}.{}", r.name, a.name), why, d);
            }
        }
    }
    for f in pass.folds.borrow().iter() {
        if let Some(a) = f.attribute.as_ref().filter(|a| lost(a)) {
            let why = "it is folded while matches are searched for, behind the events of its match";
            not_kept(a.loc, &format!("{}.{}", f.text, a.name), why, d);
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
        let before = d.list().len();
        let (named, of) = match key {
            PartitionKey::Attribute(name) => {
                let mut of = Vec::new();
                for (t, e) in schema.types.iter().enumerate() {
                    if let Some(a) = e.attribute(name) {
                        of.push((TypeId(t), a));
                    }
                }
                if of.is_empty() {
                    d.error(
                        Code::UnknownAttribute,
                        name.span(),
                        format!("no event type of `{}` has an attribute `{name}`", schema.name),
                    )
                    .help_among(
                        name,
                        schema.attribute_names(&each_indexed(&schema.types, |t, _| TypeId(t))),
                        "partition by an attribute that the event types have",
                    );
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
                    if any(&of, |(other, _)| *other == t) {
                        d.error(
                            Code::BoundTwice,
                            Loc { first: ty.span(), last: name.span() },
                            format!("the event type `{ty}` is named twice in one key"),
                        )
                        .help("an event has one value of each key: separate keys with `,`");
                        continue;
                    }
                    match schema.types[t.0].attribute(name) {
                        Some(a) => of.push((t, a)),
                        None => {
                            d.error(
                                Code::UnknownAttribute,
                                name.span(),
                                format!("the event type `{ty}` has no attribute `{name}`"),
                            )
                            .help_names("its attributes: {}", schema.types[t.0].attribute_names());
                        }
                    }
                }
                match pairs.first() {
                    Some((_, name)) => (name.clone(), of),
                    None => continue,
                }
            }
        };
        // a mistake in the key is not one of the formula
        if d.list().len() == before {
            key_types(&named, &of, matches!(key, PartitionKey::PerType(_)), pass, d);
        }
        keys.push(of);
    }
    keys
}

/// A key has one type, is compared exactly, and every atom has it.
fn key_types(
    name: &Ident,
    of: &[(TypeId, AttributeId)],
    per_type: bool,
    pass: &Lowering<'_>,
    d: &mut Diagnostics,
) {
    let schema = pass.names.schema;
    let attributes = each(of, |(t, a)| &schema.types[t.0].attributes[a.0]);
    let Some(first) = attributes.first() else { return };
    if any(&attributes, |a| a.kind != first.kind) {
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
        Kind::Array(inner) if matches!(**inner, Kind::Float(_)) => {
            d.error(Code::UnlikeTypes, name.span(), format!("`{name}` holds floats and cannot be a key"))
                .note("NaN equals nothing, and rounding tells equal values apart")
                .help("use an integer: cents, ticks, an id");
        }
        _ if any(&attributes, |a| !a.kept) => {
            d.error(Code::NotKept, name.span(), format!("`{name}` cannot be kept as a key"))
                .help("use an id, or mark the field `#[event(copy)]` if its type is `Copy`");
        }
        Kind::Opaque if any(&attributes, |a| !a.key) => {
            d.error(
                Code::NotKept,
                name.span(),
                format!("the compiler does not know how to compare keys of `{name}`'s type"),
            )
            .help("if the type is `Copy + Eq + Hash`, mark the field `#[event(key)]`");
        }
        _ => {}
    }
    for atom in &pass.atoms {
        if !any(of, |(t, _)| *t == atom.ty) {
            let ty = &schema.types[atom.ty.0].name;
            let others = each(of, |(t, a)| {
                format!("{}.{}", schema.types[t.0].name, schema.types[t.0].attributes[a.0].name)
            });
            let e = if per_type {
                d.error(
                    Code::UnknownAttribute,
                    atom.loc,
                    format!("the key names no attribute of the event type `{ty}`"),
                )
            } else {
                d.error(
                    Code::UnknownAttribute,
                    atom.loc,
                    format!("the event type `{ty}` has no key `{name}` to be partitioned by"),
                )
            };
            e.note("an event without the key is in no partition, so this pattern could never match");
            e.help(format!("name the key per type: `partition by {} = {ty}.attribute`", others.join(" = ")));
            return;
        }
    }
}

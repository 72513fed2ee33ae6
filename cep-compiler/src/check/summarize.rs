//! `summarize`: what is folded over all results, and the proof that it fits.
//!
//! A pattern without iterations has at most Σ ways(n) × C(w − 1, n − 1) results that end at one event: the window's other events chosen, in each way
//! that the formula has to be n events long. With an iteration nothing small bounds them.
use super::aggregate::{self, Written};
use super::lower::{Binds, Lowering, Part};
use crate::ast::{self, Argument, Overflow};
use crate::diagnostic::{Code, Diagnostics, Loc};
use crate::hir::{Column, ColumnOf, Field, Formula, Function, Summary, Window};
use crate::schema::{Int, Kind};
use crate::slices::{any, each};

/// Most candidates that one event may have to look at.
const MOST_CANDIDATES: u128 = 1 << 20;

/// Resolves the columns; their types wait for the window.
pub(crate) fn columns(
    pass: &Lowering<'_>,
    binds: &Binds,
    written: &[ast::Aggregate],
    fields: Vec<Field>,
    d: &mut Diagnostics,
) -> Summary {
    let mut columns: Vec<Column> = Vec::new();
    for f in written {
        if any(&columns, |c| c.name == f.name) {
            d.error(Code::BoundTwice, f.name.span(), format!("the figure `{}` is defined twice", f.name))
                .help("give each figure of a summary a name of its own");
            continue;
        }
        let Some((function, some)) = aggregate::function(&f.function, f.monoid.is_some(), d) else {
            continue;
        };
        let loc = Loc { first: f.function.span(), last: f.argument_loc.last };
        let of = match &f.argument {
            Argument::Results if function == Function::Count && !some => Some(ColumnOf::Results),
            Argument::Results => {
                d.error(
                    Code::WholeVariable,
                    f.argument_loc,
                    format!("`*` stands for the results, and `{}` folds values", f.function),
                )
                .help(format!("write `count(*)`, or `{}(x.attribute)`", f.function));
                None
            }
            Argument::Variable(x) => fold(pass, binds, f, (function, some), x, None, loc, d),
            Argument::Attribute { variable, attribute } => {
                fold(pass, binds, f, (function, some), variable, Some(attribute), loc, d)
            }
        };
        if let Some(of) = of {
            let (kind, nullable) = (Kind::Opaque, false);
            let text = super::text(ast::Aggregate { overflow: None, ..f.clone() }.call());
            columns.push(Column {
                name: f.name.clone(),
                of,
                kind,
                nullable,
                overflow: f.overflow,
                text,
                loc,
            });
        }
    }
    Summary { fields, columns, results: None }
}

#[expect(clippy::too_many_arguments, reason = "one call in two shapes")]
fn fold(
    pass: &Lowering<'_>,
    binds: &Binds,
    f: &ast::Aggregate,
    (function, some): (Function, bool),
    variable: &proc_macro2::Ident,
    attribute: Option<&proc_macro2::Ident>,
    loc: Loc,
    d: &mut Diagnostics,
) -> Option<ColumnOf> {
    use Function as F;
    if matches!(function, F::First | F::Last | F::Product | F::User) {
        d.error(Code::NotSupported, loc, format!("`{}` over all results is not supported yet", f.function))
            .note("the results that end at one event have no order")
            .help("count, sum, avg, min, max, range, var, stddev, any and every can be told of all results; or `select` and fold over the matches");
        return None;
    }
    let Some(held) = pass.names.find(variable).and_then(|v| binds.get(&v.0)) else {
        d.error(
            Code::UnknownVariable,
            variable.span(),
            format!("`{variable}` is no variable of this pattern"),
        )
        .help_among(
            variable,
            each(binds.as_slice(), |(v, _)| pass.names.variables[*v].name.to_string()),
            "its variables are {}",
        );
        return None;
    };
    let written = Written {
        function,
        some,
        monoid: None,
        atoms: held.atoms.clone(),
        aggregates: held.aggregates.clone(),
        projected: held.projected.clone(),
        empty: true,
        variable,
        attribute,
        loops: Vec::new(),
        word: &f.function,
        loc,
        text: super::text(ast::Aggregate { overflow: None, ..f.clone() }.call()),
    };
    aggregate::fold(pass, written, d).map(ColumnOf::Fold)
}

/// How many ways a formula has to be 0, 1, 2, … events long; `None` with an iteration.
fn ways(f: &Formula) -> Option<Vec<u128>> {
    match f {
        Formula::Atom(_) => Some(vec![0, 1]),
        Formula::Sequence { left, right, .. } => {
            let (a, b) = (ways(left)?, ways(right)?);
            let mut out = vec![0u128; a.len() + b.len() - 1];
            for (i, x) in a.iter().enumerate() {
                for (j, y) in b.iter().enumerate() {
                    out[i + j] = out[i + j].checked_add(x.checked_mul(*y)?)?;
                }
            }
            Some(out)
        }
        Formula::Or(branches) => {
            let mut out: Vec<u128> = Vec::new();
            for b in branches {
                for (n, x) in ways(b)?.iter().enumerate() {
                    if out.len() <= n {
                        out.push(0);
                    }
                    out[n] = out[n].checked_add(*x)?;
                }
            }
            Some(out)
        }
        Formula::Optional(inner) => {
            let mut out = ways(inner)?;
            out[0] = out[0].checked_add(1)?;
            Some(out)
        }
        Formula::Iterate { .. } => None,
    }
}

/// The most results that end at one event; `None` where nothing bounds them below 2^128.
fn most_results(f: &Formula, held: u64) -> Option<u128> {
    let mut total = 0u128;
    for (n, ways) in ways(f)?.iter().enumerate() {
        if n == 0 {
            continue;
        }
        // C(held - 1, n - 1)
        let mut choose = 1u128;
        for i in 0..n as u128 - 1 {
            let left = u128::from(held - 1).saturating_sub(i);
            choose = choose.checked_mul(left)? / (i + 1);
        }
        total = total.checked_add(ways.checked_mul(choose)?)?;
    }
    Some(total)
}

/// The types of the columns, with the proof that they fit, or an error that asks for a choice.
pub(crate) fn types(
    pattern: &ast::Pattern,
    pass: &Lowering<'_>,
    part: &Part,
    window: Option<&Window>,
    summary: &mut Summary,
    d: &mut Diagnostics,
) {
    let capacity = pattern.clauses.capacity.as_ref().map(|c| &c.value);
    let held = match (window, capacity.and_then(|c| c.events)) {
        (Some(Window::Events(n) | Window::Partition(n)), _) => *n,
        (Some(Window::Clock(_)), Some(n)) => n,
        // results of one event, or a missing window, which was reported
        _ => 1,
    };
    summary.results = match &part.formula {
        // neighbours only: one result for each event where it can begin
        Formula::Iterate { inner, id } if pass.loops[id.0].strict && matches!(**inner, Formula::Atom(_)) => {
            Some(u128::from(held.max(1)))
        }
        f => most_results(f, held.max(1)),
    };
    // With an iteration each result is looked at, so there are no more of them than may be looked at.
    let looked_at = if pass.loops.is_empty() {
        None
    } else {
        Some(capacity.and_then(|c| c.runs).map_or(MOST_CANDIDATES, u128::from))
    };
    let results = summary.results.or(looked_at);
    let folds = pass.folds.borrow();
    for c in &mut summary.columns {
        let choice = c.overflow.map(|(o, _)| o);
        let (kind, nullable) = match c.of {
            ColumnOf::Results => (counted(results, choice), false),
            ColumnOf::Fold(id) => {
                let f = &folds[id.0];
                // pairs of a result and one of its events
                let each = if pass.loops.is_empty() {
                    f.atoms.len().max(1) as u128
                } else {
                    u128::from(held.max(1))
                };
                let pairs = results.and_then(|r| r.checked_mul(each));
                let nullable = f.result.nullable;
                match (f.function, f.attribute.as_ref().map(|a| &a.kind)) {
                    (Function::Count, _) => (counted(pairs, choice), nullable),
                    (Function::Sum, Some(Kind::Int(i))) if i.bits == 128 => {
                        d.error(
                            Code::NotSupported,
                            c.loc,
                            "a sum of 128-bit integers over all results is not supported yet",
                        )
                        .help("cast the attribute where the event is made, or sum the matches of a `select`");
                        continue;
                    }
                    (Function::Sum, Some(Kind::Int(i))) => (summed(*i, pairs, choice), nullable),
                    _ => {
                        if let Some((_, at)) = c.overflow {
                            d.error(Code::Overflow, at, format!("`{}` cannot overflow", c.text))
                                .help("leave this out");
                        }
                        (Some(f.result.kind.clone()), nullable)
                    }
                }
            }
        };
        c.nullable = nullable;
        match kind {
            Some(kind) => c.kind = kind,
            None => {
                let e = d.error(Code::Overflow, c.loc, format!("nothing bounds `{}`", c.text));
                match results {
                    None => e.note("more than 2 to the power of 128 results can end at one event"),
                    Some(n) => e.note(format!("{n} results can end at one event")),
                };
                e.help(format!("say what happens where it does not fit: `{0} saturating`, `{0} wrapping` or `{0} as f64`, or shorten the window", c.text));
            }
        }
    }
}

/// The type of a count.
fn counted(most: Option<u128>, choice: Option<Overflow>) -> Option<Kind> {
    let bits = match (choice, most) {
        (Some(Overflow::Float), _) => return Some(Kind::Float(64)),
        (Some(_), _) => 64,
        (None, most) if most? <= u128::from(u64::MAX) => 64,
        (None, _) => 128,
    };
    Some(Kind::Int(Int { signed: false, bits, size: false }))
}

/// The type of a sum of integers.
fn summed(of: Int, pairs: Option<u128>, choice: Option<Overflow>) -> Option<Kind> {
    let sum = |bits| Some(Kind::Int(Int { signed: of.signed, bits, size: false }));
    match choice {
        Some(Overflow::Float) => return Some(Kind::Float(64)),
        Some(_) => return sum(if of.bits > 32 { 128 } else { 64 }),
        None => {}
    }
    // the largest magnitude of a sum, as a power of two: that of a summand times the pairs
    let own = u32::from(of.bits) - u32::from(of.signed);
    let total = own + (128 - pairs?.leading_zeros());
    let room = |bits: u32| bits - u32::from(of.signed);
    match () {
        () if of.bits <= 32 && total <= room(64) => sum(64),
        () if total <= room(128) => sum(128),
        () => None,
    }
}

/// More results than may be looked at without a declared bound; reported where there is none.
pub(crate) fn too_many(
    pattern: &crate::hir::Pattern,
    summary: &Summary,
    why: &str,
    d: &mut Diagnostics,
) -> bool {
    let held = match (&pattern.window, pattern.capacity) {
        (Some(Window::Events(n) | Window::Partition(n)), _) => *n,
        (Some(Window::Clock(_)), Some(n)) => n,
        _ => 1,
    };
    let most = match summary.results {
        Some(n) => n,
        None if held > 127 => u128::MAX,
        None => 1 << (held - 1),
    };
    if most <= MOST_CANDIDATES {
        return false;
    }
    if pattern.runs.is_some() {
        return true;
    }
    let many = if most == u128::MAX { "more than 10^38".to_string() } else { most.to_string() };
    d.error(
        Code::TooLarge,
        pattern.window_loc,
        format!("up to {many} results can end at one event, and each of them has to be looked at"),
    )
    .note(why.to_string())
    .help(format!("shorten the window, or say how many candidates one event may have: `capacity {MOST_CANDIDATES} runs` (an event with more is refused with `Full`)"));
    true
}

/// `i64`, for the report.
pub(crate) fn type_name(kind: &Kind) -> &'static str {
    kind.primitive().unwrap_or("a value")
}

//! The cost report: what was chosen and why, what is kept, what an event costs.
use super::bytes::{machine, of_hold};
use super::capacity::slot_bytes;
use super::structures::{Structure, said};
use super::{Kept, Kernel, Plan};
use crate::check::text;
use crate::hir::{self, AtomId, Window};
use crate::slices::{any, each};
use std::fmt::{Arguments, Write as _};

/// A conjunct as written.
pub(super) fn written(pattern: &hir::Pattern, c: &hir::Conjunct) -> String {
    let mut parts = each(&c.disjuncts, |d| text(&d.expr));
    for part in &mut parts {
        for f in &c.folds {
            *part = part.replace(&f.name.to_string(), &pattern.fold(f.fold).text);
        }
        *part = part
            .replace("__prev_", "prev of ")
            .replace("__first_", "first of ")
            .replace("__last_", "last of ");
    }
    parts.join(" || ")
}

/// `T as hot`, for reports.
pub(crate) fn called(pattern: &hir::Pattern, atom: AtomId) -> String {
    let mut out = pattern.event_type(atom).name.to_string();
    for v in &pattern.atoms[atom.0].variables {
        let v = &pattern.variables[v.0];
        if !v.is_type {
            let _ = write!(out, " as {}", v.name);
        }
    }
    out
}

fn line(out: &mut Vec<String>, text: Arguments<'_>) {
    out.push(text.to_string());
}

/// Line by line.
pub(super) fn report(pattern: &hir::Pattern, plan: &Plan) -> Vec<String> {
    let mut out = Vec::new();
    head(pattern, plan, &mut out);
    if plan.kernel == Kernel::Runs {
        for c in &plan.runs.comparisons {
            let c = &pattern.conjuncts[c.conjunct.0];
            line(&mut out, format_args!("as a position is entered: {}", written(pattern, c)));
        }
        bytes(pattern, plan, &mut out);
    } else {
        state(pattern, plan, &mut out);
    }
    out
}

/// The kernel, the window and the positions.
fn head(pattern: &hir::Pattern, plan: &Plan, out: &mut Vec<String>) {
    let window = match &pattern.window {
        None => "no window".to_string(),
        Some(Window::Events(w)) => format!("window {w} events"),
        Some(Window::Partition(w)) => match &pattern.spans {
            Some(item) => format!("inside each window of {item}, at most {w} events of it"),
            None => format!("window {w} events of each key"),
        },
        Some(Window::Clock(a)) => match a {
            hir::Amount::Int(n) => format!("window {n} of the clock's unit"),
            hir::Amount::Float(f) => format!("window {f} of the clock's unit"),
        },
    };
    let kernel = match plan.kernel {
        Kernel::Latest if plan.keyed.is_some() => "latest start per position for each key",
        Kernel::Latest => "latest start per position",
        Kernel::Partitioned => "latest start per position and key",
        Kernel::Runs => "per position the smallest structure that answers the conditions ahead",
        Kernel::Ring if plan.product.is_some() => "inverse product",
        Kernel::Ring if plan.lanes.is_some() => "universal ring for each key",
        Kernel::Ring => "universal ring",
    };
    line(out, format_args!("kernel: {kernel}: {}; {window}", plan.why));
    for q in 0..plan.positions.len() {
        line(out, format_args!("position {q}: {}", position(pattern, plan, q)));
    }
}

/// What takes a position, under which conditions, and what holds its runs.
fn position(pattern: &hir::Pattern, plan: &Plan, q: usize) -> String {
    let p = &plan.positions[q];
    let mut line = called(pattern, p.atom);
    for (word, list) in &[("", &p.early), (" (when needed)", &p.late)] {
        for c in *list {
            let _ = write!(line, ", {}{word}", written(pattern, &pattern.conjuncts[c.0]));
        }
    }
    if plan.kernel == Kernel::Runs {
        line.push_str("; ");
        line.push_str(&held(pattern, plan, q));
    }
    line
}

/// What is kept, what an event costs.
fn state(pattern: &hir::Pattern, plan: &Plan, out: &mut Vec<String>) {
    for c in &pattern.conjuncts {
        if !c.is_unary() {
            line(out, format_args!("while searching: {}", written(pattern, c)));
        }
    }
    match plan.kernel {
        Kernel::Latest => {
            let waiting = plan.bits(|q| !q.edges.is_empty()).count_ones();
            let state = format_args!("state: the latest start of each of {waiting} positions");
            match plan.keyed {
                Some(table) => line(out, format_args!("{state}, for each of {} keys", table.places)),
                None => line(out, state),
            }
            line(
                out,
                format_args!(
                    "cost per event: the conditions of the positions that its type can take, whatever the window"
                ),
            );
        }
        Kernel::Partitioned => {
            let keys = plan.slots;
            line(out, format_args!("state: the latest starts of at most {keys} keys, by a hash of the key"));
            bytes(pattern, plan, out);
        }
        Kernel::Runs => {}
        Kernel::Ring => ring(pattern, plan, out),
    }
}

fn ring(pattern: &hir::Pattern, plan: &Plan, out: &mut Vec<String>) {
    let state = format_args!("state: {} slots of at least {} bytes", plan.slots, slot_bytes(pattern, plan));
    match plan.lanes {
        Some(table) => line(out, format_args!("{state} for each of {} keys", table.places)),
        None => line(out, state),
    }
    for (ty, k) in &plan.kept {
        let event = &pattern.schema.types[ty.0];
        let what = match k {
            Kept::Record => "its record".to_string(),
            Kept::Attributes(all) if all.is_empty() => "its position".into(),
            Kept::Attributes(all) => each(all, |a| event.attributes[a.0].name.to_string()).join(", "),
        };
        line(out, format_args!("kept of {}: {what}", event.name));
    }
    if let Some(product) = &plan.product {
        let (n, width) = (plan.positions.len() + 1, if product.wide { 128 } else { 64 });
        let sums = product.sums.len();
        line(out, format_args!("and {n} times {n} counts of runs with {sums} sums each, of {width} bits"));
        line(
            out,
            format_args!(
                "cost per event that a position takes, and once more as it leaves the window: transitions times positions, whatever the window"
            ),
        );
        columns(pattern, out);
        return;
    }
    if plan.looked_at.is_some() {
        columns(pattern, out);
    }
    line(
        out,
        format_args!(
            "cost per completing event: the partial matches searched, at most the product of what each position holds in the window"
        ),
    );
    if plan.ambiguous {
        line(
            out,
            format_args!("several runs can give one result: each run is checked to be the first of them"),
        );
    }
}

/// What holds the runs of a position, and why that is enough.
fn held(pattern: &hir::Pattern, plan: &Plan, q: usize) -> String {
    let hold = &plan.runs.holds[q];
    let key = each(&hold.key, |r| said(pattern, &plan.positions, *r));
    let key = key.join(", ");
    let (size, exact) = of_hold(pattern, plan, q);
    let least = if exact { "" } else { "at least " };
    match hold.structure {
        Structure::Nothing => "no run waits here".into(),
        Structure::Latest { .. } => "the latest start: nothing ahead reads an earlier event".into(),
        Structure::Single => format!("the newest run with {key}: only the very next event goes on"),
        Structure::Direct(n) => {
            format!(
                "the latest start for each of {n} values of {key}, {size} bytes: few values, compared by `==`"
            )
        }
        Structure::Keyed => {
            format!("the latest start per {key} by hash, {least}{size} bytes: compared by `==` only")
        }
        Structure::Pareto { up } => format!(
            "the runs that no later one with {} {key} beats, {least}{size} bytes: compared one-sidedly only",
            if up { "as large a" } else { "as small a" }
        ),
    }
}

/// The size of the machine and what an event costs.
fn bytes(pattern: &hir::Pattern, plan: &Plan, out: &mut Vec<String>) {
    let (size, exact) = machine(pattern, plan);
    let least = match plan.kernel {
        Kernel::Partitioned => "about ",
        _ if exact => "",
        _ => "at least ",
    };
    line(out, format_args!("machine: {least}{size} bytes"));
    let front = any(&plan.runs.holds, |h| matches!(h.structure, Structure::Pareto { .. }));
    let each = if front { "a bisection of the runs" } else { "O(1) expected, whatever the window" };
    line(
        out,
        format_args!(
            "cost per event: the conditions of the positions that its type can take, and for each {each}"
        ),
    );
}

/// The figures of a summary with their types.
fn columns(pattern: &hir::Pattern, out: &mut Vec<String>) {
    let hir::Output::Summarize(summary) = &pattern.output else { return };
    for c in &summary.columns {
        let nullable = if c.nullable { " or NULL" } else { "" };
        let bound = match (&c.overflow, summary.results) {
            (Some(_), _) => "as chosen where it does not fit".to_string(),
            (None, Some(n)) => format!("at most {n} results end at one event"),
            (None, None) => "each result is looked at".to_string(),
        };
        let ty = crate::check::type_name(&c.kind);
        line(out, format_args!("{}: {}, {ty}{nullable}; {bound}", c.name, c.text));
    }
}

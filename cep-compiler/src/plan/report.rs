//! The cost report: what was chosen and why, what is kept, what an event costs.
use super::bytes::{machine, of_hold};
use super::capacity::slot_bytes;
use super::structures::{Structure, said};
use super::{Kept, Kernel, Plan};
use crate::check::text;
use crate::hir::{self, AtomId, Window};
use crate::slices::{any, each};
use std::fmt::Write as _;

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

/// Line by line.
pub(super) fn report(pattern: &hir::Pattern, plan: &Plan) -> Vec<String> {
    let mut out = Vec::new();
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
    let kernel = format!("{kernel}: {}", plan.why);
    out.push(format!("kernel: {kernel}; {window}"));
    for (q, p) in plan.positions.iter().enumerate() {
        let mut line = format!("position {q}: {}", called(pattern, p.atom));
        for (word, list) in &[("", &p.early), (" (when needed)", &p.late)] {
            for c in *list {
                let _ = write!(line, ", {}{word}", written(pattern, &pattern.conjuncts[c.0]));
            }
        }
        if plan.kernel == Kernel::Runs {
            line += "; ";
            line += &held(pattern, plan, q);
        }
        out.push(line);
    }
    if plan.kernel == Kernel::Runs {
        for c in &plan.runs.comparisons {
            let c = &pattern.conjuncts[c.conjunct.0];
            out.push(format!("as a position is entered: {}", written(pattern, c)));
        }
        bytes(pattern, plan, &mut out);
        return out;
    }
    for c in &pattern.conjuncts {
        if !c.is_unary() {
            out.push(format!("while searching: {}", written(pattern, c)));
        }
    }
    match plan.kernel {
        Kernel::Latest => {
            let waiting = plan.bits(|q| !q.edges.is_empty()).count_ones();
            let of_each = match plan.keyed {
                Some(table) => format!(", for each of {} keys", table.places),
                None => String::new(),
            };
            out.push(format!("state: the latest start of each of {waiting} positions{of_each}"));
            out.push(
                "cost per event: the conditions of the positions that its type can take, whatever the window"
                    .into(),
            );
        }
        Kernel::Partitioned => {
            out.push(format!(
                "state: the latest starts of at most {} keys, by a hash of the key",
                plan.slots
            ));
            bytes(pattern, plan, &mut out);
        }
        Kernel::Runs => {}
        Kernel::Ring => {
            let of_each = match plan.lanes {
                Some(table) => format!(" for each of {} keys", table.places),
                None => String::new(),
            };
            out.push(format!(
                "state: {} slots of at least {} bytes{of_each}",
                plan.slots,
                slot_bytes(pattern, plan)
            ));
            for (ty, k) in &plan.kept {
                let event = &pattern.schema.types[ty.0];
                let what = match k {
                    Kept::Record => "its record".to_string(),
                    Kept::Attributes(all) if all.is_empty() => "its position".into(),
                    Kept::Attributes(all) => each(all, |a| event.attributes[a.0].name.to_string()).join(", "),
                };
                out.push(format!("kept of {}: {what}", event.name));
            }
            if let Some(product) = &plan.product {
                let (n, width) = (plan.positions.len() + 1, if product.wide { 128 } else { 64 });
                out.push(format!(
                    "and {n} times {n} counts of runs with {} sums each, of {width} bits",
                    product.sums.len()
                ));
                out.push("cost per event that a position takes, and once more as it leaves the window: transitions times positions, whatever the window".into());
                columns(pattern, &mut out);
                return out;
            }
            if plan.looked_at.is_some() {
                columns(pattern, &mut out);
            }
            out.push(
                "cost per completing event: the partial matches searched, at most the product of what each position holds in the window"
                    .into(),
            );
            if plan.ambiguous {
                out.push(
                    "several runs can give one result: each run is checked to be the first of them".into(),
                );
            }
        }
    }
    out
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
    out.push(format!("machine: {least}{size} bytes"));
    let front = any(&plan.runs.holds, |h| matches!(h.structure, Structure::Pareto { .. }));
    out.push(format!(
        "cost per event: the conditions of the positions that its type can take, and for each {}",
        if front { "a bisection of the runs" } else { "O(1) expected, whatever the window" }
    ));
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
        out.push(format!("{}: {}, {}{nullable}; {bound}", c.name, c.text, crate::check::type_name(&c.kind)));
    }
}

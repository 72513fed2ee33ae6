//! The cost report: what was chosen and why, what is kept, what an event costs.
use super::capacity::slot_bytes;
use super::{Kept, Kernel, Plan};
use crate::check::text;
use crate::hir::{self, AtomId, Output, Window};
use std::fmt::Write as _;

/// A conjunct as written.
fn written(pattern: &hir::Pattern, c: &hir::Conjunct) -> String {
    let mut parts: Vec<String> = c.disjuncts.iter().map(|d| text(&d.expr)).collect();
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
    let variables = pattern.atoms[atom.0].variables.iter().map(|v| &pattern.variables[v.0]);
    let names = variables.filter(|v| !v.is_type).map(|v| format!(" as {}", v.name));
    format!("{}{}", pattern.event_type(atom).name, names.collect::<String>())
}

/// Line by line.
pub(super) fn report(pattern: &hir::Pattern, plan: &Plan) -> Vec<String> {
    let mut out = Vec::new();
    let window = match &pattern.window {
        None => "no window".to_string(),
        Some(Window::Events(w)) => format!("window {w} events"),
        Some(Window::Partition(w)) => format!("window {w} events of each key"),
        Some(Window::Clock(a)) => match a {
            hir::Amount::Int(n) => format!("window {n} of the clock's unit"),
            hir::Amount::Float(f) => format!("window {f} of the clock's unit"),
        },
    };
    let kernel = match plan.kernel {
        Kernel::Latest => "latest start per position: `detect`, and every condition reads one event",
        Kernel::Ring if pattern.force_ring => "universal ring: asked for",
        Kernel::Ring if plan.lanes.is_some() => {
            "universal ring for each key: the window counts the key's events"
        }
        Kernel::Ring if !pattern.partition.is_empty() => "universal ring: `partition by`",
        Kernel::Ring if !pattern.inner_windows.is_empty() => "universal ring: a window inside the pattern",
        Kernel::Ring if matches!(pattern.output, Output::Detect) => {
            "universal ring: a condition reads several events"
        }
        Kernel::Ring => "universal ring: matches are handed out",
    };
    out.push(format!("kernel: {kernel}; {window}"));
    for (q, p) in plan.positions.iter().enumerate() {
        let mut line = format!("position {q}: {}", called(pattern, p.atom));
        for (word, list) in [("", &p.early), (" (when needed)", &p.late)] {
            for c in list {
                let _ = write!(line, ", {}{word}", written(pattern, &pattern.conjuncts[c.0]));
            }
        }
        out.push(line);
    }
    for c in pattern.conjuncts.iter().filter(|c| !c.is_unary()) {
        out.push(format!("while searching: {}", written(pattern, c)));
    }
    match plan.kernel {
        Kernel::Latest => {
            let waiting = plan.positions.iter().filter(|q| !q.edges.is_empty()).count();
            out.push(format!("state: the latest start of each of {waiting} positions"));
            out.push(
                "cost per event: the conditions of the positions that its type can take, whatever the window"
                    .into(),
            );
        }
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
                    Kept::Attributes(all) => all
                        .iter()
                        .map(|a| event.attributes[a.0].name.to_string())
                        .collect::<Vec<_>>()
                        .join(", "),
                };
                out.push(format!("kept of {}: {what}", event.name));
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

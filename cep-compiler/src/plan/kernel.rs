//! Which machine: the cheapest whose side conditions are proved (the kernels' table), and where it is not the first, why.
use super::structures::{Runs, structures};
use super::{Edge, Kernel, Position, comparisons};
use crate::hir::{self, Output, Window};
use crate::plan::report::written;
use crate::slices::{any, find};

/// A kernel, what it keeps in which structure, and why it is this one.
pub(super) struct Choice {
    pub(super) kernel: Kernel,
    pub(super) runs: Runs,
    pub(super) why: String,
}

impl Choice {
    fn of(kernel: Kernel, why: &str) -> Self {
        Choice { kernel, runs: Runs::default(), why: why.into() }
    }
    /// The universal kernel.
    pub(super) fn ring(why: &str) -> Self {
        Choice::of(Kernel::Ring, why)
    }
}

/// The cheapest kernel whose side conditions are proved.
pub(super) fn choose(pattern: &hir::Pattern, positions: &[Position], start: &[Edge]) -> Choice {
    if pattern.force_ring {
        return Choice::ring("asked for");
    }
    if !matches!(pattern.output, Output::Detect) {
        return Choice::ring("matches are handed out");
    }
    if pattern.spans.is_some() {
        return Choice::ring("the window is another item's");
    }
    if !pattern.inner_windows.is_empty() {
        return Choice::ring("a window inside the pattern");
    }
    let joint = find(&pattern.conjuncts, |c| !c.is_unary());
    if pattern.partition.is_empty() && joint.is_none() {
        // only the start of a run matters for what it can still become
        return Choice::of(Kernel::Latest, "`detect`, and every condition reads one event");
    }
    if keyed(pattern) && joint.is_none() {
        return Choice::of(Kernel::Latest, "`detect`, and besides the key every condition reads one event");
    }
    match pattern.window {
        Some(Window::Events(_)) => {}
        Some(Window::Clock(_)) => {
            // what a capacity counts must be known from the event alone
            if pattern.capacity.is_none() || any(positions, |p| !p.late.is_empty()) {
                return Choice::ring("the capacity counts events that a costly condition accepts");
            }
        }
        Some(Window::Partition(_)) => return Choice::ring("the window counts the key's events"),
        None => return Choice::ring("no window"),
    }
    match joint {
        None => {
            Choice::of(Kernel::Partitioned, "`detect`, and besides the key every condition reads one event")
        }
        Some(_) if !pattern.partition.is_empty() => {
            Choice::ring("a condition reads several events of a partition")
        }
        Some(_) => match comparisons::comparisons(pattern, positions, start) {
            Err(c) => Choice::ring(&format!(
                "`{}` is no comparison of the newest event with one event before it",
                written(pattern, &pattern.conjuncts[c.0])
            )),
            Ok(list) => match structures(pattern, positions, start, list) {
                Err(why) => Choice::ring(&why),
                Ok(runs) => Choice {
                    kernel: Kernel::Runs,
                    runs,
                    why: "`detect`, and every condition on several events compares an attribute of one with the newest"
                        .into(),
                },
            },
        },
    }
}

/// One table of keys with the latest starts of each: the number of keys is declared, and nothing else bounds it.
fn keyed(pattern: &hir::Pattern) -> bool {
    let bounded = matches!(pattern.window, None | Some(Window::Clock(_))) && pattern.capacity.is_none();
    !pattern.partition.is_empty() && bounded && pattern.keys.is_some()
}

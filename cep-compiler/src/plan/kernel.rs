//! Which structure holds the runs.
use super::Kernel;
use crate::hir::{self, Output};

/// The cheapest kernel whose side conditions are proved.
pub(super) fn choose(pattern: &hir::Pattern) -> Kernel {
    if latest(pattern) { Kernel::Latest } else { Kernel::Ring }
}

/// The side conditions of the latest start per position: only the start of a run matters for what it can still become.
fn latest(pattern: &hir::Pattern) -> bool {
    matches!(pattern.output, Output::Detect)
        && !pattern.force_ring
        && pattern.conjuncts.iter().all(hir::Conjunct::is_unary)
        && pattern.partition.is_empty()
        && pattern.inner_windows.is_empty()
}

//! Bytes of a machine without a ring of events, as rustc lays it out: fields in order of alignment, so that only the end is padded.
use super::structures::{Structure, of};
use super::{Kernel, Plan};
use crate::hir::{self, AttributeId, TypeId};
use crate::schema::{Attribute, Kind};
use crate::slices::each;

/// Size and alignment.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    size: u64,
    align: u64,
    /// Some type in it is not known: it is at least that large.
    open: bool,
}

impl Layout {
    const fn new(size: u64, align: u64) -> Self {
        Layout { size, align, open: false }
    }
    const WORD: Self = Layout::new(8, 8);
    /// A struct of these.
    fn all(parts: &[Layout]) -> Self {
        let mut whole = Layout::new(0, 1);
        for p in parts {
            whole.size = whole.size.saturating_add(p.size);
            whole.align = whole.align.max(p.align);
            whole.open |= p.open;
        }
        whole.size = whole.size.next_multiple_of(whole.align);
        whole
    }
    fn times(self, n: u64) -> Self {
        Layout { size: self.size.saturating_mul(n), ..self }
    }
    /// An `Option` of a type without unused values.
    fn option(self) -> Self {
        Layout::all(&[self, Layout::new(1, 1)])
    }
}

fn kind(kind: &Kind) -> Layout {
    match kind {
        Kind::Int(i) => Layout::new(u64::from(i.bits) / 8, u64::from(i.bits) / 8),
        Kind::Float(bits) => Layout::new(u64::from(*bits) / 8, u64::from(*bits) / 8),
        Kind::Bool => Layout::new(1, 1),
        Kind::Char => Layout::new(4, 4),
        Kind::Str => Layout::new(16, 8),
        _ => Layout { size: 0, align: 1, open: true },
    }
}

/// An `Option` of a known type: some types have unused values for it.
fn optional(k: &Kind) -> Layout {
    match k {
        Kind::Bool | Kind::Char | Kind::Str => kind(k),
        _ => kind(k).option(),
    }
}

/// As a key of a hash table.
fn key(a: &Attribute) -> Layout {
    match &a.kind {
        Kind::Float(_) => Layout::WORD,
        k => kind(k),
    }
}

/// The size of the machine (of a table of keys: nearly), and whether all types in it are known.
pub(super) fn machine(pattern: &hir::Pattern, plan: &Plan) -> (u64, bool) {
    let slots = plan.slots as u64;
    // position, statistics, the last start
    let mut parts = vec![Layout::WORD, Layout::WORD.times(STATS), Layout::WORD.times(2)];
    let clock = pattern.clock.as_ref().map(|c| &c.kind);
    if let Some(c) = clock {
        parts.extend_from_slice(&[optional(c), Layout::new(1, 1)]);
    }
    let timed = matches!(pattern.window, Some(hir::Window::Clock(_)));
    if let Some(c) = clock.filter(|_| timed) {
        if pattern.evict {
            parts.push(optional(c));
        }
        let recent = Layout::all(&[Layout::WORD, kind(c)]).times(slots);
        parts.extend_from_slice(&[memory(plan, recent), Layout::WORD.times(2)]);
    } else if pattern.consume == crate::ast::Consume::Any {
        parts.push(Layout::WORD);
    }
    match plan.kernel {
        Kernel::Partitioned => {
            let each = each(&pattern.partition, |of| component(pattern, of));
            let starts = Layout::WORD.times(2 * plan.latest_slots() as u64);
            // the key, its neighbours by age, the latest starts and when they changed last
            let place = Layout::all(&[Layout::all(&each).option(), Layout::new(8, 4), starts, Layout::WORD]);
            parts.push(memory(plan, place.times(slots)));
            parts.push(memory(plan, Layout::new(4, 4).times(plan.buckets() as u64)));
        }
        _ => {
            parts.push(Layout::WORD.times(2 * plan.latest_slots() as u64));
            for q in 0..plan.positions.len() {
                parts.append(&mut hold(pattern, plan, q));
            }
        }
    }
    for k in &pattern.parameter_kinds {
        parts.push(kind(k));
    }
    let whole = Layout::all(&parts);
    (whole.size, !whole.open)
}

/// Words of `Stats`.
const STATS: u64 = 5;

/// Memory where the storage has it.
fn memory(plan: &Plan, inline: Layout) -> Layout {
    if plan.storage == crate::ast::Storage::Inline {
        inline
    } else {
        Layout { size: 8, align: 8, open: false }
    }
}

fn component(pattern: &hir::Pattern, of: &[(TypeId, AttributeId)]) -> Layout {
    of.first().map_or(Layout::new(0, 1), |(t, a)| kind(&pattern.schema.types[t.0].attributes[a.0].kind))
}

/// What a position's structure takes.
pub(super) fn hold(pattern: &hir::Pattern, plan: &Plan, q: usize) -> Vec<Layout> {
    let hold = &plan.runs.holds[q];
    let slots = plan.slots as u64;
    let attributes = each(&hold.key, |r| of(pattern, &plan.positions, *r));
    match hold.structure {
        Structure::Nothing | Structure::Latest { .. } => Vec::new(),
        Structure::Direct(n) => vec![Layout::WORD.times(n as u64)],
        Structure::Single => {
            // a value that may be NULL leaves room to tell that there is no run, except a text
            let mut all = each(&attributes, |a| Layout {
                open: matches!(a.kind, Kind::Str | Kind::Opaque),
                ..optional(&a.kind)
            });
            all.push(Layout::WORD);
            vec![Layout::all(&all)]
        }
        Structure::Keyed => {
            let key = Layout::all(&each(&attributes, |a| key(a)));
            let table = Layout::all(&[key, Layout::WORD.times(2)]).times(2 * slots);
            let updates = Layout::all(&[key, Layout::new(4, 4)]).times(slots);
            vec![Layout::all(&[memory(plan, table), memory(plan, updates), Layout::WORD.times(4)])]
        }
        Structure::Pareto { .. } => {
            let key = Layout::all(&each(&attributes, |a| kind(&a.kind)));
            let front = Layout::all(&[key, Layout::WORD]).times(slots);
            vec![Layout::all(&[memory(plan, front), Layout::WORD.times(3)])]
        }
    }
}

/// Bytes of a position's structure, its memory included wherever it is, and whether that is exact.
pub(super) fn of_hold(pattern: &hir::Pattern, plan: &Plan, q: usize) -> (u64, bool) {
    let inline = Plan { storage: crate::ast::Storage::Inline, ..plan.clone() };
    let parts = hold(pattern, &inline, q);
    let (mut size, mut exact) = (0, true);
    for p in &parts {
        size += p.size;
        exact &= !p.open;
    }
    (size, exact)
}

//! Bytes of a machine without a ring of events, as rustc lays it out: fields in order of alignment, so that only the end is padded.
use super::structures::{Structure, of};
use super::{Kernel, Plan};
use crate::ast::Storage;
use crate::hir;
use crate::schema::{Attribute, Kind};

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
    const NONE: Self = Layout::new(0, 1);
    const WORD: Self = Layout::new(8, 8);
    /// One field more.
    fn and(self, field: Layout) -> Self {
        Layout {
            size: self.size.saturating_add(field.size),
            align: self.align.max(field.align),
            open: self.open | field.open,
        }
    }
    /// A struct of these fields.
    fn whole(self) -> Self {
        Layout { size: self.size.next_multiple_of(self.align), ..self }
    }
    fn times(self, n: u64) -> Self {
        Layout { size: self.size.saturating_mul(n), ..self }
    }
    /// An `Option` of a type without unused values.
    fn option(self) -> Self {
        self.and(Layout::new(1, 1)).whole()
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
    let mut all = Layout::WORD.times(1 + STATS + 2);
    let clock = pattern.clock.as_ref().map(|c| &c.kind);
    if let Some(c) = clock {
        all = all.and(optional(c)).and(Layout::new(1, 1));
    }
    let timed = matches!(pattern.window, Some(hir::Window::Clock(_)));
    if let Some(c) = clock.filter(|_| timed) {
        if pattern.evict {
            all = all.and(optional(c));
        }
        let recent = Layout::WORD.and(kind(c)).whole().times(slots);
        all = all.and(memory(plan.storage, recent)).and(Layout::WORD.times(2));
    } else if pattern.consume == crate::ast::Consume::Any {
        all = all.and(Layout::WORD);
    }
    let starts = Layout::WORD.times(2 * plan.latest_slots() as u64);
    if plan.kernel == Kernel::Partitioned {
        let mut key = Layout::NONE;
        for of in &pattern.partition {
            if let Some((t, a)) = of.first() {
                key = key.and(kind(&pattern.schema.types[t.0].attributes[a.0].kind));
            }
        }
        // the key, its neighbours by age, the latest starts and when they changed last
        let place = key.whole().option().and(Layout::new(8, 4)).and(starts).and(Layout::WORD).whole();
        let buckets = Layout::new(4, 4).times(plan.buckets() as u64);
        all = all.and(memory(plan.storage, place.times(slots))).and(memory(plan.storage, buckets));
    } else {
        all = all.and(starts);
        for q in 0..plan.positions.len() {
            all = all.and(hold(pattern, plan, q, plan.storage));
        }
    }
    for k in &pattern.parameter_kinds {
        all = all.and(kind(k));
    }
    let whole = all.whole();
    (whole.size, !whole.open)
}

/// Words of `Stats`.
const STATS: u64 = 5;

/// Memory where the storage has it.
fn memory(storage: Storage, inline: Layout) -> Layout {
    if storage == Storage::Inline { inline } else { Layout::WORD }
}

/// What a position's structure takes.
fn hold(pattern: &hir::Pattern, plan: &Plan, q: usize, storage: Storage) -> Layout {
    let hold = &plan.runs.holds[q];
    let slots = plan.slots as u64;
    let fields = |of_one: fn(&Attribute) -> Layout| {
        let mut all = Layout::NONE;
        for r in &hold.key {
            all = all.and(of_one(of(pattern, &plan.positions, *r)));
        }
        all
    };
    match hold.structure {
        Structure::Nothing | Structure::Latest { .. } => Layout::NONE,
        Structure::Direct(n) => Layout::WORD.times(n as u64),
        // a value that may be NULL leaves room to tell that there is no run, except a text
        Structure::Single => {
            let value = |a: &Attribute| Layout {
                open: matches!(a.kind, Kind::Str | Kind::Opaque),
                ..optional(&a.kind)
            };
            fields(value).and(Layout::WORD).whole()
        }
        Structure::Keyed => {
            let key = fields(key).whole();
            let table = key.and(Layout::WORD.times(2)).whole().times(2 * slots);
            let updates = key.and(Layout::new(4, 4)).whole().times(slots);
            memory(storage, table).and(memory(storage, updates)).and(Layout::WORD.times(4)).whole()
        }
        Structure::Pareto { .. } => {
            let front = fields(|a| kind(&a.kind)).whole().and(Layout::WORD).whole().times(slots);
            memory(storage, front).and(Layout::WORD.times(3)).whole()
        }
    }
}

/// Bytes of a position's structure, its memory included wherever it is, and whether that is exact.
pub(super) fn of_hold(pattern: &hir::Pattern, plan: &Plan, q: usize) -> (u64, bool) {
    let whole = hold(pattern, plan, q, Storage::Inline);
    (whole.size, !whole.open)
}

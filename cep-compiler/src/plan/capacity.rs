//! Sizes: slots, frames, bytes.
use super::bytes::machine;
use super::kernel::Choice;
use super::structures::{Runs, Structure};
use super::{Kept, Kernel, KeyTable, MAX_STATE_BYTES, Plan};
use crate::ast::Storage;
use crate::diagnostic::{Code, Diagnostics};
use crate::hir::{self, AttributeId, Output, Window};
use crate::schema::Kind;
use crate::slices::any;

/// Most slots of a ring, whatever the storage.
const MAX_SLOTS: u64 = 1 << 32;
/// Most keys of a table.
const MAX_KEYS: u64 = 1 << 30;
/// Bytes of a key's place beside the key and its slots, and of its buckets, at least.
const KEY_BYTES: u64 = 48;
/// Bytes of a frame of the search.
const FRAME_BYTES: u64 = 56;

/// Bytes of a known type; 0 where the compiler does not know it.
fn bytes(kind: &Kind) -> u64 {
    match kind {
        Kind::Int(i) => u64::from(i.bits) / 8,
        Kind::Float(bits) => u64::from(*bits) / 8,
        Kind::Bool => 1,
        Kind::Char => 4,
        Kind::Str => 16,
        _ => 0,
    }
}

/// The fewest bytes that a slot takes; padding and opaque attributes come on top.
pub(super) fn slot_bytes(pattern: &hir::Pattern, plan: &Plan) -> u64 {
    let mut largest = 0;
    for (ty, kept) in &plan.kept {
        let event = &pattern.schema.types[ty.0];
        let mut sum = 0;
        for (i, a) in event.attributes.iter().enumerate() {
            let held = match kept {
                Kept::Record => a.kept,
                Kept::Attributes(all) => all.contains(&AttributeId(i)),
            };
            if held {
                sum += bytes(&a.kind);
            }
        }
        largest = largest.max(sum);
    }
    let clock = pattern.clock.as_ref().map_or(0, |c| bytes(&c.kind));
    let mut keys = 0;
    for of in &pattern.partition {
        if let Some((t, a)) = of.first() {
            keys += bytes(&pattern.schema.types[t.0].attributes[a.0].kind);
        }
    }
    // a position number and the positions' bits
    16 + largest + clock + keys + if plan.linked || plan.lanes.is_some() { 8 } else { 0 }
}

/// Sizes the structures of runs. Where they would be too large to stand inside the machine, and the ring is not, it is the ring after all:
/// what compiles with one kernel compiles with every other.
pub(super) fn structures(pattern: &hir::Pattern, plan: &mut Plan) {
    let held = match (&pattern.window, pattern.capacity) {
        (Some(Window::Events(w)), _) => *w,
        (_, Some(n)) => n,
        _ => 1,
    };
    let partitioned = plan.kernel == Kernel::Partitioned;
    // a table of keys has places, the other structures are rings
    let slots = if partitioned { Some(held) } else { held.checked_next_power_of_two() };
    let slots = slots.filter(|s| *s <= MAX_SLOTS / 2).and_then(|s| usize::try_from(s).ok());
    plan.slots = slots.unwrap_or(0);
    let stored =
        partitioned || matches!(pattern.window, Some(Window::Clock(_))) || any(&plan.runs.holds, is_memory);
    if !stored {
        plan.storage = Storage::Inline;
    }
    let (bytes, exact) = machine(pattern, plan);
    // what is not known: as much again as is
    let bytes = if exact { bytes } else { bytes.saturating_mul(2) };
    if slots.is_none() || plan.storage == Storage::Inline && bytes > MAX_STATE_BYTES {
        let choice = Choice::ring(&format!(
            "structures of runs would take {} KiB, more than fit inside; `storage boxed` or `storage borrowed` has them",
            bytes.div_ceil(1024)
        ));
        (plan.kernel, plan.why, plan.runs) = (Kernel::Ring, choice.why, Runs::default());
        plan.storage = pattern.storage.unwrap_or(Storage::Inline);
        plan.slots = 1;
    }
}

/// It has memory of its own, which the storage clause places.
fn is_memory(hold: &super::Hold) -> bool {
    matches!(hold.structure, Structure::Keyed | Structure::Pareto { .. })
}

/// Sizes the rings; `None` and a diagnostic where they would be too large.
pub(super) fn size(pattern: &hir::Pattern, plan: &mut Plan, diagnostics: &mut Diagnostics) -> Option<()> {
    let keeps = any(&plan.positions, |p| !p.edges.is_empty())
        || pattern.spans.is_some()
        || (pattern.clock.is_some() && matches!(pattern.window, Some(Window::Clock(_))));
    let keys = match pattern.window {
        Some(Window::Partition(_)) if keeps => {
            plan.lanes = Some(key_table(pattern, plan, diagnostics)?);
            pattern.keys?
        }
        _ => 1,
    };
    let held = match (&pattern.window, pattern.capacity) {
        _ if !keeps => 1,
        (Some(Window::Events(w) | Window::Partition(w)), _) => *w,
        (Some(Window::Clock(_)), Some(n)) => n,
        _ => {
            diagnostics
                .error(Code::MissingBound, pattern.name.span(), "the ring needs a window")
                .help("add `within 100 events`, or leave `#[cep(kernel = ring)]` out");
            return None;
        }
    };
    let (what, shorter, loc) = match pattern.window {
        Some(Window::Clock(_)) => ("capacity", "a smaller capacity", pattern.capacity_loc),
        _ if pattern.spans.is_some() => {
            ("capacity", "a smaller capacity here, or fewer keys in the window", pattern.capacity_loc)
        }
        Some(Window::Partition(_)) => ("window", "a shorter window or fewer keys", pattern.window_loc),
        _ => ("window", "a shorter window", pattern.window_loc),
    };
    let slots = held.checked_next_power_of_two().filter(|s| *s <= MAX_SLOTS);
    super::memory::remember(pattern, plan, held);
    let lanes = plan.memory_lanes().max(1) as u64;
    let frames = if pattern.is_cyclic() {
        // a lane remembers every event of the window and the completing one
        held.saturating_add(1).saturating_mul(lanes)
    } else {
        (plan.positions.len() as u64).min(held.max(1))
    };
    // the search and, where runs are compared, a second one
    let searches = if plan.ambiguous && !matches!(pattern.output, Output::Detect) { 2 } else { 1 };
    let each = slot_bytes(pattern, plan);
    let Some(slots) = slots else {
        diagnostics
            .error(
                Code::TooLarge,
                loc,
                format!(
                    "a {what} of {held} events needs more than {MAX_SLOTS} slots of at least {each} bytes"
                ),
            )
            .help(format!("choose {shorter}"));
        return None;
    };
    let each_key = slots.saturating_mul(each).saturating_add(if keys > 1 { KEY_BYTES } else { 0 });
    let total = keys.saturating_mul(each_key).saturating_add(frames.saturating_mul(FRAME_BYTES * searches));
    if plan.storage == Storage::Inline && total > MAX_STATE_BYTES {
        let kib = total.div_ceil(1024);
        let of_each = if keys > 1 { format!(", for each of {keys} keys") } else { String::new() };
        diagnostics
            .error(Code::TooLarge, loc, format!("the state of `{}` would be at least {kib} KiB, and 64 KiB is the most inside the machine", pattern.name))
            .note(if pattern.is_cyclic() {
                format!("the {what} of {held} events takes {slots} slots of at least {each} bytes, and the search {frames} frames of {} bytes, since a match may hold {held} events and the search remembers what came of each{of_each}", FRAME_BYTES * searches)
            } else {
                format!("the {what} of {held} events takes {slots} slots of at least {each} bytes{of_each}")
            })
            .help(format!("write `storage boxed` (one allocation in `new`), `storage borrowed` (memory that you give, a `static` for instance), or {shorter}"));
        return None;
    }
    if keys.saturating_mul(slots) > MAX_SLOTS {
        diagnostics
            .error(
                Code::TooLarge,
                pattern.window_loc,
                format!(
                    "{keys} keys with {held} events each need more than {MAX_SLOTS} slots of at least {each} bytes"
                ),
            )
            .help("choose a shorter window or fewer keys");
        return None;
    }
    plan.slots = usize::try_from(slots).ok()?;
    plan.depth = usize::try_from(frames).ok()?;
    Some(())
}

/// Sizes the table of keys with the latest starts of each.
pub(super) fn keyed(pattern: &hir::Pattern, plan: &mut Plan, diagnostics: &mut Diagnostics) -> Option<()> {
    let table = key_table(pattern, plan, diagnostics)?;
    let time = pattern.clock.as_ref().map_or(0, |c| bytes(&c.kind));
    let keys = table.places as u64;
    let total = keys.saturating_mul(KEY_BYTES + (16 + time).saturating_mul(plan.positions.len() as u64));
    if plan.storage == Storage::Inline && total > MAX_STATE_BYTES {
        let kib = total.div_ceil(1024);
        diagnostics
            .error(Code::TooLarge, pattern.capacity_loc, format!("the state of `{}` would be at least {kib} KiB, and 64 KiB is the most inside the machine", pattern.name))
            .note(format!("it keeps the latest start of each of {} positions for each of {keys} keys", plan.positions.len()))
            .help("write `storage boxed` (one allocation in `new`), `storage borrowed` (memory that you give, a `static` for instance), or fewer keys");
        return None;
    }
    plan.keyed = Some(table);
    Some(())
}

/// The table of keys, as large as declared.
fn key_table(pattern: &hir::Pattern, plan: &mut Plan, diagnostics: &mut Diagnostics) -> Option<KeyTable> {
    // a missing one was reported
    let keys = pattern.keys?;
    if keys > MAX_KEYS {
        diagnostics
            .error(
                Code::TooLarge,
                pattern.capacity_loc,
                format!("a table of {keys} keys is not possible, {MAX_KEYS} is the most"),
            )
            .help("declare fewer keys: `capacity 1000 keys`");
        return None;
    }
    let places = usize::try_from(keys).ok()?;
    // the rank tells neighbours too
    plan.linked = false;
    plan.fallible |= !pattern.evict;
    Some(KeyTable { places, buckets: (2 * places).next_power_of_two() })
}

//! A ring for each key, where the window counts the events of the key: `within 100 events of its partition`.
//!
//! One ring in arrival order would not do: an event stays until its own key had so many more, however many events of other keys come. A key
//! has a place in the table while an event of it is kept. What consumption or the window takes leaves its slots as they are until the
//! next event, because the matches of this one are handed out later.
use super::fields::MachineField;
use super::kept::{key, key_type, time_type};
use super::machine::family;
use super::names::{Names, ours};
use crate::ast::{Consume, Storage};
use crate::code::{Piece, code};
use crate::hir::{Pattern, Window};
use crate::plan::Plan;
use proc_macro2::Ident;

/// The ring that the newest event's matches are searched in: a reference.
pub(super) fn ring_of(plan: &Plan) -> Piece {
    if plan.lanes.is_some() { code!([] & self.keys.value(self.lane).ring) } else { code!([] & self.ring) }
}

/// Where that ring's slots are, as a storage family: a key's ring is inside its place.
pub(super) fn ring_family(plan: &Plan, names: &Names) -> Piece {
    let p = names.p;
    if plan.lanes.is_some() { code!([p] #p::Inline) } else { family(plan, names) }
}

/// What the table has for each key.
fn value(pattern: &Pattern, plan: &Plan, names: &Names) -> Piece {
    let (p, kept, n) = (names.p, names.kept, plan.slots);
    if plan.lanes.is_some() {
        return code!([p, kept | n] #p::Lane<#kept, #n>);
    }
    let q = super::fields::latest_places(plan);
    let t = time_type(pattern, names).unwrap_or(code!([]()));
    code!([p, t | q] #p::Starts<#q, #t>)
}

/// The key's type: what tells windows of another item apart, where the pattern runs inside of them.
fn lane_key(pattern: &Pattern, names: &Names) -> Option<Piece> {
    if pattern.spans.is_some() {
        return Some(code!([](::core::primitive::u32,)));
    }
    key_type(pattern, names)
}

/// The table: its type, and that of its keys.
fn table(pattern: &Pattern, plan: &Plan, names: &Names) -> Option<(Piece, Piece)> {
    let (table, key) = (plan.lanes.or(plan.keyed)?, lane_key(pattern, names)?);
    let (p, m, h, family) = (names.p, table.places, table.buckets, family(plan, names));
    let value = value(pattern, plan, names);
    Some((code!([p, key, value, family | h, m] #p::Keys<#key, #value, #m, #h, #family>), key))
}

/// The field that holds it.
pub(super) fn field(pattern: &Pattern, plan: &Plan, names: &Names) -> Option<MachineField> {
    let (ty, _) = table(pattern, plan, names)?;
    let p = names.p;
    let empty = if plan.lanes.is_some() { code!([p] #p::Lane::new()) } else { code!([p] #p::Starts::new()) };
    Some(MachineField {
        name: ours("keys"),
        new: match plan.storage {
            Storage::Inline => code!([p, empty] #p::Keys::new(#empty)),
            Storage::Boxed => code!([p, empty] #p::Keys::boxed(#empty)),
            Storage::Borrowed => code!([p] #p::Keys::over(&mut rings.places, &mut rings.buckets)),
        },
        ty,
        reset: None,
        copy: false,
    })
}

/// The memory of a borrowed machine: its documentation, the fields and their first values.
pub(super) fn memory(pattern: &Pattern, plan: &Plan, names: &Names) -> Option<(String, Piece, Piece)> {
    let (_, key) = table(pattern, plan, names)?;
    let of = plan.lanes.or(plan.keyed)?;
    let (p, m, h, name) = (names.p, of.places, of.buckets, names.machine);
    let value = value(pattern, plan, names);
    let (what, empty) = match plan.lanes {
        Some(_) => (format!("{} slots", plan.slots), code!([p] #p::Lane::new())),
        None => ("the latest starts".to_string(), code!([p] #p::Starts::new())),
    };
    Some((
        format!("The memory of a [`{name}`]: {what} for each of {m} keys. For a `static` of its own."),
        code!([p, key, value | h, m] places: [#p::Place<#key, #value>; #m], buckets: [::core::primitive::u32; #h],),
        code!([p, empty | h, m] places: [#p::Place::unused(#empty); #m], buckets: [#p::NO_PLACE; #h],),
    ))
}

/// The key of the event, its ring, the event's rank, and where the window of that key begins.
pub(super) fn head(pattern: &Pattern, names: &Names, event: Piece) -> Piece {
    let (at, rank) = (ours("at"), ours("rank"));
    if let Some(item) = &pattern.spans {
        return spans(item, names, event);
    }
    let key = key(pattern, names, event);
    let window = match pattern.window {
        Some(Window::Partition(n)) => n,
        _ => u64::MAX,
    };
    code! { [key, rank, at | window]
        let key_of = #key;
        let place = ::core::option::Option::and_then(key_of.as_ref(), |key| self.keys.find(key));
        let lane = self.keys.value(::core::option::Option::unwrap_or(place, 0));
        let ring = &lane.ring;
        let (mut first, entries, #rank) =
            if place.is_some() { (lane.first, ring.len(), lane.rank + 1) } else { (0, 0, 1) };
        while first < entries
            && let ::core::option::Option::Some((#at, _)) = ring.get(first)
            && #rank - #at.rank >= #window
        {
            first += 1;
        }
    }
}

/// The same inside the windows of another item, which know where the event's window begins.
fn spans(item: &Ident, names: &Names, event: Piece) -> Piece {
    let (p, at, rank, position) = (names.p, ours("at"), ours("rank"), ours("position"));
    code! { [p, position, event, rank, at | item]
        let span = <#item as #p::Spans>::span(&self.spans, #position, #event)?;
        let key_of = ::core::option::Option::map(::core::option::Option::and_then(span, |span| span.lane), |lane| (lane,));
        let place = ::core::option::Option::and_then(key_of.as_ref(), |key| self.keys.find(key));
        let lane = self.keys.value(::core::option::Option::unwrap_or(place, 0));
        let ring = &lane.ring;
        let (mut first, entries, #rank) =
            if place.is_some() { (lane.first, ring.len(), lane.rank + 1) } else { (0, 0, 1) };
        while first < entries
            && let ::core::option::Option::Some((#at, _)) = ring.get(first)
            && span.is_some_and(|span| #at.position() < span.since)
        {
            first += 1;
        }
    }
}

/// The windows of another item take the event.
pub(super) fn enter(pattern: &Pattern, names: &Names, event: Piece) -> Piece {
    let (p, position) = (names.p, ours("position"));
    let Some(item) = &pattern.spans else { return Piece::EMPTY };
    code!([p, position, event | item] let lane_of = <#item as #p::Spans>::enter(&mut self.spans, #position, #event)?;)
}

/// The event enters the ring of its window.
fn store_inside(pattern: &Pattern) -> Piece {
    let (at, rank) = (ours("at"), ours("rank"));
    let gone = if pattern.consume == Consume::Any {
        code!([] if found.is_some() { self.keys.clear(); } else)
    } else {
        Piece::EMPTY
    };
    code! { [at, rank, gone]
        self.lane = ::core::option::Option::unwrap_or(place, 0);
        if span.is_some() && let ::core::option::Option::Some(lane_of) = lane_of {
            #gone
            if let ::core::option::Option::Some(#at) = kept && taken != 0 {
                let claimed = match self.keys.find(&(lane_of,)) {
                    ::core::option::Option::None => self.keys.claim((lane_of,)),
                    known => known,
                };
                if let ::core::option::Option::Some(n) = claimed {
                    let lane = self.keys.value_mut(n);
                    // what is left there is of a window that is closed
                    if place != claimed { lane.clear(); }
                    (lane.first, lane.rank) = (first, #rank);
                    if place != claimed { lane.first = 0; }
                    lane.ring.push(#at, taken);
                    if place.is_none() { self.lane = n; }
                    self.stats.kept += 1;
                }
            } else if let ::core::option::Option::Some(n) = place {
                let lane = self.keys.value_mut(n);
                (lane.first, lane.rank) = (first, #rank);
            }
        }
    }
}

/// One more key than declared is refused.
pub(super) fn capacity(pattern: &Pattern, plan: &Plan, names: &Names) -> Piece {
    if let (Some(_), Some(n)) = (&pattern.spans, pattern.capacity) {
        let p = names.p;
        return if pattern.evict {
            code! { [| n]
                if taken != 0 && entries - first >= #n {
                    first += 1;
                    self.stats.evicted += 1;
                }
            }
        } else {
            code!([p | n] if taken != 0 && entries - first >= #n { return ::core::result::Result::Err(#p::PushError::Full); })
        };
    }
    if pattern.spans.is_some() {
        return Piece::EMPTY;
    }
    if pattern.evict {
        return Piece::EMPTY;
    }
    let (p, waiting) = (names.p, plan.bits(|q| !q.edges.is_empty()));
    code! { [p | waiting]
        if taken & #waiting != 0 && place.is_none() && self.keys.is_full() {
            return ::core::result::Result::Err(#p::PushError::Full);
        }
    }
}

/// The event enters the ring of its key, and consumption empties rings.
pub(super) fn store(pattern: &Pattern, plan: &Plan, names: &Names) -> Piece {
    if pattern.spans.is_some() {
        return store_inside(pattern);
    }
    let (at, rank) = (ours("at"), ours("rank"));
    let waiting = plan.bits(|q| !q.edges.is_empty());
    let _ = names;
    let gone = match pattern.consume {
        Consume::None => Piece::EMPTY,
        Consume::Any => code!([] if found.is_some() { self.keys.clear(); } else),
        Consume::Partition => {
            code!([] if found.is_some() { if let ::core::option::Option::Some(n) = place { self.keys.remove(n); } } else)
        }
    };
    let evict = if pattern.evict {
        code! { []
            if place.is_none() && self.keys.is_full() && let ::core::option::Option::Some(n) = self.keys.oldest() {
                let lane = self.keys.value(n);
                self.stats.evicted += lane.ring.len() - lane.first;
                self.keys.remove(n);
            }
        }
    } else {
        Piece::EMPTY
    };
    code! { [gone, at, rank, evict | waiting]
        self.lane = ::core::option::Option::unwrap_or(place, 0);
        if let ::core::option::Option::Some(key) = key_of {
            #gone
            if let ::core::option::Option::Some(#at) = kept && taken & #waiting != 0 {
                #evict
                let claimed = match place {
                    ::core::option::Option::Some(n) => ::core::option::Option::Some(n),
                    ::core::option::Option::None => self.keys.claim(key),
                };
                if let ::core::option::Option::Some(n) = claimed {
                    let lane = self.keys.value_mut(n);
                    if place.is_none() { lane.clear(); }
                    (lane.first, lane.rank) = (first, #rank);
                    lane.ring.push(#at, taken);
                    self.keys.touch(n);
                    self.lane = n;
                    self.stats.kept += 1;
                }
            } else if let ::core::option::Option::Some(n) = place {
                let lane = self.keys.value_mut(n);
                (lane.first, lane.rank) = (first, #rank);
                if lane.is_empty() { self.keys.remove(n); }
            }
        }
    }
}

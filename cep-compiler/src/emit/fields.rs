//! The fields of a machine beside its parameters.
use super::kept::{key_type, time_type};
use super::machine::{family, walk_family, walk_storage};
use super::names::{Names, ours};
use super::runs;
use crate::ast::{Consume, Storage};
use crate::code::{Piece, code};
use crate::hir::{Output, Pattern};
use crate::plan::{Kernel, Plan};
use crate::slices::any;

/// A field of the machine.
pub(super) struct MachineField {
    pub(super) name: Piece,
    pub(super) ty: Piece,
    /// As a new machine has it.
    pub(super) new: Piece,
    /// How `reset` sets it; `None`: it has a `clear`.
    pub(super) reset: Option<Piece>,
    /// It is `Copy`.
    pub(super) copy: bool,
}

/// A field that is reset to what it was in a new machine.
pub(super) fn plain_field(name: &str, ty: Piece, new: Piece) -> MachineField {
    MachineField { name: ours(name), ty, reset: Some(new), new, copy: true }
}

/// The constructor of a kernel `of` by storage: its memory filled with `unused`, or that of `rings`.
pub(super) fn made(storage: Storage, of: Piece, unused: Piece, rings: Piece) -> Piece {
    match storage {
        Storage::Inline => code!([of, unused] #of::new(#unused)),
        Storage::Boxed => code!([of, unused] #of::boxed(#unused)),
        Storage::Borrowed => code!([of, rings] #of::over(#rings)),
    }
}

/// Its runs are held in structures of runs.
pub(super) fn has_runs(plan: &Plan) -> bool {
    matches!(plan.kernel, Kernel::Runs | Kernel::Partitioned)
}

/// A second search is needed to tell matches apart.
pub(super) fn has_probe(pattern: &Pattern, plan: &Plan) -> bool {
    plan.ambiguous && plan.kernel == Kernel::Ring && !matches!(pattern.output, Output::Detect)
}

/// Every field but the parameters, in order.
pub(super) fn fields_of(pattern: &Pattern, plan: &Plan, names: &Names) -> Vec<MachineField> {
    let mut out = Vec::new();
    add_fields(pattern, plan, names, &mut out);
    out
}

/// The list is not its own, so that nothing in here has a destructor.
fn add_fields(pattern: &Pattern, plan: &Plan, names: &Names, out: &mut Vec<MachineField>) {
    let (p, kept, n, d, family) = (names.p, names.kept, plan.slots, plan.depth, family(plan, names));
    let plain = plain_field;
    let none = || code!([] ::core::option::Option::None);
    let u64_type = code!([] ::core::primitive::u64);
    let detect = matches!(pattern.output, Output::Detect);
    out.push(plain("position", u64_type, code!([] 0)));
    out.push(plain("stats", code!([p] #p::Stats), code!([p] #p::Stats::NEW)));
    if let Some(t) = time_type(pattern, names) {
        out.push(plain("now", code!([t] ::core::option::Option<#t>), none()));
        out.push(plain("finished", code!([] ::core::primitive::bool), code!([] false)));
        if plan.exact_from {
            out.push(plain("exact_from", code!([t] ::core::option::Option<#t>), none()));
        }
    }
    if detect {
        out.push(plain("last_start", code!([u64_type] ::core::option::Option<#u64_type>), none()));
    }
    if has_runs(plan) {
        runs::fields(pattern, plan, names, out);
        return;
    }
    if let Some(item) = &pattern.spans {
        let new = if plan.storage == Storage::Inline {
            code!([p | item] <#item as #p::InlineSpans>::TRACKER)
        } else {
            code!([p | item] <#item as #p::Spans>::tracker())
        };
        let ty = code!([p | item] <#item as #p::Spans>::Tracker);
        out.push(MachineField { name: ours("spans"), ty, new, reset: None, copy: false });
    }
    if plan.kernel == Kernel::Latest {
        let q = latest_places(plan);
        let t = time_type(pattern, names).unwrap_or(code!([]()));
        if let Some(field) = super::lanes::field(pattern, plan, names) {
            out.push(field);
            return;
        }
        out.push(MachineField {
            name: ours("latest"),
            ty: code!([p, t | q] #p::Latest<#q, #t>),
            new: code!([p] #p::Latest::new()),
            reset: None,
            copy: false,
        });
        return;
    }
    if plan.lanes.is_some() {
        out.push(plain("lane", code!([] ::core::primitive::usize), code!([] 0)));
    } else {
        out.push(plain("first", u64_type, code!([] 0)));
    }
    if !detect && super::summarize::of(pattern).is_none() {
        out.push(plain("last", code!([p, kept] ::core::option::Option<#p::At<#kept>>), none()));
    }
    if let (true, Some(t)) = (super::results::has_moment(pattern), super::results::time_type(pattern, names))
    {
        out.push(plain("moment", code!([t] ::core::option::Option<#t>), none()));
    }
    if pattern.limit.is_some() {
        out.push(plain("handed", u64_type, code!([] 0)));
    }
    if pattern.consume == Consume::Partition
        && plan.lanes.is_none()
        && let Some(k) = key_type(pattern, names)
    {
        out.push(plain("consumed", code!([k] ::core::option::Option<(#k, ::core::primitive::u64)>), none()));
    }
    let made = |inline: Piece, boxed: Piece, over: Piece| match plan.storage {
        Storage::Inline => inline,
        Storage::Boxed => boxed,
        Storage::Borrowed => over,
    };
    out.push(if let Some(field) = super::lanes::field(pattern, plan, names) {
        field
    } else {
        MachineField {
            name: ours("ring"),
            ty: code!([p, family, kept | n] #p::Ring<#kept, #n, #family>),
            new: made(
                code!([p, kept | n] #p::Ring::<#kept, #n, #p::Inline>::new()),
                code!([p, kept | n] #p::Ring::<#kept, #n, #p::Boxed>::boxed()),
                code!([p, kept | n] #p::Ring::<#kept, #n, #p::Borrowed<'rings>>::over(&mut rings.slots)),
            ),
            reset: None,
            copy: false,
        }
    });
    if let Some(product) = &plan.product {
        let of = super::summarize::product_type(plan, names, product);
        out.push(MachineField {
            name: ours("product"),
            new: code!([of] <#of>::new()),
            ty: of,
            reset: None,
            copy: false,
        });
        return;
    }
    let searches = if has_probe(pattern, plan) { &["walk", "probe"][..] } else { &["walk"][..] };
    let family = walk_family(pattern, plan, names);
    let made = |inline: Piece, boxed: Piece, over: Piece| match walk_storage(pattern, plan) {
        Storage::Inline => inline,
        Storage::Boxed => boxed,
        Storage::Borrowed => over,
    };
    let more = super::registers::argument(plan, names);
    for name in searches {
        let field = ours(name);
        out.push(MachineField {
            ty: code!([p, family, more | d] #p::Walk<#d, #family #more>),
            new: made(
                code!([p, more | d] #p::Walk::<#d, #p::Inline #more>::new()),
                code!([p, more | d] #p::Walk::<#d, #p::Boxed #more>::boxed()),
                code!([p, more, field | d] #p::Walk::<#d, #p::Borrowed<'rings> #more>::over(&mut rings.#field)),
            ),
            name: field,
            reset: None,
            copy: false,
        });
    }
}

/// Places for the positions that runs wait in; those that nothing follows come behind them.
pub(super) fn latest_slots(plan: &Plan) -> usize {
    let mut slots = 0;
    for (i, q) in plan.positions.iter().enumerate() {
        if !q.edges.is_empty() {
            slots = i + 1;
        }
    }
    slots
}

/// Places of all starts: where both kinds of transition leave a position, it has two.
pub(super) fn latest_places(plan: &Plan) -> usize {
    latest_slots(plan) * if mixed(plan) { 2 } else { 1 }
}

/// Some position is left by both kinds of transition.
pub(super) fn mixed(plan: &Plan) -> bool {
    any(&plan.positions, |q| any(&q.edges, |e| e.strict) && any(&q.edges, |e| !e.strict))
}

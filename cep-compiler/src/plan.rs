//! Which machine a pattern becomes.
//!
//! In: a [`hir::Pattern`] and its [`Rma`]. Out: a [`Plan`]: the kernel, what is kept of past events, at which point each condition is
//! evaluated, sizes, and the cost report. A kernel other than the ring is chosen only where its side conditions are proved.
//!
//! When conditions are evaluated. *Early* ones (unary and cheap) decide at once whether an event can take a position. *Pruning* ones
//! (cheap, over several events) are asked in the backward search as soon as all their events are chosen. *Late* ones (anything that can
//! panic or cost) are evaluated in the order written, only for a partial match that needs them: when their event arrives, before
//! any state changes, and again (they are pure) when a match is put together.
use crate::ast::Storage;
use crate::automaton::Rma;
use crate::check::text;
use crate::diagnostic::{Code, Diagnostics};
use crate::hir::{self, AtomId, AttributeId, ConjunctId, Output, TypeId};
use crate::schema::Kind;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Most positions of one automaton: positions are bits of a word.
pub const MAX_POSITIONS: usize = 64;
/// Most bytes of a machine with `storage inline`.
pub const MAX_STATE_BYTES: u64 = 64 * 1024;
/// Most slots of a ring, whatever the storage.
const MAX_SLOTS: u64 = 1 << 32;

/// The data structure behind the positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kernel {
    /// The latest start per position.
    Latest,
    /// The kept events of the window and a backward search.
    Ring,
}

/// A position of the automaton; its number is its index in [`Plan::positions`].
#[derive(Clone, Debug)]
pub struct Position {
    /// The atom.
    pub atom: AtomId,
    /// Its event type.
    pub ty: TypeId,
    /// The positions that can come before.
    pub predecessors: Vec<usize>,
    /// A run can begin here.
    pub initial: bool,
    /// A run that gets here has matched.
    pub accepting: bool,
    /// A run that gets here can go on.
    pub waits: bool,
    /// Unary and cheap.
    pub early: Vec<ConjunctId>,
    /// Cheap, over several events, all of which are chosen once this position's is.
    pub prune: Vec<ConjunctId>,
    /// The rest, in the order written.
    pub late: Vec<ConjunctId>,
}

/// What is kept of an event of one type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kept {
    /// The whole record.
    Record,
    /// These attributes.
    Attributes(Vec<AttributeId>),
}

/// The machine to be emitted.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What runs it.
    pub kernel: Kernel,
    /// The automaton's positions.
    pub positions: Vec<Position>,
    /// The position that completes a match.
    pub last: usize,
    /// By event type, what is kept.
    pub kept: BTreeMap<TypeId, Kept>,
    /// Bit `q`: position `q`'s event is in the match (or decides its interval).
    pub fixed: u64,
    /// Several runs can give one match, so each run must show that it is the first of them.
    pub ambiguous: bool,
    /// The window in events.
    pub window: Option<u64>,
    /// Slots of the ring, a power of two.
    pub slots: usize,
    /// Where they live.
    pub storage: Storage,
    /// The cost report, line by line.
    pub report: Vec<String>,
}

/// Plans a machine. `None` and a diagnostic where the state would be too large.
#[must_use]
pub fn plan(pattern: &hir::Pattern, rma: &Rma, diagnostics: &mut Diagnostics) -> Option<Plan> {
    let positions = positions(pattern, rma);
    if positions.len() > MAX_POSITIONS {
        diagnostics
            .error(Code::TooLarge, pattern.name.span(), format!("this pattern has {} positions, the most is {MAX_POSITIONS}", positions.len()))
            .help("split it into several patterns");
        return None;
    }
    let unary = pattern.conjuncts.iter().all(hir::Conjunct::is_unary);
    let kernel = match pattern.output {
        Output::Detect if unary && !pattern.force_ring => Kernel::Latest,
        _ => Kernel::Ring,
    };
    let last = positions.iter().position(|p| p.accepting)?;
    let kept = if kernel == Kernel::Ring { kept(pattern) } else { BTreeMap::new() };
    let fixed = fixed(pattern, &positions);
    let every = if positions.len() == MAX_POSITIONS { u64::MAX } else { (1 << positions.len()) - 1 };
    let mut plan = Plan {
        kernel,
        last,
        fixed,
        ambiguous: fixed != every,
        window: pattern.window,
        slots: 1,
        storage: pattern.storage.unwrap_or(Storage::Inline),
        positions,
        kept,
        report: Vec::new(),
    };
    if kernel == Kernel::Ring {
        size(pattern, &mut plan, diagnostics)?;
    } else {
        plan.storage = Storage::Inline;
    }
    plan.report = report(pattern, &plan);
    Some(plan)
}

fn positions(pattern: &hir::Pattern, rma: &Rma) -> Vec<Position> {
    let nodes = rma.positions();
    let number = |n| nodes.iter().position(|m| *m == n);
    nodes
        .iter()
        .filter_map(|&n| {
            let atom = rma.graph[n].atom?;
            let mut predecessors: Vec<usize> =
                rma.graph.neighbors_directed(n, petgraph::Direction::Incoming).filter_map(number).collect();
            predecessors.sort_unstable();
            let of = |test: &dyn Fn(&hir::Conjunct) -> bool| {
                pattern.conjuncts.iter().enumerate().filter(|(_, c)| test(c)).map(|(i, _)| ConjunctId(i)).collect()
            };
            // the oldest event of a condition is the one that the backward search chooses last
            let oldest = |c: &hir::Conjunct| c.reads.iter().map(|r| r.atom).min();
            Some(Position {
                atom,
                ty: pattern.atoms[atom.0].ty,
                predecessors,
                initial: rma.graph.contains_edge(rma.start, n),
                accepting: rma.graph[n].accepting,
                waits: rma.graph.neighbors(n).next().is_some(),
                early: of(&|c| c.step == atom && c.cheap && c.is_unary()),
                prune: of(&|c| c.cheap && !c.is_unary() && oldest(c) == Some(atom)),
                late: of(&|c| c.step == atom && !c.cheap),
            })
        })
        .collect()
}

/// What conditions over several events and the output read, by event type.
fn kept(pattern: &hir::Pattern) -> BTreeMap<TypeId, Kept> {
    let mut out: BTreeMap<TypeId, Kept> =
        pattern.atoms.iter().map(|a| (a.ty, Kept::Attributes(Vec::new()))).collect();
    let mut need = |ty: TypeId, attributes: Option<Vec<AttributeId>>| match (out.get_mut(&ty), attributes) {
        (Some(k), None) => *k = Kept::Record,
        (Some(Kept::Attributes(all)), Some(more)) => {
            for a in more {
                if !all.contains(&a) {
                    all.push(a);
                }
            }
            all.sort_unstable();
        }
        _ => {}
    };
    if let Output::Select(fields) = &pattern.output {
        for f in fields {
            need(pattern.atoms[f.atom.0].ty, f.attributes.clone());
        }
    }
    for c in pattern.conjuncts.iter().filter(|c| !c.is_unary()) {
        for r in &c.reads {
            need(pattern.atoms[r.atom.0].ty, Some(r.attributes.iter().map(|(a, _)| *a).collect()));
        }
    }
    out
}

/// The positions whose events tell matches apart.
fn fixed(pattern: &hir::Pattern, positions: &[Position]) -> u64 {
    positions
        .iter()
        .enumerate()
        .filter(|(_, p)| {
            let selected = match &pattern.output {
                Output::Select(fields) => fields.iter().any(|f| f.atom == p.atom),
                _ => false,
            };
            selected || p.initial || p.accepting
        })
        .fold(0, |mask, (q, _)| mask | 1 << q)
}

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
fn slot_bytes(pattern: &hir::Pattern, plan: &Plan) -> u64 {
    let of = |ty: &TypeId, kept: &Kept| {
        let event = &pattern.schema.types[ty.0];
        match kept {
            Kept::Record => event.attributes.iter().filter(|a| a.kept).map(|a| bytes(&a.kind)).sum(),
            Kept::Attributes(all) => all.iter().map(|a| bytes(&event.attributes[a.0].kind)).sum::<u64>(),
        }
    };
    // a position number and the positions' bits
    16 + plan.kept.iter().map(|(t, k)| of(t, k)).max().unwrap_or(0)
}

fn size(pattern: &hir::Pattern, plan: &mut Plan, diagnostics: &mut Diagnostics) -> Option<()> {
    let keeps = plan.positions.len() > 1;
    let window = match plan.window {
        Some(w) if keeps => w,
        None if keeps => {
            diagnostics
                .error(Code::MissingBound, pattern.name.span(), "the ring needs a window")
                .help("add `within 100 events`, or leave `#[cep(kernel = ring)]` out");
            return None;
        }
        _ => 1,
    };
    let slots = window.checked_next_power_of_two().filter(|s| *s <= MAX_SLOTS);
    let each = slot_bytes(pattern, plan);
    let Some(slots) = slots else {
        diagnostics
            .error(Code::TooLarge, pattern.window_loc, format!("a window of {window} events needs more than {MAX_SLOTS} slots of at least {each} bytes"))
            .help("choose a shorter window");
        return None;
    };
    if plan.storage == Storage::Inline && slots.saturating_mul(each) > MAX_STATE_BYTES {
        let kib = slots.saturating_mul(each).div_ceil(1024);
        diagnostics
            .error(Code::TooLarge, pattern.window_loc, format!("the state of `{}` would be at least {kib} KiB, and 64 KiB is the most inside the machine", pattern.name))
            .note(format!("the window of {window} events takes {slots} slots of at least {each} bytes"))
            .help("write `storage boxed` (one allocation in `new`), `storage borrowed` (memory that you give, a `static` for instance), or a shorter window");
        return None;
    }
    plan.slots = usize::try_from(slots).ok()?;
    Some(())
}

/// `T as hot`, for reports.
pub(crate) fn called(pattern: &hir::Pattern, atom: AtomId) -> String {
    let variables = pattern.atoms[atom.0].variables.iter().map(|v| &pattern.variables[v.0]);
    let names = variables.filter(|v| !v.is_type).map(|v| format!(" as {}", v.name));
    format!("{}{}", pattern.event_type(atom).name, names.collect::<String>())
}

fn report(pattern: &hir::Pattern, plan: &Plan) -> Vec<String> {
    let mut out = Vec::new();
    let window = plan.window.map_or("no window".to_string(), |w| format!("window {w} events"));
    let kernel = match plan.kernel {
        Kernel::Latest => "latest start per position: `detect`, and every condition reads one event",
        Kernel::Ring if pattern.force_ring => "universal ring: asked for",
        Kernel::Ring if matches!(pattern.output, Output::Detect) => {
            "universal ring: a condition reads several events"
        }
        Kernel::Ring => "universal ring: matches are handed out",
    };
    out.push(format!("kernel: {kernel}; {window}"));
    for (q, p) in plan.positions.iter().enumerate() {
        let mut line = format!("position {q}: {}", called(pattern, p.atom));
        for (word, list) in [("", &p.early), (" (while searching)", &p.prune), (" (when needed)", &p.late)] {
            for c in list {
                let parts: Vec<String> = pattern.conjuncts[c.0].disjuncts.iter().map(|d| text(&d.expr)).collect();
                let _ = write!(line, ", {}{word}", parts.join(" || "));
            }
        }
        out.push(line);
    }
    match plan.kernel {
        Kernel::Latest => {
            out.push(format!("state: {} words", plan.positions.len() - 1));
            out.push("cost per event: the conditions of the positions that its type can take, whatever the window".into());
        }
        Kernel::Ring => {
            out.push(format!("state: {} slots of at least {} bytes", plan.slots, slot_bytes(pattern, plan)));
            for (ty, k) in &plan.kept {
                let event = &pattern.schema.types[ty.0];
                let what = match k {
                    Kept::Record => "its record".to_string(),
                    Kept::Attributes(all) if all.is_empty() => "its position".into(),
                    Kept::Attributes(all) => {
                        all.iter().map(|a| event.attributes[a.0].name.to_string()).collect::<Vec<_>>().join(", ")
                    }
                };
                out.push(format!("kept of {}: {what}", event.name));
            }
            out.push(
                "cost per completing event: the candidates searched, at most the product of what each position holds in the window"
                    .into(),
            );
            if plan.ambiguous {
                out.push("several runs can give one result: each run is checked to be the first of them".into());
            }
        }
    }
    out
}

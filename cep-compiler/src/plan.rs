//! Which machine a pattern becomes.
//!
//! In: a [`hir::Pattern`] and its [`Rma`]. Out: a [`Plan`]: the kernel, what is kept of past events, at which point each condition is
//! evaluated, sizes, and the cost report. A kernel other than the ring is chosen only where its side conditions are proved.
//!
//! When conditions are evaluated. *Early* ones (they look at one event, and are cheap) decide at once whether an event can take a position.
//! *Late* ones look at one event but can panic or cost: they wait until a partial match needs them. All others are evaluated as an event
//! joins a partial match, in the order written, in the search for matches. What can panic is evaluated before the event changes anything.
use crate::ast::Storage;
use crate::automaton::Rma;
use crate::check::text;
use crate::diagnostic::{Code, Diagnostics};
use crate::hir::{self, AtomId, AttributeId, ConjunctId, Output, TypeId, Window};
use crate::schema::Kind;
use petgraph::visit::EdgeRef;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Most positions of one automaton: positions are bits of a word.
pub const MAX_POSITIONS: usize = 64;
/// Most bytes of a machine with `storage inline`.
pub const MAX_STATE_BYTES: u64 = 64 * 1024;
/// Most slots of a ring, whatever the storage.
const MAX_SLOTS: u64 = 1 << 32;
/// Bytes of a frame of the search.
const FRAME_BYTES: u64 = 48;

/// The data structure behind the positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kernel {
    /// The latest start per position.
    Latest,
    /// The kept events of the window and a search.
    Ring,
}

/// A transition between positions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Edge {
    /// Where it leads.
    pub to: usize,
    /// No event may lie between.
    pub strict: bool,
    /// The iteration of which it begins a new repetition.
    pub repeats: Option<usize>,
}

/// A position of the automaton; its number is its index in [`Plan::positions`], which is that of its atom.
#[derive(Clone, Debug)]
pub struct Position {
    /// The atom.
    pub atom: AtomId,
    /// Its event type.
    pub ty: TypeId,
    /// The transitions to what can come next.
    pub edges: Vec<Edge>,
    /// A run can begin here.
    pub initial: bool,
    /// A run that gets here has matched.
    pub accepting: bool,
    /// It looks at one event, and is cheap.
    pub early: Vec<ConjunctId>,
    /// It looks at one event, and can panic or cost.
    pub late: Vec<ConjunctId>,
    /// The output's fields that hold its event, as bits.
    pub marks: u64,
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
    /// Where runs begin.
    pub start: Vec<Edge>,
    /// By event type, what is kept.
    pub kept: BTreeMap<TypeId, Kept>,
    /// Several runs can give one match, so each run must show that it is the first of them.
    pub ambiguous: bool,
    /// The positions of which later conditions read no more than the newest event, as bits.
    pub forgetful: u64,
    /// Most events of one match.
    pub depth: usize,
    /// Slots of the ring, a power of two.
    pub slots: usize,
    /// Where they live.
    pub storage: Storage,
    /// Neighbours are told by a link between events of one key.
    pub linked: bool,
    /// `push` can refuse an event.
    pub fallible: bool,
    /// The cost report, line by line.
    pub report: Vec<String>,
}

impl Plan {
    /// The positions with a property, as bits.
    #[must_use]
    pub fn bits(&self, test: impl Fn(&Position) -> bool) -> u64 {
        self.positions.iter().enumerate().filter(|(_, p)| test(p)).fold(0, |m, (q, _)| m | 1 << q)
    }
    /// The positions of these atoms, as bits.
    #[must_use]
    pub fn bits_of(&self, atoms: &[AtomId]) -> u64 {
        atoms.iter().fold(0, |m, a| m | 1 << a.0)
    }
}

/// Plans a machine. `None` and a diagnostic where the state would be too large.
#[must_use]
pub fn plan(pattern: &hir::Pattern, rma: &Rma, diagnostics: &mut Diagnostics) -> Option<Plan> {
    let (positions, start) = positions(pattern, rma);
    for (n, most, what) in
        [(positions.len(), MAX_POSITIONS, "positions"), (pattern.loops.len(), 63, "iterations")]
    {
        if n > most {
            diagnostics
                .error(
                    Code::TooLarge,
                    pattern.name.span(),
                    format!("this pattern has {n} {what}, the most is {most}"),
                )
                .help("split it into several patterns");
            return None;
        }
    }
    let kernel = if latest(pattern) { Kernel::Latest } else { Kernel::Ring };
    let strict = positions.iter().any(|p| p.edges.iter().any(|e| e.strict));
    let mut plan = Plan {
        kernel,
        ambiguous: ambiguous(&positions, &start),
        forgetful: forgetful(pattern),
        depth: positions.len(),
        slots: 1,
        storage: pattern.storage.unwrap_or(Storage::Inline),
        linked: strict && !pattern.partition.is_empty(),
        fallible: pattern.clock.is_some(),
        kept: if kernel == Kernel::Ring { kept(pattern) } else { BTreeMap::new() },
        positions,
        start,
        report: Vec::new(),
    };
    match kernel {
        Kernel::Ring => size(pattern, &mut plan, diagnostics)?,
        Kernel::Latest => plan.storage = Storage::Inline,
    }
    plan.report = report(pattern, &plan);
    Some(plan)
}

/// The side conditions of the latest start per position: only the start of a run matters for what it can still become.
fn latest(pattern: &hir::Pattern) -> bool {
    matches!(pattern.output, Output::Detect)
        && !pattern.force_ring
        && pattern.conjuncts.iter().all(hir::Conjunct::is_unary)
        && pattern.partition.is_empty()
        && pattern.inner_windows.is_empty()
}

fn positions(pattern: &hir::Pattern, rma: &Rma) -> (Vec<Position>, Vec<Edge>) {
    let nodes = rma.positions();
    let edges = |n| {
        let mut all: Vec<Edge> = rma
            .graph
            .edges(n)
            .filter_map(|e| {
                Some(Edge {
                    to: nodes.iter().position(|m| *m == e.target())?,
                    strict: e.weight().strict,
                    repeats: e.weight().repeats.map(|l| l.0),
                })
            })
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    let fields = match &pattern.output {
        Output::Select(fields) => &fields[..],
        _ => &[],
    };
    let positions = nodes
        .iter()
        .filter_map(|&n| {
            let atom = rma.graph[n].atom?;
            let of = |cheap: bool| {
                let here =
                    |c: &hir::Conjunct| c.is_unary() && c.cheap == cheap && c.unary_atoms().contains(&atom);
                pattern
                    .conjuncts
                    .iter()
                    .enumerate()
                    .filter(|(_, c)| here(c))
                    .map(|(i, _)| ConjunctId(i))
                    .collect()
            };
            Some(Position {
                atom,
                ty: pattern.atoms[atom.0].ty,
                edges: edges(n),
                initial: rma.graph.contains_edge(rma.start, n),
                accepting: rma.graph[n].accepting,
                early: of(true),
                late: of(false),
                marks: fields
                    .iter()
                    .enumerate()
                    .filter(|(_, f)| f.atoms.contains(&atom))
                    .fold(0, |m, (i, _)| m | 1 << (i & 63)),
            })
        })
        .collect();
    (positions, edges(rma.start))
}

/// Two runs may give one match: two ways to take an event that leave the same marks, or an event that leaves none between the first and the
/// last. (Sufficient, not necessary.)
fn ambiguous(positions: &[Position], start: &[Edge]) -> bool {
    let twins = |edges: &[Edge]| {
        edges.iter().enumerate().any(|(i, a)| {
            edges[..i].iter().any(|b| {
                let (p, q) = (&positions[a.to], &positions[b.to]);
                p.ty == q.ty && p.marks == q.marks
            })
        })
    };
    let between = positions.iter().enumerate().any(|(q, p)| {
        let entered = positions.iter().any(|o| o.edges.iter().any(|e| e.to == q));
        p.marks == 0 && entered && !p.edges.is_empty()
    });
    twins(start) || between || positions.iter().any(|p| twins(&p.edges))
}

/// The positions inside iterations whose earlier repetitions no condition looks at: where a run that waits in one of them can go depends on that
/// event and on events of other positions only, so a search that failed from there need not be repeated.
fn forgetful(pattern: &hir::Pattern) -> u64 {
    let iterated = |a: &AtomId| pattern.loops.iter().any(|l| l.atoms.contains(&a.0));
    let alone = |a: &AtomId| {
        // the only atom of the only iteration: its newest event is also the last one, and the one before the next
        matches!(&pattern.loops[..], [l] if l.atoms.len() == 1 && l.atoms.contains(&a.0))
    };
    let mut read: Vec<AtomId> = Vec::new();
    for c in pattern.conjuncts.iter().filter(|c| !c.is_unary()) {
        let plain = |r: &&hir::Read| r.inside && matches!(r.region, hir::Region::All(_));
        let joins = c.reads.iter().filter(plain).count();
        for r in &c.reads {
            let only_itself = c.step == hir::Step::Join && joins == 1 && plain(&r);
            let newest = matches!(r.region, hir::Region::Previous(_) | hir::Region::Last(_))
                && r.atoms.iter().all(alone);
            if !(only_itself || newest) {
                read.extend(&r.atoms);
            }
        }
        read.extend(c.folds.iter().flat_map(|f| &f.atoms));
        if c.step == hir::Step::Entry {
            read.extend(c.scope.atoms.clone().map(AtomId));
        }
    }
    for w in &pattern.inner_windows {
        read.extend(w.scope.atoms.clone().map(AtomId));
    }
    (0..pattern.atoms.len())
        .map(AtomId)
        .filter(|a| iterated(a) && !read.contains(a))
        .fold(0, |m, a| m | 1 << a.0)
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
            for a in &f.atoms {
                let event = pattern.event_type(*a);
                let named = |n: &proc_macro2::Ident| {
                    event.attributes.iter().position(|x| x.name == *n).map(AttributeId)
                };
                let attributes = f.attributes.as_ref().map(|all| all.iter().filter_map(named).collect());
                need(pattern.atoms[a.0].ty, attributes);
            }
        }
    }
    for c in pattern.conjuncts.iter().filter(|c| !c.is_unary()) {
        let reads = c.reads.iter().flat_map(|r| &r.attributes);
        for (ty, a) in reads.chain(c.folds.iter().filter_map(|f| f.attribute.as_ref())).flat_map(|a| &a.of) {
            need(*ty, Some(vec![*a]));
        }
    }
    out
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
    let clock = pattern.clock.as_ref().map_or(0, |c| bytes(&c.kind));
    let key = |of: &Vec<(TypeId, AttributeId)>| {
        of.first().map_or(0, |(t, a)| bytes(&pattern.schema.types[t.0].attributes[a.0].kind))
    };
    let keys: u64 = pattern.partition.iter().map(key).sum();
    // a position number and the positions' bits
    16 + plan.kept.iter().map(|(t, k)| of(t, k)).max().unwrap_or(0)
        + clock
        + keys
        + if plan.linked { 8 } else { 0 }
}

fn size(pattern: &hir::Pattern, plan: &mut Plan, diagnostics: &mut Diagnostics) -> Option<()> {
    let keeps = plan.positions.iter().any(|p| !p.edges.is_empty()) || pattern.clock.is_some();
    let held = match (&pattern.window, pattern.capacity) {
        _ if !keeps => 1,
        (Some(Window::Events(w)), _) => *w,
        (Some(Window::Clock(_)), Some(n)) => n,
        _ => {
            diagnostics
                .error(Code::MissingBound, pattern.name.span(), "the ring needs a window")
                .help("add `within 100 events`, or leave `#[cep(kernel = ring)]` out");
            return None;
        }
    };
    let slots = held.checked_next_power_of_two().filter(|s| *s <= MAX_SLOTS);
    let frames = if pattern.is_cyclic() { held } else { (plan.positions.len() as u64).min(held.max(1)) };
    // the search and, where runs are compared, a second one
    let searches = if plan.ambiguous && !matches!(pattern.output, Output::Detect) { 2 } else { 1 };
    let each = slot_bytes(pattern, plan);
    let Some(slots) = slots else {
        diagnostics
            .error(
                Code::TooLarge,
                pattern.window_loc,
                format!(
                    "a window of {held} events needs more than {MAX_SLOTS} slots of at least {each} bytes"
                ),
            )
            .help("choose a shorter window");
        return None;
    };
    let (what, shorter) = match pattern.window {
        Some(Window::Clock(_)) => ("capacity", "a smaller capacity"),
        _ => ("window", "a shorter window"),
    };
    let total = slots.saturating_mul(each).saturating_add(frames.saturating_mul(FRAME_BYTES * searches));
    if plan.storage == Storage::Inline && total > MAX_STATE_BYTES {
        let kib = total.div_ceil(1024);
        diagnostics
            .error(Code::TooLarge, pattern.window_loc, format!("the state of `{}` would be at least {kib} KiB, and 64 KiB is the most inside the machine", pattern.name))
            .note(if pattern.is_cyclic() {
                format!("the {what} of {held} events takes {slots} slots of at least {each} bytes, and the search {frames} frames of {} bytes, since a match may hold that many events", FRAME_BYTES * searches)
            } else {
                format!("the {what} of {held} events takes {slots} slots of at least {each} bytes")
            })
            .help(format!("write `storage boxed` (one allocation in `new`), `storage borrowed` (memory that you give, a `static` for instance), or {shorter}"));
        return None;
    }
    plan.slots = usize::try_from(slots).ok()?;
    plan.depth = usize::try_from(frames).ok()?;
    Some(())
}

/// A conjunct as written.
fn written(c: &hir::Conjunct) -> String {
    let mut parts: Vec<String> = c.disjuncts.iter().map(|d| text(&d.expr)).collect();
    for part in &mut parts {
        for f in &c.folds {
            *part = part.replace(&f.name.to_string(), &f.text);
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

fn report(pattern: &hir::Pattern, plan: &Plan) -> Vec<String> {
    let mut out = Vec::new();
    let window = match &pattern.window {
        None => "no window".to_string(),
        Some(Window::Events(w)) => format!("window {w} events"),
        Some(Window::Clock(a)) => match a {
            hir::Amount::Int(n) => format!("window {n} of the clock's unit"),
            hir::Amount::Float(f) => format!("window {f} of the clock's unit"),
        },
    };
    let kernel = match plan.kernel {
        Kernel::Latest => "latest start per position: `detect`, and every condition reads one event",
        Kernel::Ring if pattern.force_ring => "universal ring: asked for",
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
                let _ = write!(line, ", {}{word}", written(&pattern.conjuncts[c.0]));
            }
        }
        out.push(line);
    }
    for c in pattern.conjuncts.iter().filter(|c| !c.is_unary()) {
        out.push(format!("while searching: {}", written(c)));
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
            out.push(format!("state: {} slots of at least {} bytes", plan.slots, slot_bytes(pattern, plan)));
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

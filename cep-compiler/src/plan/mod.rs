//! Which machine a pattern becomes.
//!
//! In: a [`hir::Pattern`] and its [`Rma`]. Out: a [`Plan`]: the kernel, what is kept of past events, at which point each condition is
//! evaluated, sizes, and the cost report. A kernel other than the ring is chosen only where its side conditions are proved.
//!
//! When conditions are evaluated. *Early* ones (they look at one event, and are cheap) decide at once whether an event can take a position.
//! *Late* ones look at one event but can panic or cost: they wait until a partial match needs them. All others are evaluated as an event
//! joins a partial match, in the order written, in the search for matches. What can panic is evaluated before the event changes anything.
//!
//! The steps, each a file: `positions` (the automaton as tables, and what is known of its runs), `kernel` (which machine), `comparisons`
//! (guard classes and register liveness), `structures` (what each position keeps its runs in), `demand` (what is kept of events),
//! `capacity` and `bytes` (sizes), `candidates` (the bound on a search), `report` (the cost report).
mod bytes;
mod candidates;
mod capacity;
mod comparisons;
mod demand;
mod kernel;
mod memory;
mod positions;
mod product;
mod report;
mod structures;

pub use comparisons::{Comparison, Operator, Register};
pub use product::{Adds, Product, Sum};
pub(crate) use report::called;
pub(crate) use structures::of;
pub use structures::{Hold, Passage, Runs, Structure};

use crate::ast::Storage;
use crate::automaton::Rma;
use crate::diagnostic::{Code, Diagnostics};
use crate::hir::{self, AtomId, AttributeId, Conjunct, ConjunctId, Read, Region, Step, TypeId, Window};
use crate::slices::{all, any};
use crate::sorted::Map;

/// Most positions of one automaton: positions are bits of a word.
pub const MAX_POSITIONS: usize = 64;
/// Most bytes of a machine with `storage inline`.
pub const MAX_STATE_BYTES: u64 = 64 * 1024;

/// The data structure behind the positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kernel {
    /// The latest start per position.
    Latest,
    /// The latest start per position and per key of the partition.
    Partitioned,
    /// Per position what the conditions ahead leave of its runs: [`Runs`].
    Runs,
    /// The kept events of the window and a search.
    Ring,
}

/// A transition between positions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    /// Where it leads.
    pub to: usize,
    /// No event may lie between.
    pub strict: bool,
    /// The iteration of which it begins a new repetition.
    pub repeats: Option<usize>,
    /// Later conditions may read the event that takes it.
    pub significant: bool,
    /// Later conditions may read the event in front of it, as the newest one of its position, or that a repetition began: what follows says
    /// nothing of other ways to the same event.
    pub leaves: bool,
}

/// A position of the automaton; its number is its index in [`Plan::positions`], which is that of its atom.
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
#[derive(PartialEq, Eq)]
pub enum Kept {
    /// The whole record.
    Record,
    /// These attributes.
    Attributes(Vec<AttributeId>),
}

/// The table of keys of a machine that keeps the events of each key apart.
#[derive(Clone, Copy)]
pub struct KeyTable {
    /// Keys at once: the declared capacity.
    pub places: usize,
    /// Buckets of its index, a power of two.
    pub buckets: usize,
}

/// The machine to be emitted.
pub struct Plan {
    /// What runs it.
    pub kernel: Kernel,
    /// Why it does.
    pub why: String,
    /// What holds the runs, where the kernel is [`Kernel::Runs`].
    pub runs: Runs,
    /// The automaton's positions.
    pub positions: Vec<Position>,
    /// Where runs begin.
    pub start: Vec<Edge>,
    /// By event type, what is kept.
    pub kept: Map<TypeId, Kept>,
    /// Several runs can give one match, so each run must show that it is the first of them.
    pub ambiguous: bool,
    /// The folds that runs carry.
    pub registers: hir::Needed,
    /// The selected aggregates that the marks do not tell apart: those with several computed events in a match, or none.
    pub told_apart: Vec<hir::AggregateId>,
    /// All results are summed up without looking at one.
    pub product: Option<Product>,
    /// Why every result of a `summarize` has to be looked at.
    pub looked_at: Option<String>,
    /// Every match ends in this position, and nothing follows it: the event at hand takes it in every match that the search can find, so a
    /// condition on it can be evaluated as the others of its events join.
    pub closing: Option<AtomId>,
    /// For each position the lane of the search's memory that it has.
    pub memory: Vec<Option<usize>>,
    /// Most events of one match.
    pub depth: usize,
    /// Slots of the ring, a power of two.
    pub slots: usize,
    /// Where they live.
    pub storage: Storage,
    /// Neighbours are told by a link between events of one key.
    pub linked: bool,
    /// Each key has a ring of its own, because the window counts the events of the key.
    pub lanes: Option<KeyTable>,
    /// Each key has latest starts of its own.
    pub keyed: Option<KeyTable>,
    /// It can say from when on results are exact again after an eviction: what was lost is out of a window in time.
    pub exact_from: bool,
    /// Most candidates that one event may make `detect` look at, where the compiler cannot show that there are few.
    pub candidates: Option<u64>,
    /// `push` can refuse an event.
    pub fallible: bool,
    /// The cost report, line by line.
    pub report: Vec<String>,
}

impl Plan {
    /// The positions whose runs are held as the latest start, each with a place for it; behind them those that also need the newest run.
    #[must_use]
    pub fn latest(&self) -> (Vec<usize>, Vec<usize>) {
        let (mut all, mut fresh) = (Vec::new(), Vec::new());
        for (q, p) in self.positions.iter().enumerate() {
            let structure = match self.runs.holds.get(q) {
                Some(h) => h.structure,
                None if p.edges.is_empty() => Structure::Nothing,
                None => Structure::Latest { fresh: any(&p.edges, |e| e.strict != p.edges[0].strict) },
            };
            if let Structure::Latest { fresh: both } = structure {
                all.push(q);
                if both {
                    fresh.push(q);
                }
            }
        }
        (all, fresh)
    }
    /// How many places that takes.
    #[must_use]
    pub fn latest_slots(&self) -> usize {
        let (all, fresh) = self.latest();
        all.len() + fresh.len()
    }
    /// Buckets of a table of `slots` keys.
    #[must_use]
    pub fn buckets(&self) -> usize {
        (2 * self.slots).next_power_of_two()
    }
    /// The positions with a property, as bits.
    #[must_use]
    pub fn bits(&self, test: impl Fn(&Position) -> bool) -> u64 {
        let mut bits = 0;
        for (q, p) in self.positions.iter().enumerate() {
            if test(p) {
                bits |= 1 << q;
            }
        }
        bits
    }
    /// The event types of the positions, ascending, each once.
    #[must_use]
    pub fn types(&self) -> Vec<TypeId> {
        let mut types = Vec::new();
        for p in &self.positions {
            types.push(p.ty);
        }
        crate::sorted::unique(&mut types);
        types
    }
    /// The read is of the completing event, which the search knows from the start. Only where the conjunct may be evaluated early, and where
    /// its other reads are of events that join, or have before: what an iteration ends with is not known while it goes on.
    #[must_use]
    pub fn is_closing(&self, c: &Conjunct, r: &Read) -> bool {
        let whole = matches!(&r.region, Region::All(loops) if loops.is_empty());
        if c.step != Step::Join
            || !c.cheap
            || !c.folds.is_empty()
            || !r.inside
            || !whole
            || r.atoms.len() != 1
        {
            return false;
        }
        let known = |o: &Read| o.computed.is_empty() && (!o.inside || matches!(o.region, Region::All(_)));
        all(&c.reads, known) && self.closing.is_some_and(|a| r.atoms.contains(&a))
    }
    /// The lanes of the search's memory.
    #[must_use]
    pub fn memory_lanes(&self) -> usize {
        self.memory.iter().flatten().count()
    }
    /// The positions of these atoms, as bits.
    #[must_use]
    pub fn bits_of(&self, atoms: &[AtomId]) -> u64 {
        memory::of_atoms(atoms)
    }
}

/// The only position that accepts, where nothing follows it.
fn closing(positions: &[Position]) -> Option<AtomId> {
    let mut found = None;
    for p in positions {
        if p.accepting {
            if found.is_some() || !p.edges.is_empty() {
                return None;
            }
            found = Some(p.atom);
        }
    }
    found
}

/// Plans a machine. `None` and a diagnostic where the state would be too large.
#[must_use]
pub fn plan(pattern: &hir::Pattern, rma: &Rma, diagnostics: &mut Diagnostics) -> Option<Plan> {
    let (positions, start) = positions::positions(pattern, rma);
    for (n, most, what) in &[
        (positions.len(), MAX_POSITIONS, "positions"),
        (pattern.loops.len(), 63, "iterations"),
        (positions::marks(pattern), 64, "variables in its output, those counted that its aggregates fold"),
    ] {
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
    let choice = kernel::choose(pattern, &positions, &start);
    let strict = any(&positions, |p| any(&p.edges, |e| e.strict));
    let mut plan = Plan {
        kernel: choice.kernel,
        why: choice.why,
        runs: choice.runs,
        ambiguous: positions::ambiguous(&positions, &start),
        registers: hir::Needed::default(),
        told_apart: positions::told_apart(pattern),
        product: None,
        looked_at: None,
        closing: closing(&positions),
        memory: Vec::new(),
        depth: positions.len(),
        slots: 1,
        storage: pattern.storage.unwrap_or(Storage::Inline),
        linked: strict && !pattern.partition.is_empty(),
        lanes: None,
        keyed: None,
        exact_from: false,
        candidates: None,
        fallible: pattern.clock.is_some(),
        kept: Map::new(),
        positions,
        start,
        report: Vec::new(),
    };
    if matches!(plan.kernel, Kernel::Runs | Kernel::Partitioned) {
        capacity::structures(pattern, &mut plan);
    }
    match plan.kernel {
        Kernel::Ring => {
            plan.registers = pattern.needed();
            plan.kept = demand::kept(pattern);
            product::plan(pattern, &mut plan, diagnostics)?;
            capacity::size(pattern, &mut plan, diagnostics)?;
        }
        Kernel::Latest if !pattern.partition.is_empty() => capacity::keyed(pattern, &mut plan, diagnostics)?,
        Kernel::Latest => plan.storage = Storage::Inline,
        Kernel::Partitioned | Kernel::Runs => {}
    }
    candidates::bound(pattern, &mut plan, diagnostics)?;
    plan.exact_from = pattern.evict
        && matches!(pattern.window, Some(Window::Clock(_)))
        && (plan.kernel != Kernel::Latest || plan.keyed.is_some());
    plan.report = report::report(pattern, &plan);
    Some(plan)
}

//! The search over a [`Ring`] for every run that ends with one event.
//!
//! A run of the position automaton is found from its first event to its last: from the oldest event in the window that can begin one, along
//! the transitions, to the completing event. The emitted `admits` is asked about every event as it joins, with everything before it chosen;
//! so each condition is evaluated at the step that binds its last variable, exactly as the language defines it. The order is fixed
//! (transition, then age), which is what the canonical-run test leans on.
//!
//! Cost: the number of partial runs that `admits` lets through, times the entries looked at to extend each. The alternative, from the
//! completing event backward, prunes a join on the last event earlier, but it learns of a condition on the first event of a match only
//! when everything else is chosen: with an iteration in between, that is exponential where this is linear.
use crate::At;
use crate::kernels::registers::{self, Computed, Joins, Registers};
use crate::kernels::{Path, Ring};
use crate::storage::Storage;

/// A transition of the automaton.
#[derive(Clone, Copy)]
pub struct Edge {
    /// The position it leads to.
    pub to: u8,
    /// No event may lie between.
    pub strict: bool,
    /// It begins a new repetition of this iteration; 64: of none.
    pub repeats: u8,
    /// Later conditions may read the event that takes it.
    pub significant: bool,
    /// Later conditions may read the event in front of it, which so far was the newest one.
    pub leaves: bool,
}

/// The shape of a position automaton, a constant of the emitted machine.
#[derive(Clone, Copy)]
pub struct Table {
    /// Where a run can begin.
    pub start: &'static [Edge],
    /// The transitions of each position.
    pub edges: &'static [&'static [Edge]],
    /// The positions that can come before each, as bits.
    pub before: &'static [u64],
    /// For each position where the search remembers what came of an entry: its lane in that memory. 255: not remembered.
    pub lanes: &'static [u8],
    /// Entries of a lane: those of a window, and the completing event.
    pub length: u64,
    /// The variables of the output that hold a position's event, as bits.
    pub marks: &'static [u64],
    /// Strict transitions are between neighbours in the stream; else `admits` knows what neighbours are.
    pub contiguous: bool,
    /// The `agg`s whose computed events are part of the output and not told apart by the marks; with those that they fold, inner ones first.
    pub computed: &'static [Computed],
}

impl Table {
    #[inline(always)]
    fn of(&self, position: u8) -> &'static [Edge] {
        self.edges.get(usize::from(position)).copied().unwrap_or(&[])
    }
    /// The lane of a position, if it has one.
    #[inline(always)]
    fn lane(&self, position: u8) -> Option<usize> {
        match self.lanes.get(usize::from(position)) {
            None | Some(&u8::MAX) => None,
            Some(lane) => Some(usize::from(*lane)),
        }
    }
    #[inline]
    fn marks_of(&self, position: u8) -> u64 {
        self.marks.get(usize::from(position)).copied().unwrap_or(0)
    }
    /// The positions that can come before any of these.
    #[inline]
    fn before_any(&self, positions: u64) -> u64 {
        let (mut all, mut left) = (0, positions);
        for before in self.before {
            if left & 1 != 0 {
                all |= *before;
            }
            left >>= 1;
        }
        all
    }
}

/// One event of a run, and how far the search for what follows it has come.
pub struct Frame<A = ()> {
    pub(super) entry: u64,
    /// The next entry to be tried for `edge`.
    scan: u64,
    pub(super) position: u8,
    pub(super) repeats: u8,
    /// The transition being tried.
    edge: u8,
    /// Not of this frame but of the position with its number: how many entries from `base` on can take the position and still lead to the
    /// completing event. It stands here because there was room.
    limit: u32,
    /// A complete run went through this frame.
    fruitful: bool,
    /// The number of the newest event up to this frame that later conditions may read: two runs with one number have one future.
    root: u64,
    /// The number of the newest one that conditions or the output may read: two runs with one number give the same matches.
    prefix: u64,
    /// Not of this frame but of the entry and the lane that have its place: behind the run with this root it leads nowhere.
    barren: u64,
    /// Not of this frame, as `barren`: all that it leads to behind the run with this prefix has been given.
    done: u64,
    /// What the run carries, its newest event included.
    pub(super) registers: A,
}
copies!([A: Copy] Frame<A>);

impl<A: Registers> Frame<A> {
    /// Fills unused memory.
    pub const EMPTY: Self = Frame {
        entry: 0,
        scan: 0,
        position: 0,
        repeats: 64,
        edge: 0,
        limit: 0,
        fruitful: false,
        root: 0,
        prefix: 0,
        barren: 0,
        done: 0,
        registers: A::NEW,
    };

    /// It takes one of these positions.
    pub(super) fn takes(&self, positions: u64) -> bool {
        positions >> (self.position & 63) & 1 != 0
    }
    /// It begins a new repetition of one of these iterations.
    pub(super) fn begins(&self, loops: u64) -> bool {
        self.repeats < 64 && loops >> self.repeats & 1 != 0
    }
}

/// The state of a search for runs of at most `D` events. It can be left and taken up again, so matches are handed out one at a time.
pub struct Walk<const D: usize, S: Storage, A: Registers = ()> {
    pub(super) frames: S::Ring<Frame<A>, D>,
    pub(super) depth: usize,
    /// The search for first events.
    root: Frame<A>,
    /// The oldest entry that counts.
    first: u64,
    /// The number that stands for the completing event: one more than the newest entry before it.
    pub(super) end: u64,
    /// The positions that the completing event may take, as bits.
    pub(super) targets: u64,
    /// The run found was only looked for: it is still to be given.
    held: bool,
    /// `first` as the search began, and whether it has looked for dead ends.
    base: u64,
    limited: bool,
    /// Numbers the events that may be read, as they join; never begins anew, so what an earlier search remembered says nothing.
    roots: u64,
    /// How many more candidates it may look at, and whether that was not enough.
    budget: u64,
    spent: bool,
}

impl<const D: usize, A: Registers> Walk<D, crate::Inline, A> {
    /// A search that finds nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self::idle(crate::storage::Slots([Frame::EMPTY; D]))
    }
}

impl<const D: usize, A: Registers> Default for Walk<D, crate::Inline, A> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const D: usize, A: Registers> Clone for Walk<D, crate::Inline, A> {
    fn clone(&self) -> Self {
        Walk { frames: self.frames, ..*self }
    }
}

impl<'s, const D: usize, A: Registers> Walk<D, crate::Borrowed<'s>, A> {
    /// A search over memory that lives elsewhere.
    #[must_use]
    pub fn over(frames: &'s mut [Frame<A>; D]) -> Self {
        // what another machine found barren there says nothing about this one
        frames.fill(Frame::EMPTY);
        Self::idle(frames)
    }
}

#[cfg(feature = "alloc")]
impl<const D: usize, A: Registers> Walk<D, crate::Boxed, A> {
    /// A search on the heap: one allocation now and none later.
    #[must_use]
    pub fn boxed() -> Self {
        Self::idle(crate::storage::boxed(Frame::EMPTY))
    }
}

#[cfg(feature = "alloc")]
impl<const D: usize, A: Registers> Clone for Walk<D, crate::Boxed, A> {
    fn clone(&self) -> Self {
        Walk { frames: crate::storage::boxed_copy(&self.frames), ..*self }
    }
}

impl<const D: usize, S: Storage, A: Registers> Walk<D, S, A> {
    /// A search that finds nothing, with these frames.
    const fn idle(frames: S::Ring<Frame<A>, D>) -> Self {
        Walk {
            frames,
            depth: 0,
            root: Frame { edge: u8::MAX, ..Frame::EMPTY },
            first: 0,
            end: 0,
            targets: 0,
            held: false,
            base: 0,
            limited: true,
            roots: 0,
            budget: u64::MAX,
            spent: false,
        }
    }

    /// Begins: runs of the entries from `first` on that end with the event after entry `end - 1`, which takes one of `targets`.
    #[inline(always)]
    pub fn begin(&mut self, first: u64, end: u64, targets: u64) {
        self.depth = 0;
        // what an earlier search found says nothing about this one
        self.roots += 1;
        self.root = Frame { scan: first, root: self.roots, prefix: self.roots, ..Frame::EMPTY };
        (self.first, self.end, self.targets) = (first, end, targets);
        (self.base, self.limited, self.held) = (first, false, false);
        (self.budget, self.spent) = (u64::MAX, false);
    }

    /// Looks for dead ends, once per search: from the completing event backward, the last entry at which each position can still lead to it, as
    /// far as types and conditions on single events tell. Ends as soon as every position that matters was met.
    fn limit<K: 'static, const N: usize, R: Storage>(&mut self, table: &Table, ring: &Ring<K, N, R>) {
        self.limited = true;
        for f in self.frames.iter_mut().take(table.edges.len()) {
            f.limit = 0;
        }
        let (mut seen, mut wanted) = (0u64, table.before_any(self.targets));
        let mut entry = self.end;
        while seen != wanted && entry > self.base {
            entry -= 1;
            let Some((_, positions)) = ring.get(entry) else { break };
            let new = positions & wanted & !seen;
            if new == 0 {
                continue;
            }
            seen |= new;
            wanted |= table.before_any(new);
            let limit = u32::try_from(entry - self.base + 1).unwrap_or(u32::MAX);
            let mut left = new;
            for f in self.frames.iter_mut() {
                if left & 1 != 0 {
                    f.limit = limit;
                }
                left >>= 1;
            }
        }
    }

    /// The frame in front of `depth`.
    #[inline(always)]
    fn before(&self, depth: usize) -> Option<&Frame<A>> {
        // without one in front that is an index beyond all
        self.frames.get(depth.wrapping_sub(1))
    }

    /// The numbers of the run up to the frame in front of `depth`.
    #[inline(always)]
    fn above(&self, depth: usize) -> (u64, u64) {
        match self.before(depth) {
            Some(f) => (f.root, f.prefix),
            None => (self.root.root, self.root.prefix),
        }
    }

    /// Where the memory for an entry in a lane is. Lanes are as long as a window with the completing event, so no two entries of one search share
    /// a place.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "a remainder of a length in memory")]
    fn place(table: &Table, lane: usize, entry: u64) -> usize {
        (entry % table.length.max(1) + lane as u64 * table.length) as usize
    }

    /// Whether what follows from `next` at the end of `edge` is known to give nothing new behind the frame in front of `depth`.
    #[inline(always)]
    fn is_known(&mut self, table: &Table, edge: Edge, next: u64, depth: usize, above: (u64, u64)) -> bool {
        if edge.leaves {
            return false;
        }
        let Some(lane) = table.lane(edge.to) else { return false };
        let Some(f) = self.frames.get(Self::place(table, lane, next)) else { return false };
        if f.barren == above.0 {
            return true;
        }
        // computed events tell matches apart that have the same marks
        if f.done != above.1 || !table.computed.is_empty() {
            return false;
        }
        // what it led to has been given, so the way here leads somewhere
        if let Some(before) = self.frames.get_mut(depth.wrapping_sub(1)) {
            before.fruitful = true;
        }
        true
    }

    /// What followed from the frame at `depth` need not be looked for again.
    #[inline(always)]
    fn leave(&mut self, table: &Table, depth: usize) {
        let Some(top) = self.frames.get(depth).copied() else { return };
        if top.fruitful
            && let Some(before) = self.frames.get_mut(depth.wrapping_sub(1))
        {
            before.fruitful = true;
        }
        let above = self.above(depth);
        // where the transition here reads the event in front, what followed says nothing of other ways here
        let way = match self.before(depth) {
            Some(before) => table.of(before.position).get(usize::from(before.edge)),
            None => table.start.get(usize::from(self.root.edge)),
        };
        if let Some(Edge { leaves: true, .. }) = way {
            return;
        }
        if let Some(lane) = table.lane(top.position)
            && let Some(f) = self.frames.get_mut(Self::place(table, lane, top.entry))
        {
            f.done = above.1;
            if !top.fruitful {
                f.barren = above.0;
            }
        }
    }

    /// Entry `next` in position `to` leads nowhere.
    #[inline(always)]
    fn is_dead_end(&self, to: u8, next: u64) -> bool {
        match self.frames.get(usize::from(to)) {
            Some(f) => next - self.base >= u64::from(f.limit),
            None => false,
        }
    }

    /// The run found stays to be given by the next [`Walk::take`].
    #[inline(always)]
    pub fn hold(&mut self) {
        self.held = true;
    }

    /// Whether a run was held back: it is given now.
    #[inline(always)]
    pub fn take(&mut self) -> bool {
        core::mem::take(&mut self.held)
    }

    /// The search begun looks at no more than `candidates`: one more ends it, and [`Walk::is_spent`] then tells.
    #[inline(always)]
    pub fn allow(&mut self, candidates: u64) {
        self.budget = candidates;
    }

    /// The search ended because it had looked at all candidates that it was allowed.
    #[inline(always)]
    #[must_use]
    pub fn is_spent(&self) -> bool {
        self.spent
    }

    /// Ends the search.
    #[inline(always)]
    pub fn stop(&mut self) {
        self.depth = 0;
        self.root.edge = u8::MAX;
        self.held = false;
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.stop();
    }

    /// From now on only runs that start behind the one found.
    #[inline(always)]
    pub fn later(&mut self) {
        if let Some(f) = self.frames.first() {
            self.first = self.first.max(f.entry + 1);
        }
        self.root.scan = self.root.scan.max(self.first);
        self.depth = 0;
    }

    /// Moves on to the next run that `admits` lets through; `false` when there is none left. `last` is the completing event.
    ///
    /// `admits` is asked about every event as it joins the run (the newest of the path); its answer must depend on
    /// nothing but the path and the machine's constants.
    #[inline]
    pub fn advance<K: 'static, const N: usize, R: Storage>(
        &mut self,
        table: &Table,
        ring: &Ring<K, N, R>,
        last: &At<K>,
        mut admits: impl FnMut(&Path<'_, K, N, D, R, S, A>) -> bool,
    ) -> bool
    where
        A: Joins<K>,
    {
        if !self.limited {
            self.limit(table, ring);
        }
        loop {
            let depth = self.depth;
            let (end, targets) = (self.end, self.targets);
            let top = match depth.checked_sub(1) {
                None => &mut self.root,
                Some(i) => match self.frames.get_mut(i) {
                    Some(f) => f,
                    None => return false,
                },
            };
            let edges = if depth == 0 { table.start } else { table.of(top.position) };
            let Some(&edge) = edges.get(usize::from(top.edge)) else {
                if depth == 0 {
                    return false;
                }
                self.depth -= 1;
                self.leave(table, depth - 1);
                continue;
            };
            let next = top.scan;
            let mut over = next > end;
            let mut takes = false;
            if next < end {
                if table.of(edge.to).is_empty() {
                    // nothing follows it, so it can only be the completing event
                    top.scan = end;
                    continue;
                }
                top.scan = next + 1;
                match ring.get(next) {
                    Some((at, positions)) => {
                        over = Self::apart(table, ring, depth, top, edge, at.position());
                        takes = positions >> edge.to & 1 != 0;
                    }
                    None => continue,
                }
            } else if next == end {
                top.scan = next + 1;
                over = Self::apart(table, ring, depth, top, edge, last.position());
                takes = targets >> edge.to & 1 != 0;
            }
            if over {
                top.edge += 1;
                top.scan = if depth == 0 { self.first } else { top.entry + 1 };
                continue;
            }
            if !takes || depth == D {
                continue;
            }
            if next < end && self.is_dead_end(edge.to, next) {
                // and so does everything behind it
                if let Some(top) = match depth.checked_sub(1) {
                    None => Some(&mut self.root),
                    Some(i) => self.frames.get_mut(i),
                } {
                    top.scan = end;
                }
                continue;
            }
            let above = self.above(depth);
            if self.is_known(table, edge, next, depth, above) {
                continue;
            }
            if self.budget == 0 {
                self.spent = true;
                return false;
            }
            self.budget -= 1;
            let (mut root, mut prefix) = above;
            let read = edge.significant || edge.leaves;
            // a match begins where its first event is
            if read || depth == 0 || table.marks_of(edge.to) != 0 {
                self.roots += 1;
                prefix = self.roots;
                if read {
                    root = prefix;
                }
            }
            let (behind, mut registers) = match self.before(depth) {
                Some(f) => (f.position, f.registers),
                None => (u8::MAX, A::NEW),
            };
            let event = match ring.get(next) {
                _ if next == end => Some(last),
                Some((at, _)) => Some(at),
                None => None,
            };
            if let Some(event) = event {
                registers.join(behind, edge.to, edge.repeats, event);
            }
            if let Some(f) = self.frames.get_mut(depth) {
                *f = Frame {
                    entry: next,
                    scan: next + 1,
                    position: edge.to,
                    repeats: edge.repeats,
                    registers,
                    ..*f
                };
                (f.edge, f.fruitful, f.root, f.prefix) = (0, false, root, prefix);
            }
            self.depth = depth + 1;
            if !admits(&Path { ring, walk: self, last }) {
                self.depth = depth;
                continue;
            }
            if next == end {
                if let Some(f) = self.frames.get_mut(depth) {
                    f.fruitful = true;
                }
                return true;
            }
        }
    }

    /// A strict transition to an event that is no neighbour; those further on are none either.
    #[inline(always)]
    fn apart<K: 'static, const N: usize, R: Storage>(
        table: &Table,
        ring: &Ring<K, N, R>,
        depth: usize,
        top: &Frame<A>,
        edge: Edge,
        position: u64,
    ) -> bool {
        if !(edge.strict && table.contiguous && depth > 0) {
            return false;
        }
        match ring.get(top.entry) {
            Some((at, _)) => at.position() + 1 != position,
            None => true,
        }
    }

    /// The run found is the first, in the order of the search, among those that give the same match: the same start, and the same variables at
    /// each event. Of several runs that give one match just one is the first, so matches are told apart without a memory of those
    /// already given. `probe` is the memory of the second search.
    #[inline]
    pub fn is_canonical<K: 'static, const N: usize, R: Storage>(
        &self,
        probe: &mut Self,
        table: &Table,
        ring: &Ring<K, N, R>,
        last: &At<K>,
        mut admits: impl FnMut(&Path<'_, K, N, D, R, S, A>) -> bool,
    ) -> bool
    where
        A: Joins<K>,
    {
        let Some(start) = self.frames.first() else { return false };
        probe.begin(start.entry, self.end, self.targets);
        let mut equal = false;
        while probe.advance(table, ring, last, |path| self.agrees(table, path) && admits(path)) {
            equal = same(self.taken(), probe.taken());
            // with the same marks, only computed events can make it another match
            if equal || registers::same(table.computed, self.taken(), probe.taken()) {
                break;
            }
        }
        probe.stop();
        equal
    }

    /// The frames of the run found.
    fn taken(&self) -> &[Frame<A>] {
        self.frames.get(..self.depth).unwrap_or(&[])
    }

    /// The newest event of `path` has the marks that it has in this run, and no marked event was passed over.
    fn agrees<K: 'static, const N: usize, R: Storage>(
        &self,
        table: &Table,
        path: &Path<'_, K, N, D, R, S, A>,
    ) -> bool {
        let n = path.newest();
        let (entry, marks) = (path.entry(n), table.marks_of(path.position(n)));
        if n == 0 {
            let Some(first) = self.frames.first() else { return false };
            return first.entry == entry && table.marks_of(first.position) == marks;
        }
        let before = path.entry(n - 1);
        let mut expected = 0;
        for f in self.taken() {
            let own = table.marks_of(f.position);
            if f.entry == entry {
                expected = own;
            } else if f.entry > before && f.entry < entry && own != 0 {
                return false;
            }
        }
        expected == marks
    }

    /// The run found so far, as a path to read.
    #[inline(always)]
    pub fn path<'a, K: 'static, const N: usize, R: Storage>(
        &'a self,
        ring: &'a Ring<K, N, R>,
        last: &'a At<K>,
    ) -> Path<'a, K, N, D, R, S, A> {
        Path { ring, walk: self, last }
    }
}

/// Both take the same events in the same way.
#[inline(always)]
fn same<A>(a: &[Frame<A>], b: &[Frame<A>]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    for (a, b) in a.iter().zip(b) {
        if a.entry != b.entry || a.position != b.position || a.repeats != b.repeats {
            return false;
        }
    }
    true
}

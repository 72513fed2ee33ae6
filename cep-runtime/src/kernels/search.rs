//! The backward search over a [`Ring`]: from an event that can complete a match to every way to reach it.
//!
//! A run of the position automaton is found from its last event to its first: at each step one of the position's predecessors and
//! an older entry that can take it, newest first. The emitted `admits` is asked at every step, as soon as an event is chosen, so a
//! condition prunes at the earliest point; at an initial position it also decides the whole run. The order is fixed
//! (predecessor, then age), which is what the canonical-run test leans on.
//!
//! Cost: the number of candidates visited, at worst the product of the events that each position can take inside the window.
use crate::At;
use crate::kernels::Ring;
use crate::storage::Storage;

/// The shape of a position automaton, a constant of the emitted machine.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// For each position the positions that can come before it.
    pub predecessors: &'static [&'static [u8]],
    /// Bit `q`: a run can begin with position `q`.
    pub initial: u64,
    /// For each position the fewest events that come before it in a run: so many must still fit into the window.
    pub steps: &'static [u8],
}

impl Table {
    /// A run can begin with this position.
    #[inline(always)]
    #[must_use]
    pub const fn starts(&self, position: u8) -> bool {
        position < 64 && self.initial >> position & 1 != 0
    }
    #[inline(always)]
    fn steps(&self, position: u8) -> u64 {
        self.steps.get(usize::from(position)).map_or(0, |n| u64::from(*n))
    }
    #[inline(always)]
    fn before(&self, position: u8) -> &'static [u8] {
        self.predecessors.get(usize::from(position)).copied().unwrap_or(&[])
    }
}

/// One chosen event of a run, and how far the search for what precedes it has come.
#[derive(Clone, Copy, Debug)]
struct Frame {
    position: u8,
    /// The next predecessor to try.
    edge: u8,
    /// The chosen entry. For the completing event, which need not be kept, the length of the ring before it.
    entry: u64,
    /// Entries below this one are still to be tried for `edge`.
    scan: u64,
}

/// The state of a search for runs of at most `D` events. It can be left and taken up again, so matches are handed out one at a time.
#[derive(Clone, Debug)]
pub struct Search<const D: usize> {
    frames: [Frame; D],
    depth: usize,
    /// The completing event alone has not been looked at.
    fresh: bool,
    /// The window: no event before this stream position belongs to a run.
    oldest: u64,
}

impl<const D: usize> Search<D> {
    /// A search that finds nothing.
    #[must_use]
    pub const fn idle() -> Self {
        Search {
            frames: [Frame { position: 0, edge: 0, entry: 0, scan: 0 }; D],
            depth: 0,
            fresh: false,
            oldest: 0,
        }
    }

    /// Begins at an event that takes `position`; the entries below `entries` came before it, and none before the stream
    /// position `oldest` counts.
    #[inline(always)]
    pub fn begin(&mut self, position: u8, entries: u64, oldest: u64) {
        if let Some(frame) = self.frames.first_mut() {
            *frame = Frame { position, edge: 0, entry: entries, scan: entries };
            self.depth = 1;
            self.fresh = true;
            self.oldest = oldest;
        }
    }

    /// Ends the search.
    #[inline(always)]
    pub fn stop(&mut self) {
        self.depth = 0;
        self.fresh = false;
    }

    /// From now on only runs that start at `oldest` or later. Does not go back behind what was already visited.
    #[inline(always)]
    pub fn narrow(&mut self, oldest: u64) {
        self.oldest = self.oldest.max(oldest);
    }

    /// Moves on to the next run that `admits` lets through; `false` when there is none left. `last` is the completing event.
    ///
    /// `admits` is asked about every event as it is chosen (the newest choice is [`Path::position`]); it must not let
    /// its answer depend on anything but the path and the machine's constants.
    #[inline]
    pub fn advance<K: Copy + 'static, const N: usize, S: Storage>(
        &mut self,
        table: &Table,
        ring: &Ring<K, N, S>,
        last: &At<K>,
        mut admits: impl FnMut(&Path<'_, K, N, S, D>) -> bool,
    ) -> bool {
        if self.fresh {
            self.fresh = false;
            if !admits(&Path { ring, search: self, last }) {
                self.stop();
                return false;
            }
            if self.frames.first().is_some_and(|f| table.starts(f.position)) {
                return true;
            }
        }
        while let Some(top) = self.depth.checked_sub(1) {
            let full = self.depth == D;
            let oldest = self.oldest;
            let Some(frame) = self.frames.get_mut(top) else { break };
            let Some(&before) = table.before(frame.position).get(usize::from(frame.edge)) else {
                self.depth = top;
                continue;
            };
            let candidate = frame.scan.checked_sub(1).and_then(|n| Some((n, ring.get(n)?)));
            let (entry, positions) = match candidate {
                Some((n, (at, positions))) if at.position() >= oldest.saturating_add(table.steps(before)) => {
                    (n, positions)
                }
                // everything below is older still, or leaves no room for the events that must come before it
                _ => {
                    frame.edge += 1;
                    frame.scan = frame.entry;
                    continue;
                }
            };
            frame.scan = entry;
            if positions >> before & 1 == 0 || full {
                continue;
            }
            if let Some(next) = self.frames.get_mut(self.depth) {
                *next = Frame { position: before, edge: 0, entry, scan: entry };
            }
            self.depth += 1;
            if !admits(&Path { ring, search: self, last }) {
                self.depth -= 1;
                continue;
            }
            if table.starts(before) {
                return true;
            }
        }
        false
    }

    /// The run found is the first, in the order of the search, among those that agree with it on the positions in `fixed` (bit `q`:
    /// position `q`), whose events are all in the match. Of several runs that give one match just one is the first, so matches
    /// are told apart without a memory of those already given.
    #[inline]
    pub fn is_canonical<K: Copy + 'static, const N: usize, S: Storage>(
        &self,
        fixed: u64,
        table: &Table,
        ring: &Ring<K, N, S>,
        last: &At<K>,
        mut admits: impl FnMut(&Path<'_, K, N, S, D>) -> bool,
    ) -> bool {
        let Some(&end) = self.frames.first() else { return false };
        let mut probe = Search::<D>::idle();
        probe.begin(end.position, end.entry, self.oldest);
        let found = probe.advance(table, ring, last, |path| {
            let (Some(a), Some(b)) = (path.top(), self.frames.get(path.search.depth.wrapping_sub(1))) else {
                return false;
            };
            (fixed >> a.position & 1 == 0 || a.entry == b.entry) && admits(path)
        });
        found
            && probe.depth == self.depth
            && probe.chosen().zip(self.chosen()).all(|(a, b)| a.position == b.position && a.entry == b.entry)
    }

    /// The run found so far, as a path to read.
    #[inline(always)]
    pub fn path<'a, K: Copy + 'static, const N: usize, S: Storage>(
        &'a self,
        ring: &'a Ring<K, N, S>,
        last: &'a At<K>,
    ) -> Path<'a, K, N, S, D> {
        Path { ring, search: self, last }
    }

    fn chosen(&self) -> impl Iterator<Item = &Frame> {
        self.frames.iter().take(self.depth)
    }
}

/// A run under construction, newest event first.
pub struct Path<'a, K: Copy + 'static, const N: usize, S: Storage, const D: usize> {
    ring: &'a Ring<K, N, S>,
    search: &'a Search<D>,
    last: &'a At<K>,
}

impl<'a, K: Copy + 'static, const N: usize, S: Storage, const D: usize> Path<'a, K, N, S, D> {
    /// The position that the oldest chosen event takes.
    #[inline(always)]
    #[must_use]
    pub fn position(&self) -> u8 {
        self.top().map_or(u8::MAX, |f| f.position)
    }

    /// The event chosen `back` steps before the completing one, which is number 0.
    #[inline(always)]
    #[must_use]
    pub fn event(&self, back: usize) -> Option<&'a At<K>> {
        if back == 0 {
            return Some(self.last);
        }
        let frame = self.search.frames.get(back)?;
        self.ring.get(frame.entry).map(|(at, _)| at)
    }

    /// The oldest chosen event.
    #[inline(always)]
    #[must_use]
    pub fn first(&self) -> Option<&'a At<K>> {
        self.event(self.search.depth.checked_sub(1)?)
    }

    #[inline(always)]
    fn top(&self) -> Option<&'a Frame> {
        self.search.frames.get(self.search.depth.checked_sub(1)?)
    }
}

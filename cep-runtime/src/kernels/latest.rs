//! The latest start per position: `detect` of patterns whose filters read one event each.
//!
//! Two runs that wait in the same position have the same futures, and a window only gets harder to meet with age; so of all runs in a
//! position the one that started last decides, and one word holds it. No event is kept and nothing expires: a stale start
//! simply fails the comparison with the window. This is what takes the place of an explicit determinisation (Alevizos, Artikis,
//! Paliouras: "Symbolic register automata for complex event recognition"): one run, `Q` words, whatever the window.
use crate::At;
use core::fmt;

/// For each of `Q` positions the latest start of the runs that wait there: its stream position, and the time `T` where the window is in time.
///
/// An update costs O(1); memory is `Q` starts.
pub struct Latest<const Q: usize, T = ()> {
    starts: [Option<Start<T>>; Q],
}
copies!([const Q: usize, T: Copy] Latest<Q, T>);

/// Where a run began.
pub struct Start<T> {
    at: At<T>,
    /// The position of its newest event (in a partition its rank there): a strict transition needs the very next one.
    newest: u64,
}
copies!([T: Copy] Start<T>);

impl Start<()> {
    /// A run that began at this position.
    #[inline(always)]
    #[must_use]
    pub const fn at(position: u64) -> Self {
        Start::new(position, ())
    }
}

impl<T: Copy> Start<T> {
    /// A run of one event.
    #[inline(always)]
    #[must_use]
    pub const fn new(position: u64, time: T) -> Self {
        Start { at: At::new(position, time), newest: position }
    }
    /// A run of one event, whose number among the events that count for neighbours is `rank`.
    #[inline(always)]
    #[must_use]
    pub const fn ranked(position: u64, time: T, rank: u64) -> Self {
        Start { at: At::new(position, time), newest: rank }
    }
    /// Its first stream position.
    #[inline(always)]
    #[must_use]
    pub const fn position(&self) -> u64 {
        self.at.position()
    }
    /// The time of its first event.
    #[inline(always)]
    #[must_use]
    pub fn time(&self) -> T {
        *self.at
    }
    /// The run's newest event is the one before `position`.
    #[inline(always)]
    #[must_use]
    pub const fn is_next(&self, position: u64) -> bool {
        self.newest + 1 == position
    }
    /// The same run with one event more.
    #[inline(always)]
    #[must_use]
    pub const fn extended(self, position: u64) -> Self {
        Start { at: self.at, newest: position }
    }
    /// The later of two.
    #[inline(always)]
    #[must_use]
    pub fn later(a: Option<Self>, b: Option<Self>) -> Option<Self> {
        match (a, b) {
            (Some(x), Some(y)) => Some(if x.position() >= y.position() { x } else { y }),
            (x, None) => x,
            (None, y) => y,
        }
    }
}

impl<const Q: usize, T: Copy> Latest<Q, T> {
    /// No run waits anywhere.
    #[must_use]
    pub const fn new() -> Self {
        Latest { starts: [None; Q] }
    }

    /// The latest start of the runs in `position`.
    #[inline(always)]
    #[must_use]
    pub fn get(&self, position: usize) -> Option<Start<T>> {
        self.starts.get(position).copied().flatten()
    }

    /// The position where the latest run in `position` began, if that is `floor` or later.
    #[inline(always)]
    #[must_use]
    pub fn since(&self, position: usize, floor: u64) -> Option<u64> {
        let start = self.get(position)?.position();
        if start >= floor { Some(start) } else { None }
    }

    /// A run enters `position`; it replaces an older one there.
    #[inline(always)]
    pub fn enter(&mut self, position: usize, run: Option<Start<T>>) {
        if let Some(s) = self.starts.get_mut(position) {
            *s = Start::later(run, *s);
        }
    }

    /// The run that entered `position` with the newest event, or none: for positions that only the very next event can leave.
    #[inline(always)]
    pub fn replace(&mut self, position: usize, run: Option<Start<T>>) {
        if let Some(s) = self.starts.get_mut(position) {
            *s = run;
        }
    }

    /// No run waits anywhere.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.starts.iter().all(Option::is_none)
    }

    /// Forgets all runs.
    pub fn clear(&mut self) {
        self.starts = [None; Q];
    }
}

impl<const Q: usize, T: Copy> Default for Latest<Q, T> {
    fn default() -> Self {
        Self::new()
    }
}

/// The runs that may still go on, for a machine's `Debug`.
pub struct LiveStarts<'a, const Q: usize, T> {
    latest: &'a Latest<Q, T>,
    oldest: u64,
    names: &'a [&'a str],
}

impl<'a, const Q: usize, T> LiveStarts<'a, Q, T> {
    /// The runs that started at `oldest` or later; `names[q]` is what an event in position `q` is called.
    #[must_use]
    pub fn new(latest: &'a Latest<Q, T>, oldest: u64, names: &'a [&'a str]) -> Self {
        LiveStarts { latest, oldest, names }
    }
}

impl<const Q: usize, T: Copy> fmt::Debug for LiveStarts<'_, Q, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut map = f.debug_map();
        for (q, name) in self.names.iter().enumerate() {
            if let Some(run) = self.latest.get(q)
                && run.position() >= self.oldest
            {
                map.entry(&format_args!("{name}"), &run.position());
            }
        }
        map.finish()
    }
}

impl<const Q: usize, T: Copy> fmt::Debug for Latest<Q, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.starts.iter().map(|s| s.map(|s| s.position()))).finish()
    }
}

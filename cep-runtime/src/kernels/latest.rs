//! The latest start per position: `detect` of patterns whose filters read one event each.
//!
//! Two runs that wait in the same position have the same futures, and a window only gets harder to meet with age; so of all runs in a
//! position the one that started last decides, and one word holds it. No event is kept and nothing expires: a stale start
//! simply fails the comparison with the window. This is what takes the place of an explicit determinisation (Alevizos, Artikis,
//! Paliouras: "Symbolic register automata for complex event recognition"): one run, `Q` words, whatever the window.
use core::fmt;

/// For each of `Q` positions the latest start of the runs that wait there, as a stream position.
///
/// An update costs O(1); memory is `8 Q` bytes.
#[derive(Clone)]
pub struct Latest<const Q: usize> {
    /// Start plus one; 0 where no run waits. So a new machine is all zeroes.
    starts: [u64; Q],
}

impl<const Q: usize> Latest<Q> {
    /// No run waits anywhere.
    #[must_use]
    pub const fn new() -> Self {
        Latest { starts: [0; Q] }
    }

    /// The latest start, plus one, of the runs in `position` that started at `oldest` or later; 0 if there is none.
    #[inline(always)]
    #[must_use]
    pub fn since(&self, position: usize, oldest: u64) -> u64 {
        match self.starts.get(position) {
            Some(&s) if s > oldest => s,
            _ => 0,
        }
    }

    /// A run that started at `start_plus_one - 1` enters `position`; 0 changes nothing. It replaces an older one there.
    #[inline(always)]
    pub fn enter(&mut self, position: usize, start_plus_one: u64) {
        if let Some(s) = self.starts.get_mut(position) {
            *s = (*s).max(start_plus_one);
        }
    }

    /// Forgets all runs.
    pub fn clear(&mut self) {
        self.starts = [0; Q];
    }
}

impl<const Q: usize> Default for Latest<Q> {
    fn default() -> Self {
        Self::new()
    }
}

/// The runs that a machine may still use, for its `Debug`: what each waits behind, and its start.
pub struct LiveStarts<'a, const Q: usize> {
    latest: &'a Latest<Q>,
    oldest: u64,
    names: &'a [&'a str],
}

impl<'a, const Q: usize> LiveStarts<'a, Q> {
    /// The runs that started at `oldest` or later; `names[q]` is what an event in position `q` is called.
    pub fn new(latest: &'a Latest<Q>, oldest: u64, names: &'a [&'a str]) -> Self {
        LiveStarts { latest, oldest, names }
    }
}

impl<const Q: usize> fmt::Debug for LiveStarts<'_, Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut map = f.debug_map();
        for (q, name) in self.names.iter().enumerate() {
            if let Some(start) = self.latest.since(q, self.oldest).checked_sub(1) {
                map.entry(&format_args!("{name}"), &start);
            }
        }
        map.finish()
    }
}

impl<const Q: usize> fmt::Debug for Latest<Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.starts.iter().map(|s| s.checked_sub(1))).finish()
    }
}

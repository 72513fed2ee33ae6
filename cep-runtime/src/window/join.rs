//! What a join of windows and attributes over one source (`zip`) counts.
//!
//! Record n of the join holds record ⌊n·D/Dᵢ⌋ of each part, D being the least of the parts' intervals. So a quick part moves on with every
//! record, a slow one with every few, and a record comes out as soon as the newest element of each of its parts is there.

/// Where one part of a join is.
#[derive(Clone, Copy)]
pub struct Part {
    /// So many elements of the source came behind the newest one that the next record needs; below zero: so many are missing.
    ahead: i64,
    /// What is done of the way to the part's next record, of `whole`.
    rest: u64,
}

impl Part {
    /// In front of the first record, with the source's first element still to come: `ahead` is below zero.
    #[inline]
    #[must_use]
    pub const fn new(ahead: i64, rest: u64) -> Self {
        Part { ahead, rest }
    }

    /// The source has `count` more elements.
    #[inline(always)]
    pub fn take(&mut self, count: i64) {
        self.ahead += count;
    }

    /// How many elements came behind the newest one of the part's record; none if that is still to come.
    #[inline(always)]
    #[must_use]
    pub fn back(&self) -> Option<usize> {
        usize::try_from(self.ahead).ok()
    }

    /// On to the next record of the join: `step` of the `whole` way (at least 1, at most all of it) to the part's next record, which ends
    /// `hop` elements behind.
    #[inline(always)]
    pub fn advance(&mut self, step: u64, whole: u64, hop: i64) {
        let missing = whole - step;
        if self.rest < missing {
            self.rest += step;
            return;
        }
        self.rest -= missing;
        self.ahead -= hop;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Record n of the join needs element ⌊n·step/whole⌋·hop.
    #[test]
    fn a_part_moves_on_with_its_own_records() {
        for (step, whole, hop, count) in
            [(1, 1, 1, 1), (1, 50, 3, 2), (3, 7, 2, 4), (5, 5, 9, 1), (6, 7, 1, 3)]
        {
            let mut part = Part::new(-1, 0);
            let (mut taken, mut n) = (0, 0);
            for _ in 0..200 {
                part.take(count);
                taken += count;
                while let Some(back) = part.back() {
                    let element = i64::try_from(n * step / whole).expect("small") * hop;
                    assert_eq!(i64::try_from(back), Ok(taken - 1 - element), "{step}/{whole}");
                    part.advance(step, whole, hop);
                    n += 1;
                }
            }
            assert!(n > 20);
        }
    }

    #[test]
    fn large_ways_do_not_overflow() {
        let whole = u64::MAX;
        let mut part = Part::new(0, whole - 1);
        part.advance(whole - 1, whole, 1);
        assert_eq!((part.rest, part.ahead), (whole - 2, -1));
    }
}

//! A small pseudo-random number generator, so that a seed says everything.

/// SplitMix64.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// From a seed.
    #[must_use]
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The seed in `CEP_SEED`, or this one.
    #[must_use]
    pub fn seed_or(default: u64) -> u64 {
        std::env::var("CEP_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(default)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`, which is not zero.
    pub fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.bits() % (n.max(1) as u64)).unwrap_or(0)
    }

    /// A number from `a` to `b`, both included.
    pub fn between(&mut self, a: usize, b: usize) -> usize {
        a + self.below(b.saturating_sub(a) + 1)
    }

    /// True in so many of a hundred cases.
    pub fn percent(&mut self, p: usize) -> bool {
        self.below(100) < p
    }

    /// One of these.
    pub fn pick<'t, T>(&mut self, list: &'t [T]) -> &'t T {
        &list[self.below(list.len())]
    }
}

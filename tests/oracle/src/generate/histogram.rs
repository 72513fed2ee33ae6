//! What a run of generated cases covered.
use super::Shape;
use std::collections::BTreeMap;
use std::fmt;

/// The constructs whose combinations count.
const COMBINED: [&str; 9] =
    [":", "iteration", "or", "optional", "time window", "partition", "consume", "inner within", "summary"];

/// Counts over cases; print it at the end of a run.
#[derive(Clone, Debug, Default)]
pub struct Histogram {
    patterns: u64,
    pairs: u64,
    with_one: u64,
    with_five: u64,
    combined: u64,
    counts: BTreeMap<(&'static str, String), u64>,
}

impl Histogram {
    /// A pattern.
    pub fn pattern(&mut self, shape: &Shape) {
        self.patterns += 1;
        self.add("atoms", &shape.atoms);
        self.add("nesting", &shape.nesting);
        self.add("output", &shape.output);
        for a in &shape.arities {
            self.add("variables of a conjunct", a);
        }
        let combined = COMBINED.iter().filter(|c| shape.constructs.contains(c)).count();
        self.combined += u64::from(combined >= 3);
        self.add("combined", &combined);
        let drops = if shape.dropped > 0 { "some" } else { "none" };
        self.add("variables dropped by select", &drops);
        for c in &shape.constructs {
            self.add("constructs", c);
        }
    }

    /// A pattern on a stream: how many matches it had in all.
    pub fn pair(&mut self, matches: usize) {
        self.pairs += 1;
        self.with_one += u64::from(matches >= 1);
        self.with_five += u64::from(matches >= 5);
    }

    /// The shares of pairs with at least one match and with at least five, in percent.
    #[must_use]
    pub fn shares(&self) -> (u64, u64) {
        let pairs = self.pairs.max(1);
        (self.with_one * 100 / pairs, self.with_five * 100 / pairs)
    }

    /// The share of patterns that combine three constructs of those beyond `;`, in percent.
    #[must_use]
    pub fn combining(&self) -> u64 {
        self.combined * 100 / self.patterns.max(1)
    }

    fn add(&mut self, what: &'static str, value: &impl ToString) {
        *self.counts.entry((what, value.to_string())).or_default() += 1;
    }
}

impl fmt::Display for Histogram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (one, five) = self.shares();
        writeln!(
            f,
            "{} patterns, {} pairs: {one}% with a match, {five}% with five",
            self.patterns, self.pairs
        )?;
        let mut heading = "";
        for ((what, value), n) in &self.counts {
            if *what != heading {
                heading = what;
                writeln!(f, "{what}")?;
            }
            writeln!(f, "  {value:12} {n}")?;
        }
        Ok(())
    }
}

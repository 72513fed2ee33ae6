//! What can be said of a formula without a stream.
use crate::expr::Var;
use crate::formula::{Node, Vars, bit};

impl Node {
    /// The variables it may bind.
    pub(crate) fn binds(&self) -> Vars {
        match self {
            Node::Atom { var, .. } => bit(*var),
            Node::As { inner, var, .. } => inner.binds() | bit(*var),
            Node::Sequence { left, right, .. } => left.binds() | right.binds(),
            Node::Or(parts) | Node::All(parts) => parts.iter().fold(0, |m, p| m | p.binds()),
            Node::Iterate(i) => i.inner.binds(),
            Node::Without { inner, .. } | Node::Filter { inner, .. } | Node::Within { inner, .. } => {
                inner.binds()
            }
            Node::Aggregate { inner, aggregation } => inner.binds() | bit(aggregation.var),
            Node::Select { inner, keep } => inner.binds() & keep,
        }
    }

    /// The variables that an iteration inside may bind again and again.
    pub(crate) fn iterates(&self) -> Vars {
        match self {
            Node::Atom { .. } => 0,
            Node::As { inner, var, .. } => {
                inner.iterates() | if inner.is_one_event() { 0 } else { bit(*var) }
            }
            Node::Sequence { left, right, .. } => left.iterates() | right.iterates(),
            Node::Or(parts) | Node::All(parts) => parts.iter().fold(0, |m, p| m | p.iterates()),
            Node::Iterate(i) if i.is_single() => i.inner.iterates(),
            Node::Iterate(i) => i.inner.binds(),
            Node::Without { inner, .. } | Node::Filter { inner, .. } | Node::Within { inner, .. } => {
                inner.iterates()
            }
            Node::Aggregate { inner, .. } => inner.iterates(),
            Node::Select { inner, keep } => inner.iterates() & keep,
        }
    }

    /// The variables that hold at most one event of a match.
    pub(crate) fn once(&self) -> Vars {
        let count = |v: Var| self.occurrences(v);
        (0..64).filter(|v| self.binds() & bit(*v) != 0 && count(*v) == 1).fold(0, |m, v| m | bit(v))
    }

    /// How many events a variable may hold, up to 2.
    fn occurrences(&self, v: Var) -> u32 {
        let n = match self {
            Node::Atom { var, .. } => u32::from(*var == v),
            Node::As { inner, var, .. } if *var == v => {
                if inner.is_one_event() {
                    1
                } else {
                    2
                }
            }
            Node::As { inner, .. } => inner.occurrences(v),
            Node::Sequence { left, right, .. } => left.occurrences(v) + right.occurrences(v),
            Node::Or(parts) => parts.iter().map(|p| p.occurrences(v)).max().unwrap_or(0),
            Node::All(parts) => parts.iter().map(|p| p.occurrences(v)).sum(),
            Node::Iterate(i) if i.is_single() => i.inner.occurrences(v),
            Node::Iterate(i) => 2 * i.inner.occurrences(v),
            Node::Without { inner, .. } | Node::Filter { inner, .. } | Node::Within { inner, .. } => {
                inner.occurrences(v)
            }
            Node::Aggregate { inner, aggregation } => u32::from(aggregation.var == v) + inner.occurrences(v),
            Node::Select { inner, keep } => {
                if keep & bit(v) == 0 {
                    0
                } else {
                    inner.occurrences(v)
                }
            }
        };
        n.min(2)
    }

    /// At most one event, and the formula keeps it.
    pub(crate) fn is_single(&self) -> bool {
        match self {
            Node::Atom { .. } => true,
            Node::As { inner, .. } | Node::Without { inner, .. } | Node::Filter { inner, .. } => {
                inner.is_single()
            }
            Node::Within { inner, .. } | Node::Aggregate { inner, .. } => inner.is_single(),
            Node::Or(parts) => parts.iter().all(Node::is_single),
            Node::Iterate(i) => i.is_single() && i.inner.is_single(),
            Node::Sequence { .. } | Node::All(_) | Node::Select { .. } => false,
        }
    }

    /// It matches at most one event, whether or not an inner `select` lies between.
    fn is_one_event(&self) -> bool {
        match self {
            Node::Atom { .. } => true,
            Node::As { inner, .. } | Node::Without { inner, .. } | Node::Filter { inner, .. } => {
                inner.is_one_event()
            }
            Node::Within { inner, .. } | Node::Aggregate { inner, .. } | Node::Select { inner, .. } => {
                inner.is_one_event()
            }
            Node::Or(parts) => parts.iter().all(Node::is_one_event),
            Node::Iterate(i) => i.is_single() && i.inner.is_one_event(),
            Node::Sequence { .. } | Node::All(_) => false,
        }
    }

    /// It may match the empty set of events.
    pub(crate) fn is_nullable(&self) -> bool {
        match self {
            Node::Atom { .. } => false,
            Node::Sequence { left, right, .. } => left.is_nullable() && right.is_nullable(),
            Node::Or(parts) => parts.iter().any(Node::is_nullable),
            Node::All(parts) => parts.iter().all(Node::is_nullable),
            Node::Iterate(i) => i.minimum == 0 || i.inner.is_nullable(),
            Node::As { inner, .. } | Node::Without { inner, .. } | Node::Filter { inner, .. } => {
                inner.is_nullable()
            }
            Node::Within { inner, .. } | Node::Select { inner, .. } | Node::Aggregate { inner, .. } => {
                inner.is_nullable()
            }
        }
    }

    /// Some condition in it reads earlier repetitions.
    pub(crate) fn reads_past(&self) -> bool {
        let below = |n: &Node| n.reads_past();
        match self {
            Node::Atom { .. } => false,
            Node::Sequence { left, right, negations, .. } => {
                below(left) || below(right) || negations.iter().any(|n| below(&n.formula))
            }
            Node::Or(parts) | Node::All(parts) => parts.iter().any(below),
            Node::Iterate(i) => below(&i.inner),
            Node::Without { inner, excluded } => below(inner) || below(excluded),
            Node::Filter { inner, filter } => {
                below(inner) || filter.conjuncts.iter().any(|c| c.folded != 0 || !c.past.is_empty())
            }
            Node::As { inner, .. } | Node::Within { inner, .. } | Node::Select { inner, .. } => below(inner),
            Node::Aggregate { inner, .. } => below(inner),
        }
    }

    /// There is an `agg` in it.
    pub(crate) fn aggregates(&self) -> bool {
        match self {
            Node::Atom { .. } => false,
            Node::Aggregate { .. } => true,
            Node::Sequence { left, right, .. } => left.aggregates() || right.aggregates(),
            Node::Or(parts) | Node::All(parts) => parts.iter().any(Node::aggregates),
            Node::Iterate(i) => i.inner.aggregates(),
            Node::Without { inner, .. } | Node::Filter { inner, .. } | Node::As { inner, .. } => {
                inner.aggregates()
            }
            Node::Within { inner, .. } | Node::Select { inner, .. } => inner.aggregates(),
        }
    }
}

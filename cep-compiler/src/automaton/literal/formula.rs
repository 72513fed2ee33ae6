//! Formulas of transitions: conjunctions, and the min-terms made of them.
use crate::hir::{ConjunctId, TypeId};
use std::collections::BTreeSet;

/// A register; the index into [`super::Automaton::registers`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct RegisterId(pub usize);

/// What a condition reads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Argument {
    /// `~`: the event being read.
    Current,
    /// An event read before.
    Register(RegisterId),
}

/// What is true or false of an event, given the registers.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Predicate {
    /// It is of this type. An event has one type only.
    Type(TypeId),
    /// A condition holds. False where a register is empty.
    Holds {
        /// Which.
        condition: ConjunctId,
        /// The register selection.
        arguments: Vec<Argument>,
    },
}

impl Predicate {
    /// The registers it reads.
    pub fn registers(&self) -> impl Iterator<Item = RegisterId> {
        let arguments: &[Argument] = match self {
            Self::Type(_) => &[],
            Self::Holds { arguments, .. } => arguments,
        };
        arguments.iter().filter_map(|a| match a {
            Argument::Current => None,
            Argument::Register(r) => Some(*r),
        })
    }

    fn renamed(&self, to: &impl Fn(RegisterId) -> RegisterId) -> Self {
        match self {
            Self::Type(t) => Self::Type(*t),
            Self::Holds { condition, arguments } => Self::Holds {
                condition: *condition,
                arguments: arguments
                    .iter()
                    .map(|a| match a {
                        Argument::Current => Argument::Current,
                        Argument::Register(r) => Argument::Register(to(*r)),
                    })
                    .collect(),
            },
        }
    }
}

/// A conjunction of predicates.
pub type Conjunction = BTreeSet<Predicate>;

/// True where all of some predicates hold and none of some conjunctions does. [`Formula::default`] is TRUE.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Formula {
    /// These hold.
    pub all: Conjunction,
    /// None of these holds: what a min-term says of the other formulas.
    pub none: BTreeSet<Conjunction>,
}

impl Formula {
    /// An event of this type.
    #[must_use]
    pub fn of_type(ty: TypeId) -> Self {
        Self { all: BTreeSet::from([Predicate::Type(ty)]), none: BTreeSet::new() }
    }

    /// TRUE.
    #[must_use]
    pub fn is_true(&self) -> bool {
        self.all.is_empty() && self.none.is_empty()
    }

    /// The type it demands.
    #[must_use]
    pub fn ty(&self) -> Option<TypeId> {
        self.all.iter().find_map(|p| match p {
            Predicate::Type(t) => Some(*t),
            Predicate::Holds { .. } => None,
        })
    }

    /// Both.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        Self {
            all: self.all.union(&other.all).cloned().collect(),
            none: self.none.union(&other.none).cloned().collect(),
        }
    }

    /// The same with less: what the predicates that hold decide is left out. `None` where no event meets it.
    ///
    /// Decided are event types, which exclude each other and of which an event has one, and everything propositional; two conditions
    /// are taken to be independent, so what it keeps may still be impossible (`x.v > 1` and `x.v < 0`). Cost: O(size × types).
    #[must_use]
    pub fn simplified(&self, types: usize) -> Option<Self> {
        let mut demanded = self.all.iter().filter(|p| matches!(p, Predicate::Type(_)));
        let (ty, another) = (demanded.next(), demanded.next());
        if another.is_some() {
            return None;
        }
        let mut none = BTreeSet::new();
        for n in &self.none {
            let other = n.iter().any(|p| matches!(p, Predicate::Type(_)) && ty.is_some_and(|t| t != p));
            if other {
                continue;
            }
            let rest: Conjunction = n.difference(&self.all).cloned().collect();
            if rest.is_empty() {
                return None;
            }
            none.insert(rest);
        }
        if ty.is_none() {
            let free = (0..types).any(|t| !none.contains(&BTreeSet::from([Predicate::Type(TypeId(t))])));
            if !free {
                return None;
            }
        }
        // what a shorter one excludes, a longer one need not exclude again
        let kept = none.iter().filter(|n| !none.iter().any(|m| m != *n && m.is_subset(n))).cloned().collect();
        Some(Self { all: self.all.clone(), none: kept })
    }

    /// Some event may meet it, as far as [`Formula::simplified`] can tell.
    #[must_use]
    pub fn is_satisfiable(&self, types: usize) -> bool {
        self.simplified(types).is_some()
    }

    /// The registers it reads.
    #[must_use]
    pub fn registers(&self) -> BTreeSet<RegisterId> {
        self.all.iter().chain(self.none.iter().flatten()).flat_map(Predicate::registers).collect()
    }

    /// The same over other registers.
    #[must_use]
    pub fn renamed(&self, to: impl Fn(RegisterId) -> RegisterId) -> Self {
        let conjunction = |c: &Conjunction| c.iter().map(|p| p.renamed(&to)).collect();
        Self { all: conjunction(&self.all), none: self.none.iter().map(conjunction).collect() }
    }

    /// What it says without looking at registers: weaker than it, or the same.
    #[must_use]
    pub fn without_registers(&self) -> Self {
        let unary = |p: &Predicate| p.registers().next().is_none();
        Self {
            all: self.all.iter().filter(|p| unary(p)).cloned().collect(),
            none: self.none.iter().filter(|n| n.iter().all(unary)).cloned().collect(),
        }
    }
}

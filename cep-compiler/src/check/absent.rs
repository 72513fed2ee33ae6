//! Conditions on parts that may be absent.
//!
//! A condition belongs to the end of its part. Where the part is absent there is no such end, but the condition may still say something:
//! it reads an aggregate, which is then that of nothing, or only variables outside. Then it is asked a second time, at the end of the
//! nearest part around that is never absent, of those results in which nothing of its own part is: as a disjunct more, "or something
//! of it is there".

use super::lower::{Lowering, Part};
use crate::code::code;
use crate::diagnostic::{Code, Diagnostics};
use crate::hir::{AtomId, Conjunct, Disjunct, Fold, FoldId, FoldRead, Function, Read, Region, Scope, Step};
use crate::schema::Kind;
use crate::slices::{any, position};
use quote::format_ident;

/// The conditions under which a part may be absent.
#[derive(Clone, Default)]
pub(crate) struct Absent {
    conditions: Vec<Condition>,
    /// Some of them speak of a part of it, which may be absent where the whole is not.
    pub(crate) partly: bool,
}

#[derive(Clone)]
struct Condition {
    /// Its index.
    conjunct: usize,
    /// It is asked of results without any of these.
    unless: Vec<AtomId>,
}

impl Absent {
    /// Where a part of this scope is absent, the conjunct of this index has to hold.
    pub(crate) fn when(&mut self, conjunct: usize, scope: &Scope) {
        self.conditions.push(Condition { conjunct, unless: scope.atoms.clone().map(AtomId).collect() });
    }

    /// Of two parts one behind the other.
    pub(crate) fn both(mut left: Absent, right: Absent) -> Absent {
        left.conditions.extend(right.conditions);
        left.partly = !left.conditions.is_empty();
        left
    }
}

/// Over an absent part it holds anyway: it reads a variable of that part, and no aggregate. What an earlier repetition had is there all
/// the same.
pub(super) fn holds_over_nothing(c: &Conjunct) -> bool {
    let here = |r: &Read| r.inside && !matches!(r.region, Region::Previous(_) | Region::FirstBefore(_));
    c.folds.is_empty() && any(&c.reads, here)
}

impl Lowering<'_> {
    /// The conditions are asked where the part of this scope ends.
    pub(super) fn settle(&mut self, absent: Absent, scope: &Scope) {
        for Condition { conjunct, unless } in absent.conditions {
            let mut c = self.conjuncts[conjunct].clone();
            let name = format_ident!("__present_{}", c.folds.len());
            c.folds.push(FoldRead { name: name.clone(), fold: self.how_many(unless, scope), option: false });
            let expr = super::parsed(code!([| name] #name != 0));
            c.disjuncts.push(Disjunct { expr, opened: Vec::new(), opened_folds: Vec::new() });
            c.scope = scope.clone();
            c.step = Step::End;
            for r in &mut c.reads {
                if any(&r.atoms, |a| scope.atoms.contains(&a.0)) {
                    (r.inside, r.always) = (true, false);
                }
            }
            self.conjuncts.push(c);
        }
    }

    /// The register that counts the events of these atoms.
    fn how_many(&self, atoms: Vec<AtomId>, scope: &Scope) -> FoldId {
        let result = Function::Count.result(false, &Kind::Opaque, false, true);
        let mut folds = self.folds.borrow_mut();
        let known = position(&folds, |f| {
            f.function == Function::Count
                && f.attribute.is_none()
                && f.atoms == atoms
                && f.aggregates.is_empty()
                && f.loops == scope.loops
        });
        FoldId(known.unwrap_or_else(|| {
            folds.push(Fold {
                function: Function::Count,
                some: false,
                monoid: None,
                atoms,
                aggregates: Vec::new(),
                attribute: None,
                loops: scope.loops.clone(),
                result,
                text: "count of what may be absent".into(),
            });
            folds.len() - 1
        }))
    }

    /// An `or` is absent as the branch is that may be.
    pub(super) fn absent_of_one(&self, branches: &mut [Part], d: &mut Diagnostics) -> Absent {
        let mut all = Vec::new();
        for p in &*branches {
            all.extend(p.scope.atoms.clone().map(AtomId));
        }
        let mut found: Vec<Absent> = Vec::new();
        let (mut freely, mut partly) = (false, false);
        for p in branches {
            if !p.nullable {
                continue;
            }
            let mut absent = std::mem::take(&mut p.absent);
            freely |= absent.conditions.is_empty();
            partly |= absent.partly;
            // asked only where no other branch was taken
            for c in &mut absent.conditions {
                for a in &all {
                    if !p.scope.atoms.contains(&a.0) && !c.unless.contains(a) {
                        c.unless.push(*a);
                    }
                }
            }
            if !absent.conditions.is_empty() {
                found.push(absent);
            }
        }
        if found.len() > 1 || freely && partly {
            for absent in &found {
                self.unsettled(absent, d);
            }
            return Absent::default();
        }
        match found.pop() {
            Some(absent) if !freely => absent,
            _ => Absent::default(),
        }
    }

    /// There is no place to ask them at.
    pub(super) fn unsettled(&self, absent: &Absent, d: &mut Diagnostics) {
        for c in &absent.conditions {
            let loc = self.conjuncts[c.conjunct].loc;
            d.error(Code::NotSupported, loc, "a condition on a part that may be absent, on something else than its variables, is not supported yet inside another part that may be absent or repeated")
                .help("put the condition inside the optional part, or behind a part that is always there");
        }
    }
}

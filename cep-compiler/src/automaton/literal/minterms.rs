//! Min-terms: of some formulas, those that an event meets and those that it does not.
use super::{Error, Formula};
use std::collections::BTreeSet;

/// A min-term and which of the formulas are true in it.
pub(super) struct Minterm {
    pub(super) formula: Formula,
    pub(super) holds: Vec<bool>,
}

/// All min-terms that some event may meet, the ones with more formulas that hold first. Exactly one is true of an event.
///
/// The simplification of the paper: a formula TRUE is true in all of them, what contradicts the event's type or follows from it is not
/// said. Cost: O(number of them × size); `None` where there are more than `budget`.
///
/// # Errors
/// A formula is a min-term itself.
pub(super) fn minterms(
    formulas: &[&Formula],
    types: usize,
    budget: usize,
) -> Result<Option<Vec<Minterm>>, Error> {
    if formulas.iter().any(|f| !f.none.is_empty()) {
        return Err(Error::Determinized);
    }
    let mut found = Vec::new();
    let mut holds = Vec::new();
    let within = choose(formulas, types, budget, &Formula::default(), &mut holds, &mut found);
    Ok(within.then_some(found))
}

/// Decides the formulas one after the other; false when the budget is used up.
fn choose(
    formulas: &[&Formula],
    types: usize,
    budget: usize,
    so_far: &Formula,
    holds: &mut Vec<bool>,
    found: &mut Vec<Minterm>,
) -> bool {
    let Some(next) = formulas.get(holds.len()) else {
        if found.len() == budget {
            return false;
        }
        if let Some(formula) = so_far.simplified(types) {
            found.push(Minterm { formula, holds: holds.clone() });
        }
        return true;
    };
    let negated = Formula { all: BTreeSet::new(), none: BTreeSet::from([next.all.clone()]) };
    for (truth, with) in [(true, so_far.and(next)), (false, so_far.and(&negated))] {
        if !with.is_satisfiable(types) {
            continue;
        }
        holds.push(truth);
        let within = choose(formulas, types, budget, &with, holds, found);
        holds.pop();
        if !within {
            return false;
        }
    }
    true
}

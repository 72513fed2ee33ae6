//! The steps of a machine over a partition: the latest start per position and key.
use super::latest::unary;
use super::names::{Names, ours};
use super::passages::place;
use super::runs::entered;
use crate::ast::Consume;
use crate::code::{Piece, Pieces, code, pieces};
use crate::hir::Pattern;
use crate::plan::Plan;
use crate::slices::any;

/// What happens before the first change, what then, and what consumption does.
pub(super) fn steps(pattern: &Pattern, plan: &Plan, names: &Names, event: Piece) -> (Piece, Piece, Piece) {
    let p = names.p;
    let mut arms = Piece::EMPTY;
    for &t in &plan.types() {
        let mut body = Piece::EMPTY;
        for (q, at) in plan.positions.iter().enumerate() {
            if at.ty == t {
                body.extend(enter(pattern, plan, event, q));
            }
        }
        let n = t.0;
        arms.extend(code!([body | n] #n => { #body }));
    }
    let slots = plan.latest_slots();
    // neighbours are those of the key, so an event of the key that takes no position counts too
    let strict = plan.positions.iter().any(|q| q.edges.iter().any(|e| e.strict));
    let concerned = if strict { code!([] true) } else { code!([] taken != 0) };
    let decide = code! { [concerned, p, event, arms | slots]
        let place = match key_of {
            ::core::option::Option::Some(key) if #concerned => self.keys.find(&key),
            _ => ::core::option::Option::None,
        };
        let mut state = match place {
            ::core::option::Option::Some(place) => self.keys.value(place).0,
            ::core::option::Option::None => #p::Latest::<#slots>::new(),
        };
        if taken != 0 {
            match #p::Event::kind(#event) { #arms _ => {} }
        }
    };
    let consume = if pattern.consume == Consume::Partition {
        code! { []
            if let ::core::option::Option::Some(place) = key_of.and_then(|key| self.keys.find(&key)) {
                self.keys.remove(place);
            }
        }
    } else {
        Piece::EMPTY
    };
    (decide, commit(plan, names, strict), consume)
}

fn enter(pattern: &Pattern, plan: &Plan, event: Piece, q: usize) -> Piece {
    let (position, at, run) = (ours("position"), &plan.positions[q], entered(q));
    let mut from = if at.initial {
        code!([position] ::core::option::Option::Some(#position))
    } else {
        code!([] ::core::option::Option::None)
    };
    let (all, renewed) = plan.latest();
    for (before, o) in plan.positions.iter().enumerate() {
        for &strict in &[false, true] {
            if any(&o.edges, |e| e.to == q && e.strict == strict) {
                let slot = if strict && renewed.contains(&before) {
                    all.len() + place(&renewed, &before)
                } else {
                    place(&all, &before)
                };
                from = code!([from | slot] ::core::cmp::Ord::max(#from, state.since(#slot, floor)));
            }
        }
    }
    let late = pieces(&at.late, |c| unary(pattern, *c, at.ty, event, position));
    code! { [from, run | q; late]
        if taken >> #q & 1 != 0 {
            let from: ::core::option::Option<::core::primitive::u64> = #from;
            if from.is_some() #(&& #late)* { #run = from; }
        }
    }
}

fn commit(plan: &Plan, names: &Names, strict: bool) -> Piece {
    let (p, position) = (names.p, ours("position"));
    let (all, renewed) = plan.latest();
    let (mut enter, waits) = (Piece::EMPTY, Pieces::new());
    for (slot, q) in all.iter().enumerate() {
        let run = entered(*q);
        let start = code!([run, p] #run.map(#p::Start::at));
        if renewed.contains(q) {
            let newest = all.len() + place(&renewed, q);
            enter.extend(
                code!([start | slot, newest] state.replace(#newest, #start); state.enter(#slot, #start);),
            );
        } else if crate::slices::all(&plan.positions[*q].edges, |e| e.strict) {
            enter.extend(code!([start | slot] state.replace(#slot, #start);));
        } else {
            enter.extend(code!([start | slot] state.enter(#slot, #start);));
        }
        waits.add(code!([run] #run.is_some()));
    }
    let aside = if strict {
        code!([] else if let ::core::option::Option::Some(place) = place { self.keys.value_mut(place).0 = state; })
    } else {
        Piece::EMPTY
    };
    code! { [enter, position, aside; waits]
        #enter
        if false #(|| #waits)* {
            self.stats.kept += 1;
            match (place, key_of) {
                (::core::option::Option::Some(place), _) => {
                    self.keys.touch(place);
                    *self.keys.value_mut(place) = (state, #position);
                }
                (_, ::core::option::Option::Some(key)) => {
                    // a key whose runs all began before the window makes room
                    while let ::core::option::Option::Some(oldest) = self.keys.oldest()
                        && self.keys.value(oldest).1 < floor
                    {
                        self.keys.remove(oldest);
                    }
                    // there are never more keys than events in the window, so there is room
                    if let ::core::option::Option::Some(place) = self.keys.claim(key) {
                        *self.keys.value_mut(place) = (state, #position);
                    }
                }
                _ => {}
            }
        }
        #aside
    }
}

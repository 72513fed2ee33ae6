//! `detect` of patterns whose conditions read one event each: the latest start per position.
use super::guards;
use super::kept::time;
use super::machine::{enter_time, given, lifetime, window_test};
use super::names::{Names, our, ours};
use crate::ast::Consume;
use crate::code::{Piece, code, pieces};
use crate::hir::{ConjunctId, Pattern, TypeId};
use crate::plan::{Plan, Position};
use crate::slices::{all, any};

/// The call of a guard of one event.
pub(super) fn unary(pattern: &Pattern, c: ConjunctId, ty: TypeId, event: Piece, position: Piece) -> Piece {
    let (name, arguments) = (guards::unary_name(c, ty), arguments(pattern, c));
    code!([name, event, position, arguments] #name(#event, #position #arguments))
}

/// `, given_0, …` for the parameters that a conjunct reads.
pub(super) fn arguments(pattern: &Pattern, c: ConjunctId) -> Piece {
    let each = pieces(&pattern.conjuncts[c.0].parameters, |i| given(*i));
    code!([; each] #(, #each)*)
}

/// The `push` method and the trait impls.
pub(super) fn push(pattern: &Pattern, plan: &Plan, names: &Names) -> Piece {
    let (p, on, vis, name) = (names.p, names.on, names.vis, names.machine);
    let (event, position, now) = (ours("event"), ours("position"), ours("time"));
    let parameters = super::machine::unpack(pattern);
    let (none, arms, hits, updates) = (
        nothing_entered(plan),
        arms(pattern, plan, names, event, position),
        hits(plan, names),
        updates(plan, code!([] self.latest)),
    );
    let clock = enter_time(pattern, time(pattern, names, event), names);
    let here = if pattern.clock.is_some() { Piece::of(&now) } else { code!([]()) };
    let consume = if pattern.consume == Consume::Any { code!([] self.latest.clear();) } else { Piece::EMPTY };
    let commit = super::machine::commit_time(pattern);
    let (output, answer) = if plan.fallible {
        (
            code!([p] ::core::result::Result<::core::primitive::bool, #p::PushError>),
            code!([] ::core::result::Result::Ok(hit.is_some())),
        )
    } else {
        (code!([] ::core::primitive::bool), code!([] hit.is_some()))
    };
    let errors = super::machine::errors_doc(plan);
    let traits = detect_traits(plan, names);
    code! { [errors, event, on, output, position, clock, parameters, p, here, none, arms, hits, updates, commit, answer, traits, consume, vis, name]
        impl #name {
            /// Takes one event and says whether a match ends at it. O(positions), whatever the window.
            #errors
            #[inline]
            #vis fn push(&mut self, #event: &#on) -> #output {
                let #position = self.position;
                #clock
                #parameters
                let latest = &self.latest;
                let begun = #p::Start::new(#position, #here);
                #none
                #arms
                let mut hit = ::core::option::Option::None;
                #hits
                let _ = (begun, latest);
                #updates
                self.position = #position + 1;
                self.stats.events = self.position;
                #commit
                if let ::core::option::Option::Some(run) = hit {
                    self.last_start = ::core::option::Option::Some(run.position());
                    self.stats.results += 1;
                    #consume
                }
                #answer
            }
        }
        #traits
    }
}

/// `let mut entered_0 = None; …`
pub(super) fn nothing_entered(plan: &Plan) -> Piece {
    let mut out = Piece::EMPTY;
    for q in 0..plan.positions.len() {
        let run = entered(q);
        out.extend(code!([run] let mut #run = ::core::option::Option::None;));
    }
    out
}

/// Which run the event lets enter which position; `newest` is the local that numbers the event among those that count for neighbours.
pub(super) fn arms(pattern: &Pattern, plan: &Plan, names: &Names, event: Piece, newest: Piece) -> Piece {
    let (p, position) = (names.p, ours("position"));
    let mut arms = Piece::EMPTY;
    for t in &plan.types() {
        let n = t.0;
        let mut decides = Piece::EMPTY;
        for (q, at) in plan.positions.iter().enumerate() {
            if at.ty == *t {
                decides.extend(decide(pattern, plan, names, (q, at), (event, position, newest)));
            }
        }
        arms.extend(code!([decides | n] #n => { #decides }));
    }
    code!([p, event, arms] match #p::Event::kind(#event) { #arms _ => {} })
}

/// The latest start of the runs that are complete now.
pub(super) fn hits(plan: &Plan, names: &Names) -> Piece {
    let p = names.p;
    let mut out = Piece::EMPTY;
    for (q, at) in plan.positions.iter().enumerate() {
        if at.accepting {
            let run = entered(q);
            out.extend(code!([p, run] hit = #p::Start::later(hit, #run);));
        }
    }
    out
}

/// The state `latest` after the event: every guard has been evaluated before the first position changes.
pub(super) fn updates(plan: &Plan, latest: Piece) -> Piece {
    let mut out = Piece::EMPTY;
    for (q, at) in plan.positions.iter().enumerate() {
        if at.edges.is_empty() {
            continue;
        }
        let run = entered(q);
        out.extend(if all(&at.edges, |e| e.strict) {
            code!([latest, run | q] #latest.replace(#q, #run);)
        } else if any(&at.edges, |e| e.strict) {
            // both kinds of transition leave it: the newest run for the one, the latest start for the other
            let fresh = super::fields::latest_slots(plan) + q;
            code!([latest, run | q, fresh] #latest.replace(#fresh, #run); #latest.enter(#q, #run);)
        } else {
            code!([latest, run | q] #latest.enter(#q, #run);)
        });
    }
    out
}

/// `entered_2 = …;`: the run with which the event enters a position.
fn decide(
    pattern: &Pattern,
    plan: &Plan,
    names: &Names,
    (q, at): (usize, &Position),
    (event, position, newest): (Piece, Piece, Piece),
) -> Piece {
    let (p, private) = (code!([] ::core::option::Option), names.p);
    let name = entered(q);
    let early = pieces(&at.early, |c| unary(pattern, *c, at.ty, event, position));
    let late = pieces(&at.late, |c| unary(pattern, *c, at.ty, event, position));
    let mut from = if at.initial { code!([p] #p::Some(begun)) } else { code!([p] #p::None) };
    let live = window_test(pattern, ours("run"), position);
    for (before, o) in plan.positions.iter().enumerate() {
        for e in &o.edges {
            if e.to != q {
                continue;
            }
            let (slot, next) = if !e.strict {
                (before, Piece::EMPTY)
            } else {
                let both = any(&o.edges, |x| !x.strict);
                (
                    if both { super::fields::latest_slots(plan) + before } else { before },
                    code!([newest] && run.is_next(#newest)),
                )
            };
            let run = ours("run");
            from = code!([private, from, run, live, next, newest | slot] #private::Start::later(#from, latest.get(#slot).filter(|#run| { let run = #run; #live #next }).map(|r| r.extended(#newest))));
        }
    }
    code! { [from, name; early, late]
        {
            let from = #from;
            if from.is_some() #(&& #early)* #(&& #late)* { #name = from; }
        }
    }
}

pub(super) fn entered(q: usize) -> Piece {
    our(format_args!("entered_{q}"))
}

/// The traits of a machine whose output is `bool`.
pub(super) fn detect_traits(plan: &Plan, names: &Names) -> Piece {
    let (p, name, lifetime) = (names.p, names.machine, lifetime(plan));
    machine_trait(
        plan,
        names,
        code!([] ::core::primitive::bool),
        code!([lifetime, p, name] impl #lifetime #p::Gives<'_> for #name #lifetime { type Output = ::core::primitive::bool; }),
    )
}

/// `impl Machine`, where the stream's event is one type, and no less visible than the machine.
pub(super) fn machine_trait(plan: &Plan, names: &Names, output: Piece, gives: Piece) -> Piece {
    if !names.is_generic {
        return Piece::EMPTY;
    }
    let (p, on, name, lifetime) = (names.p, names.on_static, names.machine, lifetime(plan));
    let (error, call) = if plan.fallible {
        (code!([p] #p::PushError), code!([name] #name::push(self, event)))
    } else {
        (code!([p] #p::Never), code!([name] ::core::result::Result::Ok(#name::push(self, event))))
    };
    code! { [gives, lifetime, p, on, error, output, call, name]
        #gives
        impl #lifetime #p::Machine for #name #lifetime {
            type Event = #on;
            type Error = #error;
            #[inline]
            fn push(&mut self, event: &#on) -> ::core::result::Result<#output, #error> { #call }
            fn reset(&mut self) { #name::reset(self) }
            fn position(&self) -> ::core::primitive::u64 { #name::position(self) }
            fn stats(&self) -> #p::Stats { #name::stats(self) }
        }
    }
}

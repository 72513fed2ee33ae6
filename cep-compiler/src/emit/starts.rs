//! `detect` of a partitioned pattern whose conditions read one event each: for each key the latest start per position.
//!
//! A key has a place in the table from the event with which a run of it began, until the window has passed since then, or no run of it
//! waits any more. Where there is no window, a run waits for ever, and so does its key.
use super::kept::{key, time};
use super::latest::{arms, entered, hits, nothing_entered, updates};
use super::machine::{commit_time, enter_time, errors_doc, lifetime, span_literal, unpack};
use super::names::{Names, ours};
use crate::ast::Consume;
use crate::code::{Piece, Pieces, code};
use crate::hir::{Pattern, Window};
use crate::plan::Plan;

/// Keys whose newest run is out of the window go.
pub(super) fn expire(pattern: &Pattern) -> Piece {
    let now = ours("time");
    let span = match &pattern.window {
        Some(Window::Clock(span)) => span_literal(*span),
        _ => return Piece::EMPTY,
    };
    code! { [now, span]
        while let ::core::option::Option::Some(n) = self.keys.oldest()
            && !self.keys.value(n).begun.is_some_and(|begun| __CepClock::within(begun, #now, #span))
        {
            self.keys.remove(n);
        }
    }
}

/// The `push` method and the trait impls.
pub(super) fn push(pattern: &Pattern, plan: &Plan, names: &Names) -> Piece {
    let (p, on, vis, name, lifetime) = (names.p, names.on, names.vis, names.machine, lifetime(plan));
    let (event, position, now, rank) = (ours("event"), ours("position"), ours("time"), ours("rank"));
    let parameters = unpack(pattern);
    let clock = enter_time(pattern, time(pattern, names, event), names);
    let key = key(pattern, names, event);
    let here = if pattern.clock.is_some() { Piece::of(&now) } else { code!([]()) };
    let (none, arms, hits, updates) = (
        nothing_entered(plan),
        arms(pattern, plan, names, event, rank),
        hits(plan, names),
        updates(plan, code!([] runs.latest)),
    );
    // what something can follow
    let waiting = Pieces::new();
    for (q, at) in plan.positions.iter().enumerate() {
        if !at.edges.is_empty() {
            waiting.add(entered(q));
        }
    }
    let span = match &pattern.window {
        Some(Window::Clock(span)) => Some(span_literal(*span)),
        _ => None,
    };
    let full = if !pattern.evict {
        // a key that is only still there because nobody looked does not count
        let expired = match span {
            Some(span) => {
                code!([now, span] && !self.keys.oldest().is_some_and(|n| !self.keys.value(n).begun.is_some_and(|begun| __CepClock::within(begun, #now, #span))))
            }
            None => Piece::EMPTY,
        };
        code! { [p, expired]
            if waits && place.is_none() && self.keys.is_full() #expired {
                return ::core::result::Result::Err(#p::PushError::Full);
            }
        }
    } else {
        Piece::EMPTY
    };
    let evict = if pattern.evict {
        let exact = match span {
            Some(span) => {
                code!([p, now, span] self.exact_from = ::core::option::Option::Some(#p::Clock::after(#now, #span));)
            }
            None => Piece::EMPTY,
        };
        code! { [exact]
            if place.is_none() && self.keys.is_full() && let ::core::option::Option::Some(n) = self.keys.oldest() {
                self.keys.remove(n);
                self.stats.evicted += 1;
                #exact
            }
        }
    } else {
        Piece::EMPTY
    };
    let begun = if span.is_some() {
        code!([now] runs.begun = ::core::option::Option::Some(#now);)
    } else {
        Piece::EMPTY
    };
    let gone = match pattern.consume {
        Consume::None => Piece::EMPTY,
        Consume::Any => code!([] if hit.is_some() { self.keys.clear(); } else),
        Consume::Partition => {
            code!([] if hit.is_some() { if let ::core::option::Option::Some(n) = place { self.keys.remove(n); } } else)
        }
    };
    let expire = expire(pattern);
    let again = if span.is_some() { code!([] let place = self.keys.find(&key);) } else { Piece::EMPTY };
    let commit = commit_time(pattern);
    let (output, answer) = if plan.fallible {
        (
            code!([p] ::core::result::Result<::core::primitive::bool, #p::PushError>),
            code!([] ::core::result::Result::Ok(hit.is_some())),
        )
    } else {
        (code!([] ::core::primitive::bool), code!([] hit.is_some()))
    };
    let errors = errors_doc(plan);
    let traits = super::latest::detect_traits(plan, names);
    code! { [lifetime, errors, event, on, output, position, clock, parameters, key, p, rank, here, none, arms, hits, commit, expire, gone, updates, answer, traits, begun, evict, again, full, vis, name; waiting]
        impl #lifetime #name #lifetime {
            /// Takes one event and says whether a match ends at it. O(positions), whatever the window.
            #errors
            #[inline]
            #vis fn push(&mut self, #event: &#on) -> #output {
                let #position = self.position;
                #clock
                #parameters
                let key_of = #key;
                let place = ::core::option::Option::and_then(key_of.as_ref(), |key| self.keys.find(key));
                let fresh = #p::Latest::new();
                let runs = self.keys.value(::core::option::Option::unwrap_or(place, 0));
                let (latest, #rank) = if place.is_some() { (&runs.latest, runs.rank + 1) } else { (&fresh, 1) };
                let begun = #p::Start::ranked(#position, #here, #rank);
                #none
                if key_of.is_some() { #arms }
                let mut hit = ::core::option::Option::None;
                #hits
                let _ = begun;
                let waits = false #(|| #waiting.is_some())*;
                #full
                self.position = #position + 1;
                self.stats.events = self.position;
                #commit
                #expire
                if let ::core::option::Option::Some(key) = key_of {
                    #again
                    #gone
                    if waits {
                        #evict
                        let claimed = match place {
                            ::core::option::Option::Some(n) => ::core::option::Option::Some(n),
                            ::core::option::Option::None => self.keys.claim(key),
                        };
                        if let ::core::option::Option::Some(n) = claimed {
                            let runs = self.keys.value_mut(n);
                            if place.is_none() { runs.clear(); }
                            runs.rank = #rank;
                            #updates
                            if false #(|| #waiting.is_some_and(|run| run.position() == #position))* {
                                #begun
                                self.keys.touch(n);
                            }
                        }
                    } else if let ::core::option::Option::Some(n) = place {
                        let runs = self.keys.value_mut(n);
                        runs.rank = #rank;
                        #updates
                        if runs.latest.is_empty() { self.keys.remove(n); }
                    }
                }
                if let ::core::option::Option::Some(run) = hit {
                    self.last_start = ::core::option::Option::Some(run.position());
                    self.stats.results += 1;
                }
                #answer
            }
        }
        #traits
    }
}

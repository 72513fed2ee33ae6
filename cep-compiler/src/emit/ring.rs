//! `push` over the universal ring.
//!
//! Order of work: the clock and the window; which positions the event's type and its early conditions allow; what is kept of it; the late
//! conditions, each only for a partial match that needs it; and only then the first change of state, so that a condition that panics leaves
//! the machine as it was.
use super::kept::{keep, key, time, time_of};
use super::latest::{detect_traits, unary};
use super::machine::{commit_time, enter_time, errors_doc, lifetime, passed, span_literal, unpack};
use super::names::{Names, ours};
use super::search::{functions, needs_partial_match, reaches_name, table};
use crate::ast::{Consume, Storage};
use crate::code::{Piece, code, pieces};
use crate::hir::{Output, Pattern, Window};
use crate::plan::Plan;

/// An entry `at` is out of the window of the event at `position` (and `time`).
pub(super) fn outside(pattern: &Pattern, at: Piece, position: Piece) -> Piece {
    let time = ours("time");
    match &pattern.window {
        Some(Window::Events(w)) => code!([position, at | w] #position - #at.position() >= #w),
        Some(Window::Clock(a)) => {
            let span = span_literal(*a);
            code!([at, time, span] !__CepClock::within(#at.time, #time, #span))
        }
        // matches of one event: nothing before it counts; the events of a key are seen to where its ring is
        None | Some(Window::Partition(_)) => code!([at] { let _ = #at; true }),
    }
}

/// The `push` method, the search's callbacks and, for `detect`, the trait impls.
pub(super) fn push(pattern: &Pattern, plan: &Plan, names: &Names) -> Piece {
    let (p, on, vis, name, lifetime) = (names.p, names.on, names.vis, names.machine, lifetime(plan));
    let (event, position, at) = (ours("event"), ours("position"), ours("at"));
    let detect = matches!(pattern.output, Output::Detect);
    let (output, wrap) = output(pattern, plan, names);
    let clock = enter_time(pattern, time(pattern, names, event), names);
    let head = if plan.lanes.is_some() {
        super::lanes::head(pattern, names, event)
    } else {
        head(pattern, plan, names, event)
    };
    let taken = taken(pattern, plan, names, event);
    let spent = match plan.candidates {
        Some(_) => {
            code!([p] if self.walk.is_spent() { self.walk.stop(); return ::core::result::Result::Err(#p::PushError::Full); })
        }
        None => Piece::EMPTY,
    };
    let mut late = Piece::EMPTY;
    for (q, here) in plan.positions.iter().enumerate() {
        if needs_partial_match(pattern, plan, q, here) {
            let (reaches, (_, arguments)) = (reaches_name(q), passed(pattern));
            let (ring, walk) = (code!([] ring), code!([] &mut self.walk));
            late.extend(code! { [reaches, ring, walk, event, at, arguments, spent | q]
                if taken >> #q & 1 != 0 {
                    if !#reaches(#ring, #walk, #event, &#at, first, entries, #arguments) { taken &= !(1 << #q); }
                    #spent
                }
            });
        }
    }
    let summarize = super::summarize::of(pattern).is_some();
    // the search is used for them, so nothing more comes of the event before, even where one panics
    let forget = if !detect && !summarize && !late.is_empty() {
        code!([] self.last = ::core::option::Option::None; self.walk.stop();)
    } else {
        Piece::EMPTY
    };
    let capacity = if plan.lanes.is_some() {
        super::lanes::capacity(pattern, plan, names)
    } else {
        capacity(pattern, plan, names)
    };
    let accepting = plan.bits(|q| q.accepting);
    let (_, call) = passed(pattern);
    let admits = code!([call] |path| __cep_admits(path, #call));
    let search = match pattern.reach {
        None => code!([| accepting] self.walk.begin(first, entries, taken & #accepting);),
        // what is in time, and too far away: matches are no longer than that
        Some(reach) => code! { [position | reach, accepting]
            let mut from = entries;
            while from > first
                && self.ring.get(from - 1).is_some_and(|(before, _)| #position - before.position() < #reach)
            {
                from -= 1;
            }
            self.walk.begin(from, entries, taken & #accepting);
        },
    };
    let allow = match plan.candidates {
        Some(n) => code!([| n] self.walk.allow(#n);),
        None => Piece::EMPTY,
    };
    let needs_answer = !summarize && (detect || pattern.consume != Consume::None);
    let decide = if needs_answer {
        let latest = if detect {
            code! { [at, admits, p]
                while self.walk.advance(&__CEP_TABLE, ring, &#at, #admits) {
                    found = self.walk.path(ring, &#at).event(0).map(#p::At::position);
                    // from here on only later starts are of interest
                    self.walk.later();
                }
            }
        } else {
            code! { [at, admits]
                if self.walk.advance(&__CEP_TABLE, ring, &#at, #admits) {
                    found = ::core::option::Option::Some(0);
                }
            }
        };
        code!([search, latest, spent, allow | accepting] if taken & #accepting != 0 { #search #allow #latest #spent self.walk.stop(); })
    } else {
        Piece::EMPTY
    };
    let decide = match plan.product {
        None if summarize => {
            super::summarize::look(pattern, plan, names, code!([search, allow] #search #allow), spent)
        }
        _ => decide,
    };
    let begin = super::summarize::begin(pattern, names);
    let count = super::summarize::count(pattern, plan, names);
    let store =
        if plan.lanes.is_some() { super::lanes::store(pattern, plan, names) } else { store(pattern, plan) };
    let finish = if detect {
        code!([] if found.is_some() {
            self.last_start = found;
            self.stats.results += 1;
        })
    } else if summarize {
        code!([] self.stats.results = self.stats.results.saturating_add(results);)
    } else {
        let handed = match pattern.limit {
            Some(_) => code!([] self.handed = 0;),
            None => Piece::EMPTY,
        };
        let moment = match super::results::end_time(pattern) {
            Some(clock) if super::results::has_moment(pattern) => {
                let time = time_of(pattern, names, event, &clock.attributes);
                code!([time] self.moment = #time;)
            }
            _ => Piece::EMPTY,
        };
        code! { [search, moment, handed | accepting]
            self.last = kept;
            self.walk.stop();
            #handed
            if kept.is_some() && taken & #accepting != 0 { #search #moment }
        }
    };
    let commit = commit_time(pattern);
    let enter = super::lanes::enter(pattern, names, event);
    let parameters = unpack(pattern);
    let doc = if detect {
        "Takes one event and says whether a match ends at it."
    } else if summarize {
        "Takes one event and says what is asked of all matches that end at it."
    } else {
        "Takes one event and gives the matches that end at it. They are found one at a time, as they are asked for."
    };
    let errors = errors_doc(plan);
    let traits = if detect { detect_traits(plan, names) } else { Piece::EMPTY };
    let table = table(pattern, plan, names);
    let functions = match plan.product {
        Some(_) => super::summarize::adds(pattern, plan, names),
        None => functions(pattern, plan, names),
    };
    code! { [table, functions, lifetime, errors, event, on, output, position, clock, parameters, head, begin, taken, at, late, capacity, commit, count, store, finish, wrap, traits, enter, decide, forget, vis, name | doc]
        #table
        #functions
        impl #lifetime #name #lifetime {
            #[doc = #doc]
            #errors
            #[inline]
            #[allow(unused_variables, unused_mut, unused_assignments)]
            #vis fn push(&mut self, #event: &#on) -> #output {
                let #position = self.position;
                #clock
                #parameters
                #head
                let mut found: ::core::option::Option<::core::primitive::u64> = ::core::option::Option::None;
                let mut taken: ::core::primitive::u64 = 0;
                let mut kept = ::core::option::Option::None;
                #begin
                #taken
                if let ::core::option::Option::Some(#at) = kept {
                    #forget
                    #late
                    #capacity
                    #decide
                }
                #enter
                // no condition of the user's runs from here on
                self.position = #position + 1;
                self.stats.events = self.position;
                #commit
                #count
                #store
                #finish
                #wrap
            }
        }
        #traits
    }
}

/// The return type of `push`, and the expression it ends with.
fn output(pattern: &Pattern, plan: &Plan, names: &Names) -> (Piece, Piece) {
    let p = names.p;
    let (output, value) = if matches!(pattern.output, Output::Detect) {
        (code!([] ::core::primitive::bool), code!([] found.is_some()))
    } else if super::summarize::of(pattern).is_some() {
        let record = names.summary;
        (Piece::of(&record), code!([] summary))
    } else {
        let matches = names.matches;
        (matches_type(plan, names), code!([matches] #matches { machine: self }))
    };
    if plan.fallible {
        (
            code!([output, p] ::core::result::Result<#output, #p::PushError>),
            code!([value] ::core::result::Result::Ok(#value)),
        )
    } else {
        (output, value)
    }
}

/// Where the window begins, the key of the event, and its link.
fn head(pattern: &Pattern, plan: &Plan, names: &Names, event: Piece) -> Piece {
    let (at, position) = (ours("at"), ours("position"));
    let outside = outside(pattern, at, position);
    let consumed = if pattern.consume == Consume::Partition {
        // what a result consumed goes before the next event, not earlier: its matches may still be read
        code! { []
            if let ::core::option::Option::Some((key, until)) = self.consumed.take() {
                for n in self.first..until {
                    if self.ring.get(n).is_some_and(|(at, _)| at.key == key) { self.ring.retire(n); }
                }
            }
        }
    } else {
        Piece::EMPTY
    };
    let key = if !pattern.partition.is_empty() {
        let key = key(pattern, names, event);
        code!([key] let key_of = #key;)
    } else {
        Piece::EMPTY
    };
    let link = if plan.linked {
        let previous = ours("previous");
        code! { [previous]
            // the newest event of the same key, if no other one of that key came since
            let mut #previous: ::core::primitive::u64 = 0;
            let mut newest_of_key: ::core::option::Option<::core::primitive::u64> = ::core::option::Option::None;
            if let ::core::option::Option::Some(key) = key_of {
                for n in (first..entries).rev() {
                    let ::core::option::Option::Some((before, bits)) = self.ring.get(n) else { break };
                    if before.key == key {
                        newest_of_key = ::core::option::Option::Some(n);
                        if bits >> 63 == 0 { #previous = n + 1; }
                        break;
                    }
                }
            }
        }
    } else {
        Piece::EMPTY
    };
    code! { [at, outside, link, key, consumed]
        #consumed
        let entries = self.ring.len();
        let ring = &self.ring;
        let mut first = self.first;
        while let ::core::option::Option::Some((#at, _)) = self.ring.get(first) {
            if !(#outside) { break; }
            first += 1;
        }
        #key
        #link
    }
}

/// Which positions the event can take as far as its type and early conditions tell, and what is kept of it.
fn taken(pattern: &Pattern, plan: &Plan, names: &Names, event: Piece) -> Piece {
    let (p, position, key) = (names.p, ours("position"), ours("key"));
    let arms = pieces(&plan.types(), |t| {
        let n = t.0;
        let mut bits = Piece::EMPTY;
        for (q, at) in plan.positions.iter().enumerate() {
            if at.ty == *t {
                let early = pieces(&at.early, |c| unary(pattern, *c, *t, event, position));
                bits.extend(
                    code!([| q; early] taken |= ((true #(&& #early)*) as ::core::primitive::u64) << #q;),
                );
            }
        }
        let keep = keep(pattern, plan, names, *t, event);
        let keep = code!([keep, p, position] kept = ::core::option::Option::map(#keep, |k| #p::At::new(#position, k)););
        let keep = if pattern.spans.is_some() {
            code!([keep] if span.is_some() { #keep } else { taken = 0; })
        } else if pattern.partition.is_empty() {
            keep
        } else {
            code!([key, keep] match key_of { ::core::option::Option::Some(#key) => { #keep } ::core::option::Option::None => taken = 0 })
        };
        code!([bits, keep | n] #n => { #bits if taken != 0 { #keep } })
    });
    code!([p, event; arms] match #p::Event::kind(#event) { #(#arms)* _ => {} })
}

/// A declared capacity: refuse the event, or give up the oldest.
fn capacity(pattern: &Pattern, plan: &Plan, names: &Names) -> Piece {
    let (Some(Window::Clock(span)), Some(n)) = (&pattern.window, pattern.capacity) else {
        return Piece::EMPTY;
    };
    if plan.slots == 1 && n > 1 {
        return Piece::EMPTY;
    }
    let (p, time) = (names.p, ours("time"));
    if pattern.evict {
        let span = span_literal(*span);
        code! { [p, time, span | n]
            if taken != 0 {
                let over = (entries - first + 1).saturating_sub(#n);
                if over > 0 {
                    first += over;
                    self.stats.evicted += over;
                    self.exact_from = ::core::option::Option::Some(#p::Clock::after(#time, #span));
                }
            }
        }
    } else {
        code! { [p | n]
            if taken != 0 && entries - first >= #n {
                return ::core::result::Result::Err(#p::PushError::Full);
            }
        }
    }
}

/// The event enters the ring, and consumption empties it.
fn store(pattern: &Pattern, plan: &Plan) -> Piece {
    let at = ours("at");
    // a declared capacity counts every accepted event; else only what something may follow is kept
    let waiting = if pattern.capacity.is_some() && pattern.clock.is_some() {
        u64::MAX
    } else {
        plan.bits(|q| !q.edges.is_empty())
    };
    let follow = if plan.linked {
        code!([] if let ::core::option::Option::Some(n) = newest_of_key {
            self.ring.follow(n);
        })
    } else {
        Piece::EMPTY
    };
    let consume = match pattern.consume {
        Consume::None => Piece::EMPTY,
        Consume::Any => code!([] if found.is_some() {
            self.first = self.ring.len();
        }),
        Consume::Partition => {
            code!([] if found.is_some()
                && let ::core::option::Option::Some(key) = key_of
            {
                self.consumed = ::core::option::Option::Some((key, self.ring.len()));
            })
        }
    };
    code! { [at, consume, follow | waiting]
        self.first = first;
        #follow
        if let ::core::option::Option::Some(#at) = kept && taken & #waiting != 0 {
            self.ring.push(#at, taken);
            self.stats.kept += 1;
        }
        #consume
    }
}

/// `FireRiskMatches<'_>`, with the rings' lifetime where they are borrowed.
pub(super) fn matches_type(plan: &Plan, names: &Names) -> Piece {
    let matches = names.matches;
    if plan.storage == Storage::Borrowed {
        code!([matches] #matches<'_, 'rings>)
    } else {
        code!([matches] #matches<'_>)
    }
}

//! `push` over the universal ring.
//!
//! Order of work: the clock and the window; which positions the event's type and its early conditions allow; what is kept of it; the late
//! conditions, each only for a partial match that needs it; and only then the first change of state, so that a condition that panics leaves
//! the machine as it was.
use super::guards::{self, loop_bits};
use super::kept::{keep, key, time};
use super::latest::{arguments, detect_traits, unary};
use super::machine::{commit_time, enter_time, errors_doc, lifetime, passed, span_literal, unpack};
use super::names::{Names, ours};
use crate::ast::{Consume, Storage};
use crate::hir::{
    Conjunct, ConjunctId, InnerWindow, LoopId, Output, Pattern, Read, Region, Scope, Step, TypeId, Window,
};
use crate::plan::{Plan, Position};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use std::collections::BTreeSet;

/// An entry `at` is out of the window of the event at `position` (and `time`).
pub(super) fn outside(pattern: &Pattern, at: &Ident, position: &Ident) -> TokenStream {
    let time = ours("time");
    match &pattern.window {
        Some(Window::Events(w)) => quote!(#position - #at.position() >= #w),
        Some(Window::Clock(a)) => {
            let span = span_literal(*a);
            quote!(!__CepClock::within(#at.time, #time, #span))
        }
        // matches of one event: nothing before it counts
        None => quote!({ let _ = #at; true }),
    }
}

/// The `push` method, the search's callbacks and, for `detect`, the trait impls.
pub(super) fn push(pattern: &Pattern, plan: &Plan, names: &Names) -> TokenStream {
    let (p, on, vis, name, lifetime) =
        (&names.p, &names.on, &pattern.visibility, &names.machine, lifetime(plan));
    let (event, position, at) = (ours("event"), ours("position"), ours("at"));
    let detect = matches!(pattern.output, Output::Detect);
    let (output, wrap) = output(pattern, plan, names);
    let clock = enter_time(pattern, &time(pattern, names, &event), names);
    let head = head(pattern, plan, names, &event);
    let taken = taken(pattern, plan, names, &event);
    let late = plan.positions.iter().enumerate().filter(|(q, at)| needs_partial_match(pattern, plan, *q, at)).map(
        |(q, _)| {
            let (reaches, (_, arguments)) = (reaches_name(q), passed(pattern));
            let (ring, walk) = (quote!(&self.ring), quote!(&mut self.walk));
            quote!(if taken >> #q & 1 != 0 && !#reaches(#ring, #walk, #event, &#at, first, entries, #arguments) { taken &= !(1 << #q); })
        },
    );
    let capacity = capacity(pattern, plan, names);
    let accepting = plan.bits(|q| q.accepting);
    let (_, call) = passed(pattern);
    let admits = quote!(|path| __cep_admits(path, #call));
    let search = quote!(self.walk.begin(first, entries, taken & #accepting););
    let needs_answer = detect || pattern.consume != Consume::None;
    let decide = needs_answer.then(|| {
        let latest = if detect {
            quote! {
                while self.walk.advance(&__CEP_TABLE, &self.ring, &#at, #admits) {
                    found = self.walk.path(&self.ring, &#at).event(0).map(#p::At::position);
                    // from here on only later starts are of interest
                    self.walk.later();
                }
            }
        } else {
            quote! {
                if self.walk.advance(&__CEP_TABLE, &self.ring, &#at, #admits) {
                    found = ::core::option::Option::Some(0);
                }
            }
        };
        quote!(if taken & #accepting != 0 { #search #latest self.walk.stop(); })
    });
    let store = store(pattern, plan);
    let finish = if detect {
        quote!(if found.is_some() {
            self.last_start = found;
            self.stats.results += 1;
        })
    } else {
        let handed = pattern.limit.map(|_| quote!(self.handed = 0;));
        quote! {
            self.last = kept;
            self.walk.stop();
            #handed
            if kept.is_some() && taken & #accepting != 0 { #search }
        }
    };
    let commit = commit_time(pattern);
    let parameters = unpack(pattern);
    let doc = if detect {
        "Takes one event and says whether a match ends at it."
    } else {
        "Takes one event and gives the matches that end at it. They are found one at a time, as they are asked for."
    };
    let errors = errors_doc(plan);
    let traits = if detect { detect_traits(plan, names) } else { TokenStream::new() };
    let table = table(plan, names);
    let functions = functions(pattern, plan, names);
    quote! {
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
                #taken
                if let ::core::option::Option::Some(#at) = kept {
                    #(#late)*
                    #capacity
                    #decide
                }
                // no condition of the user's runs from here on
                self.position = #position + 1;
                self.stats.events = self.position;
                self.first = first;
                #commit
                #store
                #finish
                #wrap
            }
        }
        #traits
    }
}

/// The return type of `push`, and the expression it ends with.
fn output(pattern: &Pattern, plan: &Plan, names: &Names) -> (TokenStream, TokenStream) {
    let p = &names.p;
    let (output, value) = if matches!(pattern.output, Output::Detect) {
        (quote!(::core::primitive::bool), quote!(found.is_some()))
    } else {
        let matches = &names.matches;
        (matches_type(plan, names), quote!(#matches { machine: self }))
    };
    if plan.fallible {
        (quote!(::core::result::Result<#output, #p::PushError>), quote!(::core::result::Result::Ok(#value)))
    } else {
        (output, value)
    }
}

/// Where the window begins, the key of the event, and its link.
fn head(pattern: &Pattern, plan: &Plan, names: &Names, event: &Ident) -> TokenStream {
    let (at, position) = (ours("at"), ours("position"));
    let outside = outside(pattern, &at, &position);
    let consumed = (pattern.consume == Consume::Partition).then(|| {
        // what a result consumed goes before the next event, not earlier: its matches may still be read
        quote! {
            if let ::core::option::Option::Some((key, until)) = self.consumed.take() {
                for n in self.first..until {
                    if self.ring.get(n).is_some_and(|(at, _)| at.key == key) { self.ring.retire(n); }
                }
            }
        }
    });
    let key = (!pattern.partition.is_empty()).then(|| {
        let key = key(pattern, names, event);
        quote!(let key_of = #key;)
    });
    let link = plan.linked.then(|| {
        let previous = ours("previous");
        quote! {
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
    });
    quote! {
        #consumed
        let entries = self.ring.len();
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
fn taken(pattern: &Pattern, plan: &Plan, names: &Names, event: &Ident) -> TokenStream {
    let (p, position, key) = (&names.p, ours("position"), ours("key"));
    let types: BTreeSet<TypeId> = plan.positions.iter().map(|q| q.ty).collect();
    let arms = types.iter().map(|t| {
        let n = t.0;
        let bits = plan.positions.iter().enumerate().filter(|(_, q)| q.ty == *t).map(|(q, at)| {
            let early = at.early.iter().map(|c| unary(pattern, *c, *t, event, &position));
            quote!(taken |= ((true #(&& #early)*) as ::core::primitive::u64) << #q;)
        });
        let keep = keep(pattern, plan, names, *t, event);
        let keep = quote!(kept = ::core::option::Option::map(#keep, |k| #p::At::new(#position, k)););
        let keep = if pattern.partition.is_empty() {
            keep
        } else {
            quote!(match key_of { ::core::option::Option::Some(#key) => { #keep } ::core::option::Option::None => taken = 0 })
        };
        quote!(#n => { #(#bits)* if taken != 0 { #keep } })
    });
    quote!(match #p::Event::kind(#event) { #(#arms)* _ => {} })
}

/// A declared capacity: refuse the event, or give up the oldest.
fn capacity(pattern: &Pattern, plan: &Plan, names: &Names) -> TokenStream {
    let (Some(Window::Clock(span)), Some(n)) = (&pattern.window, pattern.capacity) else {
        return TokenStream::new();
    };
    if plan.slots == 1 && n > 1 {
        return TokenStream::new();
    }
    let (p, time) = (&names.p, ours("time"));
    if pattern.evict {
        let span = span_literal(*span);
        quote! {
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
        quote! {
            if taken != 0 && entries - first >= #n {
                return ::core::result::Result::Err(#p::PushError::Full);
            }
        }
    }
}

/// The event enters the ring, and consumption empties it.
fn store(pattern: &Pattern, plan: &Plan) -> TokenStream {
    let at = ours("at");
    // a declared capacity counts every accepted event; else only what something may follow is kept
    let waiting = if pattern.capacity.is_some() && pattern.clock.is_some() {
        u64::MAX
    } else {
        plan.bits(|q| !q.edges.is_empty())
    };
    let follow = plan.linked.then(|| {
        quote!(if let ::core::option::Option::Some(n) = newest_of_key {
            self.ring.follow(n);
        })
    });
    let consume = match pattern.consume {
        Consume::None => TokenStream::new(),
        Consume::Any => quote!(if found.is_some() {
            self.first = self.ring.len();
        }),
        Consume::Partition => {
            quote!(if found.is_some()
                && let ::core::option::Option::Some(key) = key_of
            {
                self.consumed = ::core::option::Option::Some((key, self.ring.len()));
            })
        }
    };
    quote! {
        #follow
        if let ::core::option::Option::Some(#at) = kept && taken & #waiting != 0 {
            self.ring.push(#at, taken);
            self.stats.kept += 1;
        }
        #consume
    }
}

/// `FireRiskMatches<'_>`, with the rings' lifetime where they are borrowed.
pub(super) fn matches_type(plan: &Plan, names: &Names) -> TokenStream {
    let matches = &names.matches;
    if plan.storage == Storage::Borrowed { quote!(#matches<'_, 'rings>) } else { quote!(#matches<'_>) }
}

/// The automaton's shape as a constant.
fn table(plan: &Plan, names: &Names) -> TokenStream {
    let p = &names.p;
    let edges = |all: &[crate::plan::Edge]| {
        let each = all.iter().map(|e| {
            let to = u8::try_from(e.to).unwrap_or(u8::MAX);
            let repeats = e.repeats.and_then(|r| u8::try_from(r).ok()).unwrap_or(64);
            let strict = e.strict;
            quote!(#p::Edge { to: #to, strict: #strict, repeats: #repeats })
        });
        quote!(&[#(#each),*])
    };
    let start = edges(&plan.start);
    let all = plan.positions.iter().map(|q| edges(&q.edges));
    let before = (0..plan.positions.len()).map(|q| plan.bits(|o| o.edges.iter().any(|e| e.to == q)));
    let forgetful = plan.forgetful;
    let marks = plan.positions.iter().map(|q| q.marks);
    let contiguous = !plan.linked;
    quote! {
        const __CEP_TABLE: #p::Table = #p::Table { start: #start, edges: &[#(#all),*], before: &[#(#before),*], forgetful: #forgetful, marks: &[#(#marks),*], contiguous: #contiguous };
    }
}

fn reaches_name(q: usize) -> Ident {
    format_ident!("__cep_reaches_{q}", span = Span::mixed_site())
}

/// A position at which something that can panic or cost is evaluated, so that it must be known whether a partial match needs it.
fn needs_partial_match(pattern: &Pattern, plan: &Plan, q: usize, at: &Position) -> bool {
    !at.late.is_empty()
        || (!pattern.is_cyclic() && joint_at(pattern, plan, q).any(|c| !pattern.conjuncts[c.0].cheap))
}

/// The conjuncts over several events that are evaluated when an event joins a run at a position, in the order written.
fn joint_at<'a>(pattern: &'a Pattern, plan: &'a Plan, q: usize) -> impl Iterator<Item = ConjunctId> + 'a {
    let atom = plan.positions[q].atom;
    let of = move |first: bool| {
        let here = move |c: &Conjunct| joins(c, atom) && (c.step == Step::Entry) == first;
        pattern.conjuncts.iter().enumerate().filter(move |(_, c)| here(c)).map(|(i, _)| ConjunctId(i))
    };
    // what was bound before comes first: it belongs to an earlier step
    of(true).chain(of(false))
}

fn joins(c: &Conjunct, atom: crate::hir::AtomId) -> bool {
    match c.step {
        Step::Join => {
            c.reads.iter().any(|r| r.inside && matches!(r.region, Region::All(_)) && r.atoms.contains(&atom))
        }
        Step::Entry => c.scope.atoms.contains(&atom.0),
        Step::Event | Step::End => false,
    }
}

/// The callbacks of the search.
fn functions(pattern: &Pattern, plan: &Plan, names: &Names) -> TokenStream {
    let (p, kept, n, d) = (&names.p, &names.kept, plan.slots, plan.depth);
    let path_type = quote!(&#p::Path<'_, #kept, #n, #d, __CepRing, __CepWalk>);
    let (declared, _) = passed(pattern);
    let steps = (0..plan.positions.len()).map(|q| {
        let number = u8::try_from(q).unwrap_or(u8::MAX);
        let before = leaving(pattern, plan, q);
        let checks: TokenStream = joint_at(pattern, plan, q).map(|c| joint(pattern, plan, c, q)).collect();
        let windows = inner_windows(pattern, plan, q);
        let after = completing(pattern, plan, q);
        quote!(#number => { #windows #before #checks #after true })
    });
    let keys = (!pattern.partition.is_empty()).then(|| {
        quote! {
            if let (::core::option::Option::Some(a), ::core::option::Option::Some(b)) = (path.event(0), path.event(newest)) && a.key != b.key { return false; }
        }
    });
    let strict = plan.linked.then(|| {
        let arms = plan.positions.iter().enumerate().flat_map(|(from, q)| {
            q.edges.iter().filter(|e| e.strict).map(move |e| {
                let (from, to) = (u8::try_from(from).unwrap_or(u8::MAX), u8::try_from(e.to).unwrap_or(u8::MAX));
                let repeats = e.repeats.and_then(|r| u8::try_from(r).ok()).unwrap_or(64);
                quote!((#from, #to, #repeats))
            })
        });
        quote! {
            if newest > 0 && ::core::matches!((path.position(newest - 1), path.position(newest), path.repeats(newest)), #(#arms)|*) && !path.event(newest).is_some_and(|at| at.previous == path.entry(newest - 1) + 1) { return false; }
        }
    });
    let reaches = plan
        .positions
        .iter()
        .enumerate()
        .filter(|(q, at)| needs_partial_match(pattern, plan, *q, at))
        .map(|(q, at)| reaches(pattern, plan, names, q, at));
    quote! {
        /// Whether the event that joined last may stay.
        #[inline(always)]
        #[allow(unused_variables, clippy::too_many_arguments)]
        fn __cep_admits<__CepRing: #p::Storage, __CepWalk: #p::Storage>(path: #path_type, #declared) -> ::core::primitive::bool {
            let newest = path.newest();
            #keys
            #strict
            match path.position(newest) { #(#steps)* _ => true }
        }
        #(#reaches)*
    }
}

/// The conjuncts that look at whole instances which the event, joining at `q`, leaves behind.
fn leaving(pattern: &Pattern, plan: &Plan, q: usize) -> TokenStream {
    let mut out = TokenStream::new();
    for (i, c) in pattern.conjuncts.iter().enumerate().filter(|(_, c)| c.step == Step::End) {
        let inside = positions_of(&c.scope);
        let stays = c.scope.atoms.contains(&plan.positions[q].atom.0);
        let again = loop_bits(&c.scope.loops);
        // inside the formula an instance ends only with a new repetition of something around it
        if stays && again == 0 {
            continue;
        }
        let ends = if stays {
            quote!(path.repeats(newest) < 64 && #again >> path.repeats(newest) & 1 != 0)
        } else {
            quote!(true)
        };
        let check = whole(pattern, plan, ConjunctId(i), &quote!((newest - 1)));
        out.extend(quote! {
            if newest > 0 && path.takes(newest - 1, #inside) && #ends { #check }
        });
    }
    out
}

/// Those that end with the match itself.
fn completing(pattern: &Pattern, plan: &Plan, q: usize) -> TokenStream {
    let atom = plan.positions[q].atom.0;
    let checks: TokenStream = pattern
        .conjuncts
        .iter()
        .enumerate()
        .filter(|(_, c)| c.step == Step::End && c.scope.atoms.contains(&atom))
        .map(|(i, _)| whole(pattern, plan, ConjunctId(i), &quote!(newest)))
        .collect();
    if checks.is_empty() || !plan.positions[q].accepting {
        return TokenStream::new();
    }
    quote!(if path.is_complete() { #checks })
}

fn positions_of(scope: &Scope) -> u64 {
    scope.atoms.clone().fold(0, |m, a| m | 1 << a)
}

/// `(φ within W)`: the span from the first event of the instance to the newest.
fn inner_windows(pattern: &Pattern, plan: &Plan, q: usize) -> TokenStream {
    let atom = plan.positions[q].atom.0;
    let here = pattern.inner_windows.iter().filter(|w| w.scope.atoms.contains(&atom));
    here.map(|InnerWindow { window, scope }| {
        let (inside, loops) = (positions_of(scope), loop_bits(&scope.loops));
        let test = match window {
            Window::Events(n) => quote!(last.position() - first.position() < #n),
            Window::Clock(a) => {
                let span = span_literal(*a);
                quote!(__CepClock::within(first.time, last.time, #span))
            }
        };
        quote! {
            if let (::core::option::Option::Some(first), ::core::option::Option::Some(last)) =
                (path.first_of(path.segment(newest, #loops), newest, #inside).and_then(|n| path.event(n)), path.event(newest))
                && !(#test) { return false; }
        }
    })
    .collect()
}

/// A conjunct over several events as an event joins at position `q`: for each of its reads that the event can be, all choices of the others.
fn joint(pattern: &Pattern, plan: &Plan, id: ConjunctId, q: usize) -> TokenStream {
    let c = &pattern.conjuncts[id.0];
    let atom = plan.positions[q].atom;
    if c.step == Step::Entry {
        let (inside, loops) = (positions_of(&c.scope), loop_bits(&c.scope.loops));
        let check = choices(pattern, plan, id, None, &quote!(newest));
        return quote! {
            if path.first_of(path.segment(newest, #loops), newest, #inside) == ::core::option::Option::Some(newest) { #check }
        };
    }
    let fixed = c
        .reads
        .iter()
        .enumerate()
        .filter(|(_, r)| r.inside && matches!(r.region, Region::All(_)) && r.atoms.contains(&atom));
    fixed.map(|(i, _)| choices(pattern, plan, id, Some(i), &quote!(newest))).collect()
}

/// A conjunct over a whole instance that ends with event `at`.
fn whole(pattern: &Pattern, plan: &Plan, id: ConjunctId, at: &TokenStream) -> TokenStream {
    choices(pattern, plan, id, None, at)
}

/// Nested loops over the events that each read can stand for, seen from event `at`; read `fixed` is that event itself. Returns `false` from the
/// callback where a choice fails.
fn choices(
    pattern: &Pattern,
    plan: &Plan,
    id: ConjunctId,
    fixed: Option<usize>,
    at: &TokenStream,
) -> TokenStream {
    let c = &pattern.conjuncts[id.0];
    let events: Vec<Ident> = (0..c.reads.len()).map(|i| ours(&format!("read_{i}"))).collect();
    let (guard, arguments) = (guards::joint_name(id), arguments(pattern, id));
    let mut body = quote! {
        if !#guard(path, #at, #(#events,)* () #arguments) { return false; }
    };
    for (i, r) in c.reads.iter().enumerate().rev() {
        let event = &events[i];
        let k = ours(&format!("k_{i}"));
        body = if fixed == Some(i) {
            quote!(if let ::core::option::Option::Some(#event) = path.event(#at) { #body })
        } else {
            let inner = quote!(if let ::core::option::Option::Some(#event) = path.event(#k) { #body });
            ranged(pattern, plan, r, &k, at, inner)
        };
    }
    body
}

/// `for k in …`, or `if let Some(k) = …` where a read is at most one event.
fn ranged(
    pattern: &Pattern,
    plan: &Plan,
    r: &Read,
    k: &Ident,
    at: &TokenStream,
    inner: TokenStream,
) -> TokenStream {
    let positions = plan.bits_of(&r.atoms);
    let around = |id: LoopId| loop_bits(&pattern.loops[id.0].enclosing);
    match &r.region {
        Region::All(loops) => {
            let bits = loop_bits(loops);
            quote!(for #k in path.segment(#at, #bits)..=#at { if path.takes(#k, #positions) { #inner } })
        }
        Region::First(loops) => {
            let bits = loop_bits(loops);
            quote!(if let ::core::option::Option::Some(#k) = path.first_of(path.segment(#at, #bits), #at, #positions) { #inner })
        }
        Region::Last(loops) => {
            let bits = loop_bits(loops);
            quote!(if let ::core::option::Option::Some(#k) = path.last_of(path.segment(#at, #bits), #at, #positions) { #inner })
        }
        Region::Previous(id) => {
            let (own, outer) = (1u64 << id.0, around(*id));
            quote! {
                if let ::core::option::Option::Some((from, to)) = path.repetition_before(#at, #own, #outer)
                    && let ::core::option::Option::Some(#k) = path.first_of(from, to, #positions) { #inner }
            }
        }
        Region::FirstBefore(id) => {
            let (own, outer) = (1u64 << id.0, around(*id));
            quote! {
                if let ::core::option::Option::Some((_, to)) = path.repetition_before(#at, #own, #outer)
                    && let ::core::option::Option::Some(#k) = path.first_of(path.segment(#at, #outer), to, #positions) { #inner }
            }
        }
    }
}

/// Whether some partial match takes the event at position `q`, its conditions evaluated in the order written.
fn reaches(pattern: &Pattern, plan: &Plan, names: &Names, q: usize, at: &Position) -> TokenStream {
    let (p, on, kept, name, n, d) =
        (&names.p, &names.on, &names.kept, reaches_name(q), plan.slots, plan.depth);
    let (event, position) = (ours("event"), ours("position"));
    let (declared, call) = passed(pattern);
    let verdict = |c: ConjunctId| format_ident!("verdict_{}", c.0, span = Span::mixed_site());
    let verdicts = at.late.iter().map(|c| {
        let v = verdict(*c);
        quote!(let mut #v: ::core::option::Option<::core::primitive::bool> = ::core::option::Option::None;)
    });
    // in the order written; a unary one that failed decides for every partial match
    let mut here: Vec<ConjunctId> = (0..pattern.conjuncts.len())
        .map(ConjunctId)
        .filter(|c| at.late.contains(c) || joins(&pattern.conjuncts[c.0], at.atom))
        .collect();
    here.sort_by_key(|c| pattern.conjuncts[c.0].step != Step::Entry);
    let steps: TokenStream = here
        .iter()
        .map(|c| {
            if at.late.contains(c) {
                let (v, call) = (verdict(*c), unary(pattern, *c, at.ty, &event, &position));
                quote! {
                    let holds = match #v { ::core::option::Option::Some(v) => v, ::core::option::Option::None => #call };
                    #v = ::core::option::Option::Some(holds);
                    if !holds { failed = true; return false; }
                }
            } else {
                joint(pattern, plan, *c, q)
            }
        })
        .collect();
    let before = leaving(pattern, plan, q);
    let windows = inner_windows(pattern, plan, q);
    // conditions over several events are all evaluated now, so that one that panics does so at the event that asks for it
    let joined = here.iter().any(|c| !at.late.contains(c) && !pattern.conjuncts[c.0].cheap);
    let detect = matches!(pattern.output, Output::Detect);
    let exhaust = joined && !pattern.is_cyclic() && !(at.accepting && detect);
    let next = if exhaust { quote!(reached = true;) } else { quote!(reached = true; break;) };
    let bit = 1u64 << q;
    let keys = (!pattern.partition.is_empty()).then(|| {
        quote! {
            if let (::core::option::Option::Some(a), ::core::option::Option::Some(b)) = (path.event(0), path.event(newest)) && a.key != b.key { return false; }
        }
    });
    let linked = plan.linked.then(|| {
        let strict: Vec<TokenStream> = plan
            .positions
            .iter()
            .enumerate()
            .flat_map(|(from, o)| {
                o.edges.iter().filter(|e| e.strict && e.to == q).map(move |e| {
                    let from = u8::try_from(from).unwrap_or(u8::MAX);
                    let repeats = e.repeats.and_then(|r| u8::try_from(r).ok()).unwrap_or(64);
                    quote!((#from, #repeats))
                })
            })
            .collect();
        if strict.is_empty() {
            return TokenStream::new();
        }
        quote! {
            if newest > 0 && ::core::matches!((path.position(newest - 1), path.repeats(newest)), #(#strict)|*) && !path.event(newest).is_some_and(|at| at.previous == path.entry(newest - 1) + 1) { return false; }
        }
    });
    quote! {
        #[allow(unused_mut, unused_assignments, unused_variables, clippy::too_many_arguments, clippy::never_loop)]
        fn #name<__CepRing: #p::Storage, __CepWalk: #p::Storage>(
            ring: &#p::Ring<#kept, #n, __CepRing>,
            walk: &mut #p::Walk<#d, __CepWalk>,
            #event: &#on,
            at: &#p::At<#kept>,
            first: ::core::primitive::u64,
            entries: ::core::primitive::u64,
            #declared
        ) -> ::core::primitive::bool {
            let #position = at.position();
            walk.begin(first, entries, #bit);
            #(#verdicts)*
            let (mut reached, mut failed) = (false, false);
            loop {
                let more = walk.advance(&__CEP_TABLE, ring, at, |path| {
                    if failed { return false; }
                    let newest = path.newest();
                    if !path.is_complete() { return __cep_admits(path, #call); }
                    #keys
                    #linked
                    #windows
                    #before
                    #steps
                    true
                });
                if !more || failed { break; }
                #next
            }
            walk.stop();
            reached && !failed
        }
    }
}

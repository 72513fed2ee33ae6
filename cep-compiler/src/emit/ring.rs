//! `push` over the universal ring.
//!
//! Order of work: which positions the event's type and its early conditions allow; what is kept of it; the late conditions, each only for a
//! partial match that needs it; and only then the first change of state, so that a condition that panics leaves the machine as it was.
use super::guards;
use super::kept::keep;
use super::latest::{arguments, detect_traits, unary};
use super::machine::{family, lifetime, oldest};
use super::names::{Names, ours};
use crate::hir::{AtomId, ConjunctId, Output, Pattern, TypeId};
use crate::plan::{Plan, Position};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use std::collections::BTreeSet;

/// The `push` method, the search's callbacks and, for `detect`, the trait impls.
pub(super) fn push(pattern: &Pattern, plan: &Plan, names: &Names) -> TokenStream {
    let (p, on, vis, name, lifetime) =
        (&names.p, &names.on, &pattern.visibility, &names.machine, lifetime(plan));
    let (event, position, since, at) = (ours("event"), ours("position"), ours("since"), ours("at"));
    let table = table(plan, names);
    let oldest = oldest(plan);
    let types: BTreeSet<TypeId> = plan.positions.iter().map(|q| q.ty).collect();
    let arms = types.iter().map(|t| {
        let n = t.0;
        let bits = plan.positions.iter().enumerate().filter(|(_, q)| q.ty == *t).map(|(q, at)| {
            let early = at.early.iter().map(|c| unary(pattern, *c, &event, &position));
            quote!(taken |= ((true #(&& #early)*) as ::core::primitive::u64) << #q;)
        });
        let keep = keep(pattern, plan, names, *t, &event);
        quote!(#n => {
            #(#bits)*
            if taken != 0 { kept = ::core::option::Option::map(#keep, |k| #p::At::new(#position, k)); }
        })
    });
    let detect = matches!(pattern.output, Output::Detect);
    let late = plan.positions.iter().enumerate().filter(|(_, q)| !q.late.is_empty()).map(|(q, _)| {
        let reaches = reaches_name(q);
        quote!(if taken >> #q & 1 != 0 && !self.#reaches(#event, &#at, #since) { taken &= !(1 << #q); })
    });
    let waiting =
        plan.positions.iter().enumerate().filter(|(_, q)| q.waits).fold(0u64, |m, (q, _)| m | 1 << q);
    let last = plan.last;
    let last_number = u8::try_from(last).unwrap_or(u8::MAX);
    let complete = admits_call(pattern, plan, last_number);
    let (output, decide, finish, result) = if detect {
        (
            quote!(::core::primitive::bool),
            quote! {
                if taken >> #last & 1 != 0 {
                    let mut search = #p::Search::idle();
                    search.begin(#last_number, self.ring.len(), #since);
                    while search.advance(&__CEP_TABLE, &self.ring, &#at, |path| #complete) {
                        let start = search.path(&self.ring, &#at).first().map_or(#position, #p::At::position);
                        found = ::core::option::Option::Some(start);
                        // from here on only later starts are of interest
                        search.narrow(start + 1);
                    }
                }
            },
            quote!(),
            quote! {
                if found.is_some() { self.last_start = found; self.stats.results += 1; }
                found.is_some()
            },
        )
    } else {
        let matches = &names.matches;
        (
            matches_type(plan, names),
            quote!(),
            quote! {
                if taken >> #last & 1 != 0 {
                    self.last = ::core::option::Option::Some(#at);
                    self.search.begin(#last_number, entries, #since);
                }
            },
            quote!(#matches { machine: self }),
        )
    };
    let stop = (!detect).then(|| quote!(self.search.stop();));
    let found = detect.then(|| quote!(let mut found: ::core::option::Option<::core::primitive::u64> = ::core::option::Option::None;));
    let functions = functions(pattern, plan, names);
    let doc = if detect {
        "Takes one event and says whether a match ends at it."
    } else {
        "Takes one event and gives the matches that end at it. They are found one at a time, as they are asked for."
    };
    let traits = if detect { detect_traits(plan, names) } else { TokenStream::new() };
    quote! {
        #table
        impl #lifetime #name #lifetime {
            #[doc = #doc]
            #[inline]
            #vis fn push(&mut self, #event: &#on) -> #output {
                let #position = self.position;
                let #since = #oldest;
                let mut taken: ::core::primitive::u64 = 0;
                let mut kept = ::core::option::Option::None;
                #found
                match #p::Event::kind(#event) { #(#arms)* _ => {} }
                if let ::core::option::Option::Some(#at) = kept {
                    #(#late)*
                    #decide
                }
                // no condition of the user's runs from here on
                self.position = #position + 1;
                self.stats.events = self.position;
                #stop
                if let ::core::option::Option::Some(#at) = kept {
                    let entries = self.ring.len();
                    if taken & #waiting != 0 { self.ring.push(#at, taken); self.stats.kept += 1; }
                    #finish
                }
                #result
            }
            #functions
        }
        #traits
    }
}

/// `FireRiskMatches<'_>`, with the rings' lifetime where they are borrowed.
pub(super) fn matches_type(plan: &Plan, names: &Names) -> TokenStream {
    let matches = &names.matches;
    if plan.storage == crate::ast::Storage::Borrowed {
        quote!(#matches<'_, 'rings>)
    } else {
        quote!(#matches<'_>)
    }
}

/// The automaton's shape as a constant.
fn table(plan: &Plan, names: &Names) -> TokenStream {
    let p = &names.p;
    let predecessors = plan.positions.iter().map(|q| {
        let all = q.predecessors.iter().map(|b| u8::try_from(*b).unwrap_or(u8::MAX));
        quote!(&[#(#all),*])
    });
    // predecessors have smaller numbers
    let mut steps: Vec<u8> = Vec::new();
    for q in &plan.positions {
        let before = q.predecessors.iter().filter_map(|b| steps.get(*b)).min();
        steps.push(if q.initial { 0 } else { before.map_or(0, |n| n.saturating_add(1)) });
    }
    let initial =
        plan.positions.iter().enumerate().filter(|(_, q)| q.initial).fold(0u64, |m, (q, _)| m | 1 << q);
    quote! {
        const __CEP_TABLE: #p::Table = #p::Table { predecessors: &[#(#predecessors),*], initial: #initial, steps: &[#(#steps),*] };
    }
}

fn reaches_name(q: usize) -> Ident {
    format_ident!("reaches_{q}", span = proc_macro2::Span::mixed_site())
}

/// The call that asks whether a chosen event may stay: `path` ends at position `top`.
pub(super) fn admits_call(pattern: &Pattern, plan: &Plan, top: u8) -> TokenStream {
    let own = plan.positions[usize::from(top)].late.iter().filter(|c| !pattern.conjuncts[c.0].is_unary());
    let atoms = |c: &ConjunctId| call_on_path(pattern, plan, *c, usize::from(top));
    let own: Vec<TokenStream> = own.map(atoms).collect();
    if own.is_empty() {
        return quote!(self.admits(path, #top));
    }
    quote!(self.admits(path, #top) && (!__CEP_TABLE.starts(path.position()) || (true #(&& #own)*)))
}

/// A guard over several events, each looked up on the path. The path's newest event takes position `top`.
fn call_on_path(pattern: &Pattern, plan: &Plan, c: ConjunctId, top: usize) -> TokenStream {
    let conjunct = &pattern.conjuncts[c.0];
    let events = conjunct.reads.iter().map(|r| {
        let back = top.saturating_sub(position_of(plan, r.atom));
        quote!(path.event(#back))
    });
    let names: Vec<Ident> = (0..conjunct.reads.len()).map(|i| ours(&format!("read_{i}"))).collect();
    let (guard, arguments) = (guards::name(c), arguments(pattern, c));
    quote!(
        ::core::matches!((#(#events,)*), (#(::core::option::Option::Some(#names),)*) if #guard(#(#names),* #arguments))
    )
}

fn position_of(plan: &Plan, atom: AtomId) -> usize {
    plan.positions.iter().position(|q| q.atom == atom).unwrap_or(0)
}

/// The callbacks of the search.
fn functions(pattern: &Pattern, plan: &Plan, names: &Names) -> TokenStream {
    let (p, kept, n, d) = (&names.p, &names.kept, plan.slots, plan.positions.len());
    let family = family(plan, names);
    let path_type = quote!(&#p::Path<'_, #kept, #n, #family, #d>);
    // conditions whose last event lies beyond the path's newest one have nothing to say yet
    let prune = plan.positions.iter().enumerate().map(|(q, at)| {
        let number = u8::try_from(q).unwrap_or(u8::MAX);
        let checks = at.prune.iter().map(|c| {
            let step = position_of(plan, pattern.conjuncts[c.0].step);
            let step = u8::try_from(step).unwrap_or(u8::MAX);
            let call = call_from(pattern, plan, *c);
            quote!((top < #step || #call))
        });
        let settled = if at.initial { settled(pattern, plan) } else { TokenStream::new() };
        quote!(#number => true #(&& #checks)* #settled,)
    });
    let reaches = plan
        .positions
        .iter()
        .enumerate()
        .filter(|(_, at)| !at.late.is_empty())
        .map(|(q, at)| reaches(pattern, plan, names, q, at));
    quote! {
        /// Whether the event chosen last may stay on a path whose newest event takes position `top`.
        #[inline(always)]
        fn admits(&self, path: #path_type, top: ::core::primitive::u8) -> ::core::primitive::bool {
            let _ = (path, top);
            match path.position() { #(#prune)* _ => true }
        }
        #(#reaches)*
    }
}

/// As [`call_on_path`] where `top` is known only when the machine runs.
fn call_from(pattern: &Pattern, plan: &Plan, c: ConjunctId) -> TokenStream {
    let conjunct = &pattern.conjuncts[c.0];
    let events = conjunct.reads.iter().map(|r| {
        let at = position_of(plan, r.atom);
        quote!(path.event((top as ::core::primitive::usize).wrapping_sub(#at)))
    });
    let names: Vec<Ident> = (0..conjunct.reads.len()).map(|i| ours(&format!("read_{i}"))).collect();
    let (guard, arguments) = (guards::name(c), arguments(pattern, c));
    quote!(
        ::core::matches!((#(#events,)*), (#(::core::option::Option::Some(#names),)*) if #guard(#(#names),* #arguments))
    )
}

/// At the start of a run everything is known: the late conditions over several events, in the order of their steps.
fn settled(pattern: &Pattern, plan: &Plan) -> TokenStream {
    let all = plan.positions.iter().enumerate().flat_map(|(q, at)| {
        let step = u8::try_from(q).unwrap_or(u8::MAX);
        at.late.iter().filter(|c| !pattern.conjuncts[c.0].is_unary()).map(move |c| (step, *c))
    });
    all.map(|(step, c)| {
        let call = call_from(pattern, plan, c);
        // those of the newest event itself are the caller's: its unary ones stand between them
        quote!(&& (top <= #step || #call))
    })
    .collect()
}

/// Whether some partial match takes the event at position `q`, its late conditions evaluated in the order written.
fn reaches(pattern: &Pattern, plan: &Plan, names: &Names, q: usize, at: &Position) -> TokenStream {
    let (p, on, kept, name) = (&names.p, &names.on, &names.kept, reaches_name(q));
    let (event, position, since) = (ours("event"), ours("position"), ours("since"));
    let head = quote! {
        fn #name(&self, #event: &#on, at: &#p::At<#kept>, #since: ::core::primitive::u64) -> ::core::primitive::bool
    };
    if at.predecessors.is_empty() {
        let all = at.late.iter().map(|c| unary(pattern, *c, &event, &position));
        return quote! { #head { let _ = #since; let #position = at.position(); true #(&& #all)* } };
    }
    let number = u8::try_from(q).unwrap_or(u8::MAX);
    let verdict = |c: ConjunctId| format_ident!("verdict_{}", c.0, span = proc_macro2::Span::mixed_site());
    let verdicts = at.late.iter().filter(|c| pattern.conjuncts[c.0].is_unary()).map(|c| {
        let v = verdict(*c);
        quote!(let mut #v: ::core::option::Option<::core::primitive::bool> = ::core::option::Option::None;)
    });
    let steps = at.late.iter().map(|c| {
        if pattern.conjuncts[c.0].is_unary() {
            let (v, call) = (verdict(*c), unary(pattern, *c, &event, &position));
            quote! {
                let holds = match #v { ::core::option::Option::Some(v) => v, ::core::option::Option::None => #call };
                #v = ::core::option::Option::Some(holds);
                if !holds { return false; }
            }
        } else {
            let call = call_on_path(pattern, plan, *c, q);
            quote!(if !#call { continue; })
        }
    });
    let joined = at.late.iter().any(|c| !pattern.conjuncts[c.0].is_unary());
    // conditions over several events are all evaluated now, so that one that panics does so at the event that asks for it
    let next = if joined && !(at.accepting && matches!(pattern.output, Output::Detect)) {
        quote!(reached = true;)
    } else {
        quote!(return true;)
    };
    quote! {
        #[allow(unused_mut, unused_assignments, unreachable_code, clippy::never_loop)]
        #head {
            let #position = at.position();
            let mut search = #p::Search::idle();
            search.begin(#number, self.ring.len(), #since);
            #(#verdicts)*
            let mut reached = false;
            while search.advance(&__CEP_TABLE, &self.ring, at, |path| self.admits(path, #number)) {
                let path = &search.path(&self.ring, at);
                let _ = (path, #position);
                #(#steps)*
                #next
            }
            reached
        }
    }
}

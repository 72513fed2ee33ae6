//! `detect` of patterns whose conditions read one event each: the latest start per position.
use super::guards;
use super::machine::{lifetime, oldest, parameter_field};
use super::names::{Names, ours};
use crate::hir::{ConjunctId, Pattern, TypeId};
use crate::plan::{Plan, Position};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use std::collections::BTreeSet;

/// A unary guard's call on the current event.
pub(super) fn unary(pattern: &Pattern, c: ConjunctId, event: &Ident, position: &Ident) -> TokenStream {
    let (name, arguments) = (guards::name(c), arguments(pattern, c));
    quote!(#name(#event, #position #arguments))
}

/// `, self.parameter_0, …` for the parameters that a conjunct reads.
pub(super) fn arguments(pattern: &Pattern, c: ConjunctId) -> TokenStream {
    let fields = pattern.conjuncts[c.0].parameters.iter().map(|i| parameter_field(*i));
    quote!(#(, self.#fields)*)
}

/// The `push` method and the trait impls of a `detect` machine.
pub(super) fn push(pattern: &Pattern, plan: &Plan, names: &Names) -> TokenStream {
    let (p, on, vis, name) = (&names.p, &names.on, &pattern.visibility, &names.machine);
    let (event, position, since) = (ours("event"), ours("position"), ours("since"));
    let oldest = oldest(plan);
    let types: BTreeSet<TypeId> = plan.positions.iter().map(|p| p.ty).collect();
    let arms = types.iter().map(|t| {
        let n = t.0;
        let here: Vec<(usize, &Position)> =
            plan.positions.iter().enumerate().filter(|(_, q)| q.ty == *t).collect();
        let decide = here.iter().map(|(q, at)| decide(pattern, *q, at, &event, &position, &since));
        // every guard has been evaluated before the first position changes; none is read after it was entered
        let enter = here.iter().rev().map(|(q, _)| enter(plan, *q));
        quote!(#n => { #(#decide)* #(#enter)* })
    });
    let body = quote! {
        let #position = self.position;
        let #since = #oldest;
        let mut hit: ::core::primitive::u64 = 0;
        match #p::Event::kind(#event) { #(#arms)* _ => {} }
        self.position = #position + 1;
        self.stats.events = self.position;
        if hit != 0 {
            self.last_start = ::core::option::Option::Some(hit - 1);
            self.stats.results += 1;
        }
        hit != 0
    };
    let traits = detect_traits(plan, names);
    quote! {
        impl #name {
            /// Takes one event and says whether a match ends at it. O(positions), whatever the window.
            #[inline]
            #vis fn push(&mut self, #event: &#on) -> ::core::primitive::bool { #body }
        }
        #traits
    }
}

/// `let enter_2 = …;`: the start, plus one, with which the event enters a position, or 0.
fn decide(
    pattern: &Pattern,
    q: usize,
    at: &Position,
    event: &Ident,
    position: &Ident,
    since: &Ident,
) -> TokenStream {
    let name = entered(q);
    let early = at.early.iter().map(|c| unary(pattern, *c, event, position));
    let late = at.late.iter().map(|c| unary(pattern, *c, event, position));
    let from = at.predecessors.iter().fold(
        if at.initial { quote!(#position + 1) } else { quote!(0) },
        |best, before| quote!(::core::cmp::Ord::max(#best, self.latest.since(#before, #since))),
    );
    quote! {
        let from: ::core::primitive::u64 = #from;
        let #name: ::core::primitive::u64 = if from != 0 #(&& #early)* #(&& #late)* { from } else { 0 };
    }
}

fn enter(plan: &Plan, q: usize) -> TokenStream {
    let name = entered(q);
    if plan.positions[q].accepting { quote!(hit = #name;) } else { quote!(self.latest.enter(#q, #name);) }
}

fn entered(q: usize) -> Ident {
    format_ident!("entered_{q}", span = proc_macro2::Span::mixed_site())
}

/// The traits of a machine whose output is `bool`.
pub(super) fn detect_traits(plan: &Plan, names: &Names) -> TokenStream {
    let (p, name, lifetime) = (&names.p, &names.machine, lifetime(plan));
    machine_trait(
        plan,
        names,
        &quote!(::core::primitive::bool),
        &quote!(impl #lifetime #p::Gives<'_> for #name #lifetime { type Output = ::core::primitive::bool; }),
    )
}

/// `impl Machine`, where the stream's event is one type, and no less visible than the machine.
pub(super) fn machine_trait(
    plan: &Plan,
    names: &Names,
    output: &TokenStream,
    gives: &TokenStream,
) -> TokenStream {
    if !names.is_generic {
        return TokenStream::new();
    }
    let (p, on, name, lifetime) = (&names.p, &names.on_static, &names.machine, lifetime(plan));
    quote! {
        #gives
        impl #lifetime #p::Machine for #name #lifetime {
            type Event = #on;
            type Error = #p::Never;
            #[inline]
            fn push(&mut self, event: &#on) -> ::core::result::Result<#output, #p::Never> {
                ::core::result::Result::Ok(#name::push(self, event))
            }
            fn reset(&mut self) { #name::reset(self) }
            fn position(&self) -> ::core::primitive::u64 { #name::position(self) }
            fn stats(&self) -> #p::Stats { #name::stats(self) }
        }
    }
}

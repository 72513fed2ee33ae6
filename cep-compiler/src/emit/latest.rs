//! `detect` of patterns whose conditions read one event each: the latest start per position.
use super::guards;
use super::kept::time;
use super::machine::{enter_time, given, lifetime, window_test};
use super::names::{Names, ours};
use crate::ast::Consume;
use crate::hir::{ConjunctId, Pattern, TypeId};
use crate::plan::{Plan, Position};
use crate::sorted::Set;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

/// The call of a guard of one event.
pub(super) fn unary(
    pattern: &Pattern,
    c: ConjunctId,
    ty: TypeId,
    event: &Ident,
    position: &Ident,
) -> TokenStream {
    let (name, arguments) = (guards::unary_name(c, ty), arguments(pattern, c));
    quote!(#name(#event, #position #arguments))
}

/// `, given_0, …` for the parameters that a conjunct reads.
pub(super) fn arguments(pattern: &Pattern, c: ConjunctId) -> TokenStream {
    let each = pattern.conjuncts[c.0].parameters.iter().map(|i| given(*i));
    quote!(#(, #each)*)
}

/// The `push` method and the trait impls.
pub(super) fn push(pattern: &Pattern, plan: &Plan, names: &Names) -> TokenStream {
    let (p, on, vis, name) = (&names.p, &names.on, &pattern.visibility, &names.machine);
    let (event, position, now) = (ours("event"), ours("position"), ours("time"));
    let parameters = super::machine::unpack(pattern);
    let types: Set<TypeId> = plan.positions.iter().map(|p| p.ty).collect();
    let arms = types.iter().map(|t| {
        let n = t.0;
        let here: Vec<(usize, &Position)> =
            plan.positions.iter().enumerate().filter(|(_, q)| q.ty == *t).collect();
        let decide = here.iter().map(|(q, at)| decide(pattern, plan, names, (*q, at), &event, &position));
        quote!(#n => { #(#decide)* })
    });
    // every guard has been evaluated before the first position changes
    let enter = plan.positions.iter().enumerate().map(|(q, at)| {
        let run = entered(q);
        let hit = at.accepting.then(|| quote!(hit = #p::Start::later(hit, #run);));
        let enter = if at.edges.is_empty() {
            TokenStream::new()
        } else if at.edges.iter().all(|e| e.strict) {
            quote!(self.latest.replace(#q, #run);)
        } else if at.edges.iter().any(|e| e.strict) {
            // both kinds of transition leave it: the newest run for the one, the latest start for the other
            let fresh = super::machine::latest_slots(plan) + q;
            quote!(self.latest.replace(#fresh, #run); self.latest.enter(#q, #run);)
        } else {
            quote!(self.latest.enter(#q, #run);)
        };
        quote!(#hit #enter)
    });
    let none = (0..plan.positions.len()).map(|q| {
        let run = entered(q);
        quote!(let mut #run = ::core::option::Option::None;)
    });
    let clock = enter_time(pattern, &time(pattern, names, &event), names);
    let here = if pattern.clock.is_some() { quote!(#now) } else { quote!(()) };
    let consume = (pattern.consume == Consume::Any).then(|| quote!(self.latest.clear();));
    let commit = super::machine::commit_time(pattern);
    let (output, answer) = if plan.fallible {
        (
            quote!(::core::result::Result<::core::primitive::bool, #p::PushError>),
            quote!(::core::result::Result::Ok(hit.is_some())),
        )
    } else {
        (quote!(::core::primitive::bool), quote!(hit.is_some()))
    };
    let errors = super::machine::errors_doc(plan);
    let traits = detect_traits(plan, names);
    quote! {
        impl #name {
            /// Takes one event and says whether a match ends at it. O(positions), whatever the window.
            #errors
            #[inline]
            #vis fn push(&mut self, #event: &#on) -> #output {
                let #position = self.position;
                #clock
                #parameters
                let begun = #p::Start::new(#position, #here);
                #(#none)*
                match #p::Event::kind(#event) { #(#arms)* _ => {} }
                let mut hit = ::core::option::Option::None;
                #(#enter)*
                let _ = begun;
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

/// `entered_2 = …;`: the run with which the event enters a position.
fn decide(
    pattern: &Pattern,
    plan: &Plan,
    names: &Names,
    (q, at): (usize, &Position),
    event: &Ident,
    position: &Ident,
) -> TokenStream {
    let (p, private) = (quote!(::core::option::Option), &names.p);
    let name = entered(q);
    let early = at.early.iter().map(|c| unary(pattern, *c, at.ty, event, position));
    let late = at.late.iter().map(|c| unary(pattern, *c, at.ty, event, position));
    let mut from = if at.initial { quote!(#p::Some(begun)) } else { quote!(#p::None) };
    let live = window_test(pattern, &ours("run"), position);
    for (before, o) in plan.positions.iter().enumerate() {
        for e in o.edges.iter().filter(|e| e.to == q) {
            let (slot, next) = if !e.strict {
                (before, TokenStream::new())
            } else {
                let both = o.edges.iter().any(|x| !x.strict);
                (
                    if both { super::machine::latest_slots(plan) + before } else { before },
                    quote!(&& run.is_next(#position)),
                )
            };
            let run = ours("run");
            from = quote!(#private::Start::later(#from, self.latest.get(#slot).filter(|#run| { let run = #run; #live #next }).map(|r| r.extended(#position))));
        }
    }
    quote! {
        {
            let from = #from;
            if from.is_some() #(&& #early)* #(&& #late)* { #name = from; }
        }
    }
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
    let (error, call) = if plan.fallible {
        (quote!(#p::PushError), quote!(#name::push(self, event)))
    } else {
        (quote!(#p::Never), quote!(::core::result::Result::Ok(#name::push(self, event))))
    };
    quote! {
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

//! Aggregates: the registers that a run carries, how an event is folded into them as it joins, and how they are read.
//!
//! A register begins anew with a repetition of an iteration around its aggregate. A computed event is folded into others when its part is
//! complete: as the event behind it joins, or (`settled`) when it is read.
use super::guards::{folded, loop_bits};
use super::names::{Names, ours};
use crate::code::{Piece, code, picked_pieces, pieces};
use crate::hir::{AggregateId, AtomId, Fold, FoldId, Pattern, ReadAttribute};
use crate::plan::Plan;
use crate::schema::Kind;
use crate::slices::find;
use proc_macro2::Span;

/// `, __FooRegisters`: the last argument of the search's types; nothing where a pattern has no registers.
pub(super) fn argument(plan: &Plan, names: &Names) -> Piece {
    if plan.registers.is_empty() {
        return Piece::EMPTY;
    }
    let registers = names.registers;
    code!([registers] , #registers)
}

/// The field of a fold.
pub(super) fn field(f: FoldId) -> Piece {
    Piece::name(format_args!("f{}", f.0), Span::call_site())
}

/// The monoid of a fold as a type.
pub(super) fn monoid(pattern: &Pattern, names: &Names, id: FoldId) -> Piece {
    let (p, f) = (names.p, pattern.fold(id));
    let value = match &f.attribute {
        None => return code!([p] #p::Count),
        Some(a) => value_type(pattern, names, a),
    };
    let base = super::monoid::of(f.function, f.monoid.as_ref(), value, p);
    if nulls(f) { super::monoid::over_null(base, f.some, plain_optional(f), p) } else { base }
}

/// Some value may be NULL.
fn nulls(f: &Fold) -> bool {
    f.attribute.as_ref().is_some_and(|a| a.nullable)
}

/// The monoid without NULLs gives an `Option`.
fn plain_optional(f: &Fold) -> bool {
    let kind = f.attribute.as_ref().map_or(&Kind::Opaque, |a| &a.kind);
    f.function.gives_option(kind)
}

/// The type of an attribute's values, those that are there.
fn value_type(pattern: &Pattern, names: &Names, a: &ReadAttribute) -> Piece {
    let p = names.p;
    if let Some((g, i)) = a.computed.first() {
        return result_value(pattern, names, pattern.aggregates[g.0].fields[*i].fold);
    }
    let plain = find(&a.of, |(t, i)| !pattern.schema.types[t.0].attributes[i.0].nullable);
    match (plain, a.of.first()) {
        (Some((t, i)), _) => names.attribute(*t, *i),
        (None, Some((t, i))) => {
            let of = names.attribute(*t, *i);
            code!([of, p] <#of as #p::Nullable>::Value)
        }
        // an attribute is of something
        (None, None) => code!([]()),
    }
}

/// The type of a fold's result where it is not NULL.
pub(super) fn result_value(pattern: &Pattern, names: &Names, id: FoldId) -> Piece {
    let (p, result) = (names.p, &pattern.fold(id).result);
    if let Some(name) = result.kind.primitive() {
        return super::summarize::primitive(name);
    }
    let monoid = monoid(pattern, names, id);
    let output = code!([monoid, p] <#monoid as #p::Monoid>::Output);
    if result.optional { code!([output, p] <#output as #p::Nullable>::Value) } else { output }
}

/// The struct, to stand beside the machine.
pub(super) fn types(pattern: &Pattern, plan: &Plan, names: &Names) -> Piece {
    if plan.registers.is_empty() {
        return Piece::EMPTY;
    }
    let (registers, spelling) = (names.registers, names.spelling);
    let folds = plan.registers.folds();
    let fields = pieces(&folds, |f| field(*f));
    let types = pieces(&folds, |f| monoid(pattern, names, *f));
    code! { [registers, spelling; fields, types]
        #spelling #[doc(hidden)] #[derive(::core::clone::Clone, ::core::marker::Copy)]
        struct #registers { #(#fields: #types),* }
    }
}

/// The impls.
pub(super) fn impls(pattern: &Pattern, plan: &Plan, names: &Names) -> Piece {
    if plan.registers.is_empty() {
        return Piece::EMPTY;
    }
    let (p, registers, kept, at) = (names.p, names.registers, names.kept, ours("at"));
    let folds = plan.registers.folds();
    let fields = pieces(&folds, |f| field(*f));
    let new = pieces(&folds, |f| {
        let m = monoid(pattern, names, *f);
        code!([m, p] <#m as #p::Monoid>::IDENTITY)
    });
    let settled = settle(pattern, plan, names, &|scope, _| code!([| scope] #scope >> position & 1 != 0));
    let ended = settle(
        pattern,
        plan,
        names,
        &|scope, loops| code!([| loops, scope] before < 64 && #scope >> before & 1 != 0 && (#scope >> position & 1 == 0 || #loops & again != 0)),
    );
    let resets = picked_pieces(&folds, |id| {
        let loops = loop_bits(&pattern.fold(*id).loops);
        let (f, m) = (field(*id), monoid(pattern, names, *id));
        (loops != 0).then(
            || code!([f, m, p | loops] if #loops & again != 0 { self.#f = <#m as #p::Monoid>::IDENTITY; }),
        )
    });
    let mut arms = Piece::EMPTY;
    for (q, at) in plan.positions.iter().enumerate() {
        let mut steps = Piece::EMPTY;
        for f in &folds {
            if pattern.fold(*f).atoms.contains(&at.atom) {
                steps.extend(joins(pattern, plan, names, *f, at.atom));
            }
        }
        let q = u8::try_from(q).unwrap_or(u8::MAX);
        if !steps.is_empty() {
            arms.extend(code!([steps | q] #q => { #steps }));
        }
    }
    code! { [settled, p, at, ended, arms, kept, registers; fields, new, resets]
        impl #registers {
            /// With what the part that ends with an event at `position` gives.
            #[inline(always)]
            fn __cep_settled(&self, position: ::core::primitive::u8) -> Self {
                let _ = position;
                #[allow(unused_mut)]
                let mut settled = *self;
                { let this = &mut settled; let _ = &this; #settled }
                settled
            }
        }
        impl #p::Registers for #registers {
            const NEW: Self = #registers { #(#fields: #new),* };
        }
        impl #p::Joins<#kept> for #registers {
            #[inline(always)]
            #[allow(unused_variables)]
            fn join(&mut self, before: ::core::primitive::u8, position: ::core::primitive::u8, repeats: ::core::primitive::u8, #at: &#p::At<#kept>) {
                let again: ::core::primitive::u64 = if repeats < 64 { 1 << repeats } else { 0 };
                { let this = &mut *self; let _ = &this; #ended }
                #(#resets)*
                match position { #arms _ => {} }
            }
        }
    }
}

/// The event joins: `self.f0 = self.f0.with(value)`.
fn joins(pattern: &Pattern, plan: &Plan, names: &Names, id: FoldId, atom: AtomId) -> Piece {
    let (p, fold, f, at) = (names.p, pattern.fold(id), field(id), ours("at"));
    let Some(a) = &fold.attribute else {
        return code!([f, p] self.#f = #p::Monoid::with(&self.#f, ()););
    };
    let value = folded(pattern, plan, names, a, &[pattern.atoms[atom.0].ty], at);
    if a.nullable {
        code!([f, p, value] self.#f = #p::Monoid::with(&self.#f, #value);)
    } else {
        code!([value, f, p] if let ::core::option::Option::Some(value) = #value { self.#f = #p::Monoid::with(&self.#f, value); })
    }
}

/// The computed events that are complete go into what folds them, inner ones first. `this` is the registers; `ended` says of a part, by its
/// positions and the iterations around it, whether it is complete.
fn settle(pattern: &Pattern, plan: &Plan, names: &Names, ended: &dyn Fn(u64, u64) -> Piece) -> Piece {
    let p = names.p;
    let mut out = Piece::EMPTY;
    for (i, g) in pattern.aggregates.iter().enumerate() {
        let mut steps = Piece::EMPTY;
        for &id in &plan.registers.folds() {
            let fold = pattern.fold(id);
            if !fold.aggregates.contains(&AggregateId(i)) {
                continue;
            }
            let f = field(id);
            let Some(a) = &fold.attribute else {
                steps.extend(code!([f, p] this.#f = #p::Monoid::with(&this.#f, ());));
                continue;
            };
            let inner = find(&a.computed, |(of, _)| of.0 == i).map(|(_, k)| g.fields[*k].fold);
            let value = inner.map(|inner| {
                let from = field(inner);
                (code!([p, from] #p::Monoid::lower(&this.#from)), pattern.fold(inner).result.optional)
            });
            steps.extend(match (value, a.nullable) {
                (None, _) => code!([f, p] this.#f = #p::Monoid::with(&this.#f, ::core::option::Option::None);),
                (Some((value, true)), true) | (Some((value, false)), false) => {
                    code!([f, p, value] this.#f = #p::Monoid::with(&this.#f, #value);)
                }
                (Some((value, false)), true) => {
                    code!([f, p, value] this.#f = #p::Monoid::with(&this.#f, ::core::option::Option::Some(#value));)
                }
                (Some((value, true)), false) => {
                    code!([value, f, p] if let ::core::option::Option::Some(value) = #value { this.#f = #p::Monoid::with(&this.#f, value); })
                }
            });
        }
        if !steps.is_empty() {
            let test = ended(g.scope.bits(), loop_bits(&g.scope.loops));
            out.extend(code!([test, steps] if #test { #steps }));
        }
    }
    out
}

/// `let registers = …;`: those of event `k` of `path`, settled.
pub(super) fn at(path: Piece, k: Piece, registers: Piece, otherwise: Piece) -> Piece {
    code! { [registers, path, k, otherwise]
        let ::core::option::Option::Some(#registers) = #path.registers(#k) else { #otherwise };
        let #registers = #registers.__cep_settled(#path.position(#k));
    }
}

/// The result of a fold: an `Option` where its monoid gives one.
pub(super) fn lowered(names: &Names, registers: Piece, id: FoldId) -> Piece {
    let (p, f) = (names.p, field(id));
    code!([p, registers, f] #p::Monoid::lower(&#registers.#f))
}

/// With event `k`, seen from event `to`, one of these aggregates has a computed event.
pub(super) fn completes(
    pattern: &Pattern,
    aggregates: &[AggregateId],
    path: Piece,
    k: Piece,
    to: Piece,
) -> Piece {
    let each = pieces(aggregates, |g| {
        let scope = &pattern.aggregates[g.0].scope;
        let (inside, loops) = (scope.bits(), loop_bits(&scope.loops));
        code!([path, k, to | loops, inside] #path.completes(#k, #to, #inside, #loops))
    });
    code!([; each] (#(#each)||*))
}

/// An attribute of a computed event of one of several aggregates, from its registers and its position: an `Option` where it can be NULL.
pub(super) fn attribute(
    pattern: &Pattern,
    names: &Names,
    aggregates: &[AggregateId],
    a: &ReadAttribute,
    registers: Piece,
    position: Piece,
    otherwise: Piece,
) -> Piece {
    let one = |g: AggregateId| {
        let found = find(&a.computed, |(of, _)| *of == g);
        let Some((_, i)) = found else { return code!([] ::core::option::Option::None) };
        let id = pattern.aggregates[g.0].fields[*i].fold;
        let value = lowered(names, registers, id);
        match (pattern.fold(id).result.optional, a.nullable) {
            (true, true) | (false, false) => value,
            (false, true) => code!([value] ::core::option::Option::Some(#value)),
            (true, false) => {
                let value_of = ours("value_of");
                code!([value, value_of, otherwise] match #value { ::core::option::Option::Some(#value_of) => #value_of, ::core::option::Option::None => #otherwise })
            }
        }
    };
    let mut out: Option<Piece> = None;
    let mut left = aggregates;
    while let [front @ .., g] = left {
        left = front;
        let value = one(*g);
        let inside = pattern.aggregates[g.0].scope.bits();
        out = Some(match out {
            None => value,
            Some(rest) => {
                code!([position, value, rest | inside] if #inside >> #position & 1 != 0 { #value } else { #rest })
            }
        });
    }
    out.unwrap_or(Piece::EMPTY)
}

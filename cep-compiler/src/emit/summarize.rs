//! `summarize`: the record, and the two ways to fill it: by looking at every result, or from the inverse product.
use super::fields::has_probe;
use super::guards::{folded, free};
use super::latest::machine_trait;
use super::machine::{lifetime, passed};
use super::names::{Names, our, ours};
use super::registers;
use crate::ast::Overflow;
use crate::code::{Piece, code, indexed_pieces, pieces};
use crate::hir::{Column, ColumnOf, FoldId, Function, Output, Pattern, Summary};
use crate::plan::{Adds, Plan, Product, Sum};
use crate::schema::{Int, Kind};
use crate::slices::{each, position};
use proc_macro2::{Ident, Span};

/// The summary of a pattern that has one.
pub(super) fn of(pattern: &Pattern) -> Option<&Summary> {
    match &pattern.output {
        Output::Summarize(summary) => Some(summary),
        _ => None,
    }
}

/// The type of a column where it is not NULL.
pub(super) fn column_type(pattern: &Pattern, names: &Names, c: &Column) -> Piece {
    match (c.kind.primitive(), c.of) {
        (Some(name), _) => primitive(name),
        (None, ColumnOf::Fold(f)) => registers::result_value(pattern, names, f),
        (None, ColumnOf::Results) => primitive("u64"),
    }
}

/// The primitive type of this name.
pub(super) fn primitive(name: &str) -> Piece {
    let name = Ident::new(name, Span::mixed_site());
    code!([| name] ::core::primitive::#name)
}

/// The field that says whether there was any result, whatever the columns are called.
fn any_field(summary: &Summary) -> Piece {
    let taken = each(&summary.columns, |c| c.name.clone());
    free("__any", &taken)
}

/// The record, to stand beside the machine, and its impls.
pub(super) fn record(pattern: &Pattern, plan: &Plan, names: &Names) -> (Piece, Piece) {
    let Some(summary) = of(pattern) else { return (Piece::EMPTY, Piece::EMPTY) };
    let (p, vis, record, machine, spelling) =
        (names.p, names.vis, names.summary, names.machine, names.spelling);
    let columns = pieces(&summary.columns, |c| Piece::of(&c.name));
    let types = pieces(&summary.columns, |c| {
        let value = column_type(pattern, names, c);
        if c.nullable { code!([value] ::core::option::Option<#value>) } else { value }
    });
    let docs = pieces(&summary.columns, |c| {
        let null = if c.nullable { "; `None` where that is NULL" } else { "" };
        Piece::text(format_args!("`{}` over all matches{null}.", c.text))
    });
    let doc = Piece::text(format_args!("What [`{machine}`] says of all matches that end at one event."));
    let any = any_field(summary);
    let of_lifetime = lifetime(plan);
    let traits = machine_trait(
        plan,
        names,
        Piece::of(&record),
        code!([of_lifetime, p, record, machine] impl #of_lifetime #p::Gives<'_> for #machine #of_lifetime { type Output = #record; }),
    );
    let types = code! { [any, record, vis, spelling, doc; docs, columns, types]
        #[doc = #doc]
        #spelling
        #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug, ::core::cmp::PartialEq)]
        #vis struct #record { #(#[doc = #docs] pub #columns: #types,)* #any: ::core::primitive::bool }
    };
    let impls = code! { [p, traits, any, vis, record]
        impl #record {
            /// Whether there is any match.
            #[must_use] #[inline]
            #vis const fn found(&self) -> ::core::primitive::bool { self.#any }
        }
        impl #p::Answer for #record {
            #[inline]
            fn found(&mut self) -> ::core::primitive::bool { self.#any }
        }
        #traits
    };
    (types, impls)
}

fn local(i: usize) -> Piece {
    our(format_args!("column_{i}"))
}

/// The record of no result.
pub(super) fn nothing(pattern: &Pattern, names: &Names) -> Piece {
    let Some(summary) = of(pattern) else { return Piece::EMPTY };
    let (record, any, p) = (names.summary, any_field(summary), names.p);
    let columns = pieces(&summary.columns, |c| Piece::of(&c.name));
    let values = pieces(&summary.columns, |c| match c.of {
        ColumnOf::Results => {
            let of = column_type(pattern, names, c);
            code!([of] 0 as #of)
        }
        ColumnOf::Fold(f) => {
            let m = registers::monoid(pattern, names, f);
            found(pattern, names, c, f, code!([m, p] <#m as #p::Monoid>::IDENTITY))
        }
    });
    code!([any, record; columns, values] #record { #(#columns: #values,)* #any: false })
}

/// The value of a column from the state of its monoid.
fn found(pattern: &Pattern, names: &Names, c: &Column, f: FoldId, state: Piece) -> Piece {
    let (p, fold) = (names.p, pattern.fold(f));
    let lowered = code!([p, state] #p::Monoid::lower(&#state));
    let whole = matches!(fold.attribute.as_ref().map(|a| &a.kind), Some(Kind::Int(_)) | None);
    let converts = fold.function == Function::Count || (fold.function == Function::Sum && whole);
    if !converts {
        return lowered;
    }
    let of = column_type(pattern, names, c);
    if fold.result.optional {
        code!([lowered, of] ::core::option::Option::map(#lowered, |value| value as #of))
    } else {
        code!([lowered, of] (#lowered as #of))
    }
}

/// Before the search: the record of no result.
pub(super) fn begin(pattern: &Pattern, names: &Names) -> Piece {
    if of(pattern).is_none() {
        return Piece::EMPTY;
    }
    let nothing = nothing(pattern, names);
    code! { [nothing]
        let mut results: ::core::primitive::u64 = 0;
        let mut summary = #nothing;
    }
}

/// Looks at every result that ends with the event at hand; `search` begins the search.
pub(super) fn look(pattern: &Pattern, plan: &Plan, names: &Names, search: Piece, spent: Piece) -> Piece {
    let Some(summary) = of(pattern) else { return Piece::EMPTY };
    let (p, record, at, any) = (names.p, names.summary, ours("at"), any_field(summary));
    let (_, call) = passed(pattern);
    let admits = code!([call] |path| __cep_admits(path, #call));
    let canonical = if has_probe(pattern, plan) {
        code!([at, admits] if !self.walk.is_canonical(&mut self.probe, &__CEP_TABLE, ring, &#at, #admits) { continue; })
    } else {
        Piece::EMPTY
    };
    let (path, state) = (ours("path"), ours("registers"));
    let (mut new, mut steps) = (Piece::EMPTY, Piece::EMPTY);
    for (i, c) in summary.columns.iter().enumerate() {
        let ColumnOf::Fold(f) = c.of else { continue };
        let (local, m, field) = (local(i), registers::monoid(pattern, names, f), registers::field(f));
        new.extend(code!([local, m, p] let mut #local = <#m as #p::Monoid>::IDENTITY;));
        steps.extend(code!([local, p, state, field] #local = #p::Monoid::combine(&#local, &#state.#field);));
    }
    let take = if !steps.is_empty() {
        let take = registers::at(path, code!([path] #path.newest()), state, code!([] continue));
        code!([path, at, take] let #path = self.walk.path(ring, &#at); #take)
    } else {
        Piece::EMPTY
    };
    let columns = pieces(&summary.columns, |c| Piece::of(&c.name));
    let values = indexed_pieces(&summary.columns, |i, c| match c.of {
        ColumnOf::Results => {
            let of = column_type(pattern, names, c);
            code!([of] results as #of)
        }
        ColumnOf::Fold(f) => {
            let local = local(i);
            found(pattern, names, c, f, Piece::of(&local))
        }
    });
    let accepting = plan.bits(|q| q.accepting);
    code! { [search, new, at, admits, steps, any, record, spent, take, canonical | accepting; columns, values]
        if taken & #accepting != 0 {
            #search
            #new
            while self.walk.advance(&__CEP_TABLE, ring, &#at, #admits) {
                #canonical
                results += 1;
                #take
                #steps
            }
            #spent
            self.walk.stop();
            if results > 0 {
                found = ::core::option::Option::Some(0);
                summary = #record { #(#columns: #values,)* #any: true };
            }
        }
    }
}

/// The words of the product.
fn word(product: &Product) -> Piece {
    primitive(if product.wide { "u128" } else { "u64" })
}

/// The type of the product, and how it begins.
pub(super) fn product_type(plan: &Plan, names: &Names, product: &Product) -> Piece {
    let (p, word, states, sums) = (names.p, word(product), plan.positions.len() + 1, product.sums.len());
    code!([p, word | sums, states] #p::RunProduct<#word, #states, #sums>)
}

/// Positions that something may follow: only their events are of use later.
fn waiting(plan: &Plan) -> u64 {
    plan.bits(|q| !q.edges.is_empty())
}

/// Entry `n` of the ring leaves the window.
pub(super) fn evict(plan: &Plan, n: Piece) -> Piece {
    if plan.product.is_none() {
        return Piece::EMPTY;
    }
    let waiting = waiting(plan);
    code! { [n | waiting]
        if let ::core::option::Option::Some((gone, positions)) = self.ring.get(#n) {
            self.product.evict(&__CEP_TABLE, positions & #waiting, |q| __cep_adds(gone, q));
        }
    }
}

/// What an event adds to the sums in a position.
pub(super) fn adds(pattern: &Pattern, plan: &Plan, names: &Names) -> Piece {
    let Some(product) = &plan.product else { return Piece::EMPTY };
    let (p, kept, at, word, n) = (names.p, names.kept, ours("at"), word(product), product.sums.len());
    let arms = indexed_pieces(&plan.positions, |q, position| {
        let values = pieces(&product.sums, |Sum { fold, of }| {
            let fold = pattern.fold(*fold);
            if !fold.atoms.contains(&position.atom) {
                return code!([] 0);
            }
            let Some(a) = fold.attribute.as_ref().filter(|_| *of != Adds::One) else { return code!([] 1) };
            if super::guards::on_type(a, position.ty).is_none() {
                // NULL, whatever it would be
                return if *of == Adds::Null { code!([] 1) } else { code!([] 0) };
            }
            let ty = [position.ty];
            let value = folded(pattern, plan, names, a, &ty, at);
            match of {
                Adds::Value => {
                    code!([value, word] match #value { ::core::option::Option::Some(value) => value as #word, ::core::option::Option::None => 0 })
                }
                Adds::Null => code!([value, word] (#value).is_none() as #word),
                Adds::Present | Adds::One => code!([value, word] (#value).is_some() as #word),
            }
        });
        code!([| q; values] #q => [#(#values),*],)
    });
    code! { [at, p, word, kept | n; arms]
        #[inline(always)]
        #[allow(unused_variables)]
        fn __cep_adds(#at: &#p::At<#kept>, q: ::core::primitive::usize) -> [#word; #n] {
            match q { #(#arms)* _ => [0; #n] }
        }
    }
}

/// Once nothing can fail any more: what is too old leaves the product, the record is read off it, and the event enters.
pub(super) fn count(pattern: &Pattern, plan: &Plan, names: &Names) -> Piece {
    let (Some(product), Some(summary)) = (&plan.product, of(pattern)) else { return Piece::EMPTY };
    let (record, any, at) = (names.summary, any_field(summary), ours("at"));
    let (accepting, waiting, word) = (plan.bits(|q| q.accepting), waiting(plan), word(product));
    let gone = evict(plan, code!([] n));
    let columns = pieces(&summary.columns, |c| Piece::of(&c.name));
    let values = pieces(&summary.columns, |c| match c.of {
        ColumnOf::Results => counted(pattern, names, c, code!([] tally.count), product.wide),
        ColumnOf::Fold(f) => summed(pattern, names, product, c, f),
    });
    code! { [gone, at, word, any, record | waiting, accepting; columns, values]
        for n in self.first..first { #gone }
        if let ::core::option::Option::Some(#at) = &kept {
            let tally = self.product.ending(&__CEP_TABLE, taken & #accepting, |q| __cep_adds(#at, q));
            self.product.append(&__CEP_TABLE, taken & #waiting, |q| __cep_adds(#at, q));
            if tally.count != (0 as #word) {
                results = <::core::primitive::u64 as ::core::convert::TryFrom<#word>>::try_from(tally.count).unwrap_or(::core::primitive::u64::MAX);
                summary = #record { #(#columns: #values,)* #any: true };
            }
        }
    }
}

/// A count as its column's type.
fn counted(pattern: &Pattern, names: &Names, c: &Column, value: Piece, wide: bool) -> Piece {
    let of = column_type(pattern, names, c);
    match c.overflow {
        Some((Overflow::Saturating, _)) if wide => {
            code!([of, value] <#of as ::core::convert::TryFrom<::core::primitive::u128>>::try_from(#value).unwrap_or(#of::MAX))
        }
        _ => code!([value, of] (#value as #of)),
    }
}

/// A fold from the product's sums.
fn summed(pattern: &Pattern, names: &Names, product: &Product, c: &Column, f: FoldId) -> Piece {
    let fold = pattern.fold(f);
    let at = |of: Adds| {
        let i = position(&product.sums, |s| *s == Sum { fold: f, of });
        i.map(|i| code!([| i] tally.sums[#i]))
    };
    let needed = Adds::of(fold);
    let many = [Adds::One, Adds::Present].into_iter().filter(|a| needed.contains(a)).find_map(at);
    let many = many.unwrap_or_else(|| code!([] 0));
    let Some(sum) = at(Adds::Value) else {
        return unless_null(at(Adds::Null), counted(pattern, names, c, many, product.wide), false);
    };
    let signed =
        matches!(fold.attribute.as_ref().map(|a| &a.kind), Some(Kind::Int(Int { signed: true, .. })));
    let exact = primitive(match (signed, product.wide) {
        (true, true) => "i128",
        (true, false) => "i64",
        (false, true) => "u128",
        (false, false) => "u64",
    });
    let of = column_type(pattern, names, c);
    let sum = code!([sum, exact] (#sum as #exact));
    if fold.function == Function::Avg {
        let mean = code! { [many, sum]
            (if #many == 0 { ::core::option::Option::None } else { ::core::option::Option::Some(#sum as ::core::primitive::f64 / #many as ::core::primitive::f64) })
        };
        return unless_null(at(Adds::Null), mean, true);
    }
    let value = match c.overflow {
        Some((Overflow::Saturating, _)) => {
            let low = if signed {
                code!([sum, of] if #sum < 0 { #of::MIN } else { #of::MAX })
            } else {
                code!([of] #of::MAX)
            };
            code!([of, exact, sum, low] <#of as ::core::convert::TryFrom<#exact>>::try_from(#sum).unwrap_or(#low))
        }
        _ => code!([sum, of] (#sum as #of)),
    };
    unless_null(at(Adds::Null), value, false)
}

/// NULL where something NULL was added.
fn unless_null(nulls: Option<Piece>, value: Piece, is_option: bool) -> Piece {
    let Some(nulls) = nulls else { return value };
    let value = if is_option { value } else { code!([value] ::core::option::Option::Some(#value)) };
    code!([nulls, value] (if #nulls != 0 { ::core::option::Option::None } else { #value }))
}

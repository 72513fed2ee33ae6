//! The match type, what iterates the matches of one event, and what hands them out.
//!
//! Without a bag a match is an owned `Copy` struct and its matches an `Iterator`. A bag borrows the machine, so with one the matches are lent: each
//! before the next.
use super::computed;
use super::guards::free;
use super::lanes::{ring_family, ring_of};
use super::latest::machine_trait;
use super::machine::{lifetime, passed, unpack, walk_family};
use super::names::{Names, our, ours};
use super::ring::matches_type;
use crate::ast::Storage;
use crate::code::{Piece, code, indexed_pieces, numbered_pieces, picked_pieces, pieces, pieces_of};
use crate::hir::{Field, Output, Pattern, Shape, TypeId};
use crate::plan::{Kept, Plan};
use crate::schema::Kind;
use crate::slices::{all, any, each, position};
use proc_macro2::Ident;

/// The types to stand beside the machine, and the impls that go into the `const _`. Nothing for `detect`.
pub(super) fn matches(pattern: &Pattern, plan: &Plan, names: &Names) -> (Piece, Piece) {
    let fields: &[Field] = match &pattern.output {
        Output::Detect | Output::Summarize(_) => return (Piece::EMPTY, Piece::EMPTY),
        Output::SelectNone => &[],
        Output::Select(fields) => fields,
    };
    let source = Source { pattern, plan, names, fields };
    (source.types(), source.impls())
}

/// Everything that the match type is made from.
struct Source<'a> {
    pattern: &'a Pattern,
    plan: &'a Plan,
    names: &'a Names,
    fields: &'a [Field],
}

/// The event types of a field.
pub(super) fn types_of(pattern: &Pattern, f: &Field) -> Vec<TypeId> {
    pattern.types_of(&f.atoms)
}

/// The fields that hold start, end and time, whatever the variables are called.
pub(super) fn interval(fields: &[Field]) -> (Piece, Piece, Piece) {
    let taken = each(fields, |f| f.name.clone());
    (free("__start", &taken), free("__end", &taken), free("__time", &taken))
}

/// The type of a field.
pub(super) fn field_type(pattern: &Pattern, plan: &Plan, names: &Names, f: &Field) -> Piece {
    Source { pattern, plan, names, fields: &[] }.field_type(f)
}

impl Source<'_> {
    fn has_bag(&self) -> bool {
        any(self.fields, |f| f.shape == Shape::Bag)
    }

    /// All attributes that a field shows have a `Debug` and a `PartialEq` for sure.
    fn is_known(&self, f: &Field) -> bool {
        if !f.aggregates.is_empty() {
            return f.shape != Shape::Bag && computed::is_known(self.pattern, f);
        }
        f.shape != Shape::Bag
            && all(&types_of(self.pattern, f), |t| {
                let event = &self.pattern.schema.types[t.0];
                match &f.attributes {
                    None => event.record_is_plain(),
                    Some(shown) => {
                        all(&event.attributes, |a| !shown.contains(&a.name) || a.kind != Kind::Opaque)
                    }
                }
            })
    }

    fn derives(&self, known: bool) -> Piece {
        let more = if known { code!([], ::core::fmt::Debug, ::core::cmp::PartialEq) } else { Piece::EMPTY };
        code!([more] #[derive(::core::clone::Clone, ::core::marker::Copy #more)])
    }

    /// What is shown of one event of a field.
    fn shown(&self, f: &Field) -> Piece {
        let types = types_of(self.pattern, f);
        match (&f.attributes, &types[..]) {
            (None, [one]) => self.names.record(*one),
            _ => {
                let part = self.names.part(&f.name);
                Piece::of(&part)
            }
        }
    }

    /// A struct of the selected attributes, or an enum of records for a variable of several event types.
    fn part(&self, f: &Field) -> Option<Piece> {
        if !f.aggregates.is_empty() {
            let derives = self.derives(self.is_known_part(f));
            return Some(computed::part(self.pattern, self.names, f, derives));
        }
        let (vis, machine, part) = (self.names.vis, self.names.machine, self.names.part(&f.name));
        let (types, spelling) = (types_of(self.pattern, f), self.names.spelling);
        let derives = self.derives(self.is_known_part(f));
        let doc = Piece::text(format_args!("What a match of [`{machine}`] holds of `{}`.", f.name));
        if let Some(all) = &f.attributes {
            let ty = *types.first()?;
            let event = &self.pattern.schema.types[ty.0];
            let types = picked_pieces(all, |n| Some(self.names.attribute(ty, event.attribute(n)?)));
            let fields = pieces_of(all);
            let docs = pieces(all, |n| Piece::text(format_args!("`{n}`")));
            return Some(code! { [derives, part, vis, spelling, doc; docs, fields, types]
                #[doc = #doc]
                #derives
                #spelling
                #vis struct #part { #(#[doc = #docs] pub #fields: #types),* }
            });
        }
        if types.len() < 2 {
            return None;
        }
        let variants =
            each(&types, |t| Ident::new(&self.pattern.schema.types[t.0].name.to_string(), f.name.span()));
        let records = pieces(&types, |t| self.names.record(*t));
        let docs = pieces(&variants, |v| Piece::text(format_args!("A `{v}`.")));
        let variants = pieces_of(&variants);
        Some(code! { [derives, part, vis, spelling, doc; docs, variants, records]
            #[doc = #doc]
            #derives
            #spelling
            #vis enum #part { #(#[doc = #docs] #variants(#records)),* }
        })
    }

    fn is_known_part(&self, f: &Field) -> bool {
        self.is_known(&Field { shape: Shape::One, ..f.clone() })
    }

    /// A method per attribute that all event types of a variable have alike.
    fn part_impl(&self, f: &Field) -> Option<Piece> {
        let types = types_of(self.pattern, f);
        if f.attributes.is_some() || types.len() < 2 {
            return None;
        }
        let (p, vis, part) = (self.names.p, self.names.vis, self.names.part(&f.name));
        let schema = &self.pattern.schema;
        let first = *types.first()?;
        let mut methods = Piece::EMPTY;
        for (i, a) in schema.types[first.0].attributes.iter().enumerate() {
            if !a.kept || a.kind == Kind::Opaque {
                continue;
            }
            let arms = picked_pieces(&types, |t| {
                let n = position(&schema.types[t.0].attributes, |b| {
                    b.name == a.name && b.kept && b.kind == a.kind && b.nullable == a.nullable
                })?;
                let variant = Ident::new(&schema.types[t.0].name.to_string(), f.name.span());
                let record = self.names.record(*t);
                Some(
                    code!([record, p | n, variant] Self::#variant(record) => *<#record as #p::Attr<#n>>::get(record),),
                )
            });
            if arms.len() < types.len() {
                continue;
            }
            let (name, ty) = (&a.name, self.names.attribute(first, crate::hir::AttributeId(i)));
            let doc = Piece::text(format_args!("`{name}` of whichever event it is."));
            methods.extend(code! { [ty, vis, doc | name; arms]
                #[doc = #doc] #[must_use]
                #vis fn #name(&self) -> #ty { match self { #(#arms)* } }
            });
        }
        Some(code!([methods, part] impl #part { #methods }))
    }

    fn types(&self) -> Piece {
        let Source { plan, names, fields, .. } = self;
        let (vis, machine, a_match, matches) = (names.vis, names.machine, names.a_match, names.matches);
        let derives = self.derives(all(fields, |f| self.is_known(f)));
        let parts = picked_pieces(fields, |f| self.part(f));
        let shown = pieces(fields, |f| Piece::of(&f.name));
        let types = pieces(fields, |f| self.field_type(f));
        let docs = pieces(fields, |f| Piece::of(&self.field_doc(f)));
        let (start, end, _) = interval(fields);
        let time = match self.time() {
            Some((time, ty)) => code!([ty, time] #time: #ty,),
            None => Piece::EMPTY,
        };
        let doc = Piece::text(format_args!("A match of [`{machine}`]."));
        let all_doc = Piece::text(format_args!(
            "The matches of [`{machine}`] that end at one event. What is not asked for costs nothing."
        ));
        let (lifetimes, machine_type) = if plan.storage == Storage::Borrowed {
            (code!([] <'machine, 'rings>), code!([machine] #machine<'rings>))
        } else {
            (code!([] <'machine>), Piece::of(&machine))
        };
        let (match_lifetimes, spelling) = (self.match_lifetimes(), names.spelling);
        code! { [derives, match_lifetimes, lifetimes, machine_type, matches, all_doc, end, start, a_match, vis, spelling, doc, time; parts, docs, shown, types]
            #(#parts)*
            #[doc = #doc]
            #derives
            #spelling
            #vis struct #a_match #match_lifetimes {
                #(#[doc = #docs] pub #shown: #types,)*
                #start: ::core::primitive::u64,
                #end: ::core::primitive::u64,
                #time
            }
            #[doc = #all_doc]
            #[must_use = "matches are found as they are asked for"]
            #[allow(deprecated)]
            #spelling
            #vis struct #matches #lifetimes { machine: &'machine mut #machine_type }
        }
    }

    /// `<'bag>` where a match borrows the machine, with the rings' lifetime where those are borrowed.
    fn match_lifetimes(&self) -> Piece {
        match (self.has_bag(), self.plan.storage) {
            (false, _) => Piece::EMPTY,
            (true, Storage::Borrowed) => code!([] <'bag, 'rings>),
            (true, _) => code!([] <'bag>),
        }
    }

    /// The match type as a method returns it, with this lifetime for the bags.
    fn match_type(&self, lifetime: Piece) -> Piece {
        let a_match = self.names.a_match;
        match (self.has_bag(), self.plan.storage) {
            (false, _) => Piece::of(&a_match),
            (true, Storage::Borrowed) => code!([lifetime, a_match] #a_match<#lifetime, 'rings>),
            (true, _) => code!([lifetime, a_match] #a_match<#lifetime>),
        }
    }

    fn field_type(&self, f: &Field) -> Piece {
        let (p, kept, n, d) = (self.names.p, self.names.kept, self.plan.slots, self.plan.depth);
        let inner = self.shown(f);
        match f.shape {
            Shape::One => code!([p, inner] #p::At<#inner>),
            Shape::Optional => code!([p, inner] ::core::option::Option<#p::At<#inner>>),
            Shape::Bag => {
                let family = ring_family(self.plan, self.names);
                let walk = walk_family(self.pattern, self.plan, self.names);
                let more = super::registers::argument(self.plan, self.names);
                let bag = if f.aggregates.is_empty() { code!([] Bag) } else { code!([] ComputedBag) };
                // a computed bag has its registers in any case
                let more = if more.is_empty() && !f.aggregates.is_empty() { code!([], ()) } else { more };
                code!([p, bag, inner, family, walk, more, kept | d, n] #p::#bag<'bag, #inner, #kept, #n, #d, #family, #walk #more>)
            }
        }
    }

    /// The time of a match, where the stream has one: its field and type.
    fn time(&self) -> Option<(Piece, Piece)> {
        Some((interval(self.fields).2, super::results::time_type(self.pattern, self.names)?))
    }

    /// What the field is, and which attributes of the event are not in it.
    fn field_doc(&self, f: &Field) -> String {
        if !f.aggregates.is_empty() {
            return computed::doc(self.pattern, f);
        }
        let schema = &self.pattern.schema;
        let types = types_of(self.pattern, f);
        let all = each(&types, |t| format!("`{}`", schema.types[t.0].name));
        let variable = &self.pattern.variables[f.variable.0];
        let (event, events) =
            (format!("{} event", all.join(" or ")), format!("{} events", all.join(" and ")));
        let mut doc = match (f.shape, variable.is_type) {
            (Shape::One, true) => format!("The {event}"),
            (Shape::One, false) => format!("The {event} that is `{}`", variable.name),
            (Shape::Optional, _) => format!("The {event} that is `{}`, if there is one", variable.name),
            (Shape::Bag, _) => format!("The {events} in `{}`, in stream order", variable.name),
        };
        // what is shown, and what of the event is not
        let (mut held, mut left): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        for t in &types {
            for a in &schema.types[t.0].attributes {
                if a.kept { &mut held } else { &mut left }.push(format!("`{}`", a.name));
            }
        }
        if let Some(all) = &f.attributes {
            held = each(all, |n| format!("`{n}`"));
        }
        held.dedup();
        doc.push_str(&if held.is_empty() { ".".to_string() } else { format!(": {}.", held.join(", ")) });
        if f.attributes.is_none() && !left.is_empty() {
            doc.push_str(&format!(" Without {}, which cannot be kept.", left.join(", ")));
        }
        doc
    }

    /// `fn shown_0(kept: &Kept) -> Option<Shown>` per field.
    fn getter_name(&self, i: usize) -> Piece {
        our(format_args!("__cep_shown_{i}"))
    }

    fn getters(&self) -> Piece {
        let (kept, kept_of) = (self.names.kept, self.names.kept_of);
        let record = ours("record");
        let mut out = Piece::EMPTY;
        for (i, f) in self.fields.iter().enumerate() {
            let (name, shown) = (self.getter_name(i), self.shown(f));
            if !f.aggregates.is_empty() {
                out.extend(computed::getter(self.pattern, self.plan, self.names, f, name));
                continue;
            }
            let types = types_of(self.pattern, f);
            let arms = pieces(&types, |t| {
                let variant = Names::variant(*t);
                let value = self.value(f, *t, types.len(), record);
                code!([record, value, variant, kept_of] #kept_of::#variant(#record) => ::core::option::Option::Some(#value),)
            });
            out.extend(code! { [shown, kept, name; arms]
                #[inline(always)] #[allow(unreachable_patterns)]
                fn #name(kept: &#kept) -> ::core::option::Option<#shown> {
                    match &kept.of { #(#arms)* _ => ::core::option::Option::None }
                }
            });
        }
        out
    }

    /// What a field shows of a kept event of one type.
    fn value(&self, f: &Field, t: TypeId, types: usize, record: Piece) -> Piece {
        let event = &self.pattern.schema.types[t.0];
        let part = self.names.part(&f.name);
        match &f.attributes {
            Some(all) => {
                let values = picked_pieces(all, |n| {
                    Some(super::guards::kept_value(self.plan, self.names, t, event.attribute(n)?, record))
                });
                let fields = pieces_of(all);
                code!([part; fields, values] #part { #(#fields: *#values),* })
            }
            None if self.plan.kept.get(&t) != Some(&Kept::Record) => {
                code!([] ::core::unreachable!("a selected event is kept whole"))
            }
            None if types > 1 => {
                let variant = Ident::new(&event.name.to_string(), f.name.span());
                code!([record, part | variant] #part::#variant(#record.0))
            }
            None => code!([record] #record.0),
        }
    }

    fn impls(&self) -> Piece {
        let Source { plan, names, fields, .. } = self;
        let (p, vis, machine, matches, lifetime) =
            (names.p, names.vis, names.machine, names.matches, lifetime(plan));
        let debug = if all(fields, |f| self.is_known(f)) { Piece::EMPTY } else { self.debug() };
        let getters = self.getters();
        let next = self.next_match();
        let (start, end, _) = interval(fields);
        let time = match self.time() {
            Some((time, ty)) => {
                code! { [ty, time, vis]
                    /// When its last event happened.
                    #[must_use] #[inline]
                    #vis const fn time(&self) -> #ty { self.#time }
                }
            }
            None => Piece::EMPTY,
        };
        let (output, lent) = if plan.storage == Storage::Borrowed {
            (code!([matches] #matches<'m, 'rings>), code!([] <'m, 'rings>))
        } else {
            (code!([matches] #matches<'m>), code!([] <'m>))
        };
        let gives = code!([lent, p, lifetime, output, machine] impl #lent #p::Gives<'m> for #machine #lifetime { type Output = #output; });
        let machine_impl = machine_trait(plan, names, matches_type(plan, names), gives);
        let matching = if names.is_generic {
            let of = self.match_type(code!([] 'm));
            let short = self.match_type(code!([] '_));
            code! { [lent, p, lifetime, of, short, machine]
                impl #lent #p::Lends<'m> for #machine #lifetime { type Match = #of; }
                impl #lifetime #p::Matching for #machine #lifetime {
                    #[inline]
                    fn next_match(&mut self) -> ::core::option::Option<#short> { #machine::next_match(self) }
                }
            }
        } else {
            Piece::EMPTY
        };
        let matches_generic =
            if plan.storage == Storage::Borrowed { code!([] <'_, 'rings>) } else { code!([] <'_>) };
        let text = matches.to_string();
        let iterate = self.iterate(matches_generic);
        let match_lifetimes = self.match_lifetimes();
        let a_match = names.a_match;
        let parts = picked_pieces(fields, |f| self.part_impl(f));
        code! { [getters, match_lifetimes, lifetime, next, iterate, p, matches_generic, machine_impl, matching, matches, machine, end, start, vis, a_match, time, debug | text; parts]
            #getters
            #(#parts)*
            impl #match_lifetimes #a_match #match_lifetimes {
                /// The stream position of its first event.
                #[must_use] #[inline]
                #vis const fn start(&self) -> ::core::primitive::u64 { self.#start }
                /// The stream position of its last event.
                #[must_use] #[inline]
                #vis const fn end(&self) -> ::core::primitive::u64 { self.#end }
                #time
            }
            #debug
            impl #lifetime #machine #lifetime { #next }
            #iterate
            impl #lifetime #p::Answer for #matches #matches_generic {
                fn found(&mut self) -> ::core::primitive::bool { self.machine.has_match() }
            }
            impl #lifetime ::core::fmt::Debug for #matches #matches_generic {
                fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result { f.write_str(#text) }
            }
            #machine_impl
            #matching
        }
    }

    /// The stream positions: not every attribute's type can be shown.
    fn debug(&self) -> Piece {
        let a_match = self.names.a_match;
        let text = a_match.to_string();
        let generics = self.match_lifetimes();
        let shown = pieces(self.fields, |f| {
            let (name, label) = (&f.name, f.name.to_string());
            match f.shape {
                Shape::One => code!([| name, label] .field(#label, &self.#name.position())),
                Shape::Optional => {
                    code!([| name, label] .field(#label, &self.#name.as_ref().map(|event| event.position())))
                }
                Shape::Bag => code!([| name, label] .field(#label, &self.#name)),
            }
        });
        let parts = picked_pieces(self.fields, |f| {
            let makes =
                f.attributes.is_some() || types_of(self.pattern, f).len() > 1 || !f.aggregates.is_empty();
            if !makes || self.is_known_part(f) {
                return None;
            }
            let part = self.names.part(&f.name);
            let text = part.to_string();
            Some(code! { [part | text]
                impl ::core::fmt::Debug for #part {
                    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result { f.debug_struct(#text).finish_non_exhaustive() }
                }
            })
        });
        code! { [generics, a_match | text; parts, shown]
            #(#parts)*
            impl #generics ::core::fmt::Debug for #a_match #generics {
                fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                    f.debug_struct(#text)#(#shown)*.finish_non_exhaustive()
                }
            }
        }
    }

    /// An iterator, or the lending form of it.
    fn iterate(&self, generic: Piece) -> Piece {
        let (vis, matches, lifetime) = (self.names.vis, self.names.matches, lifetime(self.plan));
        let a_match = self.match_type(code!([] '_));
        if !self.has_bag() {
            return code! { [lifetime, generic, a_match, matches]
                impl #lifetime ::core::iter::Iterator for #matches #generic {
                    type Item = #a_match;
                    #[inline]
                    fn next(&mut self) -> ::core::option::Option<#a_match> { self.machine.next_match() }
                }
                impl #lifetime ::core::iter::FusedIterator for #matches #generic {}
            };
        }
        code! { [lifetime, generic, a_match, vis, matches]
            impl #lifetime #matches #generic {
                /// The next match. It borrows the machine, so it is gone before the one after.
                #[allow(clippy::should_implement_trait)]
                #[inline]
                #vis fn next(&mut self) -> ::core::option::Option<#a_match> { self.machine.next_match() }
                /// Calls `f` with every match.
                #[inline]
                #vis fn for_each(mut self, mut f: impl ::core::ops::FnMut(#a_match)) {
                    while let ::core::option::Option::Some(m) = self.next() { f(m); }
                }
                /// How many matches there are.
                #[inline]
                #[must_use]
                #vis fn count(mut self) -> ::core::primitive::usize {
                    let mut n = 0;
                    while self.next().is_some() { n += 1; }
                    n
                }
            }
        }
    }

    fn next_match(&self) -> Piece {
        let Source { pattern, plan, names, fields } = self;
        let (p, vis) = (names.p, names.vis);
        let (_, call) = passed(pattern);
        let admits = code!([call] |path| __cep_admits(path, #call));
        let ring = ring_of(plan);
        let canonical = if super::fields::has_probe(pattern, plan) {
            code! { [ring, admits]
                if !self.walk.is_canonical(&mut self.probe, &__CEP_TABLE, #ring, last, #admits) { continue; }
            }
        } else {
            Piece::EMPTY
        };
        let look = indexed_pieces(fields, |i, f| {
            let (name, getter, positions) =
                (our(format_args!("field_{i}")), self.getter_name(i), plan.bits_of(&f.atoms));
            if !f.aggregates.is_empty() {
                let one = code! { [p, getter]
                    (0..=path.newest()).rev().find_map(|k| {
                        let of = #getter(&path, k)?;
                        path.event(k).map(|at| #p::At::new(at.position(), of))
                    })
                };
                return match f.shape {
                    Shape::One => code!([name, one] let #name = (#one)?;),
                    Shape::Optional => code!([name, one] let #name = #one;),
                    Shape::Bag => code!([name, p, getter] let #name = #p::ComputedBag::new(path, #getter);),
                };
            }
            let one = code! { [p, getter | positions]
                path.first_of(0, path.newest(), #positions)
                    .and_then(|n| path.event(n))
                    .and_then(|at| ::core::option::Option::map(#getter(at), |shown| #p::At::new(at.position(), shown)))
            };
            match f.shape {
                Shape::One => code!([name, one] let #name = (#one)?;),
                Shape::Optional => code!([name, one] let #name = #one;),
                Shape::Bag => {
                    code!([name, p, getter | positions] let #name = #p::Bag::new(path, #positions, #getter);)
                }
            }
        });
        let shown = pieces(fields, |f| Piece::of(&f.name));
        let values = numbered_pieces(fields.len(), |i| our(format_args!("field_{i}")));
        let (start, end, time) = interval(fields);
        let now = if pattern.clock.is_some() { code!([] now) } else { code!([] moment) };
        let time = match self.time() {
            Some(_) => code!([now, time] , #time: self.#now?),
            None => Piece::EMPTY,
        };
        let a_match = names.a_match;
        let result = self.match_type(code!([] '_));
        let limit = match pattern.limit {
            Some(n) => code!([| n] if self.handed >= #n { return ::core::option::Option::None; }),
            None => Piece::EMPTY,
        };
        let count = match pattern.limit {
            Some(_) => code!([] self.handed += 1;),
            None => Piece::EMPTY,
        };
        let has_limit = match pattern.limit {
            Some(n) => code!([| n] if self.handed >= #n { return false; }),
            None => Piece::EMPTY,
        };
        let parameters = unpack(pattern);
        code! { [result, parameters, ring, admits, p, has_limit, time, end, start, a_match, count, canonical, limit, vis; look, shown, values]
            /// The next match that ends at the last event taken. `push` gives an iterator that does the same; this is for
            /// adaptors that own the machine.
            #[inline]
            #[allow(unused_variables)]
            #vis fn next_match(&mut self) -> ::core::option::Option<#result> {
                #limit
                #parameters
                let last = self.last.as_ref()?;
                if !self.walk.take() {
                    loop {
                        if !self.walk.advance(&__CEP_TABLE, #ring, last, #admits) { return ::core::option::Option::None; }
                        #canonical
                        break;
                    }
                }
                self.stats.results += 1;
                #count
                let path = self.walk.path(#ring, last);
                #(#look)*
                let start = path.event(0).map_or(last.position(), #p::At::position);
                ::core::option::Option::Some(#a_match { #(#shown: #values,)* #start: start, #end: last.position() #time })
            }
            /// Whether there is another match.
            #[allow(unused_variables)]
            fn has_match(&mut self) -> ::core::primitive::bool {
                #has_limit
                #parameters
                let ::core::option::Option::Some(last) = &self.last else { return false };
                if !self.walk.take() {
                    loop {
                        if !self.walk.advance(&__CEP_TABLE, #ring, last, #admits) { return false; }
                        #canonical
                        break;
                    }
                }
                self.walk.hold();
                true
            }
        }
    }
}

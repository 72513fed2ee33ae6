//! What stands for a machine whose pattern has an error: its name and the shape of its methods and matches, so that the error does not
//! breed "cannot find type `FireRisk`" or "no field `hot`" wherever it is used, and an editor goes on completing.
//!
//! It is generous where the pattern's mistake may be: fields for every variable and not only the selected ones, a misspelt event type
//! read as the nearest one. It runs as a machine that never matches, but never does: the error ends the build.
use super::names::without_elided;
use super::results::{carried, no_event};
use crate::ast::{Head, Number};
use crate::check::field_name;
use crate::code::{Piece, code, numbered_pieces, pieces};
use crate::lex::is_keyword;
use crate::nearest::nearest;
use crate::schema::Schema;
use crate::slices::{any, each, position};
use proc_macro2::Ident;
use quote::ToTokens;

/// The skeleton of one pattern, without fields where its stream is not known.
pub(crate) fn skeleton(head: &Head, schema: Option<&Schema>, root: Piece) -> Piece {
    let p = code!([root] #root::__private);
    let (ident, name, vis) = (&head.name, Piece::of(&head.name), Piece::of(&head.visibility));
    let [plain, rings, a_match, matches] = {
        let word = ident.to_string();
        let plain = word.trim_start_matches("r#");
        let named = |suffix: &str| Piece::name(format_args!("{plain}{suffix}"), ident.span());
        [Piece::of(&plain), named("Rings"), named("Match"), named("Matches")]
    };
    let types = pieces(&head.parameters, |p| Piece::of(&p.ty));
    // numbered: a parameter's name may be what is wrong
    let given = numbered_pieces(types.len(), super::machine::given);
    let lifetime = if head.borrowed { code!([] <'rings>) } else { Piece::EMPTY };
    let matches_of = |m: Piece| {
        if head.borrowed {
            code!([m, matches] #matches<#m, 'rings>)
        } else {
            code!([m, matches] #matches<#m>)
        }
    };
    let forget = code!([; given] #(::core::mem::forget(#given);)*);
    let new = if head.borrowed {
        code!([forget, vis, rings; given, types] #vis fn over(_rings: &'rings mut #rings, #(#given: #types),*) -> Self { #forget Self(::core::marker::PhantomData) })
    } else {
        code!([forget, vis; given, types] #vis const fn new(#(#given: #types),*) -> Self { #forget Self(::core::marker::PhantomData) })
    };
    let memory = if head.borrowed {
        code! { [vis, rings]
            #[doc(hidden)] #vis struct #rings;
            #[allow(dead_code)]
            impl #rings { #[doc(hidden)] #vis const fn new() -> Self { Self } }
        }
    } else {
        Piece::EMPTY
    };
    let on = head.on.as_ref().filter(|_| schema.is_some());
    let (generics, event) = match on {
        Some(on) => (Piece::EMPTY, code!([p | on] <#on as #p::Stream>::Event)),
        None => (code!([] <Event: ?::core::marker::Sized>), code!([] Event)),
    };
    let (carried, stream) = (carried(&silent(ident, &head.visibility), &[]), no_event(ident, lifetime, p));
    let (output, value, lent) = if head.detect {
        (code!([] ::core::primitive::bool), code!([] false), code!([] ::core::primitive::bool))
    } else {
        let value = code!([matches] #matches(::core::marker::PhantomData));
        (matches_of(code!([] '_)), value, matches_of(code!([] 'm)))
    };
    let (pushed, taken, error) = if head.fallible {
        (
            code!([output, p] ::core::result::Result<#output, #p::PushError>),
            code!([value] ::core::result::Result::Ok(#value)),
            code!([p] #p::PushError),
        )
    } else {
        (output, value, code!([p] #p::Never))
    };
    // a match with a bag borrows the machine
    let (list, bags) = fields(head, schema, p);
    let lent_match = if bags { code!([] <'_>) } else { Piece::EMPTY };
    let more = if head.detect {
        code!([vis] #[doc(hidden)] #vis const fn latest_start(&self) -> ::core::option::Option<::core::primitive::u64> { ::core::option::Option::None })
    } else {
        code!([lent_match, vis, a_match] #[doc(hidden)] #vis fn next_match(&mut self) -> ::core::option::Option<#a_match #lent_match> { ::core::option::Option::None })
    };
    let (match_types, match_impls) = if head.detect {
        (Piece::EMPTY, Piece::EMPTY)
    } else {
        self::matches(head, (list, bags), p, a_match, matches)
    };
    let generic = match (schema, on) {
        (Some(schema), Some(on)) => schema.covers(&head.visibility) && !without_elided(on.clone()).1,
        _ => false,
    };
    let traits = if generic {
        let lent_for = if head.borrowed { code!([] <'m, 'rings>) } else { code!([] <'m>) };
        let matching = if !head.detect {
            let (all, of) = match (head.borrowed, bags) {
                (false, false) => (code!([] <'m>), Piece::EMPTY),
                (true, false) => (code!([] <'m, 'rings>), Piece::EMPTY),
                (false, true) => (code!([] <'m>), code!([] <'m>)),
                (true, true) => (code!([] <'m, 'rings>), code!([] <'m>)),
            };
            code! { [lifetime, p, all, of, lent_match, name, a_match]
                impl #all #p::Lends<'m> for #name #lifetime { type Match = #a_match #of; }
                impl #lifetime #p::Matching for #name #lifetime {
                    fn next_match(&mut self) -> ::core::option::Option<#a_match #lent_match> { ::core::option::Option::None }
                }
            }
        } else {
            Piece::EMPTY
        };
        code! { [lent_for, p, lifetime, lent, event, error, output, value, matching, name]
            impl #lent_for #p::Gives<'m> for #name #lifetime { type Output = #lent; }
            impl #lifetime #p::Machine for #name #lifetime {
                type Event = #event;
                type Error = #error;
                fn push(&mut self, event: &#event) -> ::core::result::Result<#output, #error> { ::core::result::Result::Ok(#value) }
                fn reset(&mut self) {}
                fn position(&self) -> ::core::primitive::u64 { 0 }
                fn stats(&self) -> #p::Stats { #p::Stats::NEW }
            }
            #matching
        }
    } else {
        Piece::EMPTY
    };
    let clone = if !head.borrowed {
        code!([name] impl ::core::clone::Clone for #name { fn clone(&self) -> Self { Self(::core::marker::PhantomData) } })
    } else {
        Piece::EMPTY
    };
    let default = if !head.borrowed && types.is_empty() {
        code!([name] impl ::core::default::Default for #name { fn default() -> Self { Self::new() } })
    } else {
        Piece::EMPTY
    };
    let inside = if head.borrowed { code!([] &'rings mut ()) } else { code!([]()) };
    code! { [lifetime, inside, match_types, carried, stream, new, generics, event, pushed, taken, output, value, p, more, match_impls, traits, default, clone, memory, vis, name, plain]
        #[doc(hidden)]
        #[allow(non_camel_case_types)]
        #vis struct #name #lifetime(::core::marker::PhantomData<#inside>);
        #memory
        #match_types
        #carried
        #[allow(dead_code, unused_variables, non_local_definitions, clippy::all, clippy::pedantic, clippy::nursery)]
        const _: () = {
            impl #lifetime #name #lifetime {
                #[doc(hidden)] #vis const EXPLAIN: &'static ::core::primitive::str = "";
                #[doc(hidden)] #new
                #[doc(hidden)] #vis fn push #generics(&mut self, event: &#event) -> #pushed { #taken }
                #[doc(hidden)] #vis fn advance_to<Time>(&mut self, time: Time) -> #output { #value }
                #[doc(hidden)] #vis fn finish(&mut self) -> #output { #value }
                #[doc(hidden)] #vis fn reset(&mut self) {}
                #[doc(hidden)] #vis const fn position(&self) -> ::core::primitive::u64 { 0 }
                #[doc(hidden)] #vis const fn stats(&self) -> #p::Stats { #p::Stats::NEW }
                #more
            }
            #clone #default
            impl #lifetime ::core::fmt::Debug for #name #lifetime {
                fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result { f.write_str(#plain) }
            }
            #match_impls
            #stream
            #traits
        };
    }
}

/// The schema of an item with an error: what runs on it has no stream either, and says nothing about that.
pub(super) fn silent(name: &Ident, visibility: &syn::Visibility) -> Schema {
    Schema {
        visibility: visibility.to_token_stream(),
        name: name.clone(),
        types: Vec::new(),
        timing: None,
        refused: Some(crate::schema::Refused { why: String::new(), help: String::new() }),
        held: None,
    }
}

/// The match type and the iterator: definitions and impls.
fn matches(
    head: &Head,
    (fields, bags): (Piece, bool),
    p: Piece,
    a_match: Piece,
    matches: Piece,
) -> (Piece, Piece) {
    let vis = Piece::of(&head.visibility);
    let (of, held) = if bags {
        (code!([] <'machine>), code!([] __machine: ::core::marker::PhantomData<&'machine ()>,))
    } else {
        (Piece::EMPTY, Piece::EMPTY)
    };
    let of_any = if bags { code!([] <'_>) } else { Piece::EMPTY };
    let (lifetimes, inside) = if head.borrowed {
        (code!([] <'machine, 'rings>), code!([] (&'machine (), &'rings ())))
    } else {
        (code!([] <'machine>), code!([] &'machine ()))
    };
    let any = if head.borrowed { code!([] <'_, '_>) } else { code!([] <'_>) };
    let (match_text, matches_text) = (a_match.to_string(), matches.to_string());
    let definitions = code! { [fields, lifetimes, inside, of, held, vis, a_match, matches]
        #[doc(hidden)]
        #[derive(::core::clone::Clone, ::core::marker::Copy)]
        #[allow(dead_code, missing_docs, private_interfaces, non_camel_case_types)]
        #vis struct #a_match #of { #fields #held __start: ::core::primitive::u64, __end: ::core::primitive::u64 }
        #[doc(hidden)]
        #[allow(non_camel_case_types)]
        #vis struct #matches #lifetimes(::core::marker::PhantomData<#inside>);
    };
    let impls = code! { [any, p, of, of_any, lifetimes, a_match, vis, matches | matches_text, match_text]
        impl #a_match #of_any {
            #[doc(hidden)] #vis const fn start(&self) -> ::core::primitive::u64 { self.__start }
            #[doc(hidden)] #vis const fn end(&self) -> ::core::primitive::u64 { self.__end }
        }
        impl ::core::fmt::Debug for #a_match #of_any {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result { f.write_str(#match_text) }
        }
        impl #lifetimes ::core::iter::Iterator for #matches #lifetimes {
            type Item = #a_match #of;
            fn next(&mut self) -> ::core::option::Option<#a_match #of> { ::core::option::Option::None }
        }
        impl ::core::iter::FusedIterator for #matches #any {}
        impl #p::Answer for #matches #any {
            fn found(&mut self) -> ::core::primitive::bool { false }
        }
        impl ::core::fmt::Debug for #matches #any {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result { f.write_str(#matches_text) }
        }
    };
    (definitions, impls)
}

/// The fields that a match may have, each with its record; and whether one of them is a bag, which is here a slice.
fn fields(head: &Head, schema: Option<&Schema>, p: Piece) -> (Piece, bool) {
    let (Some(schema), Some(on)) = (schema, &head.on) else { return (Piece::EMPTY, false) };
    let on = without_elided(on.clone()).0;
    let all = each(&schema.types, |t| t.name.to_string());
    // where nothing tells the type, the one that has most to show
    let mut richest = None;
    for (t, ty) in schema.types.iter().enumerate() {
        if richest.is_none_or(|r: usize| ty.attributes.len() > schema.types[r].attributes.len()) {
            richest = Some(t);
        }
    }
    let near = |word: &str| {
        let exact = position(&all, |w| w == word);
        exact.or_else(|| {
            let near = nearest(word, &all)?;
            position(&all, |w| w == near)
        })
    };
    let mut found: Vec<(Ident, usize, Number)> = Vec::new();
    let mut add = |name: Ident, ty: Option<usize>, number: Number| {
        let fits = !is_keyword(&name.to_string()) && !any(&found, |f| f.0 == name);
        if let (true, Some(ty)) = (fits, ty) {
            found.push((name, ty, number));
        }
    };
    for a in &head.atoms {
        let at = near(&a.name.to_string());
        match &a.variable {
            Some(variable) => add(variable.clone(), at.or(richest), a.number),
            None => add(field_name(&a.name, true), at, a.number),
        }
    }
    let selected = |variable: &Ident| {
        !any(&head.atoms, |a| a.variable.as_ref() == Some(variable)) && !any(&all, |t| variable == t)
    };
    for item in &head.selected {
        if selected(&item.variable) {
            add(item.variable.clone(), richest, Number::One);
        }
    }
    let mut fields = Piece::EMPTY;
    let mut bags = false;
    for (name, ty, number) in &found {
        // what is not selected makes no match borrow; an atom without `as` is selected by its type
        let is = |word: &Ident| {
            let by_type = |a: &crate::ast::HeadAtom| {
                a.variable.is_none() && a.name == *word && field_name(&a.name, true) == *name
            };
            word == name || any(&head.atoms, by_type)
        };
        let selected = head.selected.is_empty() || any(&head.selected, |s| is(&s.variable));
        let one = code!([p | ty, on] #p::At<<<#on as #p::Stream>::Event as #p::EventType<#ty>>::Record>);
        let ty = match number {
            Number::One => one,
            Number::AtMostOne => code!([one] ::core::option::Option<#one>),
            Number::Many if selected => {
                bags = true;
                code!([one] &'machine [#one])
            }
            Number::Many => code!([one] &'static [#one]),
        };
        fields.extend(code!([ty | name] pub #name: #ty,));
    }
    (fields, bags)
}

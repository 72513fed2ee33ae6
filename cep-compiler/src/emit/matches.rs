//! The match type, the iterator over the matches of one event, and what hands them out.
use super::guards::free;
use super::latest::machine_trait;
use super::machine::lifetime;
use super::names::Names;
use super::ring::{admits_call, matches_type};
use crate::ast::Storage;
use crate::hir::{Field, Output, Pattern};
use crate::plan::{Kept, Plan};
use crate::schema::Kind;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// The types to stand beside the machine, and the impls that go into the `const _`. Nothing for `detect`.
pub(super) fn matches(pattern: &Pattern, plan: &Plan, names: &Names) -> (TokenStream, TokenStream) {
    let fields: &[Field] = match &pattern.output {
        Output::Detect => return (TokenStream::new(), TokenStream::new()),
        Output::SelectNone => &[],
        Output::Select(fields) => fields,
    };
    (types(pattern, plan, names, fields), impls(pattern, plan, names, fields))
}

/// All attributes that a field shows have a `Debug` and a `PartialEq` for sure.
fn is_known(pattern: &Pattern, f: &Field) -> bool {
    let event = pattern.event_type(f.atom);
    let known = |k: &Kind| !matches!(k, Kind::Opaque);
    match &f.attributes {
        None => event.record_is_plain(),
        Some(all) => all.iter().all(|a| known(&event.attributes[a.0].kind)),
    }
}

fn types(pattern: &Pattern, plan: &Plan, names: &Names, fields: &[Field]) -> TokenStream {
    let (vis, machine, a_match, matches) =
        (&pattern.visibility, &names.machine, &names.a_match, &names.matches);
    let known = fields.iter().all(|f| is_known(pattern, f));
    let derives = if known { quote!(, ::core::fmt::Debug, ::core::cmp::PartialEq) } else { quote!() };
    let parts = fields.iter().filter_map(|f| {
        let all = f.attributes.as_ref()?;
        let part = names.part(&f.name);
        let ty = pattern.atoms[f.atom.0].ty;
        let event = pattern.event_type(f.atom);
        let (shown, types): (Vec<Ident>, Vec<TokenStream>) =
            all.iter().map(|a| (event.attributes[a.0].name.clone(), names.attribute(ty, *a))).unzip();
        let doc = format!("What a match of [`{machine}`] holds of `{}`.", f.name);
        let docs = shown.iter().map(|n| format!("`{n}`"));
        let derives = if is_known(pattern, f) {
            quote!(, ::core::fmt::Debug, ::core::cmp::PartialEq)
        } else {
            quote!()
        };
        Some(quote! {
            #[doc = #doc]
            #[derive(::core::clone::Clone, ::core::marker::Copy #derives)]
            #vis struct #part { #(#[doc = #docs] pub #shown: #types),* }
        })
    });
    let shown: Vec<&Ident> = fields.iter().map(|f| &f.name).collect();
    let types: Vec<TokenStream> = fields.iter().map(|f| field_type(pattern, names, f)).collect();
    let docs = fields.iter().map(|f| field_doc(pattern, f));
    let (start, end) = interval(fields);
    let doc = format!("A match of [`{machine}`].");
    let all_doc =
        format!("The matches of [`{machine}`] that end at one event. What is not asked for costs nothing.");
    let (lifetimes, machine_type) = if plan.storage == Storage::Borrowed {
        (quote!(<'machine, 'rings>), quote!(#machine<'rings>))
    } else {
        (quote!(<'machine>), quote!(#machine))
    };
    quote! {
        #(#parts)*
        #[doc = #doc]
        #[derive(::core::clone::Clone, ::core::marker::Copy #derives)]
        #vis struct #a_match {
            #(#[doc = #docs] pub #shown: #types,)*
            #start: ::core::primitive::u64,
            #end: ::core::primitive::u64,
        }
        #[doc = #all_doc]
        #[must_use = "matches are found as they are asked for"]
        #[allow(deprecated)]
        #vis struct #matches #lifetimes { machine: &'machine mut #machine_type }
    }
}

fn field_type(pattern: &Pattern, names: &Names, f: &Field) -> TokenStream {
    let p = &names.p;
    let inner = if f.attributes.is_some() {
        let part = names.part(&f.name);
        quote!(#part)
    } else {
        names.record(pattern.atoms[f.atom.0].ty)
    };
    quote!(#p::At<#inner>)
}

/// The fields that hold start and end, whatever the variables are called.
fn interval(fields: &[Field]) -> (Ident, Ident) {
    let taken: Vec<Ident> = fields.iter().map(|f| f.name.clone()).collect();
    (free("__start", &taken), free("__end", &taken))
}

/// What the field is, and which attributes of the event are not in it.
fn field_doc(pattern: &Pattern, f: &Field) -> String {
    let event = pattern.event_type(f.atom);
    let variable = &pattern.variables[f.variable.0];
    let mut doc = match variable.is_type {
        true => format!("The `{}` event", event.name),
        false => format!("The `{}` event that is `{}`", event.name, variable.name),
    };
    let held: Vec<String> = match &f.attributes {
        Some(all) => all.iter().map(|a| format!("`{}`", event.attributes[a.0].name)).collect(),
        None => event.attributes.iter().filter(|a| a.kept).map(|a| format!("`{}`", a.name)).collect(),
    };
    doc.push_str(&if held.is_empty() { ".".to_string() } else { format!(": its {}.", held.join(", ")) });
    let left: Vec<String> =
        event.attributes.iter().filter(|a| !a.kept).map(|a| format!("`{}`", a.name)).collect();
    if f.attributes.is_none() && !left.is_empty() {
        doc.push_str(&format!(" Without {}, which cannot be kept.", left.join(", ")));
    }
    doc
}

fn impls(pattern: &Pattern, plan: &Plan, names: &Names, fields: &[Field]) -> TokenStream {
    let (p, vis, machine, a_match, matches, lifetime) =
        (&names.p, &pattern.visibility, &names.machine, &names.a_match, &names.matches, lifetime(plan));
    let debug = (!fields.iter().all(|f| is_known(pattern, f))).then(|| {
        let text = a_match.to_string();
        let shown: Vec<&Ident> = fields.iter().map(|f| &f.name).collect();
        let labels = shown.iter().map(|n| n.to_string());
        quote! {
            impl ::core::fmt::Debug for #a_match {
                /// The stream positions: not every attribute's type can be shown.
                fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                    f.debug_struct(#text)#(.field(#labels, &self.#shown.position()))*.finish_non_exhaustive()
                }
            }
        }
    });
    let next = next_match(pattern, plan, names, fields);
    let (start, end) = interval(fields);
    let complete = admits_call(pattern, plan, u8::try_from(plan.last).unwrap_or(u8::MAX));
    let (output, lent) = if plan.storage == Storage::Borrowed {
        (quote!(#matches<'m, 'rings>), quote!(<'m, 'rings>))
    } else {
        (quote!(#matches<'m>), quote!(<'m>))
    };
    let gives = quote!(impl #lent #p::Gives<'m> for #machine #lifetime { type Output = #output; });
    let machine_impl = machine_trait(plan, names, &matches_type(plan, names), &gives);
    let matching = names.is_generic.then(|| {
        quote! {
            impl #lifetime #p::Lends<'_> for #machine #lifetime { type Match = #a_match; }
            impl #lifetime #p::Matching for #machine #lifetime {
                #[inline]
                fn next_match(&mut self) -> ::core::option::Option<#a_match> { #machine::next_match(self) }
            }
        }
    });
    let matches_generic = if plan.storage == Storage::Borrowed { quote!(<'_, '_>) } else { quote!(<'_>) };
    let text = matches.to_string();
    quote! {
        impl #a_match {
            /// The stream position of its first event.
            #[must_use] #[inline]
            #vis const fn start(&self) -> ::core::primitive::u64 { self.#start }
            /// The stream position of its last event.
            #[must_use] #[inline]
            #vis const fn end(&self) -> ::core::primitive::u64 { self.#end }
        }
        #debug
        impl #lifetime #machine #lifetime {
            #next
            /// Whether there is another match.
            fn has_match(&self) -> ::core::primitive::bool {
                let ::core::option::Option::Some(last) = &self.last else { return false };
                let mut search = ::core::clone::Clone::clone(&self.search);
                search.advance(&__CEP_TABLE, &self.ring, last, |path| #complete)
            }
        }
        impl ::core::iter::Iterator for #matches #matches_generic {
            type Item = #a_match;
            #[inline]
            fn next(&mut self) -> ::core::option::Option<#a_match> { self.machine.next_match() }
        }
        impl ::core::iter::FusedIterator for #matches #matches_generic {}
        impl #p::Answer for #matches #matches_generic {
            fn any(&self) -> ::core::primitive::bool { self.machine.has_match() }
        }
        impl ::core::fmt::Debug for #matches #matches_generic {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result { f.write_str(#text) }
        }
        #machine_impl
        #matching
    }
}

fn next_match(pattern: &Pattern, plan: &Plan, names: &Names, fields: &[Field]) -> TokenStream {
    let (p, vis, a_match, kept) = (&names.p, &pattern.visibility, &names.a_match, &names.kept);
    let last = u8::try_from(plan.last).unwrap_or(u8::MAX);
    let complete = admits_call(pattern, plan, last);
    let fixed = plan.fixed;
    let (started, ended) = interval(fields);
    let canonical = plan.ambiguous.then(|| {
        quote! {
            if !search.is_canonical(#fixed, &__CEP_TABLE, &self.ring, last, |path| #complete) { continue; }
        }
    });
    let look = fields.iter().map(|f| {
        let at = plan.positions.iter().position(|q| q.atom == f.atom).unwrap_or(0);
        let back = plan.last.saturating_sub(at);
        let ty = pattern.atoms[f.atom.0].ty;
        let variant = Names::variant(ty);
        let name = super::names::ours(&format!("field_{at}"));
        let record = super::names::ours("record");
        let value = match (&f.attributes, plan.kept.get(&ty)) {
            (None, Some(Kept::Record)) => quote!(#record.0),
            (None, _) => quote!(::core::unreachable!("a selected event is kept whole")),
            (Some(all), _) => {
                let part = names.part(&f.name);
                let event = pattern.event_type(f.atom);
                let shown = all.iter().map(|a| event.attributes[a.0].name.clone());
                let values = all.iter().map(|a| super::guards::kept_value(plan, names, ty, *a, &record));
                quote!(#part { #(#shown: *#values),* })
            }
        };
        quote! {
            #[allow(irrefutable_let_patterns)]
            let #name = {
                let ::core::option::Option::Some(at) = path.event(#back) else { continue };
                let #kept::#variant(#record) = &**at else { continue };
                #p::At::new(at.position(), #value)
            };
        }
    });
    let shown = fields.iter().map(|f| &f.name);
    let values = fields.iter().map(|f| {
        let at = plan.positions.iter().position(|q| q.atom == f.atom).unwrap_or(0);
        super::names::ours(&format!("field_{at}"))
    });
    quote! {
        /// The next match that ends at the last event taken. `push` gives an iterator that does the same; this is for
        /// adaptors that own the machine.
        #[inline]
        #vis fn next_match(&mut self) -> ::core::option::Option<#a_match> {
            let last = &self.last?;
            // moved out and back, so that the conditions can read the machine
            let mut search = ::core::mem::replace(&mut self.search, #p::Search::idle());
            let mut found = ::core::option::Option::None;
            while search.advance(&__CEP_TABLE, &self.ring, last, |path| #complete) {
                #canonical
                let path = search.path(&self.ring, last);
                #(#look)*
                let start = path.first().map_or(last.position(), #p::At::position);
                found = ::core::option::Option::Some(#a_match { #(#shown: #values,)* #started: start, #ended: last.position() });
                break;
            }
            self.search = search;
            if found.is_some() { self.stats.results += 1; }
            found
        }
    }
}

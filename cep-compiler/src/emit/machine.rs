//! The struct, its constructors, and what every machine can do whatever its kernel.
use super::names::{Names, ours};
use crate::ast::Storage;
use crate::hir::{Output, Pattern};
use crate::plan::{Kernel, MAX_STATE_BYTES, Plan};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

/// `(limit: f64, …)`: names and types of the parameters.
pub(super) fn parameters(pattern: &Pattern) -> (Vec<&Ident>, Vec<&syn::Type>) {
    pattern.parameters.iter().map(|p| (&p.name, &p.ty)).unzip()
}

/// The field that holds a parameter; numbered, so that a parameter may have any name.
pub(super) fn parameter_field(i: usize) -> Ident {
    Ident::new(&format!("parameter_{i}"), Span::mixed_site())
}

/// `<'s>` where the rings are borrowed, for the type and for its impl.
pub(super) fn lifetime(plan: &Plan) -> TokenStream {
    if plan.storage == Storage::Borrowed { quote!(<'rings>) } else { TokenStream::new() }
}

/// The storage family.
pub(super) fn family(plan: &Plan, names: &Names) -> TokenStream {
    let p = &names.p;
    match plan.storage {
        Storage::Inline => quote!(#p::Inline),
        Storage::Boxed => quote!(#p::Boxed),
        Storage::Borrowed => quote!(#p::Borrowed<'rings>),
    }
}

/// The definition, and the methods and traits that go into the `const _`.
pub(super) fn machine(pattern: &Pattern, plan: &Plan, names: &Names) -> (TokenStream, TokenStream) {
    (definition(pattern, plan, names), methods(pattern, plan, names))
}

fn definition(pattern: &Pattern, plan: &Plan, names: &Names) -> TokenStream {
    let (p, name, vis, kept, lifetime) =
        (&names.p, &names.machine, &pattern.visibility, &names.kept, lifetime(plan));
    let attributes = pattern.attributes.iter().filter(|a| !a.path().is_ident("derive"));
    let (_, types) = parameters(pattern);
    let fields: Vec<Ident> = (0..types.len()).map(parameter_field).collect();
    let undocumented = !pattern.attributes.iter().any(|a| a.path().is_ident("doc"));
    let title = undocumented.then(|| format!("The pattern `{}`, compiled.", pattern.name));
    let title = title.iter();
    let usage = usage(pattern, plan, names);
    let plan_doc: String = std::iter::once("\n# Plan\n".to_string())
        .chain(plan.report.iter().map(|l| format!("* {l}\n")))
        .collect();
    let no_traits = (!names.is_generic).then(|| {
        format!(
            "\n`Machine` and `Matching` are not implemented: `{}` borrows, or is less visible than this type.",
            pattern.schema.name
        )
    });
    let no_traits = no_traits.iter();
    let state = match plan.kernel {
        Kernel::Latest => {
            let q = plan.positions.len() - 1;
            quote!(latest: #p::Latest<#q>, last_start: ::core::option::Option<::core::primitive::u64>,)
        }
        Kernel::Ring => {
            let (n, d, family) = (plan.slots, plan.positions.len(), family(plan, names));
            let output = if matches!(pattern.output, Output::Detect) {
                quote!(last_start: ::core::option::Option<::core::primitive::u64>,)
            } else {
                quote!(search: #p::Search<#d>, last: ::core::option::Option<#p::At<#kept>>,)
            };
            quote!(ring: #p::Ring<#kept, #n, #family>, #output)
        }
    };
    let rings = (plan.storage == Storage::Borrowed).then(|| {
        let (rings, n) = (&names.rings, plan.slots);
        let doc =
            format!("The memory of a [`{name}`]: {n} slots, all zeroes when new. For a `static` of its own.");
        quote! {
            #[doc = #doc]
            #vis struct #rings { slots: [#p::Slot<#kept>; #n] }
        }
    });
    quote! {
        #(#attributes)*
        #(#[doc = #title])*
        #[doc = #usage]
        #[doc = #plan_doc]
        #(#[doc = #no_traits])*
        #[allow(missing_copy_implementations)]
        #vis struct #name #lifetime { position: ::core::primitive::u64, stats: #p::Stats, #state #(#fields: #types),* }
        #rings
    }
}

/// How one makes such a machine and what it gives, as the type's documentation says it.
fn usage(pattern: &Pattern, plan: &Plan, names: &Names) -> String {
    let (name, rings) = (&names.machine, &names.rings);
    let mut given: Vec<String> = pattern.parameters.iter().map(|a| a.name.to_string()).collect();
    let make = if plan.storage == Storage::Borrowed {
        given.insert(0, format!("&mut {rings}"));
        "over"
    } else {
        "new"
    };
    let gives = match &pattern.output {
        Output::Detect => "says whether a match ends at it".to_string(),
        _ => format!("gives the [`{}`] that end at it, an iterator of [`{}`]", names.matches, names.a_match),
    };
    format!(
        "\n`{name}::{make}({})` makes a machine; [`push`]({name}::push) takes one event of `{}` and {gives}.",
        given.join(", "),
        pattern.schema.name
    )
}

fn methods(pattern: &Pattern, plan: &Plan, names: &Names) -> TokenStream {
    let (p, name, vis, lifetime) = (&names.p, &names.machine, &pattern.visibility, lifetime(plan));
    let constructors = constructors(pattern, plan, names);
    let explain = plan.report.join("\n");
    let clear = match plan.kernel {
        Kernel::Latest => quote!(self.latest.clear(); self.last_start = ::core::option::Option::None;),
        Kernel::Ring if matches!(pattern.output, Output::Detect) => {
            quote!(self.ring.clear(); self.last_start = ::core::option::Option::None;)
        }
        Kernel::Ring => {
            quote!(self.ring.clear(); self.search.stop(); self.last = ::core::option::Option::None;)
        }
    };
    let latest_start = matches!(pattern.output, Output::Detect).then(|| {
        quote! {
            /// Where the latest match that ended at the last completing event began: the latest of its starts.
            #[must_use] #[inline]
            #vis const fn latest_start(&self) -> ::core::option::Option<::core::primitive::u64> { self.last_start }
        }
    });
    let traits = traits(pattern, plan, names);
    let checks = checks(pattern, plan, names);
    quote! {
        impl #lifetime #name #lifetime {
            /// What this machine does and keeps, and what an event costs.
            #vis const EXPLAIN: &'static ::core::primitive::str = #explain;
            #constructors
            /// Forgets everything: as a new machine with the same parameters. Nothing is allocated.
            #vis fn reset(&mut self) { #clear self.position = 0; self.stats = #p::Stats::NEW; }
            /// How many events were taken so far: the position of the next one.
            #[must_use] #[inline]
            #vis const fn position(&self) -> ::core::primitive::u64 { self.position }
            /// What the machine counted.
            #[must_use] #[inline]
            #vis const fn stats(&self) -> #p::Stats { self.stats }
            #latest_start
        }
        #traits
        #checks
    }
}

/// `field: value` for everything but the ring and the parameters, as a new machine has it.
fn fresh(pattern: &Pattern, plan: &Plan, names: &Names) -> TokenStream {
    let p = &names.p;
    let none = quote!(::core::option::Option::None);
    let state = match plan.kernel {
        Kernel::Latest => quote!(latest: #p::Latest::new(), last_start: #none,),
        Kernel::Ring if matches!(pattern.output, Output::Detect) => quote!(last_start: #none,),
        Kernel::Ring => quote!(search: #p::Search::idle(), last: #none,),
    };
    quote!(position: 0, stats: #p::Stats::NEW, #state)
}

fn constructors(pattern: &Pattern, plan: &Plan, names: &Names) -> TokenStream {
    let (p, vis) = (&names.p, &pattern.visibility);
    let (given, types) = parameters(pattern);
    let fields: Vec<Ident> = (0..given.len()).map(parameter_field).collect();
    let fresh = fresh(pattern, plan, names);
    let (kept, n) = (&names.kept, plan.slots);
    let ring = |make: TokenStream| match plan.kernel {
        Kernel::Latest => TokenStream::new(),
        Kernel::Ring => quote!(ring: #make,),
    };
    match plan.storage {
        Storage::Inline => {
            let ring = ring(quote!(#p::Ring::<#kept, #n, #p::Inline>::new()));
            quote! {
                /// A machine that has seen nothing.
                #[must_use]
                #vis const fn new(#(#given: #types),*) -> Self { Self { #fresh #ring #(#fields: #given),* } }
            }
        }
        Storage::Boxed => {
            let ring = ring(quote!(#p::Ring::<#kept, #n, #p::Boxed>::boxed()));
            quote! {
                /// A machine that has seen nothing. Allocates its ring, once.
                #[must_use]
                #vis fn new(#(#given: #types),*) -> Self { Self { #fresh #ring #(#fields: #given),* } }
            }
        }
        Storage::Borrowed => {
            let rings = &names.rings;
            let ring = ring(quote!(#p::Ring::<#kept, #n, #p::Borrowed<'rings>>::over(&mut rings.slots)));
            quote! {
                /// A machine that has seen nothing, over memory that lives elsewhere.
                #[must_use]
                #vis fn over(rings: &'rings mut #rings, #(#given: #types),*) -> Self { Self { #fresh #ring #(#fields: #given),* } }
            }
        }
    }
}

fn traits(pattern: &Pattern, plan: &Plan, names: &Names) -> TokenStream {
    let (p, name, lifetime) = (&names.p, &names.machine, lifetime(plan));
    let fields: Vec<Ident> = (0..pattern.parameters.len()).map(parameter_field).collect();
    let state: Vec<Ident> = match (plan.kernel, &pattern.output) {
        (Kernel::Latest, _) => vec![ours("latest"), ours("last_start")],
        (Kernel::Ring, Output::Detect) => vec![ours("ring"), ours("last_start")],
        (Kernel::Ring, _) => vec![ours("ring"), ours("search"), ours("last")],
    };
    let clone = (plan.storage != Storage::Borrowed).then(|| {
        quote! {
            impl ::core::clone::Clone for #name {
                fn clone(&self) -> Self {
                    Self {
                        position: self.position, stats: self.stats,
                        #(#state: ::core::clone::Clone::clone(&self.#state),)*
                        #(#fields: self.#fields,)*
                    }
                }
            }
        }
    });
    let default = (pattern.parameters.is_empty() && plan.storage != Storage::Borrowed).then(|| {
        quote! {
            impl ::core::default::Default for #name { fn default() -> Self { Self::new() } }
        }
    });
    let rings = (plan.storage == Storage::Borrowed).then(|| {
        let (rings, n, kept, vis) = (&names.rings, plan.slots, &names.kept, &pattern.visibility);
        let text = format!("{rings}");
        quote! {
            impl #rings {
                /// Unused memory.
                #[must_use]
                #vis const fn new() -> Self { Self { slots: [#p::Slot::<#kept>::EMPTY; #n] } }
            }
            impl ::core::default::Default for #rings { fn default() -> Self { Self::new() } }
            impl ::core::fmt::Debug for #rings {
                fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result { f.write_str(#text) }
            }
        }
    });
    let called = plan.positions.iter().map(|q| crate::plan::called(pattern, q.atom));
    let called = quote!(&[#(#called),*]);
    let (oldest, position) = (oldest(plan), ours("position"));
    let oldest = quote!({ let #position = self.position.saturating_sub(1); #oldest });
    let live = match plan.kernel {
        Kernel::Latest => {
            quote!(debug.field("latest_starts", &#p::LiveStarts::new(&self.latest, #oldest, #called));)
        }
        Kernel::Ring => quote!(debug.field("kept", &#p::Live::new(&self.ring, #oldest, #called));),
    };
    // as `derive(Debug)` does
    let text = name.to_string().trim_start_matches("r#").to_string();
    quote! {
        #clone #default #rings
        impl #lifetime ::core::fmt::Debug for #name #lifetime {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let mut debug = f.debug_struct(#text);
                debug.field("position", &self.position);
                #live
                debug.finish_non_exhaustive()
            }
        }
    }
}

/// The oldest stream position in the window of the event at `position`.
pub(super) fn oldest(plan: &Plan) -> TokenStream {
    let position = ours("position");
    match plan.window {
        Some(w) => quote!((#position + 1).saturating_sub(#w)),
        None if plan.positions.len() == 1 => quote!(#position),
        None => quote!({ let _ = #position; 0 }),
    }
}

/// What rustc checks for us: parameters are `Copy`, and the state is not larger than it may be.
fn checks(pattern: &Pattern, plan: &Plan, names: &Names) -> TokenStream {
    let (p, name) = (&names.p, &names.machine);
    let parameters = pattern.parameters.iter().map(|a| {
        let ty = &a.ty;
        let span = Span::mixed_site().located_at(crate::diagnostic::Loc::of(ty).first);
        quote_spanned!(span=> const _: fn() = || { fn parameter<T: #p::Parameter>() {} parameter::<#ty>(); };)
    });
    let size = (plan.kernel == Kernel::Ring && plan.storage == Storage::Inline).then(|| {
        let limit = usize::try_from(MAX_STATE_BYTES).unwrap_or(usize::MAX);
        let text = format!(
            "the state of `{name}` is more than 64 KiB: write `storage boxed`, `storage borrowed` or a shorter window [CEP0304]"
        );
        let span = Span::mixed_site().located_at(pattern.window_loc.first);
        quote_spanned!(span=> const _: () = ::core::assert!(::core::mem::size_of::<#name>() <= #limit, #text);)
    });
    let alloc = (plan.storage == Storage::Boxed).then(|| {
        let span = Span::mixed_site().located_at(pattern.window_loc.first);
        quote_spanned!(span=> #p::needs_alloc! {})
    });
    quote!(#(#parameters)* #size #alloc)
}

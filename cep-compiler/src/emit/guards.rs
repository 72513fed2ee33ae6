//! One function per conjunct: nothing of the machine is in the scope of the user's expression.
//!
//! A unary guard looks at the event itself, so it can read what cannot be kept. A guard over several events gets what is kept of each.
use super::names::{Names, ours};
use super::rewrite::{Variable, field, opened, rewrite};
use crate::hir::{Conjunct, ConjunctId, Pattern, Read};
use crate::plan::{Kept, Plan};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};

/// The name of a conjunct's guard.
pub(super) fn name(c: ConjunctId) -> Ident {
    format_ident!("__cep_guard_{}", c.0, span = Span::mixed_site())
}

/// Every guard of the pattern.
pub(super) fn guards(pattern: &Pattern, plan: &Plan, names: &Names) -> TokenStream {
    let every = pattern.conjuncts.iter().enumerate();
    every.map(|(i, c)| guard(pattern, plan, names, ConjunctId(i), c)).collect()
}

/// `, hottest: f64, driest: f64` as a guard declares its parameters.
fn parameters(pattern: &Pattern, c: &Conjunct) -> TokenStream {
    c.parameters
        .iter()
        .map(|i| {
            let p = &pattern.parameters[*i];
            let (name, ty) = (&p.name, &p.ty);
            quote!(, #name: #ty)
        })
        .collect()
}

fn guard(pattern: &Pattern, plan: &Plan, names: &Names, id: ConjunctId, c: &Conjunct) -> TokenStream {
    let (name, p, on) = (name(id), &names.p, &names.on);
    let parameters = parameters(pattern, c);
    let body = body(pattern, c);
    let lints = quote!(#[allow(non_snake_case, unused_parens, unused_variables, unused_braces, clippy::all, clippy::pedantic, clippy::nursery)]);
    let (event, position) = (ours("event"), ours("position"));
    if c.is_unary() {
        let step = pattern.atoms[c.step.0].ty;
        let (event_type, view) = (names.event_type(step), ours("view"));
        let bind: TokenStream = c
            .reads
            .iter()
            .map(|r| {
                let x = &r.name;
                quote!(let #x = #p::Seen::new(#view, #position);)
            })
            .collect();
        let look = if c.reads.is_empty() {
            quote!()
        } else {
            quote!(let ::core::option::Option::Some(#view) = #event_type::view(#event) else { return false };)
        };
        return quote! {
            #lints #[inline(always)]
            fn #name(#event: &#on, #position: ::core::primitive::u64 #parameters) -> ::core::primitive::bool { #look #bind #body }
        };
    }
    let kept = &names.kept;
    let arguments: Vec<Ident> = (0..c.reads.len()).map(|i| ours(&format!("read_{i}"))).collect();
    let bind: TokenStream =
        c.reads.iter().zip(&arguments).enumerate().map(|(i, (r, argument))| kept_variable(pattern, plan, names, i, r, argument)).collect();
    quote! {
        #lints #[inline(always)]
        fn #name(#(#arguments: &#p::At<#kept>),* #parameters) -> ::core::primitive::bool { #bind #body }
    }
}

/// A variable of an event that is gone: a struct of references to what this guard reads, generic so that no type is named.
/// Numbered by the read: two names may stand for one event.
fn kept_variable(pattern: &Pattern, plan: &Plan, names: &Names, i: usize, r: &Read, argument: &Ident) -> TokenStream {
    let (p, kept, x) = (&names.p, &names.kept, &r.name);
    let ty = pattern.atoms[r.atom.0].ty;
    let variant = Names::variant(ty);
    let (record, view) = (ours("record"), format_ident!("__CepView{i}", span = Span::mixed_site()));
    let fields: Vec<Ident> =
        r.attributes.iter().map(|(a, _)| field(pattern.attribute(r.atom, *a), Span::call_site())).collect();
    let types: Vec<Ident> =
        (0..fields.len()).map(|i| format_ident!("A{i}", span = Span::mixed_site())).collect();
    let of = free("of", &fields);
    let values = r.attributes.iter().map(|(a, _)| kept_value(plan, names, ty, *a, &record));
    quote! {
        struct #view<'v, #(#types),*> { #(#fields: &'v #types,)* #of: ::core::marker::PhantomData<&'v ()> }
        #[allow(irrefutable_let_patterns)]
        let #kept::#variant(#record) = &**#argument else { return false };
        let #x = #p::Seen::new(#view { #(#fields: #values,)* #of: ::core::marker::PhantomData }, #argument.position());
    }
}

/// `name`, with underscores in front until it is none of `taken`: fields have no hygiene.
pub(super) fn free(name: &str, taken: &[Ident]) -> Ident {
    let mut name = name.to_string();
    while taken.iter().any(|t| t.to_string().trim_start_matches("r#") == name) {
        name.insert(0, '_');
    }
    ours(&name)
}

/// A reference to a kept attribute.
pub(super) fn kept_value(
    plan: &Plan,
    names: &Names,
    ty: crate::hir::TypeId,
    a: crate::hir::AttributeId,
    record: &Ident,
) -> TokenStream {
    let (p, n) = (&names.p, a.0);
    if plan.kept.get(&ty) == Some(&Kept::Record) {
        let of = names.record(ty);
        quote!(<#of as #p::Attr<#n>>::get(&#record.0))
    } else {
        let f = kept_field(a);
        quote!(&#record.#f)
    }
}

/// The field of a kept struct that holds an attribute.
pub(super) fn kept_field(a: crate::hir::AttributeId) -> Ident {
    format_ident!("a{}", a.0)
}

/// The disjuncts, each false where an attribute that it opens is NULL.
fn body(pattern: &Pattern, c: &Conjunct) -> TokenStream {
    let variables: Vec<Variable<'_>> =
        c.reads.iter().map(|r| Variable { name: &r.name, event: pattern.event_type(r.atom) }).collect();
    let parts = c.disjuncts.iter().map(|d| {
        let expr = rewrite(d.expr.to_token_stream(), &variables);
        let at = crate::diagnostic::Loc::of(&d.expr).first;
        // the type is stated, so that rustc says "expected `bool`" at the user's own tokens
        let value = ours("holds");
        let expr = quote_spanned!(Span::mixed_site().located_at(at)=> ({ let #value: ::core::primitive::bool = #expr; #value }));
        if d.opened.is_empty() {
            // in parentheses: a block in front of `||` would be a statement, and what follows a closure
            return quote!((#expr));
        }
        let (names, values): (Vec<Ident>, Vec<TokenStream>) = d
            .opened
            .iter()
            .map(|(read, a)| {
                let r = &c.reads[*read];
                let attribute = pattern.attribute(r.atom, *a);
                let (x, f) = (&r.name, field(attribute, Span::call_site()));
                (opened(x, attribute), quote!(::core::option::Option::as_ref(#x.#f)))
            })
            .unzip();
        quote!((if let (#(::core::option::Option::Some(#names),)*) = (#(#values,)*) { #expr } else { false }))
    });
    quote!(#(#parts)||*)
}

//! Stands in for the compiler until it is there: `pattern P(limit: f64) on S = Type as x filter condition within … detect;` becomes a
//! struct whose `push` evaluates the condition on one event. Enough to see that schemas arrive.
use crate::diagnostic::{Code, Diagnostics};
use crate::schema::{EventType, Schema, bounce::key};
use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

fn is(token: Option<&TokenTree>, text: &str) -> bool {
    token.is_some_and(|t| t.to_string() == text)
}

/// Compiles the items, given the schema of each stream under its [`key`].
#[must_use]
pub fn finish(root: TokenStream, schemas: Vec<(String, Schema)>, items: TokenStream) -> TokenStream {
    let mut report = Diagnostics::default();
    let tokens: Vec<TokenTree> = items.into_iter().collect();
    let out: TokenStream = tokens
        .split(|t| is(Some(t), ";"))
        .filter(|item| !item.is_empty())
        .filter_map(|tokens| item(&root, &schemas, tokens, &mut report))
        .collect();
    let errors = report.into_tokens();
    quote!(#out #errors)
}

fn item(
    root: &TokenStream,
    schemas: &[(String, Schema)],
    tokens: &[TokenTree],
    report: &mut Diagnostics,
) -> Option<TokenStream> {
    let at = |word: &str| tokens.iter().position(|t| is(Some(t), word));
    let (Some(keyword), Some(on), Some(equals)) = (at("pattern"), at("on"), at("=")) else {
        report.error(Code::Syntax, tokens[0].span(), "expected `pattern Name on Stream = …`");
        return None;
    };
    let head = &tokens[..keyword];
    let name = tokens.get(keyword + 1)?;
    let parameters: Vec<TokenTree> = match tokens.get(keyword + 2)? {
        TokenTree::Group(g) => g.stream().into_iter().collect(),
        _ => Vec::new(),
    };
    let (names, types): (Vec<_>, Vec<TokenStream>) = parameters
        .split(|t| is(Some(t), ","))
        .filter(|p| p.len() > 2)
        .map(|p| (&p[0], p[2..].iter().cloned().collect()))
        .unzip();
    let stream: TokenStream = tokens[on + 1..equals].iter().cloned().collect();
    let body = &tokens[equals + 1..];
    let (TokenTree::Ident(ty), TokenTree::Ident(variable)) = (body.first()?, body.get(2)?) else {
        return None;
    };
    let schema = &schemas.iter().find(|s| Some(&s.0) == key(&stream).as_ref())?.1;
    let Some(number) = schema.types.iter().position(|t| t.name == *ty) else {
        report.error(Code::UnknownType, ty.span(), format!("`{}` has no event type `{ty}`", schema.name));
        return None;
    };
    let end = body.iter().position(|t| is(Some(t), "within") || is(Some(t), "detect")).unwrap_or(body.len());
    let condition = body.get(4..end).unwrap_or_default().iter().cloned().collect();
    let condition = rewrite(condition, variable, &schema.types[number], report);
    let event = quote!(<#stream as #root::__private::Stream>::Event);
    Some(quote! {
        #[allow(missing_copy_implementations)] #(#head)* struct #name { #(#names: #types),* }
        #[allow(dead_code, clippy::all, clippy::pedantic)]
        impl #name {
            /// A machine.
            pub const fn new(#(#names: #types),*) -> Self { #name { #(#names),* } }
            /// Is the condition true?
            #[allow(unused_variables, unused_parens)]
            pub fn push(&mut self, event: &#event) -> ::core::primitive::bool {
                #(let #names = self.#names;)*
                match <#event as #root::__private::EventType<#number>>::view(event) {
                    ::core::option::Option::Some(view) => { let #variable = #root::__private::Seen::new(view, 0); #condition }
                    ::core::option::Option::None => false,
                }
            }
        }
    })
}

/// `x.attr` becomes `(*x.field)`.
fn rewrite(tokens: TokenStream, variable: &Ident, ty: &EventType, report: &mut Diagnostics) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut out = TokenStream::new();
    let mut i = 0;
    while let Some(token) = tokens.get(i) {
        if let (TokenTree::Ident(x), Some(TokenTree::Ident(a))) = (token, tokens.get(i + 2))
            && x == variable
            && is(tokens.get(i + 1), ".")
            && !matches!(tokens.get(i + 3), Some(TokenTree::Group(_)))
        {
            i += 3;
            let Some(attribute) = ty.attributes.iter().find(|b| b.name == *a) else {
                report.error(
                    Code::UnknownAttribute,
                    a.span(),
                    format!("`{}` has no attribute `{a}`", ty.name),
                );
                out.extend(quote!(::core::unreachable!()));
                continue;
            };
            let mut field = attribute.field.clone();
            field.set_span(a.span());
            out.extend(quote_spanned!(x.span()=> (*#x.#field)));
            continue;
        }
        i += 1;
        out.extend([match token {
            TokenTree::Group(g) => {
                let mut inner = Group::new(g.delimiter(), rewrite(g.stream(), variable, ty, report));
                inner.set_span(g.span());
                TokenTree::Group(inner)
            }
            t => t.clone(),
        }]);
    }
    out
}

//! How generated code names things: always by full paths, never by the tokens of a user's type.
use crate::code::{Piece, code};
use crate::hir::{AttributeId, Output, Pattern, TypeId};
use crate::slices::{any, find};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::format_ident;

/// The names of one machine.
pub(super) struct Names {
    /// `$crate::__private`
    pub(super) p: Piece,
    /// The stream's event type, where lifetimes can be left to rustc.
    pub(super) on: Piece,
    /// The same with `'static` for `'_`, for places where nothing is inferred. Records have no lifetimes, so this is the same record.
    pub(super) on_static: Piece,
    pub(super) machine: Ident,
    pub(super) a_match: Ident,
    pub(super) matches: Ident,
    pub(super) rings: Ident,
    /// For each variable of which only some attributes are selected, their struct; for one of several event types the enum of their records.
    parts: Vec<(Ident, Ident)>,
    /// What is kept of an event.
    pub(super) kept: Ident,
    /// The enum in it, by event type.
    pub(super) kept_of: Ident,
    /// What generated types need where the user's own name has an underscore, such as the one that we propose behind a reserved word:
    /// rustc takes `Option_` and warns of `Option_Match`.
    pub(super) spelling: Option<Piece>,
    /// The record of a `summarize`.
    pub(super) summary: Ident,
    /// What a run carries, where it has aggregates.
    pub(super) registers: Ident,
    /// The traits for adaptors can be implemented: the event is one type (no lifetime is left to rustc), and it is not less visible than
    /// the machine, which rustc refuses in an associated type (E0446).
    pub(super) is_generic: bool,
}

impl Names {
    pub(super) fn new(root: Piece, pattern: &Pattern) -> Self {
        let p = code!([root] #root::__private);
        let name = &pattern.name;
        let plain = name.to_string().trim_start_matches("r#").to_string();
        let (fixed, borrows) = without_elided(pattern.on.clone());
        let on = &pattern.on;
        let of = |suffix: &str| format_ident!("{plain}{suffix}", span = name.span());
        let (a_match, matches, rings) = (of("Match"), of("Matches"), of("Rings"));
        let taken = vec![name.clone(), a_match.clone(), matches.clone(), rings.clone()];
        Names {
            parts: parts(pattern, &plain, taken),
            on: code!([p | on] <#on as #p::Stream>::Event),
            on_static: code!([p | fixed] <#fixed as #p::Stream>::Event),
            p,
            machine: name.clone(),
            a_match,
            matches,
            rings,
            kept: format_ident!("__{plain}Kept", span = name.span()),
            kept_of: format_ident!("__{plain}KeptOf", span = name.span()),
            spelling: plain.contains('_').then(|| code!([] #[allow(non_camel_case_types)])),
            summary: super::summarize::name(&plain, name.span()),
            registers: format_ident!("__{plain}Registers", span = name.span()),
            is_generic: !borrows && pattern.schema.covers(&pattern.visibility),
        }
    }

    /// `EventType<2>` of the stream as a path to its functions.
    pub(super) fn event_type(&self, ty: TypeId) -> Piece {
        let (p, on, t) = (&self.p, &self.on, ty.0);
        code!([| t, p, on] <#on as #p::EventType<#t>>)
    }

    /// The record of an event type.
    pub(super) fn record(&self, ty: TypeId) -> Piece {
        let (p, on, t) = (&self.p, &self.on_static, ty.0);
        code!([| t, p, on] <#on as #p::EventType<#t>>::Record)
    }

    /// The declared type of an attribute.
    pub(super) fn attribute(&self, ty: TypeId, a: AttributeId) -> Piece {
        let (p, record, n) = (&self.p, self.record(ty), a.0);
        code!([record | n, p] <#record as #p::Attr<#n>>::Type)
    }

    /// The struct of what is kept of an event type.
    pub(super) fn kept_type(&self, ty: TypeId) -> Ident {
        format_ident!("{}{}", self.kept, ty.0, span = self.kept.span())
    }

    /// Its variant in the enum.
    pub(super) fn variant(ty: TypeId) -> Ident {
        format_ident!("E{}", ty.0)
    }

    /// The struct of a variable of which only some attributes are selected.
    pub(super) fn part(&self, variable: &Ident) -> &Ident {
        let found = find(&self.parts, |(of, _)| of == variable);
        found.map_or(&self.machine, |(_, part)| part)
    }
}

/// `FireRiskHot` for each variable of which only some attributes are selected; no two alike, and none like the names in `taken`.
fn parts(pattern: &Pattern, plain: &str, mut taken: Vec<Ident>) -> Vec<(Ident, Ident)> {
    let Output::Select(fields) = &pattern.output else { return Vec::new() };
    let mut out = Vec::new();
    for f in fields.iter().filter(|f| f.attributes.is_some() || f.atoms.len() > 1 || !f.aggregates.is_empty())
    {
        let mut name = format!("{plain}{}", camel_case(&f.name));
        while any(&taken, |t| *t == name) {
            name.push_str("Part");
        }
        let part = Ident::new(&name, pattern.name.span());
        taken.push(part.clone());
        out.push((f.name.clone(), part));
    }
    out
}

fn camel_case(name: &Ident) -> String {
    let mut out = String::new();
    for word in name.to_string().trim_start_matches("r#").split('_') {
        let mut letters = word.chars();
        if let Some(first) = letters.next() {
            out.extend(first.to_uppercase());
            out.push_str(letters.as_str());
        }
    }
    out
}

/// `'_` as `'static`, and whether there was any.
pub(super) fn without_elided(tokens: TokenStream) -> (TokenStream, bool) {
    let all: Vec<TokenTree> = tokens.into_iter().collect();
    let mut out = TokenStream::new();
    let mut found = false;
    for (i, t) in all.iter().enumerate() {
        let after_tick = i > 0 && matches!(&all[i - 1], TokenTree::Punct(p) if p.as_char() == '\'');
        match t {
            TokenTree::Ident(id) if after_tick && id == "_" => {
                found = true;
                out.extend([TokenTree::Ident(Ident::new("static", id.span()))]);
            }
            TokenTree::Group(g) => {
                let (inner, any) = without_elided(g.stream());
                found |= any;
                let mut h = proc_macro2::Group::new(g.delimiter(), inner);
                h.set_span(g.span());
                out.extend([TokenTree::Group(h)]);
            }
            t => out.extend([t.clone()]),
        }
    }
    (out, found)
}

/// A name of ours that no user's name can meet.
pub(super) fn ours(name: &str) -> Piece {
    Piece::of(&Ident::new(name, Span::mixed_site()))
}

//! How generated code names things: always by full paths, never by the tokens of a user's type.
use crate::code::{Piece, code};
use crate::hir::{AttributeId, Output, Pattern, TypeId};
use crate::schema::Attribute;
use crate::slices::{any, find};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};

/// The names of one machine.
pub(super) struct Names {
    /// `$crate::__private`
    pub(super) p: Piece,
    /// The stream's event type, where lifetimes can be left to rustc.
    pub(super) on: Piece,
    /// The same with `'static` for `'_`, for places where nothing is inferred. Records have no lifetimes, so this is the same record.
    pub(super) on_static: Piece,
    /// The visibility of the item, and so of all that comes of it.
    pub(super) vis: Piece,
    pub(super) machine: Piece,
    pub(super) a_match: Piece,
    pub(super) matches: Piece,
    pub(super) rings: Piece,
    /// For each variable of which only some attributes are selected, their struct; for one of several event types the enum of their records.
    parts: Vec<(Ident, Piece)>,
    /// What is kept of an event.
    pub(super) kept: Piece,
    /// The enum in it, by event type.
    pub(super) kept_of: Piece,
    /// What generated types need where the user's own name has an underscore, such as the one that we propose behind a reserved word:
    /// rustc takes `Option_` and warns of `Option_Match`.
    pub(super) spelling: Piece,
    /// The record of a `summarize`.
    pub(super) summary: Piece,
    /// What a run carries, where it has aggregates.
    pub(super) registers: Piece,
    /// The traits for adaptors can be implemented: the event is one type (no lifetime is left to rustc), and it is not less visible than
    /// the machine, which rustc refuses in an associated type (E0446).
    pub(super) is_generic: bool,
    /// Of the item's name.
    span: Span,
}

impl Names {
    pub(super) fn new(root: Piece, pattern: &Pattern) -> Self {
        let p = code!([root] #root::__private);
        let name = &pattern.name;
        let plain = name.to_string().trim_start_matches("r#").to_string();
        let (fixed, borrows) = without_elided(pattern.on.clone());
        let on = &pattern.on;
        let span = name.span();
        Names {
            parts: parts(pattern, &plain),
            on: code!([p | on] <#on as #p::Stream>::Event),
            on_static: code!([p | fixed] <#fixed as #p::Stream>::Event),
            p,
            vis: Piece::of(&pattern.visibility),
            machine: Piece::of(name),
            a_match: Piece::name(format_args!("{plain}Match"), span),
            matches: Piece::name(format_args!("{plain}Matches"), span),
            rings: Piece::name(format_args!("{plain}Rings"), span),
            kept: Piece::name(format_args!("__{plain}Kept"), span),
            kept_of: Piece::name(format_args!("__{plain}KeptOf"), span),
            spelling: if plain.contains('_') {
                code!([] #[allow(non_camel_case_types)])
            } else {
                Piece::EMPTY
            },
            summary: Piece::name(format_args!("{plain}Summary"), span),
            registers: Piece::name(format_args!("__{plain}Registers"), span),
            is_generic: !borrows && pattern.schema.covers(&pattern.visibility),
            span,
        }
    }

    /// `EventType<2>` of the stream as a path to its functions.
    pub(super) fn event_type(&self, ty: TypeId) -> Piece {
        let (p, on, t) = (self.p, self.on, ty.0);
        code!([on, p | t] <#on as #p::EventType<#t>>)
    }

    /// The record of an event type.
    pub(super) fn record(&self, ty: TypeId) -> Piece {
        let (p, on, t) = (self.p, self.on_static, ty.0);
        code!([on, p | t] <#on as #p::EventType<#t>>::Record)
    }

    /// The declared type of an attribute.
    pub(super) fn attribute(&self, ty: TypeId, a: AttributeId) -> Piece {
        let (p, record, n) = (self.p, self.record(ty), a.0);
        code!([record, p | n] <#record as #p::Attr<#n>>::Type)
    }

    /// The struct of what is kept of an event type.
    pub(super) fn kept_type(&self, ty: TypeId) -> Piece {
        Piece::name(format_args!("{}{}", self.kept, ty.0), self.span)
    }

    /// Its variant in the enum.
    pub(super) fn variant(ty: TypeId) -> Piece {
        Piece::name(format_args!("E{}", ty.0), Span::call_site())
    }

    /// The struct of a variable of which only some attributes are selected.
    pub(super) fn part(&self, variable: &Ident) -> Piece {
        let found = find(&self.parts, |(of, _)| of == variable);
        found.map_or(self.machine, |(_, part)| *part)
    }
}

/// `FireRiskHot` for each variable of which only some attributes are selected; no two alike, and none like the item's other names.
fn parts(pattern: &Pattern, plain: &str) -> Vec<(Ident, Piece)> {
    let Output::Select(fields) = &pattern.output else { return Vec::new() };
    let mut taken = vec![plain.to_string()];
    for suffix in ["Match", "Matches", "Rings"] {
        taken.push(format!("{plain}{suffix}"));
    }
    let mut out = Vec::new();
    for f in fields.iter().filter(|f| f.attributes.is_some() || f.atoms.len() > 1 || !f.aggregates.is_empty())
    {
        let mut name = format!("{plain}{}", camel_case(&f.name));
        while any(&taken, |t| *t == name) {
            name.push_str("Part");
        }
        out.push((f.name.clone(), Piece::name(format_args!("{name}"), pattern.name.span())));
        taken.push(name);
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

/// The same, made of parts.
pub(super) fn our(name: std::fmt::Arguments<'_>) -> Piece {
    Piece::name(name, Span::mixed_site())
}

/// The field of an attribute as generated code reads it.
pub(super) fn member(a: &Attribute) -> Piece {
    let mut field = a.field.clone();
    field.set_span(Span::call_site());
    Piece::of(&field)
}

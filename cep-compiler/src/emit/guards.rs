//! One function per conjunct: nothing of the machine is in the scope of the user's expression.
//!
//! A guard of one event looks at the event itself, so it can read what cannot be kept; there is one per event type of its variable. A guard
//! over several events gets what is kept of each, and the partial match where it needs an aggregate.
use super::names::{Names, member, our, ours};
use super::rewrite::{Attribute, Variable, opened, rewrite};
use crate::code::{Piece, Pieces, code, indexed_pieces, numbered_pieces, picked_pieces, pieces, pieces_of};
use crate::hir::{AttributeId, Conjunct, ConjunctId, Disjunct, Pattern, Read, ReadAttribute, TypeId};
use crate::plan::{Kept, Kernel, Plan};
use crate::slices::{all, any, each, each_indexed, find};
use proc_macro2::{Ident, Span};
use quote::{ToTokens, quote_spanned};

/// The name of the guard of one event.
pub(super) fn unary_name(c: ConjunctId, ty: TypeId) -> Piece {
    our(format_args!("__cep_guard_{}_{}", c.0, ty.0))
}

/// The name of the guard over several events.
pub(super) fn joint_name(c: ConjunctId) -> Piece {
    our(format_args!("__cep_guard_{}", c.0))
}

/// Every guard of the pattern.
pub(super) fn guards(pattern: &Pattern, plan: &Plan, names: &Names) -> Piece {
    let mut out = Piece::EMPTY;
    for (i, c) in pattern.conjuncts.iter().enumerate() {
        let id = ConjunctId(i);
        if c.is_unary() {
            for t in &pattern.types_of(c.unary_atoms()) {
                out.extend(unary(pattern, names, id, c, *t));
            }
        } else if plan.kernel == Kernel::Ring {
            out.extend(joint(pattern, plan, names, id, c));
        } else {
            out.extend(compared(pattern, names, id, c));
        }
    }
    if plan.kernel == Kernel::Ring {
        out.extend(super::bounds::functions(pattern, plan, names));
    }
    out
}

/// A comparison that a structure answers, as a guard that is never called: its names mean for editors what they mean elsewhere, and rustc checks
/// what is opaque to us in the user's own words.
fn compared(pattern: &Pattern, names: &Names, id: ConjunctId, c: &Conjunct) -> Piece {
    let (name, p, on) = (joint_name(id), names.p, names.on);
    let (event, view) = (ours("event"), ours("view"));
    let (mut bind, mut variables) = (Piece::EMPTY, Vec::new());
    for r in &c.reads {
        let ty = pattern.atoms[r.atoms[0].0].ty;
        let (x, of) = (&r.name, names.event_type(ty));
        bind.extend(code! { [view, of, event, p | x]
            let ::core::option::Option::Some(#view) = #of::view(#event) else { return false };
            let #x = #p::Seen::new(#view, 0);
        });
        let mut attributes = Vec::new();
        for a in &r.attributes {
            if let Some(i) = on_type(a, ty) {
                let own = &pattern.schema.types[ty.0].attributes[i.0];
                attributes.push(Attribute { name: &a.name, field: &own.field, nullable: own.nullable });
            }
        }
        variables.push(Variable { name: &r.name, attributes });
    }
    let (lints, parameters) = (lints(), parameters(pattern, c));
    let parts = pieces(&c.disjuncts, |d| disjunct(c, d, &variables));
    code! { [lints, name, event, on, parameters, bind; parts]
        #lints #[allow(dead_code)]
        fn #name(#event: &#on #parameters) -> ::core::primitive::bool { #bind #(#parts)||* }
    }
}

pub(super) fn lints() -> Piece {
    code!([] #[allow(non_snake_case, unused_parens, unused_variables, unused_braces, unused_mut, unused_comparisons, clippy::all, clippy::pedantic, clippy::nursery)])
}

/// `, hottest: f64, driest: f64` as a guard declares its parameters.
pub(super) fn parameters(pattern: &Pattern, c: &Conjunct) -> Piece {
    let mut out = Piece::EMPTY;
    for i in &c.parameters {
        let p = &pattern.parameters[*i];
        let (name, ty) = (&p.name, &p.ty);
        out.extend(code!([| ty, name] , #name: #ty));
    }
    out
}

/// An attribute as one event type has it, or `None`.
pub(super) fn on_type(a: &ReadAttribute, ty: TypeId) -> Option<AttributeId> {
    for (t, a) in &a.of {
        if *t == ty {
            return Some(*a);
        }
    }
    None
}

fn unary(pattern: &Pattern, names: &Names, id: ConjunctId, c: &Conjunct, ty: TypeId) -> Piece {
    let (name, p, on) = (unary_name(id, ty), names.p, names.on);
    let parameters = parameters(pattern, c);
    let (event, position, view) = (ours("event"), ours("position"), ours("view"));
    let schema = &pattern.schema.types[ty.0];
    let adapted = each_indexed(&c.reads, |i, r| adapt(pattern, names, i, r, ty));
    let variables = each_indexed(&c.reads, |i, r| {
        let mut attributes = Vec::new();
        for (k, a) in r.attributes.iter().enumerate() {
            if let Some(adapted) = &adapted[i] {
                if let Some((_, field, nullable)) = find(&adapted.fields, |f| f.0 == k) {
                    attributes.push(Attribute { name: &a.name, field, nullable: *nullable });
                }
            } else if let Some(id) = on_type(a, ty) {
                let own = &schema.attributes[id.0];
                attributes.push(Attribute { name: &a.name, field: &own.field, nullable: own.nullable });
            }
        }
        Variable { name: &r.name, attributes }
    });
    // a disjunct that mentions an attribute which this type lacks is false on it
    let parts = picked_pieces(&c.disjuncts, |d| {
        let there = all(&d.opened, |(r, a)| on_type(&c.reads[*r].attributes[*a], ty).is_some());
        there.then(|| disjunct(c, d, &variables))
    });
    let body = if parts.is_empty() { code!([] false) } else { code!([; parts] #(#parts)||*) };
    let event_type = names.event_type(ty);
    let bind = indexed_pieces(&c.reads, |i, r| {
        let x = &r.name;
        match &adapted[i] {
            None => code!([p, view, position | x] let #x = #p::Seen::new(#view, #position);),
            &Some(Adapted { definition, value, .. }) => {
                code!([p, position, definition, value | x] #definition let #x = #p::Seen::new(#value, #position);)
            }
        }
    });
    let look = if c.reads.is_empty() {
        Piece::EMPTY
    } else {
        code!([view, event_type, event] let ::core::option::Option::Some(#view) = #event_type::view(#event) else { return false };)
    };
    let lints = lints();
    code! { [lints, name, event, on, position, parameters, look, body; bind]
        #lints #[inline(always)]
        fn #name(#event: &#on, #position: ::core::primitive::u64 #parameters) -> ::core::primitive::bool { #look #(#bind)* #body }
    }
}

/// A variable as a guard of one event sees it where its types differ in an attribute: there it is an `Option` on all of them.
struct Adapted {
    definition: Piece,
    value: Piece,
    /// Index of the attribute, its field, and whether it is an `Option`.
    fields: Vec<(usize, Ident, bool)>,
}

/// `None`: the event's own view will do.
fn adapt(pattern: &Pattern, names: &Names, i: usize, r: &Read, ty: TypeId) -> Option<Adapted> {
    let schema = &pattern.schema.types[ty.0];
    let own = |a: &ReadAttribute| on_type(a, ty).map(|i| &schema.attributes[i.0]);
    if all(&r.attributes, |a| own(a).is_some_and(|o| o.nullable == a.nullable)) {
        return None;
    }
    let view = ours("view");
    let (mut locals, values, mut fields) = (Piece::EMPTY, Pieces::new(), Vec::new());
    for (k, a) in r.attributes.iter().enumerate() {
        let local = our(format_args!("own_{i}_{k}"));
        let value = match own(a) {
            Some(o) => {
                let field = member(o);
                if o.nullable == a.nullable || !o.kept {
                    fields.push((k, plain_field(pattern, a), o.nullable));
                    values.add(code!([view, field] #view.#field));
                    continue;
                }
                code!([local, view, field] let #local = ::core::option::Option::Some(*#view.#field);)
            }
            None => {
                // its type can be named where it can be kept; else a value is needed, and this type has none
                let of = |(t, i): &(TypeId, AttributeId)| &pattern.schema.types[t.0].attributes[i.0];
                let Some((t, i)) = find(&a.of, |x| of(x).kept) else { continue };
                let named = names.attribute(*t, *i);
                if of(&(*t, *i)).nullable {
                    code!([local, named] let #local: #named = ::core::option::Option::None;)
                } else {
                    code!([local, named] let #local: ::core::option::Option<#named> = ::core::option::Option::None;)
                }
            }
        };
        locals.extend(value);
        fields.push((k, plain_field(pattern, a), true));
        values.add(code!([local] &#local));
    }
    let name = our(format_args!("__CepOwn{i}"));
    let types = generics(fields.len());
    let all = each(&fields, |f| f.1.clone());
    let (of, all) = (free("of", &all), pieces_of(&all));
    Some(Adapted {
        definition: code! { [locals, of, name; types, all]
            struct #name<'v, #(#types),*> { #(#all: &'v #types,)* #of: ::core::marker::PhantomData<&'v ()> }
            #locals
        },
        value: code!([of, name; all, values] #name { #(#all: #values,)* #of: ::core::marker::PhantomData }),
        fields,
    })
}

fn joint(pattern: &Pattern, plan: &Plan, names: &Names, id: ConjunctId, c: &Conjunct) -> Piece {
    let (name, p, kept, n, d) = (joint_name(id), names.p, names.kept, plan.slots, plan.depth);
    let parameters = parameters(pattern, c);
    let (path, newest) = (ours("path"), ours("newest"));
    let arguments = reads(c);
    let fields = each(&c.reads, |r| each(&r.attributes, |a| plain_field(pattern, a)));
    let bind = indexed_pieces(&c.reads, |i, r| {
        let (argument, fields) = (arguments.get(i), &fields[i]);
        if r.computed.is_empty() {
            kept_variable(pattern, plan, names, i, r, argument, fields)
        } else {
            computed_variable(pattern, names, i, r, (path, argument), fields)
        }
    });
    let folds = folds(names, c, path, newest);
    let argument_types = pieces(&c.reads, |r| match r.computed[..] {
        [] => code!([p, kept] &#p::At<#kept>),
        _ => code!([] ::core::primitive::usize),
    });
    let more = super::registers::argument(plan, names);
    let variables = each_indexed(&c.reads, |i, r| Variable {
        name: &r.name,
        attributes: each_indexed(&r.attributes, |k, a| Attribute {
            name: &a.name,
            field: &fields[i][k],
            nullable: a.nullable,
        }),
    });
    let parts = pieces(&c.disjuncts, |x| disjunct(c, x, &variables));
    let lints = lints();
    code! { [lints, name, p, path, more, newest, parameters, folds, kept | d, n; arguments, argument_types, bind, parts]
        #lints #[inline(always)]
        fn #name<__CepRing: #p::Storage, __CepWalk: #p::Storage>(#path: &#p::Path<'_, #kept, #n, #d, __CepRing, __CepWalk #more>, #newest: ::core::primitive::usize, #(#arguments: #argument_types,)* (): () #parameters) -> ::core::primitive::bool {
            #folds #(#bind)* #(#parts)||*
        }
    }
}

/// `read_0`, …: the locals that hold the events of a conjunct's reads.
pub(super) fn reads(c: &Conjunct) -> Pieces {
    numbered_pieces(c.reads.len(), |i| our(format_args!("read_{i}")))
}

/// The field that stands for an attribute of a kept variable.
fn plain_field(pattern: &Pattern, a: &ReadAttribute) -> Ident {
    let first = a.of.first().map(|(t, i)| pattern.schema.types[t.0].attributes[i.0].field.clone());
    let mut f = first.unwrap_or_else(|| a.name.clone());
    f.set_span(Span::call_site());
    f
}

/// A variable of an event that is gone: a struct of references to what this guard reads, generic so that no type is named.
fn kept_variable(
    pattern: &Pattern,
    plan: &Plan,
    names: &Names,
    i: usize,
    r: &Read,
    argument: Piece,
    fields: &[Ident],
) -> Piece {
    let (p, x) = (names.p, &r.name);
    let view = our(format_args!("__CepView{i}"));
    let types = generics(fields.len());
    let (of, all) = (free("of", fields), pieces_of(fields));
    let held = pattern.types_of(&r.atoms);
    let values = pieces(&r.attributes, |a| value(pattern, plan, names, a, &held, argument));
    let locals = numbered_pieces(fields.len(), |k| our(format_args!("value_{i}_{k}")));
    code! { [p, argument, of, view | x; types, all, locals, values]
        struct #view<'v, #(#types),*> { #(#all: &'v #types,)* #of: ::core::marker::PhantomData<&'v ()> }
        #(let #locals = #values;)*
        let #x = #p::Seen::new(#view { #(#all: #locals,)* #of: ::core::marker::PhantomData }, #argument.position());
    }
}

/// A reference to an attribute of a kept event; where its types differ in having it, to an `Option` made for the purpose.
fn value(
    pattern: &Pattern,
    plan: &Plan,
    names: &Names,
    a: &ReadAttribute,
    held: &[TypeId],
    argument: Piece,
) -> Piece {
    let (kept_of, record) = (names.kept_of, ours("record"));
    let nullable = |t: TypeId, i: AttributeId| pattern.schema.types[t.0].attributes[i.0].nullable;
    let alike = all(held, |t| on_type(a, *t).is_some_and(|i| nullable(*t, i) == a.nullable));
    let arms = picked_pieces(held, |t| {
        let variant = Names::variant(*t);
        let i = on_type(a, *t)?;
        let v = kept_value(plan, names, *t, i, record);
        Some(if alike {
            code!([record, v, variant, kept_of] #kept_of::#variant(#record) => #v,)
        } else if nullable(*t, i) {
            code!([record, v, variant, kept_of] #kept_of::#variant(#record) => *#v,)
        } else {
            code!([record, v, variant, kept_of] #kept_of::#variant(#record) => ::core::option::Option::Some(*#v),)
        })
    });
    if alike {
        code!([argument; arms] match &#argument.of { #(#arms)* #[allow(unreachable_patterns)] _ => return false })
    } else {
        code!([argument; arms] &match &#argument.of { #(#arms)* #[allow(unreachable_patterns)] _ => ::core::option::Option::None })
    }
}

/// `let __count_0 = …;` for each aggregate that the conjunct reads.
pub(super) fn folds(names: &Names, c: &Conjunct, path: Piece, newest: Piece) -> Piece {
    if c.folds.is_empty() {
        return Piece::EMPTY;
    }
    let registers = ours("registers");
    let mut out = super::registers::at(path, newest, registers, code!([] return false));
    for f in &c.folds {
        let (name, value) = (&f.name, super::registers::lowered(names, registers, f.fold));
        out.extend(code!([value | name] let #name = #value;));
    }
    out
}

/// A variable of a computed event: what this guard reads of it, by its number in the run.
fn computed_variable(
    pattern: &Pattern,
    names: &Names,
    i: usize,
    r: &Read,
    (path, argument): (Piece, Piece),
    fields: &[Ident],
) -> Piece {
    let (p, x) = (names.p, &r.name);
    let (view, types) = (our(format_args!("__CepView{i}")), generics(fields.len()));
    let (of, all) = (free("of", fields), pieces_of(fields));
    let registers = our(format_args!("registers_{i}"));
    let take = super::registers::at(path, argument, registers, code!([] return false));
    let position = code!([path, argument] #path.position(#argument));
    let values = pieces(&r.attributes, |a| {
        super::registers::attribute(
            pattern,
            names,
            &r.computed,
            a,
            registers,
            position,
            code!([] return false),
        )
    });
    let locals = numbered_pieces(fields.len(), |k| our(format_args!("value_{i}_{k}")));
    code! { [take, p, path, argument, of, view | x; types, all, locals, values]
        struct #view<'v, #(#types),*> { #(#all: &'v #types,)* #of: ::core::marker::PhantomData<&'v ()> }
        #take
        #(let #locals = #values;)*
        let #x = #p::Seen::new(#view { #(#all: &#locals,)* #of: ::core::marker::PhantomData }, #path.event(#argument).map_or(0, #p::At::position));
    }
}

fn generics(n: usize) -> Pieces {
    numbered_pieces(n, |i| our(format_args!("A{i}")))
}

/// An attribute of a kept event by value, `None` where it is NULL.
pub(super) fn folded(
    pattern: &Pattern,
    plan: &Plan,
    names: &Names,
    a: &ReadAttribute,
    held: &[TypeId],
    at: Piece,
) -> Piece {
    let (kept_of, record) = (names.kept_of, ours("record"));
    let arms = picked_pieces(held, |t| {
        let variant = Names::variant(*t);
        let i = on_type(a, *t)?;
        let v = kept_value(plan, names, *t, i, record);
        Some(if pattern.schema.types[t.0].attributes[i.0].nullable {
            code!([record, v, variant, kept_of] #kept_of::#variant(#record) => *#v,)
        } else {
            code!([record, v, variant, kept_of] #kept_of::#variant(#record) => ::core::option::Option::Some(*#v),)
        })
    });
    code!([at; arms] match &#at.of { #(#arms)* #[allow(unreachable_patterns)] _ => ::core::option::Option::None })
}

/// Iterations as bits.
pub(super) fn loop_bits(loops: &[crate::hir::LoopId]) -> u64 {
    let mut bits = 0;
    for l in loops {
        bits |= 1 << l.0;
    }
    bits
}

/// `name`, with underscores in front until it is none of `taken`: fields have no hygiene.
pub(super) fn free(name: &str, taken: &[Ident]) -> Piece {
    let mut name = name.to_string();
    while any(taken, |t| t.to_string().trim_start_matches("r#") == name) {
        name.insert(0, '_');
    }
    ours(&name)
}

/// A reference to a kept attribute.
pub(super) fn kept_value(plan: &Plan, names: &Names, ty: TypeId, a: AttributeId, record: Piece) -> Piece {
    let (p, n) = (names.p, a.0);
    if plan.kept.get(&ty) == Some(&Kept::Record) {
        let of = names.record(ty);
        code!([of, p, record | n] <#of as #p::Attr<#n>>::get(&#record.0))
    } else {
        let f = kept_field(a);
        code!([record, f] &#record.#f)
    }
}

/// The field of a kept struct that holds an attribute.
pub(super) fn kept_field(a: AttributeId) -> Piece {
    Piece::name(format_args!("a{}", a.0), Span::call_site())
}

/// A disjunct, false where something that it opens is NULL.
pub(super) fn disjunct(c: &Conjunct, d: &Disjunct, variables: &[Variable<'_>]) -> Piece {
    let expr = rewrite(d.expr.to_token_stream(), variables);
    let at = crate::diagnostic::Loc::of(&d.expr).first;
    // the type is stated, so that rustc says "expected `bool`" at the user's own tokens
    let value = ours("holds");
    let expr = quote_spanned!(Span::mixed_site().located_at(at)=> ({ let #value: ::core::primitive::bool = #expr; #value }));
    let (names, values) = (Pieces::new(), Pieces::new());
    for (r, a) in &d.opened {
        let (read, attribute) = (&c.reads[*r], &c.reads[*r].attributes[*a]);
        let known = find(variables, |v| *v.name == read.name)
            .and_then(|known| find(&known.attributes, |x| *x.name == attribute.name));
        // else on this type it is no `Option`
        if let Some(known) = known.filter(|known| known.nullable) {
            let (x, f) = (&read.name, known.field);
            names.add(Piece::of(&opened(x, &attribute.name)));
            values.add(code!([| f, x] ::core::option::Option::as_ref(#x.#f)));
        }
    }
    for i in &d.opened_folds {
        let name = Piece::of(&c.folds[*i].name);
        names.add(name);
        values.add(name);
    }
    if names.is_empty() {
        // in parentheses: a block in front of `||` would be a statement, and what follows a closure
        return code!([| expr] (#expr));
    }
    code!([| expr; names, values] (if let (#(::core::option::Option::Some(#names),)*) = (#(#values,)*) { #expr } else { false }))
}

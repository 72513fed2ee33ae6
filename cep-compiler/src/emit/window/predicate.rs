//! `predicate { … }`: the machine around the runtime's windows.
//!
//! What is kept of an element is its record, an enum of records where there are several event types, at its stream position. The conditions
//! are functions of their own, one for each event type, so nothing of the machine is in their scope.
use super::{Emitted, Field, Names, folds, outputs, primitive};
use crate::code::{Piece, code, indexed_pieces, picked_pieces, pieces, pieces_of};
use crate::emit::names::{member, ours};
use crate::hir::predicate::{Condition, Of, Predicate, Read};
use crate::hir::window::Window;
use crate::slices::{all, any, each, position};
use proc_macro2::Span;

/// What the parts of the source have in common.
pub(super) struct Source<'a> {
    pub(super) window: &'a Window,
    pub(super) p: &'a Predicate,
    pub(super) names: &'a Names,
    /// What is kept of an element.
    pub(super) kept: Piece,
    /// An element that comes out.
    pub(super) element: Piece,
    /// A window with its members.
    pub(super) nested: Piece,
    /// The clock's type.
    pub(super) time: Piece,
    /// The key's type.
    pub(super) key: Piece,
    /// The monoid.
    pub(super) monoid: Piece,
    /// The runtime's windows, with all arguments.
    pub(super) core: Piece,
}

pub(super) fn emit(window: &Window, p: &Predicate, names: &Names) -> Emitted {
    let r = names.p;
    let [kept, element, nested] = {
        let word = window.name.to_string();
        let plain = word.trim_start_matches("r#");
        let of = |suffix: &str| Piece::name(format_args!("{plain}{suffix}"), window.name.span());
        let kept = if window.types.len() == 1 {
            Piece::name(format_args!("__{plain}Kept"), Span::call_site())
        } else {
            of("Event")
        };
        [kept, of("Element"), of("Window")]
    };
    let time = primitive(&p.clock_kind).unwrap_or_else(|| code!([] ::core::primitive::u64));
    let keys = pieces(&p.key, |k| names.attribute(window.types[0], k[0]));
    let key = code!([; keys] (#(#keys,)*));
    let monoids = indexed_pieces(&p.folds, |i, f| {
        folds::monoid(f, fold_value(window, f, &p.fold_attributes[i], names), names)
    });
    let monoid = folds::nested(monoids, names);
    let (pieces, most_keys, buckets) = sizes(p);
    let family = if window.boxed.is_some() { code!([r] #r::Boxed) } else { code!([r] #r::Inline) };
    let core = code!([r, key, monoid, time, family, kept | buckets, most_keys, pieces] #r::Windows<#r::At<#kept>, #key, #monoid, #time, #pieces, #most_keys, #buckets, #family>);
    let s = Source { window, p, names, kept, element, nested, time, key, monoid, core };
    let mut tokens = s.kept_type();
    let out = outputs::outputs(&s);
    tokens.extend(out.types);
    let machine = s.machine(out.machine);
    let (functions, settings, explain) = (s.functions(), s.settings(), out.explain);
    let spans = super::spans::spans(&s);
    let limit = usize::try_from(crate::plan::MAX_STATE_BYTES).unwrap_or(usize::MAX);
    let name = names.machine;
    let text = Piece::text(format_args!(
        "the state of `{name}` is more than 64 KiB [CEP0304]\n\nhelp: write `storage boxed`, or choose a smaller `capacity`; `agg` without `advance_when` keeps no elements"
    ));
    let span = Span::mixed_site().located_at(window.loc.first);
    let limit = Piece::of(&limit);
    let too_large = code!([name, limit, text] const _: () = ::core::assert!(::core::mem::size_of::<#name>() <= #limit, #text);).at(span);
    tokens.extend(machine);
    tokens.extend(code! { [functions, settings, explain, spans, too_large]
        #too_large
        #[allow(non_local_definitions, deprecated, dead_code, private_interfaces, clippy::all, clippy::pedantic, clippy::nursery)]
        const _: () = { #functions #settings #explain #spans };
    });
    tokens.extend(out.schema_tokens);
    Emitted { tokens, schema: out.schema }
}

/// The type of what a fold takes, without `Option`.
pub(super) fn fold_value(
    window: &Window,
    f: &crate::hir::window::Fold,
    attribute: &[usize],
    names: &Names,
) -> Piece {
    let r = names.p;
    if let Some(ty) = primitive(&f.input) {
        return ty;
    }
    match attribute.first() {
        None => code!([]()),
        Some(a) => {
            let ty = names.attribute(window.types[0], *a);
            if f.nullable { code!([ty, r] <#ty as #r::Nullable>::Value) } else { ty }
        }
    }
}

/// How many pieces, keys and buckets: what the capacity names, what can leave at one moment, and copies of windows that stay open.
fn sizes(p: &Predicate) -> (usize, usize, usize) {
    let n = |x: u64| usize::try_from(x).unwrap_or(usize::MAX / 8);
    let (most, keys) = (n(p.most), n(p.keys));
    let stores = p.folds.is_empty() || p.advance_size.is_some();
    let stays = p.advance_size.is_some() || p.conditions[2].is_some();
    let mut pieces = most + 3;
    if stores && (stays || p.evict) {
        pieces += most + 1;
    }
    if !p.folds.is_empty() {
        pieces += keys;
    }
    if p.nested {
        pieces += most + keys;
    }
    (pieces, keys, (2 * keys).next_power_of_two())
}

impl Source<'_> {
    pub(super) fn record(&self, ty: usize) -> Piece {
        let (r, on) = (self.names.p, self.names.on_static);
        code!([on, r | ty] <#on as #r::EventType<#ty>>::Record)
    }

    fn is_plain(&self) -> bool {
        all(&self.window.types, |t| self.window.schema.types[*t].record_is_plain())
    }

    /// The variant of an event type.
    fn variant(&self, ty: usize) -> Piece {
        Piece::name(format_args!("{}", self.window.schema.types[ty].name), Span::call_site())
    }

    /// The enum of records; of one event type an alias for its record.
    fn kept_type(&self) -> Piece {
        let (kept, vis, name) = (self.kept, self.names.vis, self.names.machine);
        if let [ty] = self.window.types[..] {
            let record = self.record(ty);
            return code! { [record, kept, vis]
                #[doc(hidden)]
                #[allow(non_camel_case_types, unreachable_pub)]
                #vis type #kept = #record;
            };
        }
        let doc = Piece::text(format_args!("What a window of [`{name}`] holds of an element."));
        let derives = if self.is_plain() {
            code!([], ::core::fmt::Debug, ::core::cmp::PartialEq)
        } else {
            Piece::EMPTY
        };
        let variants = pieces(&self.window.types, |t| self.variant(*t));
        let docs = pieces(&self.window.types, |t| Piece::text(format_args!("A `{}`.", self.variant(*t))));
        let records = pieces(&self.window.types, |t| self.record(*t));
        code! { [kept, derives, doc, vis; docs, variants, records]
            #[doc = #doc]
            #[derive(::core::clone::Clone, ::core::marker::Copy #derives)]
            #vis enum #kept { #(#[doc = #docs] #variants(#records)),* }
        }
    }

    /// A reference to an attribute of a kept element.
    pub(super) fn of_kept(&self, attribute: &[usize], kept: Piece) -> Piece {
        let r = self.names.p;
        if let ([ty], [a]) = (&self.window.types[..], attribute) {
            let record = self.record(*ty);
            return code!([record, r, kept | a] <#record as #r::Attr<#a>>::get(#kept));
        }
        let name = self.kept;
        let arms = indexed_pieces(attribute, |i, a| {
            let t = self.window.types[i];
            let (variant, record) = (self.variant(t), self.record(t));
            code!([record, r, variant, name | a] #name::#variant(record) => <#record as #r::Attr<#a>>::get(record),)
        });
        code!([kept; arms] match #kept { #(#arms)* })
    }

    /// The functions that look at events: conditions, key, time, what is kept, what is folded.
    fn functions(&self) -> Piece {
        let (r, on, kept, time, key) = (self.names.p, self.names.on, self.kept, self.time, self.key);
        let (monoid, window) = (self.monoid, self.window);
        let mut out = Piece::EMPTY;
        let mut arms = Piece::EMPTY;
        for ty in &window.types {
            let record = code!([on, r | ty] <#on as #r::EventType<#ty>>::record(event));
            let one = if window.types.len() == 1 {
                record
            } else {
                let variant = self.variant(*ty);
                code!([record, variant, kept] match #record { ::core::option::Option::Some(record) => ::core::option::Option::Some(#kept::#variant(record)), ::core::option::Option::None => ::core::option::Option::None })
            };
            arms.extend(code!([one | ty] #ty => #one,));
        }
        let when = self.of_kept(&self.p.clock, code!([] kept));
        let keys = pieces(&self.p.key, |k| self.of_kept(k, code!([] kept)));
        let folded = pieces(&self.p.fold_attributes, |a| {
            if a.is_empty() {
                return code!([]());
            }
            let value = self.of_kept(a, code!([] kept));
            code!([value] *#value)
        });
        let beside = pieces(&self.p.beside, |(t, a)| {
            let record = self.record(*t);
            code!([on, r, record | a, t] #t => match <#on as #r::EventType<#t>>::record(event) {
                ::core::option::Option::Some(record) => ::core::option::Option::Some(*<#record as #r::Attr<#a>>::get(&record)),
                ::core::option::Option::None => ::core::option::Option::None,
            },)
        });
        let input = if folded.is_empty() { code!([]()) } else { folds::input(folded) };
        out.extend(code! { [on, r, arms, when, input, monoid, key, time, kept; keys, beside]
            #[inline]
            #[allow(unused_variables)]
            fn __cep_beside(event: &#on) -> ::core::option::Option<#time> {
                match #r::Event::kind(event) { #(#beside)* _ => ::core::option::Option::None }
            }
            #[inline]
            fn __cep_keep(event: &#on) -> ::core::option::Option<#kept> {
                match #r::Event::kind(event) { #arms _ => ::core::option::Option::None }
            }
            #[inline] fn __cep_time(kept: &#kept) -> #time { *#when }
            #[inline] #[allow(unused_variables)] fn __cep_key(kept: &#kept) -> #key { (#(*#keys,)*) }
            #[inline] #[allow(unused_variables)] fn __cep_lift(kept: &#r::At<#kept>) -> #monoid {
                let kept: &#kept = &**kept;
                <#monoid as #r::Monoid>::lift(#input)
            }
        });
        let names = ["Start", "End", "Clear", "Advance"];
        let mut dispatch = Piece::EMPTY;
        for (i, condition) in self.p.conditions.iter().enumerate() {
            let which = Piece::name(format_args!("{}", names[i]), Span::call_site());
            let Some(condition) = condition else {
                // without an end, what does not start closes
                let value = if i == 1 {
                    code!([r] !__cep_holds(event, #r::Condition::Start, open))
                } else {
                    code!([] false)
                };
                dispatch.extend(code!([r, value, which] #r::Condition::#which => #value,));
                continue;
            };
            let mut arms = Piece::EMPTY;
            for ty in &window.types {
                let name = Piece::name(format_args!("__cep_condition_{i}_{ty}"), Span::call_site());
                out.extend(self.condition(condition, *ty, name));
                arms.extend(code!([name | ty] #ty => #name(event, open),));
            }
            dispatch
                .extend(code!([r, arms, which] #r::Condition::#which => match #r::Event::kind(event) { #arms _ => false },));
        }
        out.extend(code! { [on, r, dispatch, kept]
            fn __cep_holds(event: &#on, which: #r::Condition, open: #r::Open<'_, #r::At<#kept>>) -> ::core::primitive::bool {
                match which { #dispatch }
            }
        });
        out
    }

    fn condition(&self, c: &Condition, ty: usize, name: Piece) -> Piece {
        let (r, on, kept) = (self.names.p, self.names.on, self.kept);
        let body = self.leaf(c, ty);
        let (event, open, view) = (ours("event"), ours("open"), ours("view"));
        code! { [event, on, open, r, view, body, kept, name | ty]
            #[allow(unused_parens, unused_variables, unused_braces, unused_comparisons, clippy::all, clippy::pedantic, clippy::nursery)]
            fn #name(#event: &#on, #open: #r::Open<'_, #r::At<#kept>>) -> ::core::primitive::bool {
                let ::core::option::Option::Some(#view) = <#on as #r::EventType<#ty>>::view(#event) else { return false };
                #body
            }
        }
    }

    fn leaf(&self, c: &Condition, ty: usize) -> Piece {
        match c {
            Condition::And(a, b) => {
                let (a, b) = (self.leaf(a, ty), self.leaf(b, ty));
                code!([a, b] (#a && #b))
            }
            Condition::Or(a, b) => {
                let (a, b) = (self.leaf(a, ty), self.leaf(b, ty));
                code!([a, b] (#a || #b))
            }
            Condition::Leaf(tokens, reads) => {
                let mut out = code!([| tokens] { let holds: ::core::primitive::bool = #tokens; holds });
                for read in reads.iter().rev() {
                    out = self.opened(read, ty, out);
                }
                out
            }
        }
    }

    /// `inner` with a read bound around it; false where what is read is not there.
    fn opened(&self, read: &Read, ty: usize, inner: Piece) -> Piece {
        let (local, view, open) = (&read.local, ours("view"), ours("open"));
        let some = |value: Piece, inner: Piece| code!([value, inner | local] match #value { ::core::option::Option::Some(#local) => #inner, ::core::option::Option::None => false });
        let gone = match read.of {
            Of::Length => return some(code!([open] #open.len), inner),
            Of::Element => {
                let n = position(&self.window.types, |t| *t == ty).unwrap_or(0);
                let own = &self.window.schema.types[ty].attributes[read.attribute[n]];
                let field = member(own);
                return if own.nullable && !read.as_option {
                    some(code!([view, field] #view.#field), inner)
                } else if read.as_option && !own.nullable {
                    // NULL on some event types only
                    code!([view, inner, field | local] { let #local = &::core::option::Option::Some(*#view.#field); #inner })
                } else {
                    code!([view, inner, field | local] { let #local = #view.#field; #inner })
                };
            }
            Of::First => code!([open] #open.first),
            Of::Last => code!([open] #open.last),
            Of::Previous => code!([open] #open.prev),
        };
        let kept = ours("kept");
        let value = self.of_kept(&read.attribute, code!([kept] &**#kept));
        if read.as_option {
            let there = if read.nullable {
                code!([value] *#value)
            } else {
                code!([value] ::core::option::Option::Some(*#value))
            };
            code!([gone, kept, there, inner | local] {
                let #local = &match #gone { ::core::option::Option::Some(#kept) => #there, ::core::option::Option::None => ::core::option::Option::None };
                #inner
            })
        } else {
            let inner = if read.nullable {
                some(value, inner)
            } else {
                code!([value, inner | local] { let #local = #value; #inner })
            };
            code!([gone, kept, inner] match #gone { ::core::option::Option::Some(#kept) => #inner, ::core::option::Option::None => false })
        }
    }

    fn settings(&self) -> Piece {
        let (r, p) = (self.names.p, self.p);
        let Predicate {
            same_start,
            keep_end,
            one_role,
            keep_order,
            heartbeat,
            output_max,
            flush,
            max_port,
            idle_port,
            remembers,
            evict,
            most,
            nested,
            ..
        } = p;
        let option = |x: Option<u64>| match x {
            Some(x) => code!([| x] ::core::option::Option::Some(#x)),
            None => code!([] ::core::option::Option::None),
        };
        let (max, idle) = (option(p.max), option(p.idle));
        let advance = match p.advance_size {
            Some(n) => code!([| n] ::core::option::Option::Some(#n)),
            None => code!([] ::core::option::Option::None),
        };
        let (clear, folds) = (p.conditions[2].is_some(), !p.folds.is_empty());
        let stores = !folds || p.advance_size.is_some();
        let reads = !p.kept.is_empty();
        code! { [r, max, idle, advance | most, evict, reads, remembers, stores, folds, nested, clear, idle_port, max_port, flush, output_max, heartbeat, keep_order, one_role, keep_end, same_start]
            const __CEP_SETTINGS: #r::Settings = #r::Settings {
                same_start: #same_start, keep_end: #keep_end, one_role: #one_role, keep_order: #keep_order, heartbeat: #heartbeat,
                output_max: #output_max, flush: #flush, max: #max, idle: #idle, max_port: #max_port, idle_port: #idle_port,
                advance: #advance, clear: #clear, nested: #nested, folds: #folds, stores: #stores, remembers: #remembers, reads: #reads,
                evict: #evict, most: #most,
            };
        }
    }

    /// The struct itself; its methods are in the `const _`.
    fn machine(&self, iterator: Piece) -> Piece {
        let (name, vis, core) = (self.names.machine, self.names.vis, self.core);
        let attributes = picked_pieces(&self.window.attributes, |a| {
            (!a.path().is_ident("derive") && !a.path().is_ident("cep")).then(|| Piece::of(a))
        });
        let undocumented = !any(&self.window.attributes, |a| a.path().is_ident("doc"));
        let title = undocumented.then(|| format!("The window `{name}`, compiled."));
        let title = pieces_of(title.as_slice());
        let plan = Piece::text(format_args!("\n# Plan\n```text\n{}\n```", self.report()));
        code! { [iterator, core, name, plan, vis; title, attributes]
            #(#[doc = #title])* #(#attributes)* #[doc = #plan]
            #[allow(private_interfaces, clippy::pedantic)]
            #vis struct #name {
                core: #core,
                position: ::core::primitive::u64,
                results: ::core::primitive::u64,
            }
            #iterator
        }
    }

    /// The cost report.
    pub(super) fn report(&self) -> String {
        let p = self.p;
        let what = if !p.folds.is_empty() {
            let each = each(&p.folds, |f| format!("{}: {}", f.name, folds::function_name(f)));
            format!("agg {{ {} }}", each.join(", "))
        } else if p.nested {
            "windows with their members".to_string()
        } else {
            "elements".to_string()
        };
        let kernel = if !p.folds.is_empty() && p.advance_size.is_none() {
            "a running fold, no element is kept: one combine for each"
        } else if !p.folds.is_empty() {
            "the elements of a window are folded when it comes out"
        } else {
            "a pool of linked elements"
        };
        let (_, keys, _) = sizes(p);
        format!(
            "window {}: predicate, gives {what}\ncapacity: {} elements and waiting outputs, {keys} keys\nkernel: {kernel}; timeouts by heaps over the keys",
            self.window.name, p.most,
        )
    }

    /// The fields of a fold's record that are the key.
    pub(super) fn key_fields(&self) -> Vec<Field> {
        let ty = self.window.types[0];
        self.p
            .key
            .iter()
            .map(|k| {
                let a = &self.window.schema.types[ty].attributes[k[0]];
                Field {
                    name: crate::schema::joined::flat(&a.name),
                    ty: self.names.attribute(ty, k[0]),
                    doc: format!("`{}`, the key.", a.name),
                    kind: a.kind.clone(),
                    nullable: false,
                    length: None,
                    null_elements: false,
                    time: None,
                }
            })
            .collect()
    }
}

//! What comes out of a predicate window: elements, windows with members, or folds; and the methods that give them.
use super::predicate::{Source, fold_value};
use super::{Field, folds, no_event, record};
use crate::code::{Piece, code, indexed_pieces, numbered_pieces, pieces};
use crate::emit::names::ours;
use crate::schema::{Refused, Schema};
use proc_macro2::Ident;
use quote::ToTokens;

/// The parts of the source.
pub(super) struct Outputs {
    /// The types that come out.
    pub(super) types: Piece,
    /// The iterator.
    pub(super) machine: Piece,
    /// The methods, for the `const _`.
    pub(super) explain: Piece,
    /// Records that are events.
    pub(super) schema_tokens: Piece,
    pub(super) schema: Schema,
}

pub(super) fn outputs(s: &Source<'_>) -> Outputs {
    let (r, vis, name) = (s.names.p, s.names.vis, s.names.machine);
    let (kept, time, element, nested, records) = (s.kept, s.time, s.element, s.nested, s.names.records);
    let element_doc = Piece::text(format_args!("An element that comes out of [`{name}`]."));
    let nested_doc = Piece::text(format_args!("A window of [`{name}`] with its members."));
    let iterator_doc = Piece::text(format_args!("What comes out of [`{name}`] at one event."));
    let folds = !s.p.folds.is_empty();
    let mut types = code! { [r, time, kept, element, element_doc, vis]
        #[doc = #element_doc]
        #[derive(::core::clone::Clone, ::core::marker::Copy)]
        #[allow(private_interfaces)]
        #vis struct #element {
            kept: #r::At<#kept>,
            start: #time,
            end: ::core::option::Option<#time>,
            port: ::core::primitive::u8,
            reason: ::core::option::Option<#r::Reason>,
        }
    };
    if s.p.nested {
        let (key, monoid) = (s.key, s.monoid);
        types.extend(code! { [r, key, monoid, time, kept, name, nested, nested_doc, vis]
            #[doc = #nested_doc]
            #[allow(private_interfaces)]
            #vis struct #nested<'machine> {
                machine: &'machine #name,
                given: #r::Given<#r::At<#kept>, #key, #monoid, #time>,
            }
        });
    }
    let iterator = code! { [name, records, iterator_doc, vis]
        #[doc = #iterator_doc]
        #[must_use = "outputs are given as they are asked for"]
        #[allow(clippy::pedantic)]
        #vis struct #records<'machine> { machine: &'machine mut #name }
    };
    let (schema_tokens, schema) = if folds { fold_record(s) } else { no_record(s) };
    Outputs { types, machine: iterator, explain: methods(s), schema_tokens, schema }
}

/// The record of a window that is folded.
fn fold_record(s: &Source<'_>) -> (Piece, Schema) {
    let (r, time) = (s.names.p, s.time);
    let mut fields = s.key_fields();
    for (i, f) in s.p.folds.iter().enumerate() {
        fields.push(folds::field(f, fold_value(s.window, f, &s.p.fold_attributes[i], s.names), s.names));
    }
    // its time, for what runs on it
    fields.push(Field {
        name: Ident::new("__end", s.window.name.span()),
        ty: time,
        doc: "When it ends.".into(),
        kind: s.p.clock_kind.clone(),
        nullable: false,
        length: None,
        null_elements: false,
        time: Some(s.p.clock_unit),
    });
    let hidden = code! { [r, time]
        __start: #time,
        __port: ::core::primitive::u8,
        __reason: #r::Reason,
    };
    let (tokens, schema) = record(s.window, s.names, &fields, hidden, None, super::spans::held(s));
    (tokens, schema)
}

/// What gives elements, or windows with members, is no stream of events.
fn no_record(s: &Source<'_>) -> (Piece, Schema) {
    let name = s.names.machine;
    let what = if s.p.nested { "windows with their members" } else { "the elements of its windows" };
    let refused = Refused {
        why: format!("`{name}` gives {what}, which are no events of their own"),
        help: format!("give `{name}` an `agg {{ … }}`: what is folded is an event"),
    };
    let visibility = s.window.visibility.to_token_stream();
    let schema = Schema {
        visibility,
        name: s.window.name.clone(),
        types: Vec::new(),
        timing: None,
        refused: Some(refused),
        held: super::spans::held(s),
    };
    let mut tokens = super::seen(s.window, &schema);
    let stream = no_event(&s.window.name, Piece::EMPTY, s.names.p);
    tokens.extend(code!([stream] #[allow(non_local_definitions, clippy::all, clippy::pedantic)] const _: () = { #stream };));
    (tokens, schema)
}

fn methods(s: &Source<'_>) -> Piece {
    let (r, on, vis, name) = (s.names.p, s.names.on, s.names.vis, s.names.machine);
    let (kept, time, element, records) = (s.kept, s.time, s.element, s.names.records);
    let (nested, key, monoid) = (s.nested, s.key, s.monoid);
    let record = s.names.record;
    let event = ours("event");
    let text = name.to_string().trim_start_matches("r#").to_string();
    let iterator_text = records.to_string();
    let element_text = element.to_string();
    let folds = !s.p.folds.is_empty();
    let new = if s.window.boxed.is_some() {
        code! { [r, vis]
            /// No window so far: a few allocations now and none later.
            #[must_use]
            #vis fn new() -> Self { Self { core: #r::Windows::boxed(), position: 0, results: 0 } }
        }
    } else {
        code! { [r, vis]
            /// No window so far.
            #[must_use]
            #vis const fn new() -> Self { Self { core: #r::Windows::new(), position: 0, results: 0 } }
        }
    };
    let (before, after) = (format!("{}\nstate: ", s.report()), " bytes, no allocation");
    let given = code!([r, time, monoid, key, kept] #r::Given<#r::At<#kept>, #key, #monoid, #time>);
    let element_of = code!([element] #element { kept, start: given.start, end: given.end, port: given.port, reason: given.reason });
    // what an output is for the iterator; nothing for elements in no window, where the item cannot be one
    let (item, shown) = if folds {
        (Piece::of(&record), fold_shown(s))
    } else if s.p.nested {
        (code!([nested] #nested<'_>), code!([] ::core::option::Option::None))
    } else {
        (
            Piece::of(&element),
            code!([r, element_of] match given.what { #r::What::Element(kept) => ::core::option::Option::Some(#element_of), _ => ::core::option::Option::None }),
        )
    };
    let next = if s.p.nested {
        code! { [r, nested]
            #[inline]
            fn __next(&mut self) -> ::core::option::Option<#nested<'_>> {
                let given = loop {
                    let given = self.core.next_output()?;
                    if let #r::What::Window(..) = given.what { break given; }
                };
                self.results += 1;
                ::core::option::Option::Some(#nested { machine: self, given })
            }
        }
    } else {
        code! { [given, item, shown]
            #[inline]
            fn __shown(given: #given) -> ::core::option::Option<#item> { #shown }
            #[inline]
            fn __next(&mut self) -> ::core::option::Option<#item> {
                loop {
                    let given = self.core.next_output()?;
                    if let ::core::option::Option::Some(item) = Self::__shown(given) {
                        self.results += 1;
                        return ::core::option::Option::Some(item);
                    }
                }
            }
        }
    };
    let each = if s.p.nested {
        code! { [r, element_of, nested]
            match given.what {
                #r::What::Element(kept) => passes(#element_of),
                _ => { self.results += 1; windows(#nested { machine: &*self, given }); }
            }
        }
    } else if folds {
        code! { [r, element_of]
            match given.what {
                #r::What::Element(kept) => passes(#element_of),
                _ => if let ::core::option::Option::Some(item) = Self::__shown(given) { self.results += 1; windows(item); }
            }
        }
    } else {
        code! { [r, element_of]
            if let #r::What::Element(kept) = given.what {
                if given.reason.is_none() { passes(#element_of) } else { self.results += 1; windows(#element_of) }
            }
        }
    };
    let windows = if s.p.nested {
        code!([nested] impl ::core::ops::FnMut(#nested<'_>))
    } else {
        code!([item] impl ::core::ops::FnMut(#item))
    };
    let passes = code!([element] impl ::core::ops::FnMut(#element));
    let iterator = if s.p.nested {
        code! { [r, element, time, nested, records, vis]
            impl #records<'_> {
                /// The next window; its members can be read until the one behind it.
                #[allow(clippy::should_implement_trait)]
                #[inline]
                #vis fn next(&mut self) -> ::core::option::Option<#nested<'_>> { self.machine.__next() }
                /// Is there a window?
                #vis fn found(&mut self) -> ::core::primitive::bool { self.machine.core.has_output() }
            }
            impl<'machine> #nested<'machine> {
                /// When the first member begins.
                #[must_use] #vis fn start(&self) -> #time { self.given.start }
                /// When it ends.
                #[must_use] #vis fn end(&self) -> #time { self.given.end.unwrap_or(self.given.start) }
                /// Where it comes out.
                #[must_use] #vis fn port(&self) -> ::core::primitive::u8 { self.given.port }
                /// Why it came out.
                #[must_use] #vis fn reason(&self) -> #r::Reason { self.given.reason.unwrap_or(#r::Reason::End) }
                /// The members, in the order in which they came.
                #vis fn members(&self) -> impl ::core::iter::Iterator<Item = #element> + use<'_, 'machine> {
                    let (end, port, reason) = (self.given.end, self.given.port, self.given.reason);
                    ::core::iter::Iterator::map(self.machine.core.members(&self.given), move |(kept, start)| #element { kept: *kept, start, end, port, reason })
                }
            }
            impl ::core::fmt::Debug for #nested<'_> {
                fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                    f.debug_struct("Window").field("start", &self.start()).field("end", &self.end()).finish_non_exhaustive()
                }
            }
        }
    } else {
        code! { [item, records, vis]
            impl #records<'_> {
                /// Is there an output? None is lost by asking.
                #vis fn found(&mut self) -> ::core::primitive::bool { self.machine.core.has_output() }
            }
            impl ::core::iter::Iterator for #records<'_> {
                type Item = #item;
                #[inline]
                fn next(&mut self) -> ::core::option::Option<#item> { self.machine.__next() }
            }
            impl ::core::iter::FusedIterator for #records<'_> {}
        }
    };
    let record_methods = if folds {
        code! { [r, time, record, vis]
            impl #record {
                /// When the first element came.
                #[must_use] #vis const fn start(&self) -> #time { self.__start }
                /// When it ends.
                #[must_use] #vis const fn end(&self) -> #time { self.__end }
                /// Where it comes out.
                #[must_use] #vis const fn port(&self) -> ::core::primitive::u8 { self.__port }
                /// Why it came out.
                #[must_use] #vis const fn reason(&self) -> #r::Reason { self.__reason }
            }
        }
    } else {
        Piece::EMPTY
    };
    let traits = if s.names.is_generic {
        code! { [r, on, records, name]
            impl<'m> #r::Gives<'m> for #name { type Output = #records<'m>; }
            impl #r::Machine for #name {
                type Event = #on;
                type Error = #r::PushError;
                fn push(&mut self, event: &#on) -> ::core::result::Result<#records<'_>, #r::PushError> { #name::push(self, event) }
                fn reset(&mut self) { #name::reset(self) }
                fn position(&self) -> ::core::primitive::u64 { #name::position(self) }
                fn stats(&self) -> #r::Stats { #name::stats(self) }
            }
        }
    } else {
        Piece::EMPTY
    };
    code! { [r, new, event, on, windows, passes, each, next, iterator, traits, record_methods, kept, element, time, records, name, vis | iterator_text, element_text, text, after, before]
        const __CEP_BEFORE: &::core::primitive::str = #before;
        const __CEP_AFTER: &::core::primitive::str = #after;
        const __CEP_SIZE: ::core::primitive::usize = ::core::mem::size_of::<#name>();
        impl #name {
            /// What the compiler made of this window.
            #vis const EXPLAIN: &'static ::core::primitive::str = {
                const BYTES: [::core::primitive::u8; __CEP_BEFORE.len() + #r::digits(__CEP_SIZE) + __CEP_AFTER.len()] =
                    #r::explained(__CEP_BEFORE, __CEP_SIZE, __CEP_AFTER);
                #r::text(&BYTES)
            };

            #new

            /// Takes an event and gives what comes out: first what time closes, then what the conditions say.
            ///
            /// # Errors
            /// `OutOfOrder` where its time is before one already seen, or the stream was finished. `Full` where the capacity is used up, and
            /// would be after everything that time closes. Either way nothing changed.
            #vis fn push(&mut self, #event: &#on) -> ::core::result::Result<#records<'_>, #r::PushError> {
                self.__take(#event, false)?;
                ::core::result::Result::Ok(#records { machine: self })
            }

            /// As [`push`](Self::push), with `windows` called for each output and `passes` for each element that is in no window, in their order.
            ///
            /// # Errors
            /// As [`push`](Self::push).
            #vis fn push_split(&mut self, #event: &#on, windows: #windows, passes: #passes) -> ::core::result::Result<(), #r::PushError> {
                self.__take(#event, true)?;
                self.__split(windows, passes);
                ::core::result::Result::Ok(())
            }

            fn __take(&mut self, #event: &#on, split: ::core::primitive::bool) -> ::core::result::Result<(), #r::PushError> {
                let ::core::option::Option::Some(kept) = __cep_keep(#event) else {
                    // an event type that the window does not look at but for its time
                    self.core.pass(&__CEP_SETTINGS, __cep_beside(#event), __cep_lift)?;
                    self.position += 1;
                    return ::core::result::Result::Ok(());
                };
                let (time, key) = (__cep_time(&kept), __cep_key(&kept));
                let kept = #r::At::new(self.position, kept);
                let state = __cep_lift(&kept);
                self.core.push(&__CEP_SETTINGS, kept, key, time, state, split, |which, open| __cep_holds(#event, which, open), __cep_lift)?;
                self.position += 1;
                ::core::result::Result::Ok(())
            }

            /// No element before `time` follows: closes what is open or quiet for too long by then. Nothing where `time` is before now.
            #vis fn advance_to(&mut self, time: #time) -> #records<'_> {
                self.core.advance_to(&__CEP_SETTINGS, time, __cep_lift);
                #records { machine: self }
            }

            /// As [`advance_to`](Self::advance_to); where the window says so, everything open closes.
            #vis fn heartbeat(&mut self, time: #time) -> #records<'_> {
                self.core.heartbeat(&__CEP_SETTINGS, time, __cep_lift);
                #records { machine: self }
            }

            /// The end of the stream: what is open closes one tick after the last time, unless the window says otherwise. Every later push is
            /// `OutOfOrder`.
            #vis fn finish(&mut self) -> #records<'_> {
                self.core.finish(&__CEP_SETTINGS, __cep_lift);
                #records { machine: self }
            }

            /// [`advance_to`](Self::advance_to), as [`push_split`](Self::push_split) gives what comes out.
            #vis fn advance_to_split(&mut self, time: #time, windows: #windows, passes: #passes) {
                self.core.advance_to(&__CEP_SETTINGS, time, __cep_lift);
                self.__split(windows, passes);
            }

            /// [`heartbeat`](Self::heartbeat), as [`push_split`](Self::push_split) gives what comes out.
            #vis fn heartbeat_split(&mut self, time: #time, windows: #windows, passes: #passes) {
                self.core.heartbeat(&__CEP_SETTINGS, time, __cep_lift);
                self.__split(windows, passes);
            }

            /// [`finish`](Self::finish), as [`push_split`](Self::push_split) gives what comes out.
            #vis fn finish_split(&mut self, windows: #windows, passes: #passes) {
                self.core.finish(&__CEP_SETTINGS, __cep_lift);
                self.__split(windows, passes);
            }

            #[allow(unused_mut)]
            fn __split(&mut self, mut windows: #windows, mut passes: #passes) {
                while let ::core::option::Option::Some(given) = self.core.next_output() { #each }
            }

            #next

            /// Forgets everything: as a new one.
            #vis fn reset(&mut self) {
                self.core.reset();
                (self.position, self.results) = (0, 0);
            }

            /// How many events were taken so far.
            #[must_use]
            #vis const fn position(&self) -> ::core::primitive::u64 { self.position }

            /// Elements that were in no window so far.
            #[must_use]
            #vis const fn passed(&self) -> ::core::primitive::u64 { self.core.passed }

            /// Members of windows that began at the instant at which their window ended, and are in no output.
            #[must_use]
            #vis const fn vanished(&self) -> ::core::primitive::u64 { self.core.vanished }

            /// What was counted; `kept` is the number of elements and waiting outputs there are now.
            #[must_use]
            #vis fn stats(&self) -> #r::Stats {
                let mut stats = #r::Stats::NEW;
                stats.events = self.position;
                stats.results = self.results;
                stats.evicted = self.core.evicted;
                stats.kept = self.core.live();
                stats.keys = self.core.keys();
                stats
            }
        }
        impl ::core::default::Default for #name { fn default() -> Self { Self::new() } }
        impl ::core::clone::Clone for #name {
            fn clone(&self) -> Self {
                Self { core: ::core::clone::Clone::clone(&self.core), position: self.position, results: self.results }
            }
        }
        impl ::core::fmt::Debug for #name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.debug_struct(#text).field("position", &self.position).field("open", &self.core.open()).finish_non_exhaustive()
            }
        }
        impl #element {
            /// When it begins: its own time, or that of the first one of its window (`same_start_time`).
            #[must_use] #vis const fn start(&self) -> #time { self.start }
            /// When its window ends; nothing for an element in no window.
            #[must_use] #vis const fn end(&self) -> ::core::option::Option<#time> { self.end }
            /// Where it comes out; 1 for an element in no window.
            #[must_use] #vis const fn port(&self) -> ::core::primitive::u8 { self.port }
            /// Why its window came out; nothing for an element in no window.
            #[must_use] #vis const fn reason(&self) -> ::core::option::Option<#r::Reason> { self.reason }
            /// The position in the stream, from 0.
            #[must_use] #vis const fn position(&self) -> ::core::primitive::u64 { self.kept.position() }
        }
        impl ::core::ops::Deref for #element {
            type Target = #kept;
            fn deref(&self) -> &#kept { &self.kept }
        }
        impl ::core::fmt::Debug for #element {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.debug_struct(#element_text)
                    .field("position", &self.position()).field("start", &self.start).field("end", &self.end)
                    .field("port", &self.port).finish_non_exhaustive()
            }
        }
        #iterator
        impl #r::Answer for #records<'_> {
            fn found(&mut self) -> ::core::primitive::bool { #records::found(self) }
        }
        impl ::core::fmt::Debug for #records<'_> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result { f.write_str(#iterator_text) }
        }
        #record_methods
        #traits
    }
}

/// A fold's output as its record.
fn fold_shown(s: &Source<'_>) -> Piece {
    let (r, record) = (s.names.p, s.names.record);
    let (bind, locals) = folds::results(s.p.folds.len());
    let keys = pieces(&s.key_fields(), |f| Piece::of(&f.name));
    let at = numbered_pieces(keys.len(), |i| Piece::of(&proc_macro2::Literal::usize_unsuffixed(i)));
    let each = indexed_pieces(&s.p.folds, |i, f| {
        let (name, shown) = (&f.name, folds::shown(f, locals.get(i)));
        code!([shown | name] #name: #shown,)
    });
    code! { [r, bind, record; each, keys, at]
        let #r::What::Fold(key, fold) = given.what else { return ::core::option::Option::None };
        let _ = key;
        let #bind = #r::Monoid::lower(&fold);
        ::core::option::Option::Some(#record {
            #(#keys: key.#at,)*
            #(#each)*
            __end: given.end.unwrap_or(given.start),
            __start: given.start,
            __port: given.port,
            __reason: given.reason.unwrap_or(#r::Reason::End),
        })
    }
}

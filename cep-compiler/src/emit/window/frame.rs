//! What every window over records has in common: the struct around its state, `push`, the iterator of its records, the traits.
use super::Names;
use crate::code::{Piece, Pieces, code, picked_pieces, pieces_of};
use crate::emit::names::ours;
use crate::hir::window::Window;
use crate::schema::Timing;
use crate::slices::any;

/// What tells one kind of window from another.
pub(super) struct Parts {
    /// Fields of the struct.
    pub(super) fields: Vec<State>,
    /// Statements of `push`, which may return: takes `event`.
    pub(super) take: Piece,
    /// The body of the function that gives the next record: `Option<Record>`.
    pub(super) step: Piece,
    /// Further items for the `const _`.
    pub(super) more: Piece,
    /// When the records come.
    pub(super) timing: Timing,
    /// How many elements or folds a record has.
    pub(super) width: u64,
    /// What `EXPLAIN` says in front of the size.
    pub(super) explain: String,
}

/// A field of the struct.
pub(super) struct State {
    pub(super) name: Piece,
    pub(super) ty: Piece,
    /// What it is in the beginning; on the heap where the window is.
    pub(super) value: Piece,
    /// How it becomes that again, where it keeps its memory: a statement.
    pub(super) clear: Option<Piece>,
}

/// The struct and everything on it.
pub(super) fn frame(window: &Window, parts: Parts, names: &Names) -> Piece {
    let &Names { p, on, machine, record, records, .. } = names;
    let vis = names.vis;
    let Parts { fields, take, step, more, timing, width, explain } = parts;
    let attributes = picked_pieces(&window.attributes, |a| {
        (!a.path().is_ident("derive") && !a.path().is_ident("cep")).then(|| Piece::of(a))
    });
    let undocumented = !any(&window.attributes, |a| a.path().is_ident("doc"));
    let title = undocumented.then(|| format!("The window `{machine}`, compiled."));
    let title = pieces_of(title.as_slice());
    let plan = Piece::text(format_args!("\n# Plan\n```text\n{explain}\n```"));
    let boxed = window.boxed.is_some();
    let (names_of, types, values) = (Pieces::new(), Pieces::new(), Pieces::new());
    let mut clear = Piece::EMPTY;
    for State { name, ty, value, clear: again } in fields {
        clear.extend(again.unwrap_or_else(|| code!([name, value] self.#name = #value;)));
        names_of.add(name);
        types.add(ty);
        values.add(value);
    }
    let made = code!([; names_of, values] Self { #(#names_of: #values,)* position: 0, results: 0 });
    let (new, reset) = if boxed {
        (
            code! { [made, vis]
                /// A window over nothing so far: its rings are allocated now, and nothing later.
                #[must_use]
                #vis fn new() -> Self { #made }
            },
            code!([clear] #clear self.position = 0; self.results = 0;),
        )
    } else {
        (
            code! { [made, vis]
                /// A window over nothing so far.
                #[must_use]
                #vis const fn new() -> Self { #made }
            },
            code!([] *self = Self::new();),
        )
    };
    let event = ours("event");
    let text = machine.to_string().trim_start_matches("r#").to_string();
    let all_doc = Piece::text(format_args!("The records of [`{machine}`] that one event completes."));
    let iterator_text = records.to_string();
    let (origin, tail) = (timing.origin, timing.tail);
    let (above, below) = (timing.numerator, timing.denominator);
    let width = usize::try_from(width).unwrap_or(usize::MAX);
    let after = if boxed { " bytes, and its rings on the heap" } else { " bytes, no allocation" };
    let before = Piece::text(format_args!("{explain}\nstate: "));
    let traits = if names.is_generic {
        code! { [p, machine, records, on, record]
            impl<'m> #p::Gives<'m> for #machine { type Output = #records<'m>; }
            impl #p::Machine for #machine {
                type Event = #on;
                type Error = #p::Never;
                #[inline]
                fn push(&mut self, event: &#on) -> ::core::result::Result<#records<'_>, #p::Never> {
                    ::core::result::Result::Ok(#machine::push(self, event))
                }
                fn reset(&mut self) { #machine::reset(self) }
                fn position(&self) -> ::core::primitive::u64 { #machine::position(self) }
                fn stats(&self) -> #p::Stats { #machine::stats(self) }
            }
            impl #p::Lends<'_> for #machine { type Match = #record; }
            impl #p::Matching for #machine {
                #[inline]
                fn next_match(&mut self) -> ::core::option::Option<#record> { #machine::next_match(self) }
            }
        }
    } else {
        Piece::EMPTY
    };
    let too_large = if boxed {
        Piece::EMPTY
    } else {
        let text = Piece::text(format_args!(
            "the state of `{machine}` is more than 64 KiB [CEP0304]\n\nhelp: write `storage boxed` behind the window, fold it in two steps (a window over a window), or use a narrower one"
        ));
        let limit = Piece::of(&usize::try_from(crate::plan::MAX_STATE_BYTES).unwrap_or(usize::MAX));
        let span = proc_macro2::Span::mixed_site().located_at(window.loc.first);
        code!([machine, limit, text] const _: () = ::core::assert!(::core::mem::size_of::<#machine>() <= #limit, #text);).at(span)
    };
    code! { [more, event, take, step, new, reset, traits, before, all_doc, plan, vis, machine, records, record, p, on, too_large | iterator_text, text, width, below, above, tail, origin, after; title, attributes, names_of, types]
        #(#[doc = #title])* #(#attributes)* #[doc = #plan]
        #[allow(clippy::pedantic)]
        #vis struct #machine {
            #(#names_of: #types,)*
            position: ::core::primitive::u64,
            results: ::core::primitive::u64,
        }
        #[doc = #all_doc]
        #[must_use = "records are made as they are asked for"]
        #[allow(clippy::pedantic)]
        #vis struct #records<'machine> {
            machine: &'machine mut #machine,
            ready: ::core::option::Option<#record>,
        }
        #too_large
        #[allow(non_local_definitions, deprecated, dead_code, clippy::all, clippy::pedantic, clippy::nursery)]
        const _: () = {
            #more
            const __CEP_BEFORE: &::core::primitive::str = #before;
            const __CEP_AFTER: &::core::primitive::str = #after;
            const __CEP_SIZE: ::core::primitive::usize = ::core::mem::size_of::<#machine>();
            impl #machine {
                /// The number of the first record.
                #vis const ORIGIN: ::core::primitive::u64 = #origin;
                /// By how many of its own intervals the newest element of a record may be late in the source.
                #vis const TAIL: ::core::primitive::u64 = #tail;
                /// From record to record: above and below the line.
                #vis const INTERVAL: (::core::primitive::u64, ::core::primitive::u64) = (#above, #below);
                /// How many elements or folds a record has.
                #vis const WIDTH: ::core::primitive::usize = #width;
                /// What the compiler made of this window.
                #vis const EXPLAIN: &'static ::core::primitive::str = {
                    const BYTES: [::core::primitive::u8; __CEP_BEFORE.len() + #p::digits(__CEP_SIZE) + __CEP_AFTER.len()] =
                        #p::explained(__CEP_BEFORE, __CEP_SIZE, __CEP_AFTER);
                    #p::text(&BYTES)
                };

                #new

                /// Takes one event and gives the records that it completes, as they are asked for. What is not asked for of the records
                /// is dropped by the next push.
                #[inline]
                #vis fn push(&mut self, #event: &#on) -> #records<'_> {
                    while self.__step().is_some() {}
                    self.position += 1;
                    #take
                    #records { machine: self, ready: ::core::option::Option::None }
                }

                #[inline]
                fn __step(&mut self) -> ::core::option::Option<#record> { #step }

                /// The next record that the last event completed.
                #[inline]
                #vis fn next_match(&mut self) -> ::core::option::Option<#record> {
                    let next = self.__step();
                    if next.is_some() { self.results += 1; }
                    next
                }

                /// Forgets everything: as a new one.
                #vis fn reset(&mut self) { #reset }

                /// How many events were taken so far.
                #[must_use]
                #vis const fn position(&self) -> ::core::primitive::u64 { self.position }

                /// What was counted.
                #[must_use]
                #vis fn stats(&self) -> #p::Stats {
                    let mut stats = #p::Stats::NEW;
                    stats.events = self.position;
                    stats.results = self.results;
                    stats
                }
            }
            impl ::core::default::Default for #machine { fn default() -> Self { Self::new() } }
            impl ::core::clone::Clone for #machine {
                fn clone(&self) -> Self {
                    Self {
                        #(#names_of: ::core::clone::Clone::clone(&self.#names_of),)*
                        position: self.position,
                        results: self.results,
                    }
                }
            }
            impl ::core::fmt::Debug for #machine {
                fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                    f.debug_struct(#text).field("position", &self.position).finish_non_exhaustive()
                }
            }
            impl #records<'_> {
                /// Is there a record? None is lost by asking.
                #vis fn found(&mut self) -> ::core::primitive::bool {
                    if self.ready.is_none() {
                        self.ready = self.machine.next_match();
                    }
                    self.ready.is_some()
                }
            }
            impl ::core::iter::Iterator for #records<'_> {
                type Item = #record;
                #[inline]
                fn next(&mut self) -> ::core::option::Option<#record> {
                    match self.ready.take() {
                        ::core::option::Option::None => self.machine.next_match(),
                        ready => ready,
                    }
                }
            }
            impl ::core::iter::FusedIterator for #records<'_> {}
            impl #p::Answer for #records<'_> {
                fn found(&mut self) -> ::core::primitive::bool { #records::found(self) }
            }
            impl ::core::fmt::Debug for #records<'_> {
                fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result { f.write_str(#iterator_text) }
            }
            #traits
            impl #record {
                /// The record's number.
                #[must_use]
                #vis const fn index(&self) -> ::core::primitive::u64 { self.__index }

                /// When a clocked engine lets the record out, in units of the source's interval or in seconds: above and below the line.
                #[must_use]
                #vis const fn emit_at(&self) -> (::core::primitive::u128, ::core::primitive::u64) {
                    #p::emit_at(self.__index, #tail, (#above, #below))
                }
            }
        };
    }
}

//! The struct, its constructors, and what every machine can do whatever its kernel.
use super::fields::{fields_of, has_probe, has_runs};
use super::kept::time_type;
use super::names::{Names, ours};
use super::runs;
use crate::ast::Storage;
use crate::code::{Piece, Pieces, code, numbered_pieces, picked_pieces, pieces};
use crate::hir::{Amount, Output, Pattern, Window};
use crate::plan::{Kernel, MAX_STATE_BYTES, Plan};
use crate::slices::{any, each};
use proc_macro2::{Ident, Span};

/// `(limit: f64, …)`: names and types of the parameters.
pub(super) fn parameters(pattern: &Pattern) -> (Pieces, Pieces) {
    (pieces(&pattern.parameters, |p| Piece::of(&p.name)), pieces(&pattern.parameters, |p| Piece::of(&p.ty)))
}

/// The field that holds a parameter; numbered, so that a parameter may have any name.
pub(super) fn parameter_field(i: usize) -> Piece {
    Piece::of(&Ident::new(&format!("parameter_{i}"), Span::mixed_site()))
}

/// The local that holds a parameter while conditions run.
pub(super) fn given(i: usize) -> Piece {
    Piece::of(&Ident::new(&format!("given_{i}"), Span::mixed_site()))
}

/// `let given_0 = self.parameter_0; …`
pub(super) fn unpack(pattern: &Pattern) -> Piece {
    let mut out = Piece::EMPTY;
    for i in 0..pattern.parameters.len() {
        let (local, field) = (given(i), parameter_field(i));
        out.extend(code!([local, field] let #local = self.#field; let _ = #local;));
    }
    out
}

/// `given_0: f64, …` for a function of its own, and the arguments to call it with.
pub(super) fn passed(pattern: &Pattern) -> (Piece, Piece) {
    let (_, types) = parameters(pattern);
    let locals = numbered_pieces(types.len(), given);
    (code!([; locals, types] #(#locals: #types),*), code!([; locals] #(#locals),*))
}

/// Reads the clock and refuses an event that is out of order.
pub(super) fn enter_time(pattern: &Pattern, time: Piece, names: &Names) -> Piece {
    let (p, now) = (names.p, ours("time"));
    if time.is_empty() {
        return Piece::EMPTY;
    }
    let _ = pattern;
    code! { [now, p, time]
        let ::core::option::Option::Some(#now) = (#time) else {
            return ::core::result::Result::Err(#p::PushError::OutOfOrder);
        };
        if self.finished || !#p::Clock::is_time(#now) || self.now.is_some_and(|before| #now < before) {
            return ::core::result::Result::Err(#p::PushError::OutOfOrder);
        }
    }
}

/// The clock moves on.
pub(super) fn commit_time(pattern: &Pattern) -> Piece {
    let now = ours("time");
    if pattern.clock.is_some() {
        code!([now] self.now = ::core::option::Option::Some(#now);)
    } else {
        Piece::EMPTY
    }
}

/// The span of the window, as a literal of the clock's `Span`.
pub(super) fn span_literal(a: Amount) -> Piece {
    match a {
        Amount::Int(n) => Piece::of(&n),
        Amount::Float(f) => Piece::of(&f),
    }
}

/// Whether a run (`position()`, `time()`) is still inside the window of the event at hand.
pub(super) fn window_test(pattern: &Pattern, run: Piece, position: Piece) -> Piece {
    let now = ours("time");
    match &pattern.window {
        None => code!([] true),
        Some(Window::Events(w)) => code!([position, run | w] #position - #run.position() < #w),
        // such a machine keeps nothing: every match is one event
        Some(Window::Partition(_)) => code!([] true),
        Some(Window::Clock(a)) => {
            let span = span_literal(*a);
            code!([run, now, span] __CepClock::within(#run.time(), #now, #span))
        }
    }
}

/// `# Errors` of a push that has any.
pub(super) fn errors_doc(plan: &Plan) -> Piece {
    if plan.fallible {
        code!([] #[doc = "\n# Errors\n`OutOfOrder` where the event's time is before one already seen or is none (NaN), `Full` where the declared capacity is used up; the machine is then as it was."])
    } else {
        Piece::EMPTY
    }
}

/// `<__FooRegisters>`, where runs carry some.
fn frame_argument(plan: &Plan, names: &Names) -> Piece {
    if plan.registers.is_empty() {
        return Piece::EMPTY;
    }
    let registers = names.registers;
    code!([registers] <#registers>)
}

/// `<'s>` where the rings are borrowed, for the type and for its impl.
pub(super) fn lifetime(plan: &Plan) -> Piece {
    if plan.storage == Storage::Borrowed { code!([] <'rings>) } else { Piece::EMPTY }
}

/// The storage family.
pub(super) fn family(plan: &Plan, names: &Names) -> Piece {
    let p = names.p;
    match plan.storage {
        Storage::Inline => code!([p] #p::Inline),
        Storage::Boxed => code!([p] #p::Boxed),
        Storage::Borrowed => code!([p] #p::Borrowed<'rings>),
    }
}

/// Where the search keeps its frames: few of them stay in the machine, whatever the storage.
pub(super) fn walk_storage(pattern: &Pattern, plan: &Plan) -> Storage {
    if pattern.is_cyclic() { plan.storage } else { Storage::Inline }
}

/// The family of it.
pub(super) fn walk_family(pattern: &Pattern, plan: &Plan, names: &Names) -> Piece {
    let p = names.p;
    match walk_storage(pattern, plan) {
        Storage::Inline => code!([p] #p::Inline),
        Storage::Boxed => code!([p] #p::Boxed),
        Storage::Borrowed => code!([p] #p::Borrowed<'rings>),
    }
}

/// The definition, and the methods and traits that go into the `const _`.
pub(super) fn machine(pattern: &Pattern, plan: &Plan, names: &Names) -> (Piece, Piece) {
    (definition(pattern, plan, names), methods(pattern, plan, names))
}

fn definition(pattern: &Pattern, plan: &Plan, names: &Names) -> Piece {
    let (p, name, vis, kept, lifetime) = (names.p, names.machine, names.vis, names.kept, lifetime(plan));
    let attributes =
        picked_pieces(&pattern.attributes, |a| (!a.path().is_ident("derive")).then(|| Piece::of(a)));
    let (_, types) = parameters(pattern);
    let fields = numbered_pieces(types.len(), parameter_field);
    let title = if any(&pattern.attributes, |a| a.path().is_ident("doc")) {
        Piece::EMPTY
    } else {
        let title = Piece::text(format_args!("The pattern `{}`, compiled.", pattern.name));
        code!([title] #[doc = #title])
    };
    let usage = usage(pattern, plan, names);
    let mut plan_doc = "\n# Plan\n".to_string();
    for line in &plan.report {
        plan_doc.push_str(&format!("* {line}\n"));
    }
    let no_traits = if !names.is_generic {
        let text = Piece::text(format_args!(
            "\n`Machine` and `Matching` are not implemented: `{}` borrows, or is less visible than this type.",
            pattern.schema.name
        ));
        code!([text] #[doc = #text])
    } else {
        Piece::EMPTY
    };
    let state = pieces(&fields_of(pattern, plan, names), |f| {
        let (name, ty) = (f.name, f.ty);
        code!([name, ty] #name: #ty,)
    });
    let rings = if plan.storage == Storage::Borrowed {
        let (rings, n, d, spelling) = (names.rings, plan.slots, plan.depth, names.spelling);
        let (doc, slots) = match super::lanes::memory(pattern, plan, names) {
            Some((doc, types, _)) => (doc, types),
            None => (
                format!("The memory of a [`{name}`]: {n} slots. For a `static` of its own."),
                code!([p, kept | n] slots: [#p::Slot<#kept>; #n],),
            ),
        };
        let lent = plan.kernel == Kernel::Ring && walk_storage(pattern, plan) == Storage::Borrowed;
        let frame = frame_argument(plan, names);
        let walk = if lent { code!([p, frame | d] walk: [#p::Frame #frame; #d],) } else { Piece::EMPTY };
        let probe = if lent && has_probe(pattern, plan) {
            code!([p, frame | d] probe: [#p::Frame #frame; #d],)
        } else {
            Piece::EMPTY
        };
        let memory = if has_runs(plan) {
            let fields =
                pieces(&runs::memory(pattern, plan, names), |&(name, ty, _)| code!([name, ty] #name: #ty,));
            code!([; fields] #(#fields)*)
        } else {
            code!([slots, probe, walk] #slots #walk #probe)
        };
        code! { [memory, rings, vis, spelling | doc]
            #spelling
            #[doc = #doc]
            #vis struct #rings { #memory }
        }
    } else {
        Piece::EMPTY
    };
    code! { [lifetime, rings, name, vis, no_traits, title | plan_doc, usage; attributes, state, fields, types]
        #(#attributes)*
        #title
        #[doc = #usage]
        #[doc = #plan_doc]
        #no_traits
        #[allow(missing_copy_implementations)]
        #vis struct #name #lifetime { #(#state)* #(#fields: #types),* }
        #rings
    }
}

/// How one makes such a machine and what it gives, as the type's documentation says it.
fn usage(pattern: &Pattern, plan: &Plan, names: &Names) -> String {
    let (name, rings) = (names.machine, names.rings);
    let mut given = each(&pattern.parameters, |a| a.name.to_string());
    let make = if plan.storage == Storage::Borrowed {
        given.insert(0, format!("&mut {rings}"));
        "over"
    } else {
        "new"
    };
    let gives = match &pattern.output {
        Output::Detect => "says whether a match ends at it".to_string(),
        Output::Summarize(_) => format!("gives a [`{}`] of all matches that end at it", names.summary),
        _ => format!("gives the [`{}`] that end at it, an iterator of [`{}`]", names.matches, names.a_match),
    };
    format!(
        "\n`{name}::{make}({})` makes a machine; [`push`]({name}::push) takes one event of `{}` and {gives}.",
        given.join(", "),
        pattern.schema.name
    )
}

fn methods(pattern: &Pattern, plan: &Plan, names: &Names) -> Piece {
    let (name, vis, lifetime) = (names.machine, names.vis, lifetime(plan));
    let constructors = constructors(pattern, plan, names);
    let explain = plan.report.join("\n");
    let clear = pieces(&fields_of(pattern, plan, names), |f| {
        let name = f.name;
        match f.reset {
            Some(expr) => code!([name, expr] self.#name = #expr;),
            None => code!([name] self.#name.clear();),
        }
    });
    let latest_start = if matches!(pattern.output, Output::Detect) {
        code! { [vis]
            /// Where the latest match that ended at the last completing event began: the latest of its starts.
            #[must_use] #[inline]
            #vis const fn latest_start(&self) -> ::core::option::Option<::core::primitive::u64> { self.last_start }
        }
    } else {
        Piece::EMPTY
    };
    let stats = stats(pattern, plan, names);
    let time = time_methods(pattern, plan, names);
    let traits = traits(pattern, plan, names);
    let checks = checks(pattern, plan, names);
    // only rustc knows how large a ring of the user's attributes is
    let (p, ring) = (names.p, plan.kernel == Kernel::Ring);
    let sized =
        if plan.storage == Storage::Borrowed { code!([name] #name<'static>) } else { Piece::of(&name) };
    let size = if ring {
        code! { [sized, p | explain]
            const __CEP_BEFORE: &::core::primitive::str = ::core::concat!(#explain, "\nmachine: ");
            const __CEP_SIZE: ::core::primitive::usize = ::core::mem::size_of::<#sized>();
            const __CEP_EXPLAIN: [::core::primitive::u8; __CEP_BEFORE.len() + #p::digits(__CEP_SIZE) + 6] = #p::explained(__CEP_BEFORE, __CEP_SIZE, " bytes");
        }
    } else {
        Piece::EMPTY
    };
    let explain = if ring { code!([p] #p::text(&__CEP_EXPLAIN)) } else { Piece::of(&explain) };
    code! { [lifetime, explain, constructors, stats, time, traits, checks, latest_start, vis, name, size; clear]
        #size
        impl #lifetime #name #lifetime {
            /// What this machine does and keeps, and what an event costs.
            #vis const EXPLAIN: &'static ::core::primitive::str = #explain;
            #constructors
            /// Forgets everything: as a new machine with the same parameters. Nothing is allocated.
            #vis fn reset(&mut self) { #(#clear)* }
            /// How many events were taken so far: the position of the next one.
            #[must_use] #[inline]
            #vis const fn position(&self) -> ::core::primitive::u64 { self.position }
            /// What the machine counted.
            #[must_use] #[inline]
            #vis #stats
            #latest_start
            #time
        }
        #traits
        #checks
    }
}

fn constructors(pattern: &Pattern, plan: &Plan, names: &Names) -> Piece {
    let vis = names.vis;
    let (given, types) = parameters(pattern);
    let fields = numbered_pieces(given.len(), parameter_field);
    let fresh = pieces(&fields_of(pattern, plan, names), |f| {
        let (name, new) = (f.name, f.new);
        code!([name, new] #name: #new,)
    });
    let body = code!([; fresh, fields, given] Self { #(#fresh)* #(#fields: #given),* });
    match plan.storage {
        Storage::Inline => code! { [body, vis; given, types]
            /// A machine that has seen nothing.
            #[must_use]
            #vis const fn new(#(#given: #types),*) -> Self { #body }
        },
        Storage::Boxed => code! { [body, vis; given, types]
            /// A machine that has seen nothing. Allocates each of its rings, once.
            #[must_use]
            #vis fn new(#(#given: #types),*) -> Self { #body }
        },
        Storage::Borrowed => {
            let rings = names.rings;
            code! { [body, rings, vis; given, types]
                /// A machine that has seen nothing, over memory that lives elsewhere.
                #[must_use]
                #vis fn over(rings: &'rings mut #rings, #(#given: #types),*) -> Self { #body }
            }
        }
    }
}

/// `stats`: the keys are counted when asked for.
fn stats(pattern: &Pattern, plan: &Plan, names: &Names) -> Piece {
    let p = names.p;
    if plan.kernel == Kernel::Partitioned {
        return runs::stats(pattern, names);
    }
    if let Some(item) = &pattern.spans {
        return code! { [p | item]
            fn stats(&self) -> #p::Stats {
                let mut stats = self.stats;
                stats.keys = <#item as #p::Spans>::open(&self.spans);
                stats
            }
        };
    }
    if pattern.partition.is_empty() {
        return code!([p] const fn stats(&self) -> #p::Stats { self.stats });
    }
    if plan.lanes.is_some() || plan.keyed.is_some() {
        return code! { [p]
            fn stats(&self) -> #p::Stats {
                let mut stats = self.stats;
                stats.keys = self.keys.len();
                stats
            }
        };
    }
    code! { [p]
        fn stats(&self) -> #p::Stats {
            let mut stats = self.stats;
            let live = || (self.first..self.ring.len()).filter_map(|n| self.ring.get(n));
            stats.keys = live()
                .enumerate()
                .filter(|(i, (at, _))| !live().take(*i).any(|(before, _)| before.key == at.key))
                .count() as ::core::primitive::u64;
            stats
        }
    }
}

/// `advance_to`, `finish`, `exact_from`.
fn time_methods(pattern: &Pattern, plan: &Plan, names: &Names) -> Piece {
    let (p, vis) = (names.p, names.vis);
    let matches = names.matches;
    let (output, nothing) = if matches!(pattern.output, Output::Detect) {
        (code!([] ::core::primitive::bool), code!([] false))
    } else if super::summarize::of(pattern).is_some() {
        let record = names.summary;
        (Piece::of(&record), super::summarize::nothing(pattern, names))
    } else {
        (
            super::ring::matches_type(plan, names),
            code!([matches] { self.walk.stop(); #matches { machine: self } }),
        )
    };
    let Some(t) = time_type(pattern, names) else {
        return code! { [output, nothing, vis]
            /// The end of the stream. This machine has no clock, so nothing is held back and nothing happens.
            #vis fn finish(&mut self) -> #output { #nothing }
        };
    };
    let drop_old = if plan.kernel == Kernel::Ring && plan.lanes.is_none() {
        let outside = super::ring::outside(pattern, ours("at"), ours("position"));
        let (position, time, at) = (ours("position"), ours("time"), ours("at"));
        let gone = super::summarize::evict(plan, code!([] self.first));
        code! { [position, at, outside, gone, time]
            let #position = self.position;
            while let ::core::option::Option::Some((#at, _)) = self.ring.get(self.first) {
                if !(#outside) { break; }
                #gone
                self.first += 1;
            }
            let _ = (#position, #time);
        }
    } else {
        Piece::EMPTY
    };
    let drop_old = if has_runs(plan) {
        runs::advance(pattern)
    } else if plan.keyed.is_some() {
        super::starts::expire(pattern)
    } else {
        drop_old
    };
    let advance = match &pattern.spans {
        Some(item) => {
            let time = ours("time");
            code!([p, time | item] <#item as #p::Spans>::advance_to(&mut self.spans, #time);)
        }
        None => Piece::EMPTY,
    };
    let exact = if plan.exact_from {
        code! { [t, vis]
            /// From when on results are exact again, after `capacity … or evict` gave something up.
            #[must_use]
            #vis fn exact_from(&self) -> ::core::option::Option<#t> { self.exact_from }
        }
    } else {
        Piece::EMPTY
    };
    let time = ours("time");
    code! { [time, t, output, p, nothing, exact, advance, drop_old, vis]
        /// Time is now at least `time`: no earlier event follows. Does nothing where it is not later than now.
        #vis fn advance_to(&mut self, #time: #t) -> #output {
            if #p::Clock::is_time(#time) && !self.now.is_some_and(|now| #time <= now) {
                self.now = ::core::option::Option::Some(#time);
                #drop_old
                #advance
            }
            #nothing
        }
        /// The end of the stream: every later push is `OutOfOrder`.
        #vis fn finish(&mut self) -> #output { self.finished = true; #nothing }
        #exact
    }
}

fn traits(pattern: &Pattern, plan: &Plan, names: &Names) -> Piece {
    let (p, name, lifetime) = (names.p, names.machine, lifetime(plan));
    let fields = numbered_pieces(pattern.parameters.len(), parameter_field);
    let state = pieces(&fields_of(pattern, plan, names), |f| {
        let name = f.name;
        if f.copy {
            code!([name] #name: self.#name,)
        } else {
            code!([name] #name: ::core::clone::Clone::clone(&self.#name),)
        }
    });
    let clone = if plan.storage != Storage::Borrowed {
        code! { [name; state, fields]
            impl ::core::clone::Clone for #name {
                fn clone(&self) -> Self {
                    Self {
                        #(#state)*
                        #(#fields: self.#fields,)*
                    }
                }
            }
        }
    } else {
        Piece::EMPTY
    };
    let default = if pattern.parameters.is_empty() && plan.storage != Storage::Borrowed {
        code! { [name]
            impl ::core::default::Default for #name { fn default() -> Self { Self::new() } }
        }
    } else {
        Piece::EMPTY
    };
    let rings = if plan.storage == Storage::Borrowed {
        let (rings, n, d, kept, vis) = (names.rings, plan.slots, plan.depth, names.kept, names.vis);
        let lent = plan.kernel == Kernel::Ring && walk_storage(pattern, plan) == Storage::Borrowed;
        let walk = if lent { code!([p | d] walk: [#p::Frame::EMPTY; #d],) } else { Piece::EMPTY };
        let probe = if lent && has_probe(pattern, plan) {
            code!([p | d] probe: [#p::Frame::EMPTY; #d],)
        } else {
            Piece::EMPTY
        };
        let slots = match super::lanes::memory(pattern, plan, names) {
            Some((_, _, new)) => new,
            None => code!([p, kept | n] slots: [#p::Slot::<#kept>::EMPTY; #n],),
        };
        let memory = if has_runs(plan) {
            let fields = pieces(
                &runs::memory(pattern, plan, names),
                |&(name, _, unused)| code!([name, unused] #name: #unused,),
            );
            code!([; fields] #(#fields)*)
        } else {
            code!([slots, probe, walk] #slots #walk #probe)
        };
        let text = Piece::text(format_args!("{rings}"));
        code! { [memory, text, vis, rings]
            impl #rings {
                /// Unused memory.
                #[must_use]
                #vis const fn new() -> Self { Self { #memory } }
            }
            impl ::core::default::Default for #rings { fn default() -> Self { Self::new() } }
            impl ::core::fmt::Debug for #rings {
                fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result { f.write_str(#text) }
            }
        }
    } else {
        Piece::EMPTY
    };
    let called = pieces(&plan.positions, |q| Piece::of(&crate::plan::called(pattern, q.atom)));
    let called = code!([; called] &[#(#called),*]);
    let live = match plan.kernel {
        Kernel::Latest if plan.keyed.is_some() => code!([] debug.field("kept", &self.keys);),
        Kernel::Latest => {
            let window = match pattern.window {
                Some(Window::Events(w)) => Piece::of(&w),
                _ => code!([] ::core::primitive::u64::MAX),
            };
            code!([p, window, called] debug.field("latest_starts", &#p::LiveStarts::new(&self.latest, self.position.saturating_sub(#window), #called));)
        }
        Kernel::Ring if plan.lanes.is_some() => code!([] debug.field("kept", &self.keys);),
        Kernel::Runs | Kernel::Partitioned => runs::debug(pattern, plan, names),
        Kernel::Ring => {
            code!([p, called] debug.field("kept", &#p::Live::new(&self.ring, self.first, #called));)
        }
    };
    // as `derive(Debug)` does
    let text = name.to_string().trim_start_matches("r#").to_string();
    code! { [lifetime, live, name, rings, default, clone | text]
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

/// What rustc checks for us: parameters are `Copy`, and the state is not larger than it may be.
fn checks(pattern: &Pattern, plan: &Plan, names: &Names) -> Piece {
    let (p, name) = (names.p, names.machine);
    let parameters = pieces(&pattern.parameters, |a| {
        let ty = Piece::of(&a.ty);
        let span = Span::mixed_site().located_at(crate::diagnostic::Loc::of(&a.ty).first);
        code!([p, ty] const _: fn() = || { fn parameter<T: #p::Parameter>() {} parameter::<#ty>(); };)
            .at(span)
    });
    let bounded = plan.kernel != Kernel::Latest || plan.keyed.is_some();
    let size = if bounded && plan.storage == Storage::Inline {
        let limit = Piece::of(&usize::try_from(MAX_STATE_BYTES).unwrap_or(usize::MAX));
        let text = Piece::text(format_args!(
            "the state of `{name}` is more than 64 KiB [CEP0304]\n\nhelp: write `storage boxed`, `storage borrowed` or a shorter window"
        ));
        let span = Span::mixed_site().located_at(pattern.window_loc.first);
        code!([name, limit, text] const _: () = ::core::assert!(::core::mem::size_of::<#name>() <= #limit, #text);).at(span)
    } else {
        Piece::EMPTY
    };
    code!([size; parameters] #(#parameters)* #size)
}

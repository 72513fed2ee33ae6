//! `detect` by structures of runs: what the machine holds, and the frame of `push`.
//!
//! Every run began with an event that the pattern accepts, so both kinds of window become one bound: a run is inside while it began at the stream
//! position `floor` or later. Under a count window that is arithmetic; in time the accepted events of the window are remembered (the
//! declared capacity counts exactly those), and the oldest of them is the bound. `consume any` raises it.
use super::fields::{MachineField, made, plain_field as plain};
use super::kept::{key_type, time_type};
use super::latest::{detect_traits, unary};
use super::machine::{commit_time, enter_time, errors_doc, family, lifetime, span_literal, unpack};
use super::names::{Names, our, ours};
use crate::ast::Consume;
use crate::code::{Piece, Pieces, code, numbered_pieces, pieces};
use crate::hir::{Pattern, Window};
use crate::plan::{Kernel, Plan, Register, Structure, of};
use crate::schema::Kind;
use proc_macro2::Span;

/// The field that holds the runs of a position.
pub(super) fn held(q: usize) -> Piece {
    our(format_args!("held_{q}"))
}

/// The run with which the event enters a position.
pub(super) fn entered(q: usize) -> Piece {
    our(format_args!("entered_{q}"))
}

/// A field over memory that the storage clause places: its type, and the memory's parts by name, type and unused slot.
struct Placed {
    ty: Piece,
    new: Piece,
    memory: Vec<(Piece, Piece, Piece)>,
}

impl Placed {
    fn field(&self, name: Piece) -> MachineField {
        MachineField { name, ty: self.ty, new: self.new, reset: None, copy: false }
    }
}

/// The type of a register's value, never an `Option`.
fn value_type(pattern: &Pattern, plan: &Plan, names: &Names, r: Register) -> Piece {
    let p = names.p;
    let of_attribute = names.attribute(plan.positions[r.position].ty, r.attribute);
    if of(pattern, &plan.positions, r).nullable {
        code!([of_attribute, p] <#of_attribute as #p::Optional>::Value)
    } else {
        of_attribute
    }
}

/// The type of a key, as the structure of a position files it.
fn key_of(pattern: &Pattern, plan: &Plan, names: &Names, q: usize) -> Piece {
    let p = names.p;
    let hold = &plan.runs.holds[q];
    let each = pieces(&hold.key, |r| {
        let value = value_type(pattern, plan, names, *r);
        match (&of(pattern, &plan.positions, *r).kind, hold.structure) {
            (_, Structure::Single) => code!([value] ::core::option::Option<#value>),
            (Kind::Float(_), Structure::Keyed) => code!([p] #p::FloatKey),
            (Kind::Str | Kind::Opaque, Structure::Keyed) => code!([p, value] #p::OpaqueKey<#value>),
            (Kind::Opaque, Structure::Pareto { .. }) => code!([p, value] #p::OpaqueRank<#value>),
            _ => value,
        }
    });
    if let Structure::Pareto { .. } = hold.structure {
        code!([; each] #(#each)*)
    } else {
        code!([; each] (#(#each,)*))
    }
}

/// What holds the runs of a position, where that needs memory.
fn placed(pattern: &Pattern, plan: &Plan, names: &Names, q: usize) -> Option<Placed> {
    let (p, n, s, field) = (names.p, plan.slots, family(plan, names), held(q));
    let key = key_of(pattern, plan, names, q);
    Some(match plan.runs.holds[q].structure {
        Structure::Keyed => {
            let m = 2 * n;
            let table = Piece::name(format_args!("table_{q}"), Span::call_site());
            let updates = Piece::name(format_args!("updates_{q}"), Span::call_site());
            let ty = code!([p, key, s | m, n] #p::Keyed<#key, ::core::primitive::u64, #n, #m, #s>);
            let of = code!([p, key, s | m, n] #p::Keyed::<#key, ::core::primitive::u64, #n, #m, #s>);
            let slot = code!([p, key] #p::KeyedSlot<#key, ::core::primitive::u64>);
            let update = code!([p, key] #p::KeyedUpdate<#key>);
            Placed {
                ty,
                new: made(
                    plan.storage,
                    of,
                    Piece::EMPTY,
                    code!([table, updates] &mut rings.#table, &mut rings.#updates),
                ),
                memory: vec![
                    (table, code!([slot | m] [#slot; #m]), code!([slot | m] [<#slot>::EMPTY; #m])),
                    (updates, code!([update | n] [#update; #n]), code!([update | n] [<#update>::EMPTY; #n])),
                ],
            }
        }
        Structure::Pareto { up } => {
            let of = code!([p, key, s | up, n] #p::Pareto::<#key, #n, #up, #s>);
            let slot = code!([p, key] #p::Ranked<#key>);
            Placed {
                ty: code!([p, key, s | up, n] #p::Pareto<#key, #n, #up, #s>),
                new: made(plan.storage, of, Piece::EMPTY, code!([field] &mut rings.#field)),
                memory: vec![(field, code!([slot | n] [#slot; #n]), code!([slot | n] [<#slot>::EMPTY; #n]))],
            }
        }
        _ => return None,
    })
}

/// The window of the whole pattern is in time.
fn is_timed(pattern: &Pattern) -> bool {
    matches!(pattern.window, Some(Window::Clock(_)))
}

/// The accepted events of a window in time.
fn recent(pattern: &Pattern, plan: &Plan, names: &Names) -> Option<Placed> {
    if !is_timed(pattern) {
        return None;
    }
    let (p, n, s, t) =
        (names.p, plan.slots.next_power_of_two(), family(plan, names), time_type(pattern, names)?);
    let of = code!([p, t, s | n] #p::Recent::<#t, #n, #s>);
    let slot = code!([p, t] ::core::option::Option<#p::At<#t>>);
    Some(Placed {
        ty: code!([p, t, s | n] #p::Recent<#t, #n, #s>),
        new: made(plan.storage, of, Piece::EMPTY, code!([] &mut rings.recent)),
        memory: vec![(
            code!([] recent),
            code!([slot | n] [#slot; #n]),
            code!([| n] [::core::option::Option::None; #n]),
        )],
    })
}

/// The keys of the partition with the latest starts of each, and when they changed last.
fn keys(pattern: &Pattern, plan: &Plan, names: &Names) -> Option<Placed> {
    if plan.kernel != Kernel::Partitioned {
        return None;
    }
    let key = key_type(pattern, names)?;
    let (p, n, h, s, q) = (names.p, plan.slots, plan.buckets(), family(plan, names), plan.latest_slots());
    let value = code!([p | q] (#p::Latest<#q>, ::core::primitive::u64));
    let unused = code!([p | q] (#p::Latest::<#q>::new(), 0));
    let of = code!([p, key, value, s | h, n] #p::Keys::<#key, #value, #n, #h, #s>);
    Some(Placed {
        ty: code!([p, key, value, s | h, n] #p::Keys<#key, #value, #n, #h, #s>),
        new: made(plan.storage, of, unused, code!([] &mut rings.places, &mut rings.buckets)),
        memory: vec![
            (
                code!([] places),
                code!([p, key, value | n] [#p::Place<#key, #value>; #n]),
                code!([p, key, value, unused | n] [#p::Place::<#key, #value>::unused(#unused); #n]),
            ),
            (code!([] buckets), code!([| h] [::core::primitive::u32; #h]), code!([p | h] [#p::NO_PLACE; #h])),
        ],
    })
}

/// The memory that is lent, by name, type and unused value.
pub(super) fn memory(pattern: &Pattern, plan: &Plan, names: &Names) -> Vec<(Piece, Piece, Piece)> {
    let mut out = Vec::new();
    for placed in [recent(pattern, plan, names), keys(pattern, plan, names)].into_iter().flatten() {
        out.extend(placed.memory);
    }
    for q in 0..plan.runs.holds.len() {
        if let Some(placed) = placed(pattern, plan, names, q) {
            out.extend(placed.memory);
        }
    }
    out
}

/// The fields of the machine beside those that every machine has.
pub(super) fn fields(pattern: &Pattern, plan: &Plan, names: &Names, out: &mut Vec<MachineField>) {
    let p = names.p;
    if let Some(placed) = recent(pattern, plan, names) {
        out.push(placed.field(ours("recent")));
    }
    if let Some(placed) = keys(pattern, plan, names) {
        out.push(placed.field(ours("keys")));
    }
    for q in 0..plan.runs.holds.len() {
        if let Some(placed) = placed(pattern, plan, names, q) {
            out.push(placed.field(held(q)));
        }
    }
    if has_consumed(pattern) {
        out.push(plain("consumed", code!([] ::core::primitive::u64), code!([] 0)));
    }
    for (q, hold) in plan.runs.holds.iter().enumerate() {
        match hold.structure {
            Structure::Direct(n) => out.push(MachineField {
                name: held(q),
                ty: code!([p | n] #p::Direct<#n>),
                new: code!([p] #p::Direct::new()),
                reset: None,
                copy: true,
            }),
            Structure::Single => {
                let key = key_of(pattern, plan, names, q);
                let new = code!([] ::core::option::Option::None);
                out.push(MachineField {
                    name: held(q),
                    ty: code!([key] ::core::option::Option<(::core::primitive::u64, #key)>),
                    new,
                    reset: Some(new),
                    copy: true,
                });
            }
            _ => {}
        }
    }
    let slots = plan.latest_slots();
    if plan.kernel == Kernel::Runs && slots > 0 {
        out.push(MachineField {
            name: ours("latest"),
            ty: code!([p | slots] #p::Latest<#slots>),
            new: code!([p] #p::Latest::new()),
            reset: None,
            copy: true,
        });
    }
}

/// Consumption under a count window: what began before is gone.
fn has_consumed(pattern: &Pattern) -> bool {
    pattern.consume == Consume::Any && !is_timed(pattern)
}

/// `push` and the trait impls.
pub(super) fn push(pattern: &Pattern, plan: &Plan, names: &Names) -> Piece {
    let (p, on, vis, name, lifetime) = (names.p, names.on, names.vis, names.machine, lifetime(plan));
    let (event, position) = (ours("event"), ours("position"));
    let clock = enter_time(pattern, super::kept::time(pattern, names, event), names);
    let parameters = unpack(pattern);
    let taken = taken(pattern, plan, names, event);
    let (window, commit_window) = window(pattern, names);
    let (key, no_key) = if plan.kernel == Kernel::Partitioned {
        let key = super::kept::key(pattern, names, event);
        (
            code!([key] let key_of = #key;),
            code!([] if key_of.is_none() {
                taken = 0;
            }),
        )
    } else {
        (Piece::EMPTY, Piece::EMPTY)
    };
    let (decide, commit, consume) = if plan.kernel == Kernel::Partitioned {
        super::partitioned::steps(pattern, plan, names, event)
    } else {
        super::passages::steps(pattern, plan, names, event)
    };
    let none = numbered_pieces(plan.positions.len(), |q| {
        let run = entered(q);
        code!([run] let mut #run: ::core::option::Option<::core::primitive::u64> = ::core::option::Option::None;)
    });
    let hits = Pieces::new();
    for (q, at) in plan.positions.iter().enumerate() {
        if at.accepting {
            hits.add(entered(q));
        }
    }
    let consume = if pattern.consume == Consume::Any {
        if has_consumed(pattern) {
            code!([position] self.consumed = #position + 1;)
        } else {
            code!([] self.recent.clear();)
        }
    } else {
        consume
    };
    let commit_time = commit_time(pattern);
    let (output, answer) = if plan.fallible {
        (
            code!([p] ::core::result::Result<::core::primitive::bool, #p::PushError>),
            code!([] ::core::result::Result::Ok(hit.is_some())),
        )
    } else {
        (code!([] ::core::primitive::bool), code!([] hit.is_some()))
    };
    let errors = errors_doc(plan);
    let traits = detect_traits(plan, names);
    code! { [lifetime, errors, event, on, output, position, clock, parameters, key, taken, no_key, window, decide, commit_time, commit_window, commit, consume, answer, traits, vis, name; none, hits]
        impl #lifetime #name #lifetime {
            /// Takes one event and says whether a match ends at it.
            #errors
            #[inline]
            #[allow(unused_variables, unused_mut, unused_assignments)]
            #vis fn push(&mut self, #event: &#on) -> #output {
                let #position = self.position;
                #clock
                #parameters
                let mut taken: ::core::primitive::u64 = 0;
                #key
                #taken
                #no_key
                #window
                #(#none)*
                #decide
                // no condition of the user's runs from here on
                self.position = #position + 1;
                self.stats.events = self.position;
                #commit_time
                #commit_window
                #commit
                let mut hit: ::core::option::Option<::core::primitive::u64> = ::core::option::Option::None;
                #(hit = ::core::cmp::Ord::max(hit, #hits);)*
                if hit.is_some() {
                    self.last_start = hit;
                    self.stats.results += 1;
                    #consume
                }
                #answer
            }
        }
        #traits
    }
}

/// Which positions the event can take as far as its type and its early conditions tell.
fn taken(pattern: &Pattern, plan: &Plan, names: &Names, event: Piece) -> Piece {
    let (p, position) = (names.p, ours("position"));
    let mut arms = Piece::EMPTY;
    for &t in &plan.types() {
        let n = t.0;
        let mut bits = Piece::EMPTY;
        for (q, at) in plan.positions.iter().enumerate() {
            if at.ty == t {
                let early = pieces(&at.early, |c| unary(pattern, *c, t, event, position));
                bits.extend(
                    code!([| q; early] taken |= ((true #(&& #early)*) as ::core::primitive::u64) << #q;),
                );
            }
        }
        arms.extend(code!([bits | n] #n => { #bits }));
    }
    code!([p, event, arms] match #p::Event::kind(#event) { #arms _ => {} })
}

/// `let floor = …;`, and what becomes of the window when the event is taken.
fn window(pattern: &Pattern, names: &Names) -> (Piece, Piece) {
    let (p, position, time) = (names.p, ours("position"), ours("time"));
    match (&pattern.window, pattern.capacity) {
        (Some(Window::Clock(span)), Some(n)) => {
            let span = span_literal(*span);
            let (room, given_up) = if pattern.evict {
                (
                    code! { [| n]
                        evicted = (self.recent.len() - expired + 1).saturating_sub(#n);
                        expired += evicted;
                    },
                    code! { [p, time, span]
                        if evicted > 0 {
                            self.stats.evicted += evicted;
                            self.exact_from = ::core::option::Option::Some(#p::Clock::after(#time, #span));
                        }
                    },
                )
            } else {
                (
                    code! { [p | n]
                        if self.recent.len() - expired >= #n {
                            return ::core::result::Result::Err(#p::PushError::Full);
                        }
                    },
                    Piece::EMPTY,
                )
            };
            (
                code! { [time, span, room, position]
                    let mut expired = self.recent.outside(|start| __CepClock::within(start, #time, #span));
                    let mut evicted: ::core::primitive::u64 = 0;
                    if taken != 0 { #room }
                    let floor = self.recent.oldest(expired).unwrap_or(#position);
                },
                code! { [given_up, p, position, time]
                    self.recent.skip(expired);
                    #given_up
                    if taken != 0 { self.recent.push(#p::At::new(#position, #time)); }
                },
            )
        }
        (window, _) => {
            let w = match window {
                Some(Window::Events(w)) => *w,
                _ => u64::MAX,
            };
            let consumed = if has_consumed(pattern) {
                code!([] let floor = ::core::cmp::Ord::max(floor, self.consumed);)
            } else {
                Piece::EMPTY
            };
            (
                code!([position, consumed | w] let floor = (#position + 1).saturating_sub(#w); #consumed),
                Piece::EMPTY,
            )
        }
    }
}

/// `floor` as of the last event taken.
fn last_floor(pattern: &Pattern) -> Piece {
    match &pattern.window {
        Some(Window::Events(w)) => {
            let floor = code!([| w] self.position.saturating_sub(#w));
            if has_consumed(pattern) {
                code!([floor] ::core::cmp::Ord::max(#floor, self.consumed))
            } else {
                floor
            }
        }
        _ => code!([] self.recent.oldest(0).unwrap_or(self.position)),
    }
}

/// What of the state `Debug` shows.
pub(super) fn debug(pattern: &Pattern, plan: &Plan, names: &Names) -> Piece {
    let p = names.p;
    let called = |q: &usize| Piece::of(&crate::plan::called(pattern, plan.positions[*q].atom));
    if plan.kernel == Kernel::Partitioned {
        return code!([] debug.field("keys", &self.keys.len()););
    }
    let (latest, _) = plan.latest();
    let mut out = Piece::EMPTY;
    if !latest.is_empty() {
        let names = pieces(&latest, called);
        let floor = last_floor(pattern);
        out.extend(
            code!([p, floor; names] debug.field("latest_starts", &#p::LiveStarts::new(&self.latest, #floor, &[#(#names),*]));),
        );
    }
    for (q, hold) in plan.runs.holds.iter().enumerate() {
        let (field, name) = (held(q), called(&q));
        match hold.structure {
            Structure::Nothing | Structure::Latest { .. } => {}
            Structure::Single => {
                out.extend(code!([field, name] debug.field(#name, &self.#field.map(|(start, _)| start));));
            }
            _ => out.extend(code!([field, name] debug.field(#name, &self.#field);)),
        }
    }
    out
}

/// `stats` where keys are counted: when asked for.
pub(super) fn stats(pattern: &Pattern, names: &Names) -> Piece {
    let (p, floor) = (names.p, last_floor(pattern));
    code! { [p, floor]
        fn stats(&self) -> #p::Stats {
            let (mut stats, floor) = (self.stats, #floor);
            stats.keys = self.keys.iter().filter(|(_, value)| value.1 >= floor).count() as ::core::primitive::u64;
            stats
        }
    }
}

/// What time alone takes out of the window.
pub(super) fn advance(pattern: &Pattern) -> Piece {
    let time = ours("time");
    let Some(Window::Clock(span)) = &pattern.window else { return Piece::EMPTY };
    let span = span_literal(*span);
    code! { [time, span]
        let expired = self.recent.outside(|start| __CepClock::within(start, #time, #span));
        self.recent.skip(expired);
    }
}

//! The search for runs: the automaton as a table, and the callbacks that say whether an event may join a run.
//!
//! `__cep_admits` is asked about every event of every run; `__cep_reaches_q` says whether some run takes the event at hand at position `q`, with
//! the conditions that can panic or cost evaluated in the order written, before anything changes.
use super::guards::{self, loop_bits};
use super::latest::{arguments, unary};
use super::machine::{passed, span_literal};
use super::names::{Names, our, ours};
use super::registers;
use crate::code::{Piece, Pieces, code, indexed_pieces, numbered_pieces, pieces, pieces_of};
use crate::hir::{
    AggregateId, Conjunct, ConjunctId, InnerWindow, LoopId, Output, Pattern, Read, Region, Step, Window,
};
use crate::plan::{Plan, Position};
use crate::slices::any;

/// The automaton's shape as a constant.
pub(super) fn table(pattern: &Pattern, plan: &Plan, names: &Names) -> Piece {
    let p = names.p;
    let computed = computed(pattern, plan, names);
    let edges = |all: &[crate::plan::Edge]| {
        let each = pieces(all, |e| {
            let to = u8::try_from(e.to).unwrap_or(u8::MAX);
            let repeats = e.repeats.and_then(|r| u8::try_from(r).ok()).unwrap_or(64);
            let (strict, significant, leaves) = (e.strict, e.significant, e.leaves);
            code!([p | leaves, significant, repeats, strict, to] #p::Edge { to: #to, strict: #strict, repeats: #repeats, significant: #significant, leaves: #leaves })
        });
        code!([; each] &[#(#each),*])
    };
    let start = edges(&plan.start);
    let all = pieces(&plan.positions, |q| edges(&q.edges));
    let before =
        numbered_pieces(plan.positions.len(), |q| Piece::of(&plan.bits(|o| any(&o.edges, |e| e.to == q))));
    let lanes = pieces(&plan.memory, |l| Piece::of(&l.and_then(|l| u8::try_from(l).ok()).unwrap_or(u8::MAX)));
    let length = plan.depth.checked_div(plan.memory_lanes()).unwrap_or(0) as u64;
    let marks = pieces(&plan.positions, |q| Piece::of(&q.marks));
    let contiguous = !plan.linked && plan.lanes.is_none();
    code! { [p, start | contiguous, length; all, before, lanes, marks, computed]
        const __CEP_TABLE: #p::Table = #p::Table { start: #start, edges: &[#(#all),*], before: &[#(#before),*], lanes: &[#(#lanes),*], length: #length, marks: &[#(#marks),*], contiguous: #contiguous, computed: &[#(#computed),*] };
    }
}

/// The aggregates by which runs of the same marks must be told apart.
fn computed(pattern: &Pattern, plan: &Plan, names: &Names) -> Pieces {
    let p = names.p;
    if plan.told_apart.is_empty() {
        return Pieces::new();
    }
    indexed_pieces(&pattern.aggregates, |i, g| {
        let (positions, loops) = (g.scope.bits(), loop_bits(&g.scope.loops));
        let (mut folds, mut of): (Vec<u64>, Vec<u8>) = (Vec::new(), Vec::new());
        for f in &g.fields {
            let fold = pattern.fold(f.fold);
            let mask = plan.bits_of(&fold.atoms);
            if mask != 0 && !folds.contains(&mask) {
                folds.push(mask);
            }
            for g in &fold.aggregates {
                if let Ok(g) = u8::try_from(g.0)
                    && !of.contains(&g)
                {
                    of.push(g);
                }
            }
        }
        let (selected, folds, of) =
            (plan.told_apart.contains(&AggregateId(i)), pieces_of(&folds), pieces_of(&of));
        code!([p | selected, loops, positions; folds, of] #p::Computed { positions: #positions, loops: #loops, folds: &[#(#folds),*], of: &[#(#of),*], selected: #selected })
    })
}

pub(super) fn reaches_name(q: usize) -> Piece {
    our(format_args!("__cep_reaches_{q}"))
}

/// A position at which something that can panic or cost is evaluated, so that it must be known whether a partial match needs it.
pub(super) fn needs_partial_match(pattern: &Pattern, plan: &Plan, q: usize, at: &Position) -> bool {
    !at.late.is_empty()
        || (!pattern.is_cyclic() && any(&joint_at(pattern, plan, q), |c| !pattern.conjuncts[c.0].cheap))
}

/// The conjuncts over several events that are evaluated when an event joins a run at a position, in the order written.
fn joint_at(pattern: &Pattern, plan: &Plan, q: usize) -> Vec<ConjunctId> {
    let mut here = pattern.conjuncts_where(|c| joins(c, plan.positions[q].atom));
    // what was bound before comes first: it belongs to an earlier step
    crate::sorted::sort_by_key(&mut here, |c| pattern.conjuncts[c.0].step != Step::Entry);
    here
}

fn joins(c: &Conjunct, atom: crate::hir::AtomId) -> bool {
    match c.step {
        Step::Join => {
            any(&c.reads, |r| r.inside && matches!(r.region, Region::All(_)) && r.atoms.contains(&atom))
        }
        Step::Entry => c.scope.atoms.contains(&atom.0),
        Step::Event | Step::End => false,
    }
}

/// The callbacks of the search.
pub(super) fn functions(pattern: &Pattern, plan: &Plan, names: &Names) -> Piece {
    let (p, kept, n, d) = (names.p, names.kept, plan.slots, plan.depth);
    let more = registers::argument(plan, names);
    let path_type = code!([p, more, kept | d, n] &#p::Path<'_, #kept, #n, #d, __CepRing, __CepWalk #more>);
    let (declared, _) = passed(pattern);
    let steps = numbered_pieces(plan.positions.len(), |q| {
        let number = u8::try_from(q).unwrap_or(u8::MAX);
        let before = leaving(pattern, plan, q);
        let checks = pieces(&joint_at(pattern, plan, q), |c| joint(pattern, plan, *c, q));
        let windows = inner_windows(pattern, plan, q);
        let counts = super::bounds::tests(pattern, plan, q);
        let after = completing(pattern, plan, q);
        code!([windows, counts, before, after | number; checks] #number => { #windows #counts #before #(#checks)* #after true })
    });
    let neighbours = neighbours(pattern, plan, None);
    let mut all_reaches = Piece::EMPTY;
    for (q, at) in plan.positions.iter().enumerate() {
        if needs_partial_match(pattern, plan, q, at) {
            all_reaches.extend(reaches(pattern, plan, names, q, at));
        }
    }
    code! { [p, path_type, declared, neighbours, all_reaches; steps]
        /// Whether the event that joined last may stay.
        #[inline(always)]
        #[allow(unused_variables, clippy::too_many_arguments)]
        fn __cep_admits<__CepRing: #p::Storage, __CepWalk: #p::Storage>(path: #path_type, #declared) -> ::core::primitive::bool {
            let newest = path.newest();
            #neighbours
            match path.position(newest) { #(#steps)* _ => true }
        }
        #all_reaches
    }
}

/// The event that joined has the key of the completing one and, behind a strict transition (to `only`, where that is given), is the next one of it.
fn neighbours(pattern: &Pattern, plan: &Plan, only: Option<usize>) -> Piece {
    if pattern.partition.is_empty() && plan.lanes.is_none() {
        return Piece::EMPTY;
    }
    let mut out = match plan.lanes {
        // a key's ring holds no other
        Some(_) => Piece::EMPTY,
        None => code! { []
        if let (::core::option::Option::Some(a), ::core::option::Option::Some(b)) = (path.closing(::core::primitive::u64::MAX), path.event(newest)) && a.key != b.key { return false; }
        },
    };
    let steps = Pieces::new();
    for (from, q) in plan.positions.iter().enumerate() {
        for e in &q.edges {
            if !e.strict || only.is_some_and(|to| e.to != to) {
                continue;
            }
            let (from, to) = (u8::try_from(from).unwrap_or(u8::MAX), u8::try_from(e.to).unwrap_or(u8::MAX));
            let repeats = e.repeats.and_then(|r| u8::try_from(r).ok()).unwrap_or(64);
            steps.add(code!([| repeats, to, from] (#from, #to, #repeats)));
        }
    }
    if (plan.linked || plan.lanes.is_some()) && !steps.is_empty() {
        let next = if plan.linked {
            code!([] path.event(newest).is_some_and(|at| at.previous == path.entry(newest - 1) + 1))
        } else {
            code!([]
                ::core::matches!((path.event(newest - 1), path.event(newest)), (::core::option::Option::Some(a), ::core::option::Option::Some(b)) if a.rank + 1 == b.rank)
            )
        };
        out.extend(code! { [next; steps]
            if newest > 0 && ::core::matches!((path.position(newest - 1), path.position(newest), path.repeats(newest)), #(#steps)|*) && !#next { return false; }
        });
    }
    out
}

/// The conjuncts that look at whole instances which the event, joining at `q`, leaves behind.
fn leaving(pattern: &Pattern, plan: &Plan, q: usize) -> Piece {
    let mut out = Piece::EMPTY;
    for id in &pattern.conjuncts_where(|c| c.step == Step::End) {
        let c = &pattern.conjuncts[id.0];
        let inside = c.scope.bits();
        let stays = c.scope.atoms.contains(&plan.positions[q].atom.0);
        let again = loop_bits(&c.scope.loops);
        // inside the formula an instance ends only with a new repetition of something around it
        if stays && again == 0 {
            continue;
        }
        let ends = if stays {
            code!([| again] path.repeats(newest) < 64 && #again >> path.repeats(newest) & 1 != 0)
        } else {
            code!([] true)
        };
        let check = whole(pattern, plan, *id, code!([](newest - 1)));
        out.extend(code! { [ends, check | inside]
            if newest > 0 && path.takes(newest - 1, #inside) && #ends { #check }
        });
    }
    out
}

/// Those that end with the match itself.
fn completing(pattern: &Pattern, plan: &Plan, q: usize) -> Piece {
    let atom = plan.positions[q].atom.0;
    let here = pattern.conjuncts_where(|c| c.step == Step::End && c.scope.atoms.contains(&atom));
    let checks = pieces(&here, |id| whole(pattern, plan, *id, code!([] newest)));
    if checks.is_empty() || !plan.positions[q].accepting {
        return Piece::EMPTY;
    }
    code!([; checks] if path.is_complete() { #(#checks)* })
}

/// `(φ within W)`: the span from the first event of the instance to the newest.
fn inner_windows(pattern: &Pattern, plan: &Plan, q: usize) -> Piece {
    let atom = plan.positions[q].atom.0;
    let mut out = Piece::EMPTY;
    for InnerWindow { window, scope } in &pattern.inner_windows {
        if !scope.atoms.contains(&atom) {
            continue;
        }
        let (inside, loops) = (scope.bits(), loop_bits(&scope.loops));
        let test = match window {
            Window::Events(n) => code!([| n] last.position() - first.position() < #n),
            // a machine without lanes keeps nothing: every match is one event
            Window::Partition(_) if plan.lanes.is_none() => code!([] true),
            Window::Partition(n) => code!([| n] last.rank - first.rank < #n),
            Window::Clock(a) => {
                let span = span_literal(*a);
                code!([span] __CepClock::within(first.time, last.time, #span))
            }
        };
        out.extend(code! { [test | inside, loops]
            if let (::core::option::Option::Some(first), ::core::option::Option::Some(last)) =
                (path.first_of(path.segment(newest, #loops), newest, #inside).and_then(|n| path.event(n)), path.event(newest))
                && !(#test) { return false; }
        });
    }
    out
}

/// A conjunct over several events as an event joins at position `q`: for each of its reads that the event can be, all choices of the others.
fn joint(pattern: &Pattern, plan: &Plan, id: ConjunctId, q: usize) -> Piece {
    let c = &pattern.conjuncts[id.0];
    let atom = plan.positions[q].atom;
    if c.step == Step::Entry {
        let (inside, loops) = (c.scope.bits(), loop_bits(&c.scope.loops));
        let check = choices(pattern, plan, id, None, code!([] newest));
        return code! { [check | inside, loops]
            if path.first_of(path.segment(newest, #loops), newest, #inside) == ::core::option::Option::Some(newest) { #check }
        };
    }
    let closing = any(&c.reads, |r| plan.is_closing(c, r));
    let mut out = Piece::EMPTY;
    for (i, r) in c.reads.iter().enumerate() {
        // where a read is of the completing event, the conjunct was evaluated as the others of its events joined
        let others = any(&c.reads, |r| joining(r) && !plan.is_closing(c, r));
        if joining(r) && r.atoms.contains(&atom) && !(closing && others && plan.is_closing(c, r)) {
            out.extend(choices(pattern, plan, id, Some(i), code!([] newest)));
        }
    }
    out
}

/// A read that the joining event can be.
fn joining(r: &Read) -> bool {
    r.inside && matches!(r.region, Region::All(_))
}

/// A conjunct over a whole instance that ends with event `at`.
fn whole(pattern: &Pattern, plan: &Plan, id: ConjunctId, at: Piece) -> Piece {
    choices(pattern, plan, id, None, at)
}

/// Nested loops over the events that each read can stand for, seen from event `at`; read `fixed` is that event itself. Returns `false` from the
/// callback where a choice fails.
fn choices(pattern: &Pattern, plan: &Plan, id: ConjunctId, fixed: Option<usize>, at: Piece) -> Piece {
    let c = &pattern.conjuncts[id.0];
    let events = guards::reads(c);
    let (guard, arguments) = (guards::joint_name(id), arguments(pattern, id));
    let mut body = code! { [guard, at, arguments; events]
        if !#guard(path, #at, #(#events,)* () #arguments) { return false; }
    };
    for (i, r) in c.reads.iter().enumerate().rev() {
        let event = events.get(i);
        let k = our(format_args!("k_{i}"));
        body = if plan.is_closing(c, r) && fixed != Some(i) {
            let positions = plan.bits_of(&r.atoms);
            code!([body, event | positions] if let ::core::option::Option::Some(#event) = path.closing(#positions) { #body })
        } else if fixed == Some(i) {
            code!([at, body, event] if let ::core::option::Option::Some(#event) = path.event(#at) { #body })
        } else {
            let inner = if r.computed.is_empty() {
                code!([k, body, event] if let ::core::option::Option::Some(#event) = path.event(#k) { #body })
            } else {
                code!([k, body, event] { let #event = #k; #body })
            };
            ranged(pattern, plan, r, k, at, inner)
        };
    }
    body
}

/// `for k in …`, or `if let Some(k) = …` where a read is at most one event.
fn ranged(pattern: &Pattern, plan: &Plan, r: &Read, k: Piece, at: Piece, inner: Piece) -> Piece {
    let around = |id: LoopId| loop_bits(&pattern.loops[id.0].enclosing);
    // the first or last of the events from one number to another
    let one = |from: Piece, to: Piece, first: bool| {
        let positions = plan.bits_of(&r.atoms);
        if r.computed.is_empty() {
            return match first {
                true => code!([from, to | positions] path.first_of(#from, #to, #positions)),
                false => code!([from, to | positions] path.last_of(#from, #to, #positions)),
            };
        }
        let test = registers::completes(pattern, &r.computed, code!([] path), code!([] * k), to);
        match first {
            true => code!([from, to, test] (#from..=#to).find(|k| #test)),
            false => code!([from, to, test] (#from..=#to).rev().find(|k| #test)),
        }
    };
    match &r.region {
        Region::All(loops) => {
            let bits = loop_bits(loops);
            let test = if r.computed.is_empty() {
                let positions = plan.bits_of(&r.atoms);
                code!([k | positions] path.takes(#k, #positions))
            } else {
                registers::completes(pattern, &r.computed, code!([] path), Piece::of(&k), at)
            };
            code!([k, at, test, inner | bits] for #k in path.segment(#at, #bits)..=#at { if #test { #inner } })
        }
        Region::First(loops) | Region::Last(loops) => {
            let bits = loop_bits(loops);
            let first = matches!(r.region, Region::First(_));
            let found = one(code!([at | bits] path.segment(#at, #bits)), at, first);
            code!([k, found, inner] if let ::core::option::Option::Some(#k) = #found { #inner })
        }
        Region::Previous(id) => {
            let (own, outer) = (1u64 << id.0, around(*id));
            let found = one(code!([] from), code!([] to), true);
            code! { [at, k, found, inner | outer, own]
                if let ::core::option::Option::Some((from, to)) = path.repetition_before(#at, #own, #outer)
                    && let ::core::option::Option::Some(#k) = #found { #inner }
            }
        }
        Region::FirstBefore(id) => {
            let (own, outer) = (1u64 << id.0, around(*id));
            let found = one(code!([at | outer] path.segment(#at, #outer)), code!([] to), true);
            code! { [at, k, found, inner | outer, own]
                if let ::core::option::Option::Some((_, to)) = path.repetition_before(#at, #own, #outer)
                    && let ::core::option::Option::Some(#k) = #found { #inner }
            }
        }
    }
}

/// Whether some partial match takes the event at position `q`, its conditions evaluated in the order written.
fn reaches(pattern: &Pattern, plan: &Plan, names: &Names, q: usize, at: &Position) -> Piece {
    let (p, on, kept, name, n, d) = (names.p, names.on, names.kept, reaches_name(q), plan.slots, plan.depth);
    let (event, position) = (ours("event"), ours("position"));
    let more = registers::argument(plan, names);
    let (declared, call) = passed(pattern);
    let verdict = |c: ConjunctId| our(format_args!("verdict_{}", c.0));
    let verdicts = pieces(&at.late, |c| {
        let v = verdict(*c);
        code!([v] let mut #v: ::core::option::Option<::core::primitive::bool> = ::core::option::Option::None;)
    });
    // in the order written; a unary one that failed decides for every partial match
    let mut here = Vec::new();
    for (i, c) in pattern.conjuncts.iter().enumerate() {
        if at.late.contains(&ConjunctId(i)) || joins(c, at.atom) {
            here.push(ConjunctId(i));
        }
    }
    crate::sorted::sort_by_key(&mut here, |c| pattern.conjuncts[c.0].step != Step::Entry);
    let steps = pieces(&here, |c| {
        if at.late.contains(c) {
            let (v, call) = (verdict(*c), unary(pattern, *c, at.ty, event, position));
            code! { [call, v]
                let holds = match #v { ::core::option::Option::Some(v) => v, ::core::option::Option::None => #call };
                #v = ::core::option::Option::Some(holds);
                if !holds { failed = true; return false; }
            }
        } else {
            joint(pattern, plan, *c, q)
        }
    });
    let before = leaving(pattern, plan, q);
    let windows = inner_windows(pattern, plan, q);
    // conditions over several events are all evaluated now, so that one that panics does so at the event that asks for it
    let joined = any(&here, |c| !at.late.contains(c) && !pattern.conjuncts[c.0].cheap);
    let detect = matches!(pattern.output, Output::Detect);
    let exhaust = joined && !pattern.is_cyclic() && !(at.accepting && detect);
    let next = if exhaust { code!([] reached = true;) } else { code!([] reached = true; break;) };
    let bit = 1u64 << q;
    let allow = match plan.candidates {
        Some(n) => code!([| n] walk.allow(#n);),
        None => Piece::EMPTY,
    };
    let neighbours = neighbours(pattern, plan, Some(q));
    code! { [name, p, more, event, on, declared, position, call, neighbours, windows, before, next, allow, kept | bit, d, n; verdicts, steps]
        #[allow(unused_mut, unused_assignments, unused_variables, clippy::too_many_arguments, clippy::never_loop)]
        fn #name<__CepRing: #p::Storage, __CepWalk: #p::Storage>(
            ring: &#p::Ring<#kept, #n, __CepRing>,
            walk: &mut #p::Walk<#d, __CepWalk #more>,
            #event: &#on,
            at: &#p::At<#kept>,
            first: ::core::primitive::u64,
            entries: ::core::primitive::u64,
            #declared
        ) -> ::core::primitive::bool {
            let #position = at.position();
            walk.begin(first, entries, #bit);
            #allow
            #(#verdicts)*
            let (mut reached, mut failed) = (false, false);
            loop {
                let more = walk.advance(&__CEP_TABLE, ring, at, |path| {
                    if failed { return false; }
                    let newest = path.newest();
                    if !path.is_complete() { return __cep_admits(path, #call); }
                    #neighbours
                    #windows
                    #before
                    #(#steps)*
                    true
                });
                if !more || failed { break; }
                #next
            }
            walk.stop();
            reached && !failed
        }
    }
}

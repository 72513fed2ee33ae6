//! The steps of a machine whose positions hold their runs in structures of their own: how a run is looked up, entered, moved.
use super::latest::unary;
use super::names::{Names, member, our, ours};
use super::runs::{entered, held};
use crate::code::{Hole, Piece, Pieces, code, numbered_pieces, pieces};
use crate::hir::{AttributeId, Pattern, TypeId};
use crate::plan::{Operator, Passage, Plan, Register, Structure};
use crate::schema::Kind;
use crate::slices::{any, find, pick};
use crate::sorted::Set;

/// What an attribute of the newest event is called: an `Option`, `None` where it is NULL.
fn value(a: AttributeId) -> Piece {
    our(format_args!("value_{}", a.0))
}

/// What the run that enters a position is filed under.
fn key(q: usize) -> Piece {
    our(format_args!("key_{q}"))
}

/// Runs come to a position one at a time, not only all of another's at once.
fn is_entered(plan: &Plan, q: usize) -> bool {
    for (p, before) in plan.positions.iter().enumerate() {
        if any(&before.edges, |e| e.to == q) && plan.runs.passage(p, q) == Passage::Best {
            return true;
        }
    }
    plan.positions[q].initial
}

/// What happens before the first change, what then, and what consumption does.
pub(super) fn steps(pattern: &Pattern, plan: &Plan, names: &Names, event: Piece) -> (Piece, Piece, Piece) {
    let p = names.p;
    let mut decide = Piece::EMPTY;
    for (q, hold) in plan.runs.holds.iter().enumerate() {
        if !hold.key.is_empty() && hold.structure != Structure::Nothing && is_entered(plan, q) {
            let key = key(q);
            decide.extend(code!([key] let mut #key = ::core::option::Option::None;));
        }
    }
    let mut arms = Piece::EMPTY;
    for &t in &plan.types() {
        let mut body = values(pattern, plan, names, t, event);
        for (q, at) in plan.positions.iter().enumerate() {
            if at.ty == t {
                body.extend(enter(pattern, plan, names, event, q));
            }
        }
        let n = t.0;
        arms.extend(code!([body | n] #n => { #body }));
    }
    decide.extend(code!([p, event, arms] match #p::Event::kind(#event) { #arms _ => {} }));
    (decide, commit(plan, names), Piece::EMPTY)
}

/// `let value_3 = …;` for each attribute that a structure or a comparison needs of this event type.
fn values(pattern: &Pattern, plan: &Plan, names: &Names, t: TypeId, event: Piece) -> Piece {
    let p = names.p;
    let mut read: Set<AttributeId> = Set::new();
    for c in &plan.runs.comparisons {
        if plan.positions[c.at].ty == t {
            read.insert(c.attribute);
        }
        if plan.positions[c.register.position].ty == t {
            read.insert(c.register.attribute);
        }
    }
    if read.is_empty() {
        return Piece::EMPTY;
    }
    let (view, of) = (ours("view"), names.event_type(t));
    let mut out = code!([view, of, event] let ::core::option::Option::Some(#view) = #of::view(#event) else { ::core::unreachable!("an event is of its kind") };);
    for a in read {
        let attribute = &pattern.schema.types[t.0].attributes[a.0];
        let (name, field) = (value(a), member(attribute));
        out.extend(if attribute.nullable {
            code!([name, p, view, field] let #name = #p::keep(#view.#field);)
        } else {
            code!([name, p, view, field] let #name = ::core::option::Option::Some(#p::keep(#view.#field));)
        });
    }
    out
}

/// The run with which the event enters a position, and what it is filed under there.
fn enter(pattern: &Pattern, plan: &Plan, names: &Names, event: Piece, q: usize) -> Piece {
    if !is_entered(plan, q) {
        return Piece::EMPTY;
    }
    let (position, at, run) = (ours("position"), &plan.positions[q], entered(q));
    let mut from = if at.initial {
        code!([position] ::core::option::Option::Some(#position))
    } else {
        code!([] ::core::option::Option::None)
    };
    for (before, o) in plan.positions.iter().enumerate() {
        for &strict in &[false, true] {
            if any(&o.edges, |e| e.to == q && e.strict == strict)
                && plan.runs.passage(before, q) == Passage::Best
            {
                let best = best(pattern, plan, names, (before, q), strict);
                from = code!([from, best] ::core::cmp::Ord::max(#from, #best));
            }
        }
    }
    let late = pieces(&at.late, |c| unary(pattern, *c, at.ty, event, position));
    let hold = &plan.runs.holds[q];
    let file = if !hold.key.is_empty() && hold.structure != Structure::Nothing {
        let (key, value) = (key(q), filed(pattern, plan, names, q));
        code!([key, value] #key = #value;)
    } else {
        Piece::EMPTY
    };
    code! { [from, run, file | q; late]
        if taken >> #q & 1 != 0 {
            let from: ::core::option::Option<::core::primitive::u64> = #from;
            if from.is_some() #(&& #late)* {
                #run = from;
                #file
            }
        }
    }
}

/// Where it is in the list, which has it.
pub(super) fn place<T: PartialEq>(list: &[T], member: &T) -> usize {
    crate::slices::position(list, |x| x == member).unwrap_or(0)
}

/// The latest start of the runs in `before` that the event lets pass on to `q`.
fn best(pattern: &Pattern, plan: &Plan, names: &Names, (before, q): (usize, usize), strict: bool) -> Piece {
    let p = names.p;
    let (field, hold) = (held(before), &plan.runs.holds[before]);
    let none = code!([] ::core::option::Option::None);
    let reads = plan.runs.read(before, q);
    match hold.structure {
        Structure::Nothing => none,
        Structure::Latest { fresh } => {
            let (all, renewed) = plan.latest();
            let slot =
                if fresh && strict { all.len() + place(&renewed, &before) } else { place(&all, &before) };
            code!([| slot] self.latest.since(#slot, floor))
        }
        Structure::Single => {
            let checks = pieces(&reads, |c| {
                let n = proc_macro2::Literal::usize_unsuffixed(place(&hold.key, &c.register));
                compare(code!([| n] key.#n), c.operator, c.attribute)
            });
            code! { [field, none; checks]
                match self.#field {
                    ::core::option::Option::Some((start, key)) if start >= floor #(&& #checks)* => ::core::option::Option::Some(start),
                    _ => #none,
                }
            }
        }
        Structure::Pareto { .. } => {
            let Some(c) = reads.first() else { return none };
            let bound = shaped(pattern, plan, names, c.register, &value(c.attribute), hold.structure);
            let inclusive = c.operator.is_inclusive();
            code! { [bound, field, none | inclusive]
                match #bound {
                    ::core::option::Option::Some(bound) => self.#field.latest(bound, #inclusive, floor),
                    _ => #none,
                }
            }
        }
        Structure::Direct(_) | Structure::Keyed => {
            let (parts, mut checks) = (Pieces::new(), Piece::EMPTY);
            for r in &hold.key {
                let here = pick(&reads, |c| (c.register == *r).then_some(*c));
                let equal = find(&here, |c| c.operator == Operator::Equal);
                let Some(c) = equal.or(here.first()) else { return none };
                let known = value(c.attribute);
                let known = if c.operator == Operator::Unequal {
                    code!([known] #known.map(|value| !value))
                } else {
                    Piece::of(&known)
                };
                parts.add(shaped(pattern, plan, names, *r, &known, hold.structure));
                // the register's value is known, so what else reads it compares that
                for other in &here {
                    if other.conjunct != c.conjunct {
                        let check = compare(known, other.operator, other.attribute);
                        checks.extend(code!([check] && #check));
                    }
                }
            }
            let keys = numbered_pieces(parts.len(), |i| our(format_args!("part_{i}")));
            let look = if hold.structure == Structure::Keyed {
                code!([field; keys] self.#field.latest((#(#keys,)*), floor))
            } else {
                code!([field, p; keys] self.#field.latest(#p::Finite::index((#(#keys,)*)), floor))
            };
            code! { [checks, look, none; parts, keys]
                match (#(#parts,)*) {
                    (#(::core::option::Option::Some(#keys),)*) if true #checks => #look,
                    _ => #none,
                }
            }
        }
    }
}

/// `register ⊙ attribute`, false where one is NULL.
fn compare(register: Piece, operator: Operator, a: AttributeId) -> Piece {
    let other = value(a);
    let test = match operator {
        Operator::Equal => code!([] x == y),
        Operator::Unequal => code!([] x != y),
        Operator::Less => code!([] x < y),
        Operator::LessOrEqual => code!([] x <= y),
        Operator::Greater => code!([] x > y),
        Operator::GreaterOrEqual => code!([] x >= y),
    };
    code!([register, other, test] #register.zip(#other).is_some_and(|(x, y)| #test))
}

/// An `Option` of a value as a structure files it: no key where it is NULL or NaN, since that compares with nothing.
fn shaped(
    pattern: &Pattern,
    plan: &Plan,
    names: &Names,
    r: Register,
    value: &dyn Hole,
    structure: Structure,
) -> Piece {
    let p = names.p;
    match (&crate::plan::of(pattern, &plan.positions, r).kind, structure) {
        (Kind::Float(_), Structure::Keyed) => {
            code!([p | value] #value.and_then(|value| #p::FloatKey::new(::core::convert::From::from(value))))
        }
        (Kind::Str | Kind::Opaque, Structure::Keyed) => code!([p | value] #value.map(#p::OpaqueKey::new)),
        (Kind::Opaque, Structure::Pareto { .. }) => code!([p | value] #value.map(#p::OpaqueRank::new)),
        _ => Piece::of(&value),
    }
}

/// What the event's run is filed under in `q`: an `Option`, `None` where no condition ahead can hold.
fn filed(pattern: &Pattern, plan: &Plan, names: &Names, q: usize) -> Piece {
    let hold = &plan.runs.holds[q];
    let parts = Pieces::new();
    for r in &hold.key {
        let source = if r.position == q {
            let own = value(r.attribute);
            Piece::of(&own)
        } else if let Some(c) = plan.runs.known(*r, q) {
            let same = value(c.attribute);
            Piece::of(&same)
        } else {
            carried(plan, *r, q)
        };
        parts.add(shaped(pattern, plan, names, *r, &source, hold.structure));
    }
    if hold.structure == Structure::Single {
        return code!([; parts] ::core::option::Option::Some((#(#parts,)*)));
    }
    let keys = numbered_pieces(parts.len(), |i| our(format_args!("part_{i}")));
    let whole = if let Structure::Pareto { .. } = hold.structure {
        code!([; keys] #(#keys)*)
    } else {
        code!([; keys] (#(#keys,)*))
    };
    code! { [whole; parts, keys]
        match (#(#parts,)*) {
            (#(::core::option::Option::Some(#keys),)*) => ::core::option::Option::Some(#whole),
            _ => ::core::option::Option::None,
        }
    }
}

/// A register of the one run from which `q` is entered.
fn carried(plan: &Plan, r: Register, q: usize) -> Piece {
    for (before, o) in plan.positions.iter().enumerate() {
        let key = &plan.runs.holds[before].key;
        if plan.runs.holds[before].structure == Structure::Single
            && any(&o.edges, |e| e.to == q)
            && let Some(n) = crate::slices::position(key, |k| *k == r)
        {
            let (field, n) = (held(before), proc_macro2::Literal::usize_unsuffixed(n));
            return code!([field | n] self.#field.and_then(|(_, key)| key.#n));
        }
    }
    code!([] ::core::option::Option::None)
}

/// The changes of state: first runs move, then the event's own enter.
fn commit(plan: &Plan, names: &Names) -> Piece {
    let (p, position) = (names.p, ours("position"));
    let (mut out, waits) = (Piece::EMPTY, Pieces::new());
    for &(from, to) in &plan.runs.moves(&plan.positions) {
        let (source, target) = (held(from), held(to));
        let take = match plan.runs.holds[to].structure {
            Structure::Direct(_) => code!([target, source] self.#target.take_from(&self.#source);),
            _ => code!([target, source] self.#target.take_from(&mut self.#source, floor);),
        };
        out.extend(code!([take | to] if taken >> #to & 1 != 0 { #take }));
        waits.add(code!([| to] taken >> #to & 1 != 0));
    }
    let (all, renewed) = plan.latest();
    for (q, hold) in plan.runs.holds.iter().enumerate() {
        let (run, key, field) = (entered(q), key(q), held(q));
        if !is_entered(plan, q) {
            continue;
        }
        let enter = match hold.structure {
            Structure::Nothing => continue,
            Structure::Latest { fresh } => {
                let slot = place(&all, &q);
                let run = code!([run, p] #run.map(#p::Start::at));
                if fresh {
                    let newest = all.len() + place(&renewed, &q);
                    code!([run | slot, newest] self.latest.replace(#newest, #run); self.latest.enter(#slot, #run);)
                } else if crate::slices::all(&plan.positions[q].edges, |e| e.strict) {
                    code!([run | slot] self.latest.replace(#slot, #run);)
                } else {
                    code!([run | slot] self.latest.enter(#slot, #run);)
                }
            }
            Structure::Single => code!([field, run, key] self.#field = #run.zip(#key);),
            structure => {
                let enter = match structure {
                    Structure::Keyed => {
                        code!([field, position] self.#field.enter(key, start, #position, floor);)
                    }
                    Structure::Pareto { .. } => code!([field] self.#field.enter(key, start, floor);),
                    _ => code!([field, p] self.#field.enter(#p::Finite::index(key), start);),
                };
                code! { [run, key, enter]
                    if let (::core::option::Option::Some(start), ::core::option::Option::Some(key)) = (#run, #key) { #enter }
                }
            }
        };
        out.extend(enter);
        waits.add(code!([run] #run.is_some()));
    }
    code! { [out; waits]
        #out
        if false #(|| #waits)* { self.stats.kept += 1; }
    }
}

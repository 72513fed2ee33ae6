//! The closure constructions: what a constructed automaton matches is what its parts match, put together as the definition says.
mod common;

use cep_compiler::automaton::literal::{
    Argument, Automaton, Error, Formula, Marks, Names, Output, Predicate, RegisterId, StateId, Transition,
};
use cep_compiler::automaton::{Event, Fault, Value};
use cep_compiler::hir::{ConjunctId, TypeId, VariableId};
use std::collections::BTreeSet;

type Matches = BTreeSet<BTreeSet<u64>>;

const BUDGET: usize = 10_000;

fn names() -> Names {
    let all = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect();
    Names { types: all(&["A", "B", "C"]), variables: all(&["a", "b"]), conditions: all(&["a.id == b.id"]) }
}

/// The only condition: equal ids.
fn equal(_: ConjunctId, events: &[(u64, &Event)]) -> Result<bool, Fault> {
    Ok(events.windows(2).all(|p| p[0].1.values == p[1].1.values))
}

fn atom(ty: usize, marks: &[usize]) -> Automaton {
    Automaton::event(&names(), TypeId(ty), marks.iter().map(|v| VariableId(*v)).collect())
}

/// `A as a ; B as b filter a.id == b.id`, put together by hand.
fn join() -> Automaton {
    let mut a = atom(0, &[0]).concat(&atom(1, &[1]));
    let equal = Predicate::Holds {
        condition: ConjunctId(0),
        arguments: vec![Argument::Register(RegisterId(0)), Argument::Current],
    };
    a.registers.push("a".into());
    for t in &mut a.transitions {
        if t.output.marks.contains(&VariableId(0)) {
            t.writes.insert(RegisterId(0));
        }
        if t.output.marks.contains(&VariableId(1)) {
            t.formula.all.insert(equal.clone());
        }
    }
    a
}

fn alphabet() -> Vec<Event> {
    let event = |ty, id| Event { ty, values: vec![Value::Int(id)] };
    vec![event(0, 0), event(0, 1), event(1, 0), event(1, 1)]
}

fn streams(length: usize) -> Vec<Vec<Event>> {
    let mut all: Vec<Vec<Event>> = vec![Vec::new()];
    for _ in 0..length {
        all = all
            .into_iter()
            .flat_map(|s| alphabet().into_iter().map(move |e| [&s[..], &[e]].concat()))
            .collect();
    }
    all
}

/// All matches in the stream, wherever they end.
fn matches(a: &Automaton, stream: &[Event]) -> Matches {
    let all = a.matches(stream, &equal).expect("no condition fails");
    all.into_iter().flatten().map(|m| m.taken).collect()
}

/// Every match of the one followed by every match of the other.
fn followed(left: &Matches, right: &Matches) -> Matches {
    let pairs = left.iter().flat_map(|l| right.iter().map(move |r| (l, r)));
    pairs.filter(|(l, r)| l.last() < r.first()).map(|(l, r)| l | r).collect()
}

fn repeated(once: &Matches) -> Matches {
    let mut all = once.clone();
    loop {
        let more: Matches = &all | &followed(&all, once);
        if more == all {
            return all;
        }
        all = more;
    }
}

/// Single events, and what two constructions make of them.
fn parts() -> Vec<Automaton> {
    let (a, b) = (atom(0, &[0]), atom(1, &[1]));
    vec![
        a.clone(),
        b.clone(),
        a.union(&b),
        a.concat(&b),
        a.iterate(),
        join(),
        join().iterate(),
        a.union(&join()),
        a.iterate().concat(&b),
        a.concat(&b.iterate()).iterate(),
    ]
}

#[test]
fn union_concatenation_iteration() {
    let parts = parts();
    for stream in streams(4) {
        let found: Vec<Matches> = parts.iter().map(|p| matches(p, &stream)).collect();
        for (x, left) in parts.iter().zip(&found) {
            assert_eq!(matches(&x.iterate(), &stream), repeated(left), "{} in {stream:?}", x.to_mermaid());
            for (y, right) in parts.iter().zip(&found) {
                assert_eq!(matches(&x.union(y), &stream), left | right, "{stream:?}");
                assert_eq!(matches(&x.concat(y), &stream), followed(left, right), "{stream:?}");
            }
        }
    }
}

#[test]
fn trimming_keeps_the_matches() {
    let mut a = join().iterate();
    let states = a.states.len();
    // a way into a state that leads nowhere, one that no event can take, one from a state that is never entered
    let dead = StateId(states);
    a.states.extend([a.states[1].clone(), a.states[1].clone()]);
    for s in &mut a.states[states..] {
        s.accepting = false;
    }
    let never = Formula::of_type(TypeId(0)).and(&Formula::of_type(TypeId(1)));
    let arc = |from, to, formula| Transition {
        from,
        to,
        formula,
        writes: BTreeSet::new(),
        output: Output::default(),
    };
    a.transitions.push(arc(a.start, dead, Formula::of_type(TypeId(0))));
    a.transitions.push(arc(StateId(1), a.start, never));
    a.transitions.push(arc(StateId(states + 1), StateId(1), Formula::default()));
    let trimmed = a.trim();
    assert_eq!(trimmed, join().iterate().trim());
    assert!(trimmed.states.len() <= states);
    for stream in streams(4) {
        assert_eq!(matches(&a, &stream), matches(&trimmed, &stream));
    }
}

/// What a match shows: where it begins and its variables' events.
fn seen(m: &Marks) -> (Option<u64>, Vec<(VariableId, BTreeSet<u64>)>) {
    (m.taken.first().copied(), m.variables.clone().into_iter().collect())
}

#[test]
fn ambiguity_and_determinisation_per_output() {
    let many = atom(0, &[0]).iterate();
    let unmarked = atom(0, &[0]).concat(&atom(1, &[]).iterate()).concat(&atom(0, &[0]));
    // `a+` has one run a match, `a+ ; a+` splits it anywhere; with unmarked `B`s every choice of them is one match
    assert_eq!(many.ambiguity(), None);
    assert_eq!(join().iterate().ambiguity(), None);
    let twice = many.concat(&many);
    let stream = twice.ambiguity().expect("two runs").stream;
    assert_eq!(stream.len(), 3, "{stream:?}");
    assert!(unmarked.ambiguity().is_some());
    for a in [many, twice, unmarked, join().union(&join()), join().concat(&join()).union(&join().iterate())] {
        let one = a.determinize_per_output(BUDGET).expect("small");
        assert!(one.is_deterministic(), "{}", one.to_mermaid());
        assert_eq!(one.ambiguity(), None, "{}", one.to_mermaid());
        for stream in streams(4) {
            let of = |a: &Automaton| -> Vec<BTreeSet<_>> {
                let all = a.matches(&stream, &equal).expect("no condition fails");
                all.iter().map(|at| at.iter().map(seen).collect()).collect()
            };
            assert_eq!(of(&a), of(&one), "{stream:?} in {}", one.to_mermaid());
        }
    }
}

/// Where an unmarked event is in a register, runs that look the same differ.
#[test]
fn registers_without_marks_are_not_merged() {
    let mut a = join();
    for t in &mut a.transitions {
        t.output.marks.remove(&VariableId(0));
    }
    assert_eq!(a.determinize_per_output(BUDGET), Err(Error::Unmarked { register: "a".into() }));
}

/// Without registers every automaton is determinised and complemented, window or not.
#[test]
fn unary_automata_need_no_window() {
    let a = atom(0, &[0]).concat(&atom(1, &[1])).iterate();
    let (one, other) = (a.determinize(BUDGET).expect("small"), a.complement(BUDGET).expect("small"));
    assert!(one.is_output_agnostic_deterministic());
    for stream in streams(5) {
        let of = |a: &Automaton| a.accepts(&stream, &equal).expect("no condition fails");
        assert_eq!(of(&a), of(&one));
        assert!(of(&a).iter().zip(of(&other)).all(|(yes, no)| *yes != no));
    }
    assert_eq!(one.determinize(BUDGET), Err(Error::Determinized));
}

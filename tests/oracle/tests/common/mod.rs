//! Patterns and streams by hand.
#![allow(dead_code, unreachable_pub, reason = "each test file uses a part")]
use cep_compiler::ast::{
    Clauses, Condition, Formula, FormulaKind, Gap, Negation, Operator, Pattern, StreamPath,
};
use cep_compiler::diagnostic::Loc;
use cep_oracle::{AttrDecl, Declaration, Delivery, Event, Oracle, Ty, TypeDecl, Value};
use proc_macro2::{Ident, Span, TokenStream};
use std::collections::{BTreeMap, BTreeSet};

pub use Operator::{Any, Next, Strict};

fn loc() -> Loc {
    Span::call_site().into()
}

pub fn id(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}

pub fn formula(kind: FormulaKind) -> Formula {
    Formula { kind, loc: loc() }
}

/// `R`
pub fn t(name: &str) -> Formula {
    formula(FormulaKind::Type(id(name)))
}

/// `φ as x`
pub fn named(inner: Formula, x: &str) -> Formula {
    formula(FormulaKind::As { inner: Box::new(inner), variable: id(x) })
}

/// `φ op ψ`
pub fn seq(left: Formula, operator: Operator, right: Formula) -> Formula {
    absent(left, operator, vec![], right)
}

/// `φ ; not ν op ψ`
pub fn absent(left: Formula, operator: Operator, nots: Vec<(Operator, Formula)>, right: Formula) -> Formula {
    let negation = |(operator, formula)| Negation { operator, formula, word: loc() };
    let gap = Gap { operator, operator_loc: loc(), negations: nots.into_iter().map(negation).collect() };
    formula(FormulaKind::Sequence { left: Box::new(left), gap, right: Box::new(right) })
}

/// `φ or ψ`
pub fn or(parts: impl IntoIterator<Item = Formula>) -> Formula {
    formula(FormulaKind::Or { parts: parts.into_iter().collect(), words: vec![] })
}

/// `φ op{minimum,maximum}`
pub fn iterate(inner: Formula, operator: Operator, minimum: u32, maximum: Option<u32>) -> Formula {
    let inner = Box::new(inner);
    formula(FormulaKind::Iterate { inner, operator, minimum, maximum, operator_loc: loc() })
}

/// `φ filter c`
pub fn filter(inner: Formula, c: &str) -> Formula {
    let condition = Condition { expr: syn::parse_str(c).expect("a condition"), loc: loc() };
    formula(FormulaKind::Filter { inner: Box::new(inner), condition })
}

/// An item with a formula and no clauses.
pub fn pattern(f: Formula) -> Pattern {
    Pattern {
        attributes: vec![],
        visibility: syn::Visibility::Inherited,
        name: id("P"),
        parameters: vec![],
        on: StreamPath { tokens: TokenStream::new(), loc: loc() },
        formula: f,
        clauses: Clauses::default(),
        loc: loc(),
    }
}

/// Types `A` to `E` with an integer `v`, a nullable `o` and a float `f`; `T` and `H` with `id` and `value`.
pub fn declaration() -> Declaration {
    let attr = |name: &str, ty, nullable| AttrDecl { name: name.into(), ty, nullable, time: false };
    let mut types: Vec<TypeDecl> = ["A", "B", "C", "D", "E"]
        .iter()
        .map(|n| TypeDecl {
            name: (*n).into(),
            attributes: vec![attr("v", Ty::I32, false), attr("o", Ty::I32, true), attr("f", Ty::F64, false)],
        })
        .collect();
    for n in ["T", "H"] {
        let attributes = vec![attr("id", Ty::U32, false), attr("value", Ty::I64, false)];
        types.push(TypeDecl { name: n.into(), attributes });
    }
    Declaration::new(types)
}

/// An event of `A` to `E`.
pub fn event(name: &str, v: i128, o: Option<i128>) -> Event {
    let ty = declaration().type_index(name).expect("a type");
    Event { ty, values: vec![Value::Int(v), o.map_or(Value::Null, Value::Int), Value::Float(0.5)] }
}

/// `A B5 D`: a type and, where one matters, its `v`.
pub fn stream(text: &str) -> Vec<Event> {
    let one = |w: &str| event(&w[..1], w[1..].parse().unwrap_or(0), None);
    text.split_whitespace().map(one).collect()
}

/// The deliveries of a pattern without parameters.
pub fn run(p: &Pattern, events: &[Event]) -> Vec<Delivery> {
    let oracle = Oracle::new(&declaration(), p, &BTreeMap::new()).expect("a pattern");
    oracle.matches(events).expect("an answer")
}

/// All position sets that a formula matches.
pub fn sets(f: Formula, events: &[Event]) -> BTreeSet<Vec<u64>> {
    positions(&pattern(f), events)
}

/// All position sets that a pattern matches.
pub fn positions(p: &Pattern, events: &[Event]) -> BTreeSet<Vec<u64>> {
    let all = run(p, events).into_iter().flat_map(|d| d.results);
    all.map(|c| c.positions().into_iter().collect()).collect()
}

/// Position sets as typed.
pub fn expect<const N: usize>(list: [&[u64]; N]) -> BTreeSet<Vec<u64>> {
    list.iter().map(|s| s.to_vec()).collect()
}

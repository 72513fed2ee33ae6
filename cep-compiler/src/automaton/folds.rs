//! Aggregates over values, by their definition: the bag is collected and folded each time. For the simulator.
use super::interpret::{Fault, Value, segment, value_of};
use super::simulate::{Event, Visit};
use crate::hir::{AggregateId, FoldId, Function, Pattern, ReadAttribute, Scope};
use crate::schema::Kind;
use std::cmp::Ordering;

/// A run as far as an aggregate looks at it.
#[derive(Clone, Copy)]
pub(super) struct Run<'r, 'e> {
    pub(super) pattern: &'r Pattern,
    pub(super) visits: &'r [Visit],
    pub(super) event: &'r dyn Fn(u64) -> &'e Event,
}

/// With visit `k` an instance of the formula is complete, seen from visit `to`.
pub(super) fn completes(visits: &[Visit], k: usize, to: usize, scope: &Scope) -> bool {
    let inside = |k: usize| scope.atoms.contains(&visits[k].atom.0);
    let again = |k: usize| visits[k].repeats.is_some_and(|l| scope.loops.contains(&l));
    inside(k) && (k >= to || !inside(k + 1) || again(k + 1))
}

impl Run<'_, '_> {
    /// The value of a fold, seen from visit `n`.
    pub(super) fn fold(self, id: FoldId, n: usize) -> Result<Value, Fault> {
        let f = self.pattern.fold(id);
        let mut bag = Vec::new();
        for k in segment(self.visits, n, &f.loops)..=n {
            if f.atoms.contains(&self.visits[k].atom) {
                let event = (self.event)(self.visits[k].position);
                bag.push(f.attribute.as_ref().map_or(Value::Bool(true), |a| value_of(a, event)));
            }
            for g in &f.aggregates {
                if completes(self.visits, k, n, &self.pattern.aggregates[g.0].scope) {
                    bag.push(match &f.attribute {
                        Some(a) => self.computed(a, &[*g], k)?,
                        None => Value::Bool(true),
                    });
                }
            }
        }
        let of = f.attribute.as_ref().map_or(&Kind::Opaque, |a| &a.kind);
        evaluate(f.function, f.some, of, bag)
    }

    /// An attribute of the computed event that is complete with visit `k`; NULL where its aggregate lacks it.
    pub(super) fn computed(self, a: &ReadAttribute, of: &[AggregateId], k: usize) -> Result<Value, Fault> {
        let here = |g: &AggregateId| {
            of.contains(g) && self.pattern.aggregates[g.0].scope.atoms.contains(&self.visits[k].atom.0)
        };
        match a.computed.iter().find(|(g, _)| here(g)) {
            Some((g, i)) => self.fold(self.pattern.aggregates[g.0].fields[*i].fold, k),
            None => Ok(Value::Null),
        }
    }
}

/// A function over a bag in stream order.
fn evaluate(f: Function, some: bool, of: &Kind, mut bag: Vec<Value>) -> Result<Value, Fault> {
    if some {
        bag.retain(|v| *v != Value::Null);
    } else if bag.contains(&Value::Null) {
        return Ok(Value::Null);
    }
    let reals = || bag.iter().map(real).collect::<Vec<f64>>();
    Ok(match f {
        Function::Count => Value::Int(bag.len() as i128),
        Function::First => bag.first().cloned().unwrap_or(Value::Null),
        Function::Last => bag.last().cloned().unwrap_or(Value::Null),
        Function::Any => Value::Bool(bag.contains(&Value::Bool(true))),
        Function::Every => Value::Bool(!bag.contains(&Value::Bool(false))),
        Function::Sum => sum(of, &bag),
        Function::Avg if bag.is_empty() => Value::Null,
        Function::Avg => Value::Float(real(&sum(of, &bag)) / bag.len() as f64),
        Function::Product => product(of, &bag),
        Function::Min => extreme(&bag, Ordering::Less),
        Function::Max => extreme(&bag, Ordering::Greater),
        Function::Range => match (extreme(&bag, Ordering::Less), extreme(&bag, Ordering::Greater)) {
            (Value::Int(low), Value::Int(high)) => fitting(of, high.checked_sub(low)),
            (Value::Float(low), Value::Float(high)) => rounded(of, high - low),
            _ => Value::Null,
        },
        Function::Var => variance(&reals()).map_or(Value::Null, Value::Float),
        Function::Stddev => variance(&reals()).map_or(Value::Null, |v| Value::Float(v.sqrt())),
        Function::User => return Err(Fault::Unknown("a monoid of the user's".into())),
    })
}

fn real(v: &Value) -> f64 {
    match v {
        Value::Int(i) => *i as f64,
        Value::Float(f) => *f,
        _ => f64::NAN,
    }
}

fn sum(of: &Kind, bag: &[Value]) -> Value {
    if matches!(of, Kind::Float(_)) {
        return Value::Float(bag.iter().map(real).fold(0.0, |a, b| a + b));
    }
    let mut total = Some(0i128);
    for v in bag {
        let Value::Int(i) = v else { return Value::Null };
        total = total.and_then(|t| t.checked_add(*i));
    }
    total.map_or(Value::Null, Value::Int)
}

fn product(of: &Kind, bag: &[Value]) -> Value {
    match of {
        Kind::Float(32) => {
            Value::Float(f64::from(bag.iter().map(|v| real(v) as f32).fold(1.0f32, |a, b| a * b)))
        }
        Kind::Float(_) => Value::Float(bag.iter().map(real).fold(1.0, |a, b| a * b)),
        _ if bag.contains(&Value::Int(0)) => Value::Int(0),
        _ => {
            let mut total = Some(1i128);
            for v in bag {
                let Value::Int(i) = v else { return Value::Null };
                total = total.and_then(|t| t.checked_mul(*i));
            }
            fitting(of, total)
        }
    }
}

/// An integer where it is a value of the type.
fn fitting(of: &Kind, value: Option<i128>) -> Value {
    let (Kind::Int(i), Some(v)) = (of, value) else { return Value::Null };
    let fits = match (i.signed, i.bits) {
        (true, 128) => true,
        (false, 128) => v >= 0,
        (true, b) => (-(1i128 << (b - 1))..1i128 << (b - 1)).contains(&v),
        (false, b) => (0..1i128 << b).contains(&v),
    };
    if fits { Value::Int(v) } else { Value::Null }
}

fn rounded(of: &Kind, value: f64) -> Value {
    Value::Float(if *of == Kind::Float(32) { f64::from(value as f32) } else { value })
}

/// The least or greatest value; NaN where there is one, the oldest of equal ones.
fn extreme(bag: &[Value], wanted: Ordering) -> Value {
    let mut best: Option<&Value> = None;
    for v in bag {
        let better = match (best, v) {
            (None, _) => true,
            (Some(Value::Int(a)), Value::Int(b)) => b.cmp(a) == wanted,
            (Some(Value::Float(a)), Value::Float(b)) => {
                !a.is_nan() && (b.is_nan() || b.partial_cmp(a) == Some(wanted))
            }
            _ => false,
        };
        if better {
            best = Some(v);
        }
    }
    best.cloned().unwrap_or(Value::Null)
}

/// Welford's update.
fn variance(values: &[f64]) -> Option<f64> {
    let (mut n, mut mean, mut squares) = (0.0, 0.0, 0.0);
    for v in values {
        let squared = if v.is_finite() { 0.0 } else { f64::NAN };
        if n == 0.0 {
            (n, mean, squares) = (1.0, *v, squared);
            continue;
        }
        let (delta, share) = (v - mean, 1.0 / (n + 1.0));
        squares = squares + squared + delta * delta * (n * share);
        mean += delta * share;
        n += 1.0;
    }
    (n > 0.0).then(|| squares / n)
}

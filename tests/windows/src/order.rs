//! Whether what came out of a window is what should have.
use crate::agse::Stream;
use crate::predicate::Output;
use cep_oracle::Value;
use std::collections::BTreeMap;

/// Two values are one: floats as far as rounding in another order allows, NaN as itself.
#[must_use]
pub fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Float(x), Value::Float(y)) => {
            x == y || (x.is_nan() && y.is_nan()) || (x - y).abs() <= 1e-9 * x.abs().max(y.abs())
        }
        // parts of a `zip` keep their own types
        (Value::Float(x), Value::Int(i)) | (Value::Int(i), Value::Float(x)) => *x == *i as f64,
        _ => a == b,
    }
}

fn alike(a: &Output, b: &Output) -> bool {
    let values = a.values.len() == b.values.len()
        && a.values.iter().all(|(k, v)| b.values.get(k).is_some_and(|w| same(v, w)));
    values
        && Output { values: BTreeMap::new(), ..a.clone() } == Output { values: BTreeMap::new(), ..b.clone() }
}

/// Compares the outputs of a predicate window: the same at every step, the same order within a key, and where the order
/// of time is kept, never an earlier start after a later one. Between keys no more is promised.
///
/// # Errors
/// What is missing, too much, or out of order.
pub fn outputs(expected: &[Output], found: &[Output], keep_time_order: bool) -> Result<(), String> {
    if keep_time_order && let Some(w) = found.windows(2).find(|w| w[0].start > w[1].start) {
        return Err(format!("out of order: {:?} and then {:?}", w[0], w[1]));
    }
    let mut left: Vec<&Output> = found.iter().collect();
    for e in expected {
        match left.iter().position(|f| f.at == e.at && alike(e, f)) {
            Some(i) => drop(left.remove(i)),
            None => return Err(format!("missing: {e:?}\nfound: {found:#?}")),
        }
    }
    if let Some(f) = left.first() {
        return Err(format!("too much: {f:?}\nexpected: {expected:#?}"));
    }
    let of = |list: &[Output], key: &[Value]| -> Vec<Output> {
        list.iter().filter(|o| o.key == key).cloned().collect()
    };
    for e in expected {
        let (a, b) = (of(expected, &e.key), of(found, &e.key));
        if !a.iter().zip(&b).all(|(a, b)| alike(a, b)) {
            return Err(format!("another order of key {:?}: {b:#?}\nexpected: {a:#?}", e.key));
        }
    }
    Ok(())
}

/// A record of a compiled window.
#[derive(Clone, PartialEq, Debug)]
pub struct Found {
    /// `index()`
    pub index: u64,
    /// `values`, or the folds in the order written.
    pub values: Vec<Value>,
    /// `emit_at()`: numerator and denominator.
    pub emit_at: (i128, i128),
    /// The step that gave it.
    pub at: usize,
}

/// Compares the records of an AGSE window with the model's, in order.
///
/// # Errors
/// The first difference.
pub fn records(model: &Stream, found: &[Found]) -> Result<(), String> {
    for (i, f) in found.iter().enumerate() {
        let Some(r) = model.records.get(i) else { return Err(format!("too much: {f:?}")) };
        let emit = model.emit_at(r.index).parts();
        let values =
            r.values.len() == f.values.len() && r.values.iter().zip(&f.values).all(|(a, b)| same(a, b));
        if !values || (f.index, f.at, f.emit_at) != (r.index, r.at, emit) {
            return Err(format!("record {i}: expected {r:?} at {emit:?}, found {f:?}"));
        }
    }
    match model.records.get(found.len()) {
        Some(r) => Err(format!("missing: {r:?}")),
        None => Ok(()),
    }
}

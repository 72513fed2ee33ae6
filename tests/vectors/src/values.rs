//! Values of computed events as texts that compare: whatever their types, equal numbers have equal texts.
use cep_oracle::Value;
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// A computed event, or a record of `summarize`: its attributes by name.
pub type Attributes = BTreeMap<String, String>;

/// From an event's attributes.
pub fn attributes<'a>(list: impl Iterator<Item = (&'a str, Value)>) -> Attributes {
    list.map(|(name, v)| (name.to_owned(), text(&v))).collect()
}

/// A value. Of a float eleven digits count, so that a variance may be computed in any way.
#[must_use]
pub fn text(v: &Value) -> String {
    match v {
        Value::Null => "NULL".to_owned(),
        Value::Int(i) => i.to_string(),
        Value::Float(f) if f.is_nan() => "NaN".to_owned(),
        Value::Float(f) if f.abs() < 1e15 && (f - f.round()).abs() <= 1e-10 * f.abs().max(1.0) => {
            let whole = format!("{f:.0}");
            if whole == "-0" { "0".to_owned() } else { whole }
        }
        Value::Float(f) => format!("{f:.10e}"),
        Value::Bool(b) => b.to_string(),
        Value::Char(c) => c.to_string(),
        Value::Str(s) => s.clone(),
    }
}

fn json(v: &Json) -> String {
    match v {
        Json::Null => "NULL".to_owned(),
        Json::Number(n) => match n.as_i64() {
            Some(i) => i.to_string(),
            None => text(&Value::Float(n.as_f64().unwrap_or(f64::NAN))),
        },
        Json::String(s) => s.clone(),
        other => other.to_string(),
    }
}

/// An object of a vector.
#[must_use]
pub fn record(v: &Json) -> Option<Attributes> {
    Some(v.as_object()?.iter().map(|(name, v)| (name.clone(), json(v))).collect())
}

/// The key `values` of an expected match: per variable one event or a list of them.
#[must_use]
pub fn expected(v: &Json) -> BTreeMap<String, Vec<Attributes>> {
    let mut out = BTreeMap::new();
    for (variable, events) in v.as_object().into_iter().flatten() {
        let list = match events {
            Json::Array(list) => list.iter().filter_map(record).collect(),
            one => record(one).into_iter().collect::<Vec<_>>(),
        };
        if !list.is_empty() {
            out.insert(variable.clone(), list);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn equal_numbers_have_equal_texts() {
        for (j, v) in [
            (json!(3), Value::Float(3.0)),
            (json!(3.0), Value::Int(3)),
            (json!(-7), Value::Int(-7)),
            (json!(2.5), Value::Float(2.5)),
            (json!(0), Value::Float(-0.0)),
            (json!(null), Value::Null),
            (json!(true), Value::Bool(true)),
            (json!("NaN"), Value::Float(f64::NAN)),
            (json!(0.1), Value::Float(0.1 + f64::EPSILON / 16.0)),
        ] {
            assert_eq!(super::json(&j), text(&v), "{j}");
        }
        assert_ne!(text(&Value::Float(0.1)), text(&Value::Float(0.100_001)));
        let two = expected(&json!({"m": [{"n": 1}, {"n": 2}], "k": {"n": 1}, "none": []}));
        assert_eq!((two["m"].len(), two["k"].len(), two.len()), (2, 1, 2));
    }
}

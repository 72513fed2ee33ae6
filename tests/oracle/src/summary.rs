//! `summarize`: aggregates over all results that end at an event.
use crate::aggregate::{Aggregate, whole};
use crate::effects::Candidate;
use crate::expr::{Attr, Var};
use crate::model::{Event, Result, Value, unsupported};
use crate::resolve::Names;
use cep_compiler::ast::{self, Overflow};
use std::collections::BTreeMap;

/// The fields of a `summarize`.
pub(crate) struct Summary(Vec<Field>);

struct Field {
    name: String,
    aggregate: Aggregate,
    /// None: the results themselves.
    of: Option<Var>,
    attr: Option<Attr>,
    /// Per `agg`, the names of its attributes.
    attribute: Option<String>,
    float: bool,
}

impl Summary {
    pub(crate) fn new(fields: &[ast::Aggregate], names: &Names<'_>) -> Result<Summary> {
        let mut out = Vec::new();
        for a in fields {
            let (aggregate, of, attr) = names.argument(a)?;
            let attribute = match &a.argument {
                ast::Argument::Attribute { attribute, .. } => Some(attribute.to_string()),
                _ => None,
            };
            let float = matches!(a.overflow, Some((Overflow::Float, _)));
            out.push(Field { name: a.name.to_string(), aggregate, of, attr, attribute, float });
        }
        Ok(Summary(out))
    }

    /// The record of an event at which these results end.
    pub(crate) fn of(&self, results: &[Candidate], events: &[&Event]) -> Result<BTreeMap<String, Value>> {
        let mut record = BTreeMap::new();
        for f in &self.0 {
            let value = match (f.of, &f.attr) {
                (None, _) => whole(results.len()),
                (Some(v), None) => {
                    let held =
                        |c: &Candidate| c.vars[v].len() + c.made.iter().filter(|(w, _)| *w == v).count();
                    whole(results.iter().map(held).sum())
                }
                (Some(v), Some(attr)) => f.aggregate.apply(attr.ty, &f.values(v, attr, results, events)?)?,
            };
            record.insert(f.name.clone(), if f.float { float(value)? } else { value });
        }
        Ok(record)
    }
}

impl Field {
    /// One value per pair of a result and an event of the variable.
    fn values(&self, v: Var, attr: &Attr, results: &[Candidate], events: &[&Event]) -> Result<Vec<Value>> {
        let mut out = Vec::new();
        for c in results {
            for p in &c.vars[v] {
                let Some(e) = usize::try_from(*p).ok().and_then(|p| events.get(p)) else {
                    return unsupported("a position beyond the stream");
                };
                let value = attr.index[e.ty].and_then(|i| e.values.get(i));
                out.push(value.cloned().unwrap_or(Value::Null));
            }
            for (_, m) in c.made.iter().filter(|(w, _)| *w == v) {
                let value = self.attribute.as_ref().and_then(|a| m.values.get(a));
                out.push(value.cloned().unwrap_or(Value::Null));
            }
        }
        Ok(out)
    }
}

#[allow(clippy::cast_precision_loss, reason = "`as f64`")]
fn float(v: Value) -> Result<Value> {
    match v {
        Value::Int(i) => Ok(Value::Float(i as f64)),
        Value::Float(_) | Value::Null => Ok(v),
        other => unsupported(format!("{other:?} as f64")),
    }
}

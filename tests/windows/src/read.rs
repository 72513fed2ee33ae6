//! The models' input from the key `model` of a test vector, and expectations as the format of `tests/semantics` has them.
use crate::agse::{Field, Refusal, Stream};
use crate::condition::{Attributes, Condition, Leaf, Term};
use crate::order::Found;
use crate::predicate::{Fold, Member, Output, Parameters, Policy, Reason, Step};
use crate::rational::Rational;
use cep_oracle::aggregate::Aggregate;
use cep_oracle::{Ty, Value};
use serde_json::{Map, Value as Json};
use std::collections::BTreeMap;

/// Short for results of this module: the error says what is not as the format says.
pub type Read<T> = Result<T, String>;

/// An attribute's value; in a float column numbers are floats.
///
/// # Errors
/// A list or an object.
pub fn value(v: &Json, float: bool) -> Read<Value> {
    Ok(match v {
        Json::Null => Value::Null,
        Json::Bool(b) => Value::Bool(*b),
        Json::String(s) => Value::Str(s.clone()),
        Json::Number(n) => match n.as_i64().filter(|_| !float) {
            Some(i) => Value::Int(i.into()),
            None => Value::Float(n.as_f64().ok_or("a number")?),
        },
        other => return Err(format!("{other} as a value")),
    })
}

struct Column {
    name: String,
    field: Field,
}

fn text<'j>(o: &'j Json, key: &str) -> Read<&'j str> {
    o.get(key).and_then(Json::as_str).ok_or_else(|| format!("`{key}` is a text"))
}

fn list<'j>(o: &'j Json, key: &str) -> Read<&'j [Json]> {
    o.get(key).and_then(Json::as_array).map(Vec::as_slice).ok_or_else(|| format!("`{key}` is a list"))
}

fn whole(o: &Json, key: &str) -> Read<u64> {
    o.get(key).and_then(Json::as_u64).ok_or_else(|| format!("`{key}` is a whole number"))
}

fn ty(name: &str) -> Read<Ty> {
    if name.contains("Text") {
        return Ok(Ty::Str);
    }
    Ty::from_name(name).ok_or_else(|| format!("the type `{name}`"))
}

/// Runs the windows of `model` over the records that a vector pushes.
///
/// # Errors
/// What is not as the format says.
pub fn agse(model: &Json, records: &[&Map<String, Json>]) -> Read<Result<Stream, Refusal>> {
    let mut columns = Vec::new();
    for f in list(model, "fields")? {
        let nullable = f.get("nullable").and_then(Json::as_bool).unwrap_or(false);
        let elements = f.get("len").and_then(Json::as_u64).unwrap_or(1);
        let elements = usize::try_from(elements).map_err(|e| e.to_string())?;
        let field = Field { ty: ty(text(f, "ty")?)?, nullable, elements };
        columns.push(Column { name: text(f, "name")?.to_owned(), field });
    }
    let interval = model.get("interval").and_then(Json::as_str).unwrap_or("1");
    let interval = Rational::parse(interval).ok_or("`interval` is a fraction")?;
    let source = Source { columns, interval, records };
    if model.get("zip").is_none() {
        return source.pipeline(list(model, "pipeline")?);
    }
    let mut parts = Vec::new();
    for p in list(model, "zip")? {
        match source.pipeline(p.as_array().ok_or("a part of `zip` is a list")?)? {
            Ok(s) => parts.push(s),
            Err(why) => return Ok(Err(why)),
        }
    }
    Ok(Stream::zip(&parts))
}

struct Source<'j> {
    columns: Vec<Column>,
    interval: Rational,
    records: &'j [&'j Map<String, Json>],
}

impl Source<'_> {
    fn take(&self, names: Option<&[Json]>) -> Read<Result<Stream, Refusal>> {
        let chosen = |c: &&Column| names.is_none_or(|n| n.iter().any(|n| n.as_str() == Some(&c.name)));
        let columns: Vec<&Column> = self.columns.iter().filter(chosen).collect();
        let mut rows = Vec::new();
        for r in self.records {
            let mut row = Vec::new();
            for c in &columns {
                let float = matches!(c.field.ty, Ty::F32 | Ty::F64);
                match r.get(&c.name) {
                    Some(Json::Array(all)) => {
                        for v in all {
                            row.push(value(v, float)?);
                        }
                    }
                    v => row.push(value(v.unwrap_or(&Json::Null), float)?),
                }
            }
            rows.push(row);
        }
        let fields: Vec<Field> = columns.iter().map(|c| c.field).collect();
        Ok(Stream::source(&fields, self.interval, &rows))
    }

    fn pipeline(&self, ops: &[Json]) -> Read<Result<Stream, Refusal>> {
        let names = ops.first().and_then(|o| o.get("fields")).and_then(Json::as_array);
        let mut stream = match self.take(names.map(Vec::as_slice))? {
            Ok(s) => s,
            Err(why) => return Ok(Err(why)),
        };
        for op in ops {
            match text(op, "op")? {
                "take" => {}
                "agse" => {
                    let w = op.get("w").and_then(Json::as_i64).ok_or("`w` is a whole number")?;
                    match stream.agse(whole(op, "k")?, w) {
                        Ok(s) => stream = s,
                        Err(why) => return Ok(Err(why)),
                    }
                }
                "shift" => stream = stream.delay(whole(op, "n")?),
                "agg" => {
                    let of =
                        |j: &Json| j.as_str().and_then(Aggregate::from_name).ok_or("an aggregate".to_owned());
                    let folds = list(op, "folds")?.iter().map(of).collect::<Read<Vec<_>>>()?;
                    stream = stream.agg(&folds).map_err(|e| e.to_string())?;
                }
                other => return Err(format!("the operation `{other}`")),
            }
        }
        Ok(Ok(stream))
    }
}

/// The records that a vector expects.
///
/// # Errors
/// What is not as the format says.
pub fn records(expected: &Json, float: bool) -> Read<Vec<Found>> {
    let one = |r: &Json| {
        let emit = Rational::parse(text(r, "emit_at")?).ok_or("`emit_at` is a fraction")?;
        Ok(Found {
            index: whole(r, "index")?,
            values: list(r, "values")?.iter().map(|v| value(v, float)).collect::<Read<_>>()?,
            emit_at: emit.parts(),
            at: usize::try_from(whole(r, "at")?).map_err(|e| e.to_string())?,
        })
    };
    list(expected, "records")?.iter().map(one).collect()
}

fn condition(v: &Json) -> Read<Condition> {
    Ok(match v {
        Json::Bool(b) => Condition::of(Leaf::Constant(*b)),
        Json::String(name) => Condition::flag(name),
        Json::Object(o) if o.contains_key("count_ge") => {
            let n = v["count_ge"].as_i64().ok_or("`count_ge` is a whole number")?;
            Condition::of(Leaf::Compare(Term::Len, ">=", Term::Literal(n)))
        }
        other => return Err(format!("the condition {other}")),
    })
}

/// The parameters of a predicate window, in the original's spelling.
///
/// # Errors
/// A parameter that is not known; one that is missing.
pub fn predicate(model: &Json) -> Read<Parameters> {
    let o = model.as_object().ok_or("`model` is an object")?;
    let start = o.get("start").ok_or("start is required")?;
    let mut p = Parameters::new(condition(start)?);
    let mut size = None;
    for (key, v) in o {
        let flag = || v.as_bool().ok_or(format!("`{key}` is true or false"));
        let number = || v.as_i64().ok_or(format!("`{key}` is a whole number"));
        let port = || number().and_then(|n| u32::try_from(n).map_err(|e| e.to_string()));
        match key.as_str() {
            "start" => {}
            "end" => p.end = Some(condition(v)?),
            "clear" => p.clear = Some(condition(v)?),
            "advanceWhen" => p.advance = Some((condition(v)?, 0)),
            "advanceSize" => size = Some(number()?),
            "sameStartTime" => p.same_start_time = flag()?,
            "keepEndingElement" => p.keep_ending_element = flag()?,
            "useElementOnlyForStartOrEnd" => p.one_role = flag()?,
            "keepTimeOrder" => p.keep_time_order = flag()?,
            "closeWindowWithHeartbeat" => p.close_with_heartbeat = flag()?,
            "nesting" => p.nesting = flag()?,
            "flushOnEnd" => p.flush_on_end = flag()?,
            "maxWindowTime" | "size" => p.max_time = Some(number()?.into()),
            "outputIfMaxWindowTime" => p.max_time_output = flag()?,
            "maxWindowTimeOutputPort" => p.max_time_port = port()?,
            "closeWindowAfterNoUpdatesFor" => p.idle = Some(number()?.into()),
            "closeWindowAfterNoUpdatesPort" => p.idle_port = port()?,
            "partition" => {
                let names = v.as_array().ok_or("`partition` is a list")?;
                p.partition = names.iter().filter_map(|n| n.as_str().map(str::to_owned)).collect();
            }
            "agg" => p.folds = folds(v)?,
            "capacity" => p.capacity = Some((usize::try_from(number()?).unwrap_or(0), Policy::Error)),
            "evict" => p.capacity = Some((usize::try_from(number()?).unwrap_or(0), Policy::Evict)),
            other => return Err(format!("the parameter `{other}`")),
        }
    }
    match (&mut p.advance, size) {
        (Some((_, n)), Some(size)) => *n = size,
        (None, None) => {}
        _ => return Err("advanceSize is required with advanceWhen".into()),
    }
    Ok(p)
}

/// `{"total": ["sum", "fare", "i64"], "n": ["count"]}`
fn folds(v: &Json) -> Read<Vec<Fold>> {
    let mut out = Vec::new();
    for (name, parts) in v.as_object().ok_or("`agg` is an object")? {
        let part = |i: usize| parts.get(i).and_then(Json::as_str);
        let aggregate = part(0).and_then(Aggregate::from_name).ok_or("an aggregate")?;
        let attribute = match (part(1), part(2)) {
            (Some(a), Some(t)) => Some((a.to_owned(), ty(t)?)),
            _ => None,
        };
        out.push(Fold { name: name.clone(), aggregate, attribute });
    }
    Ok(out)
}

/// An element of a predicate window; `clock` is the attribute that is its time.
///
/// # Errors
/// An element without a time.
pub fn element(attributes: &Map<String, Json>, clock: &str) -> Read<Step> {
    let time = attributes.get(clock).and_then(Json::as_i64).ok_or("an element's time")?;
    let held: Read<Attributes> = attributes.iter().map(|(k, v)| Ok((k.clone(), value(v, false)?))).collect();
    Ok(Step::Push { time: time.into(), attributes: held? })
}

/// The outputs that a vector expects.
///
/// # Errors
/// What is not as the format says.
pub fn outputs(expected: &Json) -> Read<Vec<Output>> {
    list(expected, "outputs")?.iter().map(output).collect()
}

fn output(o: &Json) -> Read<Output> {
    let time = |key: &str| o.get(key).and_then(Json::as_i64).map(i128::from);
    let (start, end) = (time("start").ok_or("an output's start")?, time("end"));
    let reason = match o.get("reason").and_then(Json::as_str) {
        None => None,
        Some(name) => {
            const ALL: [Reason; 5] =
                [Reason::End, Reason::MaxTime, Reason::Idle, Reason::Heartbeat, Reason::EndOfStream];
            let known = ALL.into_iter().find(|r| format!("{r:?}") == name);
            Some(known.ok_or_else(|| format!("the reason `{name}`"))?)
        }
    };
    let mut members = Vec::new();
    for m in o.get("members").and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default() {
        members.push(match m.as_u64() {
            Some(position) => Member { position, start, end: end.unwrap_or(start) },
            None => Member {
                position: whole(m, "pos")?,
                start: m["start"].as_i64().ok_or("a member's start")?.into(),
                end: m["end"].as_i64().ok_or("a member's end")?.into(),
            },
        });
    }
    let mut values = BTreeMap::new();
    for (k, v) in o.get("values").and_then(Json::as_object).into_iter().flatten() {
        values.insert(k.clone(), value(v, v.is_f64())?);
    }
    let key = o.get("key").and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
    Ok(Output {
        port: u32::try_from(whole(o, "port")?).map_err(|e| e.to_string())?,
        start,
        end,
        reason,
        members,
        values,
        key: key.iter().map(|v| value(v, false)).collect::<Read<_>>()?,
        at: usize::try_from(whole(o, "at")?).map_err(|e| e.to_string())?,
    })
}

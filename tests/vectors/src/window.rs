//! Vectors of windows: what the models of `cep_windows` make of them, and whether a compiled window answers right.
//!
//! A vector's key `model` says what its items do in the terms of the foreign cases: `fields`, `interval` and `pipeline` or
//! `zip` of an AGSE window, the original's parameters of a predicate window. The models read that and not the items' text.
use crate::agree::Agreement;
use crate::format::{Entry, Error, Expected, Vector};
use cep_oracle::{Ty, Value};
use cep_windows::agse::Stream;
use cep_windows::order::{self, Found};
use cep_windows::predicate::{Output, Refused, Step};
use cep_windows::rational::Rational;
use cep_windows::read;
use serde_json::{Map, Value as Json};

/// What a compiled window said.
#[derive(Clone, Debug, Default)]
pub struct WindowAnswer {
    /// `ORIGIN`, `TAIL` and `WIDTH`
    pub constants: (u64, u64, u64),
    /// `INTERVAL`
    pub interval: (i128, i128),
    /// The type of a record's elements; none of folds.
    pub element: Option<String>,
    /// The records of an AGSE window.
    pub records: Vec<Found>,
    /// The outputs of a predicate window.
    pub outputs: Vec<Output>,
    /// The outputs of one that was not asked for what is in no window.
    pub plain: Option<Vec<Output>>,
    /// The entries that were refused, with the error's name.
    pub refused: Vec<(usize, String)>,
}

/// Runs a vector through the model.
///
/// # Errors
/// A vector that is not as the format says.
pub fn agree(vector: &Vector) -> Result<Agreement, Error> {
    let named = |e: String| Error(format!("{}: {e}", vector.name));
    let Some(model) = &vector.model else { return Ok(Agreement::Unknown("a window without a model".into())) };
    let answer = if model.get("fields").is_some() {
        let stream = match read::agse(model, &attributes(vector)).map_err(named)? {
            Ok(stream) => stream,
            Err(why) => return Ok(refused(vector, &format!("{why:?}"))),
        };
        if let Some(how) = clocked(vector, &stream) {
            return Ok(Agreement::Disagrees(how));
        }
        of_stream(&stream)
    } else {
        let parameters = match read::predicate(model) {
            Ok(p) => p,
            Err(why) => return Ok(refused(vector, &why)),
        };
        let steps = steps(vector).map_err(named)?;
        let (outputs, refused) = cep_windows::predicate::run(&parameters, &steps);
        let refused = refused.into_iter().map(|(at, why)| (at, spelled(why))).collect();
        WindowAnswer { outputs, refused, ..WindowAnswer::default() }
    };
    Ok(match compare(vector, &answer) {
        Ok(()) => Agreement::Agrees,
        Err(how) => Agreement::Disagrees(how),
    })
}

fn refused(vector: &Vector, why: &str) -> Agreement {
    match &vector.expected {
        Expected::Error(_) => Agreement::Agrees,
        _ => Agreement::Disagrees(format!("the model refuses it: {why}")),
    }
}

fn spelled(why: Refused) -> String {
    format!("{why:?}")
}

fn attributes(vector: &Vector) -> Vec<&Map<String, Json>> {
    let of = |e: &'_ Entry| matches!(e, Entry::Event { .. });
    vector
        .entries
        .iter()
        .filter(|e| of(e))
        .filter_map(|e| if let Entry::Event { attributes, .. } = e { Some(attributes) } else { None })
        .collect()
}

/// The steps of a predicate window; its time is the attribute `t`.
fn steps(vector: &Vector) -> Result<Vec<Step>, String> {
    let time = |t: &Json| t.as_i64().map(i128::from).ok_or(format!("`{t}` is no time"));
    let one = |e: &Entry| match e {
        Entry::Event { attributes, .. } => read::element(attributes, "t"),
        Entry::Advance(t) => Ok(Step::Advance(time(t)?)),
        Entry::Heartbeat(t) => Ok(Step::Heartbeat(time(t)?)),
        Entry::Finish => Ok(Step::Finish),
    };
    vector.entries.iter().map(one).collect()
}

fn of_stream(s: &Stream) -> WindowAnswer {
    let found = |r: &cep_windows::agse::Record| Found {
        index: r.index,
        values: r.values.clone(),
        emit_at: s.emit_at(r.index).parts(),
        at: r.at,
    };
    let name = if s.nullable { format!("Option<{}>", s.ty.name()) } else { s.ty.name().to_owned() };
    WindowAnswer {
        constants: (s.origin, s.tail, s.width as u64),
        interval: s.interval.parts(),
        element: (s.ty != Ty::Str).then_some(name),
        records: s.records.iter().map(found).collect(),
        ..WindowAnswer::default()
    }
}

/// How many records a clocked engine would have: `{"slots", "records"}`.
fn clocked(vector: &Vector, stream: &Stream) -> Option<String> {
    let json: Json = serde_json::from_str(&vector.json).ok()?;
    let clocked = json.get("clocked")?;
    let (slots, records) = (clocked["slots"].as_u64()?, clocked["records"].as_u64()?);
    let found = stream.count_after(slots);
    (found != records).then(|| format!("{found} records after {slots} intervals, {records} expected"))
}

/// Compares a compiled window's answer, or a model's, with what a vector expects.
///
/// # Errors
/// The first difference.
pub fn compare(vector: &Vector, answer: &WindowAnswer) -> Result<(), String> {
    let Expected::Window(expected) = &vector.expected else {
        return Err(format!("nothing to compare with {:?}", vector.expected));
    };
    let refused: Vec<(usize, String)> = match expected.get("push_error").and_then(Json::as_str) {
        None => Vec::new(),
        Some(error) => {
            let at = expected["at"].as_u64().and_then(|n| usize::try_from(n).ok());
            vec![(at.ok_or("`at` is missing")?, error.to_owned())]
        }
    };
    if answer.refused != refused {
        return Err(format!("refused entries: expected {refused:?}, found {:?}", answer.refused));
    }
    if expected.get("outputs").is_some() {
        // a user's own vectors may not say: what is kept in order stays in order under either
        asked(answer)?;
        let kept = !vector.items.contains("keep_time_order: false");
        return order::outputs(&read::outputs(expected)?, &answer.outputs, kept);
    }
    let float = answer.records.iter().flat_map(|r| &r.values).any(|v| matches!(v, Value::Float(_)));
    constants(expected, answer)?;
    let wanted = read::records(expected, float)?;
    for (w, f) in wanted.iter().zip(&answer.records) {
        let values = w.values.len() == f.values.len()
            && w.values.iter().zip(&f.values).all(|(a, b)| order::same(a, b));
        if !values || (w.index, w.emit_at, w.at) != (f.index, f.emit_at, f.at) {
            return Err(format!("expected {w:?}\nfound {f:?}"));
        }
    }
    if wanted.len() != answer.records.len() {
        return Err(format!("{} records, {} expected", answer.records.len(), wanted.len()));
    }
    Ok(())
}

/// Whoever does not ask for what is in no window gets the same windows.
///
/// # Errors
/// The difference.
pub fn asked(answer: &WindowAnswer) -> Result<(), String> {
    let windows: Vec<&Output> = answer.outputs.iter().filter(|o| o.end.is_some()).collect();
    match &answer.plain {
        Some(plain) if windows != plain.iter().collect::<Vec<_>>() => {
            Err(format!("`push` gives {plain:#?}, `push_split` {windows:#?}"))
        }
        _ => Ok(()),
    }
}

fn constants(expected: &Json, answer: &WindowAnswer) -> Result<(), String> {
    if let Some(c) = expected.get("consts") {
        let n = |key: &str| c[key].as_u64().ok_or(format!("`{key}` is a whole number"));
        let wanted = (n("origin")?, n("tail")?, n("width")?);
        if wanted != answer.constants {
            return Err(format!("origin, tail, width: expected {wanted:?}, found {:?}", answer.constants));
        }
        let interval = c["interval"].as_str().and_then(Rational::parse).ok_or("`interval` is a fraction")?;
        if interval.parts() != answer.interval {
            return Err(format!("interval: expected {interval}, found {:?}", answer.interval));
        }
    }
    match (expected.get("type").and_then(Json::as_str), &answer.element) {
        (Some(wanted), Some(found)) if wanted != found => {
            Err(format!("elements: expected `{wanted}`, found `{found}`"))
        }
        _ => Ok(()),
    }
}

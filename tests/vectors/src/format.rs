//! From a line of JSON to a [`Vector`].
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What is wrong with a vector, and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error(pub String);

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}
impl std::error::Error for Error {}

/// An error.
pub(crate) fn wrong<T>(what: impl Into<String>) -> Result<T, Error> {
    Err(Error(what.into()))
}

/// One test vector.
#[derive(Clone, PartialEq, Debug)]
pub struct Vector {
    /// Unique among the vectors of a run.
    pub name: String,
    /// The original's id and origin.
    pub source: String,
    /// The body of the Rust enum `E`.
    pub events_decl: String,
    /// By name.
    pub params: Map<String, Value>,
    /// The items' text, as inside `cep! { … }`.
    pub items: String,
    /// The item whose output is meant, where there are several.
    pub observe: Option<String>,
    /// The stream stands elsewhere: which data set.
    pub dataset: Option<String>,
    /// What the machine is told, in order.
    pub entries: Vec<Entry>,
    /// What must come out.
    pub expected: Expected,
    /// What the items do, for the models of windows; see [`crate::window`].
    pub model: Option<Value>,
    /// Under `limit n`: any n of those listed for one completing event.
    pub subset: Option<u64>,
    /// The line itself, which the test of a compiled machine carries.
    pub json: String,
}

/// What the machine is told.
#[derive(Clone, PartialEq, Debug)]
pub enum Entry {
    /// `push`
    Event {
        /// The event type.
        ty: String,
        /// The attributes; one that is left out is NULL.
        attributes: Map<String, Value>,
    },
    /// `advance_to`
    Advance(Value),
    /// `heartbeat`, of windows
    Heartbeat(Value),
    /// `finish`
    Finish,
}

/// What must come out.
#[derive(Clone, PartialEq, Debug)]
pub enum Expected {
    /// The complex events.
    Matches(Vec<Match>),
    /// The positions of the events at which `detect` says yes; under a `not` at the end, the indices of the entries.
    Detect(BTreeSet<u64>),
    /// One record per event.
    Summarize(Vec<Value>),
    /// The item is refused; some diagnostic contains this.
    Error(String),
    /// An event is refused and the stream goes on.
    PushError {
        /// `Full` or `OutOfOrder`.
        error: String,
        /// The index of the entry.
        at: usize,
        /// The complex events of the whole stream.
        matches: Vec<Match>,
    },
    /// How many matches a data set has.
    Count(u64),
    /// The output of a window, as written; the event that is refused, if one is.
    Window(Value),
}

/// An expected complex event. What is left out is not compared.
#[derive(Clone, PartialEq, Debug)]
pub struct Match {
    /// The first position.
    pub start: u64,
    /// The last position.
    pub end: u64,
    /// The positions of each selected variable.
    pub vars: Option<BTreeMap<String, BTreeSet<u64>>>,
    /// All positions of the selected variables together.
    pub positions: Option<BTreeSet<u64>>,
    /// Of aggregate variables.
    pub values: Option<Value>,
    /// The index of the entry that delivers it.
    pub at: Option<usize>,
}

impl Vector {
    /// Reads one line.
    ///
    /// # Errors
    /// What is not as the format says.
    pub fn parse(line: &str) -> Result<Vector, Error> {
        let value: Value = serde_json::from_str(line).map_err(|e| Error(e.to_string()))?;
        let Value::Object(o) = &value else { return wrong("a vector is an object") };
        let name = text(o, "name")?;
        let inside = |e: Error| Error(format!("{name}: {}", e.0));
        Vector::of(o, line).map_err(inside)
    }

    fn of(o: &Map<String, Value>, line: &str) -> Result<Vector, Error> {
        let items = match (o.get("pattern"), o.get("window")) {
            (Some(Value::String(p)), None) => p.clone(),
            (None, Some(Value::String(w))) => w.clone(),
            _ => return wrong("needs either `pattern` or `window`, a text"),
        };
        let params = match o.get("params") {
            None => Map::new(),
            Some(Value::Object(p)) => p.clone(),
            Some(_) => return wrong("`params` is an object"),
        };
        let entries = match o.get("events") {
            None => Vec::new(),
            Some(Value::Array(list)) => list.iter().map(entry).collect::<Result<_, _>>()?,
            Some(_) => return wrong("`events` is a list"),
        };
        let subset = match o.get("compare").map(Value::as_str) {
            None => None,
            Some(Some(s)) => match s.strip_prefix("subset:").and_then(|n| n.parse().ok()) {
                Some(n) => Some(n),
                None => return wrong(format!("`compare` cannot be `{s}`")),
            },
            Some(None) => return wrong("`compare` is a text"),
        };
        let Some(expected) = o.get("expected") else { return wrong("`expected` is missing") };
        let optional = |key: &str| o.contains_key(key).then(|| text(o, key)).transpose();
        Ok(Vector {
            name: text(o, "name")?,
            source: optional("source")?.unwrap_or_default(),
            events_decl: text(o, "events_decl")?,
            params,
            items,
            observe: optional("observe")?,
            dataset: optional("dataset")?,
            entries,
            expected: self::expected(expected)?,
            model: o.get("model").cloned(),
            subset,
            json: line.trim().to_owned(),
        })
    }
}

fn text(o: &Map<String, Value>, key: &str) -> Result<String, Error> {
    match o.get(key) {
        Some(Value::String(s)) => Ok(s.clone()),
        Some(_) => wrong(format!("`{key}` is a text")),
        None => wrong(format!("`{key}` is missing")),
    }
}

fn entry(v: &Value) -> Result<Entry, Error> {
    let Value::Object(o) = v else { return wrong("an entry of `events` is an object") };
    if let Some(t) = o.get("advance") {
        return Ok(Entry::Advance(t.clone()));
    }
    if let Some(t) = o.get("heartbeat") {
        return Ok(Entry::Heartbeat(t.clone()));
    }
    if o.contains_key("finish") {
        return Ok(Entry::Finish);
    }
    let mut attributes = o.clone();
    match attributes.remove("type") {
        Some(Value::String(ty)) => Ok(Entry::Event { ty, attributes }),
        _ => wrong("an event needs a `type`"),
    }
}

fn expected(v: &Value) -> Result<Expected, Error> {
    match v {
        Value::Array(list) => Ok(Expected::Matches(matches(list)?)),
        Value::Object(o) => {
            if let Some(list) = o.get("detect") {
                return Ok(Expected::Detect(positions(list)?));
            }
            if let Some(Value::Array(list)) = o.get("summarize") {
                return Ok(Expected::Summarize(list.clone()));
            }
            if o.contains_key("error") {
                return Ok(Expected::Error(text(o, "error")?));
            }
            if o.contains_key("records") || o.contains_key("outputs") {
                return Ok(Expected::Window(v.clone()));
            }
            if o.contains_key("push_error") {
                let (error, at) = (text(o, "push_error")?, number(o, "at")?);
                let list = match o.get("matches") {
                    Some(Value::Array(list)) => matches(list)?,
                    _ => return wrong("`push_error` needs `matches`"),
                };
                if error != "Full" && error != "OutOfOrder" {
                    return wrong(format!("there is no push error `{error}`"));
                }
                return Ok(Expected::PushError { error, at: index(at)?, matches: list });
            }
            if o.contains_key("count") {
                return Ok(Expected::Count(number(o, "count")?));
            }
            wrong("`expected` is of no known kind")
        }
        _ => wrong("`expected` is a list or an object"),
    }
}

fn matches(list: &[Value]) -> Result<Vec<Match>, Error> {
    let list: Vec<Match> = list.iter().map(one).collect::<Result<_, _>>()?;
    let shape = |m: &Match| (m.vars.is_some(), m.positions.is_some(), m.values.is_some());
    if list.windows(2).any(|w| shape(&w[0]) != shape(&w[1])) {
        return wrong("all results of a vector have the same keys of `vars`, `positions` and `values`");
    }
    Ok(list)
}

fn one(v: &Value) -> Result<Match, Error> {
    let Value::Object(o) = v else { return wrong("a result is an object") };
    let vars = match o.get("vars") {
        None => None,
        Some(Value::Object(vars)) => {
            let held = vars.iter().map(|(k, v)| Ok((k.clone(), positions(v)?)));
            let held = held.collect::<Result<BTreeMap<_, _>, Error>>()?;
            Some(held.into_iter().filter(|(_, p)| !p.is_empty()).collect())
        }
        Some(_) => return wrong("`vars` is an object"),
    };
    Ok(Match {
        start: number(o, "start")?,
        end: number(o, "end")?,
        vars,
        positions: o.get("positions").map(positions).transpose()?,
        values: o.get("values").cloned(),
        at: o.contains_key("at").then(|| number(o, "at").and_then(index)).transpose()?,
    })
}

fn positions(v: &Value) -> Result<BTreeSet<u64>, Error> {
    let list = v.as_array().and_then(|a| a.iter().map(Value::as_u64).collect::<Option<BTreeSet<u64>>>());
    match list {
        Some(p) => Ok(p),
        None => wrong("positions are a list of whole numbers"),
    }
}

fn number(o: &Map<String, Value>, key: &str) -> Result<u64, Error> {
    match o.get(key).and_then(Value::as_u64) {
        Some(n) => Ok(n),
        None => wrong(format!("`{key}` is a whole number")),
    }
}

fn index(n: u64) -> Result<usize, Error> {
    usize::try_from(n).or_else(|_| wrong(format!("there is no entry {n}")))
}

/// The vectors of every `*.jsonl` file of some directories, in order of path and line.
///
/// # Errors
/// What cannot be read, with the file and the line; two vectors of one name.
pub fn read(directories: &[PathBuf]) -> Result<Vec<Vector>, Error> {
    let mut vectors = Vec::new();
    let mut names = BTreeSet::new();
    for directory in directories {
        for path in files(directory)? {
            let content = std::fs::read_to_string(&path).map_err(|e| at(&path, &e.to_string()))?;
            for (i, line) in content.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
                let place = format!("line {}: ", i + 1);
                let v = Vector::parse(line).map_err(|e| at(&path, &(place.clone() + &e.0)))?;
                if !names.insert(v.name.clone()) {
                    return Err(at(&path, &format!("{place}a second vector `{}`", v.name)));
                }
                vectors.push(v);
            }
        }
    }
    Ok(vectors)
}

fn files(directory: &Path) -> Result<Vec<PathBuf>, Error> {
    let list = std::fs::read_dir(directory).map_err(|e| at(directory, &e.to_string()))?;
    let mut paths = Vec::new();
    for entry in list {
        let path = entry.map_err(|e| at(directory, &e.to_string()))?.path();
        if path.extension().is_some_and(|e| e == "jsonl") {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

fn at(path: &Path, what: &str) -> Error {
    Error(format!("{}: {what}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vector(rest: &str) -> Result<Vector, Error> {
        Vector::parse(&format!(
            r#"{{"name": "n", "events_decl": "A", "pattern": "pattern P on E = A;", {rest}}}"#
        ))
    }

    #[test]
    fn every_kind_of_expectation() {
        for (text, found) in [
            (
                r#"[{"start": 0, "end": 1, "vars": {"a": [0], "b": []}, "at": 2}]"#,
                Expected::Matches(vec![Match {
                    start: 0,
                    end: 1,
                    vars: Some([("a".to_owned(), BTreeSet::from([0]))].into()),
                    positions: None,
                    values: None,
                    at: Some(2),
                }]),
            ),
            (r#"{"detect": [3, 1]}"#, Expected::Detect([1, 3].into())),
            (r#"{"error": "x"}"#, Expected::Error("x".into())),
            (r#"{"count": 7}"#, Expected::Count(7)),
            (
                r#"{"push_error": "Full", "at": 4, "matches": []}"#,
                Expected::PushError { error: "Full".into(), at: 4, matches: vec![] },
            ),
        ] {
            assert_eq!(vector(&format!("\"expected\": {text}")).map(|v| v.expected), Ok(found));
        }
    }

    #[test]
    fn entries_and_unknown_keys() {
        let text = r#""events": [{"type": "A", "v": null}, {"advance": 3}, {"heartbeat": 4}, {"finish": true}], "expected": [],
            "compare": "subset:2", "unheard": 1"#;
        let v = vector(text).expect("a vector");
        assert_eq!((v.entries.len(), v.subset), (4, Some(2)));
        assert!(
            matches!(&v.entries[0], Entry::Event { ty, attributes } if ty == "A" && attributes["v"].is_null())
        );
        assert_eq!(v.entries[3], Entry::Finish);
    }

    #[test]
    fn errors_name_the_vector() {
        let message = |rest: &str| vector(rest).expect_err("an error").0;
        assert_eq!(message(r#""expected": [], "compare": "any""#), "n: `compare` cannot be `any`");
        assert_eq!(message(r#""expected": {"found": 1}"#), "n: `expected` is of no known kind");
        let mixed = r#""expected": [{"start": 0, "end": 0, "positions": [0]}, {"start": 1, "end": 1}]"#;
        assert!(message(mixed).contains("the same keys"));
        assert_eq!(
            message(r#""window": "w", "expected": []"#),
            "n: needs either `pattern` or `window`, a text"
        );
    }
}

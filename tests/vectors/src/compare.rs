//! Whether an answer is the one that a vector expects.
use crate::format::{Entry, Expected, Match, Vector};
use crate::values::{self, Attributes, attributes};
use cep_oracle as oracle;
use std::collections::{BTreeMap, BTreeSet};

/// A complex event that came out.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Delivered {
    /// The index of the entry that delivered it.
    pub entry: usize,
    /// The first position.
    pub start: u64,
    /// The last position.
    pub end: u64,
    /// The selected variables that hold an event.
    pub vars: BTreeMap<String, BTreeSet<u64>>,
    /// The selected variables that hold computed events, each by its attributes; see [`crate::values`].
    pub values: BTreeMap<String, Vec<Attributes>>,
}

impl Delivered {
    /// From a match's fields; one that holds no event is left out.
    #[must_use]
    pub fn new(entry: usize, start: u64, end: u64, fields: &[(&str, Vec<u64>)]) -> Delivered {
        let held = fields.iter().filter(|(_, p)| !p.is_empty());
        let vars = held.map(|(name, p)| ((*name).to_owned(), p.iter().copied().collect())).collect();
        Delivered { entry, start, end, vars, values: BTreeMap::new() }
    }

    /// With a variable of computed events.
    #[must_use]
    pub fn with(mut self, variable: &str, events: Vec<Vec<(&str, oracle::Value)>>) -> Delivered {
        if !events.is_empty() {
            let events = events.into_iter().map(|e| attributes(e.into_iter())).collect();
            self.values.insert(variable.to_owned(), events);
        }
        self
    }

    fn positions(&self) -> BTreeSet<u64> {
        self.vars.values().flatten().copied().collect()
    }

    /// In one line.
    fn show(&self) -> String {
        show(self.start, self.end, Some(&self.vars), None, Some(&self.values))
    }
}

/// All that came out of a stream.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Answer {
    /// The matches, in order of delivery.
    pub matches: Vec<Delivered>,
    /// The entries at which `detect` said yes.
    pub detected: Vec<usize>,
    /// The entries that were refused, with the error's name.
    pub refused: Vec<(usize, String)>,
    /// `summarize`: the record of each entry.
    pub records: Vec<(usize, Attributes)>,
}

impl Answer {
    /// Adds a record of `summarize`.
    pub fn record(&mut self, entry: usize, record: Vec<(&str, oracle::Value)>) {
        self.records.push((entry, attributes(record.into_iter())));
    }
}

/// Two answers to one stream are the same: matches as often as they come, by the entry that gives them.
///
/// # Errors
/// What only one of them has.
pub fn same(expected: &Answer, found: &Answer) -> Result<(), String> {
    let lines = |a: &Answer| {
        let mut list: Vec<String> = Vec::new();
        // where two orders make one result, either may be listed
        let sorted = |d: &Delivered| {
            let mut d = d.clone();
            d.values.values_mut().for_each(|list| list.sort());
            d
        };
        list.extend(a.matches.iter().map(|d| format!("{}: {}", d.entry, sorted(d).show())));
        list.extend(a.detected.iter().map(|e| format!("{e}: detected")));
        list.extend(a.records.iter().map(|(e, r)| format!("{e}: {r:?}")));
        list.extend(a.refused.iter().map(|(e, why)| format!("{e}: refused, {why}")));
        list.sort();
        list
    };
    let (mut missing, mut more) = (lines(expected), Vec::new());
    for line in lines(found) {
        match missing.iter().position(|m| *m == line) {
            Some(i) => drop(missing.remove(i)),
            None => more.push(line),
        }
    }
    if missing.is_empty() && more.is_empty() {
        return Ok(());
    }
    Err(format!("missing:\n{}\ntoo much:\n{}", missing.join("\n"), more.join("\n")))
}

fn show(
    start: u64,
    end: u64,
    vars: Option<&BTreeMap<String, BTreeSet<u64>>>,
    positions: Option<&BTreeSet<u64>>,
    values: Option<&BTreeMap<String, Vec<Attributes>>>,
) -> String {
    let mut out = format!("[{start}, {end}]");
    if let Some(vars) = vars {
        let all = vars.iter().map(|(x, p)| format!("{x}: {p:?}"));
        out += &format!(" {}", all.collect::<Vec<_>>().join(" "));
    }
    if let Some(p) = positions {
        out += &format!(" {p:?}");
    }
    for (x, list) in values.into_iter().flatten() {
        out += &format!(" {x}: {list:?}");
    }
    out
}

impl Match {
    /// What of a delivered match can be compared with this kind of expectation, as text.
    fn key(&self, d: &Delivered) -> String {
        let positions = self.positions.as_ref().map(|_| d.positions());
        let values = self.values.as_ref().map(|_| &d.values);
        show(d.start, d.end, self.vars.as_ref().map(|_| &d.vars), positions.as_ref(), values)
    }

    fn own_key(&self) -> String {
        let values = self.values.as_ref().map(values::expected);
        show(self.start, self.end, self.vars.as_ref(), self.positions.as_ref(), values.as_ref())
    }
}

/// Compares as sets, with `"compare": "subset:n"` where the vector says so.
///
/// # Errors
/// What is missing, what is too much, and what came twice or at another entry than it should.
pub fn compare(vector: &Vector, trailing_not: bool, answer: &Answer) -> Result<(), String> {
    let refused = match &vector.expected {
        Expected::PushError { error, at, .. } => vec![(*at, error.clone())],
        _ => Vec::new(),
    };
    if answer.refused != refused {
        return Err(format!("refused entries: expected {refused:?}, found {:?}", answer.refused));
    }
    match &vector.expected {
        Expected::Matches(list) | Expected::PushError { matches: list, .. } => {
            matches(vector, list, trailing_not, answer)
        }
        Expected::Detect(expected) => {
            let places = places(vector, answer);
            let found: BTreeSet<u64> = if trailing_not {
                answer.detected.iter().map(|e| *e as u64).collect()
            } else {
                answer.detected.iter().filter_map(|e| places.get(*e).copied().flatten()).collect()
            };
            if found == *expected {
                Ok(())
            } else {
                Err(format!("detected at: expected {expected:?}, found {found:?}"))
            }
        }
        Expected::Summarize(list) => summaries(vector, list, answer),
        other => Err(format!("nothing to compare with {other:?}")),
    }
}

/// The position of each entry that is an event and was taken.
fn places(vector: &Vector, answer: &Answer) -> Vec<Option<u64>> {
    let mut next = 0;
    let place = |(i, e): (usize, &Entry)| {
        let taken = matches!(e, Entry::Event { .. }) && answer.refused.iter().all(|(at, _)| *at != i);
        taken.then(|| {
            next += 1;
            next - 1
        })
    };
    vector.entries.iter().enumerate().map(place).collect()
}

fn matches(vector: &Vector, list: &[Match], trailing_not: bool, answer: &Answer) -> Result<(), String> {
    let mut wrong = Vec::new();
    let mut once = BTreeSet::new();
    let places = places(vector, answer);
    for d in &answer.matches {
        // computed events of equal values may be others: they are told apart by what they were folded from
        if !once.insert(d.clone()) && d.values.is_empty() {
            wrong.push(format!("twice: {}", d.show()));
        }
        if !trailing_not && places.get(d.entry).copied().flatten() != Some(d.end) {
            wrong.push(format!("not at its last event but at entry {}: {}", d.entry, d.show()));
        }
    }
    let Some(like) = list.first() else {
        wrong.extend(answer.matches.iter().map(|d| format!("too much: {}", d.show())));
        return verdict(wrong);
    };
    let expected: BTreeSet<String> = list.iter().map(Match::own_key).collect();
    let found: BTreeSet<String> = answer.matches.iter().map(|d| like.key(d)).collect();
    wrong.extend(found.difference(&expected).map(|k| format!("too much: {k}")));
    match vector.subset {
        None => {
            wrong.extend(expected.difference(&found).map(|k| format!("missing: {k}")));
            if like.values.is_some() {
                for key in &expected {
                    let listed = list.iter().filter(|m| m.own_key() == *key).count();
                    let got = answer.matches.iter().filter(|d| like.key(d) == *key).count();
                    if listed != got {
                        wrong.push(format!("{got} times instead of {listed}: {key}"));
                    }
                }
            }
        }
        Some(n) => {
            let ends: BTreeSet<u64> = list.iter().map(|m| m.end).collect();
            for end in ends {
                let listed: BTreeSet<String> =
                    list.iter().filter(|m| m.end == end).map(Match::own_key).collect();
                let (want, got) =
                    ((listed.len() as u64).min(n), answer.matches.iter().filter(|d| d.end == end).count());
                if want != got as u64 {
                    wrong.push(format!("{got} results end at {end}, {want} should"));
                }
            }
        }
    }
    for m in list {
        let Some(at) = m.at else { continue };
        let key = m.own_key();
        if answer.matches.iter().any(|d| like.key(d) == key && d.entry != at) {
            wrong.push(format!("not at entry {at}: {key}"));
        }
    }
    verdict(wrong)
}

/// Every event has its record, and what is listed of it is in it.
fn summaries(vector: &Vector, list: &[serde_json::Value], answer: &Answer) -> Result<(), String> {
    let places = places(vector, answer);
    let mut wrong = Vec::new();
    for (entry, place) in places.iter().enumerate() {
        let listed = list.iter().find(|r| r["at"].as_u64() == Some(entry as u64));
        let found: Vec<&Attributes> =
            answer.records.iter().filter(|(at, _)| *at == entry).map(|(_, r)| r).collect();
        let Some(listed) = listed else {
            if place.is_some() || !found.is_empty() {
                wrong.push(format!("no record is listed for entry {entry}, found {found:?}"));
            }
            continue;
        };
        let Some(mut listed) = values::record(listed) else { return Err("a record is an object".into()) };
        listed.remove("at");
        match found[..] {
            [one] if listed.iter().all(|(name, v)| one.get(name) == Some(v)) => {}
            _ => wrong.push(format!("entry {entry}: expected {listed:?}, found {found:?}")),
        }
    }
    verdict(wrong)
}

fn verdict(wrong: Vec<String>) -> Result<(), String> {
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vector(expected: &str, compare: &str) -> Vector {
        let events = r#"[{"type": "A"}, {"type": "B"}, {"advance": 9}, {"type": "B"}]"#;
        let text = format!(
            r#"{{"name": "n", "events_decl": "A, B", "pattern": "", "events": {events}, "expected": {expected} {compare}}}"#
        );
        Vector::parse(&text).expect("a vector")
    }

    fn found(list: &[(usize, u64, u64)]) -> Answer {
        let one =
            |(e, s, t): &(usize, u64, u64)| Delivered::new(*e, *s, *t, &[("a", vec![*s]), ("b", vec![*t])]);
        Answer { matches: list.iter().map(one).collect(), ..Answer::default() }
    }

    #[test]
    fn as_sets() {
        let v = vector(
            r#"[{"start": 0, "end": 2, "positions": [0, 2]}, {"start": 0, "end": 1, "positions": [0, 1]}]"#,
            "",
        );
        assert_eq!(compare(&v, false, &found(&[(1, 0, 1), (3, 0, 2)])), Ok(()));
        let missing = compare(&v, false, &found(&[(1, 0, 1)])).expect_err("missing");
        assert_eq!(missing, "missing: [0, 2] {0, 2}");
        let twice = compare(&v, false, &found(&[(1, 0, 1), (1, 0, 1), (3, 0, 2)])).expect_err("twice");
        assert_eq!(twice, "twice: [0, 1] a: {0} b: {1}");
        let late = compare(&v, false, &found(&[(3, 0, 1), (3, 0, 2)])).expect_err("late");
        assert_eq!(late, "not at its last event but at entry 3: [0, 1] a: {0} b: {1}");
    }

    #[test]
    fn any_n_of_those_listed() {
        let v = vector(
            r#"[{"start": 0, "end": 1, "vars": {"a": [0], "b": [1]}}, {"start": 1, "end": 1, "vars": {"b": [1]}}]"#,
            r#", "compare": "subset:1""#,
        );
        assert_eq!(compare(&v, false, &found(&[(1, 0, 1)])), Ok(()));
        assert!(compare(&v, false, &found(&[])).is_err());
        assert!(compare(&v, false, &found(&[(1, 0, 1), (3, 0, 2)])).is_err());
    }

    #[test]
    fn detection_and_refusal() {
        let answer = |detected: &[usize], refused: &[(usize, String)]| Answer {
            detected: detected.to_vec(),
            refused: refused.to_vec(),
            ..Answer::default()
        };
        assert_eq!(compare(&vector(r#"{"detect": [2]}"#, ""), false, &answer(&[3], &[])), Ok(()));
        assert_eq!(compare(&vector(r#"{"detect": [3]}"#, ""), true, &answer(&[3], &[])), Ok(()));
        let v = vector(r#"{"push_error": "Full", "at": 1, "matches": []}"#, "");
        assert_eq!(compare(&v, false, &answer(&[], &[(1, "Full".into())])), Ok(()));
        assert!(compare(&v, false, &answer(&[], &[])).is_err());
    }

    #[test]
    fn at_an_entry() {
        let v = vector(r#"[{"start": 0, "end": 1, "at": 2}]"#, "");
        assert_eq!(compare(&v, true, &found(&[(2, 0, 1)])), Ok(()));
        assert!(compare(&v, true, &found(&[(3, 0, 1)])).is_err());
    }
}

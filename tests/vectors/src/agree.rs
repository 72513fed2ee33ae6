//! What the oracle makes of a vector.
use crate::compare::{Answer, Delivered, compare};
use crate::compile::{observed, parse};
use crate::events::{Events, Spelled};
use crate::fields::{Outputs, outputs, trailing_not};
use crate::format::{Entry, Error, Expected, Vector};
use cep_oracle::{Complex, Delivery, Oracle, Rule};
use std::collections::{BTreeMap, BTreeSet};

/// Whether a vector and the oracle say the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Agreement {
    /// They do.
    Agrees,
    /// They do not: how.
    Disagrees(String),
    /// The oracle cannot tell: what it does not know.
    Unknown(String),
}

/// Runs a vector through the oracle.
///
/// # Errors
/// A vector that is not as the format says.
pub fn agree(vector: &Vector) -> Result<Agreement, Error> {
    if vector.dataset.is_some() {
        return Ok(Agreement::Unknown("a stream that stands elsewhere".into()));
    }
    if matches!(&vector.expected, Expected::PushError { error, .. } if error == "Full") {
        return Ok(Agreement::Unknown("a capacity that does not suffice".into()));
    }
    if vector.model.is_some() {
        return crate::window::agree(vector);
    }
    let events = Events::parse(&vector.events_decl).map_err(|e| named(vector, &e))?;
    let (file, diagnostics) = parse(vector)?;
    if let Expected::Error(part) = &vector.expected {
        return refusal(vector, &events, part);
    }
    if !diagnostics.is_empty() {
        let all: Vec<&str> = diagnostics.list().iter().map(|d| d.message.as_str()).collect();
        return Ok(Agreement::Disagrees(format!("the parser refuses it: {}", all.join("; "))));
    }
    if file.items.len() != 1 {
        return Ok(Agreement::Unknown("several items".into()));
    }
    let pattern = observed(vector, &file)?;
    let mut parameters = BTreeMap::new();
    for p in &pattern.parameters {
        let name = p.name.to_string();
        let Some(v) = vector.params.get(&name) else { continue };
        parameters.insert(name, Spelled::of(&p.ty).and_then(|t| t.value(v)).map_err(|e| named(vector, &e))?);
    }
    if vector.entries.iter().any(|e| matches!(e, Entry::Heartbeat(_))) {
        return Ok(Agreement::Unknown("heartbeats".into()));
    }
    let steps = events.steps(vector).map_err(|e| named(vector, &e))?;
    let answer = Oracle::new(&events.declaration, pattern, &parameters).and_then(|o| o.run(&steps));
    let deliveries = match answer {
        Ok(d) => d,
        Err(cep_oracle::Error::Unsupported(what)) => return Ok(Agreement::Unknown(what)),
        Err(e) => return Ok(Agreement::Disagrees(e.to_string())),
    };
    Ok(match check(vector, &outputs(pattern), trailing_not(pattern), &deliveries) {
        Ok(()) => Agreement::Agrees,
        Err(how) => Agreement::Disagrees(how),
    })
}

fn named(vector: &Vector, e: &Error) -> Error {
    Error(format!("{}: {}", vector.name, e.0))
}

/// An `error` vector: the parser or the checks behind it say so, or the oracle finds the same rule broken. Where the
/// compiler stops at something it does not compile yet, a pattern that can match nothing at least gives nothing.
fn refusal(vector: &Vector, events: &Events, part: &str) -> Result<Agreement, Error> {
    use crate::compile::Verdict;
    let verdict = crate::compile::compile(vector, events)?;
    if verdict == Verdict::Accepted {
        return Ok(Agreement::Agrees);
    }
    let (file, _) = parse(vector)?;
    let Ok(pattern) = observed(vector, &file) else {
        if matches!(verdict, Verdict::NotSupported(_)) {
            return Ok(Agreement::Unknown(format!("the rule `{part}`, which is the compiler's")));
        }
        return Ok(Agreement::Disagrees(format!("no diagnostic contains `{part}`: {verdict:?}")));
    };
    let steps = events.steps(vector).map_err(|e| named(vector, &e))?;
    let answer = Oracle::new(&events.declaration, pattern, &BTreeMap::new()).and_then(|o| o.run(&steps));
    Ok(match answer {
        Err(cep_oracle::Error::Invalid(_)) => Agreement::Agrees,
        Err(cep_oracle::Error::Unsupported(what)) => Agreement::Unknown(what),
        Err(e) => Agreement::Disagrees(e.to_string()),
        Ok(d) if part == "can match nothing" && d.iter().all(|d| d.results.is_empty()) => Agreement::Agrees,
        Ok(_) if matches!(verdict, Verdict::NotSupported(_)) => {
            Agreement::Unknown(format!("the rule `{part}`, which is the compiler's"))
        }
        Ok(_) => Agreement::Disagrees(format!("nothing refuses it for `{part}`: {verdict:?}")),
    })
}

/// The oracle's deliveries as a machine would give them.
#[must_use]
pub fn answer(outputs: &Outputs, deliveries: &[Delivery]) -> Answer {
    let mut answer = Answer::default();
    for (i, d) in deliveries.iter().enumerate() {
        match outputs {
            Outputs::Detect if d.detect() => answer.detected.push(i),
            Outputs::Detect => {}
            Outputs::Summarize(_) => {
                let record = d.summary.iter().flatten().map(|(name, v)| (name.as_str(), v.clone()));
                if d.summary.is_some() {
                    answer.record(i, record.collect());
                }
            }
            Outputs::Matches(_) => answer.matches.extend(d.results.iter().map(|c| delivered(i, c))),
        }
    }
    answer
}

fn delivered(entry: usize, c: &Complex) -> Delivered {
    let mut found = Delivered { vars: c.vars.clone(), ..Delivered::new(entry, c.start, c.end, &[]) };
    for (x, list) in &c.made {
        let event = |m: &cep_oracle::Made| {
            crate::values::attributes(m.values.iter().map(|(name, v)| (name.as_str(), v.clone())))
        };
        found.values.insert(x.clone(), list.iter().map(event).collect());
    }
    found
}

/// Under `limit` and `strategy one` the oracle gives the candidates: they must be exactly those listed.
fn check(
    vector: &Vector,
    outputs: &Outputs,
    trailing_not: bool,
    deliveries: &[Delivery],
) -> Result<(), String> {
    for d in deliveries {
        if let (Rule::AtMost(n), Some(m)) = (&d.rule, vector.subset)
            && *n != m
        {
            return Err(format!("the pattern's limit is {n}, the vector's {m}"));
        }
    }
    let answer = answer(outputs, deliveries);
    if let Some(n) = vector.subset {
        let ends: BTreeSet<u64> = answer.matches.iter().map(|d| d.end).collect();
        // A machine that takes the first n of each event passes, and so do all candidates together.
        let first: Vec<Delivered> = ends
            .iter()
            .flat_map(|e| {
                answer.matches.iter().filter(|d| d.end == *e).take(usize::try_from(n).unwrap_or(usize::MAX))
            })
            .cloned()
            .collect();
        compare(vector, trailing_not, &Answer { matches: first, ..Answer::default() })?;
        let all = Vector { subset: None, ..vector.clone() };
        return compare(&all, trailing_not, &answer);
    }
    compare(vector, trailing_not, &answer)
}

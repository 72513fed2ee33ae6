//! Machines of the whole language give what the definitions say: groups, iterations, clocks, keys, consumption, limits, capacities.
#![allow(clippy::type_complexity, reason = "generated")]
use cep_compiled::Held;
use cep_compiled::whole::{Ask, Gave, Match, Refusal, Subject, Whole, bag};
use cep_oracle::generate::{Case, Config, Generator, Histogram, Random};
use cep_oracle::{Complex, Error, Event, Oracle, Rule, Step, Value};
use cep_properties::{parse, report, shrink};
use std::collections::{BTreeMap, BTreeSet};

include!(concat!(env!("OUT_DIR"), "/whole.rs"));

/// Machines that need no search, each with the one that does.
mod determinised {
    use super::*;
    include!(concat!(env!("OUT_DIR"), "/determinised.rs"));
}

/// Streams per pattern.
const STREAMS: usize = 24;

/// One pattern under test.
struct Check<'a> {
    case: &'a Case,
    oracle: &'a Oracle,
    subject: &'a Subject,
    /// It consumes.
    consumes: bool,
}

/// What happened on one stream.
#[derive(Default)]
struct Seen {
    matches: usize,
    full: usize,
    out_of_order: usize,
    evicted: u64,
}

impl Check<'_> {
    fn time(&self, e: &Event) -> Option<Value> {
        let clock = self.subject.clock?;
        let i = self.case.declaration.types[e.ty].attributes.iter().position(|a| a.name == clock)?;
        Some(e.values[i].clone())
    }

    /// Matches as the oracle has them.
    fn as_set(&self, taken: &[Event], found: &[Match]) -> Result<BTreeSet<Complex>, String> {
        let mut set = BTreeSet::new();
        for m in found {
            for (x, events) in &m.vars {
                for (at, values) in events {
                    let event =
                        usize::try_from(*at).ok().and_then(|p| taken.get(p)).ok_or("beyond the stream")?;
                    for (name, value) in values {
                        let all = &self.case.declaration.types[event.ty].attributes;
                        let i = all.iter().position(|a| a.name == *name);
                        if i.is_none_or(|i| event.values[i] != *value) {
                            return Err(format!("{x}.{name} is {value:?} in {m:?}"));
                        }
                    }
                }
            }
            let vars = m.vars.iter().filter(|(_, e)| !e.is_empty());
            let vars = vars.map(|(x, e)| ((*x).to_owned(), e.iter().map(|(at, _)| *at).collect())).collect();
            if !set.insert(Complex::new(m.start, m.end, vars)) {
                return Err(format!("handed out twice: {m:?}"));
            }
        }
        Ok(set)
    }

    /// Drives a machine over a stream, with events out of order and heartbeats in between.
    fn run(&self, machine: &mut dyn Whole, stream: &[Event], r: &mut Random) -> Result<Seen, String> {
        let mut seen = Seen::default();
        let (mut steps, mut taken) = (Vec::new(), Vec::new());
        let mut answers: Vec<(usize, Gave, bool)> = Vec::new();
        let mut now: Option<f64> = None;
        let number = |v: &Value| match v {
            Value::Int(i) => i32::try_from(*i).map_or(0.0, f64::from),
            Value::Float(f) => *f,
            _ => f64::NAN,
        };
        for (i, e) in stream.iter().enumerate() {
            let time = self.time(e).map(|t| number(&t));
            if let (Some(n), Some(t)) = (now, time)
                && r.percent(10)
            {
                let later = t.max(n) + 1.0;
                let value = match self.time(e) {
                    Some(Value::Float(_)) => Value::Float(later),
                    #[allow(clippy::cast_possible_truncation, reason = "small")]
                    _ => Value::Int(later as i128),
                };
                if machine.advance_to(&value) {
                    return Err(format!("event {i}: something came of `advance_to`"));
                }
                steps.push(Step::Advance(value));
                now = Some(later);
            }
            let ask = *r.pick(&[Ask::Next, Ask::Next, Ask::Machine, Ask::Both(1), Ask::Count, Ask::Detect]);
            let before = (machine.position(), machine.stats().events);
            match machine.push(e, ask) {
                Ok(gave) => {
                    if let (Some(n), Some(t)) = (now, time)
                        && t < n
                    {
                        return Err(format!("event {i}: taken, though time ran back"));
                    }
                    let exact = match machine.exact_from() {
                        Some(from) => time.is_some_and(|t| t >= number(&from)),
                        // what was kept of an evicted key is missing from then on
                        None => !self.subject.item.contains("keys or evict") || machine.stats().evicted == 0,
                    };
                    now = time.or(now);
                    steps.push(Step::Push(e.clone()));
                    taken.push(e.clone());
                    answers.push((steps.len() - 1, gave, exact));
                    let n = taken.len() as u64;
                    if (machine.position(), machine.stats().events) != (n, n) {
                        return Err(format!("event {i}: position {}", machine.position()));
                    }
                }
                Err("OutOfOrder") => {
                    seen.out_of_order += 1;
                    if !matches!((now, time), (Some(n), Some(t)) if t < n) {
                        return Err(format!("event {i}: out of order, and it is not"));
                    }
                }
                Err("Full") => {
                    seen.full += 1;
                    let capacity = self.case.capacity.unwrap_or(u64::MAX);
                    if (taken.len() as u64) < capacity {
                        return Err(format!("event {i}: full after {} events", taken.len()));
                    }
                }
                Err(e) => return Err(format!("event {i}: {e}")),
            }
            if (machine.position(), machine.stats().events) != before
                && machine.position() != taken.len() as u64
            {
                return Err(format!("event {i}: a refused event has a position"));
            }
        }
        seen.evicted = machine.stats().evicted;
        self.judge(&steps, &taken, &answers, &mut seen)?;
        if machine.finish() {
            return Err("something came of `finish`".into());
        }
        if let (Some(e), Some(_)) = (stream.last(), self.subject.clock)
            && machine.push(e, Ask::Next) != Err("OutOfOrder")
        {
            return Err("an event was taken after `finish`".into());
        }
        Ok(seen)
    }

    fn judge(
        &self,
        steps: &[Step],
        taken: &[Event],
        answers: &[(usize, Gave, bool)],
        seen: &mut Seen,
    ) -> Result<(), String> {
        let want = match self.oracle.run(steps) {
            Ok(want) => want,
            // which partial matches a condition that panics is asked about is not compared here
            Err(Error::Panic(_)) => return Ok(()),
            Err(e) => return Err(format!("the oracle: {e}")),
        };
        let spans = self.case.shape.output == "none";
        let mut sure = true;
        for (step, gave, exact) in answers {
            let want = &want[*step];
            // what an evicted event would have consumed is not known
            sure &= *exact || !self.consumes;
            if !sure {
                continue;
            }
            let distinct = if spans { want.spans().len() } else { want.results.len() };
            let most = match want.rule {
                Rule::AtMost(n) => usize::try_from(n).unwrap_or(usize::MAX).min(distinct),
                _ => distinct,
            };
            seen.matches += distinct;
            let right = match gave {
                Gave::Any(any) => *any == want.detect() || (!*any && !exact),
                Gave::Count(n) => *n == most || (*n < most && !exact),
                Gave::Matches(list) => {
                    let found = self.as_set(taken, list)?;
                    found.is_subset(&want.results) && (found.len() == most || (found.len() < most && !exact))
                }
            };
            if !right {
                return Err(format!("step {step}: gave {gave:?}, wanted {want:?}"));
            }
        }
        Ok(())
    }

    /// The stream, the stream again after a `reset`, and a clone in the middle.
    fn all(&self, stream: &[Event], seed: u64) -> Result<Seen, String> {
        let r = &mut Random::new(seed);
        let mut machine = (self.subject.make)();
        let mut seen = self.run(&mut *machine, stream, r)?;
        machine.reset();
        if machine.position() != 0 || machine.stats() != cep::Stats::NEW || machine.latest_start().is_some() {
            return Err("`reset` left something".into());
        }
        if machine.exact_from().is_some() {
            return Err("`reset` left `exact_from`".into());
        }
        let again = self.run(&mut *machine, stream, r)?;
        seen.full += again.full;
        seen.evicted += again.evicted;
        // a clone goes on as its original does
        let mut first = (self.subject.make)();
        let middle = r.below(stream.len().max(1));
        for e in &stream[..middle] {
            let _ = first.push(e, Ask::Next);
        }
        let mut second = first.duplicate();
        for e in &stream[middle..] {
            if first.push(e, Ask::Next) != second.push(e, Ask::Machine) {
                return Err("a clone goes on elsewhere".into());
            }
        }
        Ok(seen)
    }
}

/// What came of a list of patterns.
#[derive(Default)]
struct Ran {
    histogram: Histogram,
    machines: BTreeMap<&'static str, usize>,
    full: usize,
    evicted: u64,
    late: usize,
    failures: Vec<String>,
}

fn run(config: Config, list: &[(usize, fn() -> Vec<Subject>)]) -> Ran {
    println!("CEP_SEED={SEED}");
    let mut patterns = Generator::new(SEED, config);
    let mut r = Random::new(SEED);
    let mut ran = Ran::default();
    let mut next = 0;
    for (i, subjects) in list {
        let mut case = patterns.case();
        while next < *i {
            case = patterns.case();
            next += 1;
        }
        next += 1;
        let pattern = parse(&case.item).unwrap_or_else(|e| panic!("{e}"));
        let oracle =
            Oracle::new(&case.declaration, &pattern, &case.values()).unwrap_or_else(|e| panic!("{e}"));
        ran.histogram.pattern(&case.shape);
        let streams: Vec<Vec<Event>> = (0..STREAMS).map(|_| case.stream(&mut r, 11)).collect();
        let subjects = subjects();
        for subject in &subjects {
            *ran.machines.entry(subject.kernel).or_default() += 1;
            let consumes = case.shape.constructs.contains(&"consume");
            let check = Check { case: &case, oracle: &oracle, subject, consumes };
            let all = |s: &[Event], seed: u64| {
                let seen = check.all(s, seed)?;
                if !subject.kernel.starts_with("Latest") && !subjects[0].kernel.starts_with("Latest") {
                    check.alike(&subjects[0], s, seed)?;
                }
                Ok::<_, String>(seen)
            };
            for stream in &streams {
                let seed = r.bits();
                match all(stream, seed) {
                    Ok(seen) => {
                        ran.histogram.pair(seen.matches);
                        ran.full += seen.full;
                        ran.evicted += seen.evicted;
                        ran.late += seen.out_of_order;
                    }
                    Err(_) => {
                        let small = shrink(stream, &|s| all(s, seed).is_err());
                        let why = all(&small, seed).err().unwrap_or_default();
                        ran.failures.push(format!(
                            "pattern {i} as {} ({}): {why}\n{}",
                            subject.item,
                            subject.kernel,
                            report(&case, &small)
                        ));
                        break;
                    }
                }
            }
        }
    }
    ran.failures.sort_by_key(String::len);
    ran
}

impl Check<'_> {
    /// Another machine of the same pattern says the same, errors and losses included, on the stream with some events out of order.
    fn alike(&self, other: &Subject, stream: &[Event], seed: u64) -> Result<(), String> {
        let r = &mut Random::new(seed);
        let (mut a, mut b) = ((self.subject.make)(), (other.make)());
        for i in 0..stream.len() * 2 {
            let e = if r.percent(70) { &stream[i % stream.len()] } else { r.pick(stream) };
            let ask = *r.pick(&[Ask::Count, Ask::Detect]);
            let (x, y) = (a.push(e, ask), b.push(e, ask));
            if x != y {
                return Err(format!("step {i}: {x:?}, but {y:?} as {}", other.item));
            }
            let state = |m: &dyn Whole| {
                (m.latest_start(), m.exact_from(), m.position(), m.stats().results, m.stats().evicted)
            };
            if state(&*a) != state(&*b) {
                return Err(format!("step {i}: {:?}, but {:?} as {}", state(&*a), state(&*b), other.item));
            }
        }
        Ok(())
    }
}

#[test]
fn machines_of_the_whole_language_give_what_the_definitions_say() {
    let Ran { histogram, machines, full, evicted, late, failures } =
        run(Config { full: true, ..Config::whole() }, &SUBJECTS);
    println!(
        "{histogram}machines {machines:#?}\nrefused {REFUSED}, full {full}, evicted {evicted}, out of order {late}"
    );
    assert!(failures.is_empty(), "CEP_SEED={SEED}: {} failures\n{}", failures.len(), failures.join("\n\n"));
    assert!(histogram.combining() >= 30, "{}% combine three constructs", histogram.combining());
    for kernel in ["Latest", "Ring", "canonical"] {
        assert!(machines.keys().any(|m| m.contains(kernel)), "no machine with {kernel}");
    }
    assert!(full > 0 && evicted > 0 && late > 0, "full {full}, evicted {evicted}, out of order {late}");
}

#[test]
fn machines_without_a_search_give_what_the_definitions_and_the_search_say() {
    let Ran { histogram, machines, full, evicted, late, failures } =
        run(Config { full: true, compare: true, ..Config::whole() }, &determinised::SUBJECTS);
    println!("{histogram}machines {machines:#?}\nfull {full}, evicted {evicted}, out of order {late}");
    assert!(failures.is_empty(), "CEP_SEED={SEED}: {} failures\n{}", failures.len(), failures.join("\n\n"));
    for (kind, missing) in determinised::WANTED {
        assert_eq!(*missing, 0, "too few patterns with {kind}");
    }
    for kernel in ["Single", "Direct", "Keyed", "Pareto", "Partitioned", "Boxed"] {
        assert!(machines.keys().any(|m| m.contains(kernel)), "no machine with {kernel}");
    }
    assert!(full > 0 && evicted > 0 && late > 0, "full {full}, evicted {evicted}, out of order {late}");
}

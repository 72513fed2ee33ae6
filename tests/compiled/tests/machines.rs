//! Emitted machines give what the definitions say, event by event, however they are asked.
use cep_compiled::{Detecting, Driver, Found, Held, Said, Selecting, Subject, Variant, Way};
use cep_oracle::generate::{Case, Config, Generator, Histogram, Random};
use cep_oracle::{Complex, Event, Oracle};
use cep_properties::{Results, define, parse, report, shrink};
use std::collections::{BTreeMap, BTreeSet};

include!(concat!(env!("OUT_DIR"), "/machines.rs"));

/// Streams per pattern.
const STREAMS: usize = 24;

/// A list of matches as the set that the oracle gives, or what is wrong with it.
fn as_set(case: &Case, stream: &[Event], found: &[Found]) -> Result<BTreeSet<Complex>, String> {
    let mut set = BTreeSet::new();
    for f in found {
        for (x, at, values) in &f.vars {
            let event = usize::try_from(*at)
                .ok()
                .and_then(|p| stream.get(p))
                .ok_or("a position beyond the stream")?;
            for (name, value) in values {
                let attributes = &case.declaration.types[event.ty].attributes;
                let i = attributes.iter().position(|a| a.name == *name);
                if i.is_none_or(|i| event.values[i] != *value) {
                    return Err(format!("{x}.{name} is {value:?} in {f:?}"));
                }
            }
        }
        let vars = f.vars.iter().map(|(x, at, _)| ((*x).to_owned(), BTreeSet::from([*at]))).collect();
        if !set.insert(Complex::new(f.start, f.end, vars)) {
            return Err(format!("handed out twice: {f:?}"));
        }
    }
    Ok(set)
}

/// What the streams and the results are checked against, for one machine.
struct Check<'a> {
    case: &'a Case,
    stream: &'a [Event],
    want: &'a Results,
    detects: bool,
}

impl Check<'_> {
    /// One push, asked in full or in part.
    fn push(&self, machine: &mut dyn Driver, i: usize, way: Way) -> Result<BTreeSet<Complex>, String> {
        let said = machine.push(&self.stream[i], way);
        let want = &self.want[i];
        let fail = |what: &str| Err(format!("event {i}, {way:?}: {what}, wanted {want:?}"));
        let found = match said {
            Said::Any(any) if any != want.is_empty() => BTreeSet::new(),
            Said::Any(any) => return fail(&format!("said {any}")),
            Said::Matches(list) => as_set(self.case, self.stream, &list)?,
        };
        let right = match way {
            _ if self.detects => true,
            Way::Detect => true,
            Way::Part(n) => found.is_subset(want) && found.len() == n.min(want.len()),
            Way::Iterator | Way::Next => found == *want,
        };
        if !right {
            return fail(&format!("gave {found:?}"));
        }
        let n = i as u64 + 1;
        if machine.position() != n || machine.stats().events != n {
            return fail(&format!("position {} and {:?}", machine.position(), machine.stats()));
        }
        if self.detects {
            let latest = self.want[..=i].iter().rev().find(|w| !w.is_empty());
            let latest = latest.and_then(|w| w.iter().map(|c| c.start).max());
            if machine.latest_start() != latest {
                return fail(&format!("latest start {:?}, not {latest:?}", machine.latest_start()));
            }
        }
        Ok(found)
    }

    /// The whole stream, always asked in the same way.
    fn pass(&self, machine: &mut dyn Driver, way: Way) -> Result<(), String> {
        for i in 0..self.stream.len() {
            self.push(machine, i, way)?;
            if matches!(way, Way::Iterator | Way::Next) && !machine.rest().is_empty() {
                return Err(format!("event {i}: matches after the last one"));
            }
        }
        let results = if self.detects {
            self.want.iter().filter(|w| !w.is_empty()).count()
        } else {
            self.want.iter().map(BTreeSet::len).sum()
        };
        let counted = machine.stats().results;
        if matches!(way, Way::Iterator | Way::Next) && counted != results as u64 {
            return Err(format!("counted {counted} of {results} results"));
        }
        Ok(())
    }

    /// Every way of asking, with a `reset` in between; a clone in the middle of an enumeration.
    fn all(&self, variant: &Variant, r: &mut Random) -> Result<(), String> {
        let mut machine = (variant.make)();
        let machine = &mut *machine;
        if machine.position() != 0 || machine.stats() != cep::Stats::NEW || !machine.rest().is_empty() {
            return Err("a new machine has seen something".into());
        }
        for way in [Way::Iterator, Way::Next, Way::Detect, Way::Part(0), Way::Part(1), Way::Part(2)] {
            self.pass(machine, way)?;
            machine.reset();
            if machine.position() != 0 || machine.stats() != cep::Stats::NEW || !machine.rest().is_empty() {
                return Err(format!("after {way:?}, `reset` left something"));
            }
            if machine.latest_start().is_some() {
                return Err("`reset` left the latest start".into());
            }
        }
        let any = |r: &mut Random| match r.below(4) {
            0 => Way::Next,
            1 => Way::Detect,
            2 => Way::Part(r.below(4)),
            _ => Way::Iterator,
        };
        let middle = r.below(self.stream.len().max(1));
        let mut twin = None;
        for i in 0..self.stream.len() {
            if i != middle {
                self.push(machine, i, any(r))?;
                continue;
            }
            let mut found = self.push(machine, i, Way::Part(r.below(3)))?;
            twin = machine.duplicate();
            let already = found.clone();
            let rest = as_set(self.case, self.stream, &machine.rest())?;
            if let Some(twin) = &mut twin
                && as_set(self.case, self.stream, &twin.rest())? != rest
            {
                return Err(format!("event {i}: the clone goes on elsewhere"));
            }
            found.extend(rest.iter().cloned());
            if !self.detects && (found != self.want[i] || already.intersection(&rest).next().is_some()) {
                return Err(format!("event {i}: {already:?} and then {rest:?}, wanted {:?}", self.want[i]));
            }
        }
        if let Some(mut twin) = twin {
            for i in middle + 1..self.stream.len() {
                self.push(&mut *twin, i, any(r))?;
            }
        }
        Ok(())
    }
}

#[test]
fn emitted_machines_give_what_the_definitions_say() {
    println!("CEP_SEED={SEED}");
    // as in the build script
    let mut patterns = Generator::new(SEED, Config::core());
    let mut r = Random::new(SEED);
    let mut histogram = Histogram::default();
    let mut machines: BTreeMap<String, usize> = BTreeMap::new();
    let mut failures = Vec::new();
    for (i, subject) in SUBJECTS.iter().enumerate() {
        let case = patterns.case();
        let subject = subject();
        histogram.pattern(&case.shape);
        for v in &subject.variants {
            *machines.entry(format!("{} {}", case.shape.output, v.kernel)).or_default() += 1;
        }
        let pattern = parse(&case.item).unwrap_or_else(|e| panic!("{e}"));
        let oracle =
            Oracle::new(&case.declaration, &pattern, &case.values()).unwrap_or_else(|e| panic!("{e}"));
        for n in 0..STREAMS {
            // one way through the pattern, or several, so that the ring goes round
            let rounds = if n % 2 == 0 { 1 } else { 4 };
            let stream: Vec<Event> = (0..rounds).flat_map(|_| case.stream(&mut r, 14)).collect();
            let run = |variant: &Variant, s: &[Event], seed: u64| -> Result<usize, String> {
                let want = define(&oracle, s).map_err(|e| e.to_string())?;
                let detects = case.shape.output == "detect";
                let check = Check { case: &case, stream: s, want: &want, detects };
                check.all(variant, &mut Random::new(seed))?;
                Ok(want.iter().map(BTreeSet::len).sum())
            };
            let seed = r.bits();
            for v in &subject.variants {
                match run(v, &stream, seed) {
                    Ok(n) => histogram.pair(n),
                    Err(_) => {
                        let small = shrink(&stream, &|s| run(v, s, seed).is_err());
                        let why = run(v, &small, seed).err().unwrap_or_default();
                        failures.push(format!(
                            "pattern {i} as {} ({}): {why}\n{}",
                            v.item,
                            v.kernel,
                            report(&case, &small)
                        ));
                    }
                }
            }
            if !failures.is_empty() {
                break;
            }
        }
    }
    println!("{histogram}machines {machines:#?}");
    assert!(failures.is_empty(), "CEP_SEED={SEED}: {}", failures.join("\n\n"));
    let (one, five) = histogram.shares();
    assert!(one >= 60 && five >= 20, "{one}% of the pairs have a match, {five}% five");
    for kernel in ["Latest", "Ring Inline", "Ring Boxed", "Ring Borrowed", "canonical"] {
        assert!(machines.keys().any(|m| m.contains(kernel)), "no machine with {kernel}");
    }
}

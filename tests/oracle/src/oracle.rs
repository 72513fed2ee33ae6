//! A pattern, ready to be run on streams.
use crate::effects::{Candidate, Effects};
use crate::formula::{Negation, Node, Resolver, Window};
use crate::matcher::Matcher;
use crate::model::{Complex, Declaration, Event, Made, Result, Step, Ty, Value, invalid, unsupported};
use crate::names::Selected;
use crate::number::V;
use crate::resolve::Names;
use crate::state::{Held, State, members};
use crate::stream::{Stream, Time};
use crate::summary::Summary;
use cep_compiler::ast::{self, FormulaKind, Operator, PartitionKey};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};

/// A pattern with its parameters.
pub struct Oracle {
    types: usize,
    vars: usize,
    root: Node,
    trailing: Vec<Negation>,
    window: Option<Window>,
    /// Per key part, the attribute of each event type.
    partition: Option<Vec<Vec<Option<usize>>>>,
    clock: Option<Vec<Option<usize>>>,
    time: Vec<Option<usize>>,
    unit: u128,
    late: bool,
    effects: Effects,
    /// The selected variables; nothing is selected by `select none` and `detect`.
    selected: Vec<Selected>,
    /// The attributes of each `agg`.
    made: Vec<Vec<String>>,
    summary: Option<Summary>,
}

/// What one [`Step`] delivers.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Delivery {
    /// After `select`. Under `limit` and `strategy one` these are the candidates.
    pub results: BTreeSet<Complex>,
    /// Which of them must come.
    pub rule: Rule,
    /// `summarize`: the record of an event, by attribute.
    pub summary: Option<BTreeMap<String, Value>>,
}

/// How much of a [`Delivery`] a machine has to deliver.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Rule {
    /// All of it.
    #[default]
    All,
    /// `limit n`: at least one and at most n of it.
    AtMost(u64),
    /// `strategy one`: exactly one of these sets.
    OneOf(Vec<BTreeSet<Complex>>),
}

impl Delivery {
    /// The distinct intervals: `select none`.
    #[must_use]
    pub fn spans(&self) -> BTreeSet<(u64, u64)> {
        self.results.iter().map(|c| (c.start, c.end)).collect()
    }
    /// `detect`
    #[must_use]
    pub fn detect(&self) -> bool {
        !self.results.is_empty()
    }
    /// `latest_start()`: of the results of this step.
    #[must_use]
    pub fn latest_start(&self) -> Option<u64> {
        self.results.iter().map(|c| c.start).max()
    }
    /// A machine may answer this.
    #[must_use]
    pub fn accepts(&self, answer: &BTreeSet<Complex>) -> bool {
        match &self.rule {
            Rule::All => *answer == self.results,
            Rule::AtMost(n) => {
                let right = answer.is_subset(&self.results) && answer.len() as u64 <= *n;
                right && answer.is_empty() == self.results.is_empty()
            }
            Rule::OneOf(sets) => sets.contains(answer) || (sets.is_empty() && answer.is_empty()),
        }
    }
}

impl Oracle {
    /// Reads a pattern.
    ///
    /// # Errors
    /// What the oracle does not support, or what is wrong with the pattern.
    pub fn new(
        declaration: &Declaration,
        pattern: &ast::Pattern,
        parameters: &BTreeMap<String, Value>,
    ) -> Result<Oracle> {
        let clauses = &pattern.clauses;
        if clauses.timeouts.is_some() {
            return unsupported("`timeouts`");
        }
        let (formula, negations) = match &pattern.formula.kind {
            FormulaKind::TrailingNot { left, negations } => (&**left, &negations[..]),
            _ => (&pattern.formula, &[][..]),
        };
        let mut names = Names {
            declaration,
            vars: vec![],
            types: vec![],
            parameters: BTreeMap::new(),
            made: vec![],
            projected: BTreeMap::new(),
        };
        for p in &pattern.parameters {
            let (name, ty) = (p.name.to_string(), p.ty.to_token_stream().to_string());
            let Some(ty) = Ty::from_name(&ty.replace("& 'static", "&'static")) else {
                return unsupported(format!("a parameter of type `{ty}`"));
            };
            match parameters.get(&name).map(|v| V::typed(v, ty)).transpose()?.flatten() {
                Some(v) => names.parameters.insert(name, v),
                None => return invalid(format!("no value for the parameter `{name}`")),
            };
        }
        crate::names::collect(formula, &mut names)?;
        negations.iter().try_for_each(|n| crate::names::collect(&n.formula, &mut names).map(drop))?;
        if names.vars.len() > 64 {
            return unsupported("more than 64 variables");
        }
        let partition = clauses.partition.as_ref().map(|c| keys(&c.value, declaration)).transpose()?;
        let resolver = Resolver { names: &names, partitioned: partition.is_some() };
        let root = resolver.node(formula)?;
        if root.is_nullable() {
            return invalid("a pattern that can match the empty set");
        }
        let window = clauses.within.as_ref().map(|c| resolver.window(&c.value)).transpose()?;
        let trailing = resolver.negations(negations)?;
        if negations.iter().any(|n| n.operator == Operator::Strict) {
            return invalid("`: not` at the end");
        }
        if !trailing.is_empty() && !matches!(window, Some(Window::Time(_) | Window::Of(..))) {
            return invalid("a `not` at the end without a time window");
        }
        let time: Vec<Option<usize>> =
            declaration.types.iter().map(|t| t.attributes.iter().position(|a| a.time)).collect();
        let mut clock = None;
        crate::names::clock(&root, window.as_ref(), &time, &mut clock);
        let selected = crate::names::selected(clauses, formula, &names)?;
        let summary = match clauses.output.as_ref().map(|c| &c.value) {
            Some(ast::Output::Summarize(fields)) => Some(Summary::new(fields, &names)?),
            _ => None,
        };
        let made = names.made.iter().map(|m| m.fields.iter().map(|f| f.name.clone()).collect()).collect();
        let effects = Effects::new(clauses, &names, !trailing.is_empty())?;
        let (types, vars) = (declaration.types.len(), names.vars.len());
        let unit = declaration.clock_unit.into();
        Ok(Oracle {
            types,
            vars,
            root,
            trailing,
            window,
            partition,
            clock,
            time,
            unit,
            late: false,
            effects,
            selected,
            made,
            summary,
        })
    }

    /// Checks conditions only where their filter closes, as the definition of `φ filter c` says. The answer is the
    /// same where no filter panics; the oracle's own tests use it.
    #[must_use]
    pub fn late(mut self) -> Oracle {
        self.late = true;
        self
    }

    /// What each event of a stream delivers.
    ///
    /// # Errors
    /// See [`Oracle::run`].
    pub fn matches(&self, events: &[Event]) -> Result<Vec<Delivery>> {
        self.run(&events.iter().cloned().map(Step::Push).collect::<Vec<_>>())
    }

    /// What each step delivers.
    ///
    /// # Errors
    /// A stream out of order or longer than 128 events, or a filter that panics on some partial match inside the
    /// window (whether or not `skip` or `consume` would have removed it).
    pub fn run(&self, steps: &[Step]) -> Result<Vec<Delivery>> {
        self.check_order(steps)?;
        let events: Vec<&Event> =
            steps.iter().filter_map(|s| if let Step::Push(e) = s { Some(e) } else { None }).collect();
        let mut candidates = Vec::new();
        for (partition, positions) in self.streams(&events)?.into_iter().enumerate() {
            if positions.len() > 128 {
                return unsupported("more than 128 events");
            }
            let stream = Stream {
                events: positions.iter().map(|p| events[*p]).collect(),
                positions: positions.iter().map(|p| *p as u64).collect(),
                clock: self.clock.clone().unwrap_or_else(|| self.time.clone()),
                unit: self.unit,
            };
            self.candidates(partition, &stream, steps, &mut candidates)?;
        }
        let mut out = vec![Delivery::default(); steps.len()];
        let chosen = self.effects.apply(candidates, &mut out, &|c| self.select(c))?;
        if let Some(summary) = &self.summary {
            let pushes = (0..steps.len()).filter(|i| matches!(steps[*i], Step::Push(_)));
            for i in pushes {
                out[i].summary = Some(summary.of(&chosen[i], &events)?);
            }
        }
        Ok(out)
    }

    /// The positions of each sub-stream.
    fn streams(&self, events: &[&Event]) -> Result<Vec<Vec<usize>>> {
        if let Some(e) = events.iter().find(|e| e.ty >= self.types) {
            return invalid(format!("the event type {}", e.ty));
        }
        let Some(keys) = &self.partition else { return Ok(vec![(0..events.len()).collect()]) };
        let mut found: BTreeMap<Vec<String>, Vec<usize>> = BTreeMap::new();
        for (i, e) in events.iter().enumerate() {
            let value = |k: &Vec<Option<usize>>| match e.values.get(k[e.ty]?) {
                None | Some(Value::Null) => None,
                Some(v) => Some(format!("{v:?}")),
            };
            if let Some(key) = keys.iter().map(value).collect::<Option<Vec<_>>>() {
                found.entry(key).or_default().push(i);
            }
        }
        Ok(found.into_values().collect())
    }

    fn check_order(&self, steps: &[Step]) -> Result<()> {
        let Some(clock) = &self.clock else { return Ok(()) };
        let (mut now, mut finished) = (None, false);
        for s in steps {
            let t = match s {
                Step::Finish => {
                    finished = true;
                    continue;
                }
                Step::Advance(v) => Time::of(v)?,
                Step::Push(_) if finished => return invalid("an event after `finish`"),
                Step::Push(e) => Time::of(clock[e.ty].and_then(|i| e.values.get(i)).unwrap_or(&Value::Null))?,
            };
            match (s, now) {
                (Step::Push(_), Some(n)) if t < n => return invalid("an event out of order"),
                (Step::Advance(_), Some(n)) if t < n => {}
                _ => now = Some(t),
            }
        }
        Ok(())
    }

    fn candidates(
        &self,
        partition: usize,
        stream: &Stream<'_>,
        steps: &[Step],
        into: &mut Vec<Candidate>,
    ) -> Result<()> {
        if stream.events.is_empty() {
            return Ok(());
        }
        let mut matcher = Matcher::new(stream, self.window.as_ref());
        matcher.late = self.late;
        let start = State::new(self.vars);
        let found = matcher.run(
            &self.root,
            &start,
            (0, stream.events.len() - 1),
            &crate::matcher::Context::default(),
        )?;
        for s in found {
            let Some((from, to)) = s.span else { continue };
            if !s.open.is_empty() {
                return invalid("a `not` with nothing that must be there on its right");
            }
            if !self.window.as_ref().map_or(Ok(true), |w| stream.fits(from, to, w))? {
                continue;
            }
            let end = stream.positions[to];
            let step = if self.trailing.is_empty() {
                steps
                    .iter()
                    .enumerate()
                    .filter(|(_, s)| matches!(s, Step::Push(_)))
                    .nth(to_index(end))
                    .map(|(i, _)| i)
            } else {
                self.release(&matcher, &s, (from, to), steps)?
            };
            let Some(step) = step else { continue };
            let pushed = steps[..step].iter().filter(|s| matches!(s, Step::Push(_))).count() as u64;
            let Held { vars, made } = s.frames[0].held.clone();
            let global = |set| members(set).map(|i| stream.positions[i]).collect::<BTreeSet<u64>>();
            into.push(Candidate {
                step,
                partition,
                start: stream.positions[from],
                end,
                deadline: if self.trailing.is_empty() { 0 } else { from },
                consumed: if self.trailing.is_empty() { end + 1 } else { pushed },
                local: vars.iter().fold(0, |a, b| a | b),
                positions: global(vars.iter().fold(0, |a, b| a | b)),
                vars: vars.into_iter().map(global).collect(),
                made: made.into_iter().map(|(v, id)| (v, self.shown(&matcher, id))).collect(),
            });
        }
        Ok(())
    }

    /// The step that releases a match under a `not` at the end; none if the `not` has a match or time stands still.
    fn release<'n>(
        &'n self,
        matcher: &Matcher<'n>,
        s: &State,
        (from, to): (usize, usize),
        steps: &[Step],
    ) -> Result<Option<usize>> {
        let (stream, Some(window), Some(clock)) = (matcher.stream, &self.window, &self.clock) else {
            return invalid("a `not` at the end without a clock");
        };
        let begin = stream.time(from, clock)?;
        let last = stream.events.len() - 1;
        for n in &self.trailing {
            let free = Matcher::new(stream, None);
            let spans = if to < last { free.spans(&n.formula, s, (to + 1, last))? } else { Vec::new() };
            for (_, b) in spans {
                if window.admits(begin, stream.time(b, clock)?, stream.unit) {
                    return Ok(None);
                }
            }
        }
        for (i, step) in steps.iter().enumerate() {
            let t = match step {
                Step::Finish => return Ok(Some(i)),
                Step::Advance(v) => Time::of(v)?,
                Step::Push(e) => Time::of(clock[e.ty].and_then(|i| e.values.get(i)).unwrap_or(&Value::Null))?,
            };
            if !window.admits(begin, t, stream.unit) {
                return Ok(Some(i));
            }
        }
        Ok(None)
    }

    fn select(&self, c: &Candidate) -> Complex {
        let mut out = Complex::new(c.start, c.end, BTreeMap::new());
        for s in &self.selected {
            if !c.vars[s.var].is_empty() {
                out.vars.insert(s.name.clone(), c.vars[s.var].clone());
            }
            let mut made: Vec<Made> = Vec::new();
            for (_, m) in c.made.iter().filter(|(v, _)| *v == s.var) {
                let mut m = m.clone();
                if let Some(list) = &s.attributes {
                    m.values.retain(|name, _| list.contains(name));
                }
                made.push(m);
            }
            if !made.is_empty() {
                out.made.insert(s.name.clone(), made);
            }
        }
        out
    }

    /// A computed event, as it comes out.
    fn shown(&self, matcher: &Matcher<'_>, id: usize) -> Made {
        let (agg, values) = matcher.shop.values(id);
        Made { id, values: self.made[agg].iter().cloned().zip(values).collect() }
    }
}

fn to_index(position: u64) -> usize {
    usize::try_from(position).unwrap_or(usize::MAX)
}

/// For each part of the key, which attribute of each event type holds it.
fn keys(list: &[PartitionKey], declaration: &Declaration) -> Result<Vec<Vec<Option<usize>>>> {
    let attribute =
        |t: usize, name: &str| declaration.types[t].attributes.iter().position(|a| a.name == name);
    let all = 0..declaration.types.len();
    let mut keys = Vec::new();
    for k in list {
        let key: Vec<Option<usize>> = match k {
            PartitionKey::Attribute(name) => all.clone().map(|t| attribute(t, &name.to_string())).collect(),
            PartitionKey::PerType(pairs) => {
                let mut key = vec![None; declaration.types.len()];
                for (ty, name) in pairs {
                    let Some(t) = declaration.type_index(&ty.to_string()) else {
                        return invalid(format!("the event type `{ty}`"));
                    };
                    key[t] = attribute(t, &name.to_string());
                    if key[t].is_none() {
                        return invalid(format!("the attribute `{ty}.{name}`"));
                    }
                }
                key
            }
        };
        if key.iter().all(Option::is_none) {
            return invalid("a partition attribute that no event type has");
        }
        let types: BTreeSet<Ty> = key
            .iter()
            .enumerate()
            .filter_map(|(t, i)| Some(declaration.types[t].attributes[(*i)?].ty))
            .collect();
        if types.len() > 1 || types.iter().any(|t| matches!(t, Ty::F32 | Ty::F64)) {
            return invalid("partition attributes of two types, or floats");
        }
        keys.push(key);
    }
    Ok(keys)
}

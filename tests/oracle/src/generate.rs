//! Random patterns with streams on which they have matches.
//!
//! In: a seed and a [`Config`] of enabled constructs. Out: [`Case`]s, as text of our syntax, valid by the language
//! reference: no constant filter, no contradiction, like types only, windows no shorter than the pattern.
mod aggregates;
mod condition;
mod histogram;
mod random;
mod reads;
mod streams;
mod whole;

pub use histogram::Histogram;
pub use random::Random;

use crate::model::{AttrDecl, Declaration, Event, Ty, TypeDecl, Value};
use condition::{Atom, Conditions};
use std::collections::BTreeMap;

/// Which constructs a generator may use.
#[derive(Clone, Debug)]
pub struct Config {
    /// At most so many atoms.
    pub atoms: usize,
    /// At most so many event types.
    pub types: usize,
    /// Streams per pattern, and events per stream.
    pub streams: usize,
    /// The longest stream.
    pub events: usize,
    /// `filter`
    pub filters: bool,
    /// `||` in filters.
    pub disjunctions: bool,
    /// `Option` attributes.
    pub nulls: bool,
    /// Parameters.
    pub parameters: bool,
    /// Arithmetic, `matches!`, `position()`: conditions that cost.
    pub costly: bool,
    /// Parentheses with filters inside.
    pub groups: bool,
    /// Types of which a pattern may have several atoms.
    pub repeated: bool,
    /// `select x, y.a`, `select none`, `detect`.
    pub outputs: bool,
    /// `:`
    pub strict: bool,
    /// `->`
    pub next: bool,
    /// `or`
    pub or: bool,
    /// `+`, `?`, `{1,2}` on a type.
    pub iterations: bool,
    /// Groups, iterations, summaries and clauses in every combination that compiles.
    pub whole: bool,
    /// `partition by`, `consume`, `limit`.
    pub clauses: bool,
    /// `agg`, `project`, `summarize`.
    pub aggregates: bool,
    /// Capacities that do not suffice, and `or evict`.
    pub full: bool,
    /// `detect` of comparisons between two events: what needs no search.
    pub compare: bool,
}

impl Config {
    /// Event types, `as`, `;`, parentheses, filters, count windows, parameters, `select`, `select none`, `detect`.
    #[must_use]
    pub fn core() -> Config {
        Config {
            atoms: 5,
            types: 5,
            streams: 2,
            events: 12,
            filters: true,
            disjunctions: true,
            nulls: true,
            parameters: true,
            costly: true,
            groups: true,
            repeated: true,
            outputs: true,
            strict: false,
            next: false,
            or: false,
            iterations: false,
            whole: false,
            clauses: false,
            aggregates: false,
            full: false,
            compare: false,
        }
    }

    /// Everything the generator knows.
    #[must_use]
    pub fn all() -> Config {
        Config { atoms: 4, strict: true, next: true, or: true, iterations: true, ..Config::core() }
    }

    /// Aggregates: in every pattern at least one.
    #[must_use]
    pub fn aggregates() -> Config {
        Config { aggregates: true, events: 8, ..Config::whole() }
    }

    /// What compiles: everything but `->`, `not`, counted iterations, `all`, `without`, `agg` and the clauses of selection.
    #[must_use]
    pub fn whole() -> Config {
        Config { whole: true, clauses: true, events: 9, next: false, ..Config::all() }
    }
}

/// A pattern and streams for it.
#[derive(Clone, Debug)]
pub struct Case {
    /// The event types; the stream is called `S`.
    pub declaration: Declaration,
    /// `pattern P(…) on S = …;`
    pub item: String,
    /// A value for each parameter, with its type.
    pub parameters: BTreeMap<String, (Ty, Value)>,
    /// Streams.
    pub streams: Vec<Vec<Event>>,
    /// What is in it.
    pub shape: Shape,
    /// The types of its atoms.
    types: Vec<usize>,
    /// `capacity N events`
    pub capacity: Option<u64>,
}

impl Case {
    /// Another stream for it, of at most so many events.
    #[must_use]
    pub fn stream(&self, random: &mut Random, longest: usize) -> Vec<Event> {
        streams::stream(random, &self.declaration, &self.types, longest)
    }

    /// The parameters' values.
    #[must_use]
    pub fn values(&self) -> BTreeMap<String, Value> {
        self.parameters.iter().map(|(n, (_, v))| (n.clone(), v.clone())).collect()
    }
}

/// What a pattern has, for the [`Histogram`].
#[derive(Clone, Debug, Default)]
pub struct Shape {
    /// Atoms.
    pub atoms: usize,
    /// Operators and other constructs, as often as used.
    pub constructs: Vec<&'static str>,
    /// Deepest parentheses.
    pub nesting: usize,
    /// Conjuncts by the number of variables they read.
    pub arities: Vec<usize>,
    /// Variables, and how many of them `select` drops.
    pub variables: usize,
    /// See `variables`.
    pub dropped: usize,
    /// Which output clause.
    pub output: &'static str,
}

/// A stream of cases.
#[derive(Clone, Debug)]
pub struct Generator {
    random: Random,
    config: Config,
}

impl Generator {
    /// The cases of a seed.
    #[must_use]
    pub fn new(seed: u64, config: Config) -> Generator {
        Generator { random: Random::new(seed), config }
    }

    /// The next case.
    pub fn case(&mut self) -> Case {
        let r = &mut self.random;
        if self.config.aggregates {
            return aggregates::case(r, &self.config);
        }
        if self.config.whole {
            return whole::case(r, &self.config);
        }
        let declaration = declaration(r, &self.config);
        let n = if r.percent(12) { 1 } else { r.between(2, self.config.atoms.max(2)) }
            .min(self.config.atoms.max(1));
        let mut types: Vec<usize> = Vec::new();
        while types.len() < n {
            let t = r.below(declaration.types.len());
            if (self.config.repeated && r.percent(40))
                || !types.contains(&t)
                || types.len() >= declaration.types.len()
            {
                types.push(t);
            }
        }
        let conditions = Conditions::new(&declaration, &types, &self.config);
        let mut build =
            Build { config: &self.config, types, conditions, shape: Shape::default(), next: 0, vars: vec![] };
        build.shape.atoms = n;
        let formula = build.chain(r, n, 1);
        // Long windows more often than short ones.
        let window = r.between(n, 12.max(n)).max(r.between(n, 12.max(n)));
        let output = build.output(r);
        let Build { types, conditions, mut shape, .. } = build;
        let parameters = conditions.parameters.clone();
        let list: Vec<String> = parameters.iter().map(|(n, (ty, _))| format!("{n}: {}", ty.name())).collect();
        let list = if list.is_empty() { String::new() } else { format!("({})", list.join(", ")) };
        shape.arities.clone_from(&conditions.arities);
        shape.constructs.extend(&conditions.constructs);
        let item = format!("pattern P{list} on S = {formula} within {window} events{output};");
        let streams =
            (0..self.config.streams).map(|_| streams::stream(r, &declaration, &types, self.config.events));
        let streams = streams.collect();
        Case { declaration, item, parameters, streams, shape, types, capacity: None }
    }
}

/// A few event types with some of the same attributes.
fn declaration(r: &mut Random, config: &Config) -> Declaration {
    let pool = [
        ("w", Ty::I64, false),
        ("u", Ty::U8, false),
        ("f", Ty::F64, false),
        ("b", Ty::Bool, false),
        ("c", Ty::Char, false),
        ("s", Ty::Str, false),
        ("t", Ty::String, false),
        ("n", Ty::I32, true),
        ("g", Ty::F64, true),
    ];
    let attr =
        |(name, ty, nullable): (&str, Ty, bool)| AttrDecl { name: name.into(), ty, nullable, time: false };
    let count = r.between(1, config.types.max(1)).max(r.between(1, config.types.max(1)));
    let mut types = Vec::new();
    for name in ["A", "B", "C", "D", "E"].into_iter().take(count) {
        let mut attributes = Vec::new();
        if !r.percent(6) {
            attributes.push(attr(("v", Ty::I32, false)));
            for a in pool {
                if r.percent(45) && (config.nulls || !a.2) {
                    attributes.push(attr(a));
                }
            }
        }
        types.push(TypeDecl { name: name.into(), attributes });
    }
    Declaration::new(types)
}

/// A pattern under construction.
struct Build<'a> {
    config: &'a Config,
    types: Vec<usize>,
    conditions: Conditions<'a>,
    shape: Shape,
    next: usize,
    /// The variables that can be selected: `as` variables, and type names of one atom.
    vars: Vec<(String, usize)>,
}

impl Build<'_> {
    /// A chain of `n` atoms inside the current parentheses.
    fn chain(&mut self, r: &mut Random, n: usize, depth: usize) -> String {
        self.shape.nesting = self.shape.nesting.max(depth - 1);
        let (mut text, mut left) = (String::new(), n);
        while left > 0 {
            if !text.is_empty() {
                text += self.operator(r);
            }
            let group = self.config.groups && depth < 4 && (left > 1 || n > 1) && r.percent(30);
            let m = if group && left == n { r.between(1, (n - 1).max(1)) } else { r.between(1, left) };
            if group {
                let inner = self.chain(r, m, depth + 1);
                text += &format!("({inner})");
                left -= m;
            } else {
                text += &self.atom(r);
                left -= 1;
            }
            let whole = left == 0 && depth == 1;
            if self.config.filters
                && r.percent(if whole { 50 } else { 25 })
                && let Some(c) = self.conditions.condition(r)
            {
                text += &format!(" filter {c}");
                self.shape.constructs.push("filter");
                if r.percent(8)
                    && let Some(c) = self.conditions.condition(r)
                {
                    text += &format!(" filter {c}");
                    self.shape.constructs.push("filter");
                }
            }
        }
        text
    }

    fn operator(&mut self, r: &mut Random) -> &'static str {
        let (text, name) = match r.below(10) {
            0 | 1 if self.config.strict => (" : ", ":"),
            2 | 3 if self.config.next => (" -> ", "->"),
            _ => (" ; ", ";"),
        };
        self.shape.constructs.push(name);
        text
    }

    fn atom(&mut self, r: &mut Random) -> String {
        let index = self.next;
        self.next += 1;
        let ty = self.types[index];
        let name = self.conditions.declaration.types[ty].name.clone();
        let once = self.types.iter().filter(|t| **t == ty).count() == 1;
        if once && self.config.iterations && r.percent(20) {
            let suffix = *r.pick(&["+", ":+", "{1,2}", "->{2}", ":{1,3}"]);
            self.shape.constructs.push("iteration");
            return format!("{name}{suffix}");
        }
        if once && self.config.or && r.percent(15) {
            self.shape.constructs.push("or");
            let other = self.conditions.declaration.types[r.below(self.conditions.declaration.types.len())]
                .name
                .clone();
            let x = format!("x{index}");
            self.vars.push((x.clone(), ty));
            return format!("({name} or {other}) as {x}");
        }
        let mut names = Vec::new();
        let mut text = name.clone();
        if r.percent(70) {
            let x = format!("x{index}");
            text += &format!(" as {x}");
            self.vars.push((x.clone(), ty));
            self.shape.constructs.push("as");
            names.push(x);
        }
        if once && !self.config.or {
            self.vars.push((name.clone(), ty));
            names.push(name);
        }
        self.shape.variables += 1;
        if !names.is_empty() {
            self.conditions.atoms.push(Atom { index, ty, names });
        }
        text
    }

    /// The output clause, with a blank in front.
    fn output(&mut self, r: &mut Random) -> String {
        // By default every `as` variable and the type of each atom without one is selected.
        let named = |b: &Self, i: usize| b.vars.iter().any(|(x, _)| *x == format!("x{i}"));
        let several = |b: &Self, t: usize| b.types.iter().filter(|u| **u == t).count() > 1;
        let bag = (0..self.types.len()).any(|i| !named(self, i) && several(self, self.types[i]));
        let choice = if self.config.outputs { r.below(100) } else { 0 };
        let default = !bag && choice < 35;
        if default {
            self.shape.output = "default";
            return String::new();
        }
        if choice < 75 && !self.vars.is_empty() {
            let mut list = Vec::new();
            let mut dropped = 0;
            for (i, (x, ty)) in self.vars.iter().enumerate() {
                if r.percent(55) || (i + 1 == self.vars.len() && list.is_empty()) {
                    // a `String` cannot be kept
                    let attributes: Vec<&AttrDecl> = self.conditions.declaration.types[*ty]
                        .attributes
                        .iter()
                        .filter(|a| a.ty != Ty::String)
                        .collect();
                    let whole = attributes.is_empty() || r.percent(75);
                    list.push(if whole { x.clone() } else { format!("{x}.{}", r.pick(&attributes).name) });
                } else {
                    dropped += 1;
                }
            }
            self.shape.dropped = dropped;
            self.shape.output = "select";
            return format!(" select {}", list.join(", "));
        }
        self.shape.output = if r.percent(50) { "none" } else { "detect" };
        if self.shape.output == "none" { " select none".into() } else { " detect".into() }
    }
}

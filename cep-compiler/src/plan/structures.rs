//! Which structure holds the runs that wait in a position: the smallest that answers every condition still ahead of them.
//!
//! | conditions that read a kept attribute | structure | per event |
//! | --- | --- | --- |
//! | none | the latest start | O(1) |
//! | any, and only the very next event goes on | the one run | O(1) |
//! | `==` on all of them, few values | an array of latest starts | O(1) |
//! | `==` on all of them | a hash table of latest starts, oldest keys evicted | O(1) expected |
//! | one-sided inequalities on one of them | the runs that no other beats | O(log runs) |
//!
//! What is proved for each: of two runs with equal kept attributes (or, for an inequality, of which one passes whatever the other does) the one
//! that started last decides, so the other is dropped (engine: domination). A transition out of a position must read all that it is
//! filed under, or none and keep it: anything in between would ask for a scan.
use super::comparisons::{Comparison, Operator, Register};
use super::{Edge, Position};
use crate::hir::Pattern;
use crate::schema::{Attribute, Kind};
use crate::slices::{all, any, each, find, pick};

/// Most values of an array.
const MAX_VALUES: usize = 256;
/// Most attributes of a key.
const MAX_KEY: usize = 4;

/// What holds the runs that wait in a position.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Structure {
    /// Nothing: no run goes on from there.
    Nothing,
    /// The latest start; `fresh`: beside it the newest run, for a transition that only the very next event can take.
    Latest {
        /// Both kinds of transition leave it.
        fresh: bool,
    },
    /// The one run that the last event brought there.
    Single,
    /// An array of so many latest starts.
    Direct(usize),
    /// A hash table of latest starts.
    Keyed,
    /// The runs that no other beats.
    Pareto {
        /// Larger values pass more.
        up: bool,
    },
}

/// A position's structure and what its runs are filed under.
pub struct Hold {
    /// The structure.
    pub structure: Structure,
    /// What later conditions read of earlier events.
    pub key: Vec<Register>,
}

/// How a run gets from one position to another.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Passage {
    /// The latest of those that pass.
    Best,
    /// All of them, as they are.
    All,
}

/// The structures of a machine whose conditions over several events are comparisons.
#[derive(Default)]
pub struct Runs {
    /// By position.
    pub holds: Vec<Hold>,
    /// The conditions over several events.
    pub comparisons: Vec<Comparison>,
}

impl Runs {
    /// The comparisons at `to` that read what runs in `from` are filed under.
    #[must_use]
    pub fn read(&self, from: usize, to: usize) -> Vec<&Comparison> {
        let key = &self.holds[from].key;
        pick(&self.comparisons, |c| (c.at == to && key.contains(&c.register)).then_some(c))
    }
    /// How runs get from `from` to `to`.
    #[must_use]
    pub fn passage(&self, from: usize, to: usize) -> Passage {
        let hold = &self.holds[from];
        let filed = !matches!(hold.structure, Structure::Latest { .. } | Structure::Single);
        if filed && self.read(from, to).is_empty() { Passage::All } else { Passage::Best }
    }
    /// The transitions on which all runs move, those furthest from the start first: what moves on moves before others come.
    #[must_use]
    pub fn moves(&self, positions: &[Position]) -> Vec<(usize, usize)> {
        let mut all = Vec::new();
        // a machine without comparisons has no structures
        if self.holds.is_empty() {
            return all;
        }
        for (from, p) in positions.iter().enumerate() {
            for e in &p.edges {
                if e.to != from && self.passage(from, e.to) == Passage::All {
                    all.push((from, e.to));
                }
            }
        }
        let depth = |mut q: usize| {
            let mut n = 0;
            while let Some((from, _)) = find(&all, |(_, to)| *to == q) {
                (q, n) = (*from, n + 1);
                if n > all.len() {
                    break;
                }
            }
            n
        };
        let mut sorted = all.clone();
        crate::sorted::sort_by_key(&mut sorted, |m| usize::MAX - depth(m.1));
        sorted
    }
    /// The comparison that tells the value of a register when the newest event comes to `to`: it equals that attribute.
    #[must_use]
    pub fn known(&self, register: Register, to: usize) -> Option<&Comparison> {
        find(&self.comparisons, |c| c.at == to && c.register == register && c.operator == Operator::Equal)
    }
}

/// The structures, or why some position has none.
pub(super) fn structures(
    pattern: &Pattern,
    positions: &[Position],
    start: &[Edge],
    comparisons: Vec<Comparison>,
) -> Result<Runs, String> {
    let mut out = Runs { holds: Vec::new(), comparisons };
    for q in 0..positions.len() {
        let hold = hold(pattern, positions, &out.comparisons, q)?;
        out.holds.push(hold);
    }
    for (from, p) in positions.iter().enumerate() {
        for e in &p.edges {
            transition(positions, start, &out, from, e.to)?;
        }
    }
    for to in 0..positions.len() {
        enters(positions, &out, to)?;
    }
    Ok(out)
}

fn hold(
    pattern: &Pattern,
    positions: &[Position],
    comparisons: &[Comparison],
    q: usize,
) -> Result<Hold, String> {
    let edges = &positions[q].edges;
    let live = pick(comparisons, |c| c.is_live(positions, q).then_some(c));
    let mut key = each(&live, |c| c.register);
    crate::sorted::unique(&mut key);
    let mut strict = 0;
    for e in edges {
        strict += usize::from(e.strict);
    }
    let structure = if edges.is_empty() {
        Structure::Nothing
    } else if key.is_empty() {
        Structure::Latest { fresh: strict > 0 && strict < edges.len() }
    } else if strict == edges.len() {
        Structure::Single
    } else if strict > 0 {
        return Err(format!("{} is left by `;` and by `:`", named(pattern, positions, q)));
    } else {
        let attributes = each(&key, |r| of(pattern, positions, *r));
        filed(&attributes, &live).ok_or_else(|| {
            let list = each(&key, |r| said(pattern, positions, *r));
            format!("no structure answers every condition that reads {}", list.join(" and "))
        })?
    };
    Ok(Hold { structure, key })
}

/// The structure for a key, by the operators that will read it.
fn filed(key: &[&Attribute], live: &[&Comparison]) -> Option<Structure> {
    let values = |a: &&Attribute| match &a.kind {
        Kind::Bool => Some(2),
        Kind::Int(i) if i.bits == 8 => Some(256),
        _ => None,
    };
    let mut product = Some(1usize);
    for a in key {
        product = product.and_then(|n| Some(n * values(a)?)).filter(|n| *n <= MAX_VALUES);
    }
    if all(live, |c| c.operator == Operator::Equal) {
        return match product {
            Some(n) => Some(Structure::Direct(n)),
            None => (key.len() <= MAX_KEY).then_some(Structure::Keyed),
        };
    }
    let [only] = key else { return None };
    if all(live, |c| c.operator.is_up().is_none()) && only.kind == Kind::Bool {
        return Some(Structure::Direct(2));
    }
    // texts and opaque values have an order of their own only where they say so
    for up in [false, true] {
        if all(live, |c| c.operator.is_up() == Some(up)) {
            return Some(Structure::Pareto { up });
        }
    }
    None
}

/// A transition out of a structure reads everything that it is filed under, or nothing.
fn transition(
    positions: &[Position],
    start: &[Edge],
    runs: &Runs,
    from: usize,
    to: usize,
) -> Result<(), String> {
    let hold = &runs.holds[from];
    let filed = match hold.structure {
        Structure::Nothing | Structure::Latest { .. } | Structure::Single => return Ok(()),
        s => s,
    };
    let reads = runs.read(from, to);
    let fail = |what: &str| Err(format!("from position {from} to position {to} {what}"));
    if reads.is_empty() {
        let target = &positions[to];
        let mut others = false;
        for (p, o) in positions.iter().enumerate() {
            others |= p != from && p != to && any(&o.edges, |e| e.to == to);
        }
        if target.accepting || !target.late.is_empty() {
            return fail("all runs go on at once, and which of them began last is asked");
        }
        if runs.holds[to].structure != filed || runs.holds[to].key != hold.key {
            return fail("what is kept of a run changes without being compared");
        }
        let mut onward = 0;
        for e in &positions[from].edges {
            onward += usize::from(e.to != from && runs.read(from, e.to).is_empty());
        }
        if to != from && (others || any(start, |e| e.to == to) || onward > 1) {
            return fail("all runs go on, and that is not the only way");
        }
        return Ok(());
    }
    let covered = match filed {
        Structure::Pareto { .. } => reads.len() == 1,
        _ => all(&hold.key, |r| {
            let here = pick(&reads, |c| (c.register == *r).then_some(c.operator));
            here.contains(&Operator::Equal) || here == [Operator::Unequal]
        }),
    };
    if !covered {
        return fail("only a part of what is kept of a run is compared");
    }
    Ok(())
}

/// What is kept of a run that comes to `to` is known: of the newest event, or equal to something of it, or taken over from the one run there was.
fn enters(positions: &[Position], all: &Runs, to: usize) -> Result<(), String> {
    let mut before = Vec::new();
    for (from, p) in positions.iter().enumerate() {
        if any(&p.edges, |e| e.to == to) && all.passage(from, to) == Passage::Best {
            before.push(from);
        }
    }
    let from_one = matches!(before[..], [q] if all.holds[q].structure == Structure::Single);
    let is_moved = before.is_empty();
    for r in &all.holds[to].key {
        if !(r.position == to || is_moved || from_one || all.known(*r, to).is_some()) {
            return Err(format!("position {to} keeps what its event is not compared with by `==`"));
        }
    }
    Ok(())
}

/// The attribute in a register.
pub(crate) fn of<'p>(pattern: &'p Pattern, positions: &[Position], r: Register) -> &'p Attribute {
    pattern.attribute(positions[r.position].atom, r.attribute)
}

/// `hot.id`
pub(super) fn said(pattern: &Pattern, positions: &[Position], r: Register) -> String {
    format!("`{}.{}`", variable(pattern, positions, r.position), of(pattern, positions, r).name)
}

fn named(pattern: &Pattern, positions: &[Position], q: usize) -> String {
    format!("`{}`", variable(pattern, positions, q))
}

fn variable(pattern: &Pattern, positions: &[Position], q: usize) -> String {
    let atom = positions[q].atom;
    let named = find(&pattern.atoms[atom.0].variables, |v| !pattern.variables[v.0].is_type);
    named.map_or(&pattern.event_type(atom).name, |v| &pattern.variables[v.0].name).to_string()
}

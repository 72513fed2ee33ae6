//! From the formula as written to the resolved one: atoms and iterations numbered, variables with the events they hold, filters as
//! conjuncts that know which instance of their formula they look at.
//!
//! A part of the formula is lowered with what is bound to its left, one layer per iteration around it. Cost: linear in the formula times the
//! number of variables.
use super::absent::{self, Absent};
use super::filter::{Filter, conjuncts};
use super::names::Names;
use crate::ast::{self, FormulaKind, Operator, Within};
use crate::diagnostic::{Code, Diagnostics, Loc};
use crate::hir::{
    Aggregate, AggregateId, Atom, AtomId, AttributeId, Conjunct, Fold, Formula, Loop, LoopId, Region, Scope,
    VariableId,
};
use crate::slices::{all, any, find, pick, position};
use crate::sorted::{Map, Set};
use proc_macro2::Ident;
use std::cell::RefCell;

/// What a variable holds in a part of the formula.
#[derive(Clone, Default)]
pub(crate) struct Held {
    pub(crate) atoms: Vec<AtomId>,
    /// The aggregates whose computed events it holds; then it has no atoms.
    pub(crate) aggregates: Vec<AggregateId>,
    /// The attributes that a `project` leaves; `None`: all.
    pub(crate) projected: Option<Vec<Ident>>,
    /// The fewest and the most events, the most counted up to 2.
    pub(crate) least: u32,
    pub(crate) most: u32,
    /// Bound on every way; optional and iterated parts count as bound.
    pub(crate) definite: bool,
    /// Where it is not: the branch of an `or` that leaves it out, in words.
    pub(crate) missing: Option<String>,
    /// The part that may be absent or repeated in which it is bound: where it is, everything in that part is.
    pub(crate) part: usize,
}

/// Variables and what they hold.
pub(crate) type Binds = Map<usize, Held>;

/// A lowered part.
pub(crate) struct Part {
    pub(crate) formula: Formula,
    pub(crate) binds: Binds,
    pub(crate) scope: Scope,
    /// The fewest events of a match.
    pub(crate) shortest: u64,
    /// The most, up to 2.
    most: u32,
    pub(crate) nullable: bool,
    /// The atoms that every match has.
    pub(crate) mandatory: Vec<AtomId>,
    /// The conditions under which it may be absent.
    pub(crate) absent: Absent,
}

impl Part {
    /// No match has more than one event.
    pub(crate) fn is_one_event(&self) -> bool {
        self.most <= 1
    }
    /// A match may have no event at all.
    pub(crate) fn is_nullable(&self) -> bool {
        self.nullable
    }
}

/// What stands to the left inside one iteration's body (the outermost layer: outside of all).
pub(crate) struct Layer<'a> {
    pub(crate) id: Option<LoopId>,
    pub(crate) left: Binds,
    /// The body as written, to count bindings in.
    pub(crate) body: &'a ast::Formula,
}

/// The pass.
pub(crate) struct Lowering<'a> {
    pub(crate) names: &'a Names<'a>,
    pub(crate) atoms: Vec<Atom>,
    pub(crate) loops: Vec<Loop>,
    pub(crate) conjuncts: Vec<Conjunct>,
    pub(crate) aggregates: Vec<Aggregate>,
    /// In a cell, because a filter finds new ones while it looks at the rest.
    pub(crate) folds: RefCell<Vec<Fold>>,
    pub(crate) inner_windows: Vec<(Within, Scope, Loc)>,
    /// The atoms that lie under an `as`, whether or not a `select` dropped its variable.
    pub(crate) under_as: Set<AtomId>,
    pub(crate) layers: Vec<Layer<'a>>,
    /// The branches, optional parts and iterations around the part being lowered, numbered as they were met.
    parts: Vec<usize>,
    parts_met: usize,
    /// The variables bound so far, whether or not they can still be read.
    pub(crate) met: Set<usize>,
    /// Those that an inner `select` dropped.
    pub(crate) dropped: Set<usize>,
}

impl<'a> Lowering<'a> {
    pub(crate) fn new(names: &'a Names<'a>, whole: &'a ast::Formula) -> Self {
        Lowering {
            names,
            atoms: Vec::new(),
            loops: Vec::new(),
            conjuncts: Vec::new(),
            aggregates: Vec::new(),
            folds: RefCell::new(Vec::new()),
            inner_windows: Vec::new(),
            under_as: Set::new(),
            layers: vec![Layer { id: None, left: Binds::new(), body: whole }],
            parts: Vec::new(),
            parts_met: 0,
            met: Set::new(),
            dropped: Set::new(),
        }
    }

    /// The innermost part around that may be absent or repeated; 0: none.
    pub(crate) fn here(&self) -> usize {
        self.parts.last().copied().unwrap_or(0)
    }

    /// Lowers a part that may be absent or repeated.
    fn apart(&mut self, f: &'a ast::Formula, d: &mut Diagnostics) -> Option<Part> {
        self.parts_met += 1;
        self.parts.push(self.parts_met);
        let part = self.part(f, d);
        self.parts.pop();
        part
    }

    /// The iterations around the part being lowered.
    pub(crate) fn around(&self) -> Vec<LoopId> {
        pick(&self.layers, |l| l.id)
    }

    pub(crate) fn part(&mut self, f: &'a ast::Formula, d: &mut Diagnostics) -> Option<Part> {
        match &f.kind {
            FormulaKind::Type(name) => self.atom(name),
            FormulaKind::As { inner, variable } => {
                let mut part = self.part(inner, d)?;
                self.bind(&mut part, variable, d);
                Some(part)
            }
            FormulaKind::Sequence { left, gap, right } => self.sequence(left, gap.operator, right, d),
            FormulaKind::Or { parts: branches, .. } => self.or(branches, d),
            FormulaKind::Iterate { inner, operator, minimum, maximum, .. } => {
                self.iterate(inner, *operator, *minimum, *maximum, d)
            }
            FormulaKind::Filter { inner, condition } => {
                let mut part = self.part(inner, d)?;
                let filter = Filter { pass: self, part: &part };
                let new = conjuncts(condition, &filter, d);
                for c in new {
                    if part.nullable && !absent::holds_over_nothing(&c) {
                        part.absent.when(self.conjuncts.len(), &part.scope);
                    }
                    self.conjuncts.push(c);
                }
                Some(part)
            }
            FormulaKind::Select { inner, variables, .. } => {
                let mut part = self.part(inner, d)?;
                self.project(&mut part, variables, d);
                Some(part)
            }
            FormulaKind::Within { inner, bound, word } => {
                let part = self.part(inner, d)?;
                let loc = word.to(f.loc);
                if let Within::Events { count, .. } = bound
                    && *count < part.shortest
                {
                    super::extent::too_short(loc, part.shortest, *count, d);
                }
                self.inner_windows.push((bound.clone(), part.scope.clone(), loc));
                Some(part)
            }
            FormulaKind::Aggregate { inner, variable, fields, word } => {
                let mut part = self.part(inner, d)?;
                self.aggregate(&mut part, variable, fields, *word, d);
                Some(part)
            }
            FormulaKind::Project { inner, variable, attributes, .. } => {
                let mut part = self.part(inner, d)?;
                self.attributes(&mut part, variable, attributes, d);
                Some(part)
            }
            // refused by `support`
            _ => None,
        }
    }

    fn atom(&mut self, name: &Ident) -> Option<Part> {
        let ty = self.names.find_type(name)?;
        let variable = self.names.find(name)?;
        let id = AtomId(self.atoms.len());
        self.atoms.push(Atom { ty, variables: vec![variable], loc: name.span().into() });
        let held =
            Held { atoms: vec![id], least: 1, most: 1, definite: true, part: self.here(), ..Held::default() };
        self.met.insert(variable.0);
        Some(Part {
            formula: Formula::Atom(id),
            binds: Binds::of(variable.0, held),
            scope: Scope { atoms: id.0..id.0 + 1, loops: self.around(), first: vec![id], single: true },
            shortest: 1,
            most: 1,
            nullable: false,
            mandatory: vec![id],
            absent: Absent::default(),
        })
    }

    fn bind(&mut self, part: &mut Part, name: &Ident, d: &mut Diagnostics) {
        let Some(v) = self.names.find(name) else { return };
        // reported where the name was collected
        if self.names.find_type(name).is_some() {
            return;
        }
        self.met.insert(v.0);
        if part.binds.contains_key(&v.0) {
            // an aggregate of this name was reported where the name was collected
            if !self.names.variables[v.0].is_computed {
                bound_twice(name, d);
            }
            return;
        }
        let mut atoms = Vec::new();
        for a in part.scope.atoms.clone() {
            self.under_as.insert(AtomId(a));
            // an inner `select` may have dropped an event altogether: then no variable holds it
            if !self.atoms[a].variables.is_empty() {
                atoms.push(AtomId(a));
            }
        }
        for a in &atoms {
            self.atoms[a.0].variables.push(v);
        }
        // a match may consist of what was dropped
        let least = match atoms.len() == part.scope.atoms.len() {
            true => u32::try_from(part.shortest.min(2)).unwrap_or(2),
            false => 0,
        };
        let held =
            Held { atoms, least, most: part.most, definite: true, part: self.here(), ..Held::default() };
        part.binds.insert(v.0, held);
    }

    fn sequence(
        &mut self,
        left: &'a ast::Formula,
        operator: Operator,
        right: &'a ast::Formula,
        d: &mut Diagnostics,
    ) -> Option<Part> {
        let l = self.part(left, d)?;
        let layer = self.layers.len() - 1;
        let outer = self.layers[layer].left.clone();
        let both = self.join(outer.clone(), &l.binds);
        self.layers[layer].left = both;
        let r = self.part(right, d);
        self.layers[layer].left = outer;
        let mut r = r?;
        for v in r.binds.keys() {
            let name = self.names.variables[*v].name.clone();
            // so was one that is an aggregate here and events there
            let (Some(before), Some(here)) = (l.binds.get(v), r.binds.get(v)) else { continue };
            let alike = before.aggregates.is_empty() == here.aggregates.is_empty();
            if alike && self.names.find_type(&name).is_none() {
                bound_twice(&last_binding(right, &name).unwrap_or(name), d);
            }
        }
        let binds = self.join(l.binds, &r.binds);
        let mut mandatory = l.mandatory;
        mandatory.append(&mut r.mandatory);
        let mut first = l.scope.first;
        if l.nullable {
            first.extend(&r.scope.first);
        }
        let scope = Scope {
            atoms: l.scope.atoms.start..r.scope.atoms.end,
            loops: self.around(),
            first,
            single: false,
        };
        let nullable = l.nullable && r.nullable;
        let mut absent = Absent::both(l.absent, r.absent);
        if !nullable {
            self.settle(std::mem::take(&mut absent), &scope);
        }
        Some(Part {
            formula: Formula::Sequence {
                left: Box::new(l.formula),
                right: Box::new(r.formula),
                strict: operator == Operator::Strict,
            },
            binds,
            scope,
            absent,
            shortest: l.shortest + r.shortest,
            most: (l.most + r.most).min(2),
            nullable,
            mandatory,
        })
    }

    /// What variables hold over two parts that both take place.
    fn join(&self, mut a: Binds, b: &Binds) -> Binds {
        for (v, h) in b {
            let new = Held { part: h.part, ..Held::default() };
            let x = a.get_or_insert_with(*v, || new);
            x.part = if x.part == h.part { h.part } else { usize::MAX };
            x.atoms.extend(&h.atoms);
            x.aggregates.extend(&h.aggregates);
            x.projected = both(x.projected.take(), h.projected.as_ref());
            x.least = (x.least + h.least).min(2);
            x.most = (x.most + h.most).min(2);
            x.definite |= h.definite;
            x.missing = x.missing.take().or_else(|| h.missing.clone());
        }
        a
    }

    fn or(&mut self, branches: &'a [ast::Formula], d: &mut Diagnostics) -> Option<Part> {
        // each branch is looked at, whatever is wrong with another
        let mut parts = Vec::new();
        for b in branches {
            if let Some(part) = self.apart(b, d) {
                parts.push(part);
            }
        }
        if parts.len() < branches.len() {
            return None;
        }
        let mut bound = Set::new();
        for p in &parts {
            for (v, _) in &p.binds {
                bound.insert(*v);
            }
        }
        let mut binds = Binds::new();
        for &v in &bound {
            let mut all = Held { least: u32::MAX, definite: true, part: usize::MAX, ..Held::default() };
            let none = Held::default();
            for (p, b) in parts.iter().zip(branches) {
                let h = p.binds.get(&v).unwrap_or(&none);
                all.atoms.extend_from_slice(&h.atoms);
                all.aggregates.extend_from_slice(&h.aggregates);
                all.projected = both(all.projected.take(), h.projected.as_ref());
                all.least = all.least.min(h.least);
                all.most = all.most.max(h.most);
                if !h.definite && all.definite {
                    all.definite = false;
                    all.missing = Some(h.missing.clone().unwrap_or_else(|| match first_type(b) {
                        Some(t) => format!("the branch of an `or` that begins with `{t}`"),
                        None => "a branch of an `or`".into(),
                    }));
                }
            }
            binds.insert(v, all);
        }
        let start = parts.first()?.scope.atoms.start;
        let end = parts.last()?.scope.atoms.end;
        let mut first = Vec::new();
        let (mut shortest, mut most) = (u64::MAX, 0);
        for p in &parts {
            first.extend_from_slice(&p.scope.first);
            shortest = shortest.min(p.shortest);
            most = most.max(p.most);
        }
        let single = all(&parts, |p| p.scope.single);
        let nullable = any(&parts, |p| p.nullable);
        let mut formulas = Vec::new();
        let absent = self.absent_of_one(&mut parts, d);
        for p in parts {
            formulas.push(p.formula);
        }
        Some(Part {
            scope: Scope { atoms: start..end, loops: self.around(), first, single },
            shortest,
            most,
            nullable,
            formula: Formula::Or(formulas),
            binds,
            mandatory: Vec::new(),
            absent,
        })
    }

    fn iterate(
        &mut self,
        inner: &'a ast::Formula,
        operator: Operator,
        minimum: u32,
        maximum: Option<u32>,
        d: &mut Diagnostics,
    ) -> Option<Part> {
        let repeated = maximum != Some(1);
        let around = self.around();
        let mut part = if repeated {
            let id = LoopId(self.loops.len());
            let start = self.atoms.len();
            self.loops.push(Loop {
                strict: operator == Operator::Strict,
                enclosing: around.clone(),
                atoms: start..start,
            });
            self.layers.push(Layer { id: Some(id), left: Binds::new(), body: inner });
            let part = self.apart(inner, d);
            self.layers.pop();
            let mut part = part?;
            self.loops[id.0].atoms = part.scope.atoms.clone();
            part.formula = Formula::Iterate { inner: Box::new(part.formula), id };
            self.earlier(id, &part.binds, d);
            for h in part.binds.values_mut() {
                h.most = 2;
            }
            part.most = 2;
            part.scope.single = false;
            part
        } else if minimum == 0 {
            self.apart(inner, d)?
        } else {
            self.part(inner, d)?
        };
        part.scope.loops = around;
        let absent = std::mem::take(&mut part.absent);
        if absent.partly || minimum > 0 && repeated {
            self.unsettled(&absent, d);
        } else if minimum > 0 {
            part.absent = absent;
        }
        if minimum == 0 {
            part.formula = Formula::Optional(Box::new(part.formula));
            part.nullable = true;
            part.shortest = 0;
            part.mandatory.clear();
            for h in part.binds.values_mut() {
                h.least = 0;
            }
        }
        Some(part)
    }

    /// `prev(b)` and `first(b)` mean b of earlier repetitions, whichever branch of the body bound it there.
    fn earlier(&mut self, id: LoopId, binds: &Binds, d: &mut Diagnostics) {
        let schema = self.names.schema;
        for c in &mut self.conjuncts {
            let Conjunct { reads, disjuncts, loc, .. } = c;
            for (i, r) in reads.iter_mut().enumerate() {
                if r.region != Region::Previous(id) && r.region != Region::FirstBefore(id) {
                    continue;
                }
                let name = r.name.to_string();
                let own = |v: &usize| {
                    let of = self.names.variables[*v].name.to_string();
                    [format!("__prev_{of}"), format!("__first_{of}")].contains(&name)
                };
                let Some((v, held)) = find(binds.as_slice(), |(v, _)| own(v)) else { continue };
                let mut types = Set::new();
                for a in &held.atoms {
                    types.insert(self.atoms[a.0].ty);
                }
                for (k, a) in r.attributes.iter_mut().enumerate() {
                    let mut nullable = a.nullable;
                    for t in &types {
                        if any(&a.of, |(x, _)| x == t) {
                            continue;
                        }
                        let all = &schema.types[t.0].attributes;
                        let Some(of) = position(all, |x| x.name == a.name) else {
                            nullable = true;
                            continue;
                        };
                        if all[of].kind != a.kind {
                            super::resolve::unlike(&a.name, &a.kind, &all[of].kind, a.loc, d);
                            continue;
                        }
                        nullable |= all[of].nullable;
                        a.of.push((*t, AttributeId(of)));
                    }
                    // on a branch that lacks it, it is NULL
                    if nullable && !a.nullable {
                        a.nullable = true;
                        for disjunct in &mut *disjuncts {
                            if super::resolve::mentions(&disjunct.expr, &r.name, &a.name) {
                                disjunct.opened.push((i, k));
                            }
                        }
                    }
                }
                if r.computed != held.aggregates {
                    let of = &self.names.variables[*v].name;
                    d.error(Code::NotSupported, *loc, format!("an earlier `{of}`, which another branch computes in another way, is not supported yet"))
                        .help("name the aggregates of the branches apart");
                }
                r.atoms.clone_from(&held.atoms);
            }
        }
    }

    /// `(φ select x, y)`
    fn project(&mut self, part: &mut Part, keep: &[Ident], d: &mut Diagnostics) {
        let mut kept = Vec::new();
        for name in keep {
            match self.names.find(name).filter(|v| part.binds.contains_key(&v.0)) {
                Some(v) => kept.push(v),
                None => {
                    d.error(
                        Code::UnknownVariable,
                        name.span(),
                        format!("`{name}` is not bound in these parentheses"),
                    )
                    .help("`select` inside parentheses keeps variables of the formula in front of it");
                }
            }
        }
        self.dropped.extend(part.binds.keys().copied().filter(|v| !kept.contains(&VariableId(*v))));
        part.binds.retain(|v, _| kept.contains(&VariableId(*v)));
        for a in part.scope.atoms.clone() {
            self.atoms[a].variables.retain(|v| kept.contains(v));
        }
    }
}

/// The attributes that two projections leave.
fn both(a: Option<Vec<Ident>>, b: Option<&Vec<Ident>>) -> Option<Vec<Ident>> {
    match (a, b) {
        (Some(mut a), Some(b)) => {
            a.retain(|x| b.contains(x));
            Some(a)
        }
        (a, b) => a.or_else(|| b.cloned()),
    }
}

/// The event type that a formula begins with, to name it by.
fn first_type(f: &ast::Formula) -> Option<&Ident> {
    match &f.kind {
        FormulaKind::Type(name) => Some(name),
        FormulaKind::As { inner, .. }
        | FormulaKind::Iterate { inner, .. }
        | FormulaKind::Filter { inner, .. }
        | FormulaKind::Aggregate { inner, .. }
        | FormulaKind::Project { inner, .. }
        | FormulaKind::Select { inner, .. }
        | FormulaKind::Within { inner, .. } => first_type(inner),
        FormulaKind::Sequence { left, .. } => first_type(left),
        FormulaKind::Or { parts, .. } => parts.first().and_then(first_type),
        _ => None,
    }
}

pub(super) fn bound_twice(name: &Ident, d: &mut Diagnostics) {
    d.error(Code::BoundTwice, name.span(), format!("the variable `{name}` is bound twice in a sequence"))
        .note("a variable bound twice would hold both events, and `filter` could not tell them apart")
        .help(format!("use two names, `{name}1` and `{name}2`, or one group: `(… ; …) as {name}`"));
}

/// The name where a formula binds it, for its place.
fn last_binding(f: &ast::Formula, name: &Ident) -> Option<Ident> {
    match &f.kind {
        FormulaKind::As { inner, variable } | FormulaKind::Aggregate { inner, variable, .. } => {
            if variable == name { Some(variable.clone()) } else { last_binding(inner, name) }
        }
        FormulaKind::Sequence { left, right, .. } => {
            last_binding(right, name).or_else(|| last_binding(left, name))
        }
        FormulaKind::Or { parts, .. } => parts.iter().rev().find_map(|p| last_binding(p, name)),
        FormulaKind::Iterate { inner, .. }
        | FormulaKind::Filter { inner, .. }
        | FormulaKind::Project { inner, .. }
        | FormulaKind::Select { inner, .. }
        | FormulaKind::Within { inner, .. } => last_binding(inner, name),
        _ => None,
    }
}

/// How often a formula binds a name, counted up to 2; inside an iteration that is more than once.
pub(crate) fn bindings(f: &ast::Formula, name: &Ident) -> u32 {
    let n = match &f.kind {
        FormulaKind::Type(t) => u32::from(t == name),
        FormulaKind::As { inner, variable } | FormulaKind::Aggregate { inner, variable, .. } => {
            u32::from(variable == name) + bindings(inner, name)
        }
        FormulaKind::Sequence { left, right, .. } => bindings(left, name) + bindings(right, name),
        FormulaKind::Or { parts, .. } => {
            let mut most = 0;
            for p in parts {
                most = most.max(bindings(p, name));
            }
            most
        }
        FormulaKind::Iterate { inner, maximum, .. } => {
            bindings(inner, name) * if *maximum == Some(1) { 1 } else { 2 }
        }
        FormulaKind::Filter { inner, .. }
        | FormulaKind::Project { inner, .. }
        | FormulaKind::Within { inner, .. } => bindings(inner, name),
        FormulaKind::Select { inner, variables, .. } if any(variables, |v| v == name) => {
            bindings(inner, name)
        }
        _ => 0,
    };
    n.min(2)
}

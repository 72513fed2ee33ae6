//! Filters over the atoms bound so far.
use super::{Config, Random};
use crate::model::{AttrDecl, Declaration, Ty, Value};
use std::collections::{BTreeMap, BTreeSet};

/// An atom that a filter may read.
#[derive(Clone, Debug)]
pub(super) struct Atom {
    pub(super) index: usize,
    pub(super) ty: usize,
    pub(super) names: Vec<String>,
}

/// What was written so far, so that nothing contradicts it.
#[derive(Clone, Debug)]
pub(super) struct Conditions<'a> {
    pub(super) declaration: &'a Declaration,
    config: &'a Config,
    pub(super) atoms: Vec<Atom>,
    pub(super) parameters: BTreeMap<String, (Ty, Value)>,
    pub(super) arities: Vec<usize>,
    pub(super) constructs: Vec<&'static str>,
    /// Attributes that were compared with something constant.
    bounded: BTreeSet<(usize, String)>,
    /// Per attribute, groups of atoms whose order is fixed: two of a group are not compared again.
    ordered: BTreeMap<String, Vec<BTreeSet<usize>>>,
}

/// A comparison and the atoms that it reads.
type Test = (String, BTreeSet<usize>);

impl<'a> Conditions<'a> {
    pub(super) fn new(declaration: &'a Declaration, _types: &[usize], config: &'a Config) -> Conditions<'a> {
        Conditions {
            declaration,
            config,
            atoms: Vec::new(),
            parameters: BTreeMap::new(),
            arities: Vec::new(),
            constructs: Vec::new(),
            bounded: BTreeSet::new(),
            ordered: BTreeMap::new(),
        }
    }

    /// A condition, where the atoms so far give one.
    pub(super) fn condition(&mut self, r: &mut Random) -> Option<String> {
        let n = *r.pick(&[1, 1, 1, 1, 1, 2, 2, 3]);
        let mut parts = Vec::new();
        for _ in 0..n {
            let Some((mut text, mut reads)) = self.test(r) else { continue };
            if self.config.disjunctions
                && r.percent(25)
                && let Some((other, more)) = self.test(r)
                // a `String` cannot be kept, so a conjunct that reads one reads nothing else
                && (reads == more || ![&text, &other].iter().any(|c| c.contains(".t ")))
            {
                text = match r.below(3) {
                    0 => format!("({text}) || {other}"),
                    1 => format!("(({text} || {other}))"),
                    _ => format!("{text} || {other}"),
                };
                reads.extend(more);
                self.constructs.push("||");
            }
            self.arities.push(reads.len());
            parts.push(text);
        }
        // `||` binds looser than `&&`.
        let several = parts.len() > 1;
        let wrap = |p: String| if several && p.contains("||") { format!("({p})") } else { p };
        let parts: Vec<String> = parts.into_iter().map(wrap).collect();
        (!parts.is_empty()).then(|| parts.join(" && "))
    }

    fn atom(&self, r: &mut Random) -> Option<Atom> {
        if self.atoms.is_empty() {
            return None;
        }
        // The latest are read most: their conditions are in the newest scope.
        let i = r.below(self.atoms.len()).max(r.below(self.atoms.len()));
        Some(self.atoms[i].clone())
    }

    fn attribute(&self, r: &mut Random, a: &Atom) -> Option<AttrDecl> {
        let list = &self.declaration.types[a.ty].attributes;
        if list.is_empty() { None } else { Some(r.pick(list).clone()) }
    }

    fn test(&mut self, r: &mut Random) -> Option<Test> {
        (0..6).find_map(|_| match r.below(10) {
            0..=3 => self.pair(r),
            4 if self.config.parameters => self.parameter(r),
            5 | 6 if self.config.costly => self.costly(r),
            7 if self.config.nulls => self.null(r),
            _ => self.constant(r),
        })
    }

    /// Compared with a literal; at most once per attribute of an atom.
    fn constant(&mut self, r: &mut Random) -> Option<Test> {
        let a = self.atom(r)?;
        let attr = self.attribute(r, &a)?;
        if !self.bounded.insert((a.index, attr.name.clone())) {
            return None;
        }
        let x = format!("{}.{}", r.pick(&a.names), attr.name);
        let k = r.between(1, 3);
        let op = *r.pick(&["<=", ">=", "<=", ">=", "<", ">", "!=", "!=", "=="]);
        // A domain of 0 to 4: no bound that is always or never true.
        let text = match attr.ty {
            Ty::Bool => {
                if r.percent(50) {
                    x
                } else {
                    format!("!{x}")
                }
            }
            Ty::F64 => format!("{x} {op} {k}.{}", r.pick(&["0", "5"])),
            Ty::Char => format!("{x} {} '{}'", r.pick(&["==", "!="]), r.pick(&['p', 'q', 'r'])),
            Ty::Str | Ty::String => format!("{x} {} \"{}\"", r.pick(&["==", "!="]), r.pick(&["up", "down"])),
            _ if r.percent(20) && self.config.costly => format!("matches!({x}, {k} | 3..=4)"),
            _ if r.percent(15) => format!("{k} {op} {x}"),
            _ => format!("{x} {op} {k}"),
        };
        Some((text, [a.index].into()))
    }

    /// Two atoms compared.
    fn pair(&mut self, r: &mut Random) -> Option<Test> {
        let (a, b) = (self.atom(r)?, self.atom(r)?);
        let attr = self.attribute(r, &a)?;
        let other: Vec<&AttrDecl> =
            self.declaration.types[b.ty].attributes.iter().filter(|o| o.ty == attr.ty).collect();
        if a.index == b.index || other.is_empty() || attr.ty == Ty::String {
            return None;
        }
        let other = (*r.pick(&other)).clone();
        if !self.order(&attr, &other, a.index, b.index) {
            return None;
        }
        let op = match attr.ty {
            Ty::Bool | Ty::Char | Ty::Str => *r.pick(&["==", "!="]),
            _ => *r.pick(&["<", "<=", ">", ">=", "<=", ">=", "!=", "=="]),
        };
        let text = format!("{}.{} {op} {}.{}", r.pick(&a.names), attr.name, r.pick(&b.names), other.name);
        Some((text, [a.index, b.index].into()))
    }

    /// Whether two atoms may be compared on these attributes: not if others already chain them together.
    fn order(&mut self, a: &AttrDecl, b: &AttrDecl, i: usize, j: usize) -> bool {
        let groups = self.ordered.entry(a.ty.name().to_owned()).or_default();
        let key = |name: &str, i: usize| i * 100 + name.bytes().map(usize::from).sum::<usize>() % 100;
        let (i, j) = (key(&a.name, i), key(&b.name, j));
        if groups.iter().any(|g| g.contains(&i) && g.contains(&j)) {
            return false;
        }
        let (mut joined, rest): (Vec<_>, Vec<_>) =
            std::mem::take(groups).into_iter().partition(|g| g.contains(&i) || g.contains(&j));
        joined.push([i, j].into());
        *groups = rest;
        groups.push(joined.into_iter().flatten().collect());
        true
    }

    fn parameter(&mut self, r: &mut Random) -> Option<Test> {
        let a = self.atom(r)?;
        let attr = self.attribute(r, &a)?;
        let (name, value) = match attr.ty {
            Ty::I32 => ("p_int", Value::Int(r.between(0, 3) as i128)),
            Ty::I64 => ("p_long", Value::Int(r.between(0, 3) as i128)),
            Ty::F64 => ("p_real", Value::Float(f64::from(u8::try_from(r.between(1, 6)).unwrap_or(1)) / 2.0)),
            Ty::Bool => ("p_flag", Value::Bool(r.percent(50))),
            _ => return None,
        };
        self.parameters.entry(name.into()).or_insert((attr.ty, value));
        self.constructs.push("parameter");
        let op = if attr.ty == Ty::Bool { "==" } else { *r.pick(&["<=", ">=", ">", "<", "!="]) };
        let x = format!("{}.{}", r.pick(&a.names), attr.name);
        let text = if r.percent(20) { format!("{name} {op} {x}") } else { format!("{x} {op} {name}") };
        Some((text, [a.index].into()))
    }

    /// The methods of an `Option`.
    fn null(&mut self, r: &mut Random) -> Option<Test> {
        let a = self.atom(r)?;
        let list = &self.declaration.types[a.ty].attributes;
        let attr = list.iter().filter(|t| t.nullable).nth(r.below(2))?.clone();
        if !self.bounded.insert((a.index, attr.name.clone())) {
            return None;
        }
        self.constructs.push("NULL");
        let x = format!("{}.{}", r.pick(&a.names), attr.name);
        let two = if attr.ty == Ty::F64 { "2.0" } else { "2" };
        let text = match r.below(6) {
            0 => format!("{x}.is_none()"),
            1 => format!("{x}.is_some()"),
            2 => format!("{x}.is_some_and(|z| z > {two})"),
            3 => format!("{x}.map_or({}, |z| z <= {two})", r.percent(50)),
            4 => format!("!({x} > {two})"),
            _ => format!("{x}.unwrap_or({two}) >= {two}"),
        };
        Some((text, [a.index].into()))
    }

    /// Conditions that may only be evaluated when needed.
    fn costly(&mut self, r: &mut Random) -> Option<Test> {
        let (a, b) = (self.atom(r)?, self.atom(r)?);
        let both: BTreeSet<usize> = [a.index, b.index].into();
        let (x, y) = (r.pick(&a.names).clone(), r.pick(&b.names).clone());
        let has =
            |c: &Self, a: &Atom, n: &str| c.declaration.types[a.ty].attributes.iter().any(|t| t.name == n);
        self.constructs.push("costly");
        Some(match r.below(5) {
            0 if b.index > a.index => {
                let most = b.index - a.index + r.between(0, 4);
                (format!("{y}.position() - {x}.position() <= {most}"), both)
            }
            1 if has(self, &a, "v") && has(self, &b, "v") && a.index != b.index => {
                (format!("{x}.v + {y}.v {} {}", r.pick(&["<", ">="]), r.between(2, 6)), both)
            }
            2 if has(self, &a, "u") && has(self, &b, "u") && self.bounded.insert((a.index, "u".into())) => {
                (format!("{x}.u != 0 && {y}.u / {x}.u <= {}", r.between(1, 2)), both)
            }
            3 if has(self, &a, "w") && has(self, &b, "w") && a.index != b.index => {
                (format!("({x}.w - {y}.w).abs() <= {}", r.between(1, 3)), both)
            }
            4 if has(self, &a, "f") && has(self, &b, "f") && a.index != b.index => {
                (format!("{x}.f * 0.5 <= {y}.f"), both)
            }
            _ => {
                self.constructs.pop();
                return None;
            }
        })
    }
}

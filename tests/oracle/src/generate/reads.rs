//! Filters that read single events, iterated variables, earlier repetitions and summaries.
use super::Random;
use crate::model::{AttrDecl, Declaration, Ty, Value};
use std::collections::{BTreeMap, BTreeSet};

/// A variable, as the part of the formula at hand binds it.
#[derive(Clone, Debug)]
pub(super) struct Bound {
    pub(super) name: String,
    pub(super) atoms: BTreeSet<usize>,
    pub(super) types: BTreeSet<usize>,
    /// It may hold more than one event.
    pub(super) many: bool,
    /// It may hold none.
    pub(super) optional: bool,
    /// Bound on every way.
    pub(super) definite: bool,
    /// By `as`.
    pub(super) named: bool,
}

impl Bound {
    pub(super) fn of_type(name: String, atom: usize, ty: usize) -> Bound {
        let (atoms, types) = ([atom].into(), [ty].into());
        Bound { name, atoms, types, many: false, optional: false, definite: true, named: false }
    }
}

/// What a filter sees.
pub(super) struct Scope<'a> {
    /// Bound by the formula it follows.
    pub(super) inside: &'a [Bound],
    /// Bound to the left of the parentheses.
    pub(super) left: &'a [Bound],
    /// Inside an iteration: how much of `left` is outside of it.
    pub(super) body: Option<usize>,
}

/// What was written so far, so that nothing contradicts it.
pub(super) struct Reads<'a> {
    pub(super) declaration: &'a Declaration,
    pub(super) parameters: BTreeMap<String, (Ty, Value)>,
    pub(super) arities: Vec<usize>,
    pub(super) constructs: Vec<&'static str>,
    /// Types of several atoms: their names are not read.
    pub(super) repeated: BTreeSet<usize>,
    /// Mostly comparisons of two events.
    pub(super) compare: bool,
    bounded: BTreeSet<(usize, String)>,
    ordered: Vec<BTreeSet<(usize, String)>>,
}

impl<'a> Reads<'a> {
    pub(super) fn new(declaration: &'a Declaration, types: &[usize]) -> Reads<'a> {
        let repeated = types.iter().copied().filter(|t| types.iter().filter(|u| *u == t).count() > 1);
        Reads {
            declaration,
            parameters: BTreeMap::new(),
            arities: Vec::new(),
            constructs: Vec::new(),
            repeated: repeated.collect(),
            compare: false,
            bounded: BTreeSet::new(),
            ordered: Vec::new(),
        }
    }

    /// The attributes that all types of a variable have, and alike.
    pub(super) fn alike(&self, b: &Bound) -> Vec<String> {
        let of = |t: &usize| &self.declaration.types[*t].attributes;
        let Some(first) = b.types.first() else { return Vec::new() };
        let same = |a: &&AttrDecl| {
            b.types.iter().all(|t| of(t).iter().any(|x| x.name == a.name && x.nullable == a.nullable))
        };
        of(first).iter().filter(same).map(|a| a.name.clone()).collect()
    }

    pub(super) fn condition(&mut self, r: &mut Random, scope: &Scope<'_>) -> Option<String> {
        let readable = |b: &&Bound| b.named || b.types.iter().all(|t| !self.repeated.contains(t));
        let inside: Vec<Bound> = scope.inside.iter().filter(readable).cloned().collect();
        let left: Vec<(bool, Bound)> = scope
            .left
            .iter()
            .enumerate()
            .filter(|(_, b)| readable(b) && b.definite && !scope.inside.iter().any(|i| i.name == b.name))
            .map(|(i, b)| (scope.body.is_some_and(|n| i >= n), b.clone()))
            .collect();
        if inside.is_empty() {
            return None;
        }
        let pools = Pools { inside, left, body: scope.body.is_some() };
        let n = *r.pick(&[1, 1, 1, 2]);
        let mut parts = Vec::new();
        for _ in 0..n {
            let Some((mut text, mut arity)) = self.test(r, &pools) else { continue };
            if r.percent(15)
                && let Some((other, more)) = self.test(r, &pools)
            {
                text = format!("({text} || {other})");
                arity += more;
                self.constructs.push("||");
            }
            self.arities.push(arity);
            parts.push(text);
        }
        (!parts.is_empty()).then(|| parts.join(" && "))
    }

    fn attribute(&self, r: &mut Random, b: &Bound) -> AttrDecl {
        let all: Vec<&AttrDecl> = b
            .types
            .iter()
            .flat_map(|t| &self.declaration.types[*t].attributes)
            .filter(|a| a.name != "clk")
            .collect();
        (*r.pick(&all)).clone()
    }

    fn test(&mut self, r: &mut Random, pools: &Pools) -> Option<(String, usize)> {
        (0..6).find_map(|_| match r.below(12) {
            _ if self.compare && r.percent(90) => self.pair(r, pools),
            0..=3 => self.pair(r, pools),
            4..=6 => self.past(r, pools),
            7 | 8 => self.summary(r, pools),
            9 => self.costly(r, pools),
            10 => self.null(r, pools),
            _ => self.constant(r, pools),
        })
    }

    fn constant(&mut self, r: &mut Random, pools: &Pools) -> Option<(String, usize)> {
        let b = pools.inside(r);
        let a = self.attribute(r, &b);
        if a.time || b.atoms.iter().any(|x| self.bounded.contains(&(*x, a.name.clone()))) {
            return None;
        }
        self.bounded.extend(b.atoms.iter().map(|x| (*x, a.name.clone())));
        let (x, k) = (format!("{}.{}", b.name, a.name), r.between(0, 3));
        let op = *r.pick(&["<=", ">=", "!=", ">", "<="]);
        let text = match a.ty {
            Ty::Bool => format!("!{x}"),
            Ty::F64 => format!("{x} {op} {k}.5"),
            Ty::Str => format!("{x} != \"down\""),
            Ty::I32 if r.percent(40) => {
                self.parameters.entry("p_int".into()).or_insert((Ty::I32, Value::Int(k as i128)));
                self.constructs.push("parameter");
                format!("{x} {op} p_int")
            }
            _ => format!("{x} {op} {k}"),
        };
        // `u8 >= 0` is always true
        (!text.ends_with(">= 0")).then_some((text, 1))
    }

    fn pair(&mut self, r: &mut Random, pools: &Pools) -> Option<(String, usize)> {
        let (a, b) = (pools.inside(r), pools.any(r));
        let attribute = self.attribute(r, &a);
        let has = b
            .types
            .iter()
            .any(|t| self.declaration.types[*t].attributes.iter().any(|x| x.name == attribute.name));
        if !has || a.name == b.name || !self.order(&attribute.name, &a, &b) {
            return None;
        }
        if a.many || b.many {
            self.constructs.push("for all");
        }
        let op = match attribute.ty {
            Ty::Bool | Ty::Str => *r.pick(&["==", "!="]),
            _ => *r.pick(&["<=", ">=", "<", ">", "!=", "=="]),
        };
        let name = &attribute.name;
        Some((format!("{}.{name} {op} {}.{name}", a.name, b.name), 2))
    }

    /// No cycle of comparisons.
    fn order(&mut self, name: &str, a: &Bound, b: &Bound) -> bool {
        let keys = |b: &Bound| b.atoms.iter().map(|x| (*x, name.to_owned())).collect::<BTreeSet<_>>();
        let (i, j) = (keys(a), keys(b));
        if !i.is_disjoint(&j) || self.ordered.iter().any(|g| !g.is_disjoint(&i) && !g.is_disjoint(&j)) {
            return false;
        }
        let mut joined: BTreeSet<_> = i.union(&j).cloned().collect();
        self.ordered.retain(|g| {
            let touches = !g.is_disjoint(&joined);
            if touches {
                joined.extend(g.iter().cloned());
            }
            !touches
        });
        self.ordered.push(joined);
        true
    }

    /// `prev(b)`, `first(b)`, `last(b)`
    fn past(&mut self, r: &mut Random, pools: &Pools) -> Option<(String, usize)> {
        let mut choices: Vec<(String, Bound)> = Vec::new();
        for (here, b) in pools.all() {
            let once = b.atoms.len() == 1 && !b.many;
            if pools.body && here && once {
                choices.push((format!("prev({})", b.name), b.clone()));
                choices.push((format!("first({})", b.name), b.clone()));
            }
            if b.many && b.atoms.len() <= 2 {
                choices.push((format!("first({})", b.name), b.clone()));
                choices.push((format!("last({})", b.name), b.clone()));
            }
        }
        if choices.is_empty() {
            return None;
        }
        let (text, b) = r.pick(&choices).clone();
        let attribute = self.attribute(r, &b);
        self.constructs.push("summary");
        let op = match attribute.ty {
            Ty::Bool | Ty::Str => *r.pick(&["==", "!="]),
            _ => *r.pick(&["<=", ">=", "<", ">", "!="]),
        };
        let name = &attribute.name;
        let other = pools.any(r);
        let has =
            other.types.iter().any(|t| self.declaration.types[*t].attributes.iter().any(|x| x.name == *name));
        if has {
            return Some((format!("{text}.{name} {op} {}.{name}", other.name), 2));
        }
        if !matches!(attribute.ty, Ty::I32 | Ty::I64) {
            return None;
        }
        self.constructs.push("summary");
        Some((format!("{text}.{name} != {}", r.between(0, 3)), 1))
    }

    /// `count`, `min`, `max`, `first`, `last` of a variable.
    fn summary(&mut self, r: &mut Random, pools: &Pools) -> Option<(String, usize)> {
        let (a, b) = (pools.any(r), pools.any(r));
        self.constructs.push("summary");
        if r.percent(40) {
            let op = *r.pick(&["<=", ">=", "!=", "=="]);
            return Some(if r.percent(30) && a.name != b.name {
                (format!("count({}) {op} count({})", a.name, b.name), 2)
            } else {
                (format!("count({}) {op} {}", a.name, r.between(1, 3)), 1)
            });
        }
        let attribute = self.attribute(r, &a);
        let function = *r.pick(&["min", "max", "first", "last"]);
        if !matches!(attribute.ty, Ty::I32 | Ty::I64 | Ty::F64) || attribute.time {
            self.constructs.pop();
            return None;
        }
        let op = *r.pick(&["<=", ">=", "!=", ">"]);
        let text = format!("{function}({}.{})", a.name, attribute.name);
        let has = b
            .types
            .iter()
            .any(|t| self.declaration.types[*t].attributes.iter().any(|x| x.name == attribute.name));
        if has && r.percent(50) {
            return Some((format!("{text} {op} {}.{}", b.name, attribute.name), 2));
        }
        let k = r.between(0, 3);
        Some((
            if attribute.ty == Ty::F64 { format!("{text} {op} {k}.5") } else { format!("{text} {op} {k}") },
            1,
        ))
    }

    fn costly(&mut self, r: &mut Random, pools: &Pools) -> Option<(String, usize)> {
        let (a, b) = (pools.inside(r), pools.any(r));
        if a.name == b.name {
            return None;
        }
        self.constructs.push("costly");
        Some(if r.percent(50) {
            (format!("{}.v + {}.v {} {}", a.name, b.name, r.pick(&["<", ">=", "!="]), r.between(2, 6)), 2)
        } else {
            let op = *r.pick(&["!=", "<", ">="]);
            (format!("{}.position() {op} {}.position() + {}", a.name, b.name, r.between(1, 4)), 2)
        })
    }

    fn null(&mut self, r: &mut Random, pools: &Pools) -> Option<(String, usize)> {
        let b = pools.inside(r);
        let key = |x: &usize| (*x, "n".to_owned());
        let of = |t: &usize| self.declaration.types[*t].attributes.iter().find(|a| a.name == "n");
        let any = b.types.iter().any(|t| of(t).is_some());
        let nullable = b.types.iter().any(|t| of(t).is_none_or(|a| a.nullable));
        if !any || !nullable || b.atoms.iter().any(|x| self.bounded.contains(&key(x))) {
            return None;
        }
        self.bounded.extend(b.atoms.iter().map(key));
        self.constructs.push("NULL");
        let x = format!("{}.n", b.name);
        let text = match r.below(4) {
            0 => format!("{x}.is_none()"),
            1 => format!("{x}.is_some()"),
            2 => format!("!({x} > 2)"),
            _ => format!("{x}.map_or(true, |z| z <= 2)"),
        };
        Some((text, 1))
    }
}

/// The variables that a filter may read.
struct Pools {
    inside: Vec<Bound>,
    /// With whether the iteration at hand binds it.
    left: Vec<(bool, Bound)>,
    body: bool,
}

impl Pools {
    fn inside(&self, r: &mut Random) -> Bound {
        let i = r.below(self.inside.len()).max(r.below(self.inside.len()));
        self.inside[i].clone()
    }
    fn any(&self, r: &mut Random) -> Bound {
        if self.left.is_empty() || r.percent(50) { self.inside(r) } else { r.pick(&self.left).1.clone() }
    }
    fn all(&self) -> impl Iterator<Item = (bool, &Bound)> {
        self.inside.iter().map(|b| (true, b)).chain(self.left.iter().map(|(h, b)| (*h, b)))
    }
}

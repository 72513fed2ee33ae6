//! Conditions that compare an attribute kept of an earlier event with one of the newest: what a structure can answer without a search.
//!
//! A conjunct is one where it is `x.a ⊙ y.b` and nothing else, x is one event that every way to y has passed (inside the current repetition
//! of every iteration around both), and the types are such that `⊙` is what the structure does. Everything else is opaque (class O of the
//! kernels' table): then the search over the ring decides.
use super::{Edge, Position};
use crate::hir::{AtomId, AttributeId, Conjunct, ConjunctId, Pattern, ReadAttribute, Region, Step};
use crate::schema::{Attribute, Kind};
use crate::slices::{all, any, each, find, position};
use syn::{BinOp, Expr, Member};

/// An attribute of the event that a run took at a position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Register {
    /// The position.
    pub position: usize,
    /// The attribute.
    pub attribute: AttributeId,
}

/// How a register is compared with an attribute of the newest event; the register stands on the left.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// `==`
    Equal,
    /// `!=`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

impl Operator {
    fn of(op: &BinOp) -> Option<Self> {
        Some(match op {
            BinOp::Eq(_) => Operator::Equal,
            BinOp::Ne(_) => Operator::Unequal,
            BinOp::Lt(_) => Operator::Less,
            BinOp::Le(_) => Operator::LessOrEqual,
            BinOp::Gt(_) => Operator::Greater,
            BinOp::Ge(_) => Operator::GreaterOrEqual,
            _ => return None,
        })
    }
    /// With the sides exchanged.
    fn turned(self) -> Self {
        match self {
            Operator::Less => Operator::Greater,
            Operator::LessOrEqual => Operator::GreaterOrEqual,
            Operator::Greater => Operator::Less,
            Operator::GreaterOrEqual => Operator::LessOrEqual,
            same => same,
        }
    }
    /// `<` or `<=`, or else `>` or `>=`; `None` for the equalities.
    #[must_use]
    pub fn is_up(self) -> Option<bool> {
        match self {
            Operator::Equal | Operator::Unequal => None,
            Operator::Less | Operator::LessOrEqual => Some(false),
            Operator::Greater | Operator::GreaterOrEqual => Some(true),
        }
    }
    /// Equal values pass.
    #[must_use]
    pub fn is_inclusive(self) -> bool {
        matches!(self, Operator::Equal | Operator::LessOrEqual | Operator::GreaterOrEqual)
    }
}

/// A conjunct of the form `register ⊙ newest.attribute`.
#[derive(Clone, Copy)]
pub struct Comparison {
    /// Which.
    pub conjunct: ConjunctId,
    /// Of the earlier event.
    pub register: Register,
    /// The register on the left.
    pub operator: Operator,
    /// The position at which the newest event is compared.
    pub at: usize,
    /// Its attribute.
    pub attribute: AttributeId,
}

impl Comparison {
    /// A run in `position` keeps the register for it: some way on gets there, and not through the register's position again.
    #[must_use]
    pub fn is_live(&self, positions: &[Position], position: usize) -> bool {
        let mut seen = 0u64;
        let mut open = vec![self.at];
        while let Some(q) = open.pop() {
            for (p, before) in positions.iter().enumerate() {
                if seen >> p & 1 == 0 && any(&before.edges, |e| e.to == q) {
                    seen |= 1 << p;
                    if p != self.register.position {
                        open.push(p);
                    }
                }
            }
        }
        seen >> position & 1 != 0
    }
}

/// Every conjunct over several events as a comparison, or the first one that is none.
pub(super) fn comparisons(
    pattern: &Pattern,
    positions: &[Position],
    start: &[Edge],
) -> Result<Vec<Comparison>, ConjunctId> {
    let mut out = Vec::new();
    for (i, c) in pattern.conjuncts.iter().enumerate() {
        if c.is_unary() {
            continue;
        }
        let id = ConjunctId(i);
        out.push(comparison(pattern, positions, start, id, c).ok_or(id)?);
    }
    Ok(out)
}

fn comparison(
    pattern: &Pattern,
    positions: &[Position],
    start: &[Edge],
    conjunct: ConjunctId,
    c: &Conjunct,
) -> Option<Comparison> {
    let ([disjunct], [_, _]) = (&c.disjuncts[..], &c.reads[..]) else { return None };
    let computed = c.reads.iter().any(|r| !r.computed.is_empty());
    if c.step != Step::Join || !c.folds.is_empty() || computed || !c.parameters.is_empty() {
        return None;
    }
    let Expr::Binary(b) = plain(&disjunct.expr) else { return None };
    let operator = Operator::of(&b.op)?;
    let (left, right) = (side(c, &b.left)?, side(c, &b.right)?);
    if left.0 == right.0 {
        return None;
    }
    // atoms are numbered from left to right, so the smaller one was bound before
    let turned = c.reads[left.0].atoms > c.reads[right.0].atoms;
    let (earlier, newest, operator) =
        if turned { (right, left, operator.turned()) } else { (left, right, operator) };
    let (x, y) = (&c.reads[earlier.0], &c.reads[newest.0]);
    let ([from], [at], Region::All(within)) = (&x.atoms[..], &y.atoms[..], &x.region) else { return None };
    if x.position || y.position || !y.inside || !matches!(y.region, Region::All(_)) {
        return None;
    }
    let (kept, met) = (attribute(pattern, *from, earlier.1)?, attribute(pattern, *at, newest.1)?);
    let ((a, kept), (attribute, met)) = (kept, met);
    if !compare(kept, met, operator, c.cheap) {
        return None;
    }
    let around = |atom: AtomId| {
        let mut loops = Vec::new();
        for (i, l) in pattern.loops.iter().enumerate() {
            if l.atoms.contains(&atom.0) {
                loops.push(i);
            }
        }
        loops
    };
    // one event of x for each of y: they repeat together, and only the current repetition is meant
    let (loops, others) = (around(*from), around(*at));
    let together = all(&loops, |l| others.contains(l));
    let current = all(within, |l| loops.contains(&l.0))
        && loops.last().is_none_or(|innermost| any(within, |w| w.0 == *innermost));
    let always = passes(positions, start, from.0, at.0, &loops);
    (together && current && always).then_some(Comparison {
        conjunct,
        register: Register { position: from.0, attribute: a },
        operator,
        at: at.0,
        attribute,
    })
}

/// Every way to `to`, and every way to it inside a repetition of one of `loops`, passes `by`.
fn passes(positions: &[Position], start: &[Edge], by: usize, to: usize, loops: &[usize]) -> bool {
    let mut open = each(start, |e| e.to);
    for p in positions {
        for e in &p.edges {
            if e.repeats.is_some_and(|l| loops.contains(&l)) {
                open.push(e.to);
            }
        }
    }
    let mut seen = 0u64;
    while let Some(q) = open.pop() {
        if q == by || seen >> q & 1 != 0 {
            continue;
        }
        if q == to {
            return false;
        }
        seen |= 1 << q;
        for e in &positions[q].edges {
            open.push(e.to);
        }
    }
    true
}

/// Without parentheses.
fn plain(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(p) => plain(&p.expr),
        Expr::Group(g) => plain(&g.expr),
        e => e,
    }
}

/// `x.a`: the read and its attribute.
fn side<'c>(c: &'c Conjunct, expr: &Expr) -> Option<(usize, &'c ReadAttribute)> {
    let Expr::Field(f) = plain(expr) else { return None };
    let (Expr::Path(base), Member::Named(name)) = (plain(&f.base), &f.member) else { return None };
    let base = base.path.get_ident()?;
    let read = position(&c.reads, |r| r.name == *base)?;
    let attribute = find(&c.reads[read].attributes, |a| a.name == *name)?;
    Some((read, attribute))
}

/// An attribute on the type of an atom.
fn attribute<'p>(
    pattern: &'p Pattern,
    atom: AtomId,
    a: &ReadAttribute,
) -> Option<(AttributeId, &'p Attribute)> {
    let ty = pattern.atoms[atom.0].ty;
    let (_, id) = find(&a.of, |(t, _)| *t == ty)?;
    Some((*id, pattern.attribute(atom, *id)))
}

/// Filing one under its value and looking the other up is what the operator does: known types compare as we think they do, opaque ones where
/// their attribute says so.
fn compare(a: &Attribute, b: &Attribute, operator: Operator, cheap: bool) -> bool {
    match (&a.kind, &b.kind) {
        (Kind::Opaque, Kind::Opaque) => {
            a.kept
                && b.kept
                && if operator.is_up().is_some() {
                    a.ord && b.ord
                } else {
                    operator == Operator::Equal && a.key && b.key
                }
        }
        (Kind::Str, Kind::Str) => a.kept && b.kept && matches!(operator, Operator::Equal | Operator::Unequal),
        (x, y) => {
            cheap && a.kept && x == y && matches!(x, Kind::Int(_) | Kind::Float(_) | Kind::Bool | Kind::Char)
        }
    }
}

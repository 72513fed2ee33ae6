//! Bounds on one attribute that no value meets.
use super::lower::Lowering;
use super::text;
use crate::diagnostic::{Code, Diagnostics};
use crate::hir::{AtomId, AttributeId};
use crate::schema::Kind;
use crate::slices::position;
use crate::sorted::Map;
use syn::{BinOp, Expr, Lit, Member, UnOp};

/// Reports them, for events that every match holds.
pub(crate) fn satisfiable(pass: &Lowering<'_>, mandatory: &[AtomId], d: &mut Diagnostics) {
    let (names, conjuncts) = (pass.names, &pass.conjuncts);
    let mut ranges: Map<(AtomId, AttributeId), (Range, Vec<String>)> = Map::new();
    for c in conjuncts {
        if c.implied {
            continue;
        }
        let ([part], [read], true) = (&c.disjuncts[..], &c.reads[..], c.is_unary()) else { continue };
        let [atom] = read.atoms[..] else { continue };
        if !mandatory.contains(&atom) {
            continue;
        }
        let Some((attribute, bound)) = bound(&part.expr) else { continue };
        let event = &names.schema.types[pass.atoms[atom.0].ty.0];
        let Some(i) = position(&event.attributes, |a| a.name == attribute) else { continue };
        let Some(whole) = Range::of(&event.attributes[i].kind) else { continue };
        let key = (atom, AttributeId(i));
        let (range, others) = ranges.get_or_insert_with(key, || (whole, Vec::new()));
        let narrowed = range.meet(&bound);
        if narrowed.is_empty() && !range.is_empty() {
            let all = text(&part.expr);
            let e = d.error(
                Code::Unsatisfiable,
                c.loc,
                format!("no value of `{}.{attribute}` meets this condition", read.name),
            );
            if others.is_empty() {
                e.note(format!("its type has no value with `{all}`"));
            } else {
                e.note(format!("{} contradicts it", others.join(" with ")));
            }
            e.help("a pattern that can match nothing is a mistake: change one of the conditions");
        }
        *range = narrowed;
        others.push(format!("`{}`", text(&part.expr)));
    }
}

/// `x.attr op literal`, either way round.
fn bound(e: &Expr) -> Option<(String, Range)> {
    match e {
        Expr::Paren(p) => bound(&p.expr),
        Expr::Group(g) => bound(&g.expr),
        Expr::Binary(b) => {
            if let (Some(a), Some(v)) = (attribute(&b.left), number(&b.right)) {
                return Some((a, Range::from_op(&b.op, v)?));
            }
            let (Some(a), Some(v)) = (attribute(&b.right), number(&b.left)) else { return None };
            let turned = match b.op {
                BinOp::Lt(_) => BinOp::Gt(Default::default()),
                BinOp::Le(_) => BinOp::Ge(Default::default()),
                BinOp::Gt(_) => BinOp::Lt(Default::default()),
                BinOp::Ge(_) => BinOp::Le(Default::default()),
                BinOp::Eq(_) => BinOp::Eq(Default::default()),
                _ => return None,
            };
            Some((a, Range::from_op(&turned, v)?))
        }
        _ => None,
    }
}

fn attribute(e: &Expr) -> Option<String> {
    let Expr::Field(f) = e else { return None };
    super::walk::single(&f.base)?;
    match &f.member {
        Member::Named(n) => Some(n.to_string()),
        Member::Unnamed(_) => None,
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Number {
    Int(i128),
    Float(f64),
}

fn number(e: &Expr) -> Option<Number> {
    match e {
        Expr::Paren(p) => number(&p.expr),
        Expr::Group(g) => number(&g.expr),
        Expr::Lit(l) => match &l.lit {
            Lit::Int(i) => i.base10_parse().ok().map(Number::Int),
            Lit::Float(f) => f.base10_parse().ok().map(Number::Float),
            _ => None,
        },
        Expr::Unary(u) if matches!(u.op, UnOp::Neg(_)) => Some(match number(&u.expr)? {
            Number::Int(i) => Number::Int(-i),
            Number::Float(f) => Number::Float(-f),
        }),
        _ => None,
    }
}

/// The values from `low` to `high`, both included unless `open`.
#[derive(Clone, Copy, PartialEq)]
enum Range {
    Int { low: i128, high: i128 },
    Float { low: f64, high: f64, open_low: bool, open_high: bool },
}

impl Range {
    fn of(kind: &Kind) -> Option<Range> {
        match kind {
            Kind::Int(i) => {
                let (low, high) = match (i.signed, i.bits) {
                    (true, 128) => (i128::MIN, i128::MAX),
                    // wide enough for any literal that a comparison can have
                    (false, 128) => (0, i128::MAX),
                    (true, b) => (-(1 << (b - 1)), (1 << (b - 1)) - 1),
                    (false, b) => (0, (1 << b) - 1),
                };
                Some(Range::Int { low, high })
            }
            Kind::Float(_) => Some(Range::Float {
                low: f64::NEG_INFINITY,
                high: f64::INFINITY,
                open_low: false,
                open_high: false,
            }),
            _ => None,
        }
    }

    fn from_op(op: &BinOp, v: Number) -> Option<Range> {
        Some(match v {
            Number::Int(n) => {
                let (low, high) = match op {
                    BinOp::Lt(_) => (i128::MIN, n.checked_sub(1)?),
                    BinOp::Le(_) => (i128::MIN, n),
                    BinOp::Gt(_) => (n.checked_add(1)?, i128::MAX),
                    BinOp::Ge(_) => (n, i128::MAX),
                    BinOp::Eq(_) => (n, n),
                    _ => return None,
                };
                Range::Int { low, high }
            }
            Number::Float(n) => {
                let (low, high, open_low, open_high) = match op {
                    BinOp::Lt(_) => (f64::NEG_INFINITY, n, false, true),
                    BinOp::Le(_) => (f64::NEG_INFINITY, n, false, false),
                    BinOp::Gt(_) => (n, f64::INFINITY, true, false),
                    BinOp::Ge(_) => (n, f64::INFINITY, false, false),
                    BinOp::Eq(_) => (n, n, false, false),
                    _ => return None,
                };
                Range::Float { low, high, open_low, open_high }
            }
        })
    }

    fn meet(&self, other: &Range) -> Range {
        match (*self, *other) {
            (Range::Int { low: a, high: b }, Range::Int { low: c, high: d }) => {
                Range::Int { low: a.max(c), high: b.min(d) }
            }
            (
                Range::Float { low: a, high: b, open_low: oa, open_high: ob },
                Range::Float { low: c, high: d, open_low: oc, open_high: od },
            ) => {
                let (low, open_low) = if a > c {
                    (a, oa)
                } else if c > a {
                    (c, oc)
                } else {
                    (a, oa || oc)
                };
                let (high, open_high) = if b < d {
                    (b, ob)
                } else if d < b {
                    (d, od)
                } else {
                    (b, ob || od)
                };
                Range::Float { low, high, open_low, open_high }
            }
            // unlike types were reported where they are compared
            (a, _) => a,
        }
    }

    fn is_empty(&self) -> bool {
        match *self {
            Range::Int { low, high } => low > high,
            Range::Float { low, high, open_low, open_high } => {
                low > high || (low == high && (open_low || open_high))
            }
        }
    }
}

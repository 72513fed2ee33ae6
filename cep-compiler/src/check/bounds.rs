//! Windows, and patterns that can match nothing.
use super::names::Names;
use super::output::not_kept;
use super::text;
use crate::ast::{self, Output, Within};
use crate::diagnostic::{Code, Diagnostics};
use crate::hir::{AtomId, AttributeId, Conjunct};
use crate::schema::Kind;
use std::collections::BTreeMap;
use syn::{BinOp, Expr, Lit, Member, UnOp};

/// The longest window the numbers of the engine are made for.
const LONGEST: u64 = 1 << 40;

/// A window that is missing, or shorter than the pattern; attributes that would have to be kept and cannot.
pub(crate) fn window(pattern: &ast::Pattern, names: &Names<'_>, conjuncts: &[Conjunct], d: &mut Diagnostics) {
    let steps = names.atoms.len() as u64;
    match &pattern.clauses.within {
        Some(c) => {
            if let Within::Events { count, .. } = c.value {
                if count < steps {
                    d.error(Code::Unsatisfiable, c.loc, format!("this pattern can match nothing: it has {steps} events, and its window holds {count}"))
                        .help(format!("write `within {steps} events` or more"));
                } else if count > LONGEST {
                    d.error(
                        Code::TooLarge,
                        c.loc,
                        format!("a window of more than {LONGEST} events is not possible"),
                    )
                    .help("choose a shorter window");
                }
            }
        }
        None => missing(pattern, names, conjuncts, d),
    }
    for c in conjuncts.iter().filter(|c| !c.is_unary()) {
        for r in &c.reads {
            let event = &names.schema.types[names.atoms[r.atom.0].ty.0];
            for (a, loc) in &r.attributes {
                let attribute = &event.attributes[a.0];
                if !attribute.kept {
                    let why =
                        "this condition reads several events, so each is compared when the others are there";
                    not_kept(*loc, &format!("{}.{}", r.name, attribute.name), why, d);
                }
            }
        }
    }
}

fn missing(pattern: &ast::Pattern, names: &Names<'_>, conjuncts: &[Conjunct], d: &mut Diagnostics) {
    if names.atoms.len() <= 1 {
        return;
    }
    let detect = matches!(pattern.clauses.output.as_ref().map(|o| &o.value), Some(Output::Detect));
    let joined = conjuncts.iter().find(|c| !c.is_unary());
    let (at, why) = match (detect, joined) {
        (true, None) => return,
        (true, Some(c)) => (c.loc, "this condition compares an event with earlier ones, which have to be kept until they are too old".to_string()),
        (false, _) => {
            let at = pattern.clauses.output.as_ref().map_or(pattern.formula.loc, |o| o.loc);
            (at, format!("matches are made of {} events, and the earlier ones have to be kept until they are too old", names.atoms.len()))
        }
    };
    d.error(Code::MissingBound, at, "this pattern needs a window").note(why).help(format!(
        "add a clause behind the formula: `within 100 events` (at least {}); `detect` of conditions on single events needs none",
        names.atoms.len()
    ));
}

/// Bounds on one attribute that no value meets.
pub(crate) fn satisfiable(names: &Names<'_>, conjuncts: &[Conjunct], d: &mut Diagnostics) {
    let mut ranges: BTreeMap<(AtomId, AttributeId), (Range, Vec<String>)> = BTreeMap::new();
    for c in conjuncts {
        let ([part], [read]) = (&c.disjuncts[..], &c.reads[..]) else { continue };
        let Some((attribute, bound)) = bound(&part.expr) else { continue };
        let event = &names.schema.types[names.atoms[read.atom.0].ty.0];
        let Some(i) = event.attributes.iter().position(|a| a.name == attribute) else { continue };
        let Some(whole) = Range::of(&event.attributes[i].kind) else { continue };
        let key = (read.atom, AttributeId(i));
        let (range, others) = ranges.entry(key).or_insert((whole, Vec::new()));
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

#[derive(Clone, Copy, PartialEq, Debug)]
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
#[derive(Clone, Copy, PartialEq, Debug)]
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

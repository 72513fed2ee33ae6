//! Whether all results can be summed up without looking at one, by the inverse product.
use super::{Plan, Position};
use crate::ast::Consume;
use crate::check::too_many;
use crate::diagnostic::{Code, Diagnostics};
use crate::hir::{self, Column, ColumnOf, FoldId, Function, Output, Summary};
use crate::schema::Kind;

/// The numbers that the product carries beside the count of runs.
#[derive(Clone)]
pub struct Product {
    /// 128-bit numbers: 64 bits are not proved to be enough.
    pub wide: bool,
    /// What each of them sums up.
    pub sums: Vec<Sum>,
}

/// One number: a sum over all events that a variable has in all results.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Sum {
    /// Whose variable and attribute.
    pub fold: FoldId,
    /// What each event adds.
    pub of: Adds,
}

/// What an event adds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Adds {
    /// One.
    One,
    /// One where the attribute is NULL.
    Null,
    /// One where it is not.
    Present,
    /// The attribute; nothing where it is NULL.
    Value,
}

impl Adds {
    /// The numbers that a fold needs: what is counted or summed; and for an average how many.
    #[must_use]
    pub fn of(f: &hir::Fold) -> Vec<Adds> {
        let nullable = f.attribute.as_ref().is_some_and(|a| a.nullable);
        let many = if nullable && f.some { Adds::Present } else { Adds::One };
        let mut out = match f.function {
            Function::Count => vec![many],
            Function::Sum => vec![Adds::Value],
            _ => vec![Adds::Value, many],
        };
        if nullable && !f.some {
            out.push(Adds::Null);
        }
        out
    }
}

/// Plans a `summarize`: by the product where that is proved, else by looking at every result. `None`: too many, which is reported.
pub(super) fn plan(pattern: &hir::Pattern, plan: &mut Plan, d: &mut Diagnostics) -> Option<()> {
    let Output::Summarize(summary) = &pattern.output else { return Some(()) };
    match refused(pattern, plan, summary) {
        None => {
            let mut sums: Vec<Sum> = Vec::new();
            for c in &summary.columns {
                let ColumnOf::Fold(fold) = c.of else { continue };
                for &of in &Adds::of(pattern.fold(fold)) {
                    if !sums.contains(&Sum { fold, of }) {
                        sums.push(Sum { fold, of });
                    }
                }
            }
            let wide = summary.columns.iter().any(|c| bits(pattern, summary, c).is_none_or(|b| b > 64));
            plan.why = "`summarize` of counts and sums, no iteration, every condition reads one event".into();
            plan.product = Some(Product { wide, sums });
            plan.registers = hir::Needed::default();
        }
        Some(why) => {
            if too_many(pattern, summary, &why, d) {
                match pattern.runs {
                    None => return None,
                    Some(_) if pattern.evict => {
                        d.error(Code::NotSupported, pattern.capacity_loc, "`or evict` with `runs` is not supported yet")
                            .help("leave `or evict` out: an event that would need more runs is then refused with `Full`");
                        return None;
                    }
                    Some(n) => {
                        plan.candidates = Some(n);
                        plan.fallible = true;
                    }
                }
            }
            plan.why = format!("every result is looked at: {why}");
            plan.looked_at = Some(why);
        }
    }
    Some(())
}

/// The bits that a column's exact value takes; `None`: more than 128.
fn bits(pattern: &hir::Pattern, summary: &Summary, c: &Column) -> Option<u32> {
    let results = summary.results?;
    let (each, own, sign) = match c.of {
        ColumnOf::Results => (1, 0, 0),
        ColumnOf::Fold(id) => {
            let f = pattern.fold(id);
            let (own, sign) = match (f.function, f.attribute.as_ref().map(|a| &a.kind)) {
                (Function::Count, _) => (0, 0),
                (_, Some(Kind::Int(i))) => (u32::from(i.bits) - u32::from(i.signed), u32::from(i.signed)),
                _ => return None,
            };
            (f.atoms.len().max(1) as u128, own, sign)
        }
    };
    let total = 128 - results.checked_mul(each)?.leading_zeros() + own + sign;
    (total <= 128).then_some(total)
}

/// Why the product cannot do it.
fn refused(pattern: &hir::Pattern, plan: &Plan, summary: &Summary) -> Option<String> {
    let late = |q: &Position| !q.late.is_empty();
    let why = if pattern.force_ring {
        "`#[cep(kernel = ring)]` asks for it"
    } else if pattern.is_cyclic() {
        "with an iteration runs cannot be counted by the inverse product"
    } else if plan.positions.iter().any(|q| q.edges.iter().any(|e| e.strict)) {
        "`:` looks at neighbours, which the inverse product cannot take back"
    } else if pattern.conjuncts.iter().any(|c| !c.is_unary()) {
        "a condition reads several events"
    } else if plan.positions.iter().any(late) {
        "a condition can panic or cost, so it waits until a partial match needs it"
    } else if !pattern.inner_windows.is_empty() {
        "a window inside the pattern"
    } else if pattern.spans.is_some() {
        "`within window`"
    } else if !pattern.partition.is_empty() {
        "`partition by`"
    } else if pattern.consume != Consume::None {
        "`consume`"
    } else if plan.ambiguous {
        "several runs can give one result"
    } else {
        let exact = |c: &&Column| {
            let simple = match c.of {
                ColumnOf::Results => true,
                ColumnOf::Fold(id) => {
                    let f = pattern.fold(id);
                    let whole = f.attribute.as_ref().is_none_or(|a| matches!(a.kind, Kind::Int(_)));
                    let function = match f.function {
                        Function::Count => true,
                        Function::Sum | Function::Avg => whole,
                        _ => false,
                    };
                    f.aggregates.is_empty() && function
                }
            };
            !simple || bits(pattern, summary, c).is_none()
        };
        let c = summary.columns.iter().find(exact)?;
        return Some(format!("`{}` is no count and no sum of integers", c.text));
    };
    Some(why.into())
}

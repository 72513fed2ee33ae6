//! Aggregates: what a run folds its events into, and the computed events that `agg` makes of it.
use super::{AggregateId, AtomId, FoldId, LoopId, ReadAttribute, Scope, VariableId};
use crate::diagnostic::Loc;
use crate::schema::{Int, Kind};
use crate::slices::each;
use proc_macro2::{Ident, TokenStream};

/// A register with a fold update: the events of a variable, or an attribute of them, folded in stream order.
pub struct Fold {
    /// With what.
    pub function: Function,
    /// `sum_some` and so on: NULL is skipped instead of making the result NULL.
    pub some: bool,
    /// The user's type behind `fold`.
    pub monoid: Option<TokenStream>,
    /// The atoms whose events are folded.
    pub atoms: Vec<AtomId>,
    /// The aggregates whose computed events are folded.
    pub aggregates: Vec<AggregateId>,
    /// Which attribute of them; `None`: they are counted.
    pub attribute: Option<ReadAttribute>,
    /// It begins anew with each repetition of one of these.
    pub loops: Vec<LoopId>,
    /// What comes out.
    pub result: FoldResult,
    /// As written, without the overflow.
    pub text: String,
}

/// What is known of a fold's result.
#[derive(Clone, PartialEq, Eq)]
pub struct FoldResult {
    /// Its type.
    pub kind: Kind,
    /// It can be NULL.
    pub nullable: bool,
    /// The monoid gives an `Option`, whether or not it can be NULL here.
    pub optional: bool,
}

/// The folds of the language.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Function {
    /// How many.
    Count,
    /// The sum, widened.
    Sum,
    /// The mean, a float.
    Avg,
    /// The product, checked.
    Product,
    /// The smallest.
    Min,
    /// The largest.
    Max,
    /// The largest minus the smallest.
    Range,
    /// In stream order.
    First,
    /// In stream order.
    Last,
    /// The population variance.
    Var,
    /// The population standard deviation.
    Stddev,
    /// One is true.
    Any,
    /// All are true.
    Every,
    /// `fold Monoid(…)`
    User,
}

impl Function {
    /// All that have a name, with it.
    pub const NAMED: [(&'static str, Function); 13] = [
        ("count", Function::Count),
        ("sum", Function::Sum),
        ("avg", Function::Avg),
        ("product", Function::Product),
        ("min", Function::Min),
        ("max", Function::Max),
        ("range", Function::Range),
        ("first", Function::First),
        ("last", Function::Last),
        ("var", Function::Var),
        ("stddev", Function::Stddev),
        ("any", Function::Any),
        ("every", Function::Every),
    ];

    /// By name, and whether it is the one that skips NULL.
    #[must_use]
    pub fn named(word: &str) -> Option<(Function, bool)> {
        let plain = word.strip_suffix("_some").unwrap_or(word);
        for (name, function) in &Function::NAMED {
            if *name == plain {
                return Some((*function, plain != word));
            }
        }
        None
    }

    /// Its name in the language.
    #[must_use]
    pub fn name(self) -> &'static str {
        for (name, function) in &Function::NAMED {
            if *function == self {
                return name;
            }
        }
        "fold"
    }

    /// What the oldest value can be taken back from, exactly.
    #[must_use]
    pub fn has_inverse(self, of: &Kind) -> bool {
        match self {
            Function::Count | Function::Any | Function::Every => true,
            Function::Sum | Function::Avg => matches!(of, Kind::Int(_)),
            _ => false,
        }
    }

    /// The monoid over values that are all there gives an `Option`.
    #[must_use]
    pub fn gives_option(self, of: &Kind) -> bool {
        match self {
            Function::Count | Function::Any | Function::Every | Function::User => false,
            Function::Sum => matches!(of, Kind::Int(i) if i.bits == 128),
            Function::Product => matches!(of, Kind::Int(_)),
            _ => true,
        }
    }

    /// It folds truth values.
    #[must_use]
    pub fn is_logical(self) -> bool {
        matches!(self, Function::Any | Function::Every)
    }

    /// It folds numbers only.
    #[must_use]
    pub fn is_numeric(self) -> bool {
        use Function as F;
        matches!(self, F::Sum | F::Avg | F::Product | F::Min | F::Max | F::Range | F::Var | F::Stddev)
    }

    /// The result over values of a kind, some of which may be NULL, and of which there may be none.
    #[must_use]
    pub fn result(self, some: bool, of: &Kind, nulls: bool, empty: bool) -> FoldResult {
        use Function as F;
        let int = matches!(of, Kind::Int(_));
        let widest = matches!(of, Kind::Int(i) if i.bits == 128);
        let kind = match self {
            F::Count => unsigned_64(),
            F::Sum => widened(of),
            F::Avg | F::Var | F::Stddev => Kind::Float(64),
            F::Product | F::Min | F::Max | F::Range | F::First | F::Last => of.clone(),
            F::Any | F::Every => Kind::Bool,
            F::User => Kind::Opaque,
        };
        let optional = self.gives_option(of);
        let beyond = match self {
            F::Sum => widest,
            F::Product | F::Range => int,
            _ => false,
        };
        let of_nothing = optional && !matches!(self, F::Sum | F::Product);
        let absorbs = nulls && !some;
        FoldResult {
            kind,
            nullable: absorbs || beyond || (of_nothing && (empty || nulls)),
            optional: absorbs || optional,
        }
    }
}

fn unsigned_64() -> Kind {
    Kind::Int(Int { signed: false, bits: 64, size: false })
}

/// The type of a sum: so wide that it cannot overflow.
fn widened(of: &Kind) -> Kind {
    match of {
        Kind::Int(i) => {
            let bits = if i.bits > 32 { 128 } else { 64 };
            Kind::Int(Int { signed: i.signed, bits, size: false })
        }
        Kind::Float(_) => Kind::Float(64),
        other => other.clone(),
    }
}

/// `φ agg m { … }`
#[derive(Clone)]
pub struct Aggregate {
    /// m
    pub variable: VariableId,
    /// φ: each of its instances in a match has one computed event, at its end.
    pub scope: Scope,
    /// φ may be absent: then there is no computed event.
    pub nullable: bool,
    /// The attributes of the computed event.
    pub fields: Vec<AggregateField>,
    /// Where it stands.
    pub loc: Loc,
}

/// An attribute of a computed event.
#[derive(Clone)]
pub struct AggregateField {
    /// Its name.
    pub name: Ident,
    /// Its value.
    pub fold: FoldId,
}

/// A fold as a conjunct reads it.
#[derive(Clone)]
pub struct FoldRead {
    /// Its name in the expression.
    pub name: Ident,
    /// Which.
    pub fold: FoldId,
    /// It is the `Option` itself: a method of `Option` stands behind it.
    pub option: bool,
}

impl super::Pattern {
    /// A fold.
    #[must_use]
    pub fn fold(&self, id: FoldId) -> &Fold {
        &self.folds[id.0]
    }

    /// The folds behind an attribute of computed events.
    #[must_use]
    pub fn computed(&self, a: &ReadAttribute) -> Vec<FoldId> {
        each(&a.computed, |(g, i)| self.aggregates[g.0].fields[*i].fold)
    }

    /// The aggregates and folds that conditions or the output need, directly or below others; both in order, inner ones first.
    #[must_use]
    pub fn needed(&self) -> Needed {
        let mut needed =
            Needed { folds: vec![false; self.folds.len()], aggregates: vec![false; self.aggregates.len()] };
        let mut open: Vec<FoldId> = Vec::new();
        for c in &self.conjuncts {
            for f in &c.folds {
                open.push(f.fold);
            }
            for r in &c.reads {
                for a in &r.attributes {
                    open.extend(self.computed(a));
                }
            }
        }
        if let super::Output::Summarize(summary) = &self.output {
            for c in &summary.columns {
                if let super::ColumnOf::Fold(f) = c.of {
                    open.push(f);
                }
            }
        }
        if let super::Output::Select(fields) = &self.output {
            for f in fields {
                for g in &f.aggregates {
                    needed.aggregates[g.0] = true;
                    for x in &self.aggregates[g.0].fields {
                        if f.attributes.as_ref().is_none_or(|all| all.contains(&x.name)) {
                            open.push(x.fold);
                        }
                    }
                }
            }
        }
        while let Some(f) = open.pop() {
            if std::mem::replace(&mut needed.folds[f.0], true) {
                continue;
            }
            let fold = self.fold(f);
            for g in &fold.aggregates {
                needed.aggregates[g.0] = true;
            }
            if let Some(a) = &fold.attribute {
                open.extend(self.computed(a));
            }
        }
        needed
    }
}

/// What of a pattern's aggregates a machine has to carry.
#[derive(Clone, Default)]
pub struct Needed {
    /// By fold.
    pub folds: Vec<bool>,
    /// By aggregate.
    pub aggregates: Vec<bool>,
}

impl Needed {
    /// The folds.
    #[must_use]
    pub fn folds(&self) -> Vec<FoldId> {
        let mut needed = Vec::new();
        for (i, is_needed) in self.folds.iter().enumerate() {
            if *is_needed {
                needed.push(FoldId(i));
            }
        }
        needed
    }
    /// No register is carried.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !self.folds.contains(&true)
    }
}

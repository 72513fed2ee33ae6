//! Formulas with their names resolved: from the syntax tree to [`Node`].
use crate::expr::{Expr, Read, Source, Var};
use crate::made::Aggregation;
use crate::model::{Result, invalid, unsupported};
use crate::resolve::Names;
use cep_compiler::ast::{self, Formula, FormulaKind, Operator};
use proc_macro2::Ident;

/// A set of variables.
pub(crate) type Vars = u64;

/// One bit of a [`Vars`].
pub(crate) fn bit(v: Var) -> Vars {
    1 << v
}

/// A formula.
pub(crate) enum Node {
    Atom { ty: usize, var: Var },
    As { inner: Box<Node>, var: Var, single: bool },
    Sequence { left: Box<Node>, operator: Operator, negations: Vec<Negation>, right: Box<Node> },
    Or(Vec<Node>),
    Iterate(Iterate),
    All(Vec<Node>),
    Without { inner: Box<Node>, excluded: Box<Node> },
    Filter { inner: Box<Node>, filter: Filter },
    Aggregate { inner: Box<Node>, aggregation: Aggregation },
    Select { inner: Box<Node>, keep: Vars },
    Within { inner: Box<Node>, bound: Window },
}

/// An iteration.
pub(crate) struct Iterate {
    pub(crate) inner: Box<Node>,
    pub(crate) operator: Operator,
    pub(crate) minimum: u32,
    pub(crate) maximum: Option<u32>,
    /// What the body binds, and what it binds exactly once per repetition.
    pub(crate) binds: Vars,
    pub(crate) once: Vars,
    /// A condition inside reads earlier repetitions.
    pub(crate) history: bool,
}

impl Iterate {
    /// `?` and `{1}`: a part that is there once or not.
    pub(crate) fn is_single(&self) -> bool {
        self.maximum == Some(1)
    }
}

/// `; not ν`
pub(crate) struct Negation {
    /// Only the very next event: `: not ν`.
    pub(crate) next_only: bool,
    pub(crate) formula: Node,
}

/// A window on a part.
#[derive(Clone, Debug)]
pub(crate) enum Window {
    Events(u64),
    EventsOfPartition(u64),
    /// Nanoseconds of `#[event(time)]`.
    Time(u128),
    /// An amount of an attribute, given per event type.
    Of(f64, Vec<Option<usize>>),
}

/// A condition: its conjuncts in the order written.
pub(crate) struct Filter {
    pub(crate) conjuncts: Vec<Conjunct>,
    /// What the filtered formula binds, and what it iterates.
    pub(crate) binds: Vars,
    pub(crate) iterates: Vars,
}

/// A conjunct.
pub(crate) struct Conjunct {
    pub(crate) disjuncts: Vec<Disjunct>,
    /// The variables of which every choice of an event counts.
    pub(crate) each: Vec<Var>,
    /// `prev(b)`, `first(b)`, `last(b)`.
    pub(crate) past: Vec<Source>,
    /// The variables under an aggregate.
    pub(crate) folded: Vars,
}

impl Conjunct {
    pub(crate) fn reads(&self) -> Vars {
        let past = self.past.iter().fold(0, |m, s| m | bit(s.var()));
        self.each.iter().fold(past | self.folded, |m, v| m | bit(*v))
    }
}

/// A disjunct: false where an attribute that it mentions is NULL.
pub(crate) struct Disjunct {
    pub(crate) expr: Expr,
    pub(crate) mentions: Vec<Read>,
    /// Aggregates that it mentions; they may be NULL too.
    pub(crate) folds: Vec<Expr>,
}

/// Resolves formulas.
pub(crate) struct Resolver<'a> {
    pub(crate) names: &'a Names<'a>,
    /// Inside `partition by`.
    pub(crate) partitioned: bool,
}

impl Resolver<'_> {
    fn var(&self, name: &Ident) -> Result<Var> {
        match self.names.var(&name.to_string()) {
            Some(v) => Ok(v),
            None => invalid(format!("the variable `{name}` is not bound")),
        }
    }

    /// An `as` variable may not be bound twice in a sequence; a type name may.
    fn once(&self, twice: Vars) -> Result<()> {
        let named = |v: &usize| {
            twice & bit(*v) != 0 && self.names.declaration.type_index(&self.names.vars[*v]).is_none()
        };
        match (0..self.names.vars.len()).find(named) {
            Some(v) => invalid(format!("`{}` is bound twice", self.names.vars[v])),
            None => Ok(()),
        }
    }

    /// Resolves a formula.
    pub(crate) fn node(&self, f: &Formula) -> Result<Node> {
        let sub = |f: &Formula| self.node(f).map(Box::new);
        Ok(match &f.kind {
            FormulaKind::Type(name) => {
                let Some(ty) = self.names.declaration.type_index(&name.to_string()) else {
                    return invalid(format!("the event type `{name}`"));
                };
                Node::Atom { ty, var: self.var(name)? }
            }
            FormulaKind::As { inner, variable } => {
                let inner = sub(inner)?;
                let single = inner.is_single();
                Node::As { inner, var: self.var(variable)?, single }
            }
            FormulaKind::Sequence { left, gap, right } => {
                let (left, right) = (sub(left)?, sub(right)?);
                self.once(left.binds() & right.binds())?;
                if gap.operator == Operator::Next && right.aggregates() {
                    return unsupported("`agg` behind `->`");
                }
                let negations = self.negations(&gap.negations)?;
                Node::Sequence { left, operator: gap.operator, negations, right }
            }
            FormulaKind::TrailingNot { .. } => return unsupported("a `not` at the end of a part"),
            FormulaKind::Or { parts, .. } => {
                Node::Or(parts.iter().map(|p| self.node(p)).collect::<Result<_>>()?)
            }
            FormulaKind::Iterate { inner, operator, minimum, maximum, .. } => {
                let inner = sub(inner)?;
                let (binds, once, history) = (inner.binds(), inner.once(), inner.reads_past());
                if history && inner.is_nullable() {
                    return unsupported(
                        "`prev`, `first` or an aggregate in an iterated body that can be empty",
                    );
                }
                let (operator, minimum, maximum) = (*operator, *minimum, *maximum);
                if operator == Operator::Next && inner.aggregates() {
                    return unsupported("`agg` behind `->`");
                }
                Node::Iterate(Iterate { inner, operator, minimum, maximum, binds, once, history })
            }
            FormulaKind::All { parts, .. } => {
                let parts = parts.iter().map(|p| self.node(p)).collect::<Result<Vec<_>>>()?;
                let mut bound = 0;
                for p in &parts {
                    self.once(bound & p.binds())?;
                    bound |= p.binds();
                }
                Node::All(parts)
            }
            FormulaKind::Without { inner, excluded, .. } => {
                Node::Without { inner: sub(inner)?, excluded: sub(excluded)? }
            }
            FormulaKind::Filter { inner, condition } => {
                let inner = sub(inner)?;
                let filter = self.filter(&condition.expr, &inner)?;
                Node::Filter { inner, filter }
            }
            FormulaKind::Aggregate { inner, variable, fields, .. } => {
                let node = sub(inner)?;
                let Some(id) = self.names.made.iter().position(|m| m.node == std::ptr::from_ref(f)) else {
                    return invalid(format!("the aggregate variable `{variable}`"));
                };
                self.once(node.binds() & bit(self.var(variable)?))?;
                let aggregation = self.names.aggregation(id, fields, &node)?;
                Node::Aggregate { inner: node, aggregation }
            }
            // "it never changes which results there are"
            FormulaKind::Project { inner, .. } => return self.node(inner),
            FormulaKind::Select { inner, variables, .. } => {
                let keep = variables.iter().map(|v| self.var(v)).try_fold(0, |m, v| Ok(m | bit(v?)))?;
                Node::Select { inner: sub(inner)?, keep }
            }
            FormulaKind::Within { inner, bound, .. } => {
                Node::Within { inner: sub(inner)?, bound: self.window(bound)? }
            }
        })
    }

    /// Resolves the `not`s of a gap.
    pub(crate) fn negations(&self, list: &[ast::Negation]) -> Result<Vec<Negation>> {
        let one = |n: &ast::Negation| {
            let formula = self.node(&n.formula)?;
            if formula.is_nullable() {
                return invalid("a `not` of something that can be empty");
            }
            Ok(Negation { next_only: n.operator == Operator::Strict, formula })
        };
        list.iter().map(one).collect()
    }

    /// Resolves a window.
    pub(crate) fn window(&self, w: &ast::Within) -> Result<Window> {
        Ok(match w {
            ast::Within::Events { count, of_partition: false } => Window::Events(*count),
            ast::Within::Events { count, of_partition: true } if self.partitioned => {
                Window::EventsOfPartition(*count)
            }
            ast::Within::Events { .. } => return invalid("`of its partition` without `partition by`"),
            ast::Within::Time(parts) => {
                Window::Time(parts.iter().map(|(n, u)| u128::from(*n) * nanoseconds(*u)).sum())
            }
            ast::Within::Of { amount, attribute } => {
                let Ok(amount) = amount.to_string().replace('_', "").parse::<f64>() else {
                    return unsupported(format!("the amount `{amount}`"));
                };
                let name = attribute.to_string();
                let types = &self.names.declaration.types;
                let index: Vec<_> = types
                    .iter()
                    .map(|t| t.attributes.iter().position(|a| a.name == name && !a.nullable))
                    .collect();
                if index.contains(&None) {
                    return invalid(format!("not every event type has the clock `{name}`"));
                }
                Window::Of(amount, index)
            }
            ast::Within::Window(_) => return unsupported("`within window`"),
        })
    }

    fn filter(&self, condition: &syn::Expr, inner: &Node) -> Result<Filter> {
        let mut parts = Vec::new();
        split(condition, is_and, &mut parts);
        let conjuncts = parts.into_iter().map(|c| self.conjunct(c)).collect::<Result<_>>()?;
        Ok(Filter { conjuncts, binds: inner.binds(), iterates: inner.iterates() })
    }

    fn conjunct(&self, c: &syn::Expr) -> Result<Conjunct> {
        let mut parts = Vec::new();
        split(c, is_or, &mut parts);
        let (mut each, mut past, mut folded) = (Vec::new(), Vec::new(), 0);
        let mut disjuncts = Vec::new();
        for d in parts {
            let expr = self.names.expr(d, &[])?;
            let (mut mentions, mut folds) = (Vec::new(), Vec::new());
            expr.walk(&mut |e| {
                let source = match e {
                    Expr::Attr(read) | Expr::Time(read) => {
                        mentions.push(read.clone());
                        read.source
                    }
                    Expr::Optional(read, ..) => read.source,
                    Expr::Position(source) => *source,
                    Expr::Fold(_, v, _) => {
                        folds.push(e.clone());
                        folded |= bit(*v);
                        return;
                    }
                    _ => return,
                };
                match source {
                    Source::Each(v) if !each.contains(&v) => each.push(v),
                    Source::Each(_) => {}
                    other if !past.contains(&other) => past.push(other),
                    _ => {}
                }
            });
            disjuncts.push(Disjunct { expr, mentions, folds });
        }
        Ok(Conjunct { disjuncts, each, past, folded })
    }
}

fn nanoseconds(unit: ast::TimeUnit) -> u128 {
    match unit {
        ast::TimeUnit::Day => 86_400_000_000_000,
        ast::TimeUnit::Hour => 3_600_000_000_000,
        ast::TimeUnit::Minute => 60_000_000_000,
        ast::TimeUnit::Second => 1_000_000_000,
        ast::TimeUnit::Millisecond => 1_000_000,
        ast::TimeUnit::Microsecond => 1_000,
        ast::TimeUnit::Nanosecond => 1,
    }
}

/// The parts of a condition at its top-level operators; parentheses around a whole part are transparent.
fn split<'e>(e: &'e syn::Expr, is: fn(&syn::BinOp) -> bool, into: &mut Vec<&'e syn::Expr>) {
    match e {
        syn::Expr::Paren(p) => split(&p.expr, is, into),
        syn::Expr::Group(p) => split(&p.expr, is, into),
        syn::Expr::Binary(b) if is(&b.op) => {
            split(&b.left, is, into);
            split(&b.right, is, into);
        }
        other => into.push(other),
    }
}

fn is_and(op: &syn::BinOp) -> bool {
    matches!(op, syn::BinOp::And(_))
}

fn is_or(op: &syn::BinOp) -> bool {
    matches!(op, syn::BinOp::Or(_))
}

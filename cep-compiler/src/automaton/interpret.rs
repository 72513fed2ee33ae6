//! Conditions over values instead of generated code: what the simulator evaluates guards with.
use super::folds::{Run, completes};
use super::simulate::{Event, Visit};
use crate::check::{Matches, ON_OPTION};
use crate::hir::{self, Conjunct, LoopId, Pattern, Region, Step};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use syn::{BinOp, Expr, Lit, Member, Pat, UnOp};

/// A value of a known type.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// NULL: `None` of an `Option` attribute.
    Null,
    /// Any integer.
    Int(i128),
    /// Any float.
    Float(f64),
    /// A truth value.
    Bool(bool),
    /// A character.
    Char(char),
    /// A text of any kind.
    Str(String),
}

/// Why a condition has no value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The generated code would panic here.
    Panic(String),
    /// Beyond this interpreter.
    Unknown(String),
}

/// Where the instance of a formula begins that visit `n` belongs to: behind the last new repetition of an iteration around it.
pub(super) fn instance(visits: &[Visit], n: usize, scope: &hir::Scope) -> usize {
    let segment = segment(visits, n, &scope.loops);
    (segment..=n).find(|k| scope.atoms.contains(&visits[*k].atom.0)).unwrap_or(n)
}

/// Where the current repetition of these iterations begins.
pub(super) fn segment(visits: &[Visit], n: usize, loops: &[LoopId]) -> usize {
    (0..=n).rev().find(|k| visits[*k].repeats.is_some_and(|l| loops.contains(&l))).unwrap_or(0)
}

/// The visits that a read ranges over, seen from visit `n`.
fn choices(r: &hir::Read, pattern: &Pattern, visits: &[Visit], n: usize) -> Vec<usize> {
    let among = |from: usize, to: usize| -> Vec<usize> {
        let last = to.saturating_sub(1);
        let here = |k: &usize| {
            let computed = |g: &hir::AggregateId| completes(visits, *k, last, &pattern.aggregates[g.0].scope);
            r.atoms.contains(&visits[*k].atom) || r.computed.iter().any(computed)
        };
        (from..to).filter(here).collect()
    };
    let with = |id: LoopId| {
        let mut all = pattern.loops[id.0].enclosing.clone();
        all.push(id);
        all
    };
    match &r.region {
        Region::All(loops) => among(segment(visits, n, loops), n + 1),
        Region::First(loops) => {
            among(segment(visits, n, loops), n + 1).first().copied().into_iter().collect()
        }
        Region::Last(loops) => among(segment(visits, n, loops), n + 1).last().copied().into_iter().collect(),
        Region::Previous(id) => {
            let here = segment(visits, n, &with(*id));
            if here == 0 || visits[here].repeats != Some(*id) {
                return Vec::new();
            }
            among(segment(visits, here - 1, &with(*id)), here)
        }
        Region::FirstBefore(id) => {
            let here = segment(visits, n, &with(*id));
            let outer = segment(visits, n, &pattern.loops[id.0].enclosing);
            among(outer, here).first().copied().into_iter().collect()
        }
    }
}

/// Whether a conjunct holds for every choice of events, one of which is visit `n` where it joins.
///
/// # Errors
/// A panic of the condition, or something the interpreter does not know.
pub(super) fn holds<'a>(
    c: &Conjunct,
    pattern: &Pattern,
    parameters: &[Value],
    visits: &[Visit],
    n: usize,
    event: &dyn Fn(u64) -> &'a Event,
) -> Result<bool, Fault> {
    let all: Vec<Vec<usize>> = c.reads.iter().map(|r| choices(r, pattern, visits, n)).collect();
    let run = Run { pattern, visits, event };
    let mut folds: Vec<Value> = Vec::new();
    for f in &c.folds {
        folds.push(run.fold(f.fold, n)?);
    }
    let mut chosen = vec![0; all.len()];
    if all.iter().any(Vec::is_empty) {
        return Ok(true);
    }
    loop {
        let pick: Vec<usize> = chosen.iter().zip(&all).map(|(i, v)| v[*i]).collect();
        let joins = c.step != Step::Join
            || c.reads
                .iter()
                .zip(&pick)
                .any(|(r, k)| *k == n && r.inside && matches!(r.region, Region::All(_)));
        let events: Vec<(u64, &Event)> =
            pick.iter().map(|k| (visits[*k].position, event(visits[*k].position))).collect();
        let unary = c.step != Step::Event || pick.iter().all(|k| *k == n);
        let mut computed: Vec<Vec<Value>> = Vec::new();
        for (r, k) in c.reads.iter().zip(&pick) {
            let mut values = Vec::new();
            if !r.computed.is_empty() {
                for a in &r.attributes {
                    values.push(run.computed(a, &r.computed, *k)?);
                }
            }
            computed.push(values);
        }
        let given = Given { events: &events, computed: &computed, folds: &folds };
        if joins && unary && !conjunct(c, pattern, parameters, given)? {
            return Ok(false);
        }
        let mut i = 0;
        loop {
            if i == chosen.len() {
                return Ok(true);
            }
            chosen[i] += 1;
            if chosen[i] < all[i].len() {
                break;
            }
            chosen[i] = 0;
            i += 1;
        }
    }
}

/// An attribute of an event, NULL where its type lacks it.
pub(super) fn value_of(a: &hir::ReadAttribute, e: &Event) -> Value {
    let found = a.of.iter().find(|(t, _)| t.0 == e.ty);
    found.and_then(|(_, i)| e.values.get(i.0)).cloned().unwrap_or(Value::Null)
}

/// One choice of an event for each read, and the aggregates.
#[derive(Clone, Copy)]
pub(super) struct Given<'a> {
    pub(super) events: &'a [(u64, &'a Event)],
    /// For each read of a computed event its attributes.
    pub(super) computed: &'a [Vec<Value>],
    pub(super) folds: &'a [Value],
}

/// Whether a conjunct holds for one choice of an event for each read.
pub(super) fn conjunct(
    c: &Conjunct,
    pattern: &Pattern,
    parameters: &[Value],
    given: Given<'_>,
) -> Result<bool, Fault> {
    let Given { events, computed, folds } = given;
    let value = |r: usize, a: usize| match computed.get(r).and_then(|all| all.get(a)) {
        Some(v) => v.clone(),
        None => value_of(&c.reads[r].attributes[a], events[r].1),
    };
    for d in &c.disjuncts {
        let null = d.opened.iter().any(|(r, a)| value(*r, *a) == Value::Null)
            || d.opened_folds.iter().any(|f| folds[*f] == Value::Null);
        if null {
            continue;
        }
        let mut scope = Scope { conjunct: c, pattern, parameters, given, locals: BTreeMap::new() };
        match scope.value(&d.expr)? {
            Value::Bool(true) => return Ok(true),
            Value::Bool(false) => {}
            other => return Err(Fault::Unknown(format!("a condition that is {other:?}"))),
        }
    }
    Ok(false)
}

struct Scope<'a> {
    conjunct: &'a Conjunct,
    pattern: &'a Pattern,
    parameters: &'a [Value],
    given: Given<'a>,
    locals: BTreeMap<String, Value>,
}

impl Scope<'_> {
    fn value(&mut self, e: &Expr) -> Result<Value, Fault> {
        match e {
            Expr::Paren(p) => self.value(&p.expr),
            Expr::Group(g) => self.value(&g.expr),
            Expr::Lit(l) => literal(&l.lit),
            Expr::Path(p) => self.name(p.path.get_ident().ok_or_else(|| unknown(e))?),
            Expr::Field(f) => match (&*f.base, &f.member) {
                (Expr::Path(p), Member::Named(a)) => {
                    self.attribute(p.path.get_ident().ok_or_else(|| unknown(e))?, a)
                }
                _ => Err(unknown(e)),
            },
            Expr::Unary(u) => match (u.op, self.value(&u.expr)?) {
                (UnOp::Not(_), Value::Bool(b)) => Ok(Value::Bool(!b)),
                (UnOp::Neg(_), Value::Int(i)) => Ok(Value::Int(-i)),
                (UnOp::Neg(_), Value::Float(f)) => Ok(Value::Float(-f)),
                (UnOp::Deref(_), v) => Ok(v),
                _ => Err(unknown(e)),
            },
            Expr::Reference(r) => self.value(&r.expr),
            Expr::Binary(b) => self.binary(b),
            Expr::Cast(c) => self.value(&c.expr).and_then(|v| cast(v, &c.ty)),
            Expr::MethodCall(m) => self.method(m),
            Expr::If(i) => match self.value(&i.cond)? {
                Value::Bool(true) => self.block(&i.then_branch),
                Value::Bool(false) => match &i.else_branch {
                    Some((_, other)) => self.value(other),
                    None => Err(unknown(e)),
                },
                _ => Err(unknown(e)),
            },
            Expr::Block(b) => self.block(&b.block),
            Expr::Macro(m) => {
                let m: Matches = m.mac.parse_body().map_err(|_| unknown(e))?;
                let value = self.value(&m.value)?;
                let fits = self.fits(&m.pattern, &value)?;
                match m.guard {
                    Some(g) if fits => self.value(&g),
                    _ => Ok(Value::Bool(fits)),
                }
            }
            _ => Err(unknown(e)),
        }
    }

    /// Whether a value fits a pattern without bindings.
    fn fits(&mut self, p: &Pat, v: &Value) -> Result<bool, Fault> {
        match p {
            Pat::Wild(_) => Ok(true),
            Pat::Paren(p) => self.fits(&p.pat, v),
            Pat::Or(o) => {
                for p in &o.cases {
                    if self.fits(p, v)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Pat::Lit(l) => Ok(literal(&l.lit)? == *v),
            Pat::Range(r) => {
                let within = |op: BinOp, bound: Value| compare(&op, v, &bound) == Some(true);
                let low = r.start.as_deref().map(|b| self.value(b)).transpose()?;
                let high = r.end.as_deref().map(|b| self.value(b)).transpose()?;
                let open = matches!(r.limits, syn::RangeLimits::HalfOpen(_));
                let below = if open { BinOp::Lt(Default::default()) } else { BinOp::Le(Default::default()) };
                Ok(low.is_none_or(|b| within(BinOp::Ge(Default::default()), b))
                    && high.is_none_or(|b| within(below, b)))
            }
            _ => Err(Fault::Unknown("this pattern of `matches!`".into())),
        }
    }

    fn block(&mut self, b: &syn::Block) -> Result<Value, Fault> {
        match &b.stmts[..] {
            [syn::Stmt::Expr(e, None)] => self.value(e),
            _ => Err(Fault::Unknown("a block with statements".into())),
        }
    }

    fn name(&self, name: &proc_macro2::Ident) -> Result<Value, Fault> {
        if let Some(v) = self.locals.get(&name.to_string()) {
            return Ok(v.clone());
        }
        if let Some(i) = self.conjunct.folds.iter().position(|f| f.name == *name) {
            return Ok(self.given.folds[i].clone());
        }
        let i = self.pattern.parameters.iter().position(|p| p.name == *name);
        i.and_then(|i| self.parameters.get(i))
            .cloned()
            .ok_or_else(|| Fault::Unknown(format!("the name `{name}`")))
    }

    fn read(&self, name: &proc_macro2::Ident) -> Option<(&hir::Read, u64, &Event)> {
        let i = self.conjunct.reads.iter().position(|r| r.name == *name)?;
        let (p, e) = self.given.events.get(i)?;
        Some((&self.conjunct.reads[i], *p, e))
    }

    fn attribute(&self, name: &proc_macro2::Ident, a: &proc_macro2::Ident) -> Result<Value, Fault> {
        let (read, _, event) =
            self.read(name).ok_or_else(|| Fault::Unknown(format!("the variable `{name}`")))?;
        let found = read.attributes.iter().position(|x| x.name == *a);
        let i = self.conjunct.reads.iter().position(|r| r.name == *name);
        let computed = found.zip(i).and_then(|(a, i)| self.given.computed.get(i)?.get(a));
        if let Some(v) = computed {
            return Ok(v.clone());
        }
        found
            .map(|x| value_of(&read.attributes[x], event))
            .ok_or_else(|| Fault::Unknown(format!("the attribute `{a}`")))
    }

    fn method(&mut self, m: &syn::ExprMethodCall) -> Result<Value, Fault> {
        let name = m.method.to_string();
        if let Expr::Path(p) = &*m.receiver
            && let Some(x) = p.path.get_ident()
            && let Some((_, position, _)) = self.read(x)
        {
            return Ok(Value::Int(position.into()));
        }
        let value = self.value(&m.receiver)?;
        let args: Vec<&Expr> = m.args.iter().collect();
        if ON_OPTION.contains(&&*name) {
            return match (&*name, value, &args[..]) {
                ("is_none", v, []) => Ok(Value::Bool(v == Value::Null)),
                ("is_some", v, []) => Ok(Value::Bool(v != Value::Null)),
                ("is_some_and", Value::Null, _) => Ok(Value::Bool(false)),
                ("is_some_and", v, [Expr::Closure(c)]) => self.closure(c, v),
                ("map_or", Value::Null, [default, _]) => self.value(default),
                ("map_or", v, [_, Expr::Closure(c)]) => self.closure(c, v),
                ("unwrap_or", Value::Null, [default]) => self.value(default),
                ("unwrap_or", v, [_]) => Ok(v),
                _ => Err(Fault::Unknown(format!("the method `{name}`"))),
            };
        }
        let mut values = Vec::new();
        for a in args {
            values.push(self.value(a)?);
        }
        match (&*name, value, &values[..]) {
            ("abs", Value::Float(f), []) => Ok(Value::Float(f.abs())),
            ("abs", Value::Int(i), []) => Ok(Value::Int(i.abs())),
            ("min", Value::Float(a), [Value::Float(b)]) => Ok(Value::Float(a.min(*b))),
            ("max", Value::Float(a), [Value::Float(b)]) => Ok(Value::Float(a.max(*b))),
            ("min", Value::Int(a), [Value::Int(b)]) => Ok(Value::Int(a.min(*b))),
            ("max", Value::Int(a), [Value::Int(b)]) => Ok(Value::Int(a.max(*b))),
            ("sqrt", Value::Float(f), []) => Ok(Value::Float(f.sqrt())),
            ("len", Value::Str(s), []) => Ok(Value::Int(s.len() as i128)),
            ("is_empty", Value::Str(s), []) => Ok(Value::Bool(s.is_empty())),
            ("starts_with", Value::Str(s), [Value::Str(t)]) => Ok(Value::Bool(s.starts_with(t.as_str()))),
            _ => Err(Fault::Unknown(format!("the method `{name}`"))),
        }
    }

    fn closure(&mut self, c: &syn::ExprClosure, argument: Value) -> Result<Value, Fault> {
        let Some(syn::Pat::Ident(p)) = c.inputs.first() else {
            return Err(Fault::Unknown("a closure without one plain argument".into()));
        };
        let name = p.ident.to_string();
        let outer = self.locals.insert(name.clone(), argument);
        let value = self.value(&c.body);
        match outer {
            Some(v) => self.locals.insert(name, v),
            None => self.locals.remove(&name),
        };
        value
    }

    fn binary(&mut self, b: &syn::ExprBinary) -> Result<Value, Fault> {
        let left = self.value(&b.left)?;
        match (&b.op, &left) {
            (BinOp::And(_), Value::Bool(false)) => return Ok(Value::Bool(false)),
            (BinOp::Or(_), Value::Bool(true)) => return Ok(Value::Bool(true)),
            (BinOp::And(_) | BinOp::Or(_), _) => return self.value(&b.right),
            _ => {}
        }
        let right = self.value(&b.right)?;
        if let Some(o) = compare(&b.op, &left, &right) {
            return Ok(Value::Bool(o));
        }
        match (left, right) {
            (Value::Float(x), Value::Float(y)) => match b.op {
                BinOp::Add(_) => Ok(Value::Float(x + y)),
                BinOp::Sub(_) => Ok(Value::Float(x - y)),
                BinOp::Mul(_) => Ok(Value::Float(x * y)),
                BinOp::Div(_) => Ok(Value::Float(x / y)),
                BinOp::Rem(_) => Ok(Value::Float(x % y)),
                _ => Err(Fault::Unknown("this operator on floats".into())),
            },
            (Value::Int(x), Value::Int(y)) => {
                let v = match b.op {
                    BinOp::Add(_) => x.checked_add(y),
                    BinOp::Sub(_) => x.checked_sub(y),
                    BinOp::Mul(_) => x.checked_mul(y),
                    BinOp::Div(_) => x.checked_div(y),
                    BinOp::Rem(_) => x.checked_rem(y),
                    _ => return Err(Fault::Unknown("this operator on integers".into())),
                };
                v.map(Value::Int).ok_or_else(|| Fault::Panic("integer arithmetic".into()))
            }
            _ => Err(Fault::Unknown("this operator".into())),
        }
    }
}

fn compare(op: &BinOp, a: &Value, b: &Value) -> Option<bool> {
    let order = match (a, b) {
        (Value::Int(x), Value::Int(y)) => Some(x.cmp(y)),
        (Value::Float(x), Value::Float(y)) => x.partial_cmp(y),
        (Value::Bool(x), Value::Bool(y)) => Some(x.cmp(y)),
        (Value::Char(x), Value::Char(y)) => Some(x.cmp(y)),
        (Value::Str(x), Value::Str(y)) => Some(x.cmp(y)),
        _ => return None,
    };
    Some(match op {
        BinOp::Eq(_) => order == Some(Ordering::Equal),
        BinOp::Ne(_) => order != Some(Ordering::Equal),
        BinOp::Lt(_) => order == Some(Ordering::Less),
        BinOp::Le(_) => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        BinOp::Gt(_) => order == Some(Ordering::Greater),
        BinOp::Ge(_) => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        _ => return None,
    })
}

fn cast(v: Value, ty: &syn::Type) -> Result<Value, Fault> {
    let to = crate::check::parameter_kind(ty);
    match (v, to) {
        (Value::Int(i), crate::schema::Kind::Float(_)) =>
        {
            #[expect(clippy::cast_precision_loss, reason = "that is what `as` does")]
            Ok(Value::Float(i as f64))
        }
        (v @ Value::Int(_), crate::schema::Kind::Int(_))
        | (v @ Value::Float(_), crate::schema::Kind::Float(_)) => Ok(v),
        _ => Err(Fault::Unknown("this cast".into())),
    }
}

fn literal(l: &Lit) -> Result<Value, Fault> {
    let bad = |_| Fault::Unknown("this literal".into());
    match l {
        Lit::Int(i) if i.suffix().starts_with('f') => i.base10_parse().map(Value::Float).map_err(bad),
        Lit::Int(i) => i.base10_parse().map(Value::Int).map_err(bad),
        Lit::Float(f) => f.base10_parse().map(Value::Float).map_err(bad),
        Lit::Bool(b) => Ok(Value::Bool(b.value)),
        Lit::Char(c) => Ok(Value::Char(c.value())),
        Lit::Str(s) => Ok(Value::Str(s.value())),
        _ => Err(Fault::Unknown("this literal".into())),
    }
}

fn unknown(e: &Expr) -> Fault {
    Fault::Unknown(format!("`{}`", crate::check::text(e)))
}

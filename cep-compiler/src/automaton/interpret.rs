//! Conditions over values instead of generated code: what the simulator evaluates guards with.
use super::simulate::Event;
use crate::check::{Matches, ON_OPTION};
use crate::hir::{AtomId, Conjunct, Pattern};
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

type Bound<'a> = &'a dyn Fn(AtomId) -> Option<(u64, &'a Event)>;

/// Whether a conjunct holds where `look` says which event took an atom.
///
/// # Errors
/// A panic of the condition, or something the interpreter does not know.
pub(super) fn conjunct<'a>(
    c: &Conjunct,
    pattern: &Pattern,
    parameters: &[Value],
    look: Bound<'a>,
) -> Result<bool, Fault> {
    for d in &c.disjuncts {
        let null = d.opened.iter().any(|(read, attribute)| {
            look(c.reads[*read].atom).is_none_or(|(_, e)| e.values[attribute.0] == Value::Null)
        });
        if null {
            continue;
        }
        let mut scope = Scope { conjunct: c, pattern, parameters, look, locals: BTreeMap::new() };
        match scope.value(&d.expr)? {
            Value::Bool(true) => return Ok(true),
            Value::Bool(false) => {}
            other => return Err(Fault::Unknown(format!("a condition that is {other:?}"))),
        }
    }
    Ok(false)
}

struct Scope<'a, 'b> {
    conjunct: &'b Conjunct,
    pattern: &'b Pattern,
    parameters: &'b [Value],
    look: Bound<'a>,
    locals: BTreeMap<String, Value>,
}

impl Scope<'_, '_> {
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
                Ok(low.is_none_or(|b| within(BinOp::Ge(Default::default()), b)) && high.is_none_or(|b| within(below, b)))
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
        let i = self.pattern.parameters.iter().position(|p| p.name == *name);
        i.and_then(|i| self.parameters.get(i))
            .cloned()
            .ok_or_else(|| Fault::Unknown(format!("the name `{name}`")))
    }

    fn event(&self, name: &proc_macro2::Ident) -> Option<(AtomId, u64, &Event)> {
        let read = self.conjunct.reads.iter().find(|r| r.name == *name)?;
        (self.look)(read.atom).map(|(p, e)| (read.atom, p, e))
    }

    fn attribute(&self, name: &proc_macro2::Ident, a: &proc_macro2::Ident) -> Result<Value, Fault> {
        let (atom, _, event) =
            self.event(name).ok_or_else(|| Fault::Unknown(format!("the variable `{name}`")))?;
        let i = self.pattern.event_type(atom).attributes.iter().position(|x| x.name == *a);
        i.and_then(|i| event.values.get(i))
            .cloned()
            .ok_or_else(|| Fault::Unknown(format!("the attribute `{a}`")))
    }

    fn method(&mut self, m: &syn::ExprMethodCall) -> Result<Value, Fault> {
        let name = m.method.to_string();
        if let Expr::Path(p) = &*m.receiver
            && let Some(x) = p.path.get_ident()
            && let Some((atom, position, event)) = self.event(x)
        {
            if name == "position" {
                return Ok(Value::Int(position.into()));
            }
            let i = self.pattern.event_type(atom).attributes.iter().position(|a| a.time.is_some());
            return i
                .and_then(|i| event.values.get(i))
                .cloned()
                .ok_or_else(|| Fault::Unknown(format!("the method `{name}`")));
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

//! From `syn::Expr` to [`Expr`].
use crate::aggregate::{Aggregate, Function};
use crate::expr::{Attr, Expr, Pat, Read, Source, Var};
use crate::made::Declared;
use crate::model::{Declaration, Result, Ty, invalid, unsupported};
use crate::number::V;
use quote::ToTokens;
use std::collections::BTreeMap;

/// What names mean in a pattern.
pub(crate) struct Names<'a> {
    pub(crate) declaration: &'a Declaration,
    /// The variables, type names included; a [`Var`] is an index here.
    pub(crate) vars: Vec<String>,
    /// The event types that each variable may hold.
    pub(crate) types: Vec<Vec<bool>>,
    pub(crate) parameters: BTreeMap<String, V>,
    /// Every `agg`, in the order written.
    pub(crate) made: Vec<Declared>,
    /// `project`: the attributes that are left.
    pub(crate) projected: BTreeMap<Var, Vec<String>>,
}

impl Names<'_> {
    pub(crate) fn var(&self, name: &str) -> Option<Var> {
        self.vars.iter().position(|v| v == name)
    }

    pub(crate) fn attribute(&self, var: Var, name: &str) -> Result<Attr> {
        self.find(var, |a| a.name == name, name)
    }

    fn find(&self, var: Var, is: impl Fn(&crate::model::AttrDecl) -> bool, what: &str) -> Result<Attr> {
        let types = &self.declaration.types;
        let index: Vec<Option<usize>> = types.iter().map(|t| t.attributes.iter().position(&is)).collect();
        let mut ty = None;
        for (t, decl) in types.iter().enumerate().filter(|(t, _)| self.types[var][*t]) {
            if let Some(i) = index[t] {
                let this = decl.attributes[i].ty;
                if ty.is_some_and(|x| x != this) {
                    return invalid(format!("`{what}` of `{}` has two types", self.vars[var]));
                }
                ty = Some(this);
            }
        }
        let made: Vec<Option<usize>> = self
            .made
            .iter()
            .map(|m| if m.var == var { m.fields.iter().position(&is) } else { None })
            .collect();
        for (m, at) in self.made.iter().zip(&made) {
            if let Some(at) = at {
                let this = m.fields[*at].ty;
                if ty.is_some_and(|x| x != this) {
                    return invalid(format!("`{what}` of `{}` has two types", self.vars[var]));
                }
                ty = Some(this);
            }
        }
        match ty {
            Some(ty) => Ok(Attr { index, made, ty }),
            None => invalid(format!("no type of `{}` has an attribute `{what}`", self.vars[var])),
        }
    }

    /// `x`, `prev(x)`, `first(x)`, `last(x)`
    fn source(&self, e: &syn::Expr, locals: &[String]) -> Option<Source> {
        match e {
            syn::Expr::Paren(p) => self.source(&p.expr, locals),
            syn::Expr::Path(p) => {
                let name = p.path.get_ident()?.to_string();
                if locals.contains(&name) { None } else { Some(Source::Each(self.var(&name)?)) }
            }
            syn::Expr::Call(c) => {
                let f = c.func.to_token_stream().to_string();
                let [arg] = c.args.iter().collect::<Vec<_>>()[..] else { return None };
                let Source::Each(v) = self.source(arg, locals)? else { return None };
                match f.as_str() {
                    "prev" => Some(Source::Prev(v)),
                    "first" => Some(Source::First(v)),
                    "last" => Some(Source::Last(v)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn read(&self, e: &syn::Expr, locals: &[String]) -> Option<Result<Read>> {
        match e {
            syn::Expr::Paren(p) => self.read(&p.expr, locals),
            syn::Expr::Field(f) => {
                let source = self.source(&f.base, locals)?;
                let name = f.member.to_token_stream().to_string();
                Some(self.attribute(source.var(), &name).map(|attr| Read { source, attr }))
            }
            _ => None,
        }
    }

    /// Resolves an expression.
    pub(crate) fn expr(&self, e: &syn::Expr, locals: &[String]) -> Result<Expr> {
        let sub = |e: &syn::Expr| self.expr(e, locals).map(Box::new);
        Ok(match e {
            syn::Expr::Paren(p) => self.expr(&p.expr, locals)?,
            syn::Expr::Group(p) => self.expr(&p.expr, locals)?,
            syn::Expr::Reference(r) => self.expr(&r.expr, locals)?,
            syn::Expr::Lit(l) => Expr::Value(literal(&l.lit)?),
            syn::Expr::Path(p) => {
                let Some(name) = p.path.get_ident().map(ToString::to_string) else {
                    return unsupported(format!("the path `{}`", p.to_token_stream()));
                };
                if locals.contains(&name) {
                    Expr::Local(name)
                } else if let Some(v) = self.parameters.get(&name) {
                    Expr::Value(v.clone())
                } else {
                    return unsupported(format!("the name `{name}` in a filter"));
                }
            }
            syn::Expr::Field(_) => match self.read(e, locals) {
                Some(read) => Expr::Attr(read?),
                None => return unsupported(format!("the field `{}`", e.to_token_stream())),
            },
            syn::Expr::Unary(u) => match u.op {
                syn::UnOp::Not(_) => Expr::Unary('!', sub(&u.expr)?),
                syn::UnOp::Neg(_) => Expr::Unary('-', sub(&u.expr)?),
                _ => *sub(&u.expr)?,
            },
            syn::Expr::Binary(b) => {
                let op = b.op.to_token_stream().to_string();
                if op.ends_with('=') && !["==", "!=", "<=", ">="].contains(&op.as_str()) {
                    return invalid("an assignment in a filter");
                }
                Expr::Binary(op, sub(&b.left)?, sub(&b.right)?)
            }
            syn::Expr::Cast(c) => {
                let name = c.ty.to_token_stream().to_string();
                let ty = match name.as_str() {
                    "usize" => Some(Ty::U64),
                    "isize" => Some(Ty::I64),
                    "i128" | "u128" => None,
                    n => match Ty::from_name(n) {
                        Some(t) => Some(t),
                        None => return unsupported(format!("a cast to `{n}`")),
                    },
                };
                Expr::Cast(sub(&c.expr)?, ty)
            }
            syn::Expr::If(i) => {
                let Some((_, other)) = &i.else_branch else { return invalid("`if` without `else`") };
                Expr::If(sub(&i.cond)?, Box::new(self.block(&i.then_branch, locals)?), sub(other)?)
            }
            syn::Expr::Block(b) => self.block(&b.block, locals)?,
            syn::Expr::Macro(m) if m.mac.path.is_ident("matches") => self.matches(&m.mac, locals)?,
            syn::Expr::Call(c) => self.call(c, locals)?,
            syn::Expr::MethodCall(m) => self.method(m, locals)?,
            other => return unsupported(format!("the expression `{}`", other.to_token_stream())),
        })
    }

    fn block(&self, b: &syn::Block, locals: &[String]) -> Result<Expr> {
        match &b.stmts[..] {
            [syn::Stmt::Expr(e, None)] => self.expr(e, locals),
            [syn::Stmt::Macro(m)] if m.semi_token.is_none() && m.mac.path.is_ident("matches") => {
                self.matches(&m.mac, locals)
            }
            _ => unsupported("statements in a filter"),
        }
    }

    fn call(&self, c: &syn::ExprCall, locals: &[String]) -> Result<Expr> {
        let name = c.func.to_token_stream().to_string();
        let Some(fold) = Aggregate::from_name(&name) else {
            return unsupported(format!("the function `{name}`"));
        };
        let [arg] = c.args.iter().collect::<Vec<_>>()[..] else {
            return unsupported("an aggregate with other than one argument");
        };
        if let Some(read) = self.read(arg, locals) {
            let read = read?;
            let Source::Each(v) = read.source else { return unsupported("an aggregate of `prev`") };
            return Ok(Expr::Fold(fold, v, Some(read.attr)));
        }
        match (fold.function, self.source(arg, locals)) {
            (Function::Count, Some(Source::Each(v))) => Ok(Expr::Fold(fold, v, None)),
            _ => unsupported(format!("the aggregate `{}`", c.to_token_stream())),
        }
    }

    fn method(&self, m: &syn::ExprMethodCall, locals: &[String]) -> Result<Expr> {
        let name = m.method.to_string();
        if let Some(source) = self.source(&m.receiver, locals) {
            return match name.as_str() {
                "position" => Ok(Expr::Position(source)),
                "time" => {
                    let attr = self.find(source.var(), |a| a.time, "time()")?;
                    Ok(Expr::Time(Read { source, attr }))
                }
                _ => unsupported(format!("the method `{name}` of a variable")),
            };
        }
        let args: Vec<&syn::Expr> = m.args.iter().collect();
        let optional = ["is_none", "is_some", "is_some_and", "map_or", "unwrap_or"].contains(&name.as_str());
        if optional && let Some(read) = self.read(&m.receiver, locals) {
            let (mut default, mut closure) = (None, None);
            for a in args {
                if let syn::Expr::Closure(c) = a {
                    let [p] = c.inputs.iter().collect::<Vec<_>>()[..] else {
                        return unsupported("a closure of several parameters");
                    };
                    let p = closure_parameter(p)?;
                    let inner = [locals, std::slice::from_ref(&p)].concat();
                    closure = Some((p, Box::new(self.expr(&c.body, &inner)?)));
                } else {
                    default = Some(Box::new(self.expr(a, locals)?));
                }
            }
            return Ok(Expr::Optional(read?, name, default, closure));
        }
        let receiver = Box::new(self.expr(&m.receiver, locals)?);
        let args = args.into_iter().map(|a| self.expr(a, locals)).collect::<Result<Vec<_>>>()?;
        match (name.as_str(), args.len()) {
            ("abs" | "len" | "is_empty" | "sqrt" | "as_str" | "clone" | "is_nan", 0)
            | ("min" | "max" | "starts_with" | "ends_with" | "contains" | "eq" | "ne", 1) => {
                Ok(Expr::Method(name, receiver, args))
            }
            _ => unsupported(format!("the method `{name}`")),
        }
    }

    fn matches(&self, m: &syn::Macro, locals: &[String]) -> Result<Expr> {
        use syn::parse::{ParseStream, Parser};
        let parse = |input: ParseStream<'_>| {
            let value: syn::Expr = input.parse()?;
            input.parse::<syn::Token![,]>()?;
            let pat = syn::Pat::parse_multi_with_leading_vert(input)?;
            input.parse::<Option<syn::Token![,]>>()?;
            Ok((value, pat))
        };
        let Ok((value, pat)) = parse.parse2(m.tokens.clone()) else {
            return unsupported(format!("`matches!({})`", m.tokens));
        };
        let value = Box::new(self.expr(&value, locals)?);
        let mut pats = Vec::new();
        self.pat(&pat, &mut pats)?;
        Ok(Expr::Matches(value, pats))
    }

    fn pat(&self, p: &syn::Pat, into: &mut Vec<Pat>) -> Result<()> {
        match p {
            syn::Pat::Or(o) => o.cases.iter().try_for_each(|c| self.pat(c, into))?,
            syn::Pat::Paren(q) => self.pat(&q.pat, into)?,
            syn::Pat::Wild(_) => into.push(Pat::Any),
            syn::Pat::Lit(l) => into.push(Pat::Is(Expr::Value(literal(&l.lit)?))),
            syn::Pat::Range(r) => {
                let closed = matches!(r.limits, syn::RangeLimits::Closed(_));
                let bound = |b: &Option<Box<syn::Expr>>| b.as_ref().map(|e| self.expr(e, &[])).transpose();
                into.push(Pat::Within(bound(&r.start)?, bound(&r.end)?, closed));
            }
            // A negative literal may come as tokens.
            other => match syn::parse2::<syn::Expr>(other.to_token_stream()) {
                Ok(e @ syn::Expr::Unary(_)) => into.push(Pat::Is(self.expr(&e, &[])?)),
                _ => return unsupported(format!("the pattern `{}`", other.to_token_stream())),
            },
        }
        Ok(())
    }
}

fn closure_parameter(p: &syn::Pat) -> Result<String> {
    match p {
        syn::Pat::Ident(i) => Ok(i.ident.to_string()),
        syn::Pat::Reference(r) => closure_parameter(&r.pat),
        syn::Pat::Type(t) => closure_parameter(&t.pat),
        syn::Pat::Paren(q) => closure_parameter(&q.pat),
        other => unsupported(format!("the closure parameter `{}`", other.to_token_stream())),
    }
}

fn literal(l: &syn::Lit) -> Result<V> {
    Ok(match l {
        syn::Lit::Bool(b) => V::Bool(b.value),
        syn::Lit::Char(c) => V::Char(c.value()),
        syn::Lit::Str(s) => V::Str(s.value()),
        syn::Lit::Int(i) => {
            let digits = i.base10_digits();
            match i.suffix() {
                "f64" => V::F64(digits.parse().map_err(|_| bad(l))?),
                #[allow(clippy::cast_possible_truncation, reason = "the literal's own rounding")]
                "f32" => V::F32(digits.parse().map_err(|_| bad(l))?),
                suffix => V::Int(digits.parse().map_err(|_| bad(l))?, Ty::from_name(suffix)),
            }
        }
        syn::Lit::Float(f) => match f.suffix() {
            "f32" => V::F32(f.base10_digits().parse().map_err(|_| bad(l))?),
            "f64" => V::F64(f.base10_digits().parse().map_err(|_| bad(l))?),
            _ => V::FloatLiteral(f.base10_digits().parse().map_err(|_| bad(l))?),
        },
        syn::Lit::Byte(b) => V::Int(b.value().into(), Some(Ty::U8)),
        _ => return unsupported(format!("the literal `{}`", l.to_token_stream())),
    })
}

fn bad(l: &syn::Lit) -> crate::model::Error {
    crate::model::Error::Unsupported(format!("the literal `{}`", l.to_token_stream()))
}

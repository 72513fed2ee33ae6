//! Whether a conjunct holds on a (partial) match.
use crate::expr::{Attr, Expr, Fold, Pat, Read, Source, Var};
use crate::formula::{Conjunct, Disjunct, Filter, Vars, bit};
use crate::model::{Result, Ty, Value, invalid};
use crate::number::{V, binary, cast, compare, int, method, unary};
use crate::state::{Set, State, members};
use crate::stream::Stream;

/// A filter on a match: scope `frame` is that of the filtered formula.
pub(crate) struct Check<'a> {
    pub(crate) stream: &'a Stream<'a>,
    pub(crate) state: &'a State,
    pub(crate) filter: &'a Filter,
    pub(crate) frame: usize,
}

/// One choice of an event per variable.
type Choice = Vec<(Var, usize)>;
type Locals<'l> = &'l [(&'l str, V)];

impl Check<'_> {
    /// The events that `v` means here.
    fn events(&self, v: Var) -> Set {
        if self.filter.binds & bit(v) != 0 {
            self.state.inside(v, self.frame)
        } else {
            self.state.outside(v, self.frame)
        }
    }

    /// The events that an aggregate of `v` ranges over.
    fn folded(&self, v: Var) -> Set {
        if self.filter.iterates & bit(v) == 0
            && let Some((at, r)) = self.state.repetition(v, self.frame)
        {
            return r.before.iter().fold(self.state.inside(v, at), |s, vars| s | vars[v]);
        }
        self.events(v)
    }

    /// The repetition that gives `prev` and `first` their meaning.
    fn repetition(&self, v: Var) -> Option<&crate::state::Repetition> {
        if self.filter.iterates & bit(v) != 0 {
            return None;
        }
        self.state.repetition(v, self.frame).map(|(_, r)| r).filter(|r| r.once & bit(v) != 0)
    }

    /// The event of `prev(b)`, `first(b)`, `last(b)`.
    fn past(&self, source: Source) -> Result<Option<usize>> {
        let v = source.var();
        let set = match (source, self.repetition(v)) {
            (Source::Prev(_), Some(r)) => r.before.last().map_or(0, |vars| vars[v]),
            (Source::First(_), Some(r)) => r.before.iter().fold(0, |s, vars| s | vars[v]),
            (Source::Prev(_), None) => {
                return invalid("`prev` outside an iteration that binds its variable once");
            }
            (_, Some(_)) => return invalid("`last` of a variable bound once: `prev` is meant"),
            (_, None) => self.events(v),
        };
        Ok(if matches!(source, Source::First(_)) { members(set).next() } else { members(set).last() })
    }

    /// Every variable that the conjunct reads is bound for good: by something to the left or by the newest event.
    /// `later` may still be bound by what follows in the filtered formula.
    pub(crate) fn is_decidable(&self, c: &Conjunct, later: Vars) -> bool {
        let here = |v: Var| self.filter.binds & bit(v) != 0;
        let bound = |v: Var| !here(v) || (self.events(v) != 0 && later & bit(v) == 0);
        let past = |s: &Source| self.repetition(s.var()).is_some() || bound(s.var());
        c.each.iter().all(|v| bound(*v)) && c.past.iter().all(past) && members(c.folded.into()).all(bound)
    }

    /// True for every choice of one event from each variable; over nothing it holds.
    pub(crate) fn holds(&self, c: &Conjunct) -> Result<bool> {
        for s in &c.past {
            if self.past(*s)?.is_none() {
                return Ok(true);
            }
        }
        let mut choices: Vec<Choice> = vec![Vec::new()];
        for v in &c.each {
            let events: Vec<usize> = members(self.events(*v)).collect();
            let with = |c: &Choice, e: usize| [&c[..], &[(*v, e)]].concat();
            choices = choices.iter().flat_map(|c| events.iter().map(move |e| with(c, *e))).collect();
        }
        for choice in &choices {
            let mut any = false;
            for d in &c.disjuncts {
                if self.disjunct(d, choice)? {
                    any = true;
                    break;
                }
            }
            if !any {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn disjunct(&self, d: &Disjunct, choice: &Choice) -> Result<bool> {
        for read in &d.mentions {
            if self.read(read, choice)?.is_none() {
                return Ok(false);
            }
        }
        for f in &d.folds {
            if let Expr::Fold(fold, v, attr) = f
                && self.fold(*fold, *v, attr.as_ref())?.is_none()
            {
                return Ok(false);
            }
        }
        self.value(&d.expr, choice, &[])?.bool()
    }

    fn event(&self, source: Source, choice: &Choice) -> Result<usize> {
        let at = match source {
            Source::Each(v) => choice.iter().find(|(w, _)| *w == v).map(|(_, e)| *e),
            other => self.past(other)?,
        };
        match at {
            Some(at) => Ok(at),
            None => invalid("a variable that is not bound"),
        }
    }

    fn read(&self, read: &Read, choice: &Choice) -> Result<Option<V>> {
        self.attribute(&read.attr, self.event(read.source, choice)?)
    }

    fn attribute(&self, attr: &Attr, at: usize) -> Result<Option<V>> {
        let event = self.stream.events[at];
        match attr.index[event.ty] {
            Some(i) => V::typed(event.values.get(i).unwrap_or(&Value::Null), attr.ty),
            None => Ok(None),
        }
    }

    fn fold(&self, fold: Fold, v: Var, attr: Option<&Attr>) -> Result<Option<V>> {
        let events: Vec<usize> = members(self.folded(v)).collect();
        let count = i128::try_from(events.len()).unwrap_or(i128::MAX);
        let Some(attr) = attr else { return Ok(Some(V::Int(count, Some(Ty::U64)))) };
        let mut values = Vec::new();
        for e in events {
            match self.attribute(attr, e)? {
                Some(x) => values.push(x),
                None => return Ok(None),
            }
        }
        if fold == Fold::Count {
            return Ok(Some(V::Int(count, Some(Ty::U64))));
        }
        let wide = |x: &V| cast(x.clone(), if attr.ty.range().is_some() { None } else { Some(Ty::F64) });
        let sum = values.iter().map(wide).reduce(|a, b| binary("+", a?, b?)).transpose()?;
        let extreme = |op: &str| -> Result<Option<V>> {
            let mut best: Option<V> = None;
            for x in &values {
                // NaN makes min and max NaN.
                if compare("!=", x.clone(), x.clone())?.bool()? {
                    return Ok(Some(x.clone()));
                }
                let better = match &best {
                    Some(b) => compare(op, x.clone(), b.clone())?.bool()?,
                    None => true,
                };
                if better {
                    best = Some(x.clone());
                }
            }
            Ok(best)
        };
        Ok(match fold {
            Fold::Count => None,
            Fold::Sum if sum.is_none() && attr.ty.range().is_some() => Some(V::Int(0, None)),
            Fold::Sum => Some(sum.unwrap_or(V::F64(0.0))),
            Fold::Avg => match sum {
                Some(s) => {
                    Some(binary("/", cast(s, Some(Ty::F64))?, cast(V::Int(count, None), Some(Ty::F64))?)?)
                }
                None => None,
            },
            Fold::Min => extreme("<")?,
            Fold::Max => extreme(">")?,
            Fold::Range => match (extreme(">")?, extreme("<")?) {
                (Some(a), Some(b)) => Some(binary("-", a, b)?),
                _ => None,
            },
            Fold::First => values.first().cloned(),
            Fold::Last => values.last().cloned(),
        })
    }

    fn value(&self, e: &Expr, choice: &Choice, locals: Locals<'_>) -> Result<V> {
        let sub = |e: &Expr| self.value(e, choice, locals);
        match e {
            Expr::Value(v) => Ok(v.clone()),
            Expr::Local(name) => match locals.iter().rev().find(|(n, _)| n == name) {
                Some((_, v)) => Ok(v.clone()),
                None => invalid(format!("the name `{name}`")),
            },
            Expr::Attr(read) | Expr::Time(read) => match self.read(read, choice)? {
                Some(v) => Ok(v),
                None => invalid("NULL as a value"),
            },
            Expr::Position(source) => {
                int(Some(self.stream.positions[self.event(*source, choice)?].into()), Some(Ty::U64))
            }
            Expr::Fold(fold, v, attr) => match self.fold(*fold, *v, attr.as_ref())? {
                Some(v) => Ok(v),
                None => invalid("NULL as a value"),
            },
            Expr::Optional(read, method, default, closure) => {
                let value = self.read(read, choice)?;
                let call = |v: V| match closure {
                    Some((name, body)) => self.value(body, choice, &[locals, &[(name, v)]].concat()),
                    None => invalid(format!("`{method}` without a closure")),
                };
                let default = || match default {
                    Some(d) => sub(d),
                    None => invalid(format!("`{method}` without a default")),
                };
                match (method.as_str(), value) {
                    ("is_none", v) => Ok(V::Bool(v.is_none())),
                    ("is_some", v) => Ok(V::Bool(v.is_some())),
                    ("is_some_and", Some(v)) => call(v),
                    ("is_some_and", None) => Ok(V::Bool(false)),
                    // The default is an argument: Rust evaluates it first, always.
                    ("map_or", Some(v)) => default().and_then(|_| call(v)),
                    ("unwrap_or", Some(v)) => default().map(|_| v),
                    (_, Some(v)) => Ok(v),
                    (_, None) => default(),
                }
            }
            Expr::Unary(op, a) => unary(*op, sub(a)?),
            Expr::Binary(op, a, b) => match (op.as_str(), sub(a)?) {
                ("&&", V::Bool(false)) => Ok(V::Bool(false)),
                ("||", V::Bool(true)) => Ok(V::Bool(true)),
                ("&&" | "||", V::Bool(_)) => Ok(V::Bool(sub(b)?.bool()?)),
                (op, a) => binary(op, a, sub(b)?),
            },
            Expr::Cast(a, ty) => cast(sub(a)?, *ty),
            Expr::If(c, a, b) => {
                if sub(c)?.bool()? {
                    sub(a)
                } else {
                    sub(b)
                }
            }
            Expr::Matches(a, pats) => {
                let a = sub(a)?;
                for p in pats {
                    let is = match p {
                        Pat::Any => true,
                        Pat::Is(x) => compare("==", a.clone(), sub(x)?)?.bool()?,
                        Pat::Within(from, to, closed) => {
                            let test = |op: &str, x: &Option<Expr>| match x {
                                Some(x) => compare(op, a.clone(), sub(x)?)?.bool(),
                                None => Ok(true),
                            };
                            test(">=", from)? && test(if *closed { "<=" } else { "<" }, to)?
                        }
                    };
                    if is {
                        return Ok(V::Bool(true));
                    }
                }
                Ok(V::Bool(false))
            }
            Expr::Method(name, a, args) => {
                let a = sub(a)?;
                method(name, a, args.iter().map(sub).collect::<Result<_>>()?)
            }
        }
    }
}

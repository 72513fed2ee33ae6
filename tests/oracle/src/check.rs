//! Whether a conjunct holds on a (partial) match.
use crate::aggregate::Aggregate;
use crate::expr::{Attr, Expr, Pat, Read, Source, Var};
use crate::formula::{Conjunct, Disjunct, Filter, Vars, bit};
use crate::made::Workshop;
use crate::model::{Result, Ty, invalid, unsupported};
use crate::number::{V, binary, cast, compare, int, method, unary};
use crate::state::{Content, Repetition, State, members};
use crate::stream::Stream;

/// A filter on a match: scope `frame` is that of the filtered formula.
pub(crate) struct Check<'a> {
    pub(crate) stream: &'a Stream<'a>,
    pub(crate) state: &'a State,
    pub(crate) filter: &'a Filter,
    pub(crate) frame: usize,
    pub(crate) shop: &'a Workshop,
}

/// One choice of an event per variable.
type Choice = Vec<(Var, usize)>;
type Locals<'l> = &'l [(&'l str, V)];

/// What a variable holds of the repetitions before the current one.
fn sofar(r: &Repetition, v: Var) -> Content {
    r.before.iter().fold(Content::default(), |found, held| found.and(held.of(v)))
}

impl Check<'_> {
    /// The events that `v` means here.
    fn events(&self, v: Var) -> Content {
        if self.filter.binds & bit(v) != 0 {
            self.state.inside(v, self.frame)
        } else {
            self.state.outside(v, self.frame)
        }
    }

    /// The events that an aggregate of `v` ranges over.
    fn folded(&self, v: Var) -> Content {
        if self.filter.iterates & bit(v) == 0
            && let Some((at, r)) = self.state.repetition(v, self.frame)
        {
            return sofar(r, v).and(self.state.inside(v, at));
        }
        self.events(v)
    }

    /// Events of the stream by their index, computed ones behind all of those.
    fn items(&self, content: &Content) -> Vec<usize> {
        self.shop.items(content)
    }

    /// The repetition that gives `prev` and `first` their meaning.
    fn repetition(&self, v: Var) -> Option<&Repetition> {
        if self.filter.iterates & bit(v) != 0 {
            return None;
        }
        self.state.repetition(v, self.frame).map(|(_, r)| r).filter(|r| r.once & bit(v) != 0)
    }

    /// The event of `prev(b)`, `first(b)`, `last(b)`.
    fn past(&self, source: Source) -> Result<Option<usize>> {
        let v = source.var();
        let content = match (source, self.repetition(v)) {
            (Source::Prev(_), Some(r)) => r.before.last().map(|held| held.of(v)).unwrap_or_default(),
            (Source::First(_), Some(r)) => sofar(r, v),
            (Source::Prev(_), None) => {
                return invalid("`prev` outside an iteration that binds its variable once");
            }
            (_, Some(_)) => return invalid("`last` of a variable bound once: `prev` is meant"),
            (_, None) => self.events(v),
        };
        let items = self.items(&content);
        Ok(if matches!(source, Source::First(_)) { items.first().copied() } else { items.last().copied() })
    }

    /// Every variable that the conjunct reads is bound for good: by something to the left or by the newest event.
    /// `later` may still be bound by what follows in the filtered formula.
    pub(crate) fn is_decidable(&self, c: &Conjunct, later: Vars) -> bool {
        let here = |v: Var| self.filter.binds & bit(v) != 0;
        let bound = |v: Var| !here(v) || (!self.events(v).is_empty() && later & bit(v) == 0);
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
            let events = self.items(&self.events(*v));
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
        V::typed(&self.shop.attribute(self.stream, attr, at), attr.ty)
    }

    fn fold(&self, fold: Aggregate, v: Var, attr: Option<&Attr>) -> Result<Option<V>> {
        let items = self.items(&self.folded(v));
        self.shop.fold(self.stream, fold, attr, &items).and_then(|(value, ty)| V::typed(&value, ty))
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
                if self.event(*source, choice)? >= self.stream.positions.len() {
                    return unsupported("the position of a computed event");
                }
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

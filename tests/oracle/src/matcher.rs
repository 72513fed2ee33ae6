//! The complex events of a formula, enumerated from left to right by its definition.
//!
//! Every function returns *all* ways to go on from a state. Conditions are checked when the scope of their filter
//! closes (the definition), and before that as soon as their last variable is bound, so that panics and the gaps
//! of `->` are those of partial matches.
use crate::check::Check;
use crate::formula::{Conjunct, Filter, Iterate, Negation, Node, Vars, Window, bit};
use crate::made::Workshop;
use crate::model::{Result, unsupported};
use crate::state::{Held, Repetition, State};
use crate::stream::Stream;
use cep_compiler::ast::Operator;
use std::cell::RefCell;

/// Where a formula may start: from the first to the last of these indices.
pub(crate) type Starts = (usize, usize);

/// A filter whose scope is open.
#[derive(Clone, Copy)]
pub(crate) struct Active<'n> {
    pub(crate) filter: &'n Filter,
    pub(crate) frame: usize,
    /// What may still be bound in it by what follows.
    pub(crate) later: Vars,
}

/// What surrounds a formula.
#[derive(Clone, Default)]
pub(crate) struct Context<'n> {
    pub(crate) active: Vec<Active<'n>>,
    /// `as` variables that an atom below binds.
    pub(crate) binds: Vars,
    /// Where the whole match began.
    pub(crate) begin: Option<usize>,
}

impl<'n> Context<'n> {
    /// In front of something that binds `vars` too.
    pub(crate) fn before(&self, vars: Vars) -> Context<'n> {
        let mut c = self.clone();
        c.active.iter_mut().for_each(|a| a.later |= vars);
        c
    }
    pub(crate) fn binding(&self, vars: Vars) -> Context<'n> {
        Context { binds: self.binds | vars, ..self.clone() }
    }
    pub(crate) fn inside(&self, filter: &'n Filter, frame: usize) -> Context<'n> {
        let mut c = self.clone();
        c.active.push(Active { filter, frame, later: 0 });
        c
    }
    /// In the body of an iteration: no condition from outside moves there.
    pub(crate) fn body(&self) -> Context<'n> {
        Context { begin: self.begin, ..Context::default() }
    }
    fn begun(&self, at: usize) -> Context<'n> {
        Context { begin: Some(self.begin.unwrap_or(at)), ..self.clone() }
    }
}

/// Matches formulas on one stream.
pub(crate) struct Matcher<'n> {
    pub(crate) stream: &'n Stream<'n>,
    /// The window of the whole pattern, where it prunes.
    pub(crate) window: Option<&'n Window>,
    /// Conditions are checked only where their filter closes.
    pub(crate) late: bool,
    /// The computed events so far.
    pub(crate) shop: Workshop,
    negations: RefCell<Vec<&'n Negation>>,
}

impl<'n> Matcher<'n> {
    pub(crate) fn new(stream: &'n Stream<'n>, window: Option<&'n Window>) -> Matcher<'n> {
        Matcher { stream, window, late: false, shop: Workshop::default(), negations: RefCell::default() }
    }

    fn last(&self) -> Starts {
        (0, self.stream.events.len().saturating_sub(1))
    }

    /// All matches of `node` from `st`.
    pub(crate) fn run(
        &self,
        node: &'n Node,
        st: &State,
        starts: Starts,
        cx: &Context<'n>,
    ) -> Result<Vec<State>> {
        let found = match node {
            Node::Atom { ty, var } => return self.atom(*ty, bit(*var) | cx.binds, st, starts, cx),
            Node::As { inner, var, single: true } => {
                return self.run(inner, st, starts, &cx.binding(bit(*var)));
            }
            Node::As { inner, var, single: false } => {
                let mut found =
                    self.run(inner, &st.pushed(Vars::MAX, None), starts, &cx.before(bit(*var)))?;
                for s in &mut found {
                    let all = s.pop().vars.into_iter().fold(0, |a, b| a | b);
                    if let Some(top) = s.frames.last_mut() {
                        top.held.vars[*var] |= all;
                    }
                }
                found
            }
            Node::Sequence { left, operator, negations, right } => {
                self.sequence((left, *operator, negations, right), st, starts, cx)?
            }
            Node::Or(parts) => {
                let mut found = Vec::new();
                for p in parts {
                    found.extend(self.run(p, st, starts, cx)?);
                }
                found
            }
            Node::Iterate(i) if i.is_single() => {
                let mut found = self.run(&i.inner, st, starts, cx)?;
                if i.minimum == 0 {
                    found.push(empty(st));
                }
                found
            }
            Node::Iterate(i) => self.iterate(i, st, starts, cx)?,
            Node::All(parts) => self.all(parts, st, starts, cx)?,
            Node::Without { inner, excluded } => {
                let found = self.run(inner, st, starts, cx)?;
                if found.is_empty() {
                    return Ok(found);
                }
                let bad = self.spans(excluded, st, (starts.0, self.last().1))?;
                let clean =
                    |s: &State| s.span.is_none_or(|(a, b)| !bad.iter().any(|(c, d)| a <= *c && *d <= b));
                found.into_iter().filter(clean).collect()
            }
            Node::Filter { inner, filter } => {
                let frame = st.frames.len();
                let all = self.run(inner, &st.pushed(Vars::MAX, None), starts, &cx.inside(filter, frame))?;
                let mut found = Vec::new();
                for mut s in all {
                    if self.holds(filter, frame, &s)? {
                        s.pop();
                        found.push(s);
                    }
                }
                found
            }
            Node::Aggregate { inner, aggregation } => {
                let frame = st.frames.len();
                let mut found = self.run(inner, &st.pushed(Vars::MAX, None), starts, cx)?;
                for s in &mut found {
                    let made = self.shop.make(self.stream, s, frame, aggregation)?;
                    s.pop();
                    if let Some(made) = made {
                        s.bind_made(aggregation.var, made);
                    }
                }
                found
            }
            Node::Select { inner, keep } => {
                let mut found =
                    self.run(inner, &st.pushed(*keep, None), starts, &Context { binds: 0, ..cx.clone() })?;
                found.iter_mut().for_each(|s| drop(s.pop()));
                found
            }
            Node::Within { inner, bound } => {
                let mut found = Vec::new();
                for s in self.run(inner, st, starts, cx)? {
                    if s.span.map_or(Ok(true), |(a, b)| self.stream.fits(a, b, bound))? {
                        found.push(s);
                    }
                }
                found
            }
        };
        Ok(distinct(found))
    }

    fn holds(&self, filter: &Filter, frame: usize, state: &State) -> Result<bool> {
        let check = Check { stream: self.stream, state, filter, frame, shop: &self.shop };
        for here in [false, true] {
            for c in filter.conjuncts.iter().filter(|c| (c.reads() & filter.binds != 0) == here) {
                if !check.holds(c)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn atom(
        &self,
        ty: usize,
        vars: Vars,
        st: &State,
        starts: Starts,
        cx: &Context<'n>,
    ) -> Result<Vec<State>> {
        let mut found = Vec::new();
        for at in starts.0..=starts.1 {
            let Some(event) = self.stream.events.get(at) else { break };
            if event.ty != ty {
                continue;
            }
            if let Some(w) = self.window
                && !self.stream.fits(cx.begin.unwrap_or(at), at, w)?
            {
                continue;
            }
            let mut s = st.clone();
            s.bind(vars, at);
            (s.span, s.open) = (Some((at, at)), Vec::new());
            if self.step_holds(&s, vars, cx)? {
                found.push(s);
            }
        }
        Ok(found)
    }

    /// The conjuncts decided by an event that binds `vars`, and before them those that earlier steps decide.
    fn step_holds(&self, state: &State, vars: Vars, cx: &Context<'n>) -> Result<bool> {
        if self.late { Ok(true) } else { self.nothing_false(state, vars, cx, &|_| true) }
    }

    /// No conjunct decidable in `state`, whose newest event binds `vars`, is false. A conjunct belongs to the step that
    /// binds its last variable, wherever it is written: those of earlier steps come first, then inner filters
    /// (written first) before outer ones.
    pub(crate) fn nothing_false(
        &self,
        state: &State,
        vars: Vars,
        cx: &Context<'n>,
        counts: &dyn Fn(&Conjunct) -> bool,
    ) -> Result<bool> {
        for newest in [false, true] {
            for a in cx.active.iter().rev() {
                let (filter, frame) = (a.filter, a.frame);
                let check = Check { stream: self.stream, state, filter, frame, shop: &self.shop };
                let this = |c: &&Conjunct| (c.reads() & vars != 0) == newest && counts(c);
                for c in a.filter.conjuncts.iter().filter(this) {
                    if check.is_decidable(c, a.later) && !check.holds(c)? {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    /// Where `next` may start behind a match that ended at `end`.
    fn gap(&self, op: Operator, next: &'n Node, st: &State, end: usize, cx: &Context<'n>) -> Result<Starts> {
        let from = end + 1;
        let to = match op {
            Operator::Any => self.last().1,
            Operator::Strict => from,
            Operator::Next => {
                let mut to = self.last().1;
                for p in from..self.stream.events.len() {
                    if let (Some(w), Some(begin)) = (self.window, cx.begin)
                        && !self.stream.fits(begin, p, w)?
                    {
                        break;
                    }
                    if self.is_first(next, p, st, cx, &|_| true)? {
                        to = p;
                        break;
                    }
                }
                to
            }
        };
        Ok((from, to))
    }

    fn sequence(
        &self,
        (left, op, negations, right): (&'n Node, Operator, &'n [Negation], &'n Node),
        st: &State,
        starts: Starts,
        cx: &Context<'n>,
    ) -> Result<Vec<State>> {
        let mut found = Vec::new();
        for mut l in self.run(left, st, starts, &cx.before(right.binds()))? {
            let Some((start, end)) = l.span else {
                if !negations.is_empty() {
                    return unsupported("a `not` behind parts that may all be absent");
                }
                found.extend(self.run(right, &l, starts, cx)?);
                continue;
            };
            let mut open = std::mem::take(&mut l.open);
            for n in negations {
                open.push(self.negations.borrow().len());
                self.negations.borrow_mut().push(n);
            }
            let cx = cx.begun(start);
            for mut r in self.run(right, &l, self.gap(op, right, &l, end, &cx)?, &cx)? {
                match r.span {
                    // The absent part leaves the chain: its gap is still open.
                    None => (r.span, r.open) = (Some((start, end)), open.clone()),
                    Some((next, last)) => {
                        if self.is_broken(&open, &l, end, next)? {
                            continue;
                        }
                        r.span = Some((start, last));
                    }
                }
                found.push(r);
            }
        }
        Ok(found)
    }

    /// Some `not` of the gap between `end` and `next` has a match there.
    fn is_broken(&self, open: &[usize], st: &State, end: usize, next: usize) -> Result<bool> {
        for n in open {
            let n = self.negations.borrow()[*n];
            if n.next_only {
                if self.spans(&n.formula, st, (end + 1, end + 1))?.contains(&(end + 1, end + 1)) {
                    return Ok(true);
                }
            } else if end + 1 < next
                && self.spans(&n.formula, st, (end + 1, next - 1))?.iter().any(|(_, b)| *b < next)
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The intervals of a formula that is no part of the match.
    pub(crate) fn spans(&self, node: &'n Node, st: &State, starts: Starts) -> Result<Vec<(usize, usize)>> {
        let found = self.run(node, &st.pushed(Vars::MAX, None), starts, &Context::default())?;
        Ok(found.into_iter().filter_map(|s| s.span).collect())
    }

    fn iterate(&self, i: &'n Iterate, st: &State, starts: Starts, cx: &Context<'n>) -> Result<Vec<State>> {
        let inner = &*i.inner;
        let enough = |n: u32| n >= i.minimum || inner.is_nullable();
        let mut found = Vec::new();
        if enough(0) {
            found.push(empty(st));
        }
        let body = cx.body();
        let mut front: Vec<(State, Vec<Held>)> = vec![(empty(st), Vec::new())];
        let mut n = 0;
        while !front.is_empty() && i.maximum.is_none_or(|m| n < m) {
            n += 1;
            let mut next = Vec::new();
            for (s, before) in front {
                let repetition = Repetition { binds: i.binds, once: i.once, before: before.clone() };
                let scope = s.pushed(Vars::MAX, Some(repetition));
                let (starts, body) = match s.span {
                    None => (starts, body.clone()),
                    Some((a, b)) => {
                        let body = body.begun(a);
                        (self.gap(i.operator, inner, &scope, b, &body)?, body)
                    }
                };
                for mut r in self.run(inner, &scope, starts, &body)? {
                    let Some((a, b)) = r.span else { continue };
                    if !r.open.is_empty() {
                        return unsupported("a `not` in front of parts that may all be absent");
                    }
                    let mut before = before.clone();
                    let vars = r.pop();
                    if i.history {
                        before.push(vars);
                    }
                    r.span = Some((s.span.map_or(a, |(first, _)| first), b));
                    next.push((r, before));
                }
            }
            front = distinct(next);
            if enough(n) {
                found.extend(front.iter().map(|(s, _)| s.clone()));
            }
        }
        Ok(found)
    }

    fn all(&self, parts: &'n [Node], st: &State, starts: Starts, cx: &Context<'n>) -> Result<Vec<State>> {
        let mut found = vec![(empty(st), 0)];
        for (k, p) in parts.iter().enumerate() {
            let others = parts.iter().enumerate().filter(|(j, _)| *j != k).fold(0, |m, (_, q)| m | q.binds());
            // A part does not see the others, so it starts from the state in front of them all.
            let scope = st.pushed(Vars::MAX, None);
            let mine = self.run(p, &scope, (starts.0, self.last().1), &cx.before(others & !p.binds()))?;
            let mut next = Vec::new();
            for (s, taken) in &found {
                for m in &mine {
                    if !m.open.is_empty() {
                        return unsupported("a `not` in front of parts that may all be absent");
                    }
                    let vars = m.clone().pop();
                    let events = vars.vars.iter().fold(0, |a, b| a | b);
                    if taken & events != 0 {
                        continue;
                    }
                    let mut both = s.clone();
                    both.add(&vars);
                    both.span = match (s.span, m.span) {
                        (Some((a, b)), Some((c, d))) => Some((a.min(c), b.max(d))),
                        (a, b) => a.or(b),
                    };
                    next.push((both, taken | events));
                }
            }
            found = next;
        }
        let in_time = |s: &State| s.span.is_none_or(|(a, _)| starts.0 <= a && a <= starts.1);
        Ok(found.into_iter().map(|(s, _)| s).filter(in_time).collect())
    }
}

/// The state with a formula matched on no event.
fn empty(st: &State) -> State {
    State { span: None, open: Vec::new(), ..st.clone() }
}

/// Without repetitions.
fn distinct<T: Ord>(mut list: Vec<T>) -> Vec<T> {
    list.sort();
    list.dedup();
    list
}

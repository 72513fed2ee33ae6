//! `φ -> ψ`: which events are first events of ψ.
use crate::expr::Source;
use crate::formula::{Conjunct, Node, Vars, bit};
use crate::matcher::{Context, Matcher};
use crate::model::Result;
use crate::state::{Repetition, State};

impl<'n> Matcher<'n> {
    /// Event `p` is a first event of `node`, with the match so far in `st`. `counts` says which conjuncts matter
    /// (all of them, but for those that ψ as a whole excludes).
    pub(crate) fn is_first(
        &self,
        node: &'n Node,
        p: usize,
        st: &State,
        cx: &Context<'n>,
        counts: &dyn Fn(&Conjunct) -> bool,
    ) -> Result<bool> {
        // An aggregate, `first` or `last` of a variable of ψ counts only where ψ is a single event.
        let (single, own) = (node.is_single(), node.binds());
        let narrow = |c: &Conjunct| {
            let whole = |s: &Source| matches!(s, Source::First(v) | Source::Last(v) if own & bit(*v) != 0);
            counts(c) && (single || (c.folded & own == 0 && !c.past.iter().any(whole)))
        };
        self.begins(node, p, st, cx, &narrow)
    }

    fn begins(
        &self,
        node: &'n Node,
        p: usize,
        st: &State,
        cx: &Context<'n>,
        counts: &dyn Fn(&Conjunct) -> bool,
    ) -> Result<bool> {
        match node {
            Node::Atom { ty, var } => {
                if self.stream.events[p].ty != *ty {
                    return Ok(false);
                }
                let mut s = st.clone();
                s.bind(bit(*var) | cx.binds, p);
                self.nothing_false(&s, bit(*var) | cx.binds, cx, counts)
            }
            Node::As { inner, var, single: true } => {
                self.begins(inner, p, st, &cx.binding(bit(*var)), counts)
            }
            Node::As { inner, var, single: false } => {
                self.begins(inner, p, &st.pushed(Vars::MAX, None), &cx.before(bit(*var)), counts)
            }
            Node::Sequence { left, right, .. } => {
                Ok(self.begins(left, p, st, &cx.before(right.binds()), counts)?
                    || (left.is_nullable() && self.begins(right, p, st, cx, counts)?))
            }
            Node::Or(parts) => self.any_begins(parts, p, st, cx, counts),
            Node::All(parts) => {
                for (k, part) in parts.iter().enumerate() {
                    let others = parts.iter().enumerate().filter(|(j, _)| *j != k);
                    let later = others.fold(0, |m, (_, q)| m | q.binds()) & !part.binds();
                    if self.begins(part, p, st, &cx.before(later), counts)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Node::Iterate(i) if i.is_single() => self.begins(&i.inner, p, st, cx, counts),
            Node::Iterate(i) => {
                let repetition = Repetition { binds: i.binds, once: i.once, before: Vec::new() };
                self.begins(&i.inner, p, &st.pushed(Vars::MAX, Some(repetition)), &cx.body(), counts)
            }
            Node::Without { inner, .. } | Node::Within { inner, .. } => self.begins(inner, p, st, cx, counts),
            Node::Filter { inner, filter } => {
                let scope = st.pushed(Vars::MAX, None);
                self.begins(inner, p, &scope, &cx.inside(filter, st.frames.len()), counts)
            }
            // behind `->` there is none
            Node::Aggregate { inner, .. } => self.begins(inner, p, &st.pushed(Vars::MAX, None), cx, counts),
            Node::Select { inner, keep } => {
                let cx = Context { binds: 0, ..cx.clone() };
                self.begins(inner, p, &st.pushed(*keep, None), &cx, counts)
            }
        }
    }

    fn any_begins(
        &self,
        parts: &'n [Node],
        p: usize,
        st: &State,
        cx: &Context<'n>,
        counts: &dyn Fn(&Conjunct) -> bool,
    ) -> Result<bool> {
        for part in parts {
            if self.begins(part, p, st, cx, counts)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

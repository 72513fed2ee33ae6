//! A partial match: what each variable holds so far, in nested scopes.
use crate::expr::Var;
use crate::formula::{Vars, bit};

/// A set of positions of the (sub-)stream, at most 128.
pub(crate) type Set = u128;

/// The positions in a set, in order.
pub(crate) fn members(set: Set) -> impl Iterator<Item = usize> {
    (0..128).filter(move |i| set >> i & 1 == 1)
}

/// What variables hold.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct Held {
    /// By variable, the events of the stream.
    pub(crate) vars: Vec<Set>,
    /// Computed events, each with its variable, in the order in which they were made.
    pub(crate) made: Vec<(Var, usize)>,
}

impl Held {
    /// What one variable holds.
    pub(crate) fn of(&self, v: Var) -> Content {
        let made = self.made.iter().filter(|(w, _)| *w == v).map(|(_, m)| *m).collect();
        Content { events: self.vars[v], made }
    }
}

/// What one variable holds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Content {
    /// Events of the stream.
    pub(crate) events: Set,
    /// Computed events.
    pub(crate) made: Vec<usize>,
}

impl Content {
    pub(crate) fn is_empty(&self) -> bool {
        self.events == 0 && self.made.is_empty()
    }
    /// With what comes behind.
    pub(crate) fn and(mut self, later: Content) -> Content {
        self.events |= later.events;
        self.made.extend(later.made);
        self
    }
}

/// A scope that was opened and not closed yet.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Frame {
    /// What was bound in it.
    pub(crate) held: Held,
    /// Only these variables will outlive it: an inner `select`.
    pub(crate) keep: Vars,
    /// A repetition of an iteration.
    pub(crate) repetition: Option<Repetition>,
}

/// What is known inside a repetition.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Repetition {
    /// What the body binds, and what it binds once.
    pub(crate) binds: Vars,
    pub(crate) once: Vars,
    /// The repetitions before, where a condition reads them.
    pub(crate) before: Vec<Held>,
}

/// A partial match.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct State {
    pub(crate) frames: Vec<Frame>,
    /// First and last position of the formula just matched; nothing where it matched no event.
    pub(crate) span: Option<(usize, usize)>,
    /// `not`s of this chain whose gap is still open: indices into the matcher's list.
    pub(crate) open: Vec<usize>,
}

impl State {
    /// Nothing matched yet.
    pub(crate) fn new(vars: usize) -> State {
        let held = Held { vars: vec![0; vars], made: Vec::new() };
        let frame = Frame { held, keep: Vars::MAX, repetition: None };
        State { frames: vec![frame], span: None, open: Vec::new() }
    }

    /// With one scope more.
    pub(crate) fn pushed(&self, keep: Vars, repetition: Option<Repetition>) -> State {
        let mut s = self.clone();
        let held = Held { vars: vec![0; s.frames[0].held.vars.len()], made: Vec::new() };
        s.frames.push(Frame { held, keep, repetition });
        s.span = None;
        s.open = Vec::new();
        s
    }

    /// Closes the innermost scope; what was bound in it goes to the one around it.
    pub(crate) fn pop(&mut self) -> Held {
        let Some(frame) = self.frames.pop() else { return Held::default() };
        let mut held = frame.held;
        for (v, set) in held.vars.iter_mut().enumerate() {
            if frame.keep & bit(v) == 0 {
                *set = 0;
            }
        }
        held.made.retain(|(v, _)| frame.keep & bit(*v) != 0);
        self.add(&held);
        held
    }

    /// Binds to the innermost scope.
    pub(crate) fn add(&mut self, more: &Held) {
        if let Some(top) = self.frames.last_mut() {
            top.held.vars.iter_mut().zip(&more.vars).for_each(|(a, b)| *a |= b);
            top.held.made.extend_from_slice(&more.made);
        }
    }

    /// Binds a computed event in the innermost scope.
    pub(crate) fn bind_made(&mut self, v: Var, made: usize) {
        if let Some(top) = self.frames.last_mut() {
            top.held.made.push((v, made));
        }
    }

    /// Binds one event in the innermost scope.
    pub(crate) fn bind(&mut self, vars: Vars, at: usize) {
        if let Some(top) = self.frames.last_mut() {
            let held = top.held.vars.iter_mut().enumerate().filter(|(v, _)| vars & bit(*v) != 0);
            held.for_each(|(_, set)| *set |= 1 << at);
        }
    }

    /// The events of `v` in the scopes from `frame` inwards.
    pub(crate) fn inside(&self, v: Var, frame: usize) -> Content {
        let (mut found, mut keep) = (Content::default(), Vars::MAX);
        for f in &self.frames[frame..] {
            keep &= f.keep;
            if keep & bit(v) != 0 {
                found = found.and(f.held.of(v));
            }
        }
        found
    }

    /// The events of `v` to the left of scope `frame`: of the current repetition where that bound it, else from outside.
    pub(crate) fn outside(&self, v: Var, frame: usize) -> Content {
        let mut found = Content::default();
        for f in self.frames[..frame].iter().rev() {
            found = f.held.of(v).and(found);
            // absent from this repetition, it is not that of an earlier one
            if f.repetition.as_ref().is_some_and(|r| !found.is_empty() || r.binds & bit(v) != 0) {
                break;
            }
        }
        found
    }

    /// The innermost repetition around scope `frame` whose body binds `v`.
    pub(crate) fn repetition(&self, v: Var, frame: usize) -> Option<(usize, &Repetition)> {
        let around = self.frames[..frame].iter().enumerate().rev();
        around.filter_map(|(i, f)| Some((i, f.repetition.as_ref()?))).find(|(_, r)| r.binds & bit(v) != 0)
    }
}

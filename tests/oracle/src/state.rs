//! A partial match: what each variable holds so far, in nested scopes.
use crate::expr::Var;
use crate::formula::{Vars, bit};

/// A set of positions of the (sub-)stream, at most 128.
pub(crate) type Set = u128;

/// The positions in a set, in order.
pub(crate) fn members(set: Set) -> impl Iterator<Item = usize> {
    (0..128).filter(move |i| set >> i & 1 == 1)
}

/// A scope that was opened and not closed yet.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Frame {
    /// What was bound in it.
    pub(crate) vars: Vec<Set>,
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
    pub(crate) before: Vec<Vec<Set>>,
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
        let frame = Frame { vars: vec![0; vars], keep: Vars::MAX, repetition: None };
        State { frames: vec![frame], span: None, open: Vec::new() }
    }

    /// With one scope more.
    pub(crate) fn pushed(&self, keep: Vars, repetition: Option<Repetition>) -> State {
        let mut s = self.clone();
        let vars = vec![0; s.frames[0].vars.len()];
        s.frames.push(Frame { vars, keep, repetition });
        s.span = None;
        s.open = Vec::new();
        s
    }

    /// Closes the innermost scope; what was bound in it goes to the one around it.
    pub(crate) fn pop(&mut self) -> Vec<Set> {
        let Some(frame) = self.frames.pop() else { return Vec::new() };
        let mut vars = frame.vars;
        for (v, set) in vars.iter_mut().enumerate() {
            if frame.keep & bit(v) == 0 {
                *set = 0;
            }
        }
        self.add(&vars);
        vars
    }

    /// Binds to the innermost scope.
    pub(crate) fn add(&mut self, vars: &[Set]) {
        if let Some(top) = self.frames.last_mut() {
            top.vars.iter_mut().zip(vars).for_each(|(a, b)| *a |= b);
        }
    }

    /// Binds one event in the innermost scope.
    pub(crate) fn bind(&mut self, vars: Vars, at: usize) {
        if let Some(top) = self.frames.last_mut() {
            let held = top.vars.iter_mut().enumerate().filter(|(v, _)| vars & bit(*v) != 0);
            held.for_each(|(_, set)| *set |= 1 << at);
        }
    }

    /// The events of `v` in the scopes from `frame` inwards.
    pub(crate) fn inside(&self, v: Var, frame: usize) -> Set {
        let (mut set, mut keep) = (0, Vars::MAX);
        for f in &self.frames[frame..] {
            keep &= f.keep;
            if keep & bit(v) != 0 {
                set |= f.vars[v];
            }
        }
        set
    }

    /// The events of `v` to the left of scope `frame`: of the current repetition where that bound it, else from outside.
    pub(crate) fn outside(&self, v: Var, frame: usize) -> Set {
        let mut set = 0;
        for f in self.frames[..frame].iter().rev() {
            set |= f.vars[v];
            // absent from this repetition, it is not that of an earlier one
            if f.repetition.as_ref().is_some_and(|r| set != 0 || r.binds & bit(v) != 0) {
                break;
            }
        }
        set
    }

    /// The innermost repetition around scope `frame` whose body binds `v`.
    pub(crate) fn repetition(&self, v: Var, frame: usize) -> Option<(usize, &Repetition)> {
        let around = self.frames[..frame].iter().enumerate().rev();
        around.filter_map(|(i, f)| Some((i, f.repetition.as_ref()?))).find(|(_, r)| r.binds & bit(v) != 0)
    }
}

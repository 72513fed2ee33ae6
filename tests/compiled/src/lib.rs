//! Emitted machines behind one object-safe trait, so that all checks are compiled once.
pub mod whole;

use cep::{Gives, Lends, Machine, Matching, Never, Stats};
use cep_oracle::{Event, Value};

/// A match, or of one what `select` left.
#[derive(Clone, PartialEq, Debug)]
pub struct Found {
    /// `m.start()`
    pub start: u64,
    /// `m.end()`
    pub end: u64,
    /// By variable: the position and the attributes.
    pub vars: Vec<Variable>,
}

/// A variable's name, its event's position, and the attributes that the match holds.
pub type Variable = (&'static str, u64, Vec<(&'static str, Value)>);

impl Found {
    /// From a match's parts.
    #[must_use]
    pub fn new(start: u64, end: u64, vars: Vec<Variable>) -> Found {
        Found { start, end, vars }
    }
}

/// How a machine is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// The iterator that `push` gives, to its end.
    Iterator,
    /// So many of it; the rest is never asked for.
    Part(usize),
    /// `next_match`, until there is none.
    Next,
    /// `Machine::detect`
    Detect,
}

/// What a machine says of one event.
#[derive(Clone, PartialEq, Debug)]
pub enum Said {
    /// Of a `detect` machine, or of any through `Machine::detect`.
    Any(bool),
    /// Matches.
    Matches(Vec<Found>),
}

/// An emitted machine.
pub trait Driver {
    /// Takes one event.
    fn push(&mut self, event: &Event, way: Way) -> Said;
    /// What is left of the last event's matches.
    fn rest(&mut self) -> Vec<Found>;
    /// `latest_start()`, where there is one.
    fn latest_start(&self) -> Option<u64>;
    /// `position()`
    fn position(&self) -> u64;
    /// `stats()`
    fn stats(&self) -> Stats;
    /// `reset()`
    fn reset(&mut self);
    /// A clone; none where the rings are borrowed.
    fn duplicate(&self) -> Option<Box<dyn Driver>>;
}

/// One machine of a pattern.
pub struct Variant {
    /// Its name.
    pub name: &'static str,
    /// Its source.
    pub item: &'static str,
    /// What the plan chose.
    pub kernel: &'static str,
    /// A new one.
    pub make: fn() -> Box<dyn Driver>,
}

/// The machines of a pattern.
pub struct Subject {
    /// They all have to agree.
    pub variants: Vec<Variant>,
}

/// A machine with `detect`.
pub struct Detecting<M: Machine> {
    machine: M,
    event: fn(&Event) -> M::Event,
    clone: Option<fn(&M) -> M>,
    latest: fn(&M) -> Option<u64>,
}

impl<M> Detecting<M>
where
    M: Machine<Error = Never> + 'static,
    for<'m> M: Gives<'m, Output = bool>,
{
    /// Boxed.
    pub fn driver(
        machine: M,
        event: fn(&Event) -> M::Event,
        clone: Option<fn(&M) -> M>,
        latest: fn(&M) -> Option<u64>,
    ) -> Box<dyn Driver> {
        Box::new(Detecting { machine, event, clone, latest })
    }
}

impl<M> Driver for Detecting<M>
where
    M: Machine<Error = Never> + 'static,
    for<'m> M: Gives<'m, Output = bool>,
{
    fn push(&mut self, event: &Event, way: Way) -> Said {
        let event = (self.event)(event);
        let Ok(any) =
            if way == Way::Detect { self.machine.detect(&event) } else { self.machine.push(&event) };
        Said::Any(any)
    }
    fn rest(&mut self) -> Vec<Found> {
        Vec::new()
    }
    fn latest_start(&self) -> Option<u64> {
        (self.latest)(&self.machine)
    }
    fn position(&self) -> u64 {
        self.machine.position()
    }
    fn stats(&self) -> Stats {
        self.machine.stats()
    }
    fn reset(&mut self) {
        self.machine.reset();
    }
    fn duplicate(&self) -> Option<Box<dyn Driver>> {
        let clone = self.clone?;
        Some(Self::driver(clone(&self.machine), self.event, self.clone, self.latest))
    }
}

/// A machine with `select`.
pub struct Selecting<M: Machine, X> {
    machine: M,
    event: fn(&Event) -> M::Event,
    clone: Option<fn(&M) -> M>,
    read: fn(&X) -> Found,
}

impl<M, X> Selecting<M, X>
where
    M: Matching + Machine<Error = Never> + 'static,
    X: 'static,
    for<'m> M: Lends<'m, Match = X>,
    for<'m> <M as Gives<'m>>::Output: Iterator<Item = X>,
{
    /// Boxed.
    pub fn driver(
        machine: M,
        event: fn(&Event) -> M::Event,
        clone: Option<fn(&M) -> M>,
        read: fn(&X) -> Found,
    ) -> Box<dyn Driver> {
        Box::new(Selecting { machine, event, clone, read })
    }
}

impl<M, X> Driver for Selecting<M, X>
where
    M: Matching + Machine<Error = Never> + 'static,
    X: 'static,
    for<'m> M: Lends<'m, Match = X>,
    for<'m> <M as Gives<'m>>::Output: Iterator<Item = X>,
{
    fn push(&mut self, event: &Event, way: Way) -> Said {
        let (event, read) = ((self.event)(event), self.read);
        if way == Way::Detect {
            let Ok(any) = self.machine.detect(&event);
            return Said::Any(any);
        }
        let Ok(matches) = self.machine.push(&event);
        let n = match way {
            Way::Part(n) => n,
            Way::Next => 0,
            _ => usize::MAX,
        };
        let mut found: Vec<Found> = matches.take(n).map(|m| read(&m)).collect();
        if way == Way::Next {
            found = self.rest();
        }
        Said::Matches(found)
    }
    fn rest(&mut self) -> Vec<Found> {
        let mut found = Vec::new();
        while let Some(m) = self.machine.next_match() {
            found.push((self.read)(&m));
        }
        found
    }
    fn latest_start(&self) -> Option<u64> {
        None
    }
    fn position(&self) -> u64 {
        self.machine.position()
    }
    fn stats(&self) -> Stats {
        self.machine.stats()
    }
    fn reset(&mut self) {
        self.machine.reset();
    }
    fn duplicate(&self) -> Option<Box<dyn Driver>> {
        let clone = self.clone?;
        Some(Self::driver(clone(&self.machine), self.event, self.clone, self.read))
    }
}

/// An attribute's type, from and to the oracle's values.
pub trait Held {
    /// From a value of this type.
    fn of(v: &Value) -> Self;
    /// As a value.
    fn value(&self) -> Value;
}

macro_rules! held {
    ($($ty:ty: $variant:ident($x:ident) $of:expr, $to:expr;)*) => { $(
        impl Held for $ty {
            fn of(v: &Value) -> Self {
                match v {
                    Value::$variant($x) => $of,
                    v => unreachable!("{v:?} is no {}", stringify!($ty)),
                }
            }
            fn value(&self) -> Value {
                let $x = self;
                Value::$variant($to)
            }
        }
    )* };
}
held! {
    u8: Int(x) u8::try_from(*x).expect("in range"), i128::from(*x);
    i16: Int(x) i16::try_from(*x).expect("in range"), i128::from(*x);
    f32: Float(x) single(*x), f64::from(*x);
    i32: Int(x) i32::try_from(*x).expect("in range"), i128::from(*x);
    i64: Int(x) i64::try_from(*x).expect("in range"), i128::from(*x);
    f64: Float(x) *x, *x;
    bool: Bool(x) *x, *x;
    char: Char(x) *x, *x;
    String: Str(x) x.clone(), x.clone();
    &'static str: Str(x) interned(x), (*x).to_owned();
}

#[allow(clippy::cast_possible_truncation, reason = "declared as f32")]
fn single(x: f64) -> f32 {
    x as f32
}

fn interned(text: &str) -> &'static str {
    let known = ["up", "down", "flat"];
    known.into_iter().find(|k| *k == text).unwrap_or_else(|| unreachable!("the generator has no {text:?}"))
}

impl<T: Held> Held for Option<T> {
    fn of(v: &Value) -> Self {
        if *v == Value::Null { None } else { Some(T::of(v)) }
    }
    fn value(&self) -> Value {
        self.as_ref().map_or(Value::Null, T::value)
    }
}

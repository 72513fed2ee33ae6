//! Conditions of a predicate window: over the element, the first and the last of its open window, the element before it
//! in its partition, and the number of elements in the window.
use cep_oracle::Value;
use std::collections::BTreeMap;
use std::fmt;

/// An element's attributes.
pub type Attributes = BTreeMap<String, Value>;

/// Whose attribute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// The element's.
    Here,
    /// `first.`
    First,
    /// `last.`
    Last,
    /// `prev.`
    Prev,
}

/// A number.
#[derive(Clone, PartialEq, Debug)]
pub enum Term {
    /// An attribute.
    Attribute(Place, String),
    /// A literal.
    Literal(i64),
    /// `len`
    Len,
    /// `a - b`
    Minus(Box<Term>, Box<Term>),
}

/// A condition without `&&` and `||`.
#[derive(Clone, PartialEq, Debug)]
pub enum Leaf {
    /// `true` and `false`
    Constant(bool),
    /// A `bool` attribute, or its negation.
    Flag(Place, String, bool),
    /// A comparison.
    Compare(Term, &'static str, Term),
    /// `prev.v.is_none()`
    IsNone(Place, String),
}

/// Conjuncts of disjuncts.
#[derive(Clone, PartialEq, Debug)]
pub struct Condition(pub Vec<Vec<Leaf>>);

/// What a condition sees.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// The element.
    pub here: &'a Attributes,
    /// The first one of the open window.
    pub first: Option<&'a Attributes>,
    /// The last one of the open window.
    pub last: Option<&'a Attributes>,
    /// The one before it in its partition.
    pub prev: Option<&'a Attributes>,
    /// The number in the open window.
    pub len: usize,
}

impl Condition {
    /// One leaf.
    #[must_use]
    pub fn of(leaf: Leaf) -> Condition {
        Condition(vec![vec![leaf]])
    }

    /// A `bool` attribute of the element.
    #[must_use]
    pub fn flag(name: &str) -> Condition {
        Condition::of(Leaf::Flag(Place::Here, name.to_owned(), true))
    }

    /// `true`
    #[must_use]
    pub fn always() -> Condition {
        Condition::of(Leaf::Constant(true))
    }

    /// Whether it holds. A disjunct that mentions what is NULL or not there is false.
    #[must_use]
    pub fn holds(&self, view: View<'_>) -> bool {
        self.0.iter().all(|disjuncts| disjuncts.iter().any(|l| l.holds(view).unwrap_or(false)))
    }
}

impl View<'_> {
    fn get(&self, place: Place, name: &str) -> Option<Value> {
        let whose = match place {
            Place::Here => Some(self.here),
            Place::First => self.first,
            Place::Last => self.last,
            Place::Prev => self.prev,
        };
        whose?.get(name).filter(|v| **v != Value::Null).cloned()
    }
}

impl Leaf {
    fn holds(&self, view: View<'_>) -> Option<bool> {
        Some(match self {
            Leaf::Constant(b) => *b,
            Leaf::Flag(place, name, wanted) => view.get(*place, name)? == Value::Bool(*wanted),
            Leaf::IsNone(place, name) => view.get(*place, name).is_none(),
            Leaf::Compare(a, op, b) => {
                let (a, b) = (a.value(view)?, b.value(view)?);
                match *op {
                    "<" => a < b,
                    "<=" => a <= b,
                    ">" => a > b,
                    ">=" => a >= b,
                    "==" => a == b,
                    _ => a != b,
                }
            }
        })
    }
}

impl Term {
    fn value(&self, view: View<'_>) -> Option<i128> {
        match self {
            Term::Attribute(place, name) => match view.get(*place, name)? {
                Value::Int(i) => Some(i),
                _ => None,
            },
            Term::Literal(i) => Some((*i).into()),
            // it is the open window's: absent where none is open
            Term::Len => i128::try_from(view.len).ok().filter(|n| *n > 0),
            Term::Minus(a, b) => Some(a.value(view)? - b.value(view)?),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Place::Here => "",
            Place::First => "first.",
            Place::Last => "last.",
            Place::Prev => "prev.",
        })
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Term::Attribute(place, name) => write!(f, "{place}{name}"),
            Term::Literal(i) => write!(f, "{i}"),
            Term::Len => f.write_str("len"),
            Term::Minus(a, b) => write!(f, "{a} - {b}"),
        }
    }
}

impl fmt::Display for Leaf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Leaf::Constant(b) => write!(f, "{b}"),
            Leaf::Flag(place, name, wanted) => {
                write!(f, "{}{place}{name}", if *wanted { "" } else { "!" })
            }
            Leaf::IsNone(place, name) => write!(f, "{place}{name}.is_none()"),
            Leaf::Compare(a, op, b) => write!(f, "{a} {op} {b}"),
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, disjuncts) in self.0.iter().enumerate() {
            let parts: Vec<String> = disjuncts.iter().map(ToString::to_string).collect();
            let group = self.0.len() > 1 && parts.len() > 1;
            let text = parts.join(" || ");
            let and = if i > 0 { " && " } else { "" };
            if group { write!(f, "{and}({text})")? } else { write!(f, "{and}{text}")? }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(here: &Attributes) -> View<'_> {
        View { here, first: None, last: None, prev: None, len: 0 }
    }

    #[test]
    fn what_is_absent_makes_its_disjunct_false() {
        let here: Attributes = [("v".to_owned(), Value::Int(3)), ("n".to_owned(), Value::Null)].into();
        let v = |p| Term::Attribute(p, "v".into());
        let new = Condition(vec![vec![
            Leaf::IsNone(Place::Prev, "v".into()),
            Leaf::Compare(v(Place::Prev), "!=", v(Place::Here)),
        ]]);
        assert_eq!(new.to_string(), "prev.v.is_none() || prev.v != v");
        assert!(new.holds(view(&here)));
        let same: Attributes = [("v".to_owned(), Value::Int(3))].into();
        assert!(!new.holds(View { prev: Some(&same), ..view(&here) }));
        let other: Attributes = [("v".to_owned(), Value::Int(4))].into();
        assert!(new.holds(View { prev: Some(&other), ..view(&here) }));
        assert!(!Condition::of(Leaf::Compare(Term::Len, "==", Term::Literal(0))).holds(view(&here)));
        let n = Term::Attribute(Place::Here, "n".into());
        assert!(!Condition::of(Leaf::Compare(n, "!=", Term::Literal(1))).holds(view(&here)));
        let span = Term::Minus(Box::new(v(Place::Here)), Box::new(v(Place::First)));
        let long = Condition(vec![
            vec![Leaf::Compare(span, ">=", Term::Literal(2))],
            vec![Leaf::Constant(true), Leaf::Constant(false)],
        ]);
        assert_eq!(long.to_string(), "v - first.v >= 2 && (true || false)");
        assert!(!long.holds(view(&here)));
        let early: Attributes = [("v".to_owned(), Value::Int(1))].into();
        assert!(long.holds(View { first: Some(&early), ..view(&here) }));
    }
}

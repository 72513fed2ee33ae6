//! What a rule gives, with its type erased.
//!
//! Every type that chumsky is told of costs dozens of functions, of each of its combinators that the type passes through. So it is told
//! of one, [`Value`]; what a rule gives is put into it and taken out again here.
use super::{
    raw::{
        Amount, Body, Bound, Clause, ClauseKind, Continuation, Element, Item, Level, Operand, Pattern,
        Postfix, Suffix, SuffixKind, Unit,
    },
    rust::Outcome,
    token::Group,
};
use crate::{
    ast::{Operator, Skip},
    lex::Range,
};
use proc_macro2::{Ident, Literal};

/// What can stand in a [`Value`].
pub(super) trait Content<'s>: Sized {
    /// Puts it in.
    fn erase(self) -> Value<'s>;
    /// Takes it out of where a rule of this type has put it.
    fn restore(value: Value<'s>) -> Self;
}

macro_rules! values {
    ($($variant:ident($content:ty),)*) => {
        /// The output of some rule.
        pub(super) enum Value<'s> {
            Pair(Box<(Value<'s>, Value<'s>)>),
            Maybe(Option<Box<Value<'s>>>),
            Many(Vec<Value<'s>>),
            $($variant($content),)*
        }
        $(impl<'s> Content<'s> for $content {
            fn erase(self) -> Value<'s> {
                Value::$variant(self)
            }
            fn restore(value: Value<'s>) -> Self {
                match value {
                    Value::$variant(content) => content,
                    other => mixed_up(other),
                }
            }
        })*
    };
}
values! {
    Nothing(()),
    Range(Range),
    Ident(Ident),
    Literal(Literal),
    Group(Group<'s>),
    Operator(Operator),
    Skip(Skip),
    Unit(Unit),
    Amount(Amount),
    Bound(Bound),
    ClauseKind(ClauseKind<'s>),
    Clause(Clause<'s>),
    Element(Element<'s>),
    Postfix(Postfix<'s>),
    Operand(Operand<'s>),
    SuffixKind(SuffixKind<'s>),
    Suffix(Suffix<'s>),
    Continuation(Continuation<'s>),
    Level(Level<'s>),
    Pattern(Box<Pattern<'s>>),
    Body(Body<'s>),
    Item(Item<'s>),
    Condition(Outcome<syn::Expr>),
    Stream(Outcome<syn::Type>),
}

impl<'s> Value<'s> {
    /// The two of a pair.
    pub(super) fn pair(self) -> (Value<'s>, Value<'s>) {
        match self {
            Value::Pair(both) => *both,
            other => mixed_up(other),
        }
    }
}

/// Takes the value: where one is only moved from, rustc writes out how to drop each variant.
fn mixed_up(_: Value<'_>) -> ! {
    unreachable!("a rule takes out what a rule of the same type has put in")
}

impl<'s, T: Content<'s>, U: Content<'s>> Content<'s> for (T, U) {
    fn erase(self) -> Value<'s> {
        Value::Pair(Box::new((self.0.erase(), self.1.erase())))
    }
    fn restore(value: Value<'s>) -> Self {
        let (t, u) = value.pair();
        (T::restore(t), U::restore(u))
    }
}

impl<'s, T: Content<'s>> Content<'s> for Option<T> {
    fn erase(self) -> Value<'s> {
        Value::Maybe(self.map(|t| Box::new(t.erase())))
    }
    fn restore(value: Value<'s>) -> Self {
        match value {
            Value::Maybe(Some(t)) => Some(T::restore(*t)),
            Value::Maybe(None) => None,
            other => mixed_up(other),
        }
    }
}

impl<'s, T: Content<'s>> Content<'s> for Vec<T> {
    fn erase(self) -> Value<'s> {
        let mut all = Vec::new();
        for t in self {
            all.push(t.erase());
        }
        Value::Many(all)
    }
    fn restore(value: Value<'s>) -> Self {
        let values = match value {
            Value::Many(values) => values,
            other => mixed_up(other),
        };
        let mut all = Vec::new();
        for v in values {
            all.push(T::restore(v));
        }
        all
    }
}

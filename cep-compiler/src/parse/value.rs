//! What the rules of the grammar have captured.
use super::{
    raw::{
        Amount, Body, Bound, Clause, ClauseKind, Continuation, Element, Item, Level, Operand, Postfix,
        SuffixKind, Unit,
    },
    rule::Make,
    rust::Embedded,
    token::Group,
};
use crate::{
    ast::{Operator, PartitionKey, SelectItem},
    lex::Range,
};
use proc_macro2::{Ident, Literal};

/// What can stand in a [`Value`].
pub(super) trait Content<'s>: Sized {
    /// Takes it out of where a rule has put it.
    fn restore(value: Value<'s>) -> Self;
}

macro_rules! values {
    ($($variant:ident($content:ty),)*) => {
        /// What a rule has captured.
        pub(super) enum Value<'s> {
            /// What could have stood there did not, or it ends here.
            Absent,
            /// The parts of a rule that is not done begin here.
            Mark,
            $($variant($content),)*
        }
        $(impl<'s> Content<'s> for $content {
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
    Range(Range),
    Ident(Ident),
    Literal(Literal),
    Group(Group<'s>),
    Operator((Operator, Range)),
    Path(Vec<Ident>),
    Key(Option<PartitionKey>),
    SelectItem(SelectItem),
    Unit(Unit),
    Amount(Amount),
    Bound(Bound),
    ClauseKind(ClauseKind<'s>),
    Clause(Clause<'s>),
    Element(Element<'s>),
    Postfix((Postfix<'s>, Range)),
    Operand(Operand<'s>),
    SuffixKind(SuffixKind<'s>),
    Continuation(Continuation<'s>),
    Level(Level<'s>),
    Stream(Embedded<syn::Type>),
    Body(Body<'s>),
    Item(Item<'s>),
}

/// Takes the value: where one is only moved from, rustc writes out how to drop each variant.
fn mixed_up(_: Value<'_>) -> ! {
    unreachable!("a rule makes something of what its parts have captured")
}

/// All that was captured so far, and which part is taken next: of those of a rule, if one is being made, else of all.
#[derive(Default)]
pub(super) struct Parts<'s> {
    values: Vec<Value<'s>>,
    next: usize,
}

impl<'s> Parts<'s> {
    pub(super) fn count(&self) -> usize {
        self.values.len()
    }

    /// Forgets all behind the first `count`.
    pub(super) fn keep(&mut self, count: usize) {
        self.values.truncate(count);
    }

    pub(super) fn push(&mut self, value: Value<'s>) {
        self.values.push(value);
    }

    /// Puts what `make` makes of the parts since the last mark in their place.
    pub(super) fn make(&mut self, make: Make, range: Range) {
        let mut mark = self.values.len();
        while mark > 0 {
            mark -= 1;
            if let Value::Mark = self.values[mark] {
                break;
            }
        }
        self.next = mark + 1;
        let value = make(self, range);
        self.next = 0;
        self.keep(mark);
        self.push(value);
    }

    fn take(&mut self) -> Value<'s> {
        let at = self.next;
        self.next += 1;
        self.values.get_mut(at).map_or(Value::Absent, |v| std::mem::replace(v, Value::Absent))
    }

    /// The next part, of a rule that captures one.
    pub(super) fn one<T: Content<'s>>(&mut self) -> T {
        T::restore(self.take())
    }

    /// The next part, if it is not absent.
    pub(super) fn maybe<T: Content<'s>>(&mut self) -> Option<T> {
        match self.take() {
            Value::Absent => None,
            value => Some(T::restore(value)),
        }
    }

    /// The next parts, up to an absent one.
    pub(super) fn all<T: Content<'s>>(&mut self) -> Vec<T> {
        let mut all = Vec::new();
        while let Some(t) = self.maybe() {
            all.push(t);
        }
        all
    }
}

/// The range of a rule, as its part.
pub(super) fn range<'s>(_: &mut Parts<'s>, range: Range) -> Value<'s> {
    Value::Range(range)
}

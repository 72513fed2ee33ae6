//! An attribute that may be NULL stands for its value, in patterns too; a `let` binds nothing for the next operand of `&&`; an unsigned
//! attribute is never below a negative number.
use cep::{Event, cep};

#[derive(Event, Clone, Copy)]
enum E {
    A { n: Option<i64>, size: u8 },
}

cep! { pattern Matched on E = A as a filter matches!(a.n, Some(1..=3)) select a; }
cep! { pattern Bound on E = A as a filter let Some(n) = a.n && n > 1 select a; }
cep! { pattern Low on E = A as a filter a.size > -1 select a; }

fn main() {}

//! One mistake in a pattern is one error: its matches have bags, parts that may be absent and a lifetime as the right pattern's would.
use cep::{Event, PushError, cep};

#[derive(Event, Clone, Copy)]
enum Reading {
    A { #[event(time)] at: u64, v: i64 },
    B { #[event(time)] at: u64, v: i64 },
}

cep! {
    pattern P on Reading = (A as a)+ ; (B as b)? ; A as c filter c.vv > 3 within 10 s capacity 8 events;
    pattern Q on Reading = A as x ; (B as y)? filter y.v > x.w within 4 events select x, y;
    pattern R on Reading = A as x ; (B as y)+ filter x.w > 0 within 4 events select x;
}

fn bags(m: &PMatch<'_>) -> i64 {
    let sum: i64 = m.a.iter().map(|a| a.v).sum();
    sum + m.a.len() as i64 + m.b.map_or(0, |b| b.v) + m.c.v + m.a.first().map_or(0, |a| a.v)
}

fn owned(m: QMatch) -> bool {
    m.y.is_some() || m.x.v > 3
}

fn used(e: &Reading) -> Result<i64, PushError> {
    let mut p = P::new();
    let mut sum = 0;
    let mut matches = p.push(e)?;
    while let Some(m) = matches.next() {
        sum += bags(&m);
    }
    let mut late = p.finish();
    while let Some(m) = late.next() {
        sum += bags(&m);
    }
    let kept: Vec<QMatch> = Q::new().push(e).collect();
    let one: Option<RMatch> = R::new().push(e).next();
    Ok(sum + i64::from(kept.into_iter().any(owned)) + one.map_or(0, |m| m.x.v))
}

fn main() {
    let _ = used(&Reading::A { at: 1, v: 2 });
}

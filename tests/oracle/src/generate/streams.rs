//! Streams on which a pattern is likely to match.
use super::Random;
use crate::model::{Declaration, Event, Ty, Value};

/// A stream that runs through the pattern's types in order, with others in between.
pub(super) fn stream(
    r: &mut Random,
    declaration: &Declaration,
    types: &[usize],
    longest: usize,
) -> Vec<Event> {
    let n = r.between((longest * 3 / 4).min(longest), longest);
    let event = |r: &mut Random, i: usize| {
        let stage = (i * types.len() / n.max(1)).min(types.len() - 1);
        let ty = match r.below(10) {
            0..=5 => types[stage],
            6 | 7 => *r.pick(types),
            8 => types[(stage + 1).min(types.len() - 1)],
            _ => r.below(declaration.types.len()),
        };
        let values = declaration.types[ty].attributes.iter().map(|a| match &*a.name {
            _ if a.nullable && r.percent(25) => Value::Null,
            // a key: few of them, or nothing would match
            "k" => Value::Int(r.below(2) as i128),
            _ => value(r, a.ty),
        });
        Event { ty, values: values.collect() }
    };
    let mut events: Vec<Event> = (0..n).map(|i| event(r, i)).collect();
    // clocks do not run back, and often stand still
    let (mut ms, mut real) = (0i128, 0.0f64);
    for e in &mut events {
        ms += *r.pick(&[0, 0, 1, 4, 7, 10, 20]);
        real += *r.pick(&[0.0, 0.0, 0.5, 1.0, 2.5]);
        for (a, v) in declaration.types[e.ty].attributes.iter().zip(&mut e.values) {
            if a.time {
                *v = Value::Int(ms);
            } else if a.name == "clk" {
                *v = Value::Float(real);
            }
        }
    }
    events
}

/// From a small domain.
fn value(r: &mut Random, ty: Ty) -> Value {
    let k = r.below(5);
    match ty {
        Ty::F32 | Ty::F64 => Value::Float([0.0, 1.0, 1.5, 2.5, 4.0][k]),
        Ty::Bool => Value::Bool(k < 3),
        Ty::Char => Value::Char(['p', 'p', 'q', 'q', 'r'][k]),
        Ty::Str | Ty::String => Value::Str(["up", "up", "up", "down", "flat"][k].into()),
        _ => Value::Int(k as i128),
    }
}

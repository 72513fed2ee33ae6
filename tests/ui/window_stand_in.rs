//! One mistake in a window is one error: whoever uses it finds its type, its methods, its constants and the fields of its records.
use cep::{Event, PushError, cep};

#[derive(Event, Clone, Copy)]
struct Sample {
    #[event(time)]
    at: u64,
    cab: u32,
    value: i32,
}

cep! {
    window Mean on Sample = agse(valeu) @ (1, 5) agg { mean: avg, peak: max };
    window Taps on Sample = agse(value) @ (0, 3);
    window Join on Sample = zip(agse(value) @ (1, 3) as taps, vlaue as now);
    window Trip on Sample = predicate { start: valeu > 3, partition: cab, capacity: 4 elements, 4 keys }
        agg { n: count(*), total: sum(value) };
    window Stop on Sample = predicate { start: value > 3, until: value < 3, capacity: 4 elements } agg { n: count(*) };
    window Lost on Sample = agse(value) (1, 2);
    pattern Rise on Mean = Mean as a ; Mean as b filter b.mean > a.mean within 4 events;
}

const SHAPE: (u64, u64, (u64, u64), usize) = (Mean::ORIGIN, Taps::TAIL, Join::INTERVAL, Lost::WIDTH);

fn used(e: &Sample) -> Result<f64, PushError> {
    let (mut mean, mut rise) = (Mean::new(), Rise::new());
    let mut sum = 0.0;
    for r in mean.push(e) {
        sum += r.mean + f64::from(r.peak) + r.index() as f64;
        sum += rise.push(&r).count() as f64;
    }
    for r in Taps::new().push(e) {
        sum += f64::from(r.values[0]);
    }
    for r in Join::new().push(e) {
        sum += f64::from(r.taps[2] + r.now);
    }
    let (mut trip, mut stop) = (Trip::new(), Stop::new());
    let mut outputs = trip.push(e)?;
    while let Some(w) = outputs.next() {
        sum += w.total as f64 + w.n as f64 + f64::from(w.cab) + (w.end() - w.start()) as f64;
    }
    sum += stop.advance_to(3).map(|w| w.n as f64).sum::<f64>();
    let _ = stop.heartbeat(4).next();
    let _ = stop.finish().next();
    Ok(sum + Lost::new().push(e).count() as f64 + SHAPE.3 as f64)
}

fn main() {
    let _ = used(&Sample { at: 1, cab: 2, value: 3 });
}

//! One pattern or more for every part of the language.
use crate::events::{Gauge, Market, Packet, Reading, Side, Symbol};
use crate::facade::cep;

/// A method and a function that conditions call.
trait Hot {
    fn is_hot(&self, than: f64) -> bool;
}

impl Hot for f64 {
    fn is_hot(&self, than: f64) -> bool {
        *self > than
    }
}

fn between(low: f64, x: f64, high: f64) -> bool {
    low <= x && x <= high
}

/// A constant that conditions read.
const TABLE: [f64; 2] = [10.0, 25.0];

cep! {
    /// A hot reading followed, at the same sensor, by a dry one.
    #[must_use]
    #[derive(Clone, Debug)]
    pub pattern FireRisk(hottest: f64) on Reading =
        T as hot filter hot.value > hottest ; H as dry filter dry.value < TABLE[1]
        filter hot.id == dry.id
        within 100 events
        select hot, dry;

    // no documentation of its own
    pub pattern Undocumented on Reading = T ; H within 3 events;
}

cep! {
    /// Type names as variables, `||`, no window: a word per step.
    pub pattern Alarm on Reading = T ; Idle ; H filter T.value > 40.0 || T.id == 0 detect;

    /// Attributes that may be NULL.
    pub pattern Doubtful(least: f64) on Reading =
        T as t filter t.trust.is_none() || t.trust < 0.5
        ; H as h filter h.value < t.trust.unwrap_or(least)
        within 5 events
        select t.id, t.trust, h.value;

    /// Just where it was, the middle left out.
    pub pattern Interval on Reading =
        T as a ; T as b filter b.value > a.value ; H filter H.id == a.id && H.id == b.id
        within 20 events
        select none;
}

cep! {
    /// A join without output.
    pub(crate) pattern Joined on Reading = T as a ; H as b filter a.id == b.id within 10 events detect;

    /// Its own code does not warn of it.
    #[deprecated(note = "use `Alarm`")]
    pub pattern OldAlarm on Reading = T as a ; H as b within 3 events storage borrowed select a.id, b;

    #[cep(kernel = ring)]
    pattern Forced on Reading = Idle ; Idle within 4 events detect;
}

cep! {
    /// Opaque keys, texts, parameters of several types.
    pub pattern Rise(symbol: Symbol, venue: &'static str, factor: f64, least: u32) on Market =
        Trade as first filter first.symbol == symbol && first.venue == venue && first.quantity >= least
        ; Trade as second filter second.symbol == first.symbol
            && second.price > first.price * factor && second.note != first.note
        within 50 events;

    /// `matches!`, functions, indexing, attributes that cannot be kept.
    pub pattern Squeeze(low: f64) on Market =
        Order as order filter matches!(order.side, Side::Buy | Side::Sell)
            && between(low, order.limits[0], order.limits[1]) && order.by.len() > 2
        ; Halt
        within 10 events
        select order.symbol, Halt;
}

cep! {
    /// Positions, times, borrowed events.
    pub pattern Answered(micros: u64) on Packet<'_> =
        Packet as request filter request.port == 53 && request.body.first() == Some(&1)
        ; Packet as answer
            filter answer.time() - request.time() <= micros && answer.position() <= request.position() + 3
        within 8 events
        select request, answer;

    /// Type parameters, raw names, attributes with names of ours.
    pub pattern Jump on Gauge<f32> =
        Gauge as r#type filter r#type.r#type == 1 && r#type.value.is_finite()
        ; Gauge as after filter after.value > r#type.value + 1.5 && after.position > r#type.position
        within 6 events
        select r#type, after.value, after.position, after.r#type;

    /// A method of a trait in scope, `as` casts, two parameters of one name root.
    pub pattern Hotter(than: f64, other_than: i64) on Reading =
        T as t filter t.value.is_hot(than) && t.value as i64 > other_than within 1 events;
}

/// What only this module sees.
#[must_use]
pub fn forced() -> impl ::core::fmt::Debug {
    let mut machine = Forced::new();
    let seen = [machine.push(&Reading::Idle), machine.push(&Reading::Idle)];
    (seen, machine)
}

use ::core::matches;
use ::core::option::Option::Some;

//! One window or more of every kind.
use crate::events::{Reading, Trade};
use crate::facade::Event;

use crate::facade::cep;

use ::core::clone::Clone;
use ::core::fmt::Debug;
use ::core::marker::Copy;
use ::core::option::Option;

/// Something with a time.
#[derive(Event, Clone, Copy, Debug)]
#[event(crate = crate::facade)]
pub enum Beat {
    /// One kind.
    Up {
        /// When.
        #[event(time)]
        at: u64,
        /// Of what.
        id: u32,
        /// How much.
        size: Option<i32>,
    },
    /// Another.
    Down {
        /// When.
        #[event(time)]
        at: u64,
        /// Of what.
        id: u32,
        /// How much.
        size: Option<i32>,
    },
}

cep! {
    /// The newest five.
    #[must_use]
    #[derive(Clone, Debug)]
    pub window Last5 on Reading::T interval 1/10 s = agse(value) @ (1, 5);

    /// A window over a window.
    pub window Pairs on Last5 = agse(values[0]) delay 1 @ (2, -2) delay 1;

    /// Folds.
    pub window Smooth on Reading::T =
        agse(value, trust) @ (2, 50) agg { mean: avg_some, top: max, n: count, spread: stddev_some, times: product };

    /// Folds of integers, and the best worst step.
    window Counted on Trade = agse(quantity) @ (1, 20) agg { total: sum, newest: last } latency worst_case;

    /// Joined.
    pub window Fir on Reading::H = zip(agse(value) @ (1, 3) as taps, value);

    /// Texts.
    pub(crate) window Notes on Trade = agse(note) @ (1, 2);
}

cep! {
    /// Elements of both kinds.
    pub window Busy on Beat = predicate {
        start: size > 3 || first.id == id && len < 5,
        end: prev.size.is_none(),
        capacity: 8 elements or evict,
    };

    /// Windows with members.
    pub window Nested on Beat::Up = predicate { start: true, end: len >= 2, nesting: true, capacity: 4 elements };

    /// Folds of each key.
    pub window Sums on Beat = predicate {
        start: (size > 0) == (size < 9),
        end: size.is_none(),
        partition: id,
        size: 1 min,
        close_window_after_no_updates_for: 5 s,
        capacity: 4 elements, 4 keys,
    } agg { n: count(*), total: sum_some(size), top: max(size) };
}

cep! {
    /// A pattern inside each window.
    pub pattern Inside on Beat = Up as up : Down as down filter up.id != down.id within window Sums capacity 4 events;

    /// Matches that are events.
    pub pattern Meets on Beat = Up as up ; Down as down filter up.id == down.id ; (Up as late)? within 9 events;
}

cep! {
    /// A pattern over them, and one more.
    pub pattern MeetsAgain on Meets = Meets as a ; Meets as b
        filter a.up.id == b.up.id && b.down.size > 3 && b.late.is_none() && a.end() <= b.start() && b.time() > a.time()
        within 9 events partition by up.id;
    pub(crate) pattern Third on MeetsAgain = MeetsAgain as m filter m.a.up.size > 3 within 1 events detect;
}

cep! {
    /// Windows over them.
    pub window Sizes on Meets = agse(up.size, down.size) @ (2, 4);
    /// With a key.
    pub window Met on Meets = predicate { start: up.size > 3, end: first.up.id == 3, partition: up.id, capacity: 4 elements, 4 keys } agg { n: count(*), last: last(down.size) };

    /// A pattern over folds.
    pub pattern Grows on Sums = Sums as a ; Sums as b filter b.total > a.total within 10 events;
}

/// Nothing of them is private to this file.
#[must_use]
pub fn counted() -> impl Debug {
    (Counted::new(), Notes::new())
}

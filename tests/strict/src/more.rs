//! What is more than a sequence: iterations, alternatives, time, keys, aggregates.
use ::core::clone::Clone;
use ::core::fmt::Debug;
use ::core::marker::Copy;
use ::core::option::Option;

use crate::facade::Event;

use crate::facade::cep;

/// What a door says.
#[derive(Event, Clone, Copy, Debug)]
#[event(crate = crate::facade)]
pub enum Door {
    /// It was opened.
    Opened {
        /// Which.
        door: u32,
        /// When.
        #[event(time)]
        at: u64,
    },
    /// Somebody failed to open it.
    Failed {
        /// Which.
        door: u32,
        /// When.
        #[event(time)]
        at: u64,
        /// How hard.
        force: Option<f64>,
    },
    /// It was forced.
    Alarm {
        /// Which.
        door: u32,
        /// When.
        #[event(time)]
        at: u64,
    },
}

cep! {
    /// Three failures or more at one door, then an opening right after the last one.
    pub pattern Forced on Door =
        (Failed as fail)+ : Opened as open filter count(fail) >= 3
        within 1 min partition by door capacity 64 events;

    /// The last ones only, and no bound on the keys but this.
    pub pattern Own on Door =
        Failed as a ; (Failed as b filter b.force > prev(b).force)+ filter last(b).force > a.force
        within 5 events of its partition partition by door
        consume partition limit 3 capacity 16 keys or evict
        select a, b;
}

cep! {
    /// An opening or an alarm, perhaps with a failure before it.
    pub pattern Busy on Door = Failed? as fail ; (Opened or Alarm) as last within 3 events;

    /// The same in a bag, in parts of their own.
    pub pattern Parts on Door =
        (Opened as a ; Alarm as b within 10 ms) ; (Failed : Failed)* as rest ; Alarm as end
        within 5 of at capacity 20 events or evict
        select a, rest, end;

    /// Whether.
    pub pattern Same on Door = Failed as a ; Opened as b filter a.door == b.door within 100 events detect;
}

cep! {
    /// Whether, in each.
    pub pattern Each on Door = Failed ; Opened within 100 events partition by door detect;
    /// Whether one was harder than before.
    pub pattern Harder on Door = Failed as a ; Failed as b filter a.force < b.force within 100 events detect;

    /// How hard in all.
    pub pattern Force on Door =
        ((Failed as f)+ agg m { force: sum(f.force), n: count(f), worst: max(f.force) }) ; Alarm as a
        filter m.n > 1
        within 20 events
        select m, a;
}

//! The patterns of the example `hot_spells`, beside the stream they are about: the temperatures alone.
use super::weather::Reading;
use cep::cep;

cep! {
    /// A hot spell of one station: hours in a row of at least `hottest` °F, between two cooler ones.
    pub(crate) pattern HotSpell(hottest: f64) on Reading =
        T as before filter before.value < hottest
        : ((T as hot filter hot.value >= hottest):+ agg spell {
            hours: count(hot), peak: max(hot.value), mean: avg(hot.value), since: first(hot.hour)
        })
        : T as after filter after.value < hottest
        within 240 events
        partition by station
        select after, spell;

    /// At every hot hour: with how many earlier ones of the last two days, of whatever station, it makes a pair.
    pub(crate) pattern Heat(hottest: f64) on Reading =
        T as hot filter hot.value >= hottest ; T as later filter later.value >= hottest
        within 144 events
        summarize { pairs: count(*) };
}

//! Where a machine's memory is.
use crate::events::Reading;
use crate::facade::cep;

cep! {
    /// In the machine.
    pub pattern Inside(least: f64) on Reading =
        T as a filter a.value > least ; H as b within 1024 events storage inline select a.value, b.value;

    /// On the heap.
    pub pattern OnHeap(least: f64) on Reading =
        T as a filter a.value > least ; H as b within 100_000 events storage boxed select a.value, b.value;
}

cep! {
    /// Somewhere else.
    pub pattern Lent(least: f64) on Reading =
        T as a filter a.value > least ; H as b within 100_000 events storage borrowed select a.value, b.value;

    /// On the heap, no matches.
    pub pattern HeapDetect on Reading = T as a ; H as b filter a.id == b.id within 3000 events storage boxed detect;

    /// Somewhere else, no matches.
    pub pattern LentDetect on Reading = T as a ; H as b filter a.id == b.id within 3000 events storage borrowed detect;
}

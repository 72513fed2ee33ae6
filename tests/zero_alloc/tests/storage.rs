//! Where the rings live: large machines on a small stack, and machines that are constants.

use std::sync::Mutex;

use cep::{Event, cep};

#[derive(Event, Clone, Copy)]
enum Reading {
    T { id: u32, value: f64 },
    H { id: u32, value: f64 },
}

cep! {
    pattern OnHeap on Reading =
        T as hot ; H as dry filter hot.id == dry.id within 100_000 events storage boxed select hot, dry;

    pattern Lent on Reading =
        T as hot ; H as dry filter hot.id == dry.id within 100_000 events storage borrowed select hot, dry;
}

cep! {
    pattern Inside on Reading =
        T as hot ; H as dry filter hot.id == dry.id within 1024 events select hot, dry;

    /// Two thousand slots of 24 bytes: 48 KiB.
    pattern Large on Reading = T as hot ; H as dry filter hot.id == dry.id within 2048 events select none;
}

const EVENTS: u32 = 100_000;
const STACK: usize = 256 * 1024;

/// One hot reading in a thousand, then one dry reading that ends a match with each of them.
fn event(i: u32) -> Reading {
    if i + 1 == EVENTS {
        Reading::H { id: 1, value: 0.0 }
    } else {
        Reading::T { id: u32::from(i.is_multiple_of(1000)), value: f64::from(i) }
    }
}

fn on_a_small_stack<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work).expect("a thread starts");
    thread.join().expect("it ends without a panic")
}

#[test]
fn boxed() {
    on_a_small_stack(|| {
        let mut machine = OnHeap::new();
        let mut found = 0;
        let mut copy = None;
        for i in 0..EVENTS {
            if i + 1 == EVENTS {
                copy = Some(machine.clone());
            }
            found +=
                machine.push(&event(i)).map(|m| usize::from(m.hot.value < f64::from(EVENTS))).sum::<usize>();
        }
        assert_eq!(found, 100);
        let mut copy = copy.expect("cloned before the last event");
        assert_eq!(copy.push(&event(EVENTS - 1)).count(), 100, "a clone has its own ring");
        machine.reset();
        assert_eq!(machine.push(&event(EVENTS - 1)).count(), 0);
        // moved through a generic function and into a box, still no ring on the stack
        let mut boxed = std::convert::identity(Box::new(copy));
        assert_eq!(boxed.push(&event(0)).count(), 0);
    });
}

#[test]
fn borrowed() {
    static RINGS: Mutex<LentRings> = Mutex::new(LentRings::new());
    on_a_small_stack(|| {
        for _ in 0..2 {
            let mut rings = RINGS.lock().expect("not poisoned");
            // what an earlier machine left in the memory is not seen
            let mut machine = Lent::over(&mut rings);
            let found: usize = (0..EVENTS).map(|i| machine.push(&event(i)).count()).sum();
            assert_eq!(found, 100);
            let matches = machine.push(&event(EVENTS - 1)).map(|m| m.dry.id).sum::<u32>();
            assert_eq!(matches, 99, "the first reading has left the window");
        }
    });
}

#[test]
fn inline_in_constants_and_statics() {
    const NEW: Large = Large::new();
    static SHARED: Mutex<Large> = Mutex::new(NEW);
    static OTHER: Mutex<Inside> = Mutex::new(Inside::new());
    const { assert!(size_of::<Large>() > 2048 * 24 && size_of::<Large>() <= 64 * 1024) };
    on_a_small_stack(|| {
        let mut shared = SHARED.lock().expect("not poisoned");
        assert_eq!(shared.push(&event(0)).count() + shared.push(&event(EVENTS - 1)).count(), 1);
        let mut other = OTHER.lock().expect("not poisoned");
        assert_eq!(other.push(&event(0)).count() + other.push(&event(EVENTS - 1)).count(), 1);
    });
}

#[test]
fn sizes() {
    // what is outside the ring does not grow with it
    assert!(size_of::<OnHeap>() < 1024 && size_of::<Lent<'_>>() < 1024);
    assert_eq!(size_of::<Large>() - 2048 * 24, size_of::<LargeWithout>());

    /// Position, five counts, the oldest entry, the last event, the ring's length, the search: two frames, the one in front of them, depth,
    /// bounds, targets, what is left to look at, flags.
    #[expect(dead_code, reason = "only its size is of interest")]
    struct LargeWithout(
        u64,
        [u64; 5],
        u64,
        Option<cep::At<u32>>,
        u64,
        [[u64; 7]; 2],
        [u64; 7],
        [u64; 7],
        [bool; 3],
    );
}

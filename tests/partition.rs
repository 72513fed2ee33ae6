//! Machines that keep the keys of `partition by` apart: how many there are, when they go, and what happens when one is too many.
use cep::{Event, PushError, cep};

/// A user of a shop, and a tick that belongs to nobody.
#[derive(Event, Clone, Copy, Debug)]
enum Visit {
    Enter { user: u32, at: u32 },
    Leave { user: u32, at: u32 },
    Look { user: u32 },
    Tick { count: u32 },
}
use Visit::{Enter, Leave, Look, Tick};

cep! {
    /// In and out again with at most one event of the same user in between.
    pattern Short on Visit = Enter as a ; Leave as b within 3 events of its partition partition by user
        capacity 200 keys;
    pattern Crowded on Visit = Enter as a ; Leave as b within 3 events of its partition partition by user
        capacity 2 keys or evict;
    pattern Lent on Visit = Enter as a ; Leave as b filter b.at > a.at within 3 events of its partition
        partition by user capacity 2 keys storage borrowed detect;
}

#[test]
fn a_key_has_a_place_while_an_event_of_it_counts() {
    let mut machine = Short::new();
    for user in 0..100_000 {
        assert_eq!(machine.push(&Enter { user, at: 0 }).expect("room").count(), 0);
        assert_eq!(machine.stats().keys, 1);
        if user % 2 == 0 {
            // the window passes
            for _ in 0..3 {
                assert_eq!(machine.push(&Look { user }).expect("no key more").count(), 0);
            }
            assert_eq!(machine.push(&Leave { user, at: 1 }).expect("no key more").count(), 0);
        } else {
            assert_eq!(machine.push(&Look { user }).expect("no key more").count(), 0);
            let found: Vec<_> = machine.push(&Leave { user, at: 1 }).expect("no key more").collect();
            assert_eq!(found.len(), 1);
            assert_eq!((found[0].a.user, found[0].start() + 2), (user, found[0].end()));
            assert_eq!(machine.push(&Look { user }).expect("no key more").count(), 0);
        }
        assert_eq!(machine.stats().keys, 0);
    }
}

#[test]
fn one_key_too_many_is_refused_and_changes_nothing() {
    let mut machine = Short::new();
    for user in 0..200 {
        assert_eq!(machine.push(&Enter { user, at: 0 }).expect("room for 200 keys").count(), 0);
    }
    let before = (machine.position(), machine.stats());
    let mut other = machine.clone();
    assert_eq!(machine.push(&Enter { user: 9999, at: 0 }).err(), Some(PushError::Full));
    assert_eq!((machine.position(), machine.stats()), before);
    // what needs no place is taken: no key, a known one, and an event that nothing follows
    for e in [Tick { count: 1 }, Leave { user: 5000, at: 1 }, Look { user: 6000 }, Leave { user: 3, at: 1 }] {
        let one: Vec<_> = machine.push(&e).expect("no place needed").map(|m| (m.start(), m.end())).collect();
        let two: Vec<_> = other.push(&e).expect("no place needed").map(|m| (m.start(), m.end())).collect();
        assert_eq!(one, two);
        assert_eq!(one.len(), usize::from(matches!(e, Leave { user: 3, .. })));
    }
    assert_eq!(machine.stats(), other.stats());
}

#[test]
fn the_key_that_waits_longest_makes_room_and_is_counted() {
    let mut machine = Crowded::new();
    let mut push = |e| machine.push(&e).count();
    assert_eq!(push(Enter { user: 1, at: 0 }), 0);
    assert_eq!(push(Enter { user: 2, at: 0 }), 0);
    assert_eq!(push(Enter { user: 1, at: 1 }), 0);
    // user 2 waits longest
    assert_eq!(push(Enter { user: 3, at: 0 }), 0);
    assert_eq!((push(Leave { user: 2, at: 2 }), push(Leave { user: 1, at: 2 })), (0, 2));
    assert_eq!(push(Leave { user: 3, at: 2 }), 1);
    let stats = machine.stats();
    assert_eq!((stats.evicted, stats.keys, stats.results), (1, 2, 3));
    machine.reset();
    assert_eq!((machine.stats(), machine.position()), (cep::Stats::NEW, 0));
    assert_eq!(machine.push(&Leave { user: 1, at: 2 }).count(), 0);
}

#[test]
fn lent_memory_is_used_again() {
    static MEMORY: std::sync::Mutex<LentRings> = std::sync::Mutex::new(LentRings::new());
    let mut memory = MEMORY.lock().expect("nobody panicked");
    for round in 0..3 {
        let mut machine = Lent::over(&mut memory);
        assert_eq!(machine.push(&Leave { user: 1, at: 9 }), Ok(false), "round {round}");
        assert_eq!(machine.push(&Enter { user: 1, at: 5 }), Ok(false));
        assert_eq!(machine.push(&Enter { user: 2, at: 5 }), Ok(false));
        assert_eq!(machine.push(&Enter { user: 3, at: 5 }), Err(PushError::Full));
        assert_eq!(machine.push(&Leave { user: 1, at: 5 }), Ok(false));
        assert_eq!(machine.push(&Leave { user: 2, at: 6 }), Ok(true));
        assert_eq!((machine.latest_start(), machine.stats().keys), (Some(2), 2));
    }
}

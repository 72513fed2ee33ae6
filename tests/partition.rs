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

/// A user, with the time.
#[derive(Event, Clone, Copy, Debug)]
enum Timed {
    Open {
        user: u32,
        #[event(time)]
        ms: u64,
    },
    Close {
        user: u32,
        #[event(time)]
        ms: u64,
    },
    Beat {
        #[event(time)]
        ms: u64,
    },
}
use Timed::{Beat, Close, Open};

cep! {
    pattern Session on Timed = Open as a ; Close as b within 1000 ms partition by user capacity 1024 keys
        storage borrowed detect;
    pattern Sessions on Timed = Open as a ; Close as b within 1000 ms partition by user
        capacity 1024 events storage borrowed;
    pattern Loose on Timed = Open as a : Close as b within 1000 ms partition by user capacity 2 keys or evict detect;
    pattern Ever on Visit = Enter as a ; Look ; Leave as b partition by user capacity 3 keys detect;
    pattern Counted on Visit = Enter as a ; Leave as b within 1000 events partition by user storage borrowed;
}

/// Every user once, a thousand users a second, and each leaves soon: two kernels, one table of 1,024 keys and one ring of as many events.
#[test]
fn a_million_keys_pass_through_a_table_of_1024() {
    const USERS: u32 = 1_000_000;
    let (mut table, mut ring) = (Box::new(SessionRings::new()), Box::new(SessionsRings::new()));
    let mut session = Session::over(&mut table);
    let mut sessions = Sessions::over(&mut ring);
    let (mut found, mut matches) = (0u64, 0u64);
    for user in 0..USERS {
        let ms = u64::from(user);
        let open = Open { user, ms };
        assert_eq!(session.push(&open), Ok(false));
        assert_eq!(sessions.push(&open).expect("at most 1001 of them in the window").count(), 0);
        assert!(session.stats().keys <= 1001);
        if user % 7 == 0 && user >= 1100 {
            // one of 1000 ms ago is still there, one of 1001 is not
            let age = 1000 + user % 2;
            let close = Close { user: user - age, ms };
            let hit = session.push(&close).expect("no key more");
            assert_eq!(hit, age == 1000);
            found += u64::from(hit);
            // every event counts there
            matches += sessions.push(&close).map_or(0, |m| m.count() as u64);
        }
    }
    assert_eq!(found, u64::from((1100..USERS).filter(|u| u % 7 == 0 && u % 2 == 0).count() as u32));
    assert!(matches <= found);
    assert_eq!(session.push(&Beat { ms: u64::from(USERS) + 1000 }), Ok(false));
    assert_eq!((session.stats().keys, session.stats().evicted), (0, 0));
    let _ = sessions.advance_to(u64::from(USERS) + 1000);
    assert_eq!(sessions.stats().keys, 0);
    let before = session.stats().events;
    assert_eq!(session.push(&Beat { ms: 0 }), Err(PushError::OutOfOrder));
    assert_eq!(session.stats().events, before);
}

/// The same under a window that counts, which needs no capacity.
#[test]
fn keys_pass_through_a_window_of_1000_events() {
    let mut slots = Box::new(CountedRings::new());
    let mut machine = Counted::over(&mut slots);
    let mut found = 0;
    for user in 0..100_000u32 {
        assert_eq!(machine.push(&Enter { user, at: user }).count(), 0);
        // 1000 events and 1002
        let back = [499, 500][user as usize % 2];
        if user >= back {
            found += machine.push(&Leave { user: user - back, at: user }).count();
        } else {
            assert_eq!(machine.push(&Tick { count: user }).count(), 0);
        }
    }
    assert_eq!(found, (100_000 - 500) / 2);
    for count in 0..1000 {
        assert_eq!(machine.push(&Tick { count }).count(), 0);
    }
    assert_eq!(machine.stats().keys, 0);
}

#[test]
fn an_evicted_key_is_counted_and_exactness_comes_back() {
    let mut machine = Loose::new();
    for user in 1..=3 {
        assert_eq!(machine.push(&Open { user, ms: u64::from(user) }), Ok(false));
    }
    assert_eq!((machine.stats().evicted, machine.exact_from()), (1, Some(1004)));
    assert_eq!(machine.push(&Close { user: 1, ms: 4 }), Ok(false));
    assert_eq!(machine.push(&Close { user: 3, ms: 4 }), Ok(true));
    assert_eq!(machine.push(&Close { user: 3, ms: 4 }), Ok(false));
    assert_eq!(machine.latest_start(), Some(2));
    // user 2 had its neighbour and waits no more, user 3 too
    assert_eq!(machine.push(&Close { user: 2, ms: 1002 }), Ok(true));
    assert_eq!(machine.stats().keys, 0);
}

#[test]
fn without_a_window_a_key_waits_for_ever() {
    let mut machine = Ever::new();
    for user in 0..3 {
        assert_eq!(machine.push(&Enter { user, at: 0 }), Ok(false));
    }
    assert_eq!(machine.push(&Enter { user: 3, at: 0 }), Err(PushError::Full));
    assert_eq!(machine.push(&Look { user: 3 }), Ok(false));
    assert_eq!(machine.push(&Look { user: 1 }), Ok(false));
    for _ in 0..10_000 {
        assert_eq!(machine.push(&Tick { count: 0 }), Ok(false));
    }
    assert_eq!(machine.push(&Leave { user: 1, at: 9 }), Ok(true));
    assert_eq!(machine.push(&Leave { user: 2, at: 9 }), Ok(false));
    assert_eq!(machine.stats().keys, 3);
}

//! When conditions run: only on the right event, only when needed, only after those before them; and what a panic leaves behind.
use cep::{Event, cep};
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

#[derive(Event, Clone, Copy, Debug)]
enum S {
    A { v: i64, n: Option<i64> },
    B { v: i64, n: Option<i64> },
    C { v: i64 },
}

fn a(v: i64) -> S {
    S::A { v, n: Some(v) }
}
fn b(v: i64) -> S {
    S::B { v, n: Some(v) }
}
fn c(v: i64) -> S {
    S::C { v }
}

thread_local! {
    static CALLS: RefCell<Vec<(&'static str, i64, i64)>> = const { RefCell::new(Vec::new()) };
}

/// Logs the call, panics on 99, and else holds on what is not negative.
fn log(name: &'static str, x: i64, y: i64) -> bool {
    CALLS.with_borrow_mut(|all| all.push((name, x, y)));
    assert!(x != 99 && y != 99, "a condition that panics");
    x >= 0 && y >= 0
}
fn one(x: i64) -> bool {
    log("one", x, 0)
}
fn two(x: i64, y: i64) -> bool {
    log("two", x, y)
}
fn three(x: i64, y: i64) -> bool {
    log("three", x, y)
}

/// What was called since the last time.
fn calls() -> Vec<(&'static str, i64, i64)> {
    CALLS.with_borrow_mut(std::mem::take)
}

/// The same machine three ways: `select`, `detect` with the kernel of the plan's choice, `detect` on the ring.
macro_rules! three_ways {
    ($select:ident, $detect:ident, $ring:ident, $($formula:tt)*) => {
        cep! {
            pattern $select on S = $($formula)*;
            pattern $detect on S = $($formula)* detect;
            #[cep(kernel = ring)] pattern $ring on S = $($formula)* detect;
        }
    };
}

/// Runs a body for each of the three, with `push` as a closure that gives a `bool`.
macro_rules! each {
    ($select:ident, $detect:ident, $ring:ident, |$push:ident| $body:block) => {{
        {
            let mut machine = $select::new();
            let mut $push = |e: S| machine.push(&e).count() > 0;
            $body
        }
        {
            let mut machine = $detect::new();
            let mut $push = |e: S| machine.push(&e);
            $body
        }
        {
            let mut machine = $ring::new();
            let mut $push = |e: S| machine.push(&e);
            $body
        }
    }};
}

three_ways! { Last, LastDetect, LastRing, A as x ; B as y filter one(y.v) within 4 events }

#[test]
fn a_costly_condition_runs_only_on_its_type_and_when_needed() {
    each!(Last, LastDetect, LastRing, |push| {
        for e in [b(1), c(2), b(3)] {
            assert!(!push(e));
        }
        assert_eq!(calls(), [], "no A is there yet");
        assert!(!push(a(4)) && !push(c(5)));
        assert_eq!(calls(), [], "no B");
        assert!(push(b(6)));
        assert_eq!(calls(), [("one", 6, 0)]);
        assert!(!push(c(0)));
        assert!(!push(b(7)), "the A is out of the window");
        assert_eq!(calls(), []);
    });
}

three_ways! { Guarded, GuardedDetect, GuardedRing, A as x ; B as y filter y.v != 0 && one(y.v) && y.v < 5 && one(y.v + 10) within 9 events }

#[test]
fn the_conjuncts_before_come_first() {
    each!(Guarded, GuardedDetect, GuardedRing, |push| {
        push(a(0));
        assert!(!push(b(0)));
        assert_eq!(calls(), []);
        assert!(!push(b(-1)));
        assert_eq!(calls(), [("one", -1, 0)], "the first one failed");
        assert!(push(b(4)));
        assert_eq!(calls(), [("one", 4, 0), ("one", 14, 0)]);
        assert!(!push(b(6)));
        // `y.v < 5` may run early or in its place, so the call in front of it may or may not come
        assert!(calls().iter().all(|k| *k == ("one", 6, 0)));
    });
}

three_ways! { Middle, MiddleDetect, MiddleRing, A as x ; B as y filter one(y.v) ; C as z within 5 events }

#[test]
fn a_middle_step_is_asked_when_a_first_one_is_there() {
    each!(Middle, MiddleDetect, MiddleRing, |push| {
        push(b(1));
        push(c(1));
        assert_eq!(calls(), []);
        push(a(1));
        push(b(-2));
        assert!(!push(c(1)));
        assert_eq!(calls(), [("one", -2, 0)]);
        push(b(3));
        assert!(push(c(1)));
        let all = calls();
        assert!(!all.is_empty() && all.iter().all(|k| *k == ("one", 3, 0)), "{all:?}");
    });
}

three_ways! { First, FirstDetect, FirstRing, A as x filter one(x.v) ; B as y within 5 events }

#[test]
fn a_first_step_is_asked_of_each_event_of_its_type() {
    each!(First, FirstDetect, FirstRing, |push| {
        push(b(1));
        push(c(1));
        assert_eq!(calls(), []);
        push(a(1));
        push(a(-1));
        assert_eq!(calls(), [("one", 1, 0), ("one", -1, 0)]);
        assert!(push(b(1)));
        assert_eq!(calls(), []);
    });
}

three_ways! { Mixed, MixedDetect, MixedRing, A as x ; B as y filter y.v > x.v && two(x.v, y.v) && one(y.v) && three(x.v, y.v) within 9 events }

#[test]
fn order_holds_across_conditions_on_one_event_and_on_several() {
    each!(Mixed, MixedDetect, MixedRing, |push| {
        push(a(5));
        assert!(!push(b(4)));
        assert_eq!(calls(), [], "the cheap one failed");
        push(a(-1));
        assert!(!push(b(3)));
        assert_eq!(calls(), [("two", -1, 3)], "nothing behind the one that failed");
        assert!(push(b(6)));
        let all = calls();
        let at = |k| all.iter().position(|x| *x == k);
        assert!(at(("two", 5, 6)) < at(("one", 6, 0)) && at(("one", 6, 0)) < at(("three", 5, 6)), "{all:?}");
        assert!(at(("three", 5, 6)).is_some() && at(("three", -1, 6)).is_none(), "{all:?}");
    });
}

three_ways! { Ratio, RatioDetect, RatioRing, A as x ; B as y filter y.v != 0 && 12 / y.v > 3 within 9 events }
three_ways! { Ratios, RatiosDetect, RatiosRing, A as x filter x.v != 0 ; B as y filter y.v / x.v > 3 within 9 events }
three_ways! { Late, LateDetect, LateRing, A as x ; B as y filter y.v / x.v > 3 && x.v != 0 within 9 events }

#[test]
fn a_guarded_division_never_divides_by_zero() {
    each!(Ratio, RatioDetect, RatioRing, |push| {
        push(a(1));
        assert!(!push(b(0)));
        assert!(push(b(3)));
        assert!(!push(b(4)));
    });
    each!(Ratios, RatiosDetect, RatiosRing, |push| {
        push(a(0));
        assert!(!push(b(8)));
        push(a(2));
        assert!(push(b(8)));
        assert!(!push(b(7)));
    });
    // a condition on an earlier step guards this one, wherever it is written
    each!(Late, LateDetect, LateRing, |push| {
        push(a(0));
        assert!(!push(b(8)));
        push(a(2));
        assert!(push(b(8)));
    });
}

three_ways! { Or, OrDetect, OrRing, A as x ; B as y filter y.v > 5 || two(x.v, y.v) || one(y.v) within 9 events }

#[test]
fn a_disjunct_runs_only_where_those_before_it_are_false() {
    each!(Or, OrDetect, OrRing, |push| {
        push(a(-1));
        assert!(push(b(6)));
        assert_eq!(calls(), []);
        assert!(push(b(3)));
        let all = calls();
        assert!(all.chunks(2).all(|p| p == [("two", -1, 3), ("one", 3, 0)]) && !all.is_empty(), "{all:?}");
    });
}

fn selected(m: &mut Panics, e: S) -> Vec<(u64, u64, u64)> {
    m.push(&e).map(|m| (m.x.position(), m.y.position(), m.z.position())).collect()
}
fn middle(m: &mut Jumps, e: S) -> Vec<(u64, u64, u64)> {
    m.push(&e).map(|m| (m.x.position(), m.y.position(), m.z.position())).collect()
}

three_ways! { Panics, PanicsDetect, PanicsRing, A as x ; B as y ; C as z filter one(z.v) within 9 events }
three_ways! { Jumps, JumpsDetect, JumpsRing, A as x ; B as y filter one(y.v) ; C as z within 9 events }
three_ways! { Pairs, PairsDetect, PairsRing, A as x ; B as y filter two(x.v, y.v) ; C as z filter three(y.v, z.v) within 9 events }

#[test]
fn a_panic_leaves_the_machine_as_it_was() {
    // whether a partial match needs the condition decides whether it can panic, so each stream begins with one
    let prefix = [a(1), b(1)];
    let stream = [c(1), a(2), c(-1), b(2), c(3), c(4), b(1), c(1)];
    macro_rules! primed {
        ($machine:ident, $push:expr, $bad:expr) => {{
            let fresh = || {
                let mut m = $machine::new();
                prefix.iter().for_each(|e| _ = $push(&mut m, *e));
                m
            };
            let mut machine = fresh();
            let mut answers = Vec::new();
            for e in stream {
                for bad in $bad {
                    let before = machine.clone();
                    let caught = catch_unwind(AssertUnwindSafe(|| $push(&mut machine, bad)));
                    assert!(caught.is_err(), "{}: {bad:?} before {e:?} does not panic", stringify!($machine));
                    assert_eq!(format!("{machine:?}"), format!("{before:?}"));
                    assert_eq!((machine.position(), machine.stats()), (before.position(), before.stats()));
                }
                answers.push($push(&mut machine, e));
            }
            // as if the bad events had never been
            let mut other = fresh();
            let others: Vec<_> = stream.iter().map(|e| $push(&mut other, *e)).collect();
            assert_eq!(answers, others);
            assert_eq!(format!("{machine:?}"), format!("{other:?}"));
            assert!(answers.iter().any(|a| *a != answers[2]), "{answers:?}");
        }};
    }
    primed!(Panics, selected, [c(99)]);
    primed!(PanicsDetect, |m: &mut PanicsDetect, e| m.push(&e), [c(99)]);
    primed!(PanicsRing, |m: &mut PanicsRing, e| m.push(&e), [c(99)]);
    primed!(Jumps, middle, [b(99)]);
    primed!(JumpsDetect, |m: &mut JumpsDetect, e| m.push(&e), [b(99)]);
    primed!(JumpsRing, |m: &mut JumpsRing, e| m.push(&e), [b(99)]);
    primed!(Pairs, |m: &mut Pairs, e| m.push(&e).count(), [b(99), c(99)]);
    primed!(PairsDetect, |m: &mut PairsDetect, e| m.push(&e), [b(99), c(99)]);
    primed!(PairsRing, |m: &mut PairsRing, e| m.push(&e), [b(99), c(99)]);
}

three_ways! { Null, NullDetect, NullRing, A as x ; B as y filter y.n > 2 within 9 events }
three_ways! { NotNull, NotNullDetect, NotNullRing, A as x ; B as y filter !(y.n > 2) within 9 events }
three_ways! { OrNull, OrNullDetect, OrNullRing, A as x ; B as y filter y.n > 2 || y.v == 7 within 9 events }
three_ways! { IsNone, IsNoneDetect, IsNoneRing, A as x ; B as y filter y.n.is_none() within 9 events }
three_ways! { NotNone, NotNoneDetect, NotNoneRing, A as x ; B as y filter !y.n.is_none() && y.n < 3 within 9 events }
three_ways! { UnwrapOr, UnwrapOrDetect, UnwrapOrRing, A as x ; B as y filter y.n.unwrap_or(5) > 2 within 9 events }
three_ways! { MapOr, MapOrDetect, MapOrRing, A as x ; B as y filter y.n.map_or(true, |n| n > 2) within 9 events }
three_ways! { SomeAnd, SomeAndDetect, SomeAndRing, A as x ; B as y filter y.n.is_some_and(|n| n > 2) within 9 events }
three_ways! { Joined, JoinedDetect, JoinedRing, A as x ; B as y filter x.n == y.n within 9 events }
three_ways! { JoinedOr, JoinedOrDetect, JoinedOrRing, A as x ; B as y filter !(x.n == y.n) || x.n.is_none() && y.n.is_none() within 9 events }
three_ways! { Called, CalledDetect, CalledRing, A as x ; B as y filter two(x.n, y.n) within 9 events }

#[test]
fn a_disjunct_that_opens_a_null_is_false() {
    let null = S::B { v: 0, n: None };
    let seven = S::B { v: 7, n: None };
    let none = S::A { v: 0, n: None };
    macro_rules! check {
        ($select:ident, $detect:ident, $ring:ident, $first:expr, $($event:expr => $holds:expr),*) => {
            each!($select, $detect, $ring, |push| {
                push($first);
                $(assert_eq!(push($event), $holds, "{} on {:?}", stringify!($select), $event);)*
            });
        };
    }
    check!(Null, NullDetect, NullRing, a(0), b(3) => true, b(2) => false, null => false);
    check!(NotNull, NotNullDetect, NotNullRing, a(0), b(3) => false, b(2) => true, null => false);
    check!(OrNull, OrNullDetect, OrNullRing, a(0), b(3) => true, b(2) => false, null => false, seven => true);
    check!(IsNone, IsNoneDetect, IsNoneRing, a(0), b(3) => false, null => true);
    check!(NotNone, NotNoneDetect, NotNoneRing, a(0), b(3) => false, b(2) => true, null => false);
    check!(UnwrapOr, UnwrapOrDetect, UnwrapOrRing, a(0), b(3) => true, b(2) => false, null => true);
    check!(MapOr, MapOrDetect, MapOrRing, a(0), b(3) => true, b(2) => false, null => true);
    check!(SomeAnd, SomeAndDetect, SomeAndRing, a(0), b(3) => true, b(2) => false, null => false);
    check!(Joined, JoinedDetect, JoinedRing, a(3), b(3) => true, b(2) => false, null => false);
    check!(Joined, JoinedDetect, JoinedRing, none, b(3) => false, null => false);
    check!(JoinedOr, JoinedOrDetect, JoinedOrRing, a(3), b(3) => false, b(2) => true, null => false);
    check!(JoinedOr, JoinedOrDetect, JoinedOrRing, none, b(3) => false, null => true);
    calls();
    check!(Called, CalledDetect, CalledRing, none, b(3) => false, null => false);
    assert_eq!(calls(), [], "a NULL is never handed on");
    check!(Called, CalledDetect, CalledRing, a(3), null => false, b(3) => true);
    assert!(calls().iter().all(|k| *k == ("two", 3, 3)));
}

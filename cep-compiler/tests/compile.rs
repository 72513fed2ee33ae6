//! `compile` as a whole, in process: every rule behind the parser with its code, its words and its place, without a run of rustc.
mod common;

use cep_compiler::diagnostic::{Code, Diagnostics};
use common::compiled;

/// Code, source of the underlined stretch, part of the message.
type Expected = (Code, &'static str, &'static str);

/// What stands behind `=`, and its errors.
const FORMULAS: &[(&str, &[Expected])] = &[
    ("T as a ; HH as b within 9 events", &[(Code::UnknownType, "HH", "`Reading` has no event type `HH`")]),
    (
        "T as a filter a.valeu > 1.0",
        &[(Code::UnknownAttribute, "valeu", "the event type `T` has no attribute `valeu`")],
    ),
    ("T as a filter a.sensor > 1", &[(Code::UnknownAttribute, "sensor", "has no attribute `sensor`")]),
    ("T as a filter a.rise() > 1", &[(Code::UnknownAttribute, "rise", "a variable has no method `rise`")]),
    ("T as a select a.valu", &[(Code::UnknownAttribute, "valu", "has no attribute `valu`")]),
    ("T as hot filter hto.value > 1.0", &[(Code::UnknownVariable, "hto", "`hto` is no variable")]),
    ("T as a filter a.value > lmt", &[(Code::UnknownVariable, "lmt", "`lmt` is no variable")]),
    ("T as a select b", &[(Code::UnknownVariable, "b", "`b` is no variable of this pattern")]),
    ("T as a ; H as a within 9 events", &[(Code::BoundTwice, "a", "bound twice in a sequence")]),
    ("T as floor", &[(Code::BoundTwice, "floor", "is a parameter of this pattern and a variable")]),
    ("T as H ; H as b within 9 events", &[(Code::BoundTwice, "H", "is a variable and an event type")]),
    ("H as b ; T as H within 9 events", &[(Code::BoundTwice, "H", "is a variable and an event type")]),
    (
        "T as a filter a.value > b.value ; H as b within 9 events",
        &[(Code::NotBound, "b", "`b` is not bound here")],
    ),
    ("T as h ; H within 9 events", &[(Code::FieldClash, "H", "would both be the field `h`")]),
    ("T as a select a, a", &[(Code::FieldClash, "a", "`a` is selected twice")]),
    ("T as a select a, a.id", &[(Code::FieldClash, "a", "`a` is selected twice")]),
    ("T as a select a.name", &[(Code::NotKept, "a.name", "`a.name` cannot be kept")]),
    (
        "T as a ; T as b filter a.name == b.name within 9 events",
        &[
            (Code::NotKept, "a.name", "`a.name` cannot be kept"),
            (Code::NotKept, "b.name", "`b.name` cannot be kept"),
        ],
    ),
    ("T as a filter f(a)", &[(Code::WholeVariable, "a", "`a` is a variable")]),
    (
        "T as a filter a.value > 3",
        &[(Code::UnlikeTypes, "a.value > 3", "this compares `f64` and an integer")],
    ),
    ("T as a filter a.id > 3.5", &[(Code::UnlikeTypes, "a.id > 3.5", "this compares `u32` and a float")]),
    ("T as a filter a.id == a.zone", &[(Code::UnlikeTypes, "a.id == a.zone", "`u32` and `u8`")]),
    ("H as a filter a.low < a.value", &[(Code::UnlikeTypes, "a.low < a.value", "`f32` and `f64`")]),
    ("H as a filter a.dry == 1", &[(Code::UnlikeTypes, "a.dry == 1", "`bool` and an integer")]),
    ("H as a filter a.low + a.value > 1.0", &[(Code::UnlikeTypes, "a.low + a.value", "this computes with")]),
    ("T as a filter a.name == a.id", &[(Code::UnlikeTypes, "a.name == a.id", "`String` and `u32`")]),
    ("T as a filter a.value", &[(Code::NotBoolean, "a.value", "but this is `f64`")]),
    ("T as a filter a.id + 1", &[(Code::NotBoolean, "a.id + 1", "but this is `u32`")]),
    (
        "T as a filter f(a.id && a.id == 1)",
        &[(Code::NotBoolean, "a.id", "expected a condition, found `u32`")],
    ),
    ("T as a filter a.id = 3", &[(Code::Impure, "a.id = 3", "cannot assign")]),
    ("T as a filter { a.id += 3; true }", &[(Code::Impure, "a.id += 3", "cannot assign")]),
    ("T as a filter { return true }", &[(Code::Impure, "return true", "`return` has no meaning")]),
    ("T as a filter (a.id?) == 3", &[(Code::Impure, "a.id?", "`?` has no meaning")]),
    ("T as a filter a.name == format!(\"x\")", &[(Code::Impure, "format", "the macro `format!`")]),
    ("T as a filter { loop {} }", &[(Code::Impure, "loop {}", "cannot loop")]),
    ("T as a filter unsafe { f(a.id) }", &[(Code::Impure, "unsafe { f(a.id) }", "`unsafe`")]),
    ("T as a filter f(&mut a.id)", &[(Code::Impure, "&mut a.id", "`&mut`")]),
    ("T as a filter f(a.id).await", &[(Code::Impure, "f(a.id).await", "cannot wait")]),
    ("T as a filter { fn f() {} a.id == 3 }", &[(Code::Impure, "fn f() {}", "cannot define items")]),
    ("T as a filter f(|x| x == a.id)", &[(Code::Impure, "a", "cannot capture the variable `a`")]),
    ("T as a filter f(a.id, |a| a == 1)", &[(Code::Shadow, "a", "`a` hides a variable")]),
    ("T as a filter matches!(a.id, floor)", &[(Code::Shadow, "floor", "`floor` hides")]),
    ("T as a filter true", &[(Code::ConstantFilter, "true", "is constant")]),
    ("T as a filter 1 < 2 && a.id > 1", &[(Code::ConstantFilter, "1 < 2", "is constant")]),
    ("T as a filter prev(a).id == 1", &[(Code::NotIterated, "prev", "`prev(a)` needs an iteration")]),
    ("T as a filter last(a).id == 1", &[(Code::NotIterated, "last", "`last(a)` needs an iteration")]),
    ("T as a filter first(a).id == 1", &[(Code::NotIterated, "first", "`first(a)` needs an iteration")]),
    ("T as a within 0 events", &[(Code::EmptyWindow, "0 events", "holds no event")]),
    ("T as a within -1 events", &[(Code::EmptyWindow, "-1 events", "holds no event")]),
    ("T as a ; H as b within 1 events", &[(Code::Unsatisfiable, "within 1 events", "its window holds 1")]),
    ("T as a filter a.zone > 300", &[(Code::Unsatisfiable, "a.zone > 300", "no value of `a.zone`")]),
    ("T as a filter a.id < 3 filter 4 < a.id", &[(Code::Unsatisfiable, "4 < a.id", "no value of `a.id`")]),
    ("T as a filter a.value > 1.0 && a.value <= 1.0", &[(Code::Unsatisfiable, "a.value <= 1.0", "no value")]),
    ("T as a ; H as b", &[(Code::MissingBound, "T as a ; H as b", "needs a window")]),
    ("T as a ; H as b select none", &[(Code::MissingBound, "select none", "needs a window")]),
    ("T as a ; H as b filter a.id == b.id detect", &[(Code::MissingBound, "a.id == b.id", "needs a window")]),
    ("T as a ; H as b within 10000 events", &[(Code::TooLarge, "within 10000 events", "KiB")]),
    (
        "T as a ; H as b within 1000000000000 events storage boxed",
        &[(Code::TooLarge, "within 1000000000000 events", "slots")],
    ),
    (
        "T as a ; H as b within 2000000000000 events",
        &[(Code::TooLarge, "within 2000000000000 events", "not possible")],
    ),
    ("T as a filter a.time() > 3", &[(Code::NoClock, "time", "has no time")]),
    ("T as a filter matches!(a.id)", &[(Code::Syntax, ")", "in `matches!`")]),
    ("T as a -> H as b within 9 events", &[(Code::NotSupported, "->", "`->` (skip till next match)")]),
    ("T ; not H ; Idle within 9 events", &[(Code::NotSupported, "not", "`not`")]),
    ("T ; not H within 9 events", &[(Code::NotSupported, "not", "`not`")]),
    ("(T ; H without Idle) within 9 events", &[(Code::NotSupported, "without", "`without`")]),
    ("all(T, H) within 9 events", &[(Code::NotSupported, "all", "`all`")]),
    ("T as a agg m { n: count(b) }", &[(Code::UnknownVariable, "b", "`b` is no variable of this pattern")]),
    (
        "T as a ; (H as b agg m { n: count(a) }) within 9 events",
        &[(Code::NotBound, "a", "`a` is not bound in the formula in front of this")],
    ),
    (
        "T as a agg m { n: count(a), n: sum(a.id) }",
        &[(Code::BoundTwice, "n", "the attribute `n` is defined twice")],
    ),
    (
        "(T as a) or (H as b agg a { n: count(b) }) within 9 events",
        &[(Code::NotSupported, "a", "both an aggregate and a variable of events")],
    ),
    (
        "T as a agg m { n: count(a) } ; H as b agg m { n: count(b) } within 9 events",
        &[(Code::BoundTwice, "m", "the variable `m` is bound twice")],
    ),
    ("T as a agg m { n: cuont(a) }", &[(Code::UnknownVariable, "cuont", "there is no aggregate `cuont`")]),
    (
        "T as a agg m { n: sum(a) }",
        &[(Code::WholeVariable, "sum(a)", "`sum` folds the values of an attribute")],
    ),
    ("T as a agg m { n: count(*) }", &[(Code::WholeVariable, "(*)", "`*` stands for the results")]),
    (
        "T as a agg m { n: sum(a.id) wrapping }",
        &[(Code::Overflow, "wrapping", "an `agg` needs no choice about overflow")],
    ),
    (
        "T as a agg m { n: any(a.id) }",
        &[(Code::UnlikeTypes, "any(a.id)", "`any` of something that is no truth value")],
    ),
    (
        "T as a agg m { n: count(a) } filter m.k > 1",
        &[(Code::UnknownAttribute, "k", "the aggregate `m` has no attribute `k`")],
    ),
    (
        "T as a agg m { mean: avg(a.id) } filter m.mean > 1",
        &[(Code::UnlikeTypes, "m.mean > 1", "this compares `f64` and an integer")],
    ),
    (
        "T as a agg m { n: count(a) } filter m.time() > 1",
        &[(Code::NotSupported, "time", "the time of a computed event")],
    ),
    (
        "T as a project a(id) filter a.value > 1.0",
        &[(Code::UnknownAttribute, "value", "`value` cannot be read through `a` any more")],
    ),
    (
        "T as a project a(id) project a(value)",
        &[(Code::UnknownAttribute, "value", "`value` cannot be read through `a` any more")],
    ),
    ("T as a project a(di)", &[(Code::UnknownAttribute, "di", "the event type `T` has no attribute `di`")]),
    ("T as a project a(id, id)", &[(Code::FieldClash, "id", "`id` is named twice")]),
    (
        "T as a project a(id) within 9 events select a.value",
        &[(Code::UnknownAttribute, "value", "`value` cannot be read through `a` any more")],
    ),
    ("T within window W", &[(Code::NoClock, "W", "a pattern cannot run inside of `W`")]),
    (
        "T within 3 events of its partition",
        &[(Code::MissingBound, "within 3 events of its partition", "needs `partition by`")],
    ),
    ("T strategy last", &[(Code::NotSupported, "strategy last", "`strategy`")]),
    ("T skip past last", &[(Code::NotSupported, "skip past last", "`skip`")]),
    ("T timeouts", &[(Code::NotSupported, "timeouts", "`timeouts`")]),
    (
        "T as a ; H as b summarize { n: count(*) }",
        &[(Code::MissingBound, "summarize { n: count(*) }", "needs a window")],
    ),
    (
        "T as a within 9 events summarize { n: count(*), n: sum(a.id) }",
        &[(Code::BoundTwice, "n", "the figure `n` is defined twice")],
    ),
    (
        "T as a within 9 events summarize { n: sum(*), k: sum(b.id), l: first(a.id) }",
        &[
            (Code::WholeVariable, "(*)", "`*` stands for the results"),
            (Code::UnknownVariable, "b", "`b` is no variable of this pattern"),
            (Code::NotSupported, "first(a.id)", "`first` over all results is not supported yet"),
        ],
    ),
    (
        "T as a ; H as b ; H as c ; H as d ; H as e ; H as f ; H as g ; H as h ; H as i within 100000 events storage boxed summarize { n: count(*), s: sum(a.id) }",
        &[(Code::Overflow, "sum(a.id)", "nothing bounds `sum(a.id)`")],
    ),
    (
        "T as a within 9 events summarize { m: max(a.id) wrapping }",
        &[(Code::Overflow, "wrapping", "`max(a.id)` cannot overflow")],
    ),
    (
        "T+ as a ; H as b within 30 events summarize { n: count(*) saturating }",
        &[(Code::TooLarge, "within 30 events", "up to 536870912 results can end at one event")],
    ),
    (
        "T as a ; H as b within 9 events limit 3 summarize { n: count(*) }",
        &[(Code::ClauseOrder, "limit 3", "`limit` has nothing to limit: `summarize` gives one record")],
    ),
    (
        "T{2} ; H->{1,2} within 9 events",
        &[
            (Code::NotSupported, "{2}", "a counted iteration"),
            (Code::NotSupported, "->{1,2}", "an iteration with `->`"),
        ],
    ),
    ("T->+ within 9 events", &[(Code::NotSupported, "->+", "an iteration with `->`")]),
    ("T{1,3} within 9 events", &[(Code::NotSupported, "{1,3}", "a counted iteration")]),
];

/// The rules of choices, iterations, groups, absent parts, aggregates and the clauses around them.
const RULES: &[(&str, &[Expected])] = &[
    (
        "(T as a or H as b filter a.id > 1)",
        &[(Code::Ambiguous, "or H as b filter a.id > 1", "`or` beside a `filter` can be read in two ways")],
    ),
    (
        "(T as a filter a.id > 1) or (H as b filter a.id > 1)",
        &[(Code::NotBound, "a", "`a` is not bound here")],
    ),
    (
        "(T as a or H as a or Idle as a) filter a.valeu > 1.0",
        &[(
            Code::UnknownAttribute,
            "valeu",
            "none of the event types `T`, `H` and `Idle` has an attribute `valeu`",
        )],
    ),
    (
        "T+ as b ; H filter prev(b).value > 1.0 within 9 events",
        &[(Code::NotIterated, "prev", "`prev(b)` outside the iteration that binds `b`")],
    ),
    (
        "(T as b filter b.value > last(b).value)+ within 9 events",
        &[(Code::NotIterated, "last", "`last(b)` inside the iteration that binds `b`")],
    ),
    (
        "((T as b)+ ; H filter b.value > prev(b).value)+ within 9 events",
        &[(
            Code::NotIterated,
            "prev",
            "`prev(b)` needs an iteration that binds `b` once in each repetition, and this one binds it more often",
        )],
    ),
    (
        "T as a ; H as b filter prev(b).value < 1.0 && first(a).id == 1 && b.value > last(b).value within 9 events",
        &[
            (Code::NotIterated, "prev", "`prev(b)` needs an iteration that binds `b`, and `b` is bound once"),
            (
                Code::NotIterated,
                "first",
                "`first(a)` needs an iteration that binds `a`, and `a` is bound once",
            ),
            (Code::NotIterated, "last", "`last(b)` needs an iteration that binds `b`, and `b` is bound once"),
        ],
    ),
    (
        "T? within 9 events",
        &[(
            Code::Unsatisfiable,
            "T?",
            "this pattern may match no event at all: nothing in it has to be there",
        )],
    ),
    (
        "T* ; H? within 9 events",
        &[(
            Code::Unsatisfiable,
            "T* ; H?",
            "this pattern may match no event at all: nothing in it has to be there",
        )],
    ),
    (
        "(T? or H) within 9 events",
        &[(
            Code::Unsatisfiable,
            "T? or H",
            "this pattern may match no event at all: nothing in it has to be there",
        )],
    ),
    (
        "T+ within 3 s",
        &[(
            Code::NoClock,
            "within 3 s",
            "a window in time needs the time of every event, and the event type `T` has none",
        )],
    ),
    (
        "T as a ; T as b within 9 events partition by name",
        &[(Code::NotKept, "name", "`name` is a `String` and cannot be kept as a key")],
    ),
    (
        "T as a ; H as b within 9 events partition by T.zone = H.sensor",
        &[(Code::UnlikeTypes, "zone", "the key `zone` has different types on different event types")],
    ),
    (
        "T as a ; H as b within 9 events consume partition",
        &[(Code::MissingBound, "consume partition", "`consume partition` needs `partition by`")],
    ),
    (
        "T as a ; H as b within 9 events limit 3 detect",
        &[(Code::ClauseOrder, "limit 3", "`limit` has nothing to limit: `detect` says only yes or no")],
    ),
    (
        "T as a ; H as b within 9 events limit 0",
        &[(Code::Syntax, "limit 0", "`limit 0` is no number of matches")],
    ),
    (
        "T+ as a ; H as b filter a.value + b.value > 1.0 within 5000 events storage boxed",
        &[(
            Code::MissingBound,
            "a.value + b.value > 1.0",
            "`a` is read after its iteration, so all its events have to be kept",
        )],
    ),
    (
        "T+ as a ; H as b filter min(a.name) == b.id within 9 events",
        &[(Code::UnlikeTypes, "min(a.name)", "`min` of something that is no number: `String`")],
    ),
    (
        "H+ as a ; T filter max(a.dry) within 9 events",
        &[(Code::UnlikeTypes, "max(a.dry)", "`max` of something that is no number: `bool`")],
    ),
    (
        "T+ as a ; H as b filter max(a.value) > 3 within 9 events",
        &[(Code::UnlikeTypes, "max(a.value) > 3", "this compares `f64` and an integer")],
    ),
    (
        "T+ as a ; H as b filter count(a) > 3.0 within 9 events",
        &[(Code::UnlikeTypes, "count(a) > 3.0", "this compares `u64` and a float")],
    ),
    (
        "T+ as a ; H as b filter count(a) > b.value within 9 events",
        &[(Code::UnlikeTypes, "count(a) > b.value", "this compares `u64` and `f64`")],
    ),
    (
        "T+ as a ; H as b filter count(a.di) > 3 within 9 events",
        &[(Code::UnknownAttribute, "di", "the event type `T` has no attribute `di`")],
    ),
    (
        "T+ as a ; H as b filter count(c) > 3 within 9 events",
        &[(Code::UnknownVariable, "c", "`c` is no variable and no parameter of this pattern")],
    ),
    (
        "T+ as a ; H as b filter min(a) > 3 within 9 events",
        &[(Code::WholeVariable, "a", "`a` is a variable, and a filter reads its attributes")],
    ),
    (
        "T+ as a ; H as b filter sum(a) > 3.0 within 9 events",
        &[(Code::WholeVariable, "a", "`a` is a variable, and a filter reads its attributes")],
    ),
    (
        "T+ as a ; H as b filter max(a.valeu) > 3.0 within 9 events",
        &[(Code::UnknownAttribute, "valeu", "the event type `T` has no attribute `valeu`")],
    ),
    (
        "(T as a ; H as b select c) within 9 events",
        &[(Code::UnknownVariable, "c", "`c` is not bound in these parentheses")],
    ),
    (
        "(T as a ; H as b select a) ; Idle filter b.id > 3 within 9 events",
        &[(Code::NotBound, "b", "`b` is not bound here")],
    ),
    (
        "(T as a ; H as b select a) within 9 events select b",
        &[(Code::UnknownVariable, "b", "`b` is no variable of this pattern")],
    ),
    (
        "(T as a ; H as b select a) ; Idle filter H.id > 3 within 9 events",
        &[(Code::NotBound, "H", "`H` is not bound here")],
    ),
    (
        "T as a ; (H as b ? filter count(b) == 0)+ within 9 events",
        &[(
            Code::NotSupported,
            "count(b) == 0",
            "a condition on a part that may be absent, on something else than its variables, is not supported yet",
        )],
    ),
    (
        "T as a ; ((H as b ? filter a.id > 3) ; Idle?)? within 9 events",
        &[(
            Code::NotSupported,
            "a.id > 3",
            "a condition on a part that may be absent, on something else than its variables, is not supported yet",
        )],
    ),
    (
        "(T as a or H as a)+ as g within 9 events select g.zone",
        &[(
            Code::NotSupported,
            "g.zone",
            "`g` has several event types, and `zone` is not alike on all of them, which is not supported yet",
        )],
    ),
    (
        "(T as a or H as a)+ as g within 9 events select g.nope",
        &[(Code::UnknownAttribute, "nope", "none of the event types `T` and `H` has an attribute `nope`")],
    ),
    (
        "T+ ; H within 10000 events",
        &[(
            Code::TooLarge,
            "within 10000 events",
            "the state of `P` would be at least 1267 KiB, and 64 KiB is the most inside the machine",
        )],
    ),
    (
        "(T ; H) as g ; Idle as g within 9 events",
        &[(Code::BoundTwice, "g", "the variable `g` is bound twice in a sequence")],
    ),
    (
        "((T as g ; H) as g) within 9 events",
        &[(Code::BoundTwice, "g", "the variable `g` is bound twice in a sequence")],
    ),
    (
        "(T as a or H) as a within 9 events",
        &[(Code::BoundTwice, "a", "the variable `a` is bound twice in a sequence")],
    ),
    (
        "(T as a)+ as a within 9 events",
        &[(Code::BoundTwice, "a", "the variable `a` is bound twice in a sequence")],
    ),
    ("T as or", &[(Code::Reserved, "or", "`or` cannot name a variable: it is a word of the language")]),
    (
        "T as window",
        &[(Code::Reserved, "window", "`window` cannot name a variable: it is a word of the language")],
    ),
    (
        "H as a filter a.note == None",
        &[(
            Code::UnlikeTypes,
            "a.note == None",
            "`a.note` is the value here, `u32`, and `None` is an `Option`",
        )],
    ),
    (
        "H as a filter a.note == Some(3)",
        &[(
            Code::UnlikeTypes,
            "a.note == Some(3)",
            "`a.note` is the value here, `u32`, and `Some(…)` is an `Option`",
        )],
    ),
    (
        "H as a filter a.note.unwrap() > 3",
        &[(Code::UnlikeTypes, "unwrap", "`a.note` is the value here, `u32`, and has no `unwrap`")],
    ),
    ("T as a filter a.id.is_none()", &[(Code::UnlikeTypes, "is_none", "`a.id` is never NULL: it is `u32`")]),
    (
        "T as a filter a.id.is_some_and(|x| x > 3)",
        &[(Code::UnlikeTypes, "is_some_and", "`a.id` is never NULL: it is `u32`")],
    ),
    (
        "(T as a ; H as b within 1 events) within 9 events",
        &[(
            Code::Unsatisfiable,
            "within 1 events",
            "this pattern can match nothing: it has 2 events, and its window holds 1",
        )],
    ),
    (
        "(T as a ; H as b within 1 events)",
        &[(
            Code::Unsatisfiable,
            "within 1 events",
            "this pattern can match nothing: it has 2 events, and its window holds 1",
        )],
    ),
    (
        "(T as a ; H as b within 3 events) ; Idle",
        &[(Code::MissingBound, "T as a ; H as b within 3 events) ; Idle", "this pattern needs a window")],
    ),
    (
        "(T as a within 3 s)",
        &[(
            Code::NoClock,
            "within 3 s",
            "a window in time needs the time of every event, and the event type `T` has none",
        )],
    ),
    (
        "T as a ; H as b within 9 events capacity 0 keys",
        &[(Code::Syntax, "capacity 0 keys", "`0 keys` is no capacity")],
    ),
    ("T{2} within 9 events", &[(Code::NotSupported, "{2}", "a counted iteration is not supported yet")]),
    ("T{0} within 9 events", &[(Code::Syntax, "{0}", "a count of 0 leaves nothing of the element")]),
    (
        "(T as a filter a.id > b.id)+ ; H as b within 9 events",
        &[(Code::NotBound, "b", "`b` is not bound here")],
    ),
    (
        "T as a ; (H as b filter b.id == a.id && prev(a).id > 1)+ within 9 events",
        &[(Code::NotIterated, "prev", "`prev(a)` needs an iteration that binds `a`, and `a` is bound once")],
    ),
    (
        "T as a ; H+ as b filter f(prev(b)) within 9 events",
        &[(Code::WholeVariable, "prev(b)", "`prev(b)` is an event, and a filter reads its attributes")],
    ),
    (
        "T as a filter (|x: u32| x == count(a))(3)",
        &[(Code::Impure, "a", "a closure in a filter cannot capture the variable `a`")],
    ),
    (
        "T+ as t ; H filter T.id > 3 within 9 events select T, t",
        &[(Code::FieldClash, "T", "`T` and `t` would both be the field `t` of a match")],
    ),
    ("T+ as a", &[(Code::MissingBound, "T+ as a", "this pattern needs a window")]),
    (
        "(T as a or H as b) ; (Idle as i filter a.value > 1.0) within 9 events",
        &[(Code::NotBound, "a", "`a` is not bound here on every way")],
    ),
    (
        "T ; (T as a or H as b ; Idle) within 9 events",
        &[(Code::Ambiguous, "or H as b ; Idle", "`or` beside a sequence operator can be read in two ways")],
    ),
    (
        "(T ; ((T as a ; H) or H as b)) ; (Idle as i filter a.value > 1.0) within 9 events",
        &[(Code::NotBound, "a", "`a` is not bound here on every way")],
    ),
    (
        "T+ as a ; H+ as b filter a.value > b.value within 4097 events storage boxed",
        &[(
            Code::MissingBound,
            "a.value > b.value",
            "`a` is read after its iteration, so all its events have to be kept",
        )],
    ),
    (
        "T+ as a ; H as b filter a.value != b.value within 4097 events storage boxed",
        &[(
            Code::MissingBound,
            "a.value != b.value",
            "`a` is read after its iteration, so all its events have to be kept",
        )],
    ),
];

/// The same on `Trade`, which has a clock.
const TRADES: &[(&str, &[Expected])] = &[
    (
        "(Buy as a ; Sell as b within 5 of tick) ; Halt within 10 s capacity 10 events",
        &[(
            Code::NoClock,
            "within 5 of tick",
            "this window has another clock (`tick`) than the one before (`#[event(time)]`)",
        )],
    ),
    (
        "(Buy as a or Sell as a) filter a.tag == 3",
        &[(
            Code::UnlikeTypes,
            "a.tag",
            "`tag` is `&str` on one event type of this variable and `u8` on another",
        )],
    ),
    (
        "Buy as a ; Sell as b within 10 s",
        &[(Code::MissingBound, "within 10 s", "a window in time does not tell how many events it holds")],
    ),
    (
        "Buy as a ; Sell as b within 10 us capacity 10 events",
        &[(Code::EmptyWindow, "within 10 us", "this window is shorter than one tick of the clock")],
    ),
    (
        "Buy as a ; Sell as b within 10 s capacity 0 events",
        &[(Code::Syntax, "capacity 0 events", "`0 events` is no capacity")],
    ),
    (
        "Buy as a ; Sell as b within 0 s capacity 10 events",
        &[(Code::EmptyWindow, "0 s", "a window of `0` holds no event")],
    ),
    (
        "(Buy as a ; Sell as b within 5 of seq) within 10 s capacity 10 events",
        &[(Code::NoClock, "seq", "a clock is an attribute of every event type, and `Halt` has no `seq`")],
    ),
    (
        "Buy as a ; Sell as b within 5 of seq capacity 10 events",
        &[(Code::NoClock, "seq", "a clock is an attribute of every event type, and `Halt` has no `seq`")],
    ),
    (
        "Buy as a ; Sell as b within 5 of id capacity 10 events",
        &[(Code::NoClock, "id", "`id` of `Halt` cannot be a clock: it may be NULL")],
    ),
    (
        "Buy as a ; Sell as b within 5 of who capacity 10 events",
        &[(Code::NoClock, "who", "`who` of `Buy` cannot be a clock: it is no number")],
    ),
    (
        "Buy as a ; Sell as b within 2.5 of at capacity 10 events",
        &[(Code::UnlikeTypes, "within 2.5 of at", "the clock is `u64`, and `2.5` is none")],
    ),
    (
        "Buy as a ; Sell as b within 0 of at capacity 10 events",
        &[(Code::EmptyWindow, "0 of at", "a window of `0` holds no event")],
    ),
    (
        "Buy as a ; Sell as b within 5 of att capacity 10 events",
        &[(Code::NoClock, "att", "a clock is an attribute of every event type, and `Buy` has no `att`")],
    ),
    (
        "Buy as a ; Sell as b filter a.id == b.id within 10 s detect",
        &[(Code::MissingBound, "within 10 s", "a window in time does not tell how many events it holds")],
    ),
    (
        "Buy as a ; Sell as b within 9 events partition by price",
        &[(Code::UnlikeTypes, "price", "`price` is a float and cannot be a key")],
    ),
    (
        "Buy as a ; Halt as b within 9 events partition by seq",
        &[(Code::UnknownAttribute, "Halt", "the event type `Halt` has no key `seq` to be partitioned by")],
    ),
    (
        "Buy as a ; Sell as b within 9 events partition by tag",
        &[(Code::UnlikeTypes, "tag", "the key `tag` has different types on different event types")],
    ),
    (
        "Buy as a ; Sell as b within 9 events partition by who",
        &[(Code::NotKept, "who", "the compiler does not know how to compare keys of `who`'s type")],
    ),
    (
        "Buy as a ; Sell as b within 9 events partition by sek",
        &[(Code::UnknownAttribute, "sek", "no event type of `Trade` has an attribute `sek`")],
    ),
    (
        "Buy as a ; Sell as b within 9 events partition by Buy.id = Buy.seq",
        &[(Code::BoundTwice, "Buy.seq", "the event type `Buy` is named twice in one key")],
    ),
    (
        "Buy as a ; Sell as b within 9 events partition by Buy.id = Sell.price",
        &[(Code::UnlikeTypes, "id", "the key `id` has different types on different event types")],
    ),
    (
        "Buy as a ; Sell as b within 9 events partition by Bui.id = Sell.id",
        &[(Code::UnknownType, "Bui", "`Trade` has no event type `Bui`")],
    ),
    (
        "Buy as a ; Sell as b within 9 events partition by Buy.id = Sell.idd",
        &[(Code::UnknownAttribute, "idd", "the event type `Sell` has no attribute `idd`")],
    ),
    (
        "Buy as a ; Sell as b partition by id",
        &[(Code::MissingBound, "Buy as a ; Sell as b", "this pattern needs a window")],
    ),
    (
        "Buy as a ; Sell as b partition by id detect",
        &[(Code::MissingBound, "partition by id", "keys need a bound")],
    ),
    (
        "Buy+ as a ; Sell as b filter min(a.tag) == max(a.tag) within 9 events",
        &[
            (Code::UnlikeTypes, "min(a.tag)", "`min` of something that is no number: `&str`"),
            (Code::UnlikeTypes, "max(a.tag)", "`max` of something that is no number: `&str`"),
        ],
    ),
    (
        "Buy as a ; Sell as b within 10 s capacity 100000 events",
        &[(
            Code::TooLarge,
            "capacity 100000 events",
            "the state of `P` would be at least 9217 KiB, and 64 KiB is the most inside the machine",
        )],
    ),
];

/// What looks like one of those mistakes and is none.
const RIGHT: &[(&str, &str)] = &[
    ("Trade", "(Buy as a ; Sell as b within 5 of at) ; Halt within 10 s capacity 10 events"),
    ("Reading", "(T as a or H as a) filter a.value > 1.0"),
    ("Reading", "(T as a or H as b) ; Idle filter a.value > 1.0 within 9 events"),
    ("Reading", "(T as a or H as b or Idle as a) ; Idle filter a.id > 1 within 9 events"),
    ("Reading", "(T as a or H as a) filter a.note.is_none()"),
    ("Reading", "(T as a or H as a) filter a.zone.is_none() || a.low > 1.0"),
    ("Trade", "(Buy as a or Halt as a) filter a.id == 3 && a.price.is_some()"),
    ("Reading", "(T as b filter b.value > prev(b).value)+ within 9 events"),
    ("Reading", "((T ; T) as b ; H filter b.value > prev(b).value)+ within 9 events"),
    ("Trade", "Buy as a ; Sell as b within 10 s capacity 10 events"),
    ("Trade", "Buy as a ; Sell as b within 10 s detect"),
    ("Trade", "Buy as a ; Sell as b within 9 events partition by Buy.id = Sell.seq"),
    ("Trade", "Buy as a ; Halt as b within 9 events partition by id"),
    ("Reading", "T+ as a ; H as b filter a.value > b.value within 5000 events storage boxed"),
    ("Trade", "Buy+ as a ; Sell as b filter a.price + b.price > 1.0 within 10 s capacity 100 events"),
    ("Reading", "T+ as a ; H as b filter count(a) > b.id && max(a.zone) > b.sensor within 9 events"),
    ("Reading", "T as a ; (H as b)? filter count(b) == 0 within 9 events"),
    ("Reading", "T as a ; (H as b ? filter b.id > a.id) within 9 events"),
    ("Reading", "(T as a or H as a)+ as g within 9 events select g.id"),
    ("Reading", "T+ within 500 events"),
    ("Reading", "(T ; H) as g within 9 events"),
    ("Reading", "H as a filter a.note.is_some_and(|x| x > 3)"),
    ("Reading", "(T as a ; H as b within 3 events)"),
    ("Reading", "(T as a ; (H as b filter first(b).id == a.id)+)+ within 9 events"),
    ("Reading", "T as a ; H as b within 9 events consume any"),
    ("Reading", "T ; T within 9 events"),
    ("Reading", "T ; T filter T.id == 1 within 9 events select none"),
    ("Reading", "T+ as a detect"),
    ("Reading", "T+ as a ; H as b filter f(a.value, b.value) within 4096 events storage boxed"),
    ("Reading", "T+ as a ; H as b filter a.value + 1.0 > b.value * 2.0 within 4097 events storage boxed"),
];

/// Whole calls.
const CALLS: &[(&str, &[Expected])] = &[
    (
        "pattern P on Reading = T; pattern P on Reading = H;",
        &[(Code::DuplicateItem, "P", "the item `P` is defined twice")],
    ),
    (
        "pattern Q on P = P as p filter p.T.value > 3.0 within 1 events; pattern P on Reading = T;",
        &[(Code::UnknownAttribute, "T", "no attribute `T`")],
    ),
    ("pattern Q on P = P as p filter p.t.value > 3.0 within 1 events; pattern P on Reading = T;", &[]),
    (
        "pattern P on Reading = T+ within 9 events; pattern Q on P = P within 1 events;",
        &[(Code::NoStream, "P", "borrows the machine, because `t` holds any number of events")],
    ),
    (
        "pattern P on Reading = T detect; window Q on P = agse @ (1, 2);",
        &[(Code::NoStream, "P", "`P` says only yes or no")],
    ),
    ("pattern P on P = P;", &[(Code::NoStream, "P", "runs on its own results")]),
    ("pattern Q on P = P; pattern P on Reading = Tt;", &[(Code::UnknownType, "Tt", "no event type `Tt`")]),
    ("window W on Reading = T;", &[(Code::Syntax, "T", "expected `agse`, `zip` or `predicate`")]),
    (
        "window W on Reading = agse(value) @ (1, 2);",
        &[(Code::UnknownType, "Reading", "several event types: which one?")],
    ),
    (
        "window W on Reading::T = agse(valeu) @ (1, 2);",
        &[(Code::UnknownAttribute, "valeu", "no attribute `valeu`")],
    ),
    ("window W on Reading::T = agse(value) @ (0, 2);", &[(Code::EmptyWindow, "0", "the hop must be")]),
    ("window W on Reading::T = agse(value) @ (1, 0);", &[(Code::EmptyWindow, "0", "must not be zero")]),
    ("pattern P on Self = T;", &[(Code::Syntax, "Self", "`Self` is no path to a stream")]),
    (
        "pattern P(a: f64, a: f64) on Reading = T;",
        &[(Code::BoundTwice, "a", "the parameter `a` is declared twice")],
    ),
    (
        "pattern P(a: Vec<u8>) on Reading = T;",
        &[(Code::NotCopy, "Vec<u8>", "the parameter `a` is not `Copy`")],
    ),
    (
        "#[cep(kernel = best)] pattern P on Reading = T;",
        &[(Code::ItemAttribute, "best", "there is no kernel `best`")],
    ),
    (
        "#[cep(speed)] pattern P on Reading = T;",
        &[(Code::ItemAttribute, "speed", "expected `kernel = ring`")],
    ),
    ("#[cfg(x)] pattern P on Reading = T;", &[(Code::ItemAttribute, "[cfg(x)]", "`#[cfg]` cannot stand")]),
    ("#[derive(Eq)] pattern P on Reading = T;", &[(Code::ItemAttribute, "Eq", "`Eq` cannot be derived")]),
    (
        "#[cep(kernel = ring)] pattern P on Reading = T ; H detect;",
        &[(Code::MissingBound, "P", "needs a window")],
    ),
    ("pattern P on Reading = T as within;", &[(Code::Reserved, "within", "cannot name a variable")]),
    (
        "pattern P on Reading = T ; H or Idle within 9 events;",
        &[(Code::Ambiguous, "; H or Idle", "two ways")],
    ),
    (
        "pattern P on Reading = T select none within 9 events;",
        &[(Code::ClauseOrder, "within 9 events", "stands behind")],
    ),
    ("pattern P on Reading = T ; H within 9 events", &[]),
];

/// The stretch of source between two places: `compile_error!` underlines from the first to the last token.
fn underlined(source: &str, at: cep_compiler::diagnostic::Loc) -> String {
    let offset = |p: proc_macro2::LineColumn| p.column;
    source.chars().take(offset(at.last.end())).skip(offset(at.first.start())).collect()
}

fn check(source: &str, expected: &[Expected]) {
    let output = compiled(source);
    let list = output.diagnostics.list();
    let found: Vec<_> =
        list.iter().map(|d| (d.code, underlined(source, d.primary), d.message.as_str())).collect();
    assert_eq!(found.len(), expected.len(), "{source}\n{found:#?}");
    for ((code, place, message), (c, p, m)) in found.iter().zip(expected) {
        assert!(
            code == c && place == p && message.contains(m),
            "{source}\nexpected {:?}\nfound {:?}",
            (c, p, m),
            (code, place, message)
        );
    }
    every_error_helps(&output.diagnostics, source);
}

fn every_error_helps(diagnostics: &Diagnostics, source: &str) {
    for d in diagnostics.list() {
        assert!(d.notes.iter().any(|n| n.starts_with("help: ")), "no help in {source}: {}", d.message);
        assert!(!d.message.starts_with(char::is_uppercase) && !d.message.ends_with('.'), "{}", d.message);
    }
}

fn formula(text: &str) -> String {
    on("Reading", text)
}

fn on(stream: &str, text: &str) -> String {
    format!("pattern P(floor: f64) on {stream} = {text};")
}

#[test]
fn formulas() {
    FORMULAS.iter().for_each(|(text, expected)| check(&formula(text), expected));
}

#[test]
fn rules() {
    RULES.iter().for_each(|(text, expected)| check(&formula(text), expected));
    TRADES.iter().for_each(|(text, expected)| check(&on("Trade", text), expected));
}

#[test]
fn what_is_right_is_taken() {
    RIGHT.iter().for_each(|(stream, text)| check(&on(stream, text), &[]));
}

#[test]
fn calls() {
    CALLS.iter().for_each(|(text, expected)| check(text, expected));
}

/// A pattern with an error leaves a stand-in with its name, its parameters and its variables.
#[test]
fn a_skeleton_stands_in() {
    for (source, words) in [
        (
            formula("T as hot filter hot.valu > 1.0 ; H as b within 9 events"),
            &["struct P", "fn new", "f64", "fn push", "hot", "struct PMatch"][..],
        ),
        (
            formula("T as hot ; ; H as b within 9 events"),
            &["struct P", "fn next_match", "hot", "struct PMatches"],
        ),
        (formula("TT as hot filter hot. > 1 detect"), &["struct P", "fn latest_start", "bool"]),
        (formula("T as hot ; H storage borrowed"), &["struct PRings", "'rings", "fn over"]),
        ("pub(crate) pattern P on = T".into(), &["pub (crate) struct P"]),
        ("pattern P(a: , b: f64) on".into(), &["struct P"]),
    ] {
        let output = compiled(&source);
        assert!(!output.diagnostics.is_empty(), "{source}");
        let text = output.tokens.to_string();
        for word in words {
            assert!(text.contains(word), "{source}: no `{word}` in {text}");
        }
        let file = syn::parse2::<syn::File>(output.tokens);
        assert!(file.is_ok(), "{source}: {:?}", file.err());
    }
}

/// Code after code: each is produced here, by a test of the parser or of the derive, or waits for what it is about.
#[test]
fn every_code_is_produced() {
    let tests = [include_str!("compile.rs"), include_str!("parse.rs"), include_str!("derive.rs")].concat();
    for code in Code::ALL {
        let name = format!("Code::{code:?}");
        let elsewhere = match code {
            // long inputs, in `soup.rs`
            Code::TooDeep => include_str!("soup.rs").contains("nothing_is_too_long"),
            Code::Derive => tests.contains("CEP0009"),
            // decided by rustc: `tests/ui/boxed_without_alloc.rs`
            Code::NoAlloc => include_str!("../../tests/ui/boxed_without_alloc.stderr").contains("CEP0306"),
            _ => false,
        };
        assert!(
            elsewhere || tests.contains(&format!("({name},")) || tests.contains(&format!("{name},")),
            "{name} is produced by no test"
        );
    }
}

/// The catalogue has every code, with an example and a remedy, and no other.
#[test]
fn the_catalogue_is_complete() {
    let page = include_str!("../../docs/errors.md");
    let sections: Vec<&str> = page.split("\n## ").skip(1).collect();
    assert_eq!(sections.len(), Code::ALL.len());
    for (section, code) in sections.iter().zip(Code::ALL) {
        assert!(
            section.starts_with(code.name()),
            "expected {}, found {}",
            code.name(),
            section.lines().next().unwrap_or_default()
        );
        assert!(section.contains("Wrong:") && section.contains("Instead:"), "{}", code.name());
    }
}

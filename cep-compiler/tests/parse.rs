//! The front end: what is accepted becomes which tree, and what is refused is refused with which words and where.
mod print;

use cep_compiler::{
    diagnostic::{Code, Diagnostics},
    parse::parse,
};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// Items and their trees; every node is in brackets, clauses stand behind bars.
const GOOD: &[(&str, &str)] = &[
    (
        "pattern P on R = T as hot filter hot.value > hottest ; H as dry filter dry.value < 25.0 filter hot.id == dry.id within 100 events select hot, dry;",
        "P on R = [[[[[T as hot] filter hot.value>hottest] ; [H as dry]] filter dry.value<25.0] filter hot.id==dry.id] | within 100 events | select hot, dry",
    ),
    (
        "#[must_use] #[derive(Clone, Debug)] #[cep(max_classes = 512)] pub(crate) pattern P(hottest: f64, b: Map<u8, u16>) on crate::events::Packet<'_> = A",
        "#[must_use] #[derive(Clone,Debug)] #[cep(max_classes=512)] pub(crate) P(hottest: f64, b: Map<u8,u16>) on crate::events::Packet<'_> = A",
    ),
    (
        "pattern P on R = A as a+ ; B:+ -> C->+ ; D? : E* ; F:* ; G->* ; H{3} ; I{3,} ; J:{3,5} ; K->{0,1} as k within 10 events",
        "P on R = [[[[[[[[[[[[A as a]{1,}] ; [B:{1,}]] -> [C->{1,}]] ; [D{0,1}]] : [E{0,}]] ; [F:{0,}]] ; [G->{0,}]] ; [H{3,3}]] ; [I{3,}]] ; [J:{3,5}]] ; [[K->{0,1}] as k]] | within 10 events",
    ),
    (
        "pattern P on R = A : B as b filter f(b.v) -> C filter x.a > 1 : D",
        "P on R = [[[[[A : [B as b]] filter f(b.v)] -> C] filter x.a>1] : D]",
    ),
    (
        "pattern P on R = (A or B or C) ; D within 1 min 30 s",
        "P on R = [[A or B or C] ; D] | within 1 Minute 30 Second",
    ),
    ("pattern P on R = A or B within 5 of value", "P on R = [A or B] | within 5 of value"),
    (
        "pattern P on R = A ; not B ; not (C as c filter c.v > a.v) -> D : not E ; F",
        "P on R = [[A ; not B ; not [[C as c] filter c.v>a.v] -> D] : not E ; F]",
    ),
    ("pattern P on R = A ; not B within 10 s", "P on R = [A ; not B] | within 10 Second"),
    (
        "pattern P on R = all(A, (B ; C) filter f::<u8, u8>(b.x), D) ; (E without F) ; (A ; B within 5 events select a, b) ; C",
        "P on R = [[[all(A, [[B ; C] filter f::<u8,u8>(b.x)], D) ; [E without F]] ; [[[A ; B] within 5 events] select a, b]] ; C]",
    ),
    (
        "pattern P on R = A agg m { b: sum(x.a), c: count(b) } project x(a, b) ; B filter m.b > 3",
        "P on R = [[[[A agg m { b: sum(x.a), c: count(b) }] project x(a, b)] ; B] filter m.b>3]",
    ),
    (
        "pattern P on R = A ; B within 100 events of its partition partition by id, zone strategy last skip to first x consume any limit 5 timeouts capacity 64 events, 3 keys, 7 runs or evict storage boxed select a, b.price",
        "P on R = [A ; B] | within 100 events of its partition | by id, zone | strategy last | skip to first x | consume Any | limit 5 | timeouts | capacity Some(64) Some(3) Some(7) true | storage Boxed | select a, b.price",
    ),
    (
        "pattern P on R = A partition by T.id = H.sensor skip past last detect",
        "P on R = A | by T.id = H.sensor | skip past last | detect",
    ),
    (
        "pattern P on R = A agg m { q: fold stats::Quantile<9, u8>(x.a), s: sum_some(x.a) wrapping, } within 9 events summarize { n: count(*) saturating, mean: avg(m.s) as f64 };",
        "P on R = [A agg m { q: fold stats::Quantile<9,u8>(x.a), s: sum_some(x.a)wrapping }] | within 9 events | summarize { n: count(*)saturating, mean: avg(m.s)as f64 }",
    ),
    (
        "pattern P on R = A within window Trip summarize { n: count(*), heat: sum(hot.value) };",
        "P on R = A | within window Trip | summarize { n: count(*), heat: sum(hot.value) }",
    ),
    (
        "pattern P on R = A select none; window W on R = agse(v) @ (1, 3); pub pattern Q on R = B;",
        "P on R = A | select none\nwindow W\npub Q on R = B",
    ),
    (
        "pattern P on R = A as r#type ; B as b filter b.x as f64 > 3.0 && matches!(b.y, Some(1 | 2)) || { let k = [1; 2]; k[0] == 1 } within 1 events",
        "P on R = [[[A as r#type] ; [B as b]] filter b.x as f64>3.0&&matches!(b.y,Some(1|2))||{let k=[1;2];k[0]==1}] | within 1 events",
    ),
    (
        "pattern P on R = A filter a.v.iter().any(|x: u32| -> bool { x > 3 }) ; B filter |x: u8| x : C",
        "P on R = [[[[A filter a.v.iter().any(|x:u32|->bool{x>3})] ; B] filter |x:u8|x] : C]",
    ),
    (
        "pattern P on R = ((((A)))) as x ; (A as a ; B as b)+ as y",
        "P on R = [[A as x] ; [[[[A as a] ; [B as b]]{1,}] as y]]",
    ),
    (
        r##"#[allow(dead_code)] #[deprecated] #[doc = "text"] pub pattern P on R = A;"##,
        "#[allow(dead_code)] #[deprecated] #[doc=\"text\"] pub P on R = A",
    ),
    ("pattern P on R = A ; (B ; not C) ; D", "P on R = [[A ; [B ; not C]] ; D]"),
    (
        "pattern P on R = A within 1 min 0 s capacity 3 runs or error",
        "P on R = A | within 1 Minute 0 Second | capacity None None Some(3) false",
    ),
    (
        "pattern P on R = A? ; B as b filter b.x.is_some() ; (C within window W) skip to next consume partition",
        "P on R = [[[[A{0,1}] ; [B as b]] filter b.x.is_some()] ; [C within window W]] | skip to next | consume Partition",
    ),
    (
        "pattern P on R = A filter if a.x { true } else { false } ; B filter match b.k { 0 => false, _ => true } -> C",
        "P on R = [[[[A filter if a.x{true}else{false}] ; B] filter match b.k{0=>false,_=>true}] -> C]",
    ),
    (
        "pattern P on R = A filter a.within > a.or && x::skip(a.select) within 3 events",
        "P on R = [A filter a.within>a.or&&x::skip(a.select)] | within 3 events",
    ),
    ("pattern P on R = all(A, B,) ; (A,)", "P on R = [all(A, B) ; A]"),
];

/// Code, columns of the first and behind the last token, message.
type Expected = (Code, usize, usize, &'static str);

/// Items and their errors.
const BAD: &[(&str, &[Expected])] = &[
    (
        "pattern P on R = T filter x.v > 1 as y ; B",
        &[(Code::Syntax, 34, 38, "in a filter `as` is Rust's cast")],
    ),
    (
        "pattern P on R = T filter x.v > 3 ? ; B",
        &[(Code::Impure, 34, 35, "in a filter `?` is Rust's operator, which returns early")],
    ),
    (
        "pattern P on R = T filter x.v > A {2} ; B",
        &[(Code::Syntax, 26, 37, "in a condition, a name with `{…}` behind it is a struct literal")],
    ),
    (
        "pattern P on R = A ; B+? ; C",
        &[(Code::Syntax, 23, 24, "`?` directly behind an iteration: here it would read `(B+)?`")],
    ),
    ("pattern P on R A ; B", &[(Code::Syntax, 15, 16, "expected `=`, found `A`")]),
    ("pattern P R = A ; B", &[(Code::Syntax, 10, 11, "expected `on` and the type of the stream, found `R`")]),
    ("pattern P = A ; B", &[(Code::Syntax, 10, 11, "expected `on` and the type of the stream, found `=`")]),
    ("pattern P on = A", &[(Code::Syntax, 13, 14, "expected the type of the stream behind `on`")]),
    (
        "pattern on R = A",
        &[
            (Code::Reserved, 8, 10, "`on` cannot name an item: it is a word of the language"),
            (Code::Syntax, 11, 12, "expected `on` and the type of the stream, found `R`"),
        ],
    ),
    (
        "pattern P on R = ",
        &[(Code::Syntax, 15, 16, "expected `(`, `all(…)` or an event type, found the end of the item")],
    ),
    (
        "pattern P on R = within 10 events",
        &[(Code::Syntax, 17, 23, "expected `(`, `all(…)` or an event type, found `within`")],
    ),
    (
        "pattern P on R = A -> ; B",
        &[(Code::Syntax, 22, 23, "expected `(`, `all(…)` or an event type, found `;`")],
    ),
    (
        "pattern P on R = A ->",
        &[(Code::Syntax, 20, 21, "expected `(`, `all(…)` or an event type, found the end of the item")],
    ),
    (
        "pattern P on R = (A ; B ;) ; C",
        &[(
            Code::Syntax,
            25,
            26,
            "expected `(`, `all(…)` or an event type, found the end of these parentheses",
        )],
    ),
    ("pattern P on R = () ; C", &[(Code::Syntax, 17, 19, "empty parentheses")]),
    (
        "pattern P on R = A ; B or C",
        &[(Code::Ambiguous, 19, 27, "`or` beside a sequence operator can be read in two ways")],
    ),
    (
        "pattern P on R = A or B ; C",
        &[(Code::Ambiguous, 19, 27, "`or` beside a sequence operator can be read in two ways")],
    ),
    (
        "pattern P on R = A filter a.x > 1 or B",
        &[(Code::Ambiguous, 19, 38, "`or` beside a `filter` can be read in two ways")],
    ),
    (
        "pattern P on R = A or B filter b.x > 1",
        &[(Code::Ambiguous, 19, 38, "`or` beside a `filter` can be read in two ways")],
    ),
    (
        "pattern P on R = A ; not B filter b.x > 1 ; C",
        &[(Code::Ambiguous, 27, 41, "a `filter` directly behind `not` can be read in two ways")],
    ),
    ("pattern P on R = A ; not B : C", &[(Code::Syntax, 27, 28, "`:` cannot stand behind `not B`")]),
    ("pattern P on R = A : not B", &[(Code::Syntax, 21, 26, "`: not B` cannot be at the end")]),
    ("pattern P on R = not A ; B", &[(Code::Syntax, 17, 20, "a `not` needs an element on its left")]),
    (
        "pattern P on R = A ; not B+ ; C",
        &[(Code::Syntax, 21, 27, "what stands behind `not` is a type or a group")],
    ),
    (
        "pattern P on R = A not B ; C",
        &[(Code::Syntax, 19, 22, "expected `;`, `:`, `->`, `or`, a suffix or a clause, found `not`")],
    ),
    (
        "pattern P on R = A as within ; B as type ; C as _",
        &[
            (Code::Reserved, 22, 28, "`within` cannot name a variable: it is a word of the language"),
            (Code::Reserved, 36, 40, "`type` cannot name a variable: it is a keyword of Rust"),
            (Code::Reserved, 48, 49, "`_` cannot name a variable"),
        ],
    ),
    (
        "pattern P(filter: f64) on R = A",
        &[(Code::Reserved, 10, 16, "`filter` cannot name a parameter: it is a word of the language")],
    ),
    (
        "pattern P on R = A ; B{0} ; C{3,2} ; D{} ; E{a}",
        &[
            (Code::Syntax, 22, 25, "a count of 0 leaves nothing of the element"),
            (Code::Syntax, 29, 34, "at least 3 but at most 2: no number is both"),
            (Code::Syntax, 38, 40, "expected a count"),
            (Code::Syntax, 44, 47, "expected a count"),
        ],
    ),
    ("pattern P on R = A wihtin 10 events", &[(Code::Syntax, 19, 25, "expected a clause, found `wihtin`")]),
    ("pattern P on R = A within 0 events", &[(Code::EmptyWindow, 26, 34, "a window of `0` holds no event")]),
    ("pattern P on R = A within -5 s", &[(Code::EmptyWindow, 26, 30, "a window of `-5` holds no event")]),
    (
        "pattern P on R = A within 10 sec",
        &[(Code::Syntax, 29, 32, "expected `events`, a unit of time or `of`, found `sec`")],
    ),
    ("pattern P on R = A within 10s", &[(Code::Syntax, 26, 29, "expected a whole number, found `10s`")]),
    (
        "pattern P on R = A within 30 s 1 min",
        &[(Code::Syntax, 31, 36, "amounts of time stand with the largest unit first, each unit once")],
    ),
    (
        "pattern P on R = A within 10",
        &[(Code::Syntax, 26, 28, "`10` of what? expected `events`, a unit of time or `of`")],
    ),
    (
        "pattern P on R = A within",
        &[(Code::Syntax, 19, 25, "expected `window` or a number, found the end of the item")],
    ),
    ("pattern P on R = A within 10 events 3 s", &[(Code::Syntax, 19, 39, "only amounts of time add up")]),
    (
        "pattern P on R = A select a within 10 events",
        &[(Code::ClauseOrder, 28, 44, "`within` stands behind `select`")],
    ),
    (
        "pattern P on R = A within 10 events within 5 s",
        &[(Code::ClauseOrder, 36, 46, "`within` is written twice")],
    ),
    (
        "pattern P on R = A select a detect",
        &[(Code::ClauseOrder, 28, 34, "`detect` beside `select`: only one of them can say what comes out")],
    ),
    (
        "pattern P on R = A strategy frist skip over limit 0 storage heap consume all",
        &[
            (
                Code::Syntax,
                28,
                33,
                "expected `all`, `one`, `last`, `next`, `max` or `strict` behind `strategy`, found `frist`",
            ),
            (Code::Syntax, 39, 43, "expected `past` or `to`, found `over`"),
            (Code::Syntax, 44, 51, "`limit 0` is no number of matches"),
            (Code::Syntax, 60, 64, "expected `inline`, `boxed` or `borrowed` behind `storage`, found `heap`"),
            (Code::ClauseOrder, 65, 76, "`consume` stands behind `storage`"),
            (Code::Syntax, 73, 76, "expected `none`, `any` or `partition` behind `consume`, found `all`"),
        ],
    ),
    ("pattern P on R = A partition id", &[(Code::Syntax, 29, 31, "expected `by`, found `id`")]),
    (
        "pattern P on R = A B ; C D",
        &[
            (Code::Syntax, 19, 20, "expected `;`, `:`, `->`, `or`, a suffix or a clause, found `B`"),
            (Code::Syntax, 25, 26, "expected `;`, `:`, `->`, `or`, a suffix or a clause, found `D`"),
        ],
    ),
    (
        "pattern P on R = A within 10 events ; B",
        &[(Code::Syntax, 36, 37, "expected the end of the item, found `;`")],
    ),
    ("pattern P on R = A without B", &[(Code::Syntax, 19, 26, "`without` stands inside parentheses only")]),
    (
        "pattern P on R = (A partition by id) ; B",
        &[(Code::Syntax, 20, 29, "expected `;`, `:`, `->`, `or`, a suffix or `)`, found `partition`")],
    ),
    ("pattern P on R = (A, B)", &[(Code::Syntax, 17, 23, "`,` joins the parts of `all(…)` only")]),
    (
        "pattern P on R = A | B",
        &[(Code::Syntax, 19, 20, "expected `;`, `:`, `->`, `or`, a suffix or a clause, found `|`")],
    ),
    (
        "pattern P on R = A ; ; B",
        &[(Code::Syntax, 21, 22, "expected `(`, `all(…)` or an event type, found `;`")],
    ),
    (
        "pattern P on R = A filter ; B filter x.v > ; C",
        &[
            (Code::Syntax, 19, 25, "expected a condition behind `filter`"),
            (Code::Syntax, 41, 42, "in this filter: unexpected end of input, expected an expression"),
        ],
    ),
    (
        "pattern P on R = A as ; B as 3",
        &[
            (Code::Syntax, 19, 21, "`as` needs one name, directly behind an element"),
            (Code::Syntax, 26, 28, "`as` needs one name, directly behind an element"),
        ],
    ),
    (
        "#[cfg(test)] pattern P on R = A",
        &[(Code::ItemAttribute, 1, 12, "`#[cfg]` cannot stand on an item of `cep!`")],
    ),
    (
        "#[derive(Copy, Clone)] pattern P on R = A",
        &[(Code::ItemAttribute, 9, 13, "`Copy` cannot be derived for a machine")],
    ),
    (
        "#[inline] pattern P on R = A",
        &[(Code::ItemAttribute, 1, 9, "this attribute cannot stand on an item of `cep!`")],
    ),
    ("pattern P on &R = A", &[(Code::Syntax, 13, 15, "expected the path of a type that derives `Event`")]),
    (
        "pattern P on R = A pattern Q on R = B ; C D",
        &[
            (Code::Syntax, 19, 26, "expected `;` between two items"),
            (Code::Syntax, 42, 43, "expected `;`, `:`, `->`, `or`, a suffix or a clause, found `D`"),
        ],
    ),
    ("foo bar", &[(Code::Syntax, 0, 3, "expected `#[…]`, `pattern`, `pub` or `window`, found `foo`")]),
    ("pattern P on R = A ; pattern", &[(Code::Syntax, 21, 28, "expected a name, found the end of the item")]),
    (
        "pattern P on R = (A ; (B C)) ; (D as) ; E within 0 events; pattern Q on R = F or G ; H",
        &[
            (Code::Syntax, 25, 26, "expected `;`, `:`, `->`, `or`, a suffix or `)`, found `C`"),
            (Code::Syntax, 34, 36, "`as` needs a name behind it"),
            (Code::EmptyWindow, 49, 57, "a window of `0` holds no event"),
            (Code::Ambiguous, 78, 86, "`or` beside a sequence operator can be read in two ways"),
        ],
    ),
    (
        "pattern P on R = A agg m { } ; B agg { b: sum(x) } ; C agg m { b, c: } project x() project y",
        &[
            (Code::Syntax, 25, 28, "no aggregates between the braces"),
            (Code::Syntax, 37, 50, "expected the aggregate's name, found `{`"),
            (Code::Syntax, 63, 64, "expected `name: aggregate`"),
            (Code::Syntax, 66, 68, "expected `name: aggregate`"),
            (Code::Syntax, 80, 82, "no attributes between the parentheses"),
            (Code::Syntax, 91, 92, "expected `(attribute, …)`, found the end of the item"),
        ],
    ),
    (
        "pattern P on R = A agg m { a: 3, b: sum(x.a + 1), c: count(x) twice, d: fold(x.a), e: fold 3(x), f: min x(x), g: max() }",
        &[
            (Code::Syntax, 30, 31, "expected an aggregate: a function and what it folds, in parentheses"),
            (Code::Syntax, 39, 48, "an aggregate folds a variable or an attribute of one"),
            (
                Code::Syntax,
                62,
                67,
                "expected `,`, or what happens on overflow: `saturating`, `wrapping` or `as f64`",
            ),
            (Code::Syntax, 72, 76, "`fold` needs a monoid: which one?"),
            (Code::Syntax, 91, 92, "expected a type behind `fold`"),
            (Code::Syntax, 104, 105, "expected `(…)` behind `min`"),
            (Code::Syntax, 116, 118, "an aggregate folds a variable or an attribute of one"),
        ],
    ),
    ("pattern P on R = A fitler a.v > 3", &[(Code::Syntax, 19, 25, "expected a clause, found `fitler`")]),
    (
        "pattern P on R = (A fitler a.v > 3)",
        &[(Code::Syntax, 20, 26, "expected `;`, `:`, `->`, `or`, a suffix or `)`, found `fitler`")],
    ),
    (
        "pattern P on R = A + B",
        &[(Code::Syntax, 21, 22, "expected `;`, `:`, `->`, `or`, a suffix or a clause, found `B`")],
    ),
    (
        "pattern P on R = within as w",
        &[
            (Code::Syntax, 17, 23, "expected `(`, `all(…)` or an event type, found `within`"),
            (Code::Syntax, 24, 26, "expected `window` or a number, found `as`"),
        ],
    ),
    (
        "pattern P on R = A limit x capacity 3 foo, 4 keys, 4 keys or panic",
        &[
            (Code::Syntax, 25, 26, "expected a number, found `x`"),
            (Code::Syntax, 38, 41, "expected `events`, `keys` or `runs`, found `foo`"),
            (Code::Syntax, 27, 66, "the capacity of `keys` is written twice"),
            (Code::Syntax, 61, 66, "expected `error` or `evict` behind `or`, found `panic`"),
        ],
    ),
    (
        "pattern P on R = A = B",
        &[(Code::Syntax, 19, 20, "expected `;`, `:`, `->`, `or`, a suffix or a clause, found `=`")],
    ),
    ("pattern P on R = A, B", &[(Code::Syntax, 18, 19, "expected the end of the item, found `,`")]),
    (
        "pattern P on R = A ; select ; B",
        &[
            (Code::Syntax, 21, 27, "expected `(`, `all(…)` or an event type, found `select`"),
            (Code::Syntax, 28, 29, "expected `none` or a variable, found `;`"),
            (Code::Syntax, 28, 29, "expected the end of the item, found `;`"),
        ],
    ),
    (
        "pattern P on R = A filter x.v > y.v {2} ; B",
        &[(Code::Syntax, 36, 37, "expected `;`, `:`, `->`, `or`, a suffix or a clause, found `{`")],
    ),
    (
        "pattern P on R = A as ; B",
        &[(Code::Syntax, 19, 21, "`as` needs one name, directly behind an element")],
    ),
    (
        "pattern P on R = A filter x.v as ; B",
        &[(Code::Syntax, 30, 32, "in this filter: unexpected end of input, expected a type")],
    ),
    (
        "pattern P on R = A as a filter a.v > 1 as u8 as y",
        &[(Code::Syntax, 45, 49, "in a filter `as` is Rust's cast")],
    ),
    (
        "pattern P on R = (A or B within 5 events) ; C",
        &[(Code::Ambiguous, 20, 40, "`or` beside a suffix can be read in two ways")],
    ),
    ("pattern P on R = A : not B ; not C : D", &[(Code::Syntax, 35, 36, "`:` cannot stand behind `not C`")]),
    (
        "pattern P on R = A ; not not B ; C",
        &[(Code::Syntax, 25, 28, "expected `(`, `all(…)` or an event type, found `not`")],
    ),
    ("pattern P on R = A ; (not B) ; C", &[(Code::Syntax, 22, 25, "a `not` needs an element on its left")]),
    (
        "pattern P on R = all() ; all(A,, B) ; (A, B, )",
        &[
            (Code::Syntax, 20, 22, "empty parentheses"),
            (Code::Syntax, 31, 32, "expected `(`, `all(…)` or an event type, found `,`"),
            (Code::Syntax, 38, 46, "`,` joins the parts of `all(…)` only"),
        ],
    ),
    (
        "pattern P on R = A ; B[2]",
        &[(Code::Syntax, 22, 23, "expected `;`, `:`, `->`, `or`, a suffix or a clause, found `[`")],
    ),
    (
        "pattern P on R = A - B",
        &[(Code::Syntax, 19, 20, "expected `;`, `:`, `->`, `or`, a suffix or a clause, found `-`")],
    ),
    ("pattern P on R = A ; B when c", &[(Code::Syntax, 23, 27, "expected a clause, found `when`")]),
    (
        "pattern P on R = A partition by T.id = id, 3 select detect",
        &[(Code::Syntax, 19, 41, "a key is one attribute, or attributes of event types joined by `=`")],
    ),
    (
        "pattern P on R = A within 1 min 1 min",
        &[(Code::Syntax, 32, 37, "amounts of time stand with the largest unit first, each unit once")],
    ),
    ("pattern P on R = A within 2.5 s", &[(Code::Syntax, 26, 31, "expected a whole number, found `2.5`")]),
    (
        "pattern P on R = A within 1 min 0 s 5 s",
        &[(Code::Syntax, 36, 39, "amounts of time stand with the largest unit first, each unit once")],
    ),
    (
        "pattern P on R = A within 0.0 of value",
        &[(Code::EmptyWindow, 26, 38, "a window of `0.0` holds no event")],
    ),
    (
        "pattern P on R = A filter a.x > 3 or a.y > 2 ; B",
        &[
            (Code::Ambiguous, 19, 38, "`or` beside a `filter` can be read in two ways"),
            (Code::Syntax, 38, 39, "expected `;`, `:`, `->`, `or`, a suffix or a clause, found `.`"),
        ],
    ),
    (
        "pattern P(a, b: , c: 3) on R = A",
        &[
            (Code::Syntax, 10, 11, "expected a parameter, `name: type`"),
            (Code::Syntax, 13, 15, "in the type of `b`: unexpected end of input, expected a type"),
            (Code::Syntax, 18, 22, "in the type of `c`: expected a type"),
        ],
    ),
    ("pub(foo) pattern P on R = A", &[(Code::Syntax, 0, 8, "expected a visibility")]),
    (
        "#[derive] pattern P on R = A",
        &[(Code::ItemAttribute, 1, 9, "expected a list of traits, `#[derive(…)]`")],
    ),
];

fn tokens(source: &str) -> TokenStream {
    source.parse().expect("tokens")
}

#[test]
fn good() {
    for (source, tree) in GOOD {
        let mut diagnostics = Diagnostics::default();
        let file = parse(tokens(source), &mut diagnostics);
        assert!(diagnostics.is_empty(), "{source}: {:?}", diagnostics.list());
        assert_eq!(print::file(&file), *tree, "{source}");
    }
}

#[test]
fn bad() {
    for (source, errors) in BAD {
        let mut diagnostics = Diagnostics::default();
        parse(tokens(source), &mut diagnostics);
        let found: Vec<_> = diagnostics
            .list()
            .iter()
            .map(|d| {
                (d.code, d.primary.first.start().column, d.primary.last.end().column, d.message.as_str())
            })
            .collect();
        assert_eq!(found, *errors, "{source}");
        for d in diagnostics.list() {
            assert!(d.notes.iter().any(|n| n.starts_with("help: ")), "{source}: no help in {:?}", d.message);
        }
    }
}

/// The notes and help of the only error of an item.
fn notes(source: &str) -> Vec<String> {
    let mut diagnostics = Diagnostics::default();
    parse(tokens(source), &mut diagnostics);
    assert_eq!(diagnostics.list().len(), 1, "{source}");
    diagnostics.list().iter().flat_map(|d| d.notes.clone()).collect()
}

#[test]
fn both_readings_are_shown() {
    assert_eq!(
        notes("pattern P on R = A as a ; B or C+ ; D"),
        ["help: write the parentheses: `(A as a ; B) or C+` or `A as a ; (B or C+)`"]
    );
    assert_eq!(
        notes("pattern P on R = A as a ; not B filter f(a.v) > 1 ; C").last().map(String::as_str),
        Some("help: write `A as a ; not (B filter f(a.v) > 1)` or `A as a filter f(a.v) > 1 ; not B`")
    );
}

/// An error in one item hides none of another, and what is right comes back.
#[test]
fn items_are_independent() {
    let source = "pattern P on R = A ; ; B;\npub pattern Q on R = A;\npattern S on R = (A B) ; C within 0 events;\nwindow W on R = agse @ (1, 2);";
    let mut diagnostics = Diagnostics::default();
    let file = parse(tokens(source), &mut diagnostics);
    assert_eq!(print::file(&file), "pub Q on R = A\nwindow W");
    let lines: Vec<_> = diagnostics.list().iter().map(|d| d.primary.first.start().line).collect();
    assert_eq!(lines, [1, 3, 3]);
}

/// The groups without delimiters that a user's own `macro_rules!` leaves: looked through, but whole inside an expression.
#[test]
fn macro_fragments() {
    let fragment = |source: &str| TokenTree::Group(Group::new(Delimiter::None, tokens(source)));
    let with = |front: &str, middle: &str, back: &str| -> TokenStream {
        let parts = [tokens(front), fragment(middle).into(), tokens(back)];
        parts.into_iter().collect()
    };
    let cases = [
        (with("pattern P on", "a::R", "= A ; B"), "P on a::R = [A ; B]"),
        (with("pattern P on R = A ;", "(B ; C)", "+ ; D"), "P on R = [[A ; [[B ; C]{1,}]] ; D]"),
        (with("pattern P on R = A as", "x", "filter x.v > 3 ; B"), "P on R = [[[A as x] filter x.v>3] ; B]"),
        (with("pattern P on R = A within", "10", "events"), "P on R = A | within 10 events"),
        (with("", "pattern P on R = A", "; pattern Q on R = B"), "P on R = A\nQ on R = B"),
        (with("pattern P on R = A", "", "; B"), "P on R = [A ; B]"),
    ];
    for (stream, tree) in cases {
        let mut diagnostics = Diagnostics::default();
        let file = parse(stream, &mut diagnostics);
        assert!(diagnostics.is_empty(), "{tree}: {:?}", diagnostics.list());
        assert_eq!(print::file(&file), tree);
    }
    let mut diagnostics = Diagnostics::default();
    let file = parse(with("pattern P on R = A filter x.v * ", "y + 1", " > 3 ; B"), &mut diagnostics);
    assert!(diagnostics.is_empty(), "{:?}", diagnostics.list());
    let Some(cep_compiler::ast::Item::Pattern(p)) = file.items.first() else { panic!("no pattern") };
    let cep_compiler::ast::FormulaKind::Sequence { left, .. } = &p.formula.kind else {
        panic!("no sequence")
    };
    let cep_compiler::ast::FormulaKind::Filter { condition, .. } = &left.kind else { panic!("no filter") };
    let syn::Expr::Binary(greater) = &condition.expr else { panic!("no comparison") };
    let syn::Expr::Binary(times) = &*greater.left else { panic!("no product") };
    assert!(matches!(&*times.right, syn::Expr::Group(_)), "the fragment is one operand");
}

/// One expansion may take 50 ms without optimisation; parsing is a small part of it.
#[test]
fn fast_enough() {
    let source = tokens(
        "pub pattern FireRisk(hottest: f64) on Reading = T as hot filter hot.value > hottest ; H as dry filter dry.value < 25.0 && \
         hot.id == dry.id ; S as smoke within 100 events select hot, dry, smoke;",
    );
    let times: Vec<_> = (0..20)
        .map(|_| {
            let start = std::time::Instant::now();
            let mut diagnostics = Diagnostics::default();
            let file = parse(source.clone(), &mut diagnostics);
            assert!(diagnostics.is_empty() && file.items.len() == 1);
            start.elapsed()
        })
        .collect();
    let best = times.iter().min();
    println!("first {:?}, best {best:?}", times.first());
    assert!(best.is_some_and(|t| t.as_millis() < 50), "{best:?}");
}

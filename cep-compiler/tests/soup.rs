//! Whatever the tokens, the front end answers with items or with errors, and never panics.
//!
//! `CEP_SEED=…` repeats a run, `CEP_SOUPS=…` sets its length.
mod common;

use cep_compiler::{compile, diagnostic::Diagnostics, parse::parse};
use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Through all stages, so the parser is among them.
const SOUPS: u64 = 25_000;
/// Of the parser alone, which must give an item for every soup without an error.
const PARSED: u64 = 80_000;

/// Valid items, to be mutated; together they use every construct.
const SEEDS: &[&str] = &[
    "#[cep(kernel = ring)] pub(crate) pattern P(l: f64) on R = A as a filter a.v > l && a.n.is_some() ; B as b filter b.k == a.k || b.v < a.v + 1.0 ; C within 100 events storage borrowed select a, b.v;",
    "pattern P on R = (A as a filter a.v > 3.0 ; B filter B.n == 1) ; D as d filter matches!(d.v, x if x > 1.0) && d.position() > 3 within 9 events detect; pattern Q on R = A as x filter x.t < 3 && f(x.v) select none;",
    "pub pattern P on R = A ; B ; C as c within 10 events;",
    "pattern P(a: u32, b: f64) on R = A as x filter x.k == a || x.v > b ; (B as y filter y.k == x.k) within 20 events storage inline;",
    "#[must_use] pub pattern FireRisk(hottest: f64) on Reading = T as hot filter hot.value > hottest ; H as dry filter dry.value < 25.0 filter hot.id == dry.id within 100 events select hot, dry;",
    "#[derive(Clone)] pattern P on a::R<'_> = A as a+ ; B:+ -> C->+ ; D? : E* ; H{3} ; J:{3,5} ; not K -> L->{0,1} within 1 min 30 s;",
    "pattern P on R = all(A, (B ; C) filter f::<u8, u8>(b.x), D) ; (E without F) ; (A ; B within 5 events select a, b) : not (X or Y) ; C;",
    "pattern P on R = A agg m { b: sum(x.a), c: count(b) } project x(a, b) ; B filter m.b > 3 && matches!(a.b, Some(_));",
    "pattern P on R = A or B within 100 events of its partition partition by id, T.id = H.id strategy last skip to first x consume any limit 5 timeouts capacity 64 events, 3 keys or evict storage boxed select a, b.price;",
    "window W on R = from A to B; pattern Q(a: Map<u8, u16>, b: u8) on W = A filter a.v.iter().any(|x: u32| -> bool { x > -3 }) summarize { n: count(*) };",
    "pattern P on R = A ; not B within 5 of value skip past last detect; pattern Q on P = A within window W select none;",
    "pattern P on R = (A as a or B as a) : (C as c filter c.k == a.k && prev(c).v < c.v)+ ; (D as d)? filter last(c).v > a.v && count(c) > 2 within 30 events partition by k consume partition limit 4 select a, c.v;",
    "pattern P on R = ((A as a ; B as b select a) as g ; C:* within 20 ms) ; (D or E) as y filter max(g.v) > min(y.v) && first(g).k == 3 within 1 s capacity 50 events or evict storage boxed;",
    "pattern P on R = (A as a ; (B as b filter b.v > a.v && first(b).k == a.k)+)+ ; C as c filter b.v > c.v within 40 of t partition by A.k = B.k = C.k capacity 64 events select b;",
];

const WORDS: &[&str] = &[
    "as",
    "or",
    "not",
    "all",
    "filter",
    "agg",
    "project",
    "select",
    "within",
    "partition",
    "by",
    "strategy",
    "consume",
    "skip",
    "limit",
    "timeouts",
    "capacity",
    "storage",
    "detect",
    "summarize",
    "without",
    "none",
    "pattern",
    "window",
    "on",
    "pub",
    "events",
    "of",
    "its",
    "to",
    "past",
    "first",
    "last",
    "s",
    "min",
    "max",
    "count",
    "prev",
    "evict",
    "keys",
    "k",
    "t",
    "A",
    "B",
    "C",
    "x",
    "y",
    "a",
    "b",
    "v",
    "r#type",
    "type",
    "if",
    "match",
    "move",
    "return",
    "_",
    "self",
    "let",
    "derive",
    "cfg",
];
const MARKS: &[char] = &[
    ';', ';', ';', ':', '-', '>', '+', '*', '?', '=', '.', ',', '#', '!', '&', '|', '<', '\'', '/', '@', '$',
    '~', '%', '^',
];
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "3",
    "10s",
    "2.5",
    "1_000",
    "99999999999999999999999",
    "0x1F",
    "1e400",
    "\"text\"",
    "'c'",
    "b\"x\"",
    "1u8",
];

/// xorshift64*, seeded through splitmix so that neighbouring seeds differ.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Random {
        let mut z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        Random((z ^ (z >> 27)) | 1)
    }
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16
    }
    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

fn token(r: &mut Random, depth: usize) -> TokenTree {
    match r.below(10) {
        0..4 => match r.one(WORDS) {
            "r#type" => Ident::new_raw("type", Span::call_site()).into(),
            word => Ident::new(word, Span::call_site()).into(),
        },
        4..7 => {
            let spacing = if r.below(3) == 0 { Spacing::Joint } else { Spacing::Alone };
            Punct::new(r.one(MARKS), spacing).into()
        }
        7 => r.one(NUMBERS).parse::<Literal>().expect("a literal of the list").into(),
        _ if depth == 0 => Ident::new("A", Span::call_site()).into(),
        _ => {
            let delimiters = [
                Delimiter::Parenthesis,
                Delimiter::Parenthesis,
                Delimiter::Brace,
                Delimiter::Bracket,
                Delimiter::None,
            ];
            let length = r.below(6);
            let inside = (0..length).map(|_| token(r, depth - 1)).collect();
            Group::new(r.one(&delimiters), inside).into()
        }
    }
}

/// Changes one place, somewhere in the tree.
fn mutate(stream: TokenStream, r: &mut Random) -> TokenStream {
    let mut trees: Vec<TokenTree> = stream.into_iter().collect();
    if trees.is_empty() {
        return token(r, 2).into();
    }
    let i = r.below(trees.len());
    if let TokenTree::Group(g) = &trees[i]
        && r.below(3) > 0
    {
        let delimiter = if r.below(12) == 0 { Delimiter::None } else { g.delimiter() };
        let inside = mutate(g.stream(), r);
        trees[i] = Group::new(delimiter, inside).into();
        return trees.into_iter().collect();
    }
    match r.below(7) {
        0 => drop(trees.remove(i)),
        1 => trees.insert(i, trees[i].clone()),
        2 => {
            let j = r.below(trees.len());
            trees.swap(i, j);
        }
        3 => trees.insert(i, token(r, 3)),
        4 => trees[i] = token(r, 3),
        5 => {
            let j = (i + 1 + r.below(6)).min(trees.len());
            let part: TokenStream = trees.drain(i..j).collect();
            trees.insert(
                i,
                Group::new(r.one(&[Delimiter::Parenthesis, Delimiter::None, Delimiter::Brace]), part).into(),
            );
        }
        _ => trees.truncate(i),
    }
    trees.into_iter().collect()
}

fn soup(r: &mut Random) -> TokenStream {
    let item = |r: &mut Random| r.one(SEEDS).parse::<TokenStream>().expect("an item of the list");
    match r.below(10) {
        0 => (0..r.below(30)).map(|_| token(r, 4)).collect(),
        1 | 2 => {
            let mut out: TokenStream = "pattern P on R =".parse().expect("tokens");
            out.extend((0..r.below(24)).map(|_| token(r, 4)));
            out
        }
        n => {
            let mut out = item(r);
            if n == 3 {
                out.extend(item(r));
            }
            for _ in 0..1 + r.below(4) {
                out = mutate(out, r);
            }
            out
        }
    }
}

/// Runs what `make` gives on many soups, on two threads; it tells how much came out and how many errors.
fn run<C: FnMut(TokenStream) -> (usize, usize)>(soups: u64, make: impl Fn() -> C + Sync) {
    const THREADS: u64 = 2;
    let number = |name: &str| std::env::var(name).ok().and_then(|v| v.parse::<u64>().ok());
    let seed = number("CEP_SEED").unwrap_or_else(|| {
        std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .map_or(1, |d| d.as_nanos() as u64 % 1_000_000_000)
    });
    let soups = number("CEP_SOUPS").unwrap_or(soups);
    println!("CEP_SEED={seed}");
    let part = |first: u64| {
        let mut compile = make();
        let (mut clean, mut silent) = (0u64, Vec::new());
        for n in (first..soups).step_by(THREADS as usize) {
            // Each soup has a seed of its own, so that one can be run alone.
            let stream = soup(&mut Random::new(seed.wrapping_mul(1_000_003).wrapping_add(n)));
            let outcome = catch_unwind(AssertUnwindSafe(|| compile(stream.clone())));
            let Ok((items, errors)) = outcome else {
                panic!("soup {n} of CEP_SEED={seed} panics: {stream}");
            };
            clean += u64::from(errors == 0);
            // a call may be empty, also inside invisible groups
            if items == 0 && errors == 0 && !stream.to_string().trim().is_empty() {
                silent.push(stream.to_string());
            }
        }
        (clean, silent)
    };
    let (clean, silent) = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|t| {
                let part = &part;
                scope.spawn(move || part(t))
            })
            .collect();
        threads.into_iter().fold((0, Vec::new()), |(clean, mut silent), t| {
            let (more, s) = t.join().unwrap_or_else(|e| std::panic::resume_unwind(e));
            silent.extend(s);
            (clean + more, silent)
        })
    });
    println!("{soups} soups, {clean} of them without an error");
    assert!(silent.is_empty(), "neither items nor errors: {:?}", silent.first());
    assert!(clean > soups / 200 && clean < soups * 2 / 3, "the mixture is off: {clean} of {soups} are right");
}

#[test]
fn no_soup_panics() {
    run(PARSED, || {
        |stream| {
            let mut diagnostics = Diagnostics::default();
            let file = parse(stream, &mut diagnostics);
            for d in diagnostics.list() {
                assert!(d.notes.iter().any(|n| n.starts_with("help: ")), "no help: {}", d.message);
                assert!(!d.message.starts_with(char::is_uppercase), "{}", d.message);
            }
            (file.items.len(), diagnostics.list().len())
        }
    });
}

/// Through all stages: the soups' types are there, with attributes of every kind.
#[test]
fn no_soup_panics_in_the_compiler() {
    run(SOUPS, || {
        let schemas = common::vocabulary();
        let mut soups = 0u64;
        move |stream| {
            let output = compile(&common::root(), &schemas, stream);
            for d in output.diagnostics.list() {
                assert!(d.notes.iter().any(|n| n.starts_with("help: ")), "no help: {}", d.message);
            }
            let errors = output.diagnostics.list().len();
            // machines, and some of the many stand-ins, are Rust
            soups += 1;
            if errors == 0 || soups.is_multiple_of(16) {
                let rust = syn::parse2::<syn::File>(output.tokens.clone());
                assert!(rust.is_ok(), "{:?}", rust.err());
            }
            let tokens = output.tokens.into_iter().count();
            (tokens + output.diagnostics.into_tokens().into_iter().count(), errors)
        }
    });
}

/// What is long or deep is refused before anything recurses over it.
#[test]
fn nothing_is_too_long() {
    let repeat = |s: &str, n: usize| s.repeat(n);
    let sources = [
        format!("pattern P on R = A{}", repeat(" ; B", 20_000)),
        format!("pattern P on R = A{}", repeat(" or B", 20_000)),
        format!("pattern P on R = A{}", repeat("+", 20_000)),
        format!("pattern P on R = A{}", repeat(" filter x.v > 1", 5_000)),
        format!("pattern P on R = A{}", repeat(" -> B filter x.v > 1", 5_000)),
        format!("pattern P on R = A filter {}x", repeat("!", 20_000)),
        format!("pattern P on R = A filter {}x", repeat("&&", 300)),
        format!("pattern P on R = A filter {}x", repeat("|a| ", 300)),
        format!("pattern P on R = A filter {}x", repeat("return ", 300)),
        format!("pattern P on R = A filter x{}", repeat(" = x", 500)),
        format!("pattern P on R = A filter x{}", repeat(" + x", 20_000)),
        format!("pattern P on R = A filter x as {}u8{}", repeat("A<", 300), repeat(">", 300)),
        format!("pattern P on R = A filter {}x{}", repeat("if a { 1 } else ", 100), " { 1 }"),
        format!("pattern P on R = A as a{}", repeat(" filter a.v > 1", 500)),
        format!("pattern P on R = A{}", repeat(" as a", 500)),
        // Just within the limits: these must fit on the stack.
        format!("pattern P on R = A as a{}", repeat(" filter a.v > 1", 295)),
        format!("pattern P on R = A as a{} within 5 events", repeat(" ; A filter a.v > 1", 250)),
        format!("pattern P on R = A{}", repeat(" as a", 295)),
        format!("pattern P on R = A{} within 5 events", repeat("+", 295)),
        format!("pattern P on R = A filter x{}", repeat(" = x", 79)),
        format!("pattern P on R = A filter x as {}u8{}", repeat("A<", 79), repeat(">", 79)),
        format!("pattern P on R = A filter {}x", repeat("if a { 1 } else ", 40)),
        format!("pattern P on R = A filter {}x", repeat("!", 79)),
        format!("pattern P on R = A filter {}x", repeat("|a|", 40)),
        format!("pattern P on R = A filter x{}", repeat("?", 500)),
        format!("pattern P on R = A filter x{}", repeat(".x", 250)),
        format!("pattern P on R = A filter {}!x{}", repeat("(!", 40), repeat(")", 40)),
        format!("pattern P on R = A{}", repeat(" ; B", 250)),
        format!(
            "pattern P on R = {}A{}",
            repeat("(", 40),
            repeat(" ; A ; A ; A ; A ; A ; A ; A ; A ; A ; A ; A ; A)", 40)
        ),
        format!("pattern P on R = A filter x{}", repeat(" + x", 255)),
        format!("pattern P on R = A filter ({}x)", repeat("-", 20_000)),
        format!("pattern P on {}u8 = A", repeat("A<", 5_000)),
        format!("pattern P(a: {}u8) on R = A", repeat("&", 20_000)),
        format!("pattern P on R = {}A{}", repeat("(", 40), repeat(")", 40)),
        format!("pattern P on R = A filter {}a{}", repeat("(", 40), repeat(")", 40)),
        format!("pattern P on R = A filter {}a{}", repeat("f(!{ ", 20), repeat("})", 20)),
        format!("pattern P on R = {}A{}", repeat("(", 5_000), repeat(")", 5_000)),
        format!("pattern P on R = {}A{}", repeat("(B ; ", 40), repeat(" ; C)", 40)),
        format!("pattern P on R = A {}", repeat("within 1 s ", 5_000)),
        repeat("pattern P on R = A;", 2_000),
        repeat("#[doc = \"a\"]", 5_000),
        repeat("pattern ", 5_000),
    ];
    let schemas = common::vocabulary();
    for source in sources {
        let start = std::time::Instant::now();
        let output = compile(&common::root(), &schemas, source.parse().expect("tokens"));
        let (took, diagnostics) = (start.elapsed(), output.diagnostics);
        let head: String = source.chars().take(50).collect();
        println!(
            "{:?} {head}: {} tokens, {} errors, {:?}",
            took,
            output.tokens.clone().into_iter().count(),
            diagnostics.list().len(),
            diagnostics.list().first().map(|d| &d.message)
        );
        assert!(!output.tokens.is_empty() || !diagnostics.is_empty(), "{head}");
    }
}

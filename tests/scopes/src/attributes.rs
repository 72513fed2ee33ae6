//! What an attribute can be, and what is kept of it.
#[cfg(test)]
use cep::__private::{Attr, EventType, Stream};
use cep::Text;

/// Raw identifiers.
#[derive(cep::Event)]
struct Raw {
    r#type: u8,
    r#match: Option<u8>,
}
cep::cep! { pattern P on Raw = Raw as r filter r.r#type == 1 && r.r#match.is_some() within 1 events detect; }
#[test]
fn raw_identifiers() {
    assert!(P::new().push(&Raw { r#type: 1, r#match: Some(2) }));
    assert_eq!(
        RawRecord { r#type: 1, r#match: None },
        EventType::<0>::record(&Raw { r#type: 1, r#match: None }).expect("one type")
    );
}

pub mod private_types {
    //! A private type in a wider event: it can be read, or skipped, not kept.
    pub struct Key(u8);
    struct Secret(u8);
    /// f
    #[derive(cep::Event)]
    pub struct F {
        /// a
        pub a: u8,
        #[event(no_copy)]
        s: Secret,
        p: u8,
        #[event(skip)]
        t: Secret,
    }
    impl F {
        /// f
        pub fn new() -> F {
            F { s: Secret(2), a: 1, p: 9, t: Secret(3) }
        }
        /// s
        pub fn sum(&self) -> u8 {
            self.s.0 + self.t.0
        }
    }
    impl Default for F {
        fn default() -> F {
            F::new()
        }
    }
}
cep::cep! { pattern Private on private_types::F = F as f filter f.a == 1 && f.p == 9 within 1 events detect; }
#[test]
fn private_fields() {
    let event = private_types::F::new();
    assert!(Private::new().push(&event));
    let record = EventType::<0>::record(&event).expect("one type");
    // `p` is private there; its number is 2 because `s` counts, though it is not kept
    let p: <<private_types::F as EventType<0>>::Record as Attr<2>>::Type = *Attr::<2>::get(&record);
    assert_eq!((record.a, p), (1, 9));
}

trait Unit {
    type Amount;
}
struct Grams;
impl Unit for Grams {
    type Amount = u16;
}
/// Lifetimes, bounds, a default, `where` clauses, const parameters, `Self`, constants that hide bindings.
#[derive(cep::Event)]
struct Much<'a, 'b: 'a, U: Unit, T: Copy + 'a = u8, const N: usize = 2>
where
    U::Amount: PartialOrd<u16>,
    &'a T: Sized,
{
    id: u32,
    #[event(copy)]
    amount: U::Amount,
    #[event(key)]
    tag: T,
    raw: [u8; N],
    name: Text<N>,
    borrowed: &'a T,
    other: &'b str,
    call: fn(&str) -> usize,
    next: Option<Box<Self>>,
    pair: (u8, Option<char>),
}
cep::cep! {
    pattern Heavy on Much<'_, '_, Grams, i8, 3> =
        Much as m filter m.amount > 3u16 && m.raw.len() == 3 && m.other.len() == 1 within 1 events detect;
}
#[expect(non_upper_case_globals, reason = "the derive's bindings must not be read as this constant")]
const id: u32 = 9;
#[test]
fn generics() {
    let event = Much::<Grams, i8, 3> {
        id: 1,
        amount: 4,
        tag: -1,
        raw: [1, 2, 3],
        name: Text::truncated("abcd"),
        borrowed: &3,
        other: "x",
        call: str::len,
        next: None,
        pair: (1, None),
    };
    assert!(Heavy::new().push(&event));
    let record: MuchRecord<Grams, i8, 3> = EventType::<0>::record(&event).expect("one type");
    assert_eq!((record.id, record.amount, record.tag, record.raw, id), (1, 4, -1, [1, 2, 3], 9));
    assert_eq!(record.name, "abc");
    assert_eq!((record.call)("four"), 4);
}

/// Wholly unit.
#[derive(cep::Event)]
struct Tick;
#[derive(cep::Event)]
struct Stamped {
    #[event(time = "us", name = "at")]
    when: i64,
    #[event(ord, key)]
    rank: (u8, u8),
}
cep::cep! {
    pattern Ticks on Tick = Tick as t filter t.position() == 0 within 1 events detect;
    pattern At on Stamped = Stamped as s filter s.at == 3 && s.rank == (1, 2) within 1 events detect;
}
#[test]
fn units_and_other_names() {
    assert!(Ticks::new().push(&Tick));
    assert!(At::new().push(&Stamped { when: 3, rank: (1, 2) }));
    fn stream<S: Stream<Event = S>>(_: &S) {}
    stream(&Tick);
}

/// Names that generated code has a use for itself, and names that rustc takes as they are but would warn of with something behind.
#[derive(cep::Event, Clone, Copy)]
enum Shop_ {
    View { item: u32 },
    Record { item: u32 },
    r#Type { r#item: u32 },
}
/// What a payload's impls say too.
#[derive(cep::Event, Clone, Copy)]
enum Record {
    View(Item),
    Record { item: u32 },
}
#[derive(cep::Event, Clone, Copy)]
struct Item {
    item: u32,
}
cep::cep! {
    pattern Seen_ on Shop_ = View as v ; Record as r ; Type as t
        filter v.item == r.item && r.item == t.item within 3 events select v, r.item, t;
    pattern Held on Record = View as v : r#Record as r filter v.item == r.item within 2 events;
    pattern Weighed(weigh: fn(u32) -> bool) on Shop_ = View as v filter weigh(v.item) detect;
}
#[test]
fn names_that_generated_code_uses() {
    let mut seen = Seen_::new();
    assert_eq!(seen.push(&Shop_::View { item: 3 }).count(), 0);
    assert_eq!(seen.push(&Shop_::Record { item: 3 }).count(), 0);
    let m = seen.push(&Shop_::Type { item: 3 }).next().expect("a match");
    assert_eq!((m.v.item, m.r.item, m.t.item), (3, 3, 3));
    let mut held = Held::new();
    assert_eq!(held.push(&Record::View(Item { item: 1 })).count(), 0);
    assert_eq!(held.push(&Record::Record { item: 1 }).count(), 1);
}
#[test]
fn a_parameter_can_be_a_function() {
    assert!(Weighed::new(|item| item > 2).push(&Shop_::View { item: 3 }));
    assert!(!Weighed::new(|item| item > 2).push(&Shop_::View { item: 2 }));
}

// A macro's repetition may give no item at all.
cep::cep! {}

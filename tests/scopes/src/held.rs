//! Variants that hold a struct.
#[cfg(test)]
use cep::__private::{Attr, EventType};
use scopes_events::{Packet, SoldRenamed};
use std::rc::Rc;
use std::sync::Arc;

mod narrower_than_the_enum {
    pub(crate) mod inner {
        #[derive(cep::Event)]
        pub(crate) struct Order {
            secret: u16,
        }
        impl Order {
            pub(crate) fn new(secret: u16) -> Self {
                Order { secret }
            }
        }
    }
    use inner::Order as Renamed;
    #[derive(cep::Event)]
    pub(crate) enum E {
        Order(Renamed),
        Also(inner::Order),
    }
    pub(crate) mod site {
        use super::E;
        cep::cep! {
            pub(crate) pattern P on E = Order as o filter o.secret == 3 within 1 events detect;
            pub(crate) pattern Q on E = Also as o filter o.secret == 4 within 1 events detect;
        }
    }
    #[test]
    fn matches() {
        assert!(site::P::new().push(&E::Order(inner::Order::new(3))));
        assert!(site::Q::new().push(&E::Also(inner::Order::new(4))));
    }
}

#[derive(cep::Event)]
enum Book<'a> {
    Bid(SoldRenamed),
    Ask(Arc<SoldRenamed>),
    Seen(&'a SoldRenamed),
    Shared(Rc<SoldRenamed>),
    Lent(&'a Arc<SoldRenamed>),
    Packet(Packet<'a>),
    Tag {
        tag: &'a str,
    },
    #[event(name = "Gone")]
    Cancel,
}
cep::cep! {
    pattern Ask on Book<'_> = Ask as a filter a.ts == 3 within 1 events detect;
    pattern Seen on Book<'_> = Seen as a filter a.price > 10.0 within 1 events detect;
    pattern Shared on Book<'_> = Shared as a filter a.price > 10.0 within 1 events detect;
    pattern Lent on Book<'_> = Lent as a filter a.price > 10.0 within 1 events detect;
    pattern Empty on Book<'_> = Packet as p filter p.payload.is_empty() within 1 events detect;
    pattern Tag on Book<'_> = Tag as t filter t.tag == "x" within 1 events detect;
    pattern Gone on Book<'_> = Gone as g filter g.position() == 0 within 1 events detect;
}
#[test]
fn behind_pointers_with_lifetimes_and_twice() {
    let sold = SoldRenamed::new(3, 11.0);
    assert!(Ask::new().push(&Book::Ask(Arc::new(sold.clone()))));
    assert!(!Ask::new().push(&Book::Bid(sold.clone())));
    assert!(Seen::new().push(&Book::Seen(&sold)));
    assert!(Shared::new().push(&Book::Shared(Rc::new(sold.clone()))));
    assert!(Lent::new().push(&Book::Lent(&Arc::new(sold))));
    assert!(Empty::new().push(&Book::Packet(Packet { src: 1, payload: &[] })));
    assert!(Tag::new().push(&Book::Tag { tag: &String::from("x") }));
    assert!(Gone::new().push(&Book::Cancel));
}

#[derive(cep::Event, Clone, Copy, Debug)]
#[event(copy)]
struct Fill {
    px: f64,
    qty: u32,
}
impl Fill {
    fn notional(&self) -> f64 {
        self.px * f64::from(self.qty)
    }
}
#[derive(cep::Event)]
enum Flow {
    Fill(Fill),
    Boxed(Box<Fill>),
    End,
}
cep::cep! { pattern P on Flow = Fill as f filter f.px > 1.0 within 1 events detect; }
#[test]
fn a_struct_can_be_its_own_record() {
    let fill = Fill { px: 2.0, qty: 3 };
    assert!(P::new().push(&Flow::Fill(fill)));
    let kept: Fill = EventType::<0>::record(&Flow::Fill(fill)).expect("a fill");
    assert!(kept.notional() > 5.0);
    let kept: Fill = EventType::<1>::record(&Flow::Boxed(Box::new(fill))).expect("a fill");
    assert_eq!(*Attr::<1>::get(&kept), 3);
    assert!(EventType::<0>::record(&Flow::End).is_none());
}

/// Items on the results of items of another crate, whose streams are not named here and have private attributes.
mod results {
    use scopes_events::market::{Rise, Sizes};

    cep::cep! {
        pattern Twice on Rise = Rise as a : Rise as b filter b.low.price > a.high.price && a.low.venue == b.low.venue
            within 10 s partition by low.venue capacity 9 events;
        pattern Least on Sizes = Sizes as s filter s.least >= 1 within 1 events detect;
    }

    #[cfg(test)]
    use scopes_events::market::Trade;

    #[test]
    fn matches_of_another_crate() {
        let (mut rise, mut twice, mut sizes, mut least) =
            (Rise::new(), Twice::new(), Sizes::new(), Least::new());
        let (mut found, mut any) = (0, false);
        for (ts, price) in [(0, 1.0), (1, 2.0), (2, 3.0), (3, 4.0)] {
            for m in rise.push(&Trade::new(ts, price)) {
                assert_eq!(m.time(), ts);
                found += twice.push(&m).expect("room").count();
                for w in sizes.push(&m) {
                    any |= least.push(&w);
                }
            }
        }
        // no match begins above the end of the one before it
        assert_eq!((found, any), (0, true));
    }
}

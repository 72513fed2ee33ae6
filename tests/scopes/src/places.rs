//! Same module, other module, other crate.

mod same_module {
    use cep::{Event, cep};
    #[derive(Event, Clone, Copy)]
    enum Reading {
        T { id: u32, value: f64 },
        H { id: u32, value: f64 },
    }
    cep! {
        /// Docs pass through.
        #[must_use]
        pub(super) pattern Hot(bound: f64) on Reading =
            T as hot filter hot.value > bound && hot.id != 7 within 1 events detect;
        pattern Dry on Reading = H as dry filter dry.value < 25.0 within 1 events detect;
    }
    #[test]
    fn matches() {
        let mut hot = Hot::new(40.0);
        assert!(hot.push(&Reading::T { id: 1, value: 41.0 }));
        assert!(!hot.push(&Reading::T { id: 7, value: 41.0 }));
        assert!(!hot.push(&Reading::H { id: 1, value: 41.0 }));
        assert!(Dry::new().push(&Reading::H { id: 1, value: 2.0 }));
    }
}

mod before_the_definition {
    cep::cep! { pattern P on Late = Late as l filter l.a > 1 within 1 events detect; }
    #[derive(cep::Event)]
    struct Late {
        a: i32,
    }
    #[test]
    fn matches() {
        assert!(P::new().push(&Late { a: 2 }));
    }
}

mod other_module {
    pub(crate) mod ev {
        #[derive(cep::Event)]
        pub(crate) struct Ping {
            pub(crate) a: i32,
        }
    }
    cep::cep! { pattern P on ev::Ping = Ping as p filter p.a > 1 within 1 events detect; }
    mod deeper {
        cep::cep! {
            pattern P on super::super::other_module::ev::Ping = Ping as p filter p.a > 1 within 1 events detect;
        }
        #[test]
        fn matches() {
            assert!(P::new().push(&super::ev::Ping { a: 2 }));
        }
    }
    #[test]
    fn matches() {
        assert!(P::new().push(&ev::Ping { a: 2 }));
    }
}

mod other_crate {
    #[cfg(test)]
    use scopes_events::SoldRenamed;
    use scopes_events::{Market, Reading as R, twin};
    cep::cep! {
        pattern A on R = T as x filter x.value > 1.0 within 1 events detect;
        pattern B on twin::Reading = T as x filter x.value > 1.0 within 1 events detect;
        pattern C on ::scopes_events::twin::deep::Reading = T as x filter x.value > 1.0 within 1 events detect;
        // the held structs are of a crate that this one does not depend on; `price` is private there, the quote is in a box
        pattern D on Market =
            Trade as t filter t.price > 10.0 && t.name.len() == 1 && t.qty.is_none() within 1 events detect;
        pattern E on Market = Quote as q filter q.bid < q.ask within 1 events detect;
        pattern F on Market = Halt as h filter matches!(h.code, "LULD" | "news") within 1 events detect;
        pattern G on Market = Level as l filter l.v > 0.5 within 1 events detect;
    }
    #[test]
    fn matches() {
        assert!(A::new().push(&R::T { id: 1, value: 2.0 }));
        assert!(!A::new().push(&R::Idle));
        assert!(B::new().push(&twin::Reading::T { value: 2.0 }));
        assert!(C::new().push(&twin::deep::Reading::T { value: 2.0 }));
        assert!(D::new().push(&Market::Trade(SoldRenamed::new(0, 11.0))));
        let halt = Market::Halt { code: "news", by: cep::Text::truncated("me") };
        assert!(F::new().push(&halt) && !E::new().push(&halt));
        assert!(G::new().push(&Market::Level(scopes_events::Gauge { n: 0, v: 1.0 })));
    }
    #[test]
    fn restricted_visibilities_and_other_names() {
        assert!(scopes_events::restricted());
        assert!(scopes_events::names::P::new().push(&scopes_events::names::Open::A { x: 1 }));
    }
}

mod glob {
    use scopes_events::*;
    cep::cep! { pattern A on Reading = T as x filter x.value > 1.0 within 1 events detect; }
    cep::cep! { pattern B on Other = T as x filter x.value > 1.0 within 1 events detect; }
    use twin::Reading as Other;
    #[test]
    fn matches() {
        assert!(A::new().push(&Reading::T { id: 1, value: 2.0 }));
        assert!(B::new().push(&Other::T { value: 2.0 }));
    }
}

mod several_calls_on_one_stream {
    use scopes_events::Reading;
    cep::cep! {
        pattern A on Reading = T as x filter x.value > 1.0 within 1 events detect;
        pattern B on scopes_events::Reading = H as x filter x.value > 1.0 within 1 events detect;
        pattern C on Reading = Idle as i filter i.position() < 9 within 1 events detect;
    }
    #[test]
    fn matches() {
        assert!(A::new().push(&Reading::T { id: 1, value: 2.0 }));
        assert!(B::new().push(&Reading::H { id: 1, value: 2.0 }));
        assert!(C::new().push(&Reading::Idle));
    }
}

//! A public type reached by every kind of path.

/// Public.
#[derive(cep::Event)]
pub struct Open {
    /// a
    pub a: u8,
}
pub use self::Open as Exported;

mod sub {
    use super::super::paths;
    cep::cep! {
        pattern A on crate::paths::Open = Open as o filter o.a == 1 within 1 events detect;
        pattern B on super::Open = Open as o filter o.a == 1 within 1 events detect;
        pattern C on super::super::paths::Open = Open as o filter o.a == 1 within 1 events detect;
        pattern D on paths::Open = Open as o filter o.a == 1 within 1 events detect;
        pattern E on self::paths::Open = Open as o filter o.a == 1 within 1 events detect;
    }
    #[test]
    fn matches() {
        let event = super::Open { a: 1 };
        assert!(A::new().push(&event) && B::new().push(&event) && C::new().push(&event));
        assert!(D::new().push(&event) && E::new().push(&event));
    }
}
mod again {
    pub(crate) use crate::paths::Exported as Twice;
}
cep::cep! { pattern F on again::Twice = Open as o filter o.a == 1 within 1 events detect; }
#[test]
fn through_renamed_exports() {
    assert!(F::new().push(&Open { a: 1 }));
}

mod generic {
    use scopes_events::{Gauge, Packet};
    cep::cep! {
        pattern P on Packet<'_> = Packet as p filter p.payload.len() > 2 && p.src == 1 within 1 events detect;
        pattern G on Gauge<f32> = Gauge as g filter g.v > 0.5 within 1 events detect;
        pattern H on scopes_events::Gauge::<u8> = Gauge as g filter g.v > 5 within 1 events detect;
    }
    #[test]
    fn matches() {
        let bytes = vec![1, 2, 3];
        assert!(P::new().push(&Packet { src: 1, payload: &bytes }));
        assert!(G::new().push(&Gauge { n: 0, v: 1.0 }));
        assert!(H::new().push(&Gauge { n: 0, v: 6 }));
    }
}

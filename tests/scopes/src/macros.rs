//! Types and patterns that come out of a user's own macros.

macro_rules! hot {
    ($name:ident, $ty:path, $lim:expr, $x:ident) => {
        cep::cep! { pattern $name on $ty = T as x filter x.value > $lim * 2.0 && x.id == 1 within 1 events detect; }
        mod inner {
            cep::cep! { pub(super) pattern Two on $ty = T as $x filter $x.value > $lim within 1 events detect; }
        }
    };
}
hot!(Twenty, scopes_events::Reading, 10.0 + 0.0, y);

macro_rules! any_type {
    ($name:ident, $ty:ty) => {
        cep::cep! { pattern $name on $ty = Packet as p filter p.src == 1 within 1 events detect; }
    };
}
any_type!(FromPacket, scopes_events::Packet<'_>);

#[test]
fn paths_in_invisible_groups() {
    assert!(Twenty::new().push(&scopes_events::Reading::T { id: 1, value: 21.0 }));
    assert!(inner::Two::new().push(&scopes_events::Reading::T { id: 1, value: 11.0 }));
    assert!(FromPacket::new().push(&scopes_events::Packet { src: 1, payload: &[] }));
}

macro_rules! event {
    ($v:vis $n:ident { $($f:ident: $t:ty),* }) => {
        #[derive(cep::Event)]
        $v struct $n { $($f: $t),* }
    };
}
event!(pub(crate) Made { a: u8, b: Option<f64> });
cep::cep! { pattern M on Made = Made as m filter m.a == 1 within 1 events detect; }

macro_rules! enumeration {
    ($v:vis $n:ident { $($variant:ident($t:ty)),* }) => {
        #[derive(cep::Event)]
        $v enum $n { $($variant($t)),* }
    };
}
enumeration!(pub(crate) Holds { Made(Made), Boxed(Box<Made>) });
cep::cep! { pattern B on Holds = Boxed as m filter m.a == 1 within 1 events detect; }

/// The same tokens at the same place in two modules: only the expansion differs.
macro_rules! twice {
    ($m:ident) => {
        /// Made.
        pub mod $m {
            /// Made.
            #[derive(cep::Event)]
            pub struct Same {
                /// a
                pub a: u8,
            }
        }
    };
}
twice!(one);
twice!(two);
cep::cep! {
    pattern P on one::Same = Same as s filter s.a == 1 within 1 events detect;
    pattern Q on two::Same = Same as s filter s.a == 1 within 1 events detect;
}

crate::ready_made!(Ready);

#[test]
fn types_out_of_macros() {
    assert!(B::new().push(&Holds::Boxed(Box::new(Made { a: 1, b: None }))));
    assert!(P::new().push(&one::Same { a: 1 }) && Q::new().push(&two::Same { a: 1 }));
    assert!(Ready::new().push(&crate::paths::Open { a: 1 }));
    let _ = M::new();
}

/// Events of a user's own macro.
#[derive(cep::Event, Clone, Copy)]
enum Given {
    A { v: i64 },
    B { v: i64 },
}
macro_rules! handed_over {
    ($name:ident, $factor:expr, $floor:literal, $ty:ty) => {
        cep::cep! { pattern $name(k: $ty) on Given =
        A as a filter a.v * 2 == $factor * 2 && a.v > $floor && k > $floor ; B as b filter b.v == -$factor
        within 3 events; }
    };
}
handed_over!(HandedOver, 1 + 2, -5, i64);

#[test]
fn expressions_handed_over_stay_together() {
    let mut m = HandedOver::new(7);
    assert_eq!(m.push(&Given::A { v: 3 }).count(), 0);
    // -(1 + 2)
    assert_eq!(m.push(&Given::B { v: -3 }).count(), 1);
    assert_eq!(m.push(&Given::B { v: 1 }).count(), 0);
}

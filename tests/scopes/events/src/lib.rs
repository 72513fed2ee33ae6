//! Event types of another crate. The structs they hold come from a third one, which the users of this crate never name.
#![deny(
    warnings,
    missing_docs,
    clippy::pedantic,
    unreachable_pub,
    unused_qualifications,
    single_use_lifetimes,
    elided_lifetimes_in_paths,
    missing_debug_implementations,
    missing_copy_implementations
)]
use cep::{Event, Text, cep};

/// The first example of the documentation.
#[derive(Event, Clone, Copy, Debug)]
pub enum Reading {
    /// temperature
    T {
        /// sensor
        id: u32,
        /// degrees
        value: f64,
    },
    /// humidity
    H {
        /// sensor
        id: u32,
        /// percent
        value: f64,
    },
    /// nothing
    Idle,
}

/// The same name, the same text, another module.
pub mod twin {
    /// Same.
    #[derive(cep::Event, Clone, Copy, Debug)]
    pub enum Reading {
        /// temperature
        T {
            /// degrees
            value: f64,
        },
    }
    /// Deeper.
    pub mod deep {
        /// Same.
        #[derive(cep::Event, Clone, Copy, Debug)]
        pub enum Reading {
            /// temperature
            T {
                /// degrees
                value: f64,
            },
        }
    }
}

/// Holds structs.
#[derive(Event, Clone, Debug)]
pub enum Market {
    /// by value
    Trade(scopes_market::Trade),
    /// in a box
    Quote(Box<scopes_market::Quote>),
    /// with an argument
    Level(Gauge<f32>),
    /// fields of its own
    Halt {
        /// why
        code: &'static str,
        /// who
        by: Text<8>,
    },
}

/// Attributes that borrow can be read, not kept.
#[derive(Event, Clone, Copy, Debug)]
pub struct Packet<'a> {
    /// from
    pub src: u32,
    /// bytes
    pub payload: &'a [u8],
}

pub use scopes_market::{Gauge, Trade as SoldRenamed};

/// Other names in patterns, and for a record whose name is taken.
pub mod names {
    /// Taken.
    #[derive(Clone, Copy, Debug)]
    pub struct OpenA;
    /// E
    #[derive(cep::Event, Clone, Copy, Debug)]
    pub enum Open {
        /// a
        #[event(record = "KeptA", name = "Alpha")]
        A {
            /// x
            #[event(name = "ex")]
            x: u8,
        },
        /// b
        B {
            /// y
            y: Option<f64>,
        },
    }
    cep::cep! {
        /// By their other names.
        #[derive(Debug)]
        pub pattern P on Open = Alpha as a filter a.ex == 1 within 1 events detect;
    }
    /// Uses the names.
    pub fn names(_: KeptA, _: OpenB, _: OpenA) {}
}

mod private_inside {
    #[derive(cep::Event, Clone, Copy, Debug)]
    pub(crate) enum Local {
        A { x: u8 },
    }
    #[derive(cep::Event, Clone, Copy, Debug)]
    pub(super) struct Sup {
        pub(super) y: u8,
    }
    #[derive(cep::Event, Clone, Copy, Debug)]
    pub(in crate::private_inside) struct InPath {
        y: u8,
    }
    mod x {
        cep::cep! {
            #[derive(Debug)]
            pub(super) pattern P on super::InPath = InPath as i filter i.y > 3 within 1 events detect;
        }
    }
    use Local as Inner;
    cep::cep! {
        #[derive(Debug)]
        pattern Q on Inner = A as a filter a.x == 1 within 1 events detect;
    }
    pub(crate) fn check() -> bool {
        x::P::new().push(&InPath { y: 4 }) && Q::new().push(&Local::A { x: 1 })
    }
}

cep! {
    #[derive(Debug)]
    pub(crate) pattern FromSup on private_inside::Sup = Sup as s filter s.y == 0 within 1 events detect;
}

/// Every restricted visibility.
#[must_use]
pub fn restricted() -> bool {
    FromSup::new().push(&private_inside::Sup { y: 0 }) && private_inside::check()
}

/// The items of the other crate.
pub use scopes_market as market;

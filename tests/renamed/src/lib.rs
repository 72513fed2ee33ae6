//! Edition 2021, no prelude, and the facade under another name.
#![no_implicit_prelude]
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

/// In every form that names the facade.
pub mod a {
    /// By path.
    #[derive(::other::Event, Clone, Copy, Debug)]
    #[event(crate = ::other)]
    pub enum Reading {
        /// t
        T {
            /// i
            id: u32,
            /// v
            value: f64,
            /// n
            note: ::core::option::Option<u8>,
        },
        /// nothing
        Idle,
    }
    /// By string.
    #[derive(::other::Event, ::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
    #[event(crate = "::other")]
    pub struct Ping<'a, T> {
        /// when
        #[event(time = "us")]
        pub at: u64,
        /// what
        pub body: &'a [T],
    }
    ::other::cep! {
        /// A parameter.
        #[derive(Debug)]
        pub pattern P(bound: f64) on Reading = T as x filter x.value > bound within 1 events detect;
        /// Generic arguments.
        #[derive(Debug)]
        pub pattern R on Ping<'_, u8> = Ping as p filter p.body.len() == 2 within 1 events detect;
    }
    ::other::cep! {
        /// The other crate's derive knows the facade under its own name.
        #[derive(Debug)]
        pub pattern Q on ::scopes_events::Market = Trade as t filter t.price > 1.0 within 1 events detect;
    }
}

#[cfg(test)]
mod tests {
    use crate::a::{Ping, Reading, P, Q, R};

    #[::core::prelude::v1::test]
    fn matches() {
        let some = ::core::option::Option::Some(1);
        ::std::assert!(P::new(1.0).push(&Reading::T { id: 1, value: 2.0, note: some }));
        ::std::assert!(!P::new(1.0).push(&Reading::Idle));
        ::std::assert!(R::new().push(&Ping { at: 1, body: &[1, 2] }));
        let trade = ::scopes_events::SoldRenamed::new(0, 2.0);
        ::std::assert!(Q::new().push(&::scopes_events::Market::Trade(trade)));
    }
}

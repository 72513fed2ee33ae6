//! A stream with a clock.
use cep::Event;

/// Orders, and the halt between them, which has no price.
#[derive(Event, Clone, Copy, Debug)]
pub enum Trade {
    /// Bought.
    Buy {
        #[event(time)]
        at: u64,
        tick: u64,
        id: u32,
        price: f64,
        seq: u32,
        tag: &'static str,
    },
    /// Sold.
    Sell {
        #[event(time)]
        at: u64,
        tick: u64,
        id: u32,
        price: f64,
        seq: u32,
        tag: u8,
        note: Option<u32>,
    },
    /// No trading.
    Halt {
        #[event(time)]
        at: u64,
        tick: u64,
        id: Option<u32>,
    },
}

//! The streams of the tests, and `compile` over one of them.
#![allow(dead_code, reason = "each test uses some of it")]
use cep_compiler::{
    Output, compile,
    schema::{Schema, read},
};
use proc_macro2::TokenStream;
use quote::quote;

/// As the derive would write it: `T`, `H` and `Idle`.
const READING: &str = "1 (pub) Reading {
    T { id = id [u32; kept] zone = zone [u8; kept] value = value [f64; kept] name = name [string;] }
    H { id = id [u32; kept] sensor = sensor [u64; kept key] value = value [f64; kept] low = low [f32; kept] dry = dry [bool; kept] note = note [option u32; kept] }
    Idle { }
}";

/// The schema of `Reading`.
pub(crate) fn schema() -> Schema {
    read::read(READING.parse().expect("tokens")).expect("a schema")
}

/// A stream with a clock; `Halt` has neither `price` nor `seq`.
const TRADE: &str = "1 (pub) Trade {
    Buy { at = at [u64; kept time 1000000] tick = tick [u64; kept] id = id [u32; kept] price = price [f64; kept] seq = seq [u32; kept] who = who [opaque; kept] tag = tag [str; kept] }
    Sell { at = at [u64; kept time 1000000] tick = tick [u64; kept] id = id [u32; kept] price = price [f64; kept] seq = seq [u32; kept] who = who [opaque; kept] tag = tag [u8; kept] note = note [option u32; kept] }
    Halt { at = at [u64; kept time 1000000] tick = tick [u64; kept] id = id [option u32; kept] }
}";

/// Compiles a call whose streams are `Reading` and `Trade`.
pub(crate) fn compiled(source: &str) -> Output {
    let trade = read::read(TRADE.parse().expect("tokens")).expect("a schema");
    let streams = [("Reading".into(), schema()), ("Trade".into(), trade)];
    compile(&root(), &streams, source.parse().expect("tokens"))
}

/// The path of the facade.
pub(crate) fn root() -> TokenStream {
    quote!(::cep)
}

/// `R`, whose event types are the capital letters, all with attributes of several kinds.
pub(crate) fn vocabulary() -> Vec<(String, Schema)> {
    let attributes = "v = v [f64; kept] k = k [u32; kept key] t = t [u64; kept time 1000000] n = n [option i64; kept] \
                      name = name [string;] o = o [opaque; kept] b = b [bool; kept]";
    let types: String = "ABCDEFGHJKLTXY".chars().map(|c| format!("{c} {{ {attributes} }} ")).collect();
    let schema = read::read(format!("1 (pub) R {{ {types} }}").parse().expect("tokens")).expect("a schema");
    let named = |name: &str| (name.to_owned(), schema.clone());
    vec![named("R"), named("Reading"), named("a::R"), named("W")]
}

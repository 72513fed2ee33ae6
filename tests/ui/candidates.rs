//! A condition that only a look at every choice decides, over more choices than an event may have.
mod trades;
use cep::cep;
use trades::Trade;

fn fits(a: u32, b: u32, c: u32) -> bool {
    a.wrapping_add(b) == c
}

cep! {
    pattern P1 on Trade = Buy as a ; Buy as b ; Sell as c filter fits(a.id, b.id, c.id) within 5000 events
        storage borrowed detect;
    pattern P2 on Trade = Buy as a ; Buy as b ; Sell as c filter fits(a.id, b.id, c.id) within 5000 events
        capacity 100 runs or evict storage borrowed detect;
    pattern P3 on Trade = Buy as a ; Sell as b ; Buy as c filter a.id == c.id && b.price < c.price within 5000 events
        storage borrowed detect;
    pattern P4 on Trade = (Buy as a)+ ; Sell as c filter sum(a.id) == 100 within 64 events detect;
    pattern P5 on Trade = (Buy as a)+ agg m { mean: avg(a.price) } ; Sell as c filter m.mean > c.price within 64 events detect;
    // these are no errors: few choices, what each event decides, and no gaps
    pattern P6 on Trade = (Buy as a)+ ; Sell as c filter sum(a.id) == 100 within 21 events detect;
    pattern P7 on Trade = (Buy as a)+ ; Sell as c filter max(a.price) < c.price && count(a) > 3 within 64 events detect;
    pattern P8 on Trade = (Buy as a):+ ; Sell as c filter sum(a.id) == 100 within 64 events detect;
}

fn main() {}

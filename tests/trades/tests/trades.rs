//! The published queries over a day of trades give the published counts. `CEP_TRADES` names the file, which cannot be here; without it
//! the test says so and passes.
use std::process::Command;

include!(concat!(env!("OUT_DIR"), "/queries.rs"));

/// How many matches there are.
type Count = fn(&[Trade]) -> Result<usize, cep::PushError>;

/// A line of the file.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Trade {
    time: i64,
    symbol: cep::Text<8>,
    id: i64,
    buy: bool,
    volume: i64,
    price: f64,
}

/// `time_ms,id,side,symbol,volume,price`
fn trade(line: &str) -> Option<Trade> {
    let fields: Vec<&str> = line.split(',').collect();
    let [time, id, side, symbol, volume, price] = fields[..] else { return None };
    Some(Trade {
        time: time.parse().ok()?,
        symbol: symbol.try_into().ok()?,
        id: id.parse().ok()?,
        buy: side == "BUY",
        volume: volume.parse().ok()?,
        price: price.parse().ok()?,
    })
}

#[test]
fn the_published_counts() {
    let Some(file) = std::env::var_os("CEP_TRADES").filter(|f| !f.is_empty()) else {
        println!("skipped: CEP_TRADES does not name the file of trades");
        return;
    };
    let out = Command::new("xz").arg("-dc").arg(&file).output().expect("xz");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let text = String::from_utf8(out.stdout).expect("text");
    let mut trades: Vec<Trade> =
        text.lines().skip(1).map(|l| trade(l).unwrap_or_else(|| panic!("no trade: {l}"))).collect();
    assert_eq!(trades.len(), 224_473);
    trades.sort_by(|a, b| (a.time, &*a.symbol, a.id).cmp(&(b.time, &*b.symbol, b.id)));
    let wrong: Vec<String> = QUERIES
        .iter()
        .filter_map(|(name, expected, count)| {
            let start = std::time::Instant::now();
            let found = count(&trades);
            println!("{name}: {found:?} in {:?}, published {expected}", start.elapsed());
            (found != Ok(*expected)).then(|| format!("{name}: {found:?}, published {expected}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

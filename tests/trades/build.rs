//! Writes a machine for each vector of `trades.jsonl`.
use std::path::PathBuf;

const VECTORS: &str = "../semantics/trades.jsonl";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed={VECTORS}");
    println!("cargo::rerun-if-changed=build.rs");
    let mut out = String::new();
    let mut list = Vec::new();
    for (i, line) in std::fs::read_to_string(VECTORS)?.lines().enumerate() {
        let v: serde_json::Value = serde_json::from_str(line)?;
        let text = |k: &str| v[k].as_str().ok_or(format!("no `{k}` in line {}", i + 1));
        let (name, events, pattern) = (text("name")?, text("events_decl")?, text("pattern")?);
        // a window of 512 events with an iteration is more than what fits inside a machine
        let pattern = pattern.replace("capacity 512 events", "capacity 512 events storage boxed");
        let expected = v["expected"]["count"].as_u64().ok_or("no count")?;
        out += &format!(
            r#"mod q{i} {{
    use super::Trade;
    #[derive(cep::Event, Clone, Copy, Debug)]
    #[allow(dead_code, clippy::upper_case_acronyms, reason = "as the vectors have them")]
    pub(super) enum E {{ {events} }}
    cep::cep! {{ pub(super) {pattern} }}
    pub(super) fn count(trades: &[Trade]) -> Result<usize, cep::PushError> {{
        let mut machine = P::new();
        let mut n = 0;
        for t in trades {{
            let Trade {{ time, id, symbol, volume, price, .. }} = *t;
            let event = if t.buy {{ E::BUY {{ time, id, symbol, volume, price }} }} else {{ E::SELL {{ time, id, symbol, volume, price }} }};
            n += machine.push(&event)?.count();
        }}
        Ok(n)
    }}
}}
"#
        );
        list.push(format!("({name:?}, {expected}, q{i}::count)"));
    }
    out += &format!(
        "/// Name, published count, and what counts.\nconst QUERIES: [(&str, usize, Count); {}] = [{}];\n",
        list.len(),
        list.join(", ")
    );
    std::fs::write(PathBuf::from(std::env::var("OUT_DIR")?).join("queries.rs"), out)?;
    Ok(())
}

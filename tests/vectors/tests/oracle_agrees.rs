//! Every vector's expectation is what the oracle computes from the definitions.
use cep_vectors::{Agreement, Vector, agree, read};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Vectors that the oracle cannot tell about, by name, and why.
const UNKNOWN: [(&str, &str); 3] = [
    ("core/pycer/pred-like", "the field"),
    ("rma/table1-expr2-unbounded", "the rule `not bound`"),
    ("acel/refused/average-against-an-integer", "the rule `f64`"),
];

fn directories() -> Vec<PathBuf> {
    let own = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../semantics"));
    let users = std::env::var_os("CEP_VECTORS").filter(|d| !d.is_empty()).map(PathBuf::from);
    std::iter::once(own).chain(users).collect()
}

fn vectors() -> Vec<Vector> {
    read(&directories()).expect("vectors")
}

#[test]
fn oracle_agrees() {
    let (mut agreed, mut wrong) = (0, Vec::new());
    let mut unknown: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for v in vectors() {
        match agree(&v).expect("a vector") {
            Agreement::Agrees => agreed += 1,
            Agreement::Disagrees(how) => wrong.push(format!("{}\n{}\n{how}\n", v.name, v.items)),
            Agreement::Unknown(_) if v.dataset.is_some() => {}
            Agreement::Unknown(what) => unknown.entry(what).or_default().push(v.name),
        }
    }
    println!("{agreed} agree, {} do not, unknown: {unknown:#?}", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for (what, names) in unknown {
        let own = ["core/", "rma/", "agse/", "predicate/", "acel/"];
        for name in names.iter().filter(|n| own.iter().any(|o| n.starts_with(o))) {
            assert!(UNKNOWN.iter().any(|(n, w)| n == name && what.contains(w)), "{name}: {what}");
        }
    }
    assert!(agreed > 300, "only {agreed} vectors");
}

//! Every vector that compiles, through its machine; `--nocapture report` shows what is left out and why.
include!(concat!(env!("OUT_DIR"), "/vectors.rs"));

#[test]
fn report() {
    println!("{REPORT}");
}

//! Writes a test for each vector.
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let directories = cep_vectors::directories(&["../../semantics"]);
    let out = PathBuf::from(std::env::var_os("OUT_DIR").ok_or("no OUT_DIR")?).join("vectors.rs");
    let report = cep_vectors::generate(&directories, &out)?;
    if !report.failing.is_empty() {
        println!(
            "cargo::warning={} vectors are refused: {}",
            report.failing.len(),
            report.failing.join(", ")
        );
    }
    Ok(())
}

//! Writes `machines.rs`: random patterns with their event types, each as one or more machines, and how to drive them.
//!
//! `CEP_SEED` chooses the patterns; without it each day has its own.
mod aggregates;
mod source;
mod whole;
mod windows;

use cep_oracle::generate::{Config, Generator, Random};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// Patterns, each in one to three machines.
const PATTERNS: usize = 120;
/// Patterns of the whole language.
const WHOLE: usize = 110;
/// Patterns with aggregates.
const AGGREGATES: usize = 104;
/// Windows of each kind.
const WINDOWS: usize = 64;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-env-changed=CEP_SEED");
    println!("cargo::rerun-if-changed=build");
    let day = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs() / 86_400;
    let seed = Random::seed_or(day);
    let mut generator = Generator::new(seed, Config::core());
    let mut out = format!("pub(crate) const SEED: u64 = {seed};\n");
    let mut subjects = String::new();
    for i in 0..PATTERNS {
        out += &source::module(i, &generator.case())?;
        subjects += &format!("p{i}::subject, ");
    }
    out += &format!("pub(crate) const SUBJECTS: [fn() -> Subject; {PATTERNS}] = [{subjects}];\n");
    let directory = std::env::var("OUT_DIR")?;
    std::fs::write(Path::new(&directory).join("machines.rs"), out)?;
    std::fs::write(Path::new(&directory).join("whole.rs"), whole::module(seed, WHOLE)?)?;
    std::fs::write(Path::new(&directory).join("determinised.rs"), whole::determinised(seed)?)?;
    std::fs::write(Path::new(&directory).join("aggregates.rs"), aggregates::module(seed, AGGREGATES)?)?;
    std::fs::write(Path::new(&directory).join("windows.rs"), windows::module(seed, WINDOWS)?)?;
    Ok(())
}

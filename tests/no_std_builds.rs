//! A machine needs neither `std` nor an allocator: a program that has neither links, runs and finds what it should.
//!
//! The program is `tests/no_std`, a workspace of its own, since `panic = "abort"` cannot be set for one member.

use std::path::Path;
use std::process::Command;

#[test]
fn a_program_without_std_and_allocator_links_and_runs() {
    // Not the directory of this run: cargo would wait for the lock or rebuild half of it.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no_std");
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/no_std/Cargo.toml");
    let built = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--locked", "--release", "--manifest-path"])
        .arg(&manifest)
        .arg("--target-dir")
        .arg(&target)
        .status()
        .expect("cargo runs");
    assert!(built.success(), "{} does not build", manifest.display());

    let program = target.join("release").join(format!("no_std{}", std::env::consts::EXE_SUFFIX));
    let ended = Command::new(&program).status().unwrap_or_else(|e| panic!("{}: {e}", program.display()));
    assert_eq!(
        ended.code(),
        Some(0),
        "ten times the matches (1 expected) plus the detected events (3 expected)"
    );

    // That it links without an allocator is the proof; its symbols show that none came in by another way.
    let Ok(nm) = Command::new("nm").arg(&program).output() else {
        eprintln!("no nm here: symbols not looked at");
        return;
    };
    let symbols = String::from_utf8_lossy(&nm.stdout);
    let names = || symbols.lines().filter_map(|line| line.split_whitespace().last());
    assert!(names().any(|name| name == "main"), "nm lists the program's symbols: {symbols}");
    let allocates = |name: &str| {
        let bare = name.split('@').next().unwrap_or(name);
        name.contains("__rust_alloc")
            || name.contains("__rust_realloc")
            || matches!(bare, "malloc" | "calloc" | "realloc" | "posix_memalign" | "aligned_alloc")
    };
    let found: Vec<&str> = names().filter(|name| allocates(name)).collect();
    assert!(found.is_empty(), "{found:?}");
}

//! Programs of `examples/`, for tests that run them.
use std::path::PathBuf;
use std::process::Command;

/// The program of an example, in the directory and the profile of this test. A run of one test alone does not build it.
pub(crate) fn program(example: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a running program has a path");
    // target/debug/deps/fire_risk-0123 -> target/debug
    let profile = test.ancestors().nth(2).expect("cargo puts tests into target/PROFILE/deps");
    let name = match profile.file_name().and_then(|name| name.to_str()) {
        Some("debug") | None => "test",
        Some(name) => name,
    };
    let built = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--example", example, "--profile", name])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status()
        .expect("cargo runs");
    assert!(built.success(), "the example does not build");
    profile.join("examples").join(format!("{example}{}", std::env::consts::EXE_SUFFIX))
}

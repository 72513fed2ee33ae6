//! What a user sees of a mistake: one file per rule of the language, and what rustc prints for it.
//!
//! `TRYBUILD=overwrite cargo test --test ui` writes the expected output anew; read it as a user would before it is committed.
#[test]
fn messages() {
    let cases = trybuild::TestCases::new();
    // relative, as rustc shall print it; tests run in the directory of their package
    let mut files: Vec<_> = std::fs::read_dir("tests/ui")
        .expect("tests/ui is there")
        .map(|e| e.expect("a directory that can be read").path())
        .filter(|p| p.extension().is_some_and(|e| e == "rs"))
        // with the feature there is nothing wrong
        .filter(|p| !(cfg!(feature = "alloc") && p.ends_with("boxed_without_alloc.rs")))
        .collect();
    files.sort();
    for file in files {
        cases.compile_fail(file);
    }
}

/// Every message that is ours shows a code, underlines something and says what to do, and no message of rustc's follows it. The files
/// whose names begin with `rustc_` are about what rustc alone can know.
#[test]
fn every_message_has_a_code_a_place_and_a_help() {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ui");
    let mut files = 0;
    for entry in std::fs::read_dir(directory).expect("tests/ui is there") {
        let path = entry.expect("a directory that can be read").path();
        if path.extension().is_none_or(|e| e != "stderr") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a text file");
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        files += 1;
        let mut messages: Vec<String> = Vec::new();
        for line in text.lines() {
            let begins = line.starts_with("error") || line.starts_with("warning");
            match messages.last_mut() {
                Some(message) if !begins => message.extend([line, "\n"]),
                _ => messages.push(format!("{line}\n")),
            }
        }
        for message in &messages {
            if message.contains("[CEP") {
                assert!(message.contains("help: "), "{name}: no help: {message}");
                assert!(
                    message.contains('^') || message.contains("|_"),
                    "{name}: nothing underlined: {message}"
                );
            } else {
                assert!(name.starts_with("rustc_"), "{name}: not ours: {message}");
            }
        }
    }
    assert!(files > 40, "{files} files");
}

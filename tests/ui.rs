//! What a user sees of a mistake: one file per rule of the language, and what rustc prints for it.
//!
//! `TRYBUILD=overwrite cargo test --test ui` writes the expected output anew; read it as a user would before it is committed.
#[test]
fn messages() {
    let cases = trybuild::TestCases::new();
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ui");
    let mut files: Vec<_> = std::fs::read_dir(directory)
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

/// Every output that is ours shows a code, underlines a token and says what to do.
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
        assert!(text.contains("[CEP"), "{name} shows no code");
        // an error of rustc's beside ours would be a second wave
        let theirs = name.starts_with("rustc_");
        for message in text.split("\n\n\n").flat_map(|t| t.split("\nerror")) {
            let ours = message.contains("[CEP");
            if !ours {
                assert!(theirs || message.trim().is_empty(), "{name}: not ours: {message}");
                continue;
            }
            assert!(message.contains("help: "), "{name}: no help: {message}");
            assert!(message.contains('^'), "{name}: nothing underlined: {message}");
        }
    }
    assert!(files > 30, "{files} files");
}

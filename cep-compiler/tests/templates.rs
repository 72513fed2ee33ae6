//! The holes of every `code!` template are the ones its list names: a hole that is missing from the list would stay in the
//! generated source as it is.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

fn sources(dir: &Path, all: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).expect("a directory of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, all);
        } else if path.extension().is_some_and(|e| e == "rs") {
            all.push(path);
        }
    }
}

fn is(token: Option<&TokenTree>, mark: char) -> bool {
    matches!(token, Some(TokenTree::Punct(p)) if p.as_char() == mark)
}

/// The templates in `tokens`, also those inside others.
fn templates(tokens: TokenStream, all: &mut Vec<TokenStream>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (i, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else { continue };
        let named = i >= 2 && matches!(&tokens[i - 2], TokenTree::Ident(name) if name == "code");
        if named && is(tokens.get(i - 1), '!') {
            all.push(group.stream());
        }
        templates(group.stream(), all);
    }
}

/// The names of a list: those taken once, and those of repeated parts.
fn list(tokens: TokenStream) -> [BTreeSet<String>; 2] {
    let mut names = [BTreeSet::new(), BTreeSet::new()];
    let mut repeated = 0;
    for token in tokens {
        if is(Some(&token), ';') {
            repeated = 1;
        } else if let TokenTree::Ident(name) = token {
            assert!(names[repeated].insert(name.to_string()), "`{name}` stands twice in a list");
        }
    }
    names
}

/// The holes of a text: those outside of repeated parts, and those inside.
fn holes(text: &[TokenTree], repeated: usize, all: &mut [BTreeSet<String>; 2]) {
    for (i, token) in text.iter().enumerate() {
        let hole = i > 0 && is(text.get(i - 1), '#');
        match token {
            TokenTree::Ident(name) if hole => {
                all[repeated].insert(name.to_string());
            }
            TokenTree::Group(group) => {
                let inside = hole && group.delimiter() == Delimiter::Parenthesis;
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                holes(&inner, if inside { 1 } else { repeated }, all);
            }
            _ => {}
        }
    }
}

#[test]
fn every_template_lists_its_holes() {
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    let mut count = 0;
    for file in files {
        let text = fs::read_to_string(&file).expect("a source");
        let mut all = Vec::new();
        templates(text.parse().expect("Rust"), &mut all);
        for template in all {
            let mut tokens = template.clone().into_iter();
            let Some(TokenTree::Group(names)) = tokens.next() else {
                panic!("{}: no list in {template}", file.display())
            };
            let [once, each] = list(names.stream());
            let mut found = [BTreeSet::new(), BTreeSet::new()];
            holes(&tokens.collect::<Vec<_>>(), 0, &mut found);
            let [outside, inside] = found;
            let place = || format!("{}: {template}", file.display());
            assert!(each.is_subset(&inside), "{each:?} are not all repeated in {}", place());
            assert!(outside.is_subset(&once), "{outside:?} are not all listed in {}", place());
            let named: BTreeSet<_> = once.union(&each).cloned().collect();
            let holes: BTreeSet<_> = outside.union(&inside).cloned().collect();
            assert_eq!(named, holes, "the list and the holes of {}", place());
            count += 1;
        }
    }
    assert!(count > 500, "only {count} templates found");
}

//! Every public item has one path (CONTRIBUTING.md, "Code"): what a module exports again is not
//! also reachable through the module that defines it.

use abide_testkit::source_files::LIBRARIES;
use std::fs;
use std::path::{Path, PathBuf};

/// The file of the module `name`, declared in `file`.
fn module(file: &Path, name: &str) -> Option<PathBuf> {
    let stem = file.file_stem()?.to_string_lossy();
    let folder = if matches!(&*stem, "lib" | "mod") {
        file.parent()?.to_owned()
    } else {
        file.with_extension("")
    };
    let candidates = [
        folder.join(format!("{name}.rs")),
        folder.join(name).join("mod.rs"),
    ];
    candidates.into_iter().find(|path| path.is_file())
}

/// The names of the modules that `text` declares, those with `pub` if `public`.
fn modules(text: &str, public: bool) -> Vec<&str> {
    let start = if public { "pub mod " } else { "mod " };
    let names = text.lines().filter_map(|line| line.strip_prefix(start));
    names.filter_map(|rest| rest.strip_suffix(';')).collect()
}

/// Whether every module of `segments`, seen from `file`, is public.
fn is_reachable(file: &Path, segments: &[&str]) -> bool {
    let Some((first, rest)) = segments.split_first() else {
        return true;
    };
    let text = fs::read_to_string(file).unwrap();
    modules(&text, true).contains(first)
        && module(file, first).is_some_and(|next| is_reachable(&next, rest))
}

/// What `file` and its modules export again although it has a public path already.
fn twice(file: &Path, found: &mut Vec<String>) {
    let text = fs::read_to_string(file).unwrap();
    let uses = text.split("\npub use ").skip(1);
    for path in uses.filter_map(|rest| rest.split(';').next()) {
        let before_list = path.split('{').next().unwrap_or_default();
        let mut segments: Vec<&str> = before_list.split("::").map(str::trim).collect();
        // The item itself, or the empty text before a list.
        segments.pop();
        let is_own = segments
            .first()
            .is_some_and(|first| module(file, first).is_some());
        if is_own && is_reachable(file, &segments) {
            found.push(format!("{}: pub use {path}", file.display()));
        }
    }
    for name in modules(&text, true) {
        if let Some(next) = module(file, name) {
            twice(&next, found);
        }
    }
}

#[test]
fn every_public_item_has_one_path() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    for name in LIBRARIES {
        twice(&crates.join(name).join("src/lib.rs"), &mut found);
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn a_second_path_is_found() {
    let folder = std::env::temp_dir().join(format!("abide-paths-{}", std::process::id()));
    fs::create_dir_all(folder.join("open")).unwrap();
    let lib = folder.join("lib.rs");
    let text = "mod closed;\npub mod open;\n\npub use closed::A;\npub use open::{B, C};\npub use open::inner::D;\n";
    fs::write(&lib, text).unwrap();
    fs::write(folder.join("closed.rs"), "pub struct A;\n").unwrap();
    fs::write(folder.join("open/mod.rs"), "mod inner;\n").unwrap();
    fs::write(folder.join("open/inner.rs"), "pub struct D;\n").unwrap();
    let mut found = Vec::new();
    twice(&lib, &mut found);
    fs::remove_dir_all(&folder).unwrap();
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].ends_with("pub use open::{B, C}"), "{found:?}");
}

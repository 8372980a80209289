//! The source of the workspace, for tests that read it.

use std::fs;
use std::path::{Path, PathBuf};

/// The crates that users depend on.
pub const LIBRARIES: [&str; 10] = [
    "abide",
    "abide-analysis",
    "abide-documents",
    "abide-fetch",
    "abide-html",
    "abide-contract",
    "abide-known-robots",
    "abide-lint",
    "abide-serve",
    "abide-survey",
];

/// The Rust files below `folder`, except build output.
///
/// # Panics
/// If a folder cannot be read.
#[must_use]
pub fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder of the source is readable") {
        let path = entry.expect("the folder of the source is readable").path();
        if path.is_dir() {
            let name = path.file_name().unwrap_or_default();
            if name != "target" && name != ".git" {
                found.extend(rust_files(&path));
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

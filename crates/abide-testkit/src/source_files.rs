//! The files of the workspace, for tests that read them.

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
    files(folder, "rs")
}

/// The files below `folder` whose names end in `.extension`, except those that tools write,
/// and links.
///
/// # Panics
/// If a folder cannot be read.
#[must_use]
pub fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    const WRITTEN: [&str; 4] = ["target", ".git", "node_modules", "dist"];
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder of the source is readable") {
        let path = entry.expect("the folder of the source is readable").path();
        if path.is_dir() {
            let name = path.file_name().unwrap_or_default();
            if !WRITTEN.iter().any(|written| name == *written) {
                found.extend(files(&path, extension));
            }
        } else if !path.is_symlink() && path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
    found
}

//! Real files.

use std::fs;

/// The robots.txt files in the folder that the environment variable `ABIDE_CORPUS` names, with
/// their names, in the order of these; none if it is not set.
///
/// # Panics
/// If the folder cannot be read, or is empty.
#[must_use]
#[expect(clippy::print_stdout, reason = "a test says what it leaves out")]
pub fn files() -> Vec<(String, Vec<u8>)> {
    let Some(folder) = std::env::var_os("ABIDE_CORPUS") else {
        println!("ABIDE_CORPUS is not set: no real files are tried");
        return Vec::new();
    };
    let entries = fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("ABIDE_CORPUS names {}: {error}", folder.display()));
    let paths = entries.map(|entry| entry.expect("the corpus is readable").path());
    let mut files: Vec<_> = paths
        .filter(|path| path.is_file())
        .map(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let bytes = fs::read(&path).expect("the corpus is readable");
            (name.into_owned(), bytes)
        })
        .collect();
    files.sort();
    assert!(!files.is_empty(), "ABIDE_CORPUS names an empty folder");
    files
}

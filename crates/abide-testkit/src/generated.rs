//! Files of the repository, and parts of them, that are made from the code.

use std::fs;
use std::path::Path;

/// Checks that the file `path` of the repository, such as `schema/lint.json`, has this text. With
/// `ABIDE_BLESS=1` in the environment, writes it.
///
/// # Panics
/// If the file has another text, or cannot be written.
pub fn assert_up_to_date(path: &str, text: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path);
    if std::env::var_os("ABIDE_BLESS").is_some() {
        fs::write(&file, text).expect("the repository can be written");
    }
    assert!(
        fs::read_to_string(&file).is_ok_and(|found| found == text),
        "{path} is not up to date: run this test with ABIDE_BLESS=1"
    );
}

/// Checks that the file `path` has this text between the lines `<!-- PART -->` and
/// `<!-- end of PART -->`. With `ABIDE_BLESS=1` in the environment, writes it.
///
/// # Panics
/// If the file has no such lines or another text between them, or cannot be written.
pub fn assert_part_up_to_date(path: &str, part: &str, text: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path);
    let found = fs::read_to_string(file).expect("the file can be read");
    let (begin, end) = (
        format!("<!-- {part} -->\n"),
        format!("<!-- end of {part} -->"),
    );
    let around = found.split_once(&begin).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(&end)?;
        Some((before, after))
    });
    let Some((before, after)) = around else {
        panic!("{path} has no lines {begin:?} and {end:?}");
    };
    assert_up_to_date(path, &format!("{before}{begin}\n{text}\n{end}{after}"));
}

//! Files of the repository that are made from the code.

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

//! What a release wrote, this one reads: the samples in `tests/data/VERSION` are as it wrote them.
//!
//! A release adds its samples, and those of the one before it may go.

use crate::abide;
use std::path::{Path, PathBuf};

/// The folders of samples, one for each release.
fn releases() -> Vec<PathBuf> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let entries = std::fs::read_dir(data).unwrap();
    let found: Vec<_> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    assert!(!found.is_empty());
    found
}

#[test]
fn its_cache_is_read() {
    for release in releases() {
        let folder = tempfile::tempdir().unwrap();
        let packed = std::fs::File::open(release.join("robots.redb.gz")).unwrap();
        let mut store = std::fs::File::create(folder.path().join("robots.redb")).unwrap();
        std::io::copy(&mut flate2::read::GzDecoder::new(packed), &mut store).unwrap();
        let cache = folder.path().to_str().unwrap();
        let listed = abide(&["cache", "ls", cache], b"");
        // It was fresh until 2026-11-28T12:35:22Z, and this command looks at the clock.
        assert_eq!(
            listed.stdout.trim_end(),
            "http://127.0.0.1:18999  past its time; 1 file served"
        );
        let url = "http://127.0.0.1:18999/private/x";
        let ran = abide(
            &[
                "check",
                url,
                "--agent",
                "ExampleBot",
                "--cache",
                cache,
                "--at",
                "2026-11-27T12:35:30Z",
                "--allow-private",
            ],
            b"",
        );
        assert_eq!((ran.status, ran.stderr.as_str()), (1, ""));
        assert!(
            ran.stdout.contains("line 2: Disallow: /private/"),
            "{}",
            ran.stdout
        );
    }
}

#[cfg(feature = "survey")]
#[test]
fn its_survey_is_read() {
    for release in releases() {
        let folder = tempfile::tempdir().unwrap();
        let page = folder.path().join("page.html");
        let tables = release.join("tables");
        let ran = abide(
            &[
                "report",
                tables.to_str().unwrap(),
                "-o",
                page.to_str().unwrap(),
            ],
            b"",
        );
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        assert!(std::fs::read_to_string(page).unwrap().contains("GPTBot"));
    }
}

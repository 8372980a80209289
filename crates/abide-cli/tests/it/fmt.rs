//! `abide fmt`

use crate::abide;
use std::fs;
use tempfile::TempDir;

const ROUGH: &[u8] = b"\xEF\xBB\xBF# Example\r\nuser-agent:*\r\n\r\ndisallow :/private/#soon\r\n# for one\r\nUSER-AGENT: ExampleBot\r\nAllow:/\r\nsitemap:https://e.example/s.xml";

fn folder(bytes: &[u8]) -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("robots.txt");
    fs::write(&file, bytes).unwrap();
    let name = file.to_str().unwrap().to_owned();
    (folder, name)
}

#[test]
fn stdin_to_stdout() {
    let ran = abide(&["fmt", "-"], ROUGH);
    assert_eq!((ran.status, &*ran.stderr), (0, ""));
    insta::assert_snapshot!(ran.stdout);
    let again = abide(&["fmt", "-"], ran.stdout.as_bytes());
    assert_eq!(again.stdout, ran.stdout);
}

#[test]
fn files_in_place() {
    let (folder, name) = folder(ROUGH);
    let ran = abide(&["fmt", &name], b"");
    assert_eq!((ran.status, &*ran.stdout, &*ran.stderr), (0, "", ""));
    assert_eq!(
        fs::read_to_string(&name).unwrap(),
        abide(&["fmt", "-"], ROUGH).stdout
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn check_names_what_would_change() {
    let (_folder, name) = folder(ROUGH);
    let ran = abide(&["fmt", "--check", &name], b"");
    assert_eq!((ran.status, ran.stdout), (1, format!("{name}\n")));
    assert_eq!(fs::read(&name).unwrap(), ROUGH);
    abide(&["fmt", &name], b"");
    let ran = abide(&["fmt", "--check", &name], b"");
    assert_eq!((ran.status, &*ran.stdout), (0, ""));
}

#[test]
fn diff_shows_what_would_change() {
    let ran = abide(&["fmt", "-", "--diff"], ROUGH);
    assert_eq!(ran.status, 1);
    insta::assert_snapshot!(ran.stdout);
    let ran = abide(&["fmt", "-", "--diff"], b"User-agent: *\nDisallow: /\n");
    assert_eq!((ran.status, &*ran.stdout), (0, ""));
}

/// Every line changes and no two are alike: the hardest case for the search for differences.
#[test]
fn the_diff_of_a_large_file() {
    use std::fmt::Write;
    let mut file = String::from("User-agent:*\r\n");
    for at in 0..30_000 {
        write!(file, "Allow:/{at}\r\n").unwrap();
    }
    let ran = abide(&["fmt", "-", "--diff"], file.as_bytes());
    assert_eq!(ran.status, 1);
    assert!(ran.stdout.contains("\n@@ -1,30001 +1,30001 @@\n"));
}

#[cfg(unix)]
#[test]
fn links_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let (folder, name) = folder(ROUGH);
    fs::set_permissions(&name, fs::Permissions::from_mode(0o640)).unwrap();
    let link = folder.path().join("link.txt");
    symlink("robots.txt", &link).unwrap();
    assert_eq!(abide(&["fmt", link.to_str().unwrap()], b"").status, 0);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(
        fs::metadata(&name).unwrap().permissions().mode() & 0o777,
        0o640
    );
    assert_ne!(fs::read(&name).unwrap(), ROUGH);
}

#[test]
fn nothing_is_written_where_nothing_changes() {
    let (_folder, name) = folder(b"User-agent: *\nDisallow: /\n");
    let written = || fs::metadata(&name).unwrap().modified().unwrap();
    let before = written();
    assert_eq!(abide(&["fmt", &name], b"").status, 0);
    assert_eq!(written(), before);
}

#[test]
fn what_cannot_be_laid_out_is_left_and_told() {
    let (_folder, name) = folder(ROUGH);
    let ran = abide(&["fmt", "no-such-file", &name], b"");
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("cannot read no-such-file"),
        "{}",
        ran.stderr
    );
    assert_ne!(fs::read(&name).unwrap(), ROUGH, "the others are laid out");
    for (bytes, told) in [
        (&b"\xFF\xFEU\0"[..], "expected UTF-8, but found UTF-16"),
        (&vec![b'#'; 512_001], "the file is longer than 512000 bytes"),
    ] {
        let ran = abide(&["fmt", "-"], bytes);
        assert_eq!((ran.status, &*ran.stdout), (2, ""));
        assert!(ran.stderr.contains(told), "{}", ran.stderr);
    }
    let ran = abide(&["fmt", "-"], b"<html>\r\n");
    assert_eq!((ran.status, &*ran.stdout), (0, "<html>\r\n"));
    assert!(ran.stderr.contains("stdin has no robots.txt field"));
}

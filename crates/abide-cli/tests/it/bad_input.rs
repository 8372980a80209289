//! Error messages: what is wrong, where, and what to do about it.

use crate::{EXAMPLE, abide};
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A folder for one test.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn complaint(args: &[&str], stdin: &[u8]) -> String {
    let ran = abide(args, stdin);
    assert_eq!((ran.status, &*ran.stdout), (2, ""), "{}", ran.stderr);
    ran.stderr
}

#[test]
fn files_that_cannot_be_read() {
    let missing = complaint(&["check", "/x", "-a", "f", "-r", "no-such-file"], b"");
    assert!(
        missing.starts_with("error: cannot read no-such-file; --robots takes a file"),
        "{missing}"
    );
    let directory = complaint(
        &["check", "/x", "-a", "f", "-r", env!("CARGO_MANIFEST_DIR")],
        b"",
    );
    assert!(
        directory.contains("it is a directory; name the file in it"),
        "{directory}"
    );
    let batch = complaint(&["batch", "no-such-file"], b"");
    assert!(
        batch.starts_with("error: cannot read no-such-file; batch takes a file of requests"),
        "{batch}"
    );
    let batch = complaint(&["batch", env!("CARGO_MANIFEST_DIR")], b"");
    assert!(batch.contains("it is a directory"), "{batch}");
}

#[test]
fn calls_that_make_no_sense() {
    let token = complaint(&["check", "/x", "-a", "Example1", "-r", EXAMPLE], b"");
    assert!(
        token.contains("Example1 is not a valid robot name"),
        "{token}"
    );
    let purpose = complaint(&["check", "/x", "-a", "f", "-p", "*", "-r", EXAMPLE], b"");
    assert!(
        purpose.contains("in --purpose: expected a purpose token"),
        "{purpose}"
    );
    let url = complaint(&["check", "example.com/x", "-a", "f", "-r", EXAMPLE], b"");
    assert!(
        url.contains("the URL has no scheme; did you mean https://example.com/x?"),
        "{url}"
    );
    let path = complaint(&["check", "/x", "-a", "f"], b"");
    assert!(path.contains("give an absolute URL, or --robots"), "{path}");
    let ftp = complaint(&["check", "ftp://e.example/x", "-a", "f"], b"");
    assert!(
        ftp.contains("cannot fetch the robots.txt of ftp://e.example/x"),
        "{ftp}"
    );
    let agent = complaint(&["check", "/x", "-r", EXAMPLE], b"");
    assert!(agent.contains("--agent <ROBOTS>"), "{agent}");
    let format = complaint(&["check", "/x", "-a", "f", "--format", "xml"], b"");
    assert!(
        format.contains("[possible values: human, json, jsonl, csv, parquet]"),
        "{format}"
    );
}

#[test]
fn a_file_that_is_no_robots_txt() {
    for (name, bytes, said) in [
        (
            "binary",
            &b"\x7fELF\x02\x01\x01\0\0\0\xFF\xFE: \0"[..],
            "has no robots.txt field; is it the right file?",
        ),
        (
            "html",
            b"<!DOCTYPE html>\n<title>Not found</title>\n<p>a: b</p>\n",
            "is an HTML page, not a robots.txt",
        ),
        (
            "gzip",
            b"\x1f\x8b\x08\0",
            "is gzip (1f 8b), not a robots.txt",
        ),
    ] {
        let file = folder("no-robots").join(name);
        fs::write(&file, bytes).unwrap();
        let ran = abide(
            &["check", "/x", "-a", "f", "-r", file.to_str().unwrap()],
            b"",
        );
        assert_eq!(ran.status, 0);
        assert!(ran.stderr.contains(said), "{}", ran.stderr);
    }
}

/// A sparse file of 1 GiB: the command reads it only up to the parsing limit.
#[test]
fn a_file_of_1_gib() {
    let path = folder("large").join("robots.txt");
    let mut file = fs::File::create(&path).unwrap();
    file.write_all(b"User-agent: *\nDisallow: /x\n").unwrap();
    file.set_len(1 << 30).unwrap();
    let ran = abide(
        &["check", "/x", "-a", "f", "-r", path.to_str().unwrap()],
        b"",
    );
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    assert!(
        ran.stdout.contains("line 2: Disallow: /x"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stderr
            .contains("is longer than 512000 bytes; the rest is ignored"),
        "{}",
        ran.stderr
    );
    fs::remove_file(path).unwrap();
}

/// A reader may close the pipe early: the command ends quietly and does not fail.
#[test]
fn stdout_that_is_closed_early() {
    let input = format!(
        "{}\n",
        r#"{"url":"https://e.example/","agent":"f","robots":""}"#
    )
    .repeat(20_000);
    let mut child = Command::new(env!("CARGO_BIN_EXE_abide"))
        .arg("batch")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

/// The command fails if it cannot write its output, and the message says so.
#[cfg(target_os = "linux")]
#[test]
fn stdout_that_is_full() {
    let requests = folder("full").join("requests.jsonl");
    let request = r#"{"url": "https://e.example/x", "agent": "f", "robots": ""}"#;
    fs::write(&requests, format!("{request}\n").repeat(10_000)).unwrap();
    let requests = requests.to_string_lossy();
    for args in [
        &["check", "/x", "-a", "f", "-r", EXAMPLE][..],
        &["check", "/x", "-a", "f", "-r", EXAMPLE, "--format", "json"],
        &["batch", "--jobs", "3", &requests],
    ] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_abide"))
            .args(args)
            .stdout(full)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2));
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(
            stderr.contains("error: cannot write to stdout: No space left on device"),
            "{stderr}"
        );
    }
}

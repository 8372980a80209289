//! Real files through the command; `ABIDE_CORPUS` names a folder of them.

use crate::abide;
use base64::Engine;
use serde_json::{Value, json};
use std::fs;

#[test]
fn the_whole_corpus_through_batch() {
    let Some(folder) = std::env::var_os("ABIDE_CORPUS") else {
        println!("ABIDE_CORPUS is not set: no real files are tried");
        return;
    };
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let requests = folder_of_requests(&files);
    let output = abide(&["batch", requests.to_str().unwrap()], b"");
    assert_eq!((output.status, &*output.stderr), (0, ""));
    let mut count = 0;
    for (line, file) in output.stdout.lines().zip(&files) {
        let answer: Value = serde_json::from_str(line).unwrap();
        let name = file.file_name().unwrap().to_string_lossy();
        assert_eq!(answer["id"], *name);
        quotes_the_true_line(&name, &answer, &fs::read(file).unwrap());
        count += 1;
    }
    assert_eq!(count, files.len());
    println!("{count} real files through batch");
}

fn folder_of_requests(files: &[std::path::PathBuf]) -> std::path::PathBuf {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("corpus.jsonl");
    let lines: String = files
        .iter()
        .map(|file| {
            let name = file.file_name().unwrap().to_string_lossy();
            let robots = base64::engine::general_purpose::STANDARD.encode(fs::read(file).unwrap());
            let url = format!("https://{name}/search?q=x");
            format!(
                "{}\n",
                json!({"id": name, "url": url, "agent": "Googlebot", "robots_base64": robots})
            )
        })
        .collect();
    fs::write(&path, lines).unwrap();
    path
}

/// The quoted statement stands on the line of the file that the evidence names.
fn quotes_the_true_line(name: &str, answer: &Value, octets: &[u8]) {
    let text = String::from_utf8_lossy(octets);
    let lines: Vec<&str> = text
        .split("\r\n")
        .flat_map(|line| line.split(['\r', '\n']))
        .collect();
    for evidence in answer["usages"]["crawl"]["evidence"].as_array().unwrap() {
        if let (Some(number), Some(statement)) =
            (evidence["line"].as_u64(), evidence["statement"].as_str())
        {
            let line = lines[usize::try_from(number).unwrap() - 1];
            assert!(
                line.contains(statement),
                "{name}, line {number}: {statement:?} is not in {line:?}"
            );
        }
    }
}

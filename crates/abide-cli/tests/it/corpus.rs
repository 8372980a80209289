//! Runs the command on real files; `ABIDE_CORPUS` names a folder of them.

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
    let output = abide(&["batch", "--quiet", requests.to_str().unwrap()], b"");
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

/// Asks about files with ACAP records, as each crawler that they name and for each path that they
/// name: the evidence for every usage quotes the correct line.
#[test]
fn the_corpus_s_acap_records() {
    let Some(folder) = std::env::var_os("ABIDE_CORPUS") else {
        println!("ABIDE_CORPUS is not set: no real files are tried");
        return;
    };
    let (mut files, mut decided) = (0, 0);
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let bytes = fs::read(&path).unwrap();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let values = |key: &str| -> Vec<&str> {
            let fields = text
                .lines()
                .filter_map(|line| line.split('#').next()?.split_once(':'));
            fields
                .filter(|(own, _)| own.trim().to_ascii_lowercase().starts_with(key))
                .map(|(_, value)| value.trim())
                .collect()
        };
        let crawlers = values("acap-crawler");
        if crawlers.is_empty() {
            continue;
        }
        files += 1;
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        for crawler in crawlers
            .iter()
            .map(|name| if *name == "*" { "Unheard-Of" } else { name })
        {
            for resource in values("acap-disallow")
                .into_iter()
                .chain(values("acap-allow"))
            {
                let request = json!({
                    "url": format!("https://{name}{resource}x"), "agent": "Unheard-Of", "robots": text,
                    "acap": {"names": [crawler]},
                });
                let ran = abide(&["batch"], request.to_string().as_bytes());
                let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
                decided += acap_evidence(&name, &answer, &bytes);
            }
        }
    }
    println!("{files} real files with ACAP records, {decided} pieces of evidence");
    assert!(files > 0 && decided > 0);
}

/// Counts the pieces of evidence from ACAP fields, and checks that each quotes the correct line.
fn acap_evidence(name: &str, answer: &Value, bytes: &[u8]) -> usize {
    let text = String::from_utf8_lossy(bytes);
    let lines: Vec<&str> = text.lines().collect();
    let usages = answer["usages"].as_object().unwrap().values();
    let all = usages.flat_map(|said| said["evidence"].as_array().unwrap());
    let mut count = 0;
    for evidence in all.filter(|one| one["source"] == "acap") {
        let line = usize::try_from(evidence["line"].as_u64().unwrap()).unwrap();
        assert_eq!(
            lines[line - 1].trim(),
            evidence["statement"],
            "{name}, line {line}"
        );
        let starter = usize::try_from(evidence["selected_by"]["line"].as_u64().unwrap()).unwrap();
        assert!(
            lines[starter - 1].starts_with("ACAP-crawler:"),
            "{name}, line {starter}"
        );
        count += 1;
    }
    count
}

/// Checks that the quoted statement is on the line that the evidence names.
fn quotes_the_true_line(name: &str, answer: &Value, bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
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

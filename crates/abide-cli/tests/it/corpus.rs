//! Runs the command on real files; `ABIDE_CORPUS` names a folder of them.

use crate::abide;
use abide_testkit::corpus::files;
use base64::Engine;
use serde_json::{Value, json};
use std::fs;

#[test]
fn the_whole_corpus_through_batch() {
    let files = files();
    if files.is_empty() {
        return;
    }
    let requests = folder_of_requests(&files);
    let output = abide(&["batch", "--quiet", requests.to_str().unwrap()], b"");
    assert_eq!((output.status, &*output.stderr), (0, ""));
    let mut count = 0;
    for (line, (name, bytes)) in output.stdout.lines().zip(&files) {
        let answer: Value = serde_json::from_str(line).unwrap();
        assert_eq!(answer["id"], **name);
        quotes_the_true_line(name, &answer, bytes);
        count += 1;
    }
    assert_eq!(count, files.len());
    println!("{count} real files through batch");
}

fn folder_of_requests(files: &[(String, Vec<u8>)]) -> std::path::PathBuf {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("corpus.jsonl");
    let lines: String = files
        .iter()
        .map(|(name, bytes)| {
            let robots = base64::engine::general_purpose::STANDARD.encode(bytes);
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
    let files = files();
    let (mut stating, mut decided) = (0, 0);
    for (name, bytes) in &files {
        let text = String::from_utf8_lossy(bytes).into_owned();
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
        stating += 1;
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
                decided += acap_evidence(name, &answer, bytes);
            }
        }
    }
    println!("{stating} real files with ACAP records, {decided} pieces of evidence");
    assert!(files.is_empty() || (stating > 0 && decided > 0));
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

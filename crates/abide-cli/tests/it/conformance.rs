//! `abide conformance`.

use crate::abide;
use abide_testkit::spec::{DOCUMENTS, Document, Level, requirements};
use abide_testkit::{vector_json, vectors};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::path::Path;

/// What the command has of the vectors and of `docs/spec`. `ABIDE_BLESS=1` writes it.
#[test]
fn the_suite_in_the_command_is_up_to_date() {
    let documents = DOCUMENTS.iter();
    let documents: Vec<String> = documents
        .map(|one| json!({"name": one.name, "title": one.title}).to_string())
        .collect();
    let requirements = requirements().values().map(|one| {
        let members = [
            json!(one.id).to_string(),
            json!(Document::of(&one.id).name).to_string(),
            json!(one.section).to_string(),
            json!(one.level.name()).to_string(),
        ];
        let [id, document, section, level] = members;
        let deviates = one.level == Level::Resolution && one.deviates();
        format!(
            "{{\"id\":{id},\"document\":{document},\"section\":{section},\"level\":{level},\
             \"deviates\":{deviates}}}"
        )
    });
    let requirements: Vec<String> = requirements.collect();
    let vectors: Vec<String> = vectors::FILES
        .iter()
        .flat_map(|name| {
            let json = vector_json::write(&vector_json::tables(name)).unwrap();
            let lines = json.lines().filter(|line| line.starts_with('{'));
            lines
                .map(|line| line.trim_end_matches(',').to_owned())
                .collect::<Vec<_>>()
        })
        .collect();
    let [documents, requirements, vectors] =
        [documents, requirements, vectors].map(|entries| entries.join(",\n"));
    let suite = format!(
        "{{\"documents\":[\n{documents}\n],\"requirements\":[\n{requirements}\n],\"vectors\":[\n\
         {vectors}\n]}}\n"
    );
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/commands/conformance/suite.json.gz");
    let mut found = String::new();
    let packed = std::fs::read(&path).unwrap_or_default();
    let is_read = GzDecoder::new(&packed[..])
        .read_to_string(&mut found)
        .is_ok();
    if is_read && found == suite {
        return;
    }
    assert!(
        std::env::var_os("ABIDE_BLESS").is_some(),
        "suite.json.gz is not up to date: run this test with ABIDE_BLESS=1"
    );
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(suite.as_bytes()).unwrap();
    std::fs::write(&path, packed.finish().unwrap()).unwrap();
}

/// What the command prints, without the number of vectors, which grows.
fn printed(args: &[&str]) -> String {
    let ran = abide(args, b"");
    assert_eq!((ran.status, &*ran.stderr), (0, ""));
    let lines = ran.stdout.lines().filter(|line| !line.contains("Vectors"));
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn a_document_has_a_status_for_a_draft() {
    let text = printed(&["conformance", "--document", "repext-03"]);
    insta::assert_snapshot!(text);
    let whole = printed(&["conformance", "--document", "draft-illyes-repext-03"]);
    assert_eq!(whole, text);
    let markdown = [
        "conformance",
        "--document",
        "repext-03",
        "--format",
        "markdown",
    ];
    insta::assert_snapshot!(printed(&markdown));
}

/// The texts fit an Internet-Draft, and the JSON is that of the schema; every vector passes.
#[test]
fn all_documents_in_all_formats() {
    let ran = abide(&["conformance"], b"");
    assert_eq!((ran.status, &*ran.stderr), (0, ""), "{}", ran.stdout);
    assert!(
        ran.stdout.lines().all(|line| line.chars().count() <= 72),
        "{}",
        ran.stdout
    );
    let ran = abide(&["conformance", "--format", "json"], b"");
    let statuses: Value = serde_json::from_str(&ran.stdout).unwrap();
    let schema = include_str!("../../../../schema/conformance.json");
    let schema = jsonschema::validator_for(&serde_json::from_str(schema).unwrap()).unwrap();
    let errors: Vec<String> = schema
        .iter_errors(&statuses)
        .map(|error| error.to_string())
        .collect();
    assert!(errors.is_empty(), "{errors:?}");
    let statuses = statuses.as_array().unwrap();
    assert_eq!(statuses.len(), DOCUMENTS.len());
    for (status, document) in statuses.iter().zip(&DOCUMENTS) {
        assert_eq!(status["document"], document.name);
        assert_eq!(status["passed"], status["vectors"], "{status}");
        assert_eq!(status["failures"], json!([]));
        assert_eq!(status["licence"], "MIT OR Apache-2.0");
        let levels = status["levels"].as_array().unwrap().iter();
        let counted: u64 = levels
            .map(|level| level["requirements"].as_u64().unwrap())
            .sum();
        let known = requirements().keys();
        let known = known
            .filter(|id| Document::of(id).name == document.name)
            .count();
        assert_eq!(
            usize::try_from(counted).unwrap(),
            known,
            "{}",
            document.name
        );
    }
}

#[test]
fn an_unknown_document_is_an_error_with_the_nearest_name() {
    let ran = abide(&["conformance", "--document", "repext-02"], b"");
    assert_eq!(ran.status, 2);
    assert_eq!(
        ran.stderr,
        "error: --document: no document is called \"repext-02\"; did you mean repext-03? There are \
         rfc9309, repext-03, plan-b, purpose-00, acap-1.0, aipref, across\n"
    );
    let ran = abide(
        &["conformance", "--document", "a\u{1b}b", "--format", "json"],
        b"",
    );
    assert_eq!((ran.status, &*ran.stdout), (2, ""));
    assert!(!ran.stderr.contains('\u{1b}'), "{}", ran.stderr);
}

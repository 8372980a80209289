//! `abide conformance`

mod vector;

use crate::args::{ConformanceArgs, ConformanceFormat};
use crate::exit::{Exit, put, written};
use crate::markdown::cell;
use crate::width;
use abide::explain::visible;
use abide::syntax::nearest_text;
use abide_contract::conformance::{Deviation, DocumentStatus, FailedVector, LevelStatus};
use abide_contract::{Versioned, text};
use anyhow::{Context, bail};
use flate2::read::GzDecoder;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Read;

/// The documents, their requirements and all vectors; a test makes it of `vectors` and `docs/spec`.
const SUITE: &[u8] = include_bytes!("suite.json.gz");

/// The width of an Internet-Draft.
const COLUMNS: usize = 72;
/// The width of the labels in the text.
const LABEL: usize = 16;
/// The licence in `Cargo.toml`, as RFC 7942 asks for it.
const LICENCE: &str = env!("CARGO_PKG_LICENSE");

/// Runs the vectors of one document, or of all.
pub(crate) fn run(args: &ConformanceArgs) -> anyhow::Result<Exit> {
    let mut suite = String::new();
    let unpacked = GzDecoder::new(SUITE).read_to_string(&mut suite);
    unpacked.context("the vectors in this build cannot be read")?;
    let suite: Value = serde_json::from_str(&suite)?;
    let statuses = statuses(&suite, args.document.as_deref())?;
    let shown: Vec<String> = match args.format {
        ConformanceFormat::Json => {
            let statuses: Vec<_> = statuses.iter().cloned().map(Versioned::new).collect();
            vec![text::pretty(&statuses) + "\n"]
        }
        ConformanceFormat::Text => statuses.iter().map(plain).collect(),
        ConformanceFormat::Markdown => statuses.iter().map(markdown).collect(),
    };
    written(put(shown.join("\n")))?;
    let is_fine = statuses.iter().all(|status| status.failures.is_empty());
    Ok(if is_fine {
        Exit::Done
    } else {
        Exit::Prohibited
    })
}

fn string(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// The status of the document of this name, or of all.
fn statuses(suite: &Value, name: Option<&str>) -> anyhow::Result<Vec<DocumentStatus>> {
    let documents = list(&suite["documents"]);
    let Some(name) = name else {
        return Ok(documents
            .iter()
            .map(|document| status(suite, document))
            .collect());
    };
    let wanted = plain_name(name);
    let is_asked = |document: &&Value| {
        let title = string(&document["title"]);
        // A draft is also known by its whole name, and without its number.
        let words = title.split([',', ':', ' ']);
        let drafts = words.filter(|word| word.starts_with("draft-"));
        let bare = drafts.clone().filter_map(|draft| draft.rsplit_once('-'));
        let names = drafts.chain(bare.map(|(draft, _)| draft));
        let own = string(&document["name"]);
        let mut names = names.chain([own.as_str(), title.split(',').next().unwrap_or_default()]);
        !wanted.is_empty() && names.any(|name| plain_name(name) == wanted)
    };
    match documents.iter().find(is_asked) {
        Some(document) => Ok(vec![status(suite, document)]),
        None => bail!("{}", unknown(name, documents)),
    }
}

/// A name as people compare it: `RFC 9309` is `rfc9309`.
fn plain_name(name: &str) -> String {
    let kept = name.chars().filter(|letter| !letter.is_whitespace());
    kept.flat_map(char::to_lowercase).collect()
}

/// Why a document is unknown, with the name that is spelt most like it.
fn unknown(name: &str, documents: &[Value]) -> String {
    let names: Vec<String> = documents
        .iter()
        .map(|document| string(&document["name"]))
        .collect();
    let nearest = nearest_text(&plain_name(name), names.iter().map(String::as_str));
    let hint = nearest.map_or_else(|| ".".to_owned(), |near| format!("; did you mean {near}?"));
    format!(
        "--document: no document is called \"{}\"{hint} There are {}",
        visible(name.as_bytes()),
        names.join(", ")
    )
}

/// Runs the vectors about a document.
fn status(suite: &Value, document: &Value) -> DocumentStatus {
    let requirements = list(&suite["requirements"]).iter();
    let requirements: Vec<&Value> = requirements
        .filter(|one| one["document"] == document["name"])
        .collect();
    // What the vectors say about each requirement: whether all of them passed.
    let mut passed: BTreeMap<&str, bool> = BTreeMap::new();
    let (mut vectors, mut failures) = (0, Vec::new());
    for asked in list(&suite["vectors"]) {
        let also = list(&asked["also"]).iter();
        let ids: Vec<&str> = std::iter::once(&asked["id"])
            .chain(also)
            .filter_map(Value::as_str)
            .collect();
        let is_about = |id: &&str| requirements.iter().any(|one| one["id"] == **id);
        if !ids.iter().any(is_about) {
            continue;
        }
        vectors += 1;
        let checked = vector::run(asked);
        for id in ids.into_iter().filter(is_about) {
            *passed.entry(id).or_insert(true) &= checked.is_ok();
        }
        if let Err(difference) = checked {
            let (id, name) = (string(&asked["id"]), string(&asked["name"]));
            failures.push(FailedVector {
                id,
                name,
                difference,
            });
        }
    }
    let deviates = requirements.iter().filter(|one| one["deviates"] == true);
    DocumentStatus {
        document: string(&document["name"]),
        title: string(&document["title"]),
        implementation: "abide",
        version: env!("CARGO_PKG_VERSION"),
        licence: LICENCE,
        vectors,
        passed: vectors - failures.len(),
        levels: levels(&requirements, &passed),
        deviations: deviates
            .map(|one| Deviation {
                id: string(&one["id"]),
                section: string(&one["section"]),
            })
            .collect(),
        failures,
    }
}

/// The requirements by level, the strongest first.
fn levels(requirements: &[&Value], passed: &BTreeMap<&str, bool>) -> Vec<LevelStatus> {
    let names = ["must", "should", "may", "descriptive", "resolution"].into_iter();
    let levels = names.map(|name| {
        let ids = requirements.iter().filter(|one| one["level"] == name);
        let ids: Vec<&str> = ids.filter_map(|one| one["id"].as_str()).collect();
        let with = |result: Option<bool>| {
            let ids = ids.iter().filter(|id| passed.get(*id).copied() == result);
            ids.map(|id| (*id).to_owned()).collect::<Vec<_>>()
        };
        LevelStatus {
            level: name.to_owned(),
            requirements: ids.len(),
            passed: with(Some(true)).len(),
            failed: with(Some(false)),
            by_tests: with(None),
        }
    });
    levels.filter(|level| level.requirements > 0).collect()
}

/// How people write a level.
fn title(level: &str) -> String {
    match level {
        "descriptive" => "no keyword".to_owned(),
        "resolution" => "left open".to_owned(),
        keyword => keyword.to_uppercase(),
    }
}

/// The rows of a status: a label, and what it says.
fn rows(status: &DocumentStatus) -> Vec<(String, String)> {
    let mut rows = vec![
        (
            "Implementation".to_owned(),
            format!("{} {}", status.implementation, status.version),
        ),
        ("Licence".to_owned(), status.licence.to_owned()),
        ("Document".to_owned(), status.title.clone()),
        (
            "Vectors".to_owned(),
            format!("{} of {} pass in this build", status.passed, status.vectors),
        ),
    ];
    for level in &status.levels {
        let mut said = format!("{} of {}", level.passed, level.requirements);
        for (ids, what) in [
            (&level.failed, "failed"),
            (&level.by_tests, "by tests, not run here"),
        ] {
            if !ids.is_empty() {
                said = format!("{said}; {what}: {}", ids.join(", "));
            }
        }
        rows.push((title(&level.level), said));
    }
    let deviations = status.deviations.iter();
    let deviations = deviations.map(|one| format!("{} ({})", one.id, section(&one.section)));
    rows.push(("Deviations".to_owned(), or_none(deviations)));
    let failures = status.failures.iter();
    let failures = failures.map(|one| format!("{} ({}: {})", one.name, one.id, one.difference));
    rows.push(("Failures".to_owned(), or_none(failures)));
    rows
}

fn or_none(texts: impl Iterator<Item = String>) -> String {
    let texts: Vec<String> = texts.collect();
    if texts.is_empty() {
        "none".to_owned()
    } else {
        texts.join("; ")
    }
}

/// A section as drafts write it.
fn section(text: &str) -> String {
    text.replace('§', "Section ")
}

fn plain(status: &DocumentStatus) -> String {
    let mut plain = String::new();
    for (label, said) in rows(status) {
        let lines = width::folded(&said, COLUMNS - LABEL);
        for (at, line) in lines.iter().enumerate() {
            let label = if at == 0 {
                format!("{label}:")
            } else {
                String::new()
            };
            plain.push_str(format!("{label:<LABEL$}{line}").trim_end());
            plain.push('\n');
        }
    }
    plain
}

fn markdown(status: &DocumentStatus) -> String {
    let mut lines = vec![format!("## {}", status.title), String::new()];
    lines.extend(["| | |".to_owned(), "|---|---|".to_owned()]);
    let rows = rows(status).into_iter();
    lines.extend(rows.map(|(label, said)| format!("| {} | {} |", cell(&label), cell(&said))));
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suite() -> Value {
        let mut suite = String::new();
        GzDecoder::new(SUITE)
            .read_to_string(&mut suite)
            .expect("a gzip file");
        serde_json::from_str(&suite).expect("JSON")
    }

    #[test]
    fn one_broken_vector_changes_the_answer() {
        let mut suite = suite();
        let purpose = |suite: &Value| {
            let mut found = statuses(suite, Some("purpose-00")).expect("a document");
            found.remove(0)
        };
        let before = purpose(&suite);
        assert!(before.failures.is_empty(), "{:?}", before.failures);
        assert_eq!(before.passed, before.vectors);
        let vectors = suite["vectors"].as_array_mut().expect("a list");
        let mut broken = vectors.iter_mut();
        let broken = broken.find(|one| one["id"] == "PUR-7" && one.get("expect").is_some());
        let broken = broken.expect("a vector of PUR-7");
        let other = if broken["expect"] == "permitted" {
            "prohibited"
        } else {
            "permitted"
        };
        broken["expect"] = other.into();
        let after = purpose(&suite);
        assert_eq!(
            (after.vectors, after.passed),
            (before.vectors, before.passed - 1)
        );
        assert_eq!(after.failures.len(), 1);
        assert_eq!(after.failures[0].id, "PUR-7");
        let must = |status: &DocumentStatus| {
            let must = status.levels.iter().find(|level| level.level == "must");
            must.expect("a level").clone()
        };
        assert_eq!(must(&after).passed, must(&before).passed - 1);
        assert_eq!(must(&after).failed, ["PUR-7"]);
    }

    #[test]
    fn a_document_has_the_names_that_people_use() {
        let suite = suite();
        let named =
            |name: &str| statuses(&suite, Some(name)).map(|found| found[0].document.clone());
        for (name, is) in [
            ("RFC9309", "rfc9309"),
            ("rfc 9309", "rfc9309"),
            ("draft-illyes-repext-03", "repext-03"),
            ("draft-illyes-repext", "repext-03"),
            ("draft-nottingham-plan-b", "plan-b"),
            ("draft-ietf-aipref-attach-05", "aipref"),
            ("ACAP-1.0", "acap-1.0"),
        ] {
            assert_eq!(named(name).expect(name), is);
        }
        for name in ["", " ", "draft", "and", "rfc"] {
            assert!(named(name).is_err(), "{name:?}");
        }
        let why = named("repext-3").expect_err("unknown").to_string();
        assert!(
            why.contains("did you mean repext-03? There are rfc9309"),
            "{why}"
        );
    }

    #[test]
    fn every_kind_of_vector_can_fail() {
        let suite = suite();
        let mut tables = std::collections::BTreeSet::new();
        for asked in list(&suite["vectors"]) {
            let mut wrong = asked.clone();
            let table = string(&asked["table"]);
            let nothing = Value::from("nothing of the kind");
            match table.as_str() {
                "decision" | "tags" | "applications" => wrong["expect"] = nothing,
                "normal" => wrong["c2"] = nothing,
                "token" | "structured" => wrong["valid"] = nothing,
                "parse" => wrong["lines"] = nothing,
                "scope" => wrong["narrower"] = nothing,
                "retrieval" => wrong["ask"][0]["x"] = nothing,
                "composed" if asked.get("outcomes").is_some() => {
                    wrong["outcomes"]["crawl"] = nothing;
                }
                _ => continue,
            }
            if tables.insert(table.clone()) {
                assert!(vector::run(&wrong).is_err(), "{table}");
            }
            // A request that is refused has no diagnostics either.
            if table == "composed" && asked.get("error").is_none() {
                wrong = asked.clone();
                wrong["url"] = "no URL".into();
                for member in [
                    "outcomes",
                    "lines",
                    "sources",
                    "reasons",
                    "words",
                    "diagnostics",
                ] {
                    wrong.as_object_mut().expect("an object").remove(member);
                }
                assert!(vector::run(&wrong).is_err(), "{asked}");
            }
        }
        assert_eq!(tables.len(), 10, "{tables:?}");
    }
}

//! SARIF 2.1.0, for code scanning services.

use super::LintedFile;
use super::fingerprint::Fingerprints;
use abide::Severity;
use abide_contract::text;
use abide_lint::Finding;
use abide_lint::Rule;
use serde_json::{Value, json};
use std::io::{self, Write};

/// One log with one run.
pub(crate) fn sarif(out: &mut dyn Write, linted: &[LintedFile]) -> io::Result<()> {
    let mut rules: Vec<&Rule> = super::all(linted)
        .map(|(_, finding)| finding.rule)
        .collect();
    rules.sort_by_key(|rule| rule.code());
    rules.dedup_by_key(|rule| rule.code());
    let mut prints = Fingerprints::default();
    let results: Vec<Value> = super::all(linted)
        .map(|(one, finding)| result(one, finding, &prints.next(one, finding)))
        .collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "abide",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules.into_iter().map(descriptor).collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    writeln!(out, "{}", text::pretty(&log))
}

fn descriptor(rule: &Rule) -> Value {
    json!({
        "id": rule.code(),
        "helpUri": help_uri(rule, env!("CARGO_PKG_HOMEPAGE")),
        "shortDescription": { "text": rule.page().summary },
        "help": { "text": rule.markdown(), "markdown": rule.markdown() },
        "defaultConfiguration": { "level": level(rule.severity()) },
    })
}

/// The address of a rule's page on the site, whose one place is `homepage` in `Cargo.toml`; as long
/// as there is none, the page itself, which is readable offline. `.ci/site` checks that each rule
/// has a page there.
fn help_uri(rule: &Rule, site: &str) -> String {
    match site.trim_end_matches('/') {
        "" => format!(
            "data:text/plain;charset=utf-8,{}",
            percent_encoded(rule.markdown())
        ),
        site => format!("{site}/rules/{}.html", rule.code()),
    }
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

fn result(linted: &LintedFile, finding: &Finding, print: &str) -> Value {
    let related: Vec<Value> = finding
        .related
        .iter()
        .map(|related| {
            let mut place = location(linted, Some(related.line), related.span);
            if let Some(members) = place.as_object_mut() {
                members.insert("message".to_owned(), json!({ "text": related.message }));
            }
            place
        })
        .collect();
    json!({
        "ruleId": finding.rule.code(),
        "level": level(finding.severity()),
        "message": { "text": finding.message },
        "locations": [location(linted, finding.line, finding.span)],
        "relatedLocations": related,
        "partialFingerprints": { "abide/v1": print },
    })
}

fn location(linted: &LintedFile, line: Option<u32>, span: abide::Span) -> Value {
    let uri = json!({ "uri": uri(linted.name.as_str()) });
    let Some(line) = line else {
        return json!({ "physicalLocation": { "artifactLocation": uri } });
    };
    let (start, end) = span.columns(&linted.text);
    json!({ "physicalLocation": {
        "artifactLocation": uri,
        "region": { "startLine": line, "startColumn": start, "endColumn": end },
    }})
}

/// A file's name as a URI reference.
fn uri(name: &str) -> String {
    if name.contains("://") {
        return name.to_owned();
    }
    percent_encoded(name)
}

fn percent_encoded(text: &str) -> String {
    let mut uri = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'-' | b'_' | b'.' | b'~') {
            uri.push(char::from(byte));
        } else {
            // Writing to a String cannot fail.
            let _ = std::fmt::Write::write_fmt(&mut uri, format_args!("%{byte:02X}"));
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_on_the_site_or_in_its_address() {
        let rule = abide_lint::rules::of("bom").unwrap();
        for site in ["https://abide.example/docs", "https://abide.example/docs/"] {
            let address = help_uri(rule, site);
            assert_eq!(address, "https://abide.example/docs/rules/bom.html");
        }
        assert!(help_uri(rule, "").starts_with("data:text/plain;charset=utf-8,%23%20bom%0A"));
    }
}

//! A code quality report of GitLab.

use super::Linted;
use abide::Severity;
use abide_json::text;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hasher as _};
use std::io::{self, Write};

/// One array of issues.
pub(crate) fn gitlab(out: &mut dyn Write, linted: &[Linted]) -> io::Result<()> {
    let mut known = HashSet::new();
    let issues: Vec<Value> = super::all(linted)
        .map(|(one, finding)| {
            let severity = match finding.severity() {
                Severity::Error => "major",
                Severity::Warning => "minor",
                Severity::Info => "info",
            };
            // A finding on a line that moved stays the same issue.
            let text = finding.span.of(&one.text);
            let mut print = fingerprint(&(one.name.as_str(), finding.rule.code(), text, 0));
            let mut again = 0;
            while !known.insert(print.clone()) {
                again += 1;
                print = fingerprint(&(one.name.as_str(), finding.rule.code(), text, again));
            }
            json!({
                "description": finding.message,
                "check_name": finding.rule.code(),
                "fingerprint": print,
                "severity": severity,
                "location": { "path": one.name.as_str(), "lines": { "begin": finding.line.unwrap_or(1) } },
            })
        })
        .collect();
    out.write_all(text::pretty(&issues).as_bytes())?;
    writeln!(out)
}

fn fingerprint(of: &impl std::hash::Hash) -> String {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

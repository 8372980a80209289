//! A code quality report of GitLab.

use super::LintedFile;
use super::fingerprint::Fingerprints;
use abide::Severity;
use abide_contract::text;
use serde_json::{Value, json};
use std::io::{self, Write};

/// One array of issues.
pub(crate) fn gitlab(out: &mut dyn Write, linted: &[LintedFile]) -> io::Result<()> {
    let mut prints = Fingerprints::default();
    let issues: Vec<Value> = super::all(linted)
        .map(|(one, finding)| {
            let severity = match finding.severity() {
                Severity::Error => "major",
                Severity::Warning => "minor",
                Severity::Info => "info",
            };
            json!({
                "description": finding.message,
                "check_name": finding.rule.code(),
                "fingerprint": prints.next(one, finding),
                "severity": severity,
                "location": { "path": one.name.as_str(), "lines": { "begin": finding.line.unwrap_or(1) } },
            })
        })
        .collect();
    writeln!(out, "{}", text::pretty(&issues))
}

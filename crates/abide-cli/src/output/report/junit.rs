//! A `JUnit` report: one suite per file, one case per finding.

use super::LintedFile;
use crate::xml::escaped;
use std::io::{self, Write};

/// One document.
pub(crate) fn junit(out: &mut dyn Write, linted: &[LintedFile]) -> io::Result<()> {
    let found: usize = linted.iter().map(|one| one.findings.len()).sum();
    let failed = |one: &LintedFile| {
        one.findings
            .iter()
            .filter(|finding| one.fails(finding))
            .count()
    };
    let failures: usize = linted.iter().map(failed).sum();
    let clean = linted.iter().filter(|one| one.findings.is_empty()).count();
    let tests = found + clean;
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(
        out,
        "<testsuites name=\"abide lint\" tests=\"{tests}\" failures=\"{failures}\">"
    )?;
    for one in linted {
        let (name, failures) = (escaped(one.name.as_str()), failed(one));
        let tests = one.findings.len().max(1);
        writeln!(
            out,
            "  <testsuite name=\"{name}\" tests=\"{tests}\" failures=\"{failures}\">"
        )?;
        if one.findings.is_empty() {
            writeln!(
                out,
                "    <testcase classname=\"{name}\" name=\"no findings\"/>"
            )?;
        }
        for finding in &one.findings {
            let code = finding.rule.code();
            let line = finding
                .line
                .map_or_else(String::new, |line| format!(", line {line}"));
            let (severity, message) = (super::severity(finding), escaped(&finding.message));
            writeln!(
                out,
                "    <testcase classname=\"{name}\" name=\"{code}{line}\">"
            )?;
            // What does not fail the run is not a failure here either.
            if one.fails(finding) {
                writeln!(
                    out,
                    "      <failure type=\"{severity}\" message=\"{message}\"/>"
                )?;
            } else {
                writeln!(out, "      <system-out>{message}</system-out>")?;
            }
            writeln!(out, "    </testcase>")?;
        }
        writeln!(out, "  </testsuite>")?;
    }
    writeln!(out, "</testsuites>")
}

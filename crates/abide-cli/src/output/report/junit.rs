//! `JUnit` XML for CI systems: of the linter one suite per file, with one case per finding.

use super::LintedFile;
use crate::xml::escaped;
use std::io::{self, Write};

/// One suite of a report.
pub(crate) struct JunitSuite<'a> {
    pub(crate) name: &'a str,
    pub(crate) cases: Vec<JunitCase>,
}

/// One case, as XML.
pub(crate) struct JunitCase {
    pub(crate) attributes: String,
    /// What is in the element; empty if the case passed.
    pub(crate) content: String,
    pub(crate) is_failed: bool,
}

impl JunitCase {
    /// A case with nothing to say.
    pub(crate) fn passed(class: &str, name: &str) -> Self {
        Self {
            attributes: format!(
                "classname=\"{}\" name=\"{}\"",
                escaped(class),
                escaped(name)
            ),
            content: String::new(),
            is_failed: false,
        }
    }
}

/// Writes the report of a command.
pub(crate) fn write_junit(
    out: &mut dyn Write,
    command: &str,
    suites: &[JunitSuite<'_>],
) -> io::Result<()> {
    let all = suites.iter().flat_map(|suite| &suite.cases);
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<testsuites name=\"{command}\" {}>", counts(all))?;
    for suite in suites {
        let (name, counts) = (escaped(suite.name), counts(&suite.cases));
        writeln!(out, "  <testsuite name=\"{name}\" {counts}>")?;
        for JunitCase {
            attributes,
            content,
            ..
        } in &suite.cases
        {
            match content.as_str() {
                "" => writeln!(out, "    <testcase {attributes}/>")?,
                content => writeln!(
                    out,
                    "    <testcase {attributes}>\n      {content}\n    </testcase>"
                )?,
            }
        }
        writeln!(out, "  </testsuite>")?;
    }
    writeln!(out, "</testsuites>")
}

fn counts<'c>(cases: impl IntoIterator<Item = &'c JunitCase>) -> String {
    let (mut tests, mut failures) = (0, 0);
    for case in cases {
        tests += 1;
        failures += usize::from(case.is_failed);
    }
    format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"0\"")
}

/// The findings of the linter.
pub(crate) fn junit(out: &mut dyn Write, linted: &[LintedFile]) -> io::Result<()> {
    let suites: Vec<_> = linted.iter().map(suite).collect();
    write_junit(out, "abide lint", &suites)
}

fn suite(one: &LintedFile) -> JunitSuite<'_> {
    let name = one.name.as_str();
    let cases = one.findings.iter().map(|finding| {
        let line = finding.line.map(|line| format!(", line {line}"));
        let title = format!("{}{}", finding.rule.code(), line.unwrap_or_default());
        let (severity, message) = (finding.severity().name(), escaped(&finding.message));
        // What does not fail the run is not a failure here either.
        let is_failed = one.fails(finding);
        let content = if is_failed {
            format!("<failure type=\"{severity}\" message=\"{message}\"/>")
        } else {
            format!("<system-out>{message}</system-out>")
        };
        JunitCase {
            content,
            is_failed,
            ..JunitCase::passed(name, &title)
        }
    });
    let mut cases: Vec<_> = cases.collect();
    if cases.is_empty() {
        cases.push(JunitCase::passed(name, "no findings"));
    }
    JunitSuite { name, cases }
}

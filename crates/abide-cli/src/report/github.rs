//! Annotations of a GitHub workflow: one command a line.

use super::Linted;
use abide::Severity;
use std::io::{self, Write};

/// One command for each finding.
pub(crate) fn github(out: &mut dyn Write, linted: &[Linted]) -> io::Result<()> {
    for (one, finding) in super::all(linted) {
        let command = match finding.severity() {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "notice",
        };
        let place = finding.line.map_or_else(String::new, |line| {
            let (start, end) = one.columns(finding.span);
            format!(",line={line},col={start},endColumn={end}")
        });
        let (file, code) = (property(&one.name), finding.rule.code());
        let message = escaped(&finding.message);
        writeln!(
            out,
            "::{command} file={file}{place},title={code}::{message}"
        )?;
    }
    Ok(())
}

fn escaped(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

fn property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}

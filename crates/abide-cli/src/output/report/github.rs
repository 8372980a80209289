//! Annotations of a GitHub workflow: one command per line.

use super::LintedFile;
use abide::Severity;
use abide::explain::visible;
use abide_lint::Finding;
use std::io::{self, Write};

/// One command for each finding; with `shows_all`, for every note.
pub(crate) fn github(
    out: &mut dyn Write,
    linted: &[LintedFile],
    shows_all: bool,
) -> io::Result<()> {
    for one in linted {
        let shown = one.shown(shows_all);
        for finding in shown.findings {
            annotation(out, one, finding)?;
        }
        let file = property(one.name.as_str());
        for (code, rest) in shown.counted {
            writeln!(out, "::notice file={file},title={code}::{}", escaped(&rest))?;
        }
    }
    Ok(())
}

fn annotation(out: &mut dyn Write, one: &LintedFile, finding: &Finding) -> io::Result<()> {
    let command = match finding.severity() {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "notice",
    };
    let place = finding.line.map_or_else(String::new, |line| {
        let (start, end) = finding.span.columns(&one.text);
        format!(",line={line},col={start},endColumn={end}")
    });
    let (file, code) = (property(one.name.as_str()), finding.rule.code());
    let message = escaped(&finding.message);
    writeln!(
        out,
        "::{command} file={file}{place},title={code}::{message}"
    )
}

/// Escapes text for a command: GitHub has escapes for `%` and line ends only; other control
/// characters are made visible, because the log is also read in terminals.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '%' => escaped.push_str("%25"),
            '\r' => escaped.push_str("%0D"),
            '\n' => escaped.push_str("%0A"),
            other => escaped.push_str(&visible(other.encode_utf8(&mut [0; 4]).as_bytes())),
        }
    }
    escaped
}

fn property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}

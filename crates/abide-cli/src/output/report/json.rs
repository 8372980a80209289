//! Writes findings as JSON: `schema/lint.json`.

use super::LintedFile;
use crate::exit::warn;
use abide_contract::lint::FileFinding;
use abide_contract::{Room, Versioned, text};
use std::io::{self, Write};

/// One array.
pub(crate) fn json(out: &mut dyn Write, linted: &[LintedFile], all: bool) -> io::Result<()> {
    let all: Vec<_> = objects(linted, all).collect();
    writeln!(out, "{}", text::pretty(&all))
}

/// One object per line.
pub(crate) fn jsonl(out: &mut dyn Write, linted: &[LintedFile], all: bool) -> io::Result<()> {
    for object in objects(linted, all) {
        writeln!(out, "{}", text::line(&object))?;
    }
    Ok(())
}

/// The findings of each file, at most 20 times as long as the file unless `all` are asked for.
fn objects(linted: &[LintedFile], all: bool) -> impl Iterator<Item = Versioned<FileFinding<'_>>> {
    linted.iter().flat_map(move |one| {
        let name = one.name.as_str();
        let findings = one.findings.iter();
        let mut findings: Vec<_> = findings
            .map(|finding| FileFinding::new(name, &one.text, finding))
            .collect();
        if !all {
            let left_out = Room::for_bytes(one.text.len()).keep(&mut findings);
            if left_out > 0 {
                warn(&format!(
                    "{name}: {left_out} findings are left out, because they are more than 20 times as long as the file; --all lists them"
                ));
            }
        }
        findings
    })
}

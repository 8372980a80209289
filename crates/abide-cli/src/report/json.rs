//! Writes findings as JSON: `schema/lint.json`.

use super::LintedFile;
use abide_json::lint::FindingJson;
use abide_json::text;
use std::io::{self, Write};

/// One array.
pub(crate) fn json(out: &mut dyn Write, linted: &[LintedFile]) -> io::Result<()> {
    let all: Vec<_> = objects(linted).collect();
    out.write_all(text::pretty(&all).as_bytes())?;
    writeln!(out)
}

/// One object per line.
pub(crate) fn jsonl(out: &mut dyn Write, linted: &[LintedFile]) -> io::Result<()> {
    for object in objects(linted) {
        out.write_all(text::line(&object).as_bytes())?;
        writeln!(out)?;
    }
    Ok(())
}

fn objects(linted: &[LintedFile]) -> impl Iterator<Item = FindingJson<'_>> {
    let all = super::all(linted);
    all.map(|(one, finding)| FindingJson::new(one.name.as_str(), &one.text, finding))
}

//! `acap-version-not-first`: reports a diagnostic of the engine.

use crate::acap::moves::top;
use crate::acap::{edit, fix, line_end};
use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::Rule;
use abide::{Code, Diagnostic};

pub(crate) static RULE: Rule = Rule::engine(
    Code::AcapVersionNotFirst,
    include_str!("acap_version_not_first.md"),
)
.with_fix(fix_for);

/// The number of leading blank lines that are skipped to find the first line with content.
const MAX_BLANK_LINES: usize = 64;

/// Moves the comment to the top; removes it if the top has an equal one. No fix if the top has a
/// different one.
fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let line = file.line(diagnostic.line?)?;
    let bytes = |line: &abide::syntax::Line| line.span.of(file.text()).trim_ascii();
    let mut lines = file.robots.lines().iter().take(MAX_BLANK_LINES);
    let first = lines.find(|line| !bytes(line).is_empty())?;
    let comment = bytes(line);
    if bytes(first) == comment {
        let title = "remove the comment";
        return Some(Fix::remove(Safety::Safe, title, File::whole(line)));
    }
    if bytes(first).starts_with(b"##") {
        return None;
    }
    let mut moved = comment.to_vec();
    moved.extend_from_slice(line_end(line));
    let edits = vec![edit(top(file), moved), edit(File::whole(line), Vec::new())];
    fix(Safety::Safe, "move the comment to the top", edits)
}

//! `content-signal-outside-group`: reports a diagnostic of the engine.

use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::Rule;
use abide::{Code, Diagnostic};

pub(crate) static RULE: Rule = Rule::engine(
    Code::ContentSignalOutsideGroup,
    include_str!("content_signal_outside_group.md"),
)
.with_fix(fix_for);

/// The line moves into the first group for all robots, behind its user-agent lines.
fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let line = file.line(diagnostic.line?)?;
    let mut groups = (0..file.addressees.len()).filter(|group| file.is_for_anybody(*group));
    let starters = &file.robots.groups().get(groups.next()?)?.starters;
    let last = file.robots.lines().get(*starters.last()?)?;
    let title = "move it into the group for *";
    Some(file.moved(Safety::Unsafe, title, line, last))
}

//! `preference-only-group`: reports a diagnostic of the engine.

use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::Rule;
use abide::{Code, Diagnostic, Span};

pub(crate) static RULE: Rule = Rule::engine(
    Code::PreferenceOnlyGroup,
    include_str!("preference_only_group.md"),
)
.with_fix(fix_for)
.instead_of(&["groups-run-together"]);

/// An empty rule ends the group, and allows and disallows nothing. It follows the last field above
/// the user-agent line, so that comments stay with what they are about.
fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let number = diagnostic.line?;
    let lines = file.robots.lines().iter();
    let mut above = lines.rev().skip_while(|line| line.number >= number);
    let last = above.find(|line| line.field().is_some())?;
    let end = File::whole(last).end;
    let line_end = std::str::from_utf8(last.ending.as_bytes()).ok()?;
    let title = "end the group with an empty Allow";
    let span = Span::new(end, end);
    Some(Fix::replace(
        Safety::Unsafe,
        title,
        span,
        format!("Allow:{line_end}"),
    ))
}

//! `unreadable-line`: a line that is not a field.

use crate::file::File;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;
use abide::syntax::Content;

pub(crate) static RULE: Rule = Rule::new(
    "unreadable-line",
    Severity::Warning,
    include_str!("unreadable_line.md"),
    RuleCheck::File(check),
);

fn check(file: &File<'_>, found: &mut Findings) {
    for line in file.robots.lines() {
        if line.content == Content::Unreadable {
            let message = "robots ignore this line: it is neither \"field: value\" nor a comment";
            found.say(Some(line.number), line.span, message);
        }
    }
}

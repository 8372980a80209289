//! `no-fields`: text that is not a robots.txt.

use crate::file::File;
use crate::rule::{Findings, OF_LINES, Rule, RuleCheck};
use abide::Severity;
use abide::Span;
use abide::syntax::{Content, FieldKind};

pub(crate) static RULE: Rule = Rule::new(
    "no-fields",
    Severity::Warning,
    include_str!("no_fields.md"),
    RuleCheck::File(check),
)
.instead_of(OF_LINES);

fn check(file: &File<'_>, found: &mut Findings) {
    if file.has_no_fields() && file.robots.foreign_body().is_none() {
        let message = "no line is a robots.txt field: robots may crawl the whole site";
        found.say(None, Span::default(), message);
    }
}

impl File<'_> {
    /// Whether the file has text, but no field that robots read.
    pub(crate) fn has_no_fields(&self) -> bool {
        let mut lines = self.robots.lines().iter();
        let has_text = lines.any(|line| line.content != Content::Blank);
        has_text
            && self.fields().all(|(line, field)| {
                field.kind == FieldKind::Other && !self.robots.is_preference(line)
            })
    }
}

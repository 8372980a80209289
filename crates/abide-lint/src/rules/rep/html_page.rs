//! `html-page`: an HTML page instead of a robots.txt.

use crate::file::File;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;
use abide::Span;

pub(crate) static RULE: Rule = Rule::new(
    "html-page",
    Severity::Error,
    include_str!("html_page.md"),
    RuleCheck::File(check),
)
.instead_of(&[
    "unreadable-line",
    "unknown-field",
    "control-char",
    "missing-colon",
]);

fn check(file: &File<'_>, found: &mut Findings) {
    if file.is_html() {
        let message = "this is an HTML page, not a robots.txt: robots find no rules, and may crawl the whole site";
        found.say(None, Span::default(), message);
    }
}

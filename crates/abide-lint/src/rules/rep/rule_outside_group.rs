//! `rule-outside-group`: reports a diagnostic of the engine.

use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::Rule;
use abide::Span;
use abide::preference::Vocabulary;
use abide::syntax::{FieldKind, Line};
use abide::{Code, Diagnostic};
use abide_analysis::preferences::latest;

pub(crate) static RULE: Rule = Rule::engine(
    Code::RuleOutsideGroup,
    include_str!("rule_outside_group.md"),
)
.with_fix(fix_for);

/// All rules before the first group become a group for all robots. Because it has a rule, the next
/// user-agent line begins a new group and does not share these rules.
fn fix_for(file: &File<'_>, _: &Diagnostic) -> Option<Fix> {
    let before_groups = || {
        file.robots
            .lines()
            .iter()
            .filter(|line| line.group.is_none())
    };
    let is_rule = |line: &Line| file.robots.rule(line).is_some();
    // Without a rule among them, they would share the group of the next user-agent line.
    if !before_groups().any(is_rule) {
        return None;
    }
    let states_usage = |line: &Line| {
        let stated = file.robots.preference_statement(line, latest());
        stated.is_some_and(|stated| stated.vocabulary == Vocabulary::ContentUsage)
    };
    let is_of_a_group = |line: &Line| {
        let kind = line.field().map(|field| field.kind);
        matches!(kind, Some(FieldKind::AppDirectives | FieldKind::CrawlDelay))
    };
    let first =
        before_groups().find(|line| is_rule(line) || is_of_a_group(line) || states_usage(line))?;
    let end = match first.ending.as_bytes() {
        [] => b"\n",
        end => end,
    };
    let before = Span::new(first.span.start, first.span.start);
    let starter = [b"User-agent: *", end].concat();
    let title = "begin a group for all robots";
    Some(Fix::replace(Safety::Unsafe, title, before, starter))
}

//! `rule-outside-group`: reports a diagnostic of the engine.

use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::Rule;
use abide::Span;
use abide::syntax::Line;
use abide::{Code, Diagnostic};

pub(crate) static RULE: Rule = Rule::engine(
    Code::RuleOutsideGroup,
    include_str!("rule_outside_group.md"),
)
.with_fix(fix_for);

/// All rules before the first group become a group for all robots. Because it has a rule, the next
/// user-agent line begins a new group and does not share these rules.
fn fix_for(file: &File<'_>, _: &Diagnostic) -> Option<Fix> {
    let is_outside = |line: &&Line| line.group.is_none() && file.robots.rule(line).is_some();
    let first = file.robots.lines().iter().find(is_outside)?;
    let end = match first.ending.as_bytes() {
        [] => b"\n",
        end => end,
    };
    let before = Span::new(first.span.start, first.span.start);
    let starter = [b"User-agent: *", end].concat();
    let title = "begin a group for all robots";
    Some(Fix::replace(Safety::Unsafe, title, before, starter))
}

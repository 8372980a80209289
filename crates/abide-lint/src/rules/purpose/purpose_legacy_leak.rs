//! `purpose-legacy-leak`: rules for a purpose that older parsers apply to other robots.

use crate::file::File;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;
use abide::syntax::FieldKind;

pub(crate) static RULE: Rule = Rule::new(
    "purpose-legacy-leak",
    Severity::Error,
    include_str!("purpose_legacy_leak.md"),
    RuleCheck::File(check),
);

fn check(file: &File<'_>, found: &mut Findings) {
    let groups = file.robots.groups();
    for (before, group) in groups.iter().skip(1).enumerate() {
        let lines: Vec<_> = group
            .starters
            .iter()
            .filter_map(|at| file.robots.lines().get(*at))
            .collect();
        let is_for_purposes = lines.iter().all(|line| {
            line.field()
                .is_some_and(|field| field.kind == FieldKind::UserAgentPurpose)
        });
        let (true, false, Some(first)) = (is_for_purposes, group.rules.is_empty(), lines.first())
        else {
            continue;
        };
        let diagnostic = file.effect_for_legacy(before);
        let shown = diagnostic.map_or_else(String::new, |diagnostic| format!(": {diagnostic}"));
        let message = format!(
            "robots that do not know purposes add these rules to the group before{shown}; put groups for purposes first"
        );
        found.say(Some(first.number), first.span, message);
    }
}

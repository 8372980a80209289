//! `group-boundary-divergence`: App-Directives that end a group for some parsers only.

use crate::file::File;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;
use abide::syntax::FieldKind;

pub(crate) static RULE: Rule = Rule::new(
    "group-boundary-divergence",
    Severity::Error,
    include_str!("group_boundary_divergence.md"),
    RuleCheck::File(check),
);

fn check(file: &File<'_>, found: &mut Findings) {
    let kind = |at: &usize| {
        file.robots
            .lines()
            .get(*at)?
            .field()
            .map(|field| field.kind)
    };
    let groups = file.robots.groups();
    for (at, (group, next)) in groups.iter().zip(groups.iter().skip(1)).enumerate() {
        let has_directives = group
            .rules
            .iter()
            .any(|at| kind(at) == Some(FieldKind::AppDirectives));
        let has_rules = group
            .rules
            .iter()
            .any(|at| kind(at) != Some(FieldKind::AppDirectives));
        let starter = next
            .starters
            .first()
            .and_then(|at| file.robots.lines().get(*at));
        let (true, false, Some(starter)) = (has_directives, has_rules, starter) else {
            continue;
        };
        if let Some(diagnostic) = file.effect_for_legacy(at) {
            let message = format!(
                "robots that do not know App-Directives do not end a group here: {diagnostic}, which this group does not say"
            );
            found.say(Some(starter.number), starter.span, message);
        }
    }
}

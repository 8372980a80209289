//! `group-boundary-divergence`: App-Directives that end a group for some, and not for others.

use crate::file::File;
use crate::rule::{Check, Found, Rule};
use abide::Severity;
use abide::rep::FieldKind;

pub(crate) static RULE: Rule = Rule::new(
    "group-boundary-divergence",
    Severity::Error,
    include_str!("group_boundary_divergence.md"),
    Check::File(check),
);

fn check(file: &File<'_>, found: &mut Found) {
    let kind = |at: &usize| file.robots.lines().get(*at)?.field().map(|field| field.kind);
    let groups = file.robots.groups();
    for (group, next) in groups.iter().zip(groups.iter().skip(1)) {
        let has_directives = group.rules.iter().any(|at| kind(at) == Some(FieldKind::AppDirectives));
        let has_rules = group.rules.iter().any(|at| kind(at) != Some(FieldKind::AppDirectives));
        let starter = next.starters.first().and_then(|at| file.robots.lines().get(*at));
        let (true, false, Some(starter)) = (has_directives, has_rules, starter) else {
            continue;
        };
        let agents = file.named_by(group);
        let differing = file.differences().iter().find(|one| one.aware != one.legacy && agents.contains(&one.agent));
        if let Some(one) = differing {
            let message = format!(
                "robots that do not know App-Directives do not end a group here: for {} they {} {}, which this group does not say",
                one.agent, if one.legacy { "allow" } else { "disallow" }, one.shown_path()
            );
            found.say(Some(starter.number), starter.span, message);
        }
    }
}

//! `shadowed-rule`: a stronger rule covers all its paths.

use crate::facts::UnusedRule;
use crate::file::File;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;
use abide::syntax::Line;

pub(crate) static RULE: Rule = Rule::new(
    "shadowed-rule",
    Severity::Warning,
    include_str!("shadowed_rule.md"),
    RuleCheck::File(check),
)
.or(Severity::Info);

fn check(file: &File<'_>, found: &mut Findings) {
    for (rule, why) in file.unused_rules() {
        if let UnusedRule::Shadowed(by) = why {
            let message = format!(
                "never used: line {by} matches every path that this line matches, and takes precedence"
            );
            let place = found.say(Some(rule.number), File::statement(rule), message);
            let sense = |line: &Line| file.robots.rule(line).map(|rule| rule.sense);
            let is_same = file.line(*by).and_then(sense) == sense(rule);
            let severity = if is_same {
                Severity::Info
            } else {
                Severity::Warning
            };
            file.relate(place.severity(severity), *by, "this one decides");
        }
    }
}

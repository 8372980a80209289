//! `redundant-rule`: a rule that changes no decision.

use crate::facts::UnusedRule;
use crate::file::File;
use crate::finding::Safety;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;

pub(crate) static RULE: Rule = Rule::new(
    "redundant-rule",
    Severity::Info,
    include_str!("redundant_rule.md"),
    RuleCheck::File(check),
);

fn check(file: &File<'_>, found: &mut Findings) {
    for (rule, why) in file.unused_rules() {
        let UnusedRule::Redundant(because_of) = why else {
            continue;
        };
        // Advice to remove a rule is wrong if the covering rule is only there by accident, or comes
        // from a group that may be removed or split.
        let covering = because_of.and_then(|line| file.line(line));
        if covering.is_some_and(|line| line.group != rule.group) || file.runs_together(rule.group) {
            continue;
        }
        let message = match because_of {
            Some(line) => {
                format!("redundant: line {line} already covers these paths")
            }
            None => "no effect: nothing disallows these paths".to_owned(),
        };
        let place = found.say(Some(rule.number), File::statement(rule), message);
        let place = place.fix(file.without(rule, Safety::Unsafe));
        if let Some(line) = because_of {
            file.relate(place, *line, "covers it");
        }
    }
}

//! `cancelled-rule`: the same paths with the opposite sense.

use crate::facts::UnusedRule;
use crate::file::File;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;

pub(crate) static RULE: Rule = Rule::new(
    "cancelled-rule",
    Severity::Warning,
    include_str!("cancelled_rule.md"),
    RuleCheck::File(check),
);

fn check(file: &File<'_>, found: &mut Findings) {
    for (rule, why) in file.unused_rules() {
        if let UnusedRule::Cancelled(by) = why {
            let message = format!(
                "never used: line {by} says the opposite for the same paths, and takes precedence"
            );
            let place = found.say(Some(rule.number), File::statement(rule), message);
            file.relate(place, *by, "this one decides");
        }
    }
}

//! `duplicate-rule`: the same paths, the same sense.

use crate::facts::UnusedRule;
use crate::file::File;
use crate::finding::Safety;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;

pub(crate) static RULE: Rule = Rule::new(
    "duplicate-rule",
    Severity::Info,
    include_str!("duplicate_rule.md"),
    RuleCheck::File(check),
);

fn check(file: &File<'_>, found: &mut Findings) {
    // ACAP fields refer to rules with exactly the same pattern (CLA-2).
    let has_acap = file.robots.acap_lines().next().is_some();
    for (rule, why) in file.unused_rules() {
        if let UnusedRule::Duplicate(of) = why {
            let other = file.line(*of);
            // Once a wrong line is corrected, this one is not its duplicate.
            if other.is_some_and(|other| file.is_doubtful(other)) {
                continue;
            }
            // Robots with names that are not product tokens may find only one of two groups
            // (AMB-REP-7).
            let is_beside = other.is_some_and(|other| other.group == rule.group);
            let safety = if is_beside && !has_acap {
                Safety::Safe
            } else {
                Safety::Unsafe
            };
            let message = format!("duplicate of line {of}");
            let place = found.say(Some(rule.number), File::statement(rule), message);
            let place = place.fix(file.without(rule, safety));
            file.relate(place, *of, "the same paths");
        }
    }
}

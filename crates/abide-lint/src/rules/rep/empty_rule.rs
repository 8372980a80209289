//! `empty-rule`: an empty pattern among others.

use crate::file::File;
use crate::finding::Safety;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;
use abide::syntax::Group;
use abide::verdict::Sense;

pub(crate) static RULE: Rule = Rule::new(
    "empty-rule",
    Severity::Info,
    include_str!("empty_rule.md"),
    RuleCheck::File(check),
);

/// Whether lines of the group state AI preferences.
fn has_preferences(file: &File<'_>, group: &Group) -> bool {
    let lines = group.others.iter();
    let mut lines = lines.filter_map(|at| file.robots.lines().get(*at));
    lines.any(|line| file.robots.is_preference(line))
}

fn check(file: &File<'_>, found: &mut Findings) {
    for (rules, group) in file.rules.iter().zip(file.robots.groups()) {
        let speaks = rules.iter().any(|rule| !rule.value.is_empty());
        for rule in rules.iter().filter(|rule| rule.value.is_empty()) {
            let message = match rule.sense {
                // It ends a group of preferences, which the next user-agent line would join.
                Sense::Allow if rules.len() == 1 && has_preferences(file, group) => continue,
                Sense::Allow => "an empty Allow has no effect",
                Sense::Disallow if speaks => "an empty Disallow has no effect next to other rules",
                // An empty `Disallow` alone is the original way to allow everything.
                Sense::Disallow => continue,
            };
            let place = found.say(Some(rule.line.number), rule.line.span, message);
            if speaks {
                place.fix(file.without(rule.line, Safety::Safe));
            }
        }
    }
}

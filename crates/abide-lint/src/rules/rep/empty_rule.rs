//! `empty-rule`: an empty pattern among others.

use crate::file::File;
use crate::finding::Safety;
use crate::rule::{Check, Found, Rule};
use abide::Severity;
use abide::verdict::Sense;

pub(crate) static RULE: Rule = Rule::new(
    "empty-rule",
    Severity::Info,
    include_str!("empty_rule.md"),
    Check::File(check),
);

fn check(file: &File<'_>, found: &mut Found) {
    for rules in &file.rules {
        let speaks = rules.iter().any(|rule| !rule.value.is_empty());
        for rule in rules.iter().filter(|rule| rule.value.is_empty()) {
            let message = match rule.sense {
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

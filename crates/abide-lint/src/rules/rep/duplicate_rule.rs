//! `duplicate-rule`: the same paths, the same sense.

use crate::file::File;
use crate::finding::Safety;
use crate::rule::{Check, Found, Rule};
use crate::standing::Standing;
use abide::Severity;

pub(crate) static RULE: Rule = Rule::new(
    "duplicate-rule",
    Severity::Warning,
    include_str!("duplicate_rule.md"),
    Check::File(check),
);

fn check(file: &File<'_>, found: &mut Found) {
    // ACAP looks for rules on the very same pattern (CLA-2).
    let safety = match file.robots.acap_lines().next() {
        None => Safety::Safe,
        Some(_) => Safety::Unsafe,
    };
    for (rule, standing) in file.standings() {
        if let Standing::Duplicate(of) = standing {
            let message = format!("line {of} says so already");
            let place = found.say(Some(rule.number), File::statement(rule), message);
            let place = if file.is_first_of_its_group(rule) { place } else { place.fix(File::without(rule, safety)) };
            file.relate(place, *of, "the same paths");
        }
    }
}

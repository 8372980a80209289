//! `purpose-star`: a `*` that was meant for all purposes.

use crate::file::File;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;
use abide::syntax::FieldKind;

pub(crate) static RULE: Rule = Rule::new(
    "purpose-star",
    Severity::Error,
    include_str!("purpose_star.md"),
    RuleCheck::File(check),
);

fn check(file: &File<'_>, found: &mut Findings) {
    for (line, field, value) in file.fields_of(FieldKind::UserAgentPurpose) {
        if value == b"*" {
            let message = "`*` is not a purpose, so these rules have no effect; for all robots write `User-agent: *`";
            found.say(Some(line.number), field.value, message);
        }
    }
}

//! `mixed-protocols`: several kinds of records in one file.

use crate::file::File;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;
use abide::Span;
use abide::syntax::FieldKind;

pub(crate) static RULE: Rule = Rule::new(
    "mixed-protocols",
    Severity::Info,
    include_str!("mixed_protocols.md"),
    RuleCheck::File(check),
);

fn check(file: &File<'_>, found: &mut Findings) {
    let has = |kind| file.fields_of(kind).next().is_some();
    let has_rules = file.rules.iter().any(|rules| !rules.is_empty());
    let mut sentences = Vec::new();
    if has(FieldKind::UserAgentPurpose) {
        sentences.push("groups for a purpose count for robots without a group of their own name");
    }
    if has(FieldKind::AppDirectives) {
        sentences.push("App-Directives are read by applications, from the group of their product token or else from \"*\"");
    }
    if has(FieldKind::Acap) {
        sentences.push("ACAP records add to each other: one for a crawler overrides the one for \"*\" only where it speaks");
    }
    if has_rules && !sentences.is_empty() {
        let message = format!(
            "a robot with a group of its own ignores all other groups; {}",
            sentences.join("; ")
        );
        found.say(None, Span::default(), message);
    }
}

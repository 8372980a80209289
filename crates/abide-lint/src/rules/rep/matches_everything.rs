//! `matches-everything`: a pattern that closes the whole site, but does not look like it.

use crate::file::File;
use crate::rule::{Check, Found, Rule};
use abide::Severity;
use abide::verdict::Sense;

pub(crate) static RULE: Rule = Rule::new(
    "matches-everything",
    Severity::Warning,
    include_str!("matches_everything.md"),
    Check::File(check),
);

fn check(file: &File<'_>, found: &mut Found) {
    let closed = file
        .rules
        .iter()
        .filter(|rules| rules.iter().all(|rule| rule.sense == Sense::Disallow));
    for rule in closed.flatten() {
        let is_everything = match rule.value {
            b"" | b"/" => false,
            value => {
                let body = value.strip_suffix(b"$").unwrap_or(value);
                let rest = body.strip_prefix(b"/").unwrap_or(body);
                let has_end = body.len() == value.len() || rest.ends_with(b"*");
                has_end && rest.iter().all(|&byte| byte == b'*') || value == b"*/"
            }
        };
        if is_everything && rule.sense == Sense::Disallow {
            let value = crate::file::shown(rule.value);
            let message = format!(
                "{value} matches every path: the robots of this group may not crawl anything"
            );
            found.say(Some(rule.line.number), File::statement(rule.line), message);
        }
    }
}

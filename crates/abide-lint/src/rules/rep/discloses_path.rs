//! `discloses-path`: a path that shows attackers where to look.

use crate::file::File;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;
use abide::verdict::Sense;

pub(crate) static RULE: Rule = Rule::new(
    "discloses-path",
    Severity::Info,
    include_str!("discloses_path.md"),
    RuleCheck::File(check),
);

/// Words for things that are not public. Well-known paths such as `/admin` and `/wp-admin` tell
/// nobody anything, so their words are not here. They count between punctuation, anywhere in a
/// path.
const WORDS: [&str; 18] = [
    "backup",
    "backups",
    "bak",
    "confidential",
    "credentials",
    "dump",
    "env",
    "git",
    "htpasswd",
    "internal",
    "intranet",
    "passwd",
    "password",
    "passwords",
    "phpmyadmin",
    "secret",
    "secrets",
    "sql",
];

fn check(file: &File<'_>, found: &mut Findings) {
    for rule in file
        .rules
        .iter()
        .flatten()
        .filter(|rule| rule.sense == Sense::Disallow)
    {
        let mut words = rule
            .value
            .split(|byte| matches!(byte, b'/' | b'.' | b'*' | b'$' | b'?' | b'_'));
        let hint = words.find(|word| {
            WORDS
                .iter()
                .any(|known| word.eq_ignore_ascii_case(known.as_bytes()))
        });
        if let Some(hint) = hint {
            let hint = crate::file::shown(hint);
            let message =
                format!("anyone can read {hint} in this file; robots.txt does not protect it");
            found.say(Some(rule.line.number), File::statement(rule.line), message);
        }
    }
}

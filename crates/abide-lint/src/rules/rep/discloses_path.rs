//! `discloses-path`: a path that shows attackers where to look.

use crate::file::File;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;
use abide::app::field::Directives;
use abide::syntax::{FieldKind, Line};
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
    let rules = file.rules.iter().flatten();
    for rule in rules.filter(|rule| rule.sense == Sense::Disallow) {
        report(rule.line, rule.value, found);
    }
    for (line, _, value) in file.fields_of(FieldKind::AppDirectives) {
        if let Some(path) = Directives::read(value).and_then(|directives| directives.path) {
            report(line, path, found);
        }
    }
}

/// Whether every visitor finds the form at a path: `/user/password` of Drupal, `/password/reset`.
fn is_public(path: &[u8], word: &[u8]) -> bool {
    const FORMS: [&[u8]; 9] = [
        b"account",
        b"change",
        b"forgot",
        b"forgotten",
        b"login",
        b"lost",
        b"recover",
        b"reset",
        b"user",
    ];
    let mut words = path.split(|byte| !byte.is_ascii_alphanumeric());
    word.eq_ignore_ascii_case(b"password")
        && words.any(|one| FORMS.iter().any(|form| one.eq_ignore_ascii_case(form)))
}

/// Reports a path with one of the words.
fn report(line: &Line, path: &[u8], found: &mut Findings) {
    let mut words = path.split(|byte| matches!(byte, b'/' | b'.' | b'*' | b'$' | b'?' | b'_'));
    let is_one = |word: &&[u8]| {
        let mut known = WORDS.iter();
        known.any(|known| word.eq_ignore_ascii_case(known.as_bytes()))
    };
    if let Some(hint) = words.find(|word| is_one(word) && !is_public(path, word)) {
        let hint = abide::explain::shown(hint);
        let message =
            format!("anyone can read {hint} in this file; robots.txt does not protect it");
        found.say(Some(line.number), File::statement(line), message);
    }
}

//! `several-paths`: several paths in one rule.

use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::{Findings, Rule, RuleCheck};
use abide::{Severity, Span};

pub(crate) static RULE: Rule = Rule::new(
    "several-paths",
    Severity::Warning,
    include_str!("several_paths.md"),
    RuleCheck::File(check),
)
.or(Severity::Info)
.instead_of(&[
    "pattern-space",
    "readings-differ",
    "regular-expression",
    "url-not-as-sent",
])
.doubting_line();

fn check(file: &File<'_>, found: &mut Findings) {
    for rule in file.rules.iter().flatten() {
        let Some(field) = rule.line.field() else {
            continue;
        };
        if let Some((path, mark)) = with_mark(rule.value) {
            let message =
                format!("robots read the {mark} at the end as part of the path; delete it");
            let place = found.say(Some(rule.line.number), File::statement(rule.line), message);
            let title = format!("delete the {mark}");
            let place = place.severity(Severity::Info);
            place.fix(Fix::replace(Safety::Unsafe, title, field.value, path));
            continue;
        }
        let Some(paths) = paths(rule.value) else {
            continue;
        };
        let count = match paths.len() {
            2 => "two".to_owned(),
            count => count.to_string(),
        };
        let message =
            format!("{count} paths on one line: robots read them as one path; write one line each");
        let key = Span::new(rule.line.span.start, field.value.start);
        let end = match rule.line.ending.as_bytes() {
            [] => b"\n",
            end => end,
        };
        let between = [end, key.of(file.text())].concat();
        let place = found.say(Some(rule.line.number), File::statement(rule.line), message);
        place.fix(Fix::replace(
            Safety::Unsafe,
            "write each path on a line of its own",
            field.value,
            paths.join(&between[..]),
        ));
    }
}

/// A path with a comma or semicolon behind it, as lists have. Behind `*` it can be meant.
fn with_mark(value: &[u8]) -> Option<(&[u8], char)> {
    let (mark, path) = value
        .split_last()
        .filter(|(mark, _)| b",;".contains(mark))?;
    let is_meant = path.iter().any(|byte| b"*?,;| \t".contains(byte));
    let is_path = path.starts_with(b"/") && path.len() > 1;
    (is_path && !is_meant).then_some((path, char::from(*mark)))
}

/// The paths in the value of a rule, if there are several. In a query anything may follow.
fn paths(value: &[u8]) -> Option<Vec<&[u8]>> {
    let parts = value.split(|byte| b",;| \t".contains(byte));
    let parts: Vec<&[u8]> = parts.filter(|part| !part.is_empty()).collect();
    let is_path =
        |part: &&[u8]| part.starts_with(b"/") && part.iter().any(u8::is_ascii_alphanumeric);
    (parts.len() > 1 && !value.contains(&b'?') && parts.iter().all(is_path)).then_some(parts)
}

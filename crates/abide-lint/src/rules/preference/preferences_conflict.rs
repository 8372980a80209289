//! `preferences-conflict`: two vocabularies that contradict each other.

use crate::file::File;
use crate::rule::{Findings, Rule};
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::PreferencesConflict,
    include_str!("preferences_conflict.md"),
)
.with_check(check);

/// The engine reports a conflict in a decision about a URL; this tries URLs.
fn check(file: &File<'_>, found: &mut Findings) {
    for one in file.disagreements() {
        if one.has_same_statements {
            continue;
        }
        let Some(line) = file.line(one.line) else {
            continue;
        };
        let message = format!("{} ({} at {})", one.message, one.who(), one.path);
        found.say(Some(one.line), File::statement(line), message);
    }
}

//! `dialects-differ-by-path`: the same statements in two vocabularies, which choose between them in
//! different ways.

use crate::file::File;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;

pub(crate) static RULE: Rule = Rule::new(
    "dialects-differ-by-path",
    Severity::Warning,
    include_str!("dialects_differ_by_path.md"),
    RuleCheck::File(check),
);

fn check(file: &File<'_>, found: &mut Findings) {
    for one in file.disagreements() {
        if !one.has_same_statements {
            continue;
        }
        let Some(line) = file.line(one.line) else {
            continue;
        };
        let message = format!(
            "at {} {} for {}, although both have the same statements: repeat every word for each path",
            one.path,
            one.message,
            one.who()
        );
        found.say(Some(one.line), File::statement(line), message);
    }
}

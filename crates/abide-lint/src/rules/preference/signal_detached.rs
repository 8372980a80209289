//! `signal-detached`: a blank line or a sitemap before a signal, where some robots end the group.

use crate::file::File;
use crate::finding::Safety;
use crate::rule::{Check, Found, Rule};
use abide::Severity;
use abide::preference::Vocabulary;
use abide::syntax::{Content, FieldKind, Line};

pub(crate) static RULE: Rule = Rule::new(
    "signal-detached",
    Severity::Warning,
    include_str!("signal_detached.md"),
    Check::File(check),
);

fn check(file: &File<'_>, found: &mut Found) {
    // The last line of the group so far, and what divides it from here.
    let mut last: Option<&Line> = None;
    let mut divider: Option<&'static str> = None;
    for line in file.robots.lines() {
        let Some(field) = line.field() else {
            if line.content == Content::Blank && line.comment.is_none() {
                divider.get_or_insert("a blank line");
            }
            continue;
        };
        let is_signal = file
            .preference(line)
            .is_some_and(|at| at.stated.vocabulary == Vocabulary::ContentSignal);
        match (field.kind, divider, last) {
            (FieldKind::Sitemap, ..) => {
                divider.get_or_insert("a Sitemap line");
            }
            (_, Some(divider), Some(last)) if is_signal && line.group.is_some() => {
                let message = format!(
                    "{divider} divides this signal from its group, where some robots end the group; move it up behind line {}",
                    last.number
                );
                let title = "move it to the lines of its group";
                let fix = file.moved(Safety::Safe, title, line, last);
                let place = found.say(Some(line.number), File::statement(line), message);
                file.relate(place.fix(fix), last.number, "the group's last line");
            }
            _ => (last, divider) = (Some(line), None),
        }
    }
}

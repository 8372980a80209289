//! `licence-in-last-group`: a licence behind the rules of the last group.

use crate::file::File;
use crate::finding::{Edit, Fix, Safety};
use crate::rule::{Findings, Rule, RuleCheck};
use abide::syntax::{FieldKind, Line};
use abide::{Severity, Span, Target};

pub(crate) static RULE: Rule = Rule::new(
    "licence-in-last-group",
    Severity::Warning,
    include_str!("licence_in_last_group.md"),
    RuleCheck::File(check),
);

fn check(file: &File<'_>, found: &mut Findings) {
    let groups = file.robots.groups();
    let Some((last, group)) = groups.len().checked_sub(1).zip(groups.last()) else {
        return;
    };
    // One group for everybody means the same wherever its licence is.
    let Some(rules_end) = group.rules.last().filter(|_| last > 0) else {
        return;
    };
    for (line, field, value) in file.fields_of(FieldKind::Other) {
        let is_licence = field.key.of(file.text()).eq_ignore_ascii_case(b"license");
        let is_behind = line.group == Some(last) && line.number as usize > rules_end + 1;
        if !is_licence || !is_behind || !is_url(value) {
            continue;
        }
        let message = "this licence is only for the robots of the last group, although programs \
                       that follow the guide of RSL read it for all robots; if it is for all, move \
                       it to the top";
        let finding = found.say(Some(line.number), File::statement(line), message);
        finding.fix(to_the_top(file, line));
    }
}

fn is_url(value: &[u8]) -> bool {
    let url = std::str::from_utf8(value).ok();
    url.is_some_and(|url| Target::new(url).is_ok_and(|target| target.is_web()))
}

/// Moves a line before everything else.
fn to_the_top(file: &File<'_>, line: &Line) -> Fix {
    let start = u32::try_from(file.robots.text().body()).unwrap_or_default();
    let statement = line.span.of(file.text());
    Fix {
        safety: Safety::Unsafe,
        title: "move the line to the top".into(),
        edits: vec![
            Edit {
                span: Span::new(start, start),
                replacement: [statement, b"\n"].concat(),
            },
            Edit {
                span: File::whole(line),
                replacement: Vec::new(),
            },
        ],
    }
}

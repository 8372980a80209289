//! `rules-behind-limit`: rules after the parsing limit, which robots may ignore.

use crate::file::File;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::syntax::{Content, FieldKind, Fields, preference_vocabulary};
use abide::syntax::{Encoding, Text};
use abide::{Limits, Span};
use abide::{Profile, Severity};

pub(crate) static RULE: Rule = Rule::new(
    "rules-behind-limit",
    Severity::Error,
    include_str!("rules_behind_limit.md"),
    RuleCheck::File(check),
)
.or(Severity::Warning);

fn check(file: &File<'_>, found: &mut Findings) {
    let read = file.robots.text();
    if !read.is_truncated() || !matches!(read.encoding(), Encoding::Utf8 | Encoding::NotUtf8) {
        return;
    }
    if file.context.is_cut {
        let message = "rules may follow after byte 512,000, where robots may stop reading";
        let place = found.say(None, Span::default(), message);
        place.severity(Severity::Warning);
        return;
    }
    let behind = file.bytes.get(read.as_bytes().len()..).unwrap_or_default();
    let behind = Text::new(behind, Limits::GOOGLE);
    let is_rule = |content: &Content| match content {
        Content::Field(field) => {
            let key = field.key.of(behind.as_bytes());
            let states = preference_vocabulary(key).is_some();
            field.kind.is_rule() || field.kind == FieldKind::UserAgent || states
        }
        _ => false,
    };
    let lost = Fields::new(&behind, Profile::Careful)
        .filter(|line| is_rule(&line.content))
        .count();
    if lost > 0 {
        let lines = match lost {
            1 => "1 line of a group is".to_owned(),
            _ => format!("{lost} lines of groups are"),
        };
        let message = format!("{lines} after byte 512,000, where robots may stop reading");
        found.say(None, Span::default(), message);
    }
}

//! `slash-comment`: a remark behind `//`, which is no comment in robots.txt.

use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::{Findings, Rule, RuleCheck};
use abide::syntax::FieldKind;
use abide::{Severity, Span};

pub(crate) static RULE: Rule = Rule::new(
    "slash-comment",
    Severity::Warning,
    include_str!("slash_comment.md"),
    RuleCheck::File(check),
)
.instead_of(&[
    "crawl-delay-value",
    "pattern-space",
    "readings-differ",
    "several-paths",
    "ua-invalid-token",
    "url-not-as-sent",
    "user-agent-line",
])
.doubting_line();

fn check(file: &File<'_>, found: &mut Findings) {
    for (line, field) in file.fields() {
        let has_value = matches!(
            field.kind,
            FieldKind::UserAgent | FieldKind::Allow | FieldKind::Disallow | FieldKind::CrawlDelay
        );
        let value = field.value.of(file.text());
        let is_path = matches!(field.kind, FieldKind::Allow | FieldKind::Disallow);
        let Some(at) = remark(value, is_path).filter(|_| has_value) else {
            continue;
        };
        let message =
            "// begins no comment: robots read it as part of the value; write # before the remark";
        let place = found.say(Some(line.number), File::statement(line), message);
        let start = u32::try_from(at).unwrap_or_default();
        let start = field.value.start.saturating_add(start);
        let marks = Span::new(start, start.saturating_add(2));
        place.fix(Fix::replace(Safety::Unsafe, "write # for //", marks, "#"));
    }
}

/// Where a remark begins: at `//` behind a blank, and behind a path with a blank behind it, too.
fn remark(value: &[u8], is_path: bool) -> Option<usize> {
    let is_blank = |byte: u8| matches!(byte, b' ' | b'\t');
    (1..value.len()).find(|&at| {
        let before = value.get(at - 1).copied().unwrap_or_default();
        let rest = value.get(at..).unwrap_or_default();
        let behind = rest.strip_prefix(b"//").map(|remark| remark.first());
        // `/a //b` may be two paths.
        let is_remark = |first: Option<&u8>| !is_path || first.is_none_or(|first| is_blank(*first));
        is_blank(before) && behind.is_some_and(is_remark)
    })
}

//! `media-type`: served with another media type.

use crate::file::File;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;
use abide::Span;

pub(crate) static RULE: Rule = Rule::new(
    "media-type",
    Severity::Warning,
    include_str!("media_type.md"),
    RuleCheck::File(check),
);

fn check(file: &File<'_>, found: &mut Findings) {
    let Some(served) = &file.context.media_type else {
        return;
    };
    let mut parts = served.split(';').map(str::trim);
    let essence = parts.next().unwrap_or_default();
    let charset = parts.find_map(|part| {
        let (name, value) = part.split_once('=')?;
        name.eq_ignore_ascii_case("charset")
            .then(|| value.trim_matches('"'))
    });
    let is_utf8 = charset.is_none_or(|charset| {
        ["utf-8", "utf8", "us-ascii"]
            .iter()
            .any(|known| known.eq_ignore_ascii_case(charset))
    });
    if !essence.eq_ignore_ascii_case("text/plain") || !is_utf8 {
        let message = format!("served as {served}; a robots.txt is text/plain in UTF-8");
        found.say(None, Span::default(), message);
    }
}

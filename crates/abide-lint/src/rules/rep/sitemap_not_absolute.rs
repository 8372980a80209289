//! `sitemap-not-absolute`: a sitemap without scheme and host.

use crate::file::File;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;
use abide::syntax::FieldKind;

pub(crate) static RULE: Rule = Rule::new(
    "sitemap-not-absolute",
    Severity::Warning,
    include_str!("sitemap_not_absolute.md"),
    RuleCheck::File(check),
);

fn check(file: &File<'_>, found: &mut Findings) {
    for (line, field, value) in file.fields_of(FieldKind::Sitemap) {
        let start = value.get(..8).unwrap_or(value).to_ascii_lowercase();
        if !start.starts_with(b"http://") && !start.starts_with(b"https://") {
            let message = "a sitemap needs a full URL, such as https://example.com/sitemap.xml";
            let span = if value.is_empty() {
                line.span
            } else {
                field.value
            };
            found.say(Some(line.number), span, message);
        }
    }
}

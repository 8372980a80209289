//! `crawl-delay-value`: a delay that is no number.

use crate::file::File;
use crate::rule::{Check, Found, Rule};
use abide::Severity;
use abide::rep::{CrawlDelay, FieldKind};

pub(crate) static RULE: Rule = Rule::new(
    "crawl-delay-value",
    Severity::Warning,
    include_str!("crawl_delay_value.md"),
    Check::File(check),
);

fn check(file: &File<'_>, found: &mut Found) {
    for (line, field, value) in file.fields_of(FieldKind::CrawlDelay) {
        if CrawlDelay::read(value).is_none() {
            let message = "a delay is a number of seconds, such as 10 or 0.5";
            let span = if value.is_empty() {
                line.span
            } else {
                field.value
            };
            found.say(Some(line.number), span, message);
        }
    }
}

//! `crawl-delay-long`: a delay that leaves robots with a few pages a day.

use crate::file::File;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;
use abide::rep::CrawlDelay;
use abide::syntax::FieldKind;

pub(crate) static RULE: Rule = Rule::new(
    "crawl-delay-long",
    Severity::Warning,
    include_str!("crawl_delay_long.md"),
    RuleCheck::File(check),
)
.or(Severity::Info);

/// The shortest delay that is reported, in seconds: with it, a robot may fetch 288 pages a day.
const MIN_LONG_DELAY: u64 = 300;

/// The shortest delay that is a warning, in seconds: with it, a robot may fetch 144 pages a day.
const ABSURD: u64 = 600;

fn check(file: &File<'_>, found: &mut Findings) {
    const DAY: u64 = 86_400;
    for (line, field, value) in file.fields_of(FieldKind::CrawlDelay) {
        let Some(delay) = CrawlDelay::read(value) else {
            continue;
        };
        let seconds = delay.duration().as_secs();
        if seconds >= MIN_LONG_DELAY {
            let pages = DAY / seconds.max(1);
            let pages = match pages {
                0..2 => "at most 1 page".to_owned(),
                _ => format!("at most {pages} pages"),
            };
            let message = format!(
                "a robot that waits {seconds} seconds between requests fetches {pages} a day"
            );
            let severity = if seconds >= ABSURD {
                Severity::Warning
            } else {
                Severity::Info
            };
            let place = found.say(Some(line.number), field.value, message);
            place.severity(severity);
        }
    }
}

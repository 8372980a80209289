//! `crawl-delay-long`: a delay that leaves robots with a few pages a day.

use crate::crawlers;
use crate::file::File;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;
use abide::rep::CrawlDelay;
use abide::syntax::{Addressee, FieldKind, Line};
use abide_known_robots::KnownRobot;

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
            let severity = if seconds >= ABSURD && is_for_search(file, line) {
                Severity::Warning
            } else {
                Severity::Info
            };
            let place = found.say(Some(line.number), field.value, message);
            place.severity(severity);
        }
    }
}

/// Whether the names above a delay are those of search robots, or all robots: a site that slows
/// down others loses nothing. Only the names right above count: those of a delay before have their
/// own, although without a rule between them all are one group.
fn is_for_search(file: &File<'_>, delay: &Line) -> bool {
    let lines = file.robots.lines();
    let before = (delay.number as usize).saturating_sub(1);
    let above = lines.get(..before).unwrap_or_default().iter().rev();
    let fields = above.filter(|line| line.field().is_some());
    let is_name = |line: &&Line| {
        let field = line.field();
        field.is_some_and(|field| field.kind == FieldKind::UserAgent)
    };
    let mut names = fields
        .skip_while(|line| !is_name(line))
        .take_while(is_name)
        .peekable();
    let searches = |line: &Line| match file.robots.addressee(line) {
        Some(Addressee::Anybody) => true,
        Some(Addressee::Token(token)) => crawlers::known(token).is_some_and(KnownRobot::searches),
        _ => false,
    };
    names.peek().is_none() || names.any(searches)
}

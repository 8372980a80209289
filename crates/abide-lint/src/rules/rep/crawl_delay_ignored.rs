//! `crawl-delay-ignored`: a delay for a robot whose operator documents that it ignores delays.

use crate::file::File;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;
use abide::syntax::{Addressee, FieldKind};

pub(crate) static RULE: Rule = Rule::new(
    "crawl-delay-ignored",
    Severity::Info,
    include_str!("crawl_delay_ignored.md"),
    RuleCheck::File(check),
);

fn check(file: &File<'_>, found: &mut Findings) {
    for (line, field, _) in file.fields_of(FieldKind::CrawlDelay) {
        let addressees = line.group.and_then(|group| file.addressees.get(group));
        let names = addressees
            .into_iter()
            .flatten()
            .filter_map(|one| match one {
                Addressee::Token(token) => abide_known_robots::named(token),
                _ => None,
            });
        let mut ignoring = names.filter(|robot| robot.honours_crawl_delay == Some(false));
        if let Some(robot) = ignoring.next() {
            let message = format!("{} ignores Crawl-delay", robot.token);
            found.say(Some(line.number), field.key, message);
        }
    }
}

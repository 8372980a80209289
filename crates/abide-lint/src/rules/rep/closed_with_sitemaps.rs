//! `closed-with-sitemaps`: a closed site that names sitemaps.

use crate::file::File;
use crate::rule::{Check, Found, Rule};
use abide::Severity;
use abide::syntax::Addressee;
use abide::verdict::Sense;

pub(crate) static RULE: Rule = Rule::new(
    "closed-with-sitemaps",
    Severity::Warning,
    include_str!("closed_with_sitemaps.md"),
    Check::File(check),
);

fn check(file: &File<'_>, found: &mut Found) {
    let Some((sitemap, _)) = file.robots.sitemaps().next() else {
        return;
    };
    let is_for_all = |addressees: &Vec<Addressee<'_>>| addressees.contains(&Addressee::Anybody);
    let groups = file.rules.iter().zip(&file.addressees);
    let rules = || {
        let open = groups
            .clone()
            .filter(|(_, addressees)| is_for_all(addressees));
        open.flat_map(|(rules, _)| rules)
    };
    let is_open = rules().any(|rule| rule.sense == Sense::Allow && rule.pattern.is_ok());
    let closing = rules().find(|rule| {
        rule.sense == Sense::Disallow
            && rule
                .pattern
                .as_ref()
                .is_ok_and(|pattern| pattern.matches(b"/"))
            && pattern_is_all(rule.value)
    });
    if let (false, Some(rule)) = (is_open, closing) {
        let message = "the file lists sitemaps, but robots without a group of their own may not crawl anything";
        let place = found.say(Some(rule.line.number), File::statement(rule.line), message);
        file.relate(place, sitemap.number, "a sitemap");
    }
}

fn pattern_is_all(value: &[u8]) -> bool {
    value.iter().all(|byte| matches!(byte, b'/' | b'*')) && value.len() <= 2
}

//! `sitemap-disallowed`: a sitemap that robots may not fetch.

use super::unfilled_value::host_of;
use crate::file::File;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::syntax::FieldKind;
use abide::verdict::Sense;
use abide::{DecidingRule, Policy, Severity, Target};
use abide_analysis::words::enumerated;
use abide_known_robots::Robot;

pub(crate) static RULE: Rule = Rule::new(
    "sitemap-disallowed",
    Severity::Warning,
    include_str!("sitemap_disallowed.md"),
    RuleCheck::File(check),
);

/// How many sitemaps of a file are asked about.
const MAX_SITEMAPS: usize = 1_000;
/// How many robots a finding names.
const MAX_NAMES: usize = 4;

fn check(file: &File<'_>, found: &mut Findings) {
    if file.context.allow_closed || file.rules.is_empty() {
        return;
    }
    // A robot that may not even crawl the home page has no use for a sitemap.
    let let_in = |(name, robot): (String, Robot)| {
        let policy = file.policy_of(&robot)?;
        policy.allows("/").then_some((name, policy))
    };
    let others = (
        "every robot without its own group".to_owned(),
        Robot::unnamed(),
    );
    let named = file.context.mattering_robots();
    let named = named.map(|robot| (robot.to_string(), robot));
    let readers: Vec<(String, Policy)> = named.chain([others]).filter_map(let_in).collect();
    let site = file.context.site_url();
    let site = site.and_then(|url| host_of(url.as_bytes()));
    let sitemaps = || file.fields_of(FieldKind::Sitemap).take(MAX_SITEMAPS);
    // Of several hosts, nobody knows which one is that of the site.
    let mut hosts = sitemaps().filter_map(|(.., value)| host_of(value));
    let first = hosts.next();
    if site.is_none() && hosts.any(|host| Some(host) != first) {
        return;
    }
    for (line, field, value) in sitemaps() {
        // Which rules another host has is not known.
        let is_elsewhere = site
            .zip(host_of(value))
            .is_some_and(|(site, host)| !site.eq_ignore_ascii_case(host));
        let target = std::str::from_utf8(value).ok().map(Target::new);
        let Some(Ok(target)) = target.filter(|_| !is_elsewhere) else {
            continue;
        };
        let mut closed_by = None;
        let mut whom = Vec::new();
        for (name, policy) in &readers {
            if let DecidingRule::Rule { line, sense } = policy.deciding_rule(&target)
                && sense == Sense::Disallow
            {
                closed_by = Some(line);
                whom.push(name);
            }
        }
        if let Some(by) = closed_by {
            let whom = enumerated(&whom, MAX_NAMES);
            let message = format!("line {by} disallows this sitemap for {whom}");
            let place = found.say(Some(line.number), field.value, message);
            file.relate(place, by, "disallows it");
        }
    }
}

//! `sitemap-disallowed`: a sitemap that robots may not fetch.

use super::unfilled_value::{host_of, is_one_site};
use crate::file::File;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::syntax::FieldKind;
use abide::verdict::Sense;
use abide::{DecidingRule, Policy, Severity, Target};
use abide_analysis::words::enumerated;
use abide_known_robots::Robot;
use std::collections::BTreeMap;

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

/// The rules of the robots that may read sitemaps.
struct Readers {
    /// The rules for robots that matter, with the names of these.
    named: Vec<(String, Policy)>,
    /// The rules for robots that no group names.
    unnamed: Option<Policy>,
}

impl Readers {
    /// Whom each line keeps from a URL. Names of robots that follow the same line as those without
    /// a group are left out.
    fn kept_out(&self, target: &Target) -> BTreeMap<u32, Vec<&str>> {
        let closed_by = |policy: &Policy| match policy.deciding_rule(target) {
            DecidingRule::Rule {
                line,
                sense: Sense::Disallow,
            } => Some(line),
            _ => None,
        };
        let mut by_line: BTreeMap<u32, Vec<&str>> = BTreeMap::new();
        let unnamed = self.unnamed.as_ref().and_then(closed_by);
        if let Some(line) = unnamed {
            let whom = by_line.entry(line).or_default();
            whom.push("every robot without its own group");
        }
        for (name, policy) in &self.named {
            if let Some(line) = closed_by(policy).filter(|line| unnamed != Some(*line)) {
                by_line.entry(line).or_default().push(name);
            }
        }
        by_line
    }
}

fn check(file: &File<'_>, found: &mut Findings) {
    if file.context.allow_closed || file.rules.is_empty() {
        return;
    }
    // A robot that may not even crawl the home page has no use for a sitemap.
    let let_in = |(name, robot): (String, Robot)| {
        let policy = file.policy_of(&robot)?;
        policy.allows("/").then_some((name, policy))
    };
    let named = file.context.mattering_robots();
    let named = named.map(|robot| (robot.to_string(), robot));
    let readers = Readers {
        named: named.filter_map(let_in).collect(),
        unnamed: let_in((String::new(), Robot::unnamed())).map(|(_, policy)| policy),
    };
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
            .is_some_and(|(site, host)| !is_one_site(site, host));
        let target = std::str::from_utf8(value).ok().map(Target::new);
        let Some(Ok(target)) = target.filter(|_| !is_elsewhere) else {
            continue;
        };
        for (by, whom) in readers.kept_out(&target) {
            let whom = enumerated(&whom, MAX_NAMES);
            let message = format!("line {by} disallows this sitemap for {whom}");
            let place = found.say(Some(line.number), field.value, message);
            file.relate(place, by, "disallows it");
        }
    }
}

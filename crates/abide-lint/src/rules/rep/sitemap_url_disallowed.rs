//! `sitemap-url-disallowed`: rules that disallow pages that a sitemap lists.

use crate::file::File;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::explain::visible_url;
use abide::verdict::Sense;
use abide::{DecidingRule, Outcome, Policy, Severity, Target};
use abide_analysis::words::{enumerated, enumerated_of};
use abide_known_robots::Robot;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) static RULE: Rule = Rule::new(
    "sitemap-url-disallowed",
    Severity::Warning,
    include_str!("sitemap_url_disallowed.md"),
    RuleCheck::File(check),
);

/// How many URLs, and how many robots, a finding names.
const MAX_SHOWN: usize = 3;

/// The URLs that a line disallows, and for whom.
#[derive(Default)]
struct Disallowed<'u> {
    count: usize,
    first: Vec<&'u str>,
    /// The place of the last one, which is counted once for all robots.
    last: Option<usize>,
    readers: BTreeSet<usize>,
}

/// Robots that follow the same groups.
struct Readers {
    names: Vec<String>,
    /// The places of the groups; none with ACAP records, which can name each of the robots.
    groups: Option<Vec<usize>>,
    policy: Policy,
}

fn check(file: &File<'_>, found: &mut Findings) {
    let urls = &file.context.sitemap_urls;
    if file.context.allow_closed || urls.is_empty() {
        return;
    }
    let readers = readers(file);
    let mut by_line: BTreeMap<u32, Disallowed<'_>> = BTreeMap::new();
    for (place, url) in urls.iter().enumerate() {
        let Ok(target) = Target::new(url) else {
            continue;
        };
        for (at, reader) in readers.iter().enumerate() {
            if let Some(line) = disallowing_line(&reader.policy, &target) {
                by_line.entry(line).or_default().add(place, url, at);
            }
        }
    }
    for (number, disallowed) in by_line {
        if let Some(line) = file.line(number) {
            let message = disallowed.message(urls.len(), &readers);
            found.say(Some(number), File::statement(line), message);
        }
    }
}

/// The robots that matter to the site, and those without their own group.
fn readers(file: &File<'_>) -> Vec<Readers> {
    let robots = file.context.mattering_robots();
    let named = robots.map(|robot| (robot.to_string(), robot));
    let others = (
        "every robot without its own group".to_owned(),
        Robot::unnamed(),
    );
    let has_acap = file.robots.acap_lines().next().is_some();
    let mut readers: Vec<Readers> = Vec::new();
    for (name, robot) in named.chain([others]) {
        let Some(policy) = file.policy_of(&robot) else {
            continue;
        };
        let chosen = policy.chosen_groups().into_iter();
        let group = |line| file.line(line).and_then(|line| line.group);
        let groups = chosen.filter_map(|chosen| group(chosen.place.line));
        let groups = (!has_acap).then(|| groups.collect());
        let alike = |known: &&mut Readers| groups.is_some() && known.groups == groups;
        match readers.iter_mut().find(alike) {
            Some(known) => known.names.push(name),
            None => readers.push(Readers {
                names: vec![name],
                groups,
                policy,
            }),
        }
    }
    readers
}

/// The line that disallows a page.
fn disallowing_line(policy: &Policy, target: &Target<'_>) -> Option<u32> {
    match policy.deciding_rule(target) {
        DecidingRule::Rule { line, sense } => (sense == Sense::Disallow).then_some(line),
        DecidingRule::NoRule => None,
        DecidingRule::Other => {
            let decision = policy.decide(target);
            let crawl = decision.usages.crawl();
            let decided = crawl.evidence.first()?;
            (crawl.outcome == Outcome::Prohibited).then_some(decided.place?.line)
        }
    }
}

impl<'u> Disallowed<'u> {
    fn add(&mut self, place: usize, url: &'u str, reader: usize) {
        self.readers.insert(reader);
        if self.last.replace(place) == Some(place) {
            return;
        }
        self.count += 1;
        // One more than is named: "and 1 more" is no shorter than a name.
        if self.first.len() <= MAX_SHOWN {
            self.first.push(url);
        }
    }

    fn message(&self, all: usize, readers: &[Readers]) -> String {
        let of_readers = self.readers.iter().filter_map(|at| readers.get(*at));
        let names: Vec<&String> = of_readers.flat_map(|reader| &reader.names).collect();
        let first: Vec<String> = self.first.iter().map(|url| visible_url(url)).collect();
        let urls = enumerated_of(&first, self.count, MAX_SHOWN);
        let whom = enumerated(&names, MAX_SHOWN);
        let count = self.count;
        format!("disallows {count} of {all} URLs in the sitemap for {whom}: {urls}")
    }
}
